// Duel: one ship shoots at another, as a scenario; the unit that studies of squads and loadouts are made of.
// In: two ships. Out: a scenario, and what it does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/references.h"
#include "salvo/report.h"
#include "salvo/scenario.h"
#include "salvo/squad_report.h"

namespace salvo::study {

/// Tokens that a ship spends: "none", "focus", "lock", "focus+lock".
struct TokenSet {
  std::string name;
  int focus = 0;
  bool lock = false;
};
const std::vector<TokenSet>& token_sets();

/// Edition and card set of both ships.
struct Game {
  std::string rules = "second-edition", cards;
};

inline constexpr const char* kAttacker = "attacker";
inline constexpr const char* kDefender = "defender";

/// The attack of `attacker` on `defender` with a weapon at a range. A lock is on the defender.
Scenario duel(const Game& game, const ScenarioShip& attacker, bool lock, const ScenarioShip& defender,
              const std::string& weapon, int range);

/// `ship` with the tokens of the set added to its own.
ScenarioShip with_tokens(ScenarioShip ship, const TokenSet& tokens);

DuelResult result_of(const Report& report);

/// Adds to `into` what `from` assumes, leaves out and notes, each thing once; the rest (rules, policies) is taken over.
void merge(Provenance& into, const Provenance& from);

/// Answers a duel. An attack that cannot be made (a torpedo without its lock) is a result, not an error; a weapon that
/// the attacker does not have is one. `from`: what the answer rests on, where there is one.
DuelResult play_duel(const Catalogue& catalogue, const Scenario& duel, const AnswerOptions& options,
                     Provenance* from = nullptr);

/// All weapons of a ship with its upgrades that shoot at a range of at most `farthest`; the primaries first.
std::vector<WeaponChoice> weapons_of(const Catalogue& catalogue, const Game& game, const ScenarioShip& ship,
                                     int farthest = 3);

/// What `weapon` of an attack may be, so that every weapon of the ship is named once. The word "primary" stands for
/// the strongest primary weapon of a ship whose attack value the scenario states.
std::vector<std::string> weapon_names(const Catalogue& catalogue, const Game& game, const ScenarioShip& ship);

/// `play`: objective and policies; each shot is played as if it were the last, so optimal means greedy, and damage
/// counts without damage cards. `from`: what the answer rests on. Throws PlanTooLarge.
Shots shots_of(const Catalogue& catalogue, Scenario duel, const Overrides& play, Provenance* from = nullptr);
Shots shots_until_destroyed(const Catalogue& catalogue, const Game& game, const ReferenceShip& attacker,
                            const ScenarioShip& defender, const Overrides& play, Provenance* from = nullptr);

/// Runs `work(i)` for i below n on `threads` threads (0: all cores). Each call must write to a place of its own.
void for_each(int threads, std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace salvo::study
