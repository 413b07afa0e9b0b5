// The result of an engine: exact or sampled distributions of the outcomes of a plan under a policy.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace salvo::game {

/// Outcome of one ship over all attacks.
struct ShipDistribution {
  Eigen::ArrayXXd joint;  ///< joint(h, c): probability of h uncancelled hits and c crits in total
  Eigen::ArrayXd damage;  ///< damage(k): probability of k damage from attacks and other effects
  double destroyed = 0;
  Eigen::ArrayXd hull, shields;  ///< hull(k): probability that k remain; empty for a ship without hull
  /// Mean by resource index of the plan. 0 for resources of other ships, and in exact answers for health and counts of
  /// damage cards.
  Eigen::ArrayXd tokens_left;
  Eigen::ArrayXd tokens_left_se;     ///< standard errors; empty if exact
  double faceup = 0, faceup_se = 0;  ///< mean number of damage cards dealt faceup; 0 without a damage deck
  /// By resource index: the distribution of the final number, for resources with has_distribution().
  std::map<std::size_t, Eigen::ArrayXd> tokens_pmf;
};

/// Distribution of the sum of hits and crits.
Eigen::ArrayXd damage_of(const Eigen::ArrayXXd& joint);

struct ShipPlan;
/// Fills destroyed, hull and shields from `damage`, since shields are lost before hull (000: Damage). If hull and
/// shields are separate resources, moves their distributions out of `tokens_pmf` instead. Ships without hull have empty
/// arrays and cannot be destroyed.
void fill_health(const ShipPlan& plan, ShipDistribution& ship);

/// Outcome of one attack.
struct AttackDistribution {
  double happens = 0;
  double attack_dice = 0, defense_dice = 0;  ///< means, given that the attack happens
  double hit_probability = 0, mean_hits = 0, mean_crits = 0;
  double attack_dice_se = 0, defense_dice_se = 0, mean_hits_se = 0, mean_crits_se = 0;  ///< when sampled
};

/// Answer of an engine.
struct Distribution {
  double value = 0;     ///< of the objective, my side minus theirs
  double value_se = 0;  ///< when sampled
  std::vector<ShipDistribution> ships;
  std::vector<AttackDistribution> attacks;  ///< of the plan, without engagements (AttackPlan::engagement)
  // Only if sampled:
  std::uint64_t trials = 0;  ///< 0: exact
  std::uint64_t seed = 0;
  bool interrupted = false;  ///< the user stopped it before all trials were done
  std::string generator;
  std::string target;          ///< instruction set of the kernel that ran; "reference" for the reference kernel
  std::string kernel;          ///< "bit-sliced", "lanes" or "plain"
  bool target_forced = false;  ///< whether the user chose the target
  /// A sentence for the user naming the kernel whose counts differed from the reference kernel and that was therefore
  /// not used; empty if all agreed. The reported counts are right even then.
  std::string kernel_fallback;
};

}  // namespace salvo::game
