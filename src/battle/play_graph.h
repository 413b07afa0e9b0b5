// All positions of a battle and the transitions between them, for battles in which a side's play is solved.
//
// A round has a layer of positions before each activation and before each engagement of a ship. All rounds share the
// layers: a position of a layer depends on the round of the flight only. Positions that play the same are one: the same
// ship decides with the same health left in all, its options read the same, and lead to the same positions. Attacks
// that play the same are one, too, whichever positions they are made in. Merged positions differ in what nothing
// later reads: a range without a bonus, tokens that expire unspent. Where a side plays by its policy, its choices are
// part of what they read.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bit_cast.h"
#include "base/row_table.h"
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
  /// The choice of an action after a maneuver.
  struct ManeuverBranch {
    double chance = 1;
    std::span<const std::uint32_t> actions;  ///< as action_of() reads them
    std::span<const std::uint32_t> next;     ///< by action
    int given = -1;                          ///< the action of the side's policy; -1: its play is solved
  };
  /// An attack, with what reports read of the ships before it.
  struct Attack {
    int ship = 0, target = 0, weapon = 0;
    int health = 0, target_health = 0;
    std::uint32_t tree = 0;
    std::span<const std::uint32_t> next;  ///< by outcome of the tree
  };
  /// What positions and attacks have in common.
  struct Head {
    enum class Kind : std::uint8_t { Passes, Activates, Attacks };
    Kind kind = Kind::Passes;
    int flight_round = 0, ship = 0;
    std::uint32_t health = 0;  ///< left in all
    int given = -1;            ///< of attacks, that of the side's policy; -1: its play is solved
  };
  /// A position before a ship activates or engages.
  struct DecisionPoint : Head {
    /// The position that follows; the maneuvers of an activation, as each_maneuver() reads them; or attacks.
    std::span<const std::uint32_t> options;
  };
  /// The positions before one place in the order of activation or of the engagement, and the attacks of its ships.
  struct Layer {
    base::RowTable points, attacks;
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
  /// Whether a state is final: no play changes it.
  bool settled(std::size_t state) const;

  DecisionPoint point(std::size_t l, std::size_t i) const {
    const auto row = layers_[l].points[i];
    return {head_of(row), row.subspan(1)};
  }
  Head head_of_attack(std::size_t l, std::size_t i) const { return head_of(layers_[l].attacks[i]); }
  Attack attack(std::size_t l, std::size_t i) const;
  const AttackTree& tree(const Attack& attack) const { return trees_[attack.tree].tree; }
  /// Its two ships before it.
  BattleState before(const Attack& attack) const;
  /// Calls visit(ManeuverBranch) for each maneuver of an activation.
  template <typename Visit>
  static void each_maneuver(const DecisionPoint& point, const Visit& visit) {
    for (auto rest = point.options; !rest.empty();) {
      const std::size_t n = actions_in(rest[2]);
      visit(ManeuverBranch{base::bit_cast<double>(std::uint64_t{rest[0]} | std::uint64_t{rest[1]} << 32),
                           rest.subspan(3, n), rest.subspan(3 + n, n), static_cast<int>(rest[2] >> 16) - 1});
      rest = rest.subspan(3 + 2 * n);
    }
  }
  static Action action_of(std::uint32_t word) {
    return {static_cast<int>(word >> 8) - 1, static_cast<int>(word & 255) - 1};
  }

 private:
  class Explorer;
  /// An attack as its players decide it, and the position in which it was first met.
  struct Tree {
    AttackTree tree;
    AttackKey key;
  };
  static Head head_of(std::span<const std::uint32_t> row) {
    return {static_cast<Head::Kind>(row[0] & 3), static_cast<int>(row[0] >> 2 & 127),
            static_cast<int>(row[0] >> 9 & 31), row[0] >> 14 & 2047, static_cast<int>(row[0] >> 25) - 1};
  }
  static std::size_t actions_in(std::uint32_t word) { return word & 0xffff; }

  const Game& game_;
  const Game* asked_;
  StateTable states_;
  int last_flight_round_;
  double followed_ = 0, work_ = 0;
  std::vector<Layer> layers_;
  std::vector<std::vector<Transition>> begins_;
  std::vector<Tree> trees_;
};

}  // namespace salvo::battle
