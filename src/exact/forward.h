// The part that the forward passes of all solvers share. Each state between attacks has a table, per ship, of the hits
// and crits so far. Tokens are recorded as soon as no later attack can read them, since their number is then final.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "base/index.h"
#include "game/distribution.h"
#include "game/play.h"

namespace salvo::exact {

/// Additions to tables permitted for each transition of a budget. The default budget allows about ten seconds; beyond
/// that, sampling, which shows progress and can be stopped, answers sooner.
inline constexpr double kSumsPerEdge = 4000;

using Tables = boost::container::small_vector<Eigen::ArrayXXd, 2>;

/// The probability of a state between attacks, and the tables of its ships, scaled by that probability.
struct Mass {
  double probability = 0;
  Tables joint;  ///< by ship: [hits][crits]; empty for ships that are not attacked, or not any more
  /// By ship: damage so far, as one column; empty if damage is hits plus crits. An empty list if that holds for all
  /// ships.
  Tables damage;
};

/// An end of an attack: the remaining results, and the state after it.
struct Arrival {
  int next = 0;  ///< state in which the next attack begins
  int hits = 0, crits = 0;
  std::array<std::int8_t, game::kVictims> extra{};  ///< by victim: damage from other effects
  double probability = 0;

  bool same_end(const Arrival& other) const {
    return next == other.next && hits == other.hits && crits == other.crits && extra == other.extra;
  }
};

/// Adds an arrival to the list, or its probability to the entry of the same end.
void add_arrival(const Arrival& arrival, std::vector<Arrival>& arrivals);

/// A flag for each resource of a plan.
using ResourceMarks = boost::container::small_vector<bool, 32>;

/// The sums of a forward pass, and the distribution that they add up to.
class Forward {
 public:
  /// `most_sums`: additions to tables after which move() throws PlanTooLarge. Tables grow with each attack: solving a
  /// thousand attacks on one ship is quick, but combining them would take minutes.
  Forward(const game::Plan& plan, double most_sums);

  /// The state in which the first attack begins.
  Mass first() const;
  /// `size` states with probability 0.
  std::vector<Mass> states(std::size_t size) const;
  /// Moves a share p of `from` to `to`: an attack in which the defender takes h hits and c crits, and the victims the
  /// damage `extra` from other effects.
  void move(std::size_t attack, const Mass& from, double p, int h, int c, Mass& to,
            const std::array<std::int8_t, game::kVictims>& extra = {});
  /// The same for all results that lead to one state: p[h][c] for h + c up to n, in rows of n + 1.
  void move_results(std::size_t attack, const Mass& from, int n, const double* p, Mass& to);
  /// Records the tokens of a state that no attack after `attack` can read. `owned`: the resources to record; empty:
  /// all.
  void retire(std::size_t attack, const game::Resources& resources, double probability,
              const ResourceMarks& owned = {});
  /// Whether the option picks the damage card that turns faceup.
  bool picks_card(std::size_t attack, const game::Option& option) const {
    return game::picks_card(plan_.attacks[attack], option);
  }
  /// Records that a damage card of a victim of the attack is turned faceup.
  void deal(std::size_t attack, std::size_t victim, double probability) {
    base::nth(out_.ships, plan_.attacks[attack].victim(victim)).faceup += probability;
  }
  /// Whether a resource gets its final number with `attack`. False for health and counts of damage cards, which are not
  /// reported as tokens.
  bool retires(std::size_t attack, std::size_t resource) const;
  /// Adds the probability that `left` of a resource remain at the end.
  void leave(std::size_t resource, int left, double probability) {
    tokens_[resource] += probability * left;
    if (numbers_[resource].size() > 0) numbers_[resource](left) += probability;
  }
  /// The sum for the mean number that remains.
  double& mean_left(std::size_t resource) { return tokens_[resource]; }
  /// Whether the distribution of a resource is reported, not only its mean.
  bool counts_numbers(std::size_t resource) const { return numbers_[resource].size() > 0; }
  /// Call when all states of the attack have been moved.
  void finish_attack(std::size_t attack);
  game::AttackDistribution& attack(std::size_t k) { return out_.attacks[k]; }
  game::Distribution finish();

 private:
  void finish_ship(std::size_t ship);
  /// A state with probability 0.
  Mass empty_state() const;
  /// The table that move() adds to for a ship: the final one after the last attack on it.
  Eigen::ArrayXXd& table(std::size_t attack, std::size_t ship, Mass& to) {
    return last_attack_[ship] == static_cast<int>(attack) ? out_.ships[ship].joint : to.joint[ship];
  }

  /// Counts the addition of a table to another.
  void count_sums(const Eigen::ArrayXXd& table);

  const game::Plan& plan_;
  const double most_sums_;
  double sums_ = 0, spent_sums_ = 0;  ///< additions so far; those already charged by spend_work
  game::Distribution out_;
  Tables damage_;               ///< by ship: final distribution of damage, where it is not hits plus crits
  bool effect_damage_ = false;  ///< some ship has effect_damage
  boost::container::small_vector<double, 16> tokens_;
  /// By resource with has_distribution(): the probability of each number left.
  boost::container::small_vector<Eigen::ArrayXd, 16> numbers_;
  /// By resource: the attack after which nothing can read it; -1: before the first.
  boost::container::small_vector<int, 16> retired_by_;
  boost::container::small_vector<int, 8> last_attack_;  ///< by ship: the last attack that can damage it, or -1
};

}  // namespace salvo::exact
