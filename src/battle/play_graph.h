// All positions of a battle and the transitions between them, for battles in which a side's play is solved.
//
// A round has a layer of positions before each activation and before each engagement of a ship. All rounds share the
// layers: a position of a layer depends on the round of the flight only.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "battle/attack_tree.h"
#include "battle/game.h"
#include "battle/state_table.h"

namespace salvo::battle {

class PlayGraph {
 public:
  /// Throws PlanTooLarge when the battle has more than `budget` transitions, or an attack more than `attack_budget`.
  PlayGraph(const Game& game, double budget, double attack_budget);

  struct Transition {
    std::size_t next = 0;  ///< index in the next layer
    double chance = 0;
  };
  /// The choice of an action after a maneuver.
  struct ManeuverBranch {
    double chance = 1;
    std::vector<Action> actions;
    std::vector<std::size_t> next;  ///< by action
  };
  struct AttackOption {
    ChosenAttack choice;
    const AttackTree* tree = nullptr;
    std::vector<std::size_t> next;  ///< by outcome of the tree
  };
  /// A position before a ship activates or engages.
  struct DecisionPoint {
    int flight_round = 0, ship = 0;
    std::vector<ManeuverBranch> maneuvers;  ///< of an activation
    std::vector<AttackOption> attacks;      ///< of an engagement
    std::size_t next = 0;                   ///< where there is nothing to decide
  };
  /// The positions before one place in the order of activation or of the engagement.
  struct Layer {
    explicit Layer(const Game& game) : table(game) {}
    StateTable table;
    std::vector<DecisionPoint> points;
  };

  const Game& game() const { return game_; }
  const StateTable& states() const { return states_; }          ///< positions at the start of a round
  const std::vector<Layer>& layers() const { return layers_; }  ///< activations, then the engagement
  /// By state the positions of the first layer; empty: the battle is over.
  const std::vector<std::vector<Transition>>& begins() const { return begins_; }
  int last_flight_round() const { return last_flight_round_; }
  double followed() const { return followed_; }  ///< transitions
  /// Whether nothing can change any more in a state.
  bool settled(std::size_t state) const;

 private:
  std::size_t number(BattleState now);
  void count(std::size_t ways);
  void follow();
  DecisionPoint expanded(std::size_t l, const BattleState& now);
  void activate(std::size_t l, const BattleState& now, DecisionPoint& out);
  /// The position that follows one of layer l: an index in the next layer, or in the states.
  std::size_t after(std::size_t l, BattleState now);
  /// `mine`: my ship attacks.
  const AttackTree& tree_of(const AttackKey& key, bool mine);

  const Game& game_;
  double budget_, attack_budget_, followed_ = 0;
  EvaluationTables evaluations_;
  StateTable states_;
  int last_flight_round_;
  std::vector<Layer> layers_;
  std::vector<std::vector<Transition>> begins_;
  std::map<std::tuple<int, int, int, int, int, int, bool, bool>, AttackTree> trees_;
};

}  // namespace salvo::battle
