// The values of positions by backward induction, and the choices of sides whose play is solved.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "battle/play_graph.h"

namespace salvo::battle {

/// What positions are worth to me: those of a layer, or the states at the end of a round.
struct Values {
  std::vector<double> win;    ///< chance to win, a draw counted half
  std::vector<double> ahead;  ///< points at the end of the engagement, mine minus theirs, if both sides play for them;
                              ///< empty unless a side does
};

/// Values of some positions that have the same decisions, a lane each. `kPoints`: a side plays for points.
template <std::size_t kLanes, bool kPoints>
struct Lanes {
  std::array<double, kLanes> win{};
  std::array<double, kPoints ? kLanes : 0> ahead{};
};

/// Values of the nodes of an attack in `kLanes` positions.
template <std::size_t kLanes, bool kPoints>
using TreeValues = std::vector<Lanes<kLanes, kPoints>>;

class PlayValues {
 public:
  /// `graph` must outlive this. The number of threads changes no value.
  PlayValues(const PlayGraph& graph, int threads);

  /// A chance to win for each state: make(state).
  template <typename Make>
  std::vector<double> ends(const Make& make) const {
    std::vector<double> out;
    for (std::size_t i = 0; i < graph_.states().size(); ++i) out.push_back(make(i));
    return out;
  }
  /// The chance to win in a state in which the battle is over after `rounds` rounds, a draw counted half.
  double value_at_end(std::size_t i, int rounds) const;

  /// Sets the values of the positions of a round, and in `begin` those of the states before it. `next`: the values of
  /// the states after it.
  void evaluate(const std::vector<double>& next, int flight_round, std::vector<double>& begin);

  /// Values of all positions without a limit of rounds, in the last round of the flight: those of the layers, then
  /// those of the states before any round.
  using Endless = std::vector<Values>;
  Endless endless(std::vector<double> states) const;
  /// Damage is never repaired: positions with this much health left in all lead to no others with more. Evaluates them
  /// once, given those with less.
  void evaluate_with_health(std::size_t health, Endless& values) const;
  /// The states with this much health left in the last round of the flight.
  std::span<const std::uint32_t> states_with_health(std::size_t health) const {
    return places_.back().back().with_health(health);
  }
  std::size_t most_health() const { return most_health_ + 1; }  ///< one past the most

  /// Of the round evaluated last: the values of the positions of a layer, or of the states after the last layer.
  const Values& layer_values(std::size_t l) const { return values_[l]; }

  /// The option of a decision that is taken; `next`: the values of the positions that follow. Sets `edges` to those
  /// that are taken at the nodes of its attack. A side that plays by its policy (PlayGraph::by_policy) takes what that
  /// says, although the values are those of solved play.
  std::size_t taken(const PlayGraph::DecisionPoint& point, const Values& next, std::vector<int>& edges) const;
  std::size_t taken(const PlayGraph::ManeuverBranch& branch, bool mine, const Values& next) const;

 private:
  static constexpr std::size_t kLanes = 8;  ///< a cache line of values

  /// The positions of a layer in one round of the flight, sorted by health and then by attacks, so that neighbours can
  /// be evaluated together.
  struct Places {
    std::vector<std::uint32_t> positions;
    std::vector<std::size_t> begin;  ///< by health; one more at the end
    std::span<const std::uint32_t> with_health(std::size_t health) const {
      return std::span(positions).subspan(begin[health], begin[health + 1] - begin[health]);
    }
  };

  /// The points of each ship by the share of its health that is lost, mine minus theirs.
  double ahead(const BattleState& now) const;
  void sort_positions();
  /// Adds the positions of a table to each round of places_. round_and_group(i): the round of the flight in which
  /// position i is evaluated, or -1 for never, and a number that equal decisions share.
  template <typename Group>
  void sort_positions(const StateTable& table, const Group& round_and_group);
  /// Values of layer l that are not evaluated yet.
  Values unset(std::size_t l) const;
  /// The mean of a state over the positions of the first layer.
  double begun(std::size_t state, const Values& first) const;

  /// Sets the values of positions of layer l in several threads; `after`: those of the positions that follow.
  void evaluate(std::size_t l, std::span<const std::uint32_t> positions, const Values& after, Values& out) const;
  void evaluate_block(std::size_t l, std::span<const std::uint32_t> positions, const Values& after, Values& out) const;
  /// Whether two positions have the same attacks.
  bool alike(const PlayGraph::DecisionPoint& a, const PlayGraph::DecisionPoint& b) const;

  template <bool kPoints>
  void evaluate_in_lanes(std::size_t l, std::span<const std::uint32_t> positions, const Values& after,
                         Values& out) const;

  /// The value of a position without attacks.
  template <bool kPoints>
  Lanes<1, kPoints> value_of(const PlayGraph::DecisionPoint& point, const Values& next) const;
  /// The values of positions with the same attacks.
  template <std::size_t kN, bool kPoints>
  Lanes<kN, kPoints> value_of_attacks(const std::array<const PlayGraph::DecisionPoint*, kN>& points, const Values& next,
                                      TreeValues<kN, kPoints>& scratch) const;
  /// Takes in each lane the option that is best for a side, and returns its value. of(i): the values of option i.
  template <std::size_t kN, bool kPoints, typename Of>
  Lanes<kN, kPoints> decided(bool mine, std::size_t count, const Of& of) const;
  /// The option that decided() takes in the only lane.
  template <bool kPoints, typename Of>
  std::size_t taken(bool mine, std::size_t count, const Of& of) const;
  /// Evaluates one attack in several positions.
  template <std::size_t kN, bool kPoints>
  void evaluate(const std::array<const PlayGraph::AttackOption*, kN>& options, bool mine, const Values& next,
                TreeValues<kN, kPoints>& out) const;
  template <bool kPoints>
  std::size_t taken(const PlayGraph::DecisionPoint& point, const Values& next, std::vector<int>& edges) const;

  const PlayGraph& graph_;
  std::array<bool, 2> by_points_{};  ///< by "mine": the side plays for the engagement (BattlePolicy::Best)
  std::size_t most_health_ = 0;
  std::vector<Values> values_;               ///< by layer; the states after the last layer
  std::vector<double> aheads_;               ///< by state; empty unless a side plays for points
  std::vector<std::vector<Places>> places_;  ///< by round of the flight; by layer, then the states
  mutable base::Threads threads_;
};

}  // namespace salvo::battle
