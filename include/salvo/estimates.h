// The numbers of an answer for each ship and attack, each with its standard error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo {

/// A number and its standard error, which is 0 for an exact number.
struct Estimate {
  double value = 0;
  double se = 0;
};

/// The probability that a ship suffers `hits` uncancelled hits and `crits` uncancelled crits in total.
struct JointCell {
  int hits = 0, crits = 0;
  Estimate probability;
};

struct ShipEstimates {
  std::string name, title;
  Estimate mean_damage, mean_hits, mean_crits, destroyed;
  std::vector<Estimate> pmf;            ///< exactly k damage; at least one entry, no trailing zeros
  std::vector<Estimate> at_least;       ///< k damage or more; as long as pmf
  std::vector<JointCell> joint;         ///< probability > 0 only, ordered by hits, then crits
  std::vector<Estimate> hull, shields;  ///< k left; empty for a ship without hull
  Estimate mean_hull, mean_shields;     ///< left; 0 for a ship without hull
  std::vector<std::pair<std::string, Estimate>> tokens_left;  ///< by kind, sorted by name; locks summed
  /// For tokens that effects of the scenario give: by kind, exactly k left; and the probability of each state that
  /// they bring, such as "ionized".
  std::vector<std::pair<std::string, std::vector<Estimate>>> tokens_pmf;
  std::vector<std::pair<std::string, Estimate>> states;
  Estimate faceup, added;  ///< damage cards dealt faceup; damage beyond the attacks' results
  bool attacked = false;   ///< target of an attack of the scenario
};

struct AttackEstimates {
  std::string by, on, weapon;
  std::string bonus;    ///< the card that granted it as a bonus attack, or empty
  bool second = false;  ///< the second attack of two, for a weapon that attacks twice
  int range = 0;        ///< -1: unknown (ScenarioAttack::unknowns)
  int round = 0;        ///< from 1; 0 if the scenario has no rounds
  Estimate happens, attack_dice, defense_dice, hit_probability, mean_hits, mean_crits;
};

struct Estimates {
  Estimate value;
  std::vector<ShipEstimates> ships;      ///< all ships of the scenario
  std::vector<AttackEstimates> attacks;  ///< in the order they happen
  std::uint64_t trials = 0;              ///< 0: exact

  /// The estimates of a ship by its name in the scenario. An unknown name throws Error, which lists the ships.
  const ShipEstimates& ship(std::string_view name) const;
};

/// The distribution of a count, such as damage or tokens.
struct CountDistribution {
  Estimate mean;
  std::vector<Estimate> pmf;       ///< exactly k; at least one entry, no trailing zeros
  std::vector<Estimate> at_least;  ///< k or more; as long as pmf
};

/// A roll alone, after all modifications.
struct RollEstimates {
  bool attack = true;  ///< attack dice; else defense dice
  std::string by;      ///< the ship that rolls
  Estimate dice;
  CountDistribution results;       ///< hits and crits; of defense dice evades
  Estimate mean_hits, mean_crits;  ///< of attack dice
  std::vector<JointCell> joint;    ///< of attack dice
  std::vector<std::pair<std::string, Estimate>> tokens_left;
};

}  // namespace salvo
