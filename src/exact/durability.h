// durability: how many shots of one kind a ship survives.
// In: the plan of one shot. Out: the distribution of the number of shots until it is destroyed.
#pragma once

#include <memory>
#include <vector>

#include "exact/exact.h"

namespace salvo::exact {

/// What the defender has again, and when. The attacker is a fresh one in each shot; where a plan has several shots,
/// each attacker is fresh in each round.
struct DurabilityOptions {
  int round = 1;  ///< shots in a round: after them the defender's tokens and uses are as at the start; 0: never
  /// After a round, charges have recovered what Resource::recover says, and shields ShipPlan::shields_recover (000:
  /// Charges, End Phase); false: charges are as at the start, too, and shields stay lost.
  bool by_rules = false;
  /// With which shot each round of several begins, where rounds differ: the plan has an End Phase before each but the
  /// first, and the last one is repeated. `round` is then 0, and attackers keep what they have.
  std::vector<std::size_t> rounds = {};
  std::vector<std::size_t> shots = {};  ///< numbers of the plan's attacks with which its shots begin; empty: it is one
  double tail = 1e-9;                   ///< the distribution is cut where the chance to be still there is at most this
  int most_listed = 1000;               ///< entries of the distribution at most
  int most_shots = 1'000'000;           ///< shots that are played for the mean at most
  Budget budget;
};

/// The number of shots, or of rounds, N until a ship is destroyed.
struct Durability {
  std::vector<double> cdf;    ///< cdf[n] = P(N <= n); the first entry is 0
  double beyond = 1;          ///< P(N > last n of cdf)
  bool destructible = false;  ///< false: no shot can destroy it, and the mean is infinite
  double mean = 0;  ///< E[N]: in closed form for round == 1, else a lower bound: the sum of P(N > n) over all n played
  /// E[N] <= mean + mean_bound; 0 for round == 1. If from every state that can occur the ship survives m more shots
  /// with probability at most r < 1, then E[N - n | N > n] <= m / (1 - r), since surviving k m shots has probability at
  /// most r^k.
  double mean_bound = 0;
  double mean_rounds = 0, mean_rounds_bound = 0;  ///< the same counted in rounds; of no meaning where they never end
  /// Smallest n with P(N <= n) >= share; -1 when it is beyond the cut.
  int quantile(double share) const;
};

/// Whether effects can spend charges of the defender, which rounds give back otherwise than tokens.
bool has_charges(const game::Plan& plan);
/// The same, or it is a ship that recovers shields: whether DurabilityOptions::by_rules makes a difference.
bool recovers_by_rules(const game::Plan& plan);

/// Shots in a round: those of the plan where it has several, else `round`; 0: nobody says.
int round_length(const DurabilityOptions& options);

/// How many shots there are in the first `rounds` rounds.
int shots_in_rounds(const DurabilityOptions& options, int rounds);

/// The same counted in rounds: N rounds begin until the ship is destroyed in one of them. The list is cut where that of
/// shots is. Something has to say what a round is.
Durability in_rounds(const Durability& shots, const DurabilityOptions& options);

/// Shots that have been played already, for questions that differ in what nobody looks at while shooting: how much hull
/// and shields the ship has. Any number of threads may use one at once.
class PlayedShots {
 public:
  PlayedShots();
  ~PlayedShots();

 private:
  friend Durability durability(const game::Plan& plan, const DurabilityOptions& options, PlayedShots* played);
  struct ChainCache;
  std::unique_ptr<ChainCache> cache_;
};

/// A shot is an attack, effects before it and bonus attacks after it, each played greedily by both
/// roles (docs/format.md: Policies, greedy; a role whose policy is Hold holds). A plan of several shots is repeated; in
/// it, a round is all of them (or one shot, or `round` is 0). All shots are at one ship, which must have hull. Throws
/// PlanTooLarge. `played`: the shots of other questions, where there are any.
Durability durability(const game::Plan& plan, const DurabilityOptions& options, PlayedShots* played = nullptr);

}  // namespace salvo::exact
