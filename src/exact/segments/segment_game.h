// AttackGame solved segment by segment, each segment for all of its contexts at once.
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

/// A segment with its graph. Positions of the graph are active parts, contexts are passive parts.
struct SegmentTable {
  SegmentTable(const Segment& segment_, StateMerging merging_) : segment(segment_), merging(std::move(merging_)) {}

  Segment segment;
  StateMerging merging;
  /// Segments with the same play share a graph, which later ones extend: this segment uses the first `nodes` nodes.
  std::shared_ptr<SegmentGraph> graph = std::make_shared<SegmentGraph>();
  std::size_t nodes = 0;
  bool all_reached = false;  ///< there is one context, which reaches every node
  Positions built_from;      ///< active parts of the positions in which the segment begins
  List<int> start_nodes;     ///< by position of built_from: its node
  List<int> end_node;        ///< by number of the end
  Positions contexts;
  List<std::pair<int, int>> start;  ///< by state in which it can begin: node, or -1 if it never does, and context
  List<int> next;  ///< by end and context: state in which the next segment or attack begins; -1: never reached

  std::size_t width() const { return contexts.size(); }
  std::size_t at(int row, std::size_t context) const { return static_cast<std::size_t>(row) * width() + context; }
  const Node& node(std::size_t n) const { return graph->nodes[n]; }
  game::Position position(int n) const { return graph->position(n); }
};

/// An attack with its states and segments.
struct SegmentAttack {
  std::size_t k = 0;
  Positions states;  ///< in which the attack begins: resources only
  std::size_t states_after = 0;
  List<int> skipped_to;  ///< by state: the state of the next attack, or -1 if this attack happens
  /// The segments of attack `plays_as`: this attack, or an earlier one that is isomorphic and begins in the same states
  /// in the same order.
  std::shared_ptr<std::vector<SegmentTable>> segments = std::make_shared<std::vector<SegmentTable>>();
  std::size_t plays_as = 0;
  Relabeling labels;                      ///< from this attack to plays_as
  game::Resources rest;                   ///< further resources of plays_as, equal in all its positions
  std::vector<std::vector<int>> choices;  ///< by segment: by node and context: index of the edge taken
  GameSize size;
  double choice_count = 0;  ///< edges times contexts

  /// Resources with the labels of attack `plays_as`.
  game::Resources relabeled(const game::Resources& resources) const;
};

class SegmentGame final : public AttackGame {
 public:
  /// `memory`: the arena of the attack's lists.
  SegmentGame(std::unique_ptr<SegmentAttack> attack, std::shared_ptr<const Arena> memory)
      : memory_(std::move(memory)), own_(std::move(attack)), attack_(*own_) {}

  std::vector<Value> solve(const game::Plan& plan, const std::vector<Value>& next) override;
  std::vector<Mass> flow(const game::Plan& plan, const std::vector<Mass>& now, Forward& forward) const override;
  void decide(const game::Plan& plan, const game::Resources& start, const game::Position& position,
              std::vector<game::Option>& options) const override;
  GameSize size() const override { return attack_.size; }
  /// The ends that probability 1 of the first start reaches along the choices. Several can be equal.
  std::vector<Arrival> arrivals() const;

 private:
  std::shared_ptr<const Arena> memory_;
  std::unique_ptr<SegmentAttack> own_;
  SegmentAttack& attack_;
};

/// The ends of a plan's only attack from its start; an empty list if it does not happen. Nothing if the plan cannot be
/// cut into segments. Throws PlanTooLarge.
std::optional<std::vector<AttackEnd>> segment_ends(const game::Plan& plan, const Budget& budget);

}  // namespace salvo::exact
