// durability: how many shots of one kind a ship survives.
// In: the plan of one shot. Out: the distribution of the number of shots until it is destroyed.
#pragma once

#include <memory>
#include <vector>

#include "exact/exact.h"
#include "rules/plan.h"

namespace salvo::exact {

/// How long the defender's tokens, charges and uses per round last. The attacker is a fresh one in each shot.
struct DurabilityOptions {
  int round = 1;               ///< shots after which they are as at the start again; 0: never
  double tail = 1e-9;          ///< the distribution is cut where the chance to be still there is at most this
  int most_listed = 1000;      ///< entries of the distribution at most
  int most_shots = 1'000'000;  ///< shots that are played for the mean at most
  Budget budget;
};

/// The number of shots N until a ship is destroyed.
struct Durability {
  std::vector<double> cdf;    ///< cdf[n] = P(N <= n); the first entry is 0
  double beyond = 1;          ///< P(N > last n of cdf)
  bool destructible = false;  ///< false: no shot can destroy it, and the mean is infinite
  double mean = 0;  ///< E[N]: in closed form for round == 1, else a lower bound: the sum of P(N > n) over all n played
  /// E[N] <= mean + mean_bound; 0 for round == 1. If from every state that can occur the ship survives m more shots
  /// with probability at most r < 1, then E[N - n | N > n] <= m / (1 - r), since surviving k m shots has probability at
  /// most r^k.
  double mean_bound = 0;
  /// Smallest n with P(N <= n) >= share; -1 when it is beyond the cut.
  int quantile(double share) const;
};

/// Shots that have been played already, for questions that differ in what nobody looks at while shooting: how much hull
/// and shields the ship has. Any number of threads may use one at once.
class PlayedShots {
 public:
  PlayedShots();
  ~PlayedShots();

 private:
  friend Durability durability(const Plan& plan, const DurabilityOptions& options, PlayedShots* played);
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

/// A shot is the whole plan: an attack, effects before it and bonus attacks after it, each played greedily by both
/// roles (docs/format.md: Policies, greedy; a role whose policy is Hold holds). The defender must have hull. Throws
/// PlanTooLarge. `played`: the shots of other questions with the same options, where there are any.
Durability durability(const Plan& plan, const DurabilityOptions& options, PlayedShots* played = nullptr);

}  // namespace salvo::exact
