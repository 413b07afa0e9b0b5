// Dice that are rolled outside attacks: devices, obstacles, overlaps, and the roll for player order.
// In: a hazard (load/hazard_file.h), an edition's dice and tokens, ships. Out: what happens to each ship and to all of
// them together.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "game/distribution.h"
#include "load/catalogue.h"
#include "load/hazard_file.h"
#include "salvo/report.h"
#include "salvo/scenario.h"

namespace salvo::hazard {

/// A ship before the hazard.
struct Target {
  std::string name, title, size;
  bool remote = false;  ///< all its damage cards are facedown, and it has no tokens (000: Remotes)
  int hull = 0;         ///< 0: it cannot be destroyed
  int shields = 0;
  int faceup = 0;  ///< faceup damage cards from the start, which took part of the hull
  std::map<std::string, int> tokens;
  std::vector<std::string> upgrades;  ///< only their changes of the stat line count
};

/// Looks up the stat lines of the ships. `cards`: the card set; empty for the default one. Throws ScenarioError.
std::vector<Target> find_targets(const Catalogue& catalogue, const load::Edition& edition, const std::string& cards,
                                 const std::map<std::string, ScenarioShip>& ships,
                                 const std::vector<std::string>& order);

/// A hazard with the ships that it happens to.
struct Occurrence {
  const load::Edition* edition = nullptr;
  const load::Hazard* hazard = nullptr;
  std::vector<Target> targets;
  std::vector<const load::HazardSituation*> situations;  ///< by target; null: nothing happens to it
  std::map<std::string, int> numbers;                    ///< a value for each number of the hazard
  int times = 1;                                         ///< repetitions; every ship is affected each time
};

/// Finds the situation of each ship: `situation` unless that is empty, else the first for ships of its size.
/// Throws LoadError: an unknown situation or number, a number out of range, or a situation that does not happen to a
/// ship of that size.
Occurrence ask(const load::Edition& edition, const load::Hazard& hazard, std::vector<Target> targets,
               const std::string& situation, const std::map<std::string, int>& numbers, int times);

/// The dice and fixed consequences of a situation for given numbers.
struct Roll {
  int dice = 0;
  std::vector<load::HazardEffect> fixed;
  std::vector<load::HazardEffect> on;  ///< by face of the attack die
};
Roll roll_of(const Occurrence& question, const load::HazardSituation& situation);

/// The tokens of one kind on one ship.
struct TokenAnswer {
  std::string token, state;  ///< state: empty if the kind brings none
  Eigen::ArrayXd number;     ///< number(k): probability of k tokens in the end
  double reached = 0;        ///< probability that the ship is in the state
};

struct ShipAnswer {
  game::ShipDistribution ship;      ///< joint, damage, destroyed, hull and shields; no tokens
  Eigen::ArrayXd faceup;            ///< faceup(k): probability of k faceup damage cards
  std::vector<TokenAnswer> tokens;  ///< the kinds that the ship had or that the hazard gives
};

/// Probabilities, exact or sampled.
struct Answer {
  std::vector<ShipAnswer> ships;
  Eigen::ArrayXd damage;     ///< of all ships together
  Eigen::ArrayXd destroyed;  ///< destroyed(k): probability that k ships are destroyed
  std::uint64_t trials = 0;  ///< 0: exact
  std::uint64_t seed = 0;
};

/// Limit of the exact engine on the transitions between states of one ship: about ten seconds.
inline constexpr double kMaxTransitions = 5e7;

/// The exact answer. Damage beyond the hull counts, and a destroyed ship still suffers what comes later.
/// Throws PlanTooLarge.
Answer enumerate(const Occurrence& question);
/// The same from trials in which each die is rolled.
Answer sample(const Occurrence& question, std::uint64_t trials, std::uint64_t seed);

/// Who wins a contest: between two players by the same rules, or of one player against the dice.
struct ContestAnswer {
  std::vector<double> decided_by;  ///< by entry of Contest::most: probability that it decides in the end
  double tie = 0;                  ///< probability that one roll decides nothing
  double win = 0;                  ///< probability that the first player wins in the end
  double mean_rolls = 1;
  double tie_se = 0, mean_rolls_se = 0;  ///< standard errors when sampled
  Eigen::ArrayXd rolls;  ///< rolls(n): probability that n + 1 rolls are needed; ends where less than kRollsTail is left
  std::uint64_t trials = 0;
  std::uint64_t seed = 0;
};
inline constexpr double kRollsTail = 1e-12;

ContestAnswer enumerate(const load::Edition& edition, const load::HazardContest& contest);
ContestAnswer sample(const load::Edition& edition, const load::HazardContest& contest, std::uint64_t trials,
                     std::uint64_t seed);

/// Whether the sampled answer agrees with the exact one: each ship, its faceup cards and tokens, and all ships
/// together.
CrossCheck cross_check(const Occurrence& question, const Answer& exact, const Answer& sample);
CrossCheck cross_check(const ContestAnswer& exact, const ContestAnswer& sample);

}  // namespace salvo::hazard
