// Graph: everything that can happen in one attack from any of the states in which it can begin.
// In: a Plan, an attack, its starting states. Out: nodes (decisions, rolls, ends) with edges, children before parents.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "exact/exact.h"
#include "game/play.h"
#include "game/position_table.h"

namespace salvo::exact {

using game::PositionTable;

/// The states (resources between attacks) in which an attack can begin.
class States {
 public:
  /// Number of a state; new states are added.
  int number(const game::Resources& resources);
  std::size_t size() const { return list_.size(); }
  const game::Resources& operator[](int state) const { return list_[static_cast<std::size_t>(state)]; }

 private:
  PositionTable table_;
  std::vector<game::Resources> list_;
};

/// Outcomes of n dice, merged by face: the pool and its probability.
struct RollOutcome {
  game::Pool pool;
  double probability = 0;
};
/// All multisets of n dice with their multinomial probabilities.
std::vector<RollOutcome> roll_outcomes(const game::Die& die, int n);

inline constexpr std::uint8_t kDraw = 3;  ///< Node::roll

/// One node. Decisions use decision edges, rolls chance edges, ends have `next` in `first`.
struct Node {
  enum class Kind : std::uint8_t { Decision, Chance, End };
  Kind kind = Kind::End;
  bool attacker_decides = false;
  /// 1: an attack roll, 2: a defense roll, of `dice` dice; kDraw: a damage card for victim `dice`; 0: other
  std::uint8_t roll = 0;
  std::uint8_t dice = 0;
  int first = 0;  ///< first edge; for an end the state of the next attack (SegmentGraph: number of the end)
  int count = 0;
};

struct DecisionEdge {
  int target = 0;
  game::Option option;
  std::uint64_t tie = 0;       ///< larger is preferred among equal values, if the decision ends here
  bool same_decision = false;  ///< the target is the same player's decision in the same window
  int play = -1;               ///< whole plays: number of the play; `option` is then its first
};

struct ChanceEdge {
  int target = 0;
  double probability = 0;
};

/// The game graph of one attack.
struct Graph {
  PositionTable positions;
  std::vector<Node> nodes;
  std::vector<DecisionEdge> decision_edges;
  std::vector<ChanceEdge> chance_edges;
  std::vector<int> start;                  ///< by starting state: its node, or -1 when the attack does not happen
  std::vector<int> skipped_to;             ///< by starting state where start is -1: the state of the next attack
  std::vector<game::Option> play_options;  ///< of all whole plays, one after the other
  std::vector<int> play_begin = {0};       ///< by play: its first option, and one more for the end

  /// The options of an edge in the order in which they are taken.
  void options_of(const DecisionEdge& edge, std::vector<game::Option>& out) const;
  std::size_t edges() const { return decision_edges.size() + chance_edges.size(); }
};

/// Preference among decisions of equal value of the attacker's or the defender's player: tokens kept, then kinds rather
/// spent, then fewest rerolls, then least damage to own ships from effects (docs/format.md: Ties); then, for the
/// attacker, most critical hits among the dice, for the defender fewest, so that a free change of a hit to a critical
/// hit is taken.
class TieKey {
 public:
  TieKey(const game::Plan& plan, const game::AttackPlan& attack, bool attacks);
  std::uint64_t operator()(const game::Position& position) const;
  /// Whether both give the same key to positions in which tokens of each kind are as many.
  bool counts_like(const TieKey& other) const {
    return attacks_ == other.attacks_ && crit_ == other.crit_ && own_ == other.own_ && overflows_ == other.overflows_;
  }

 private:
  struct Token {
    std::size_t word = 0;
    int shift = 0;
    std::uint64_t mask = 0;
    std::uint64_t weight = 0;  ///< of one token in the key, as long as no field of the key overflows
    std::size_t rank = 0;
  };
  std::uint64_t dice_key(const game::Position& position) const;

  bool attacks_;
  int crit_;
  std::array<bool, game::kVictims> own_{};  ///< by victim: a ship of the same side
  std::vector<Token> tokens_;
  bool overflows_ = false;  ///< there can be more tokens than a field of the key holds
};

/// Builds the graph of attack `index` from all `states`; states in which the next attack can begin go into `next`.
/// The edges of a decision are single options, but for a role that plays by rules whole plays: all that is spent up to
/// a reroll or the end of the window, since a rule limits a play as a whole. Throws PlanTooLarge when more than
/// `edges_left` edges are needed.
Graph build_graph(const game::Plan& plan, std::size_t index, const States& states, States& next, double edges_left);
/// The same from one position inside the attack, with whole plays of both roles; start[0] is its node.
Graph build_graph_from(const game::Plan& plan, std::size_t index, const game::Position& position, States& next,
                       double edges_left);
/// The same from all states, with whole plays of both roles.
Graph build_whole_graph(const game::Plan& plan, std::size_t index, const States& states, States& next,
                        double edges_left);

}  // namespace salvo::exact
