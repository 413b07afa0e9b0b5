// Figures: what an answer says of each ship and attack, by name, each number with its standard error.
// In: an engine's distribution. Out: plain numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo {

/// A number and its standard error; the error is 0 when the number is exact.
struct Estimate {
  double value = 0;
  double se = 0;
};

/// The probability that a ship took `hits` uncancelled hits and `crits` crits in all.
struct JointCell {
  int hits = 0, crits = 0;
  Estimate probability;
};

struct ShipEstimates {
  std::string name, title;
  Estimate mean_damage, mean_hits, mean_crits, destroyed;
  std::vector<Estimate> pmf;            ///< exactly k damage; no zeros at the end, at least one entry
  std::vector<Estimate> at_least;       ///< k damage or more, as long as pmf
  std::vector<JointCell> joint;         ///< probability > 0 only, ordered by hits, then crits
  std::vector<Estimate> hull, shields;  ///< k remain; empty for a ship without hull
  Estimate mean_hull, mean_shields;     ///< of what remains; 0 for a ship without hull
  std::vector<std::pair<std::string, Estimate>> tokens_left;  ///< by kind, in order of name; locks summed
  /// Tokens that effects of the scenario give: by kind, exactly k left; and the chance of each state that they bring.
  std::vector<std::pair<std::string, std::vector<Estimate>>> tokens_pmf;
  std::vector<std::pair<std::string, Estimate>> states;
  Estimate faceup, added;  ///< damage cards dealt faceup; damage beyond the attacks' results
  bool attacked = false;   ///< target of an attack of the scenario
};

struct AttackEstimates {
  std::string by, on, weapon;
  std::string bonus;    ///< the card that granted it as a bonus attack, or empty
  bool second = false;  ///< the second of an attack that is performed twice
  int range = 0;
  int round = 0;  ///< from 1; 0 where the scenario has no rounds
  Estimate happens, attack_dice, defense_dice, hit_probability, mean_hits, mean_crits;
};

struct Estimates {
  Estimate value;
  std::vector<ShipEstimates> ships;      ///< all ships of the scenario
  std::vector<AttackEstimates> attacks;  ///< in the order they happen
  std::uint64_t trials = 0;              ///< 0: exact

  /// The figures of a ship by its name in the scenario. Throws Error, which names the ships, when there is none.
  const ShipEstimates& ship(std::string_view name) const;
};

/// A count, of damage or tokens.
struct CountDistribution {
  Estimate mean;
  std::vector<Estimate> pmf;       ///< exactly k; no zeros at the end, at least one entry
  std::vector<Estimate> at_least;  ///< k or more, as long as pmf
};

}  // namespace salvo
