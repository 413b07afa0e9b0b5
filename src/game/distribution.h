// Distribution: outcomes and probabilities of a plan under a policy, exact or sampled.
// In: an engine. Out: what report turns into figures.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace salvo::game {

/// What happens to one ship over all attacks.
struct ShipDistribution {
  Eigen::ArrayXXd joint;  ///< joint(h, c): probability of h uncancelled hits and c crits in all
  Eigen::ArrayXd damage;  ///< damage(k): probability of k damage from attacks and other effects
  double destroyed = 0;
  Eigen::ArrayXd hull, shields;  ///< hull(k): probability that k remain; empty for a ship without hull
  /// Mean number by resource index of the plan; 0 for resources of other ships, and for health and counts of damage
  /// cards where the exact engine answers.
  Eigen::ArrayXd tokens_left;
  Eigen::ArrayXd tokens_left_se;     ///< standard errors when sampled, else empty
  double faceup = 0, faceup_se = 0;  ///< mean number of damage cards that it is dealt faceup; 0 without damage deck
  /// By resource index: the probability of each number that is left, for the ship's resources with has_distribution().
  std::map<std::size_t, Eigen::ArrayXd> tokens_pmf;
};

/// Distribution of hits plus crits of a joint distribution.
Eigen::ArrayXd damage_of(const Eigen::ArrayXXd& joint);

struct ShipPlan;
/// Fills destroyed, hull and shields from `damage`: shields are lost before hull (000: Damage); where that does not
/// tell them from `tokens_pmf`, of which their parts are taken out. Ships without hull keep empty arrays and cannot be
/// destroyed.
void fill_health(const ShipPlan& plan, ShipDistribution& ship);

/// One attack of the plan.
struct AttackDistribution {
  double happens = 0;
  double attack_dice = 0, defense_dice = 0;  ///< mean, given that the attack happens
  double hit_probability = 0, mean_hits = 0, mean_crits = 0;
  double attack_dice_se = 0, defense_dice_se = 0, mean_hits_se = 0, mean_crits_se = 0;  ///< when sampled
};

/// The answer of an engine.
struct Distribution {
  double value = 0;     ///< of the objective, mine minus theirs
  double value_se = 0;  ///< when sampled
  std::vector<ShipDistribution> ships;
  std::vector<AttackDistribution> attacks;  ///< of the plan, without what is no attack (AttackPlan::engagement)
  // Sampling only:
  std::uint64_t trials = 0;  ///< 0: exact
  std::uint64_t seed = 0;
  bool interrupted = false;  ///< stopped by the user before the trials were done
  std::string generator;
  std::string target;          ///< instruction set of the kernel that ran, "reference" for the plain one
  std::string kernel;          ///< "bit-sliced", "lanes" or "plain"
  bool target_forced = false;  ///< whether the user chose it
  /// Which kernel did not count what the reference kernel counts and was not used; empty where all agreed. The counts
  /// are right, but the kernel has an error: a sentence for the user.
  std::string kernel_fallback;
};

}  // namespace salvo::game
