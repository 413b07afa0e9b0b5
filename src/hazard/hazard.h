// Hazard: dice that are rolled outside attacks: devices, obstacles, overlaps, the roll for player order.
// In: a hazard of load/hazard_file.h, an edition's dice and tokens, ships. Out: what happens to each ship, and to all
// of them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "game/distribution.h"
#include "load/catalogue.h"
#include "load/hazard_file.h"
#include "salvo/scenario.h"

namespace salvo::hazard {

/// A ship as a hazard finds it.
struct Target {
  std::string name, title, size;
  bool remote = false;  ///< all its damage cards are facedown, and it has no tokens (000: Remotes)
  int hull = 0;         ///< 0: it cannot be destroyed
  int shields = 0;
  std::map<std::string, int> tokens;
  std::vector<std::string> upgrades;  ///< of which only the stat line counts
};

/// The ships with their stat lines looked up; `cards`: the card set, empty for the usual one. Throws ScenarioError.
std::vector<Target> find_targets(const Catalogue& catalogue, const load::Edition& edition, const std::string& cards,
                                 const std::map<std::string, ScenarioShip>& ships,
                                 const std::vector<std::string>& order);

/// A hazard, the ships it happens to, and how often.
struct Occurrence {
  const load::Edition* edition = nullptr;
  const load::Hazard* hazard = nullptr;
  std::vector<Target> targets;
  std::vector<const load::Situation*> situations;  ///< by target; null: nothing happens to it
  std::map<std::string, int> numbers;              ///< all that the hazard has
  int times = 1;                                   ///< one after the other, each ship every time
};

/// Finds the situation of each ship: `situation` where it is not empty, else the first for ships of its size.
/// Throws LoadError: no such situation or number, out of range, a situation that does not happen to a ship of that
/// size.
Occurrence ask(const load::Edition& edition, const load::Hazard& hazard, std::vector<Target> targets,
               const std::string& situation, const std::map<std::string, int>& numbers, int times);

/// Dice and fixed consequences of a situation once the numbers are known.
struct Roll {
  int dice = 0;
  std::vector<load::Consequence> fixed;
  std::vector<load::Consequence> on;  ///< by face of the attack die
};
Roll roll_of(const Occurrence& question, const load::Situation& situation);

/// A kind of token of one ship.
struct TokenAnswer {
  std::string token, state;  ///< state: empty where the kind has none
  Eigen::ArrayXd number;     ///< number(k): probability to have k in the end
  double reached = 0;        ///< probability that the ship is in the state
};

struct ShipAnswer {
  game::ShipDistribution ship;      ///< joint, damage, destroyed, hull and shields; no tokens
  Eigen::ArrayXd faceup;            ///< faceup(k): probability of k faceup damage cards
  std::vector<TokenAnswer> tokens;  ///< those that the hazard gives or the ship had
};

/// Probabilities, exact or sampled.
struct Answer {
  std::vector<ShipAnswer> ships;
  Eigen::ArrayXd damage;     ///< of all ships together
  Eigen::ArrayXd destroyed;  ///< destroyed(k): probability that k ships are destroyed
  std::uint64_t trials = 0;  ///< 0: exact
  std::uint64_t seed = 0;
};

/// Most transitions between states of one ship that the exact engine makes: about ten seconds.
inline constexpr double kMaxTransitions = 5e7;

/// The exact answer: distributions of the counts of faces, folded. Damage beyond the hull is still counted, and a ship
/// that is destroyed still suffers what comes after. Throws PlanTooLarge.
Answer enumerate(const Occurrence& question);
/// The same from trials, rolled die by die and suffered one after the other.
Answer sample(const Occurrence& question, std::uint64_t trials, std::uint64_t seed);

/// Who wins a contest. Of two players by the same rules, or of one player and the luck of his dice.
struct ContestAnswer {
  std::vector<double> decided_by;  ///< by entry of Contest::most: probability that it decides in the end
  double tie = 0;                  ///< probability that one roll decides nothing
  double win = 0;                  ///< probability that the first player wins in the end
  double mean_rolls = 1;
  double tie_se = 0, mean_rolls_se = 0;  ///< standard errors, where sampled
  Eigen::ArrayXd rolls;  ///< rolls(n): probability that n + 1 rolls are needed; cut where less than kRollsTail is left
  std::uint64_t trials = 0;
  std::uint64_t seed = 0;
};
inline constexpr double kRollsTail = 1e-12;

ContestAnswer enumerate(const load::Edition& edition, const load::Contest& contest);
ContestAnswer sample(const load::Edition& edition, const load::Contest& contest, std::uint64_t trials,
                     std::uint64_t seed);

}  // namespace salvo::hazard
