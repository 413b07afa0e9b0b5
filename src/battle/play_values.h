// The values of positions by backward induction, and the choices of sides whose play is solved.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

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
  /// `graph` must outlive this.
  explicit PlayValues(const PlayGraph& graph);

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
  /// Of the round evaluated last: the values of the positions of a layer, or of the states after the last layer.
  const std::vector<Value>& layer_values(std::size_t l) const {
    return l < layer_values_.size() ? layer_values_[l] : ends_;
  }
  /// The value of a position; `next`: of those that follow. `taken`: the option chosen; `played`: the values of its
  /// attack.
  Value value_of(const PlayGraph::DecisionPoint& point, const std::vector<Value>& next, std::size_t* taken = nullptr,
                 TreeValues* played = nullptr);
  Value value_of(const PlayGraph::ManeuverBranch& branch, bool mine, const std::vector<Value>& next,
                 std::size_t* taken = nullptr) const;

 private:
  /// The points of each ship by the share of its health that is lost, mine minus theirs.
  double ahead(const BattleState& now) const;
  double aheads(std::size_t i);
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
  TreeValues scratch_;
};

}  // namespace salvo::battle
