#include "exact/segments/segment_sharing.h"

#include <algorithm>

namespace salvo::exact {
namespace {

/// A copy that plays alike with other names. It has no starts yet.
SegmentGraph relabeled(const SegmentGraph& graph, const Relabeling& relabeling) {
  SegmentGraph out{.nodes = graph.nodes,
                   .keys = graph.keys,
                   .decision_edges = graph.decision_edges,
                   .chance_edges = graph.chance_edges,
                   .ties = graph.ties,
                   .start = {},
                   .dice_free = {},
                   .dice = graph.dice,
                   .node_of = graph.node_of};
  out.dice_free.reserve(graph.dice_free.size());
  for (int n = 0; n < static_cast<int>(graph.dice_free.size()); ++n)
    out.dice_free.insert(relabeling(graph.dice_free[n]));
  return out;
}

/// Whether the segment began in the positions that become `starts` by relabeling, in the same order.
bool same_starts(const SegmentTable& table, const Relabeling& relabeling, const Positions& starts) {
  if (table.built_from.size() != starts.size()) return false;
  for (int s = 0; s < static_cast<int>(starts.size()); ++s) {
    if (!(relabeling(table.built_from[s]) == starts[s])) return false;
  }
  return true;
}

}  // namespace

std::optional<SegmentSharing::Twin> SegmentSharing::twin_attack(std::size_t k, const std::vector<Segment>& segments) {
  if (k == 0) return std::nullopt;
  const std::size_t j = attacks_[k - 1]->plays_as;
  const SegmentAttack& other = *attacks_[j];
  if (other.states.size() != attacks_[k]->states.size() || !attacks_once(k) || !same_keys(k, j)) return std::nullopt;
  std::vector<Segment> theirs;
  for (const SegmentTable& table : *other.segments) {
    if (table.nodes != table.graph->nodes.size()) return std::nullopt;  // the graph was extended since
    theirs.push_back(table.segment);
  }
  auto labels = isomorphic_attack(plan_, j, theirs, k, segments, read_after_);
  if (!labels) return std::nullopt;
  Twin out{.attack = j, .labels = std::move(*labels), .rest = {}, .after = {}};
  if (!same_states(k, out)) return std::nullopt;
  return out;
}

/// Whether the states before and after attack k become those of the twin by relabeling, apart from resources that are
/// equal in all of the twin's states and that it does not read. Sets twin.rest and twin.after.
bool SegmentSharing::same_states(std::size_t k, Twin& twin) const {
  const Positions &theirs = attacks_[twin.attack]->states, &after = attacks_[twin.attack + 1]->states;
  const game::Resources labeled = twin.labels(kAllResources);
  twin.rest = difference(theirs[0].resources, labeled);
  const game::AttackPlan& attack = plan_.attacks[twin.attack];
  if (difference(attack.reads.masked(attack.readable), labeled) != game::Resources()) return false;
  for (int s = 0; s < static_cast<int>(theirs.size()); ++s) {
    const game::Resources& state = theirs[s].resources;
    if (twin.labels(attacks_[k]->states[s].resources) != state.masked(labeled) ||
        difference(state, labeled) != twin.rest)
      return false;
  }
  const game::Resources& readable = k + 1 < plan_.attacks.size() ? plan_.attacks[k + 1].readable : read_after_;
  for (int s = 0; s < static_cast<int>(after.size()); ++s) {
    game::Position state;
    state.resources = twin.labels.back(after[s].resources, readable);
    if (twin.after.number(state) != s) return false;
  }
  return true;
}

SegmentRef SegmentSharing::built_segment(std::size_t k, std::size_t i) const {
  const std::vector<SegmentTable>& tables = *attacks_[k]->segments;
  return {plan_.attacks[k], tables[i].segment, i + 1 < tables.size() ? &tables[i + 1].segment : nullptr};
}

std::shared_ptr<SegmentGraph> SegmentSharing::known_graph(std::size_t k, const std::vector<Segment>& segments,
                                                          std::size_t i) const {
  for (std::size_t j = k; j-- > 0;) {
    if (owns_segment(j, i) && same_play(plan_, segment_ref(plan_.attacks[k], segments, i), built_segment(j, i)))
      return (*attacks_[j]->segments)[i].graph;
  }
  return nullptr;
}

std::shared_ptr<SegmentGraph> SegmentSharing::twin_graph(std::size_t k, const std::vector<Segment>& segments,
                                                         std::size_t i, const Positions& starts) {
  const SegmentRef here = segment_ref(plan_.attacks[k], segments, i);
  for (std::size_t j = k; j-- > 0;) {
    if (!owns_segment(j, i)) continue;
    const SegmentTable& other = (*attacks_[j]->segments)[i];
    if (other.built_from.size() != starts.size() || other.nodes != other.graph->nodes.size()) continue;
    const auto relabeling = isomorphic_play(plan_, here, built_segment(j, i));
    if (!relabeling || !same_keys(k, j) || !same_starts(other, *relabeling, starts)) continue;
    const bool shared = !relabeling->relabels() && attacks_once(k) && attacks_once(j);
    const auto out = shared ? other.graph : std::make_shared<SegmentGraph>(relabeled(*other.graph, *relabeling));
    out->start = other.start_nodes;
    return out;
  }
  return nullptr;
}

bool SegmentSharing::attacks_once(std::size_t k) const {
  return std::count_if(plan_.attacks.begin(), plan_.attacks.end(), [&](const game::AttackPlan& attack) {
           return attack.attacker == plan_.attacks[k].attacker;
         }) == 1;
}

/// Whether decisions of both attacks get the same tie keys.
bool SegmentSharing::same_keys(std::size_t k, std::size_t j) {
  const auto &a = keys_of(k), &b = keys_of(j);
  return a[0].counts_like(b[0]) && a[1].counts_like(b[1]);
}

const std::array<TieKey, 2>& SegmentSharing::keys_of(std::size_t k) {
  if (!keys_[k]) keys_[k] = {TieKey(plan_, plan_.attacks[k], false), TieKey(plan_, plan_.attacks[k], true)};
  return *keys_[k];
}

}  // namespace salvo::exact
