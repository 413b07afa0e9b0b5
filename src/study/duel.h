// A duel: one ship attacks another. Studies of squads and loadouts consist of duels. In: two ships. Out: a scenario,
// and its result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "exact/durability.h"
#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/references.h"
#include "salvo/report.h"
#include "salvo/scenario.h"
#include "salvo/squad_report.h"

namespace salvo::study {

/// Tokens that a ship can spend: "none", "focus", "lock", "focus+lock".
struct TokenSet {
  std::string name;
  int focus = 0;
  bool lock = false;
};
const std::vector<TokenSet>& token_sets();

/// Edition and card set of both ships.
struct RulesAndCards {
  std::string rules = "second-edition", cards;
};

inline constexpr const char* kAttacker = "attacker";
inline constexpr const char* kDefender = "defender";

/// The attack of `attacker` on `defender` with a weapon at a range. A lock is on the defender.
Scenario duel(const RulesAndCards& game, const ScenarioShip& attacker, bool lock, const ScenarioShip& defender,
              const std::string& weapon, int range);

/// `ship` with the tokens of the set added to its own.
ScenarioShip with_tokens(ScenarioShip ship, const TokenSet& tokens);

DuelResult result_of(const Report& report);

/// Adds what `from` assumes, leaves out and notes to `into`, without repetitions; the rest (rules, policies) replaces
/// that of `into`.
void merge(Provenance& into, const Provenance& from);

/// Answers a duel. An attack that cannot be made (a torpedo without its lock) is a result; a weapon that the attacker
/// does not have is an error. `from` receives the provenance of the answer, if there is one.
DuelResult play_duel(const Catalogue& catalogue, const Scenario& duel, const AnswerOptions& options,
                     Provenance* from = nullptr);

/// The plan of a shot, or of several cases, from which each shot draws one.
struct ShotPlans {
  compile::CompiledScenario first;  ///< the first case, with the caveats of all and a note about the chances
  std::vector<exact::WeightedPlan> plans;
};
ShotPlans shot_plans(const Catalogue& catalogue, const Scenario& scenario, compile::Lifetime lifetime);

/// `play`: objective and policies. Each shot is played as if it were the last, so optimal means greedy, and damage is
/// counted without damage cards. `from` receives the provenance. Throws PlanTooLarge.
Shots shots_of(const Catalogue& catalogue, Scenario duel, const Overrides& play, Provenance* from = nullptr);
Shots shots_until_destroyed(const Catalogue& catalogue, const RulesAndCards& game, const ReferenceShip& attacker,
                            const ScenarioShip& defender, const Overrides& play, Provenance* from = nullptr);

/// Runs `work(i)` for i below n on `threads` threads (0: all cores). Calls must not write to the same place.
void for_each(int threads, std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace salvo::study
