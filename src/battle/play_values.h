// The values of positions by backward induction, and the choices of sides whose play is solved.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
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
  [[no_unique_address]] std::array<double, kPoints ? kLanes : 0> ahead{};
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
  /// once, given those with less, for two ends of the battle.
  void evaluate_with_health(std::size_t health, Endless& one, Endless& other) const;
  /// The states with this much health left in the last round of the flight.
  std::span<const std::uint32_t> states_with_health(std::size_t health) const {
    return places_.back().back().points.with_health(health);
  }
  std::size_t most_health() const { return most_health_ + 1; }  ///< one past the most

  /// In the round evaluated last, the attack that is taken in a position of layer l. A side that plays by its policy
  /// (PlayGraph::by_policy) takes what that says, although the values are those of solved play.
  std::uint32_t taken(std::size_t l, const PlayGraph::DecisionPoint& point) const;
  /// The same for the action after a maneuver, by its index.
  std::size_t taken(std::size_t l, const PlayGraph::DecisionPoint& point,
                    const PlayGraph::ManeuverBranch& branch) const;
  /// Calls visit(attack, probabilities of its outcomes) for attacks in layer l, given their probabilities.
  using VisitAttack = std::function<void(const PlayGraph::Attack&, std::span<const double>)>;
  void play_attacks(std::size_t l, const std::vector<double>& chances, const VisitAttack& visit) const;

 private:
  static constexpr std::size_t kLanes = 8;  ///< a cache line of values

  /// The positions or the attacks of a layer in one round of the flight, sorted by health and then by the tree of the
  /// attack, so that neighbours can be evaluated together.
  struct Places {
    std::vector<std::uint32_t> list;
    std::vector<std::size_t> begin;  ///< by health; one more at the end
    std::span<const std::uint32_t> with_health(std::size_t health) const {
      return std::span(list).subspan(begin[health], begin[health + 1] - begin[health]);
    }
  };
  /// Of a layer; of the states at the start of a round, which come last.
  struct LayerPlaces {
    Places points, attacks;
    std::vector<std::uint32_t> attacks_by_tree;
  };
  /// The values of the positions that follow a layer, those of its attacks and of its positions.
  struct LayerValues {
    const Values* after;
    Values *attacks, *points;
  };
  /// The positions that follow an attack, by outcome, and their values.
  struct LaneInput {
    const std::uint32_t* next = nullptr;
    const Values* after = nullptr;
  };

  /// The points of each ship by the share of its health that is lost, mine minus theirs.
  double ahead(const BattleState& now) const;
  void sort_places();
  /// Adds `size` places to each round of places_, in their last layer. place(i): the round of the flight in which
  /// i is evaluated, or -1 for never, its health and its tree.
  template <typename Place>
  void sort_places(Places LayerPlaces::*to, std::size_t size, const Place& place);
  /// Values that are not set yet.
  Values unset(std::size_t size) const;
  /// The mean of a state over the positions of the first layer.
  double begun(std::size_t state, const Values& first) const;

  /// Sets the values of attacks of layer l, then of its positions, in each of `sets`.
  void evaluate(std::size_t l, std::span<const std::uint32_t> positions, std::span<const std::uint32_t> attacks,
                std::span<const LayerValues> sets) const;
  /// Calls evaluate(part) for the parts of a list, in several threads.
  template <typename Evaluate>
  void in_blocks(std::span<const std::uint32_t> list, const Evaluate& evaluate) const;
  template <bool kPoints>
  void evaluate_points(std::size_t l, std::span<const std::uint32_t> positions, const LayerValues& values) const;
  template <bool kPoints>
  void evaluate_attacks(std::size_t l, std::span<const std::uint32_t> attacks, std::span<const LayerValues> sets) const;
  /// Evaluates neighbours with the same tree together: visit(their attacks, their numbers, values of the nodes). The
  /// lanes of a set follow those of the set before.
  template <bool kPoints, typename Visit>
  void evaluate_in_lanes(std::size_t l, std::span<const std::uint32_t> attacks, std::span<const LayerValues> sets,
                         const Visit& visit) const;
  template <bool kPoints>
  void play_attacks(std::size_t l, std::span<const std::uint32_t> attacks, const std::vector<double>& chances,
                    const VisitAttack& visit) const;

  template <bool kPoints>
  Lanes<1, kPoints> value_of(const PlayGraph::DecisionPoint& point, const LayerValues& values) const;
  /// Takes in each lane the option that is best for a side, and returns its value. of(i): the values of option i.
  template <std::size_t kN, bool kPoints, typename Of>
  Lanes<kN, kPoints> decided(bool mine, std::size_t count, const Of& of) const;
  /// The option that decided() takes in the only lane.
  template <bool kPoints, typename Of>
  std::size_t taken(bool mine, std::size_t count, const Of& of) const;
  /// The same by the values of options.
  std::size_t taken(bool mine, std::span<const std::uint32_t> options, const Values& values) const;
  /// Evaluates several attacks with the same tree. `mine`: my ship makes them.
  template <bool kPoints>
  void evaluate(const AttackTree& tree, bool mine, const std::array<LaneInput, kLanes>& lanes,
                TreeValues<kLanes, kPoints>& out) const;
  /// Equal for attacks with the same tree and decisions of the same sides.
  std::uint32_t decisions_of(const PlayGraph::Attack& attack) const {
    return attack.tree << 1 | (is_mine(attack.ship) ? 1 : 0);
  }
  bool is_mine(int ship) const { return graph_.game().ship(ship).mine; }

  const PlayGraph& graph_;
  std::array<bool, 2> by_points_{};  ///< by "mine": the side plays for the engagement (BattlePolicy::Best)
  std::size_t most_health_ = 0;
  std::vector<Values> values_;  ///< by layer; the states after the last layer
  /// By set and layer: attacks as they were evaluated last.
  mutable std::array<std::vector<Values>, 2> attacks_;
  std::vector<double> aheads_;                    ///< by state; empty unless a side plays for points
  std::vector<std::vector<LayerPlaces>> places_;  ///< by round of the flight; by layer, then the states
  mutable base::Threads threads_;
};

}  // namespace salvo::battle
