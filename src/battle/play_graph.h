// All positions of a battle and the transitions between them, for battles in which a side's play is solved.
//
// A round has a layer of positions before each activation and before each engagement of a ship. All rounds share the
// layers: a position of a layer depends on the round of the flight only.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "battle/attack_tree.h"
#include "battle/game.h"
#include "battle/state_table.h"

namespace salvo::battle {

/// What solving the play may take. All of it is counted, so that every machine gives up on the same battles.
struct PlayBudget {
  double transitions = 0, attack = 0;  ///< of the battle, which take memory, and of an attack
  double work = HUGE_VAL;              ///< time, in evaluations of an edge of an attack
};

class PlayGraph {
 public:
  /// Both sides can do everything in `game` where their play is solved. `asked`: the same battle, in which a side plays
  /// by its policy; null: that is `game`. Throws PlanTooLarge.
  PlayGraph(const Game& game, const PlayBudget& budget, const Game* asked = nullptr);

  struct Transition {
    std::size_t next = 0;  ///< index in the next layer
    double chance = 0;
  };
  /// Consecutive entries of one of the pools below. A battle has tens of millions of positions, so they are small.
  struct Entries {
    std::uint32_t first = 0, count = 0;
  };
  /// The choice of an action after a maneuver.
  struct ManeuverBranch {
    double chance = 1;
    Entries actions, next;  ///< by action
    int given = -1;         ///< the action of the side's policy; -1: its play is solved
  };
  struct AttackOption {
    std::int8_t target = -1, weapon = -1;
    std::uint32_t next = 0;  ///< the first, by outcome of the tree
    const AttackTree* tree = nullptr;
  };
  /// A position before a ship activates or engages.
  struct DecisionPoint {
    std::uint8_t flight_round = 0, ship = 0;
    bool activates = false;
    Entries options;         ///< maneuvers of an activation, or attacks
    int given = -1;          ///< the attack of the side's policy; -1: its play is solved
    std::uint32_t next = 0;  ///< where there is nothing to decide
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
  double work() const { return work_; }          ///< as PlayBudget
  /// Whether a side plays by its policy, although all its options are known.
  bool by_policy(bool mine) const { return asked_ != nullptr && asked_->policy(mine) != BattlePolicy::Sound; }
  std::span<const ManeuverBranch> maneuvers(const DecisionPoint& point) const {
    return point.activates ? of(maneuvers_, point.options) : std::span<const ManeuverBranch>();
  }
  std::span<const AttackOption> attacks(const DecisionPoint& point) const {
    return point.activates ? std::span<const AttackOption>() : of(attacks_, point.options);
  }
  std::span<const Action> actions(const ManeuverBranch& branch) const { return of(actions_, branch.actions); }
  std::span<const std::uint32_t> next(const ManeuverBranch& branch) const { return of(next_, branch.next); }
  const std::uint32_t* next(const AttackOption& option) const { return next_.data() + option.next; }
  /// Whether a state is final: no play changes it.
  bool settled(std::size_t state) const;

 private:
  std::size_t number(BattleState now);
  void count(std::size_t transitions, double more_work = 0);
  void follow();
  DecisionPoint expanded(std::size_t l, const BattleState& now);
  void activate(std::size_t l, const BattleState& now, DecisionPoint& out);
  void attack(std::size_t l, const BattleState& now, DecisionPoint& out);
  template <typename Entry>
  static std::span<const Entry> of(const std::vector<Entry>& pool, const Entries& entries) {
    return {pool.data() + entries.first, entries.count};
  }
  /// The position that follows one of layer l: an index in the next layer, or in the states.
  std::uint32_t after(std::size_t l, BattleState now);
  /// `mine`: my ship attacks.
  const AttackTree& tree_of(const AttackKey& key, bool mine);

  const Game& game_;
  const Game* asked_;
  PlayBudget budget_;
  double followed_ = 0, work_ = 0;
  EvaluationTables evaluations_;
  StateTable states_;
  int last_flight_round_;
  std::vector<Layer> layers_;
  std::vector<std::vector<Transition>> begins_;
  std::vector<ManeuverBranch> maneuvers_;
  std::vector<AttackOption> attacks_;
  std::vector<Action> actions_;
  std::vector<std::uint32_t> next_;  ///< indices in the next layer, or in the states
  std::map<std::tuple<int, int, int, int, int, int, bool, bool, bool>, AttackTree> trees_;
};

}  // namespace salvo::battle
