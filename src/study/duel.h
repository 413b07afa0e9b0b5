// Duel: one ship shoots at another, as a scenario; the unit that studies of squads and loadouts are made of.
// In: two ships. Out: a scenario, and what it does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "load/catalogue.h"
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

/// Answers a duel. An attack that cannot be made (a torpedo without its lock) is a result, not an error. `from`: what
/// the answer rests on, where there is one.
DuelResult play_duel(const Catalogue& catalogue, const Scenario& duel, const AnswerOptions& options,
                     Provenance* from = nullptr);

/// All weapons of a ship with its upgrades; the primaries first.
std::vector<WeaponChoice> weapons_of(const Catalogue& catalogue, const Game& game, const ScenarioShip& ship);

/// Throws PlanTooLarge.
Shots shots_of(const Catalogue& catalogue, Scenario duel);
Shots shots_until_destroyed(const Catalogue& catalogue, const Game& game, const ReferenceShip& attacker,
                            const ScenarioShip& defender);

/// Runs `work(i)` for i below n on `threads` threads (0: all cores). Each call must write to a place of its own.
void for_each(int threads, std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace salvo::study
