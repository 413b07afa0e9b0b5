// The game graph of one attack from all states in which it can begin: nodes are positions, children before parents.
#pragma once

#include <vector>

#include "base/index.h"
#include "exact/exact.h"
#include "game/play.h"
#include "game/position_table.h"

namespace salvo::exact {

using game::PositionTable;

/// The states (resources between attacks) in which an attack can begin, numbered.
class States {
 public:
  /// The number of a state; adds the state if it is new.
  int number(const game::Resources& resources);
  std::size_t size() const { return list_.size(); }
  const game::Resources& operator[](int state) const { return base::nth(list_, state); }

 private:
  PositionTable table_;
  std::vector<game::Resources> list_;
};

/// An outcome of a roll, with dice counted by face.
struct RollOutcome {
  game::Pool pool;
  double probability = 0;
};
/// All multisets of n dice with their multinomial probabilities.
std::vector<RollOutcome> roll_outcomes(const game::Die& die, int n);

inline constexpr std::uint8_t kDraw = 3;  ///< Node::roll
inline constexpr int kNotFaceup = 255;    ///< in place of a victim: the drawn card does not turn faceup yet

/// A node: a decision with decision edges, a roll or draw with chance edges, or an end of the attack.
struct Node {
  enum class Kind : std::uint8_t { Decision, Chance, End };
  Kind kind = Kind::End;
  bool attacker_decides = false;
  /// 1: an attack roll of `dice` dice; 2: a defense roll of `dice` dice; kDraw: a damage card for victim `dice`; 0:
  /// other
  std::uint8_t roll = 0;
  std::uint8_t dice = 0;
  int first = 0;  ///< first edge; for an end the state after the attack (SegmentGraph: number of the end)
  int count = 0;
};

struct DecisionEdge {
  int target = 0;
  game::Option option;
  std::uint64_t tie = 0;       ///< tie key if the decision ends with this option; the largest wins
  bool same_decision = false;  ///< the target continues the decision: same player, same step
  int play = -1;               ///< number of the whole play, whose first option is `option`; -1: a single option
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
  std::vector<int> start;                  ///< by starting state: its node, or -1 if the attack does not happen
  std::vector<int> skipped_to;             ///< by starting state where start is -1: the state after the attack
  std::vector<game::Option> play_options;  ///< of all whole plays, concatenated
  std::vector<int> play_begin = {0};       ///< by play: its first option; and the end of the last

  /// The options of an edge, in the order in which the player takes them.
  void options_of(const DecisionEdge& edge, std::vector<game::Option>& out) const;
  std::size_t edges() const { return decision_edges.size() + chance_edges.size(); }
};

/// Ranks positions of equal value for a role. Compares, in this order, tokens left, kinds of tokens left, fewest
/// rerolls, least damage to own ships from effects (docs/format.md: Ties), and critical hits among the dice: most for
/// the attacker, fewest for the defender, so that a free change of a hit to a critical hit is taken.
class TieKey {
 public:
  TieKey(const game::Plan& plan, const game::AttackPlan& attack, bool attacks);
  std::uint64_t operator()(const game::Position& position) const;
  /// Whether both give equal keys to positions with equal numbers of tokens of each kind.
  bool counts_like(const TieKey& other) const {
    return attacks_ == other.attacks_ && crit_ == other.crit_ && own_ == other.own_ && overflows_ == other.overflows_;
  }

 private:
  struct Token {
    std::size_t word = 0;
    int shift = 0;
    std::uint64_t mask = 0;
    std::uint64_t weight = 0;  ///< of one token in the key, if no field of the key overflows
    std::size_t rank = 0;
  };
  std::uint64_t dice_key(const game::Position& position) const;

  bool attacks_;
  int crit_;
  std::array<bool, game::kVictims> own_{};  ///< by victim: whether it is on the role's side
  std::vector<Token> tokens_;
  bool overflows_ = false;  ///< there can be more tokens than a field of the key can hold
};

/// Builds the graph of attack `index` from all `states`, and adds the states after the attack to `next`. An edge of a
/// decision is a single option; for a role that plays by rules it is a whole play, that is everything up to a reroll or
/// the end of the step, because a rule limits a play as a whole. Throws PlanTooLarge beyond `edges_left` edges.
Graph build_graph(const game::Plan& plan, std::size_t index, const States& states, States& next, double edges_left);
/// The same from one position inside the attack, whose node is start[0], with whole plays of both roles.
Graph build_graph_from(const game::Plan& plan, std::size_t index, const game::Position& position, States& next,
                       double edges_left);

}  // namespace salvo::exact
