// Shared by the tests of battles: a flight in which only dice are random, ships without a card, and limits.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "salvo/salvo.h"
#include "support/catalogue.h"

namespace battles {

using tests::catalogue;

/// Each ship has each enemy in arc at range 2, and none has an action.
inline constexpr const char* kBare = R"(format = 1
id = "bare"
[[round]]
ship = [{ is = "any", no_action = 100 }]
)";

inline constexpr double kAlike = 1e-6;  // false-alarm rate of a test of fit
inline constexpr double kBudget = 5e6;  // outcomes of one attack

inline salvo::BattleShip ship(const std::string& name, int attack, int agility, int hull, int initiative,
                              int points = 10) {
  salvo::BattleShip out{name, {}, initiative, points};
  out.ship.attack = attack;
  out.ship.agility = agility;
  out.ship.hull = hull;
  return out;
}

/// A battle of these ships in the bare flight; both play greedy.
inline salvo::BattleQuestion question(std::vector<salvo::BattleShip> mine, std::vector<salvo::BattleShip> theirs,
                                      int rounds = 12) {
  salvo::BattleQuestion out;
  out.mine.name = "mine";
  out.mine.ships = std::move(mine);
  out.theirs.name = "theirs";
  out.theirs.ships = std::move(theirs);
  out.flight_text = kBare;
  out.rounds = rounds;
  out.my_policy = out.their_policy = salvo::BattlePolicy::Greedy;
  return out;
}

inline salvo::BattleReport exactly(const salvo::BattleQuestion& asked, std::optional<double> budget = {}) {
  salvo::BattleOptions options;
  options.engine = salvo::EngineChoice::Exact;
  options.budget = budget;
  return salvo::play_battle(catalogue(), asked, options);
}

}  // namespace battles
