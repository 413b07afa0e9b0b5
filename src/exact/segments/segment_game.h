// SegmentGame: an attack solved segment by segment, each for everything that only passes through it at once.
// In: the segments of an attack and the states in which it begins. Out: see attack_game.h.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exact/attack_ends.h"
#include "exact/attack_game.h"
#include "exact/segments/segment_graph.h"
#include "exact/segments/segments.h"
#include "exact/segments/state_merging.h"

namespace salvo::exact {

/// A solved segment. Positions of its graph hold what is active, contexts what passes through.
struct SegmentTable {
  SegmentTable(const Segment& segment_, StateMerging merging_) : segment(segment_), merging(std::move(merging_)) {}

  Segment segment;
  StateMerging merging;
  /// Node::first of an end is its number. Segments with the same play share a graph, and each has as many of its first
  /// nodes as there were when it was built.
  std::shared_ptr<SegmentGraph> graph = std::make_shared<SegmentGraph>();
  std::size_t nodes = 0;
  bool all_reached = false;  ///< every node is reached in the only context
  Positions built_from;      ///< active parts of the positions in which it begins
  List<int> start_nodes;     ///< the node of each
  List<int> end_node;        ///< by number of the end
  Positions contexts;
  List<std::pair<int, int>> start;  ///< by state in which it begins: node, or -1 if it never does, and context
  List<int> next;  ///< by end and context: state in which the next segment or attack begins; -1: never reached

  std::size_t width() const { return contexts.size(); }
  std::size_t at(int row, std::size_t context) const { return static_cast<std::size_t>(row) * width() + context; }
  const Node& node(std::size_t n) const { return graph->nodes[n]; }
  game::Position position(int n) const { return graph->position(n); }
};

/// An attack as it is built.
struct SegmentAttack {
  std::size_t k = 0;
  Positions states;  ///< in which it begins: resources only
  std::size_t states_after = 0;
  List<int> skipped_to;  ///< by state: the state of the next attack, or -1 when this one happens
  /// Those of attack `plays_as`: of this one, or of one before it in which the same is played by another ship, from the
  /// same states in the same order.
  std::shared_ptr<std::vector<SegmentTable>> segments = std::make_shared<std::vector<SegmentTable>>();
  std::size_t plays_as = 0;
  Relabeling labels;                      ///< resources that attack calls otherwise
  game::Resources rest;                   ///< what it has besides in all its positions
  std::vector<std::vector<int>> choices;  ///< by segment: by node and context: number of the edge taken
  GameSize size;
  double choice_count = 0;  ///< edges, each for every context

  /// Resources in the labels of attack `plays_as`.
  game::Resources relabeled(const game::Resources& resources) const;
};

class SegmentGame final : public AttackGame {
 public:
  /// `memory`: of the attack.
  SegmentGame(std::unique_ptr<SegmentAttack> attack, std::shared_ptr<const Arena> memory)
      : memory_(std::move(memory)), own_(std::move(attack)), attack_(*own_) {}

  std::vector<Value> solve(const game::Plan& plan, const std::vector<Value>& next) override;
  std::vector<Mass> flow(const game::Plan& plan, const std::vector<Mass>& now, Forward& forward) const override;
  void decide(const game::Plan& plan, const game::Resources& start, const game::Position& position,
              std::vector<game::Option>& options) const override;
  GameSize size() const override { return attack_.size; }
  /// Where probability 1 of the first start comes to, along the choices: ends of which several can be alike.
  std::vector<Arrival> arrivals() const;

 private:
  std::shared_ptr<const Arena> memory_;
  std::unique_ptr<SegmentAttack> own_;
  SegmentAttack& attack_;
};

/// Ends of a plan's only attack from its start; none: it does not happen. Nothing where the plan cannot be cut into
/// segments. Throws PlanTooLarge.
std::optional<std::vector<AttackEnd>> segment_ends(const game::Plan& plan, const Budget& budget);

}  // namespace salvo::exact
