// The distribution of the number of shots of one kind that it takes to destroy a ship.
#pragma once

#include <memory>
#include <vector>

#include "exact/exact.h"
#include "game/plan.h"

namespace salvo::exact {

/// What the defender regains and when, and where the computation stops. Each shot has a fresh attacker; in a plan of
/// several shots, each attacker is fresh in each round.
struct DurabilityOptions {
  int round = 1;  ///< shots in a round, which ends by resetting the defender's tokens and uses; 0: rounds never end
  /// After a round, charges recover by Resource::end and shields by ShipPlan::shields_recover (000: Charges, End
  /// Phase). False: charges return to their initial number, and shields stay lost.
  bool by_rules = false;
  /// If rounds differ: the shot with which each round begins. The plan has an End Phase before each round but the
  /// first; the last round is repeated. `round` is then 0, and attackers retain their tokens.
  std::vector<std::size_t> rounds = {};
  std::vector<std::size_t> shots = {};  ///< the plan's attacks with which its shots begin; empty: one shot
  double tail = 1e-9;                   ///< the distribution ends where the ship survives with at most this probability
  int most_listed = 1000;               ///< maximal length of the distribution
  int most_shots = 1'000'000;           ///< maximal number of shots played for the mean
  Budget budget;
};

/// The number of shots, or of rounds, N until a ship is destroyed.
struct Durability {
  std::vector<double> cdf;    ///< cdf[n] = P(N <= n); the first entry is 0
  double beyond = 1;          ///< P(N > last n of cdf)
  bool destructible = false;  ///< false: no shot can destroy it, and the mean is infinite
  double mean = 0;  ///< E[N]: in closed form for round == 1, else a lower bound: the sum of P(N > n) over all n played
  /// E[N] <= mean + mean_bound; 0 for round == 1. If the ship survives m more shots with probability at most r < 1 from
  /// every state that can occur, then E[N - n | N > n] <= m / (1 - r), since it survives k m shots with probability at
  /// most r^k.
  double mean_bound = 0;
  double mean_rounds = 0, mean_rounds_bound = 0;  ///< the same in rounds; meaningless if rounds never end
  /// The smallest n with P(N <= n) >= share; -1 if it is beyond the end of cdf.
  int quantile(double share) const;
};

/// A plan that a shot may follow, with its probability.
struct WeightedPlan {
  game::Plan plan;
  double weight = 1;
  bool operator==(const WeightedPlan&) const = default;
};

/// Whether effects can spend charges of the defender, which rounds restore differently from tokens.
bool has_charges(const game::Plan& plan);
/// Whether DurabilityOptions::by_rules makes a difference: the defender recovers shields, or charges only in part.
bool recovers_by_rules(const game::Plan& plan);

/// Shots in a round: those of the plan if it has several, else `round`; 0: unknown.
int round_length(const DurabilityOptions& options);

/// The number of shots in the first `rounds` rounds.
int shots_in_rounds(const DurabilityOptions& options, int rounds);

/// The same in rounds: N is the number of the round in which the ship is destroyed. The distribution ends with that of
/// shots. The options must define rounds.
Durability in_rounds(const Durability& shots, const DurabilityOptions& options);

/// A thread-safe cache of played shots, for questions that differ only in hull and shields where the shots do not read
/// these.
class ShotCache {
 public:
  ShotCache();
  ~ShotCache();

 private:
  friend Durability durability(const std::vector<WeightedPlan>& plans, const DurabilityOptions& options,
                               ShotCache* played);
  struct ChainCache;
  std::unique_ptr<ChainCache> cache_;
};

/// A shot is an attack with the effects before it and the bonus attacks after it, each played greedily by both roles
/// (docs/format.md: Policies, greedy), unless a role holds. A plan of several shots is repeated; its round is all of
/// them, or one shot, or `round` is 0. All shots have the same target, which must have hull. `played`: optional cache.
/// Throws PlanTooLarge.
Durability durability(const game::Plan& plan, const DurabilityOptions& options, ShotCache* played = nullptr);

/// The same if every shot follows one of several plans, chosen anew for each shot. They differ in attackers and attacks
/// and, if each shot finds the defender's tokens as at the start, in these tokens. Throws ScenarioError if shots of a
/// round change more than the defender, or leave it tokens that another plan does not know.
Durability durability(const std::vector<WeightedPlan>& plans, const DurabilityOptions& options,
                      ShotCache* played = nullptr);

}  // namespace salvo::exact
