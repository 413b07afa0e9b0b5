// The values of positions by backward induction, and the choices of sides whose play is solved.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "battle/play_graph.h"

namespace salvo::battle {

/// What a position is worth to me.
struct Value {
  double win = 0;    ///< chance to win, a draw counted half
  double draw = 0;   ///< chance of a draw
  double ahead = 0;  ///< points at the end of the engagement, mine minus theirs, if both sides play for them
};

/// Values of the nodes of an attack, and the edge taken at each decision.
struct TreeValues {
  std::vector<Value> values;
  std::vector<int> edges;
  const Value& root() const { return values.back(); }
};

class PlayValues {
 public:
  /// `graph` must outlive this. The number of threads changes no value.
  PlayValues(const PlayGraph& graph, int threads);

  /// A value for each state: make(state).
  template <typename Make>
  std::vector<Value> ends(const Make& make) const {
    std::vector<Value> out;
    for (std::size_t i = 0; i < graph_.states().size(); ++i) out.push_back(make(i));
    return out;
  }
  /// The value of a state in which the battle is over after so many rounds.
  Value value_at_end(std::size_t i, int rounds) const;

  /// Sets the values of the positions of a round, and in `begin` those of the states before it. `next`: the values of
  /// the states after it.
  void evaluate(const std::vector<Value>& next, int flight_round, std::vector<Value>& begin);

  /// Values of all positions without a limit of rounds, in the last round of the flight.
  struct Endless {
    std::vector<std::vector<Value>> layers;
    std::vector<Value> states;
  };
  /// Values before any round, by state.
  Endless endless(std::vector<Value> states);
  /// Damage is never repaired: positions with this much health left in all lead to no others with more. Evaluates them
  /// once, given those with less.
  void evaluate_with_health(std::size_t health, Endless& values);
  /// The states with this much health left in the last round of the flight.
  const std::vector<std::uint32_t>& states_with_health(std::size_t health) const { return with_health_[health].back(); }
  std::size_t most_health() const { return with_health_.size(); }  ///< one past the most

  /// Of the round evaluated last: the values of the positions of a layer, or of the states after the last layer.
  const std::vector<Value>& layer_values(std::size_t l) const {
    return l < layer_values_.size() ? layer_values_[l] : ends_;
  }
  /// The value of a position; `next`: of those that follow. `taken`: the option chosen; `played`: the values of its
  /// attack.
  Value value_of(const PlayGraph::DecisionPoint& point, const std::vector<Value>& next, std::size_t* taken = nullptr,
                 TreeValues* played = nullptr) const;
  Value value_of(const PlayGraph::ManeuverBranch& branch, bool mine, const std::vector<Value>& next,
                 std::size_t* taken = nullptr) const;

 private:
  /// The points of each ship by the share of its health that is lost, mine minus theirs.
  double ahead(const BattleState& now) const;
  double aheads(std::size_t i);
  void sort_by_health();
  /// Calls work(i) for each i < n, in several threads.
  template <typename Work>
  void for_each(std::size_t n, const Work& work) const;
  /// The mean of a state over the positions of the first layer.
  Value begun(std::size_t state, const std::vector<Value>& first) const;
  /// Takes the option that is best for a side, and returns its value. of(i): the value of option i.
  template <typename Of>
  Value decided(bool mine, std::size_t count, const Of& of, std::size_t& taken) const;
  void evaluate(const PlayGraph::AttackOption& option, bool mine, const std::vector<Value>& next,
                TreeValues& out) const;

  const PlayGraph& graph_;
  std::array<bool, 2> by_points_{};  ///< by "mine": the side plays for the engagement (BattlePolicy::Best)
  std::vector<std::vector<Value>> layer_values_;
  std::vector<Value> ends_;
  std::vector<double> aheads_;  ///< by state
  /// By health left in all: the positions of each layer, and the states, of the last round of the flight.
  std::vector<std::vector<std::vector<std::uint32_t>>> with_health_;
  mutable base::Threads threads_;
  mutable base::PerThread<TreeValues> scratch_;
};

}  // namespace salvo::battle
