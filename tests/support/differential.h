// Scenarios in two forms, for the engines and for the literal reference: random generation, and comparison of answers.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "game/distribution.h"
#include "literal/literal.h"
#include "load/catalogue.h"
#include "salvo/scenario.h"
#include "support/catalogue.h"

namespace differential {

using tests::catalogue;

/// Test profiles, with dice and effects that no real edition has.
inline const salvo::Catalogue& test_catalogue() {
  static const salvo::Catalogue profiles(SALVO_SOURCE_DIR "/tests/data/profiles");
  return profiles;
}

/// Converts a literal scenario to one for the engines.
inline salvo::Scenario to_salvo(const literal::Scenario& from) {
  salvo::Scenario to;
  if (from.first_edition) to.rules = "first-edition";
  to.objective = from.objective;
  if (from.deck) to.damage_deck = "core";
  to.attacker_policy = from.attacker_policy;
  to.defender_policy = from.defender_policy;
  for (const literal::Ship& ship : from.ships) {
    salvo::ScenarioShip& out = to.ships[ship.name];
    if (ship.side != 0) out.side = ship.side > 0 ? "mine" : "theirs";
    out.attack = ship.attack;
    out.agility = ship.agility;
    if (ship.hull > 0) out.hull = ship.hull;
    out.shields = ship.shields;
    out.size = ship.size;
    out.tokens = ship.tokens;
    out.locks = ship.locks;
  }
  for (const literal::Attack& attack : from.attacks) {
    salvo::ScenarioAttack out{.by = attack.by, .on = attack.on, .range = attack.range};
    out.obstructed = attack.obstructed;
    out.reinforced = attack.reinforced;
    out.initiative = attack.initiative;
    to.attacks.push_back(out);
  }
  return to;
}

/// The scenario as TOML, to reproduce a failure.
std::string text_of(const literal::Scenario& scenario);

/// Draws from std::mt19937 without standard distributions, whose results differ between libraries.
class Pick {
 public:
  explicit Pick(std::uint32_t seed) : generator_(seed) {}
  /// 0 .. n - 1
  int below(int n) { return static_cast<int>(generator_() % static_cast<std::uint32_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <typename T>
  const T& of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937 generator_;
};

/// The size of a random scenario.
enum class Size {
  Small,           ///< 1 to 3 attacks that the literal reference plays in milliseconds
  Medium,          ///< 1 to 4 attacks, more dice and tokens
  OneLargeAttack,  ///< up to six dice on each side
};

/// A scenario of two to four ships, with every kind of token, range, size, objective and policy.
literal::Scenario random_scenario(Pick& pick, Size size = Size::Small);

/// The scenario with only the tokens, sizes and ranges of the first edition.
literal::Scenario in_first_edition(literal::Scenario scenario);

/// The differences between an answer and the literal one beyond 1e-12. `only_value`: compares nothing else.
std::vector<std::string> differences(const salvo::compile::CompiledScenario& question,
                                     const salvo::game::Distribution& got, const literal::Result& want,
                                     bool only_value = false);

}  // namespace differential
