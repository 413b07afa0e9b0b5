// Forward: what the forward passes share: per ship a table of (hits, crits) so far travels with every state between
// attacks, and tokens that no later attack can read have their final number.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "game/distribution.h"
#include "game/plan.h"

namespace salvo::exact {

/// Additions to tables for each transition of a budget: some ten seconds for the usual one, after which sampling, which
/// can be stopped and tells how far it is, answers sooner.
inline constexpr double kSumsPerEdge = 4000;

using Tables = boost::container::small_vector<Eigen::ArrayXXd, 2>;

/// A state between attacks: its probability, and each unfinished ship's table of hits and crits (times that
/// probability).
struct Mass {
  double probability = 0;
  Tables joint;  ///< by ship; empty for ships that are not attacked or finished
  /// By ship: damage so far, as a table of one column; empty where damage is hits plus crits. No ship at all where it
  /// is so for each.
  Tables damage;
};

/// An end of an attack: the results that remain, and where play goes on.
struct Arrival {
  int next = 0;  ///< state of the next attack
  int hits = 0, crits = 0;
  std::array<std::int8_t, game::kVictims> extra{};
  double probability = 0;

  bool same_end(const Arrival& other) const {
    return next == other.next && hits == other.hits && crits == other.crits && extra == other.extra;
  }
};

/// Adds what arrives to the list, where the same end already is, to that.
void add_arrival(const Arrival& arrival, std::vector<Arrival>& arrivals);

/// A mark for each resource of a plan.
using ResourceMarks = boost::container::small_vector<bool, 32>;

/// Sums of a forward pass and the distribution they make.
class Forward {
 public:
  /// `most_sums`: additions to tables of hits and crits, beyond which move() throws PlanTooLarge: tables grow with each
  /// attack, so that a thousand attacks on one ship, which are solved at once, would take minutes.
  Forward(const game::Plan& plan, double most_sums);

  /// The state in which the first attack begins.
  Mass first() const;
  /// `size` states without probability.
  std::vector<Mass> states(std::size_t size) const;
  /// Moves probability p of `from` to `to` by an attack in which its defender takes h hits and c crits, and the two
  /// its ships the damage `extra` (by victim) from other effects.
  void move(std::size_t attack, const Mass& from, double p, int h, int c, Mass& to,
            const std::array<std::int8_t, game::kVictims>& extra = {});
  /// The same for all results of an attack that lead to one state: p[h][c] for h + c up to n, in rows of n + 1.
  void move_results(std::size_t attack, const Mass& from, int n, const double* p, Mass& to);
  /// Adds the tokens of a state that no attack after `attack` can read; `owned` picks resources (empty: all).
  void retire(std::size_t attack, const game::Resources& resources, double probability, const ResourceMarks& owned = {});
  /// A damage card of a victim of the attack is turned faceup.
  void deal(std::size_t attack, std::size_t victim, double probability) {
    out_.ships[static_cast<std::size_t>(plan_.attacks[attack].victim(victim))].faceup += probability;
  }
  /// True when a resource gets its final number with `attack`. Nobody asks for health, or for counts of damage cards,
  /// which are forgotten before.
  bool retires(std::size_t attack, std::size_t resource) const;
  /// Notes with which probability so many of a resource are left at the end.
  void leave(std::size_t resource, int left, double probability) {
    tokens_[resource] += probability * left;
    if (numbers_[resource].size() > 0) numbers_[resource](left) += probability;
  }
  /// The mean number that is left, so far.
  double& mean_left(std::size_t resource) { return tokens_[resource]; }
  /// Whether it matters how likely each number of a resource is that is left.
  bool counts_numbers(std::size_t resource) const { return numbers_[resource].size() > 0; }
  /// All states of the attack have been played.
  void finish_attack(std::size_t attack);
  game::AttackDistribution& attack(std::size_t k) { return out_.attacks[k]; }
  game::Distribution finish();

 private:
  void finish_ship(std::size_t ship);
  /// A state without probability.
  Mass empty_state() const;
  /// The table of hits and crits that `move` adds to for a ship.
  Eigen::ArrayXXd& table(std::size_t attack, std::size_t ship, Mass& to) {
    return last_attack_[ship] == static_cast<int>(attack) ? out_.ships[ship].joint : to.joint[ship];
  }

  /// Counts that the table is added to another.
  void count_sums(const Eigen::ArrayXXd& table);

  const game::Plan& plan_;
  const double most_sums_;
  double sums_ = 0, spent_sums_ = 0;  ///< added up so far; of these, counted as work
  game::Distribution out_;
  Tables damage_;               ///< by ship: final table of damage, where it is kept
  bool effect_damage_ = false;  ///< of some ship
  boost::container::small_vector<double, 16> tokens_;
  /// By resource with has_distribution(): the probability of each number left.
  boost::container::small_vector<Eigen::ArrayXd, 16> numbers_;
  /// By resource: the attack after which nothing can read it; -1: before the first.
  boost::container::small_vector<int, 16> retired_by_;
  boost::container::small_vector<int, 8> last_attack_;  ///< by ship: the last attack that can damage it, or -1
};

}  // namespace salvo::exact
