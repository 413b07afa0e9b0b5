// Segments: an attack cut where what one part does cannot be read by the next, so that each part is a small graph over
// what it touches, solved at once for everything that only passes through (its contexts).
// In: a Plan. Out: the cuts of each attack, and the solved segments that policy and enumeration look things up in.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exact/exact.h"
#include "exact/graph.h"
#include "exact/policy_table.h"
#include "exact/state_merging.h"
#include "rules/distribution.h"

namespace salvo::exact {

/// The steps from `begin` up to `end` of an attack.
struct Segment {
  int begin = 0, end = 0;
  bool last = false;              ///< of its attack
  bool reads_attack_dice = true;  ///< the pool of attack dice is part of its positions; false: it passes through
  bool results_only = false;      ///< when it begins, hits and critical hits are all that is still read of attack dice
  bool has_defense_dice = false;  ///< they are rolled in it or before it
  bool neutralizes = false;       ///< its first step compares the dice
  Resources active;               ///< mask: resources that it can read or change
  Resources readable;             ///< mask: resources that it or something later can read

  /// What of a position it can read or change, and what passes through.
  Position active_part(const Position& position) const;
  Position passive_part(const Position& position) const;
};

/// A position from its two parts.
Position joined(const Position& active, const Position& passive);

/// The segments of attack `attack`; a single one where no cut is safe.
std::vector<Segment> cut(const Plan& plan, std::size_t attack);

/// Whether what happens in the segments is the same, number by number, so that they can share a graph. Each comes with
/// the one after it, or nullptr.
bool same_play(const Plan& plan, const AttackPlan& attack, const Segment& segment, const Segment* next,
               const AttackPlan& other, const Segment& other_segment, const Segment* other_next);

/// A solved segment. Positions of its graph hold what is active, contexts what passes through.
struct SegmentTable {
  SegmentTable(const Segment& segment_, StateMerging merging_) : segment(segment_), merging(std::move(merging_)) {}

  Segment segment;
  StateMerging merging;
  /// Node::first of an end is its number. Segments with the same play share a graph, and each has as many of its first
  /// nodes as there were when it was built.
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  std::size_t nodes = 0;
  std::vector<int> end_node;  ///< by number of the end
  PositionTable contexts;
  std::vector<std::pair<int, int>> start;  ///< by state in which it begins: node, or -1 if it never does, and context
  std::vector<int> next;  ///< by end and context: state in which the next segment or attack begins; -1: never reached
  std::vector<int> choices;  ///< by node and context: number of the edge taken

  std::size_t width() const { return contexts.size(); }
  std::size_t at(int row, std::size_t context) const { return static_cast<std::size_t>(row) * width() + context; }
  const Node& node(std::size_t n) const { return graph->nodes[n]; }
  const Position& position(int n) const { return graph->positions[n]; }
};

struct SegmentAttack {
  PositionTable states;         ///< in which the attack begins: resources only
  std::vector<int> skipped_to;  ///< by state: the state of the next attack, or -1 when this one happens
  std::vector<SegmentTable> segments;
  const SegmentTable& at_step(int step) const;
};

struct SegmentTables {
  std::vector<SegmentAttack> attacks;
  PositionTable ends;  ///< states after the last attack
  double value = 0, second_value = 0;
  std::size_t nodes = 0, edges = 0;

  const PositionTable& states(std::size_t attack) const {
    return attack < attacks.size() ? attacks[attack].states : ends;
  }
};

/// Whether the plan can be solved by segments: nobody plays by rules, and there is no damage deck, whose cards have
/// effects outside the steps.
bool has_segments(const Plan& plan);
/// Throws PlanTooLarge.
SegmentTables solve_segments(const Plan& plan, const Budget& budget);
Distribution enumerate_segments(const Plan& plan, const SegmentTables& tables);
void decide_segments(const Plan& plan, const SegmentTables& tables, std::size_t attack, const Position& position,
                     std::vector<Option>& options);

}  // namespace salvo::exact
