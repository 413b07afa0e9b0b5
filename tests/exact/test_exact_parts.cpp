// Compares segment graphs, built from dice and the rest of positions apart, with graphs built position by position.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "compile/compile.h"
#include "exact/exact.h"
#include "exact/graph/graph.h"
#include "exact/segments/segment_graph.h"
#include "exact/segments/segments.h"
#include "exact/segments/state_merging.h"
#include "exact/tables/token_plan.h"
#include "load/load.h"
#include "support/cases.h"
#include "support/exact_plans.h"

namespace {

using namespace salvo;

/// Builds the graph of a segment position by position, with only the rules in game/.
class PlainBuilder {
 public:
  PlainBuilder(const game::Plan& plan, const exact::SegmentGraphSpec& spec)
      : plan_(plan), attack_(plan.attacks[0]), spec_(spec), tie_{{plan, attack_, false}, {plan, attack_, true}} {}

  exact::Graph build(const salvo::game::Position& start) {
    graph_.start.push_back(visit(start));
    return std::move(graph_);
  }

 private:
  using Kind = exact::Node::Kind;

  int visit(salvo::game::Position position) {
    const bool waits = game::interrupted(position) || position.resume > 0;
    game::NextEvent event = game::NextEvent::Finished;
    if (position.step < spec_.until || waits) {
      spec_.merging->merge(plan_, attack_, position);
      if (const int known = graph_.positions.find(position); known >= 0) return known;
      event = game::advance(plan_, attack_, position, spec_.until);
    }
    spec_.merging->merge(plan_, attack_, position);
    if (event == game::NextEvent::Finished) spec_.forget(position);
    if (const int known = graph_.positions.find(position); known >= 0) return known;
    const exact::Node node = make(position, event);
    graph_.nodes.push_back(node);
    return graph_.positions.insert(position);
  }

  exact::Node make(const salvo::game::Position& position, game::NextEvent event) {
    if (event == game::NextEvent::Finished) return {.first = ends_++};
    if (event == game::NextEvent::Decision) return decide(position);
    std::vector<exact::ChanceEdge> edges;
    const bool attack_dice = event == game::NextEvent::AttackRoll || position.pending_attack;
    const game::Die& die = attack_dice ? plan_.attack_die : plan_.defense_die;
    const auto which = static_cast<std::uint8_t>(event == game::NextEvent::Reroll ? 0 : attack_dice ? 1 : 2);
    if (which == 0) {
      for (int face = 0; face < die.faces; ++face) {
        edges.push_back({visit(game::after_reroll(position, face)),
                         static_cast<double>(die.sides_of_face[static_cast<std::size_t>(face)]) / die.sides});
      }
    } else {
      for (const exact::RollOutcome& outcome : exact::roll_outcomes(die, game::roll_size(position)))
        edges.push_back({visit(game::after_roll(attack_, position, outcome.pool)), outcome.probability});
    }
    const auto first = static_cast<int>(graph_.chance_edges.size());
    graph_.chance_edges.insert(graph_.chance_edges.end(), edges.begin(), edges.end());
    return {.kind = Kind::Chance,
            .roll = which,
            .dice = static_cast<std::uint8_t>(which == 0 ? 0 : game::roll_size(position)),
            .first = first,
            .count = static_cast<int>(edges.size())};
  }

  exact::Node decide(const salvo::game::Position& position) {
    const bool attacks = attack_.steps[position.step].attacker_decides;
    std::vector<game::Option> options, again;
    game::legal_options(plan_, attack_, position, options);
    std::vector<game::OpenEffect> open;
    game::open_effects(plan_, attack_, position, open);
    game::legal_options(plan_, attack_, position, open, again);
    CHECK(options == again);
    std::vector<exact::DecisionEdge> edges;
    for (const salvo::game::Option& option : options) {
      const salvo::game::Position after = game::take(plan_, attack_, position, option);
      const int target = visit(after);
      const bool same = graph_.nodes[static_cast<std::size_t>(target)].kind == Kind::Decision &&
                        graph_.positions[target].step == position.step && !game::interrupted(after);
      edges.push_back({target, option, tie_[attacks](after), same, -1});
    }
    const auto first = static_cast<int>(graph_.decision_edges.size());
    graph_.decision_edges.insert(graph_.decision_edges.end(), edges.begin(), edges.end());
    return {
        .kind = Kind::Decision, .attacker_decides = attacks, .first = first, .count = static_cast<int>(edges.size())};
  }

  const game::Plan& plan_;
  const salvo::game::AttackPlan& attack_;
  const exact::SegmentGraphSpec& spec_;
  exact::TieKey tie_[2];
  exact::Graph graph_;
  int ends_ = 0;
};

/// Whether the edges of a decision are its legal options in order, which a SegmentGraph does not store.
bool same_choices(const exact::SegmentGraph& a, const exact::Graph& b, const std::vector<game::Option>& options,
                  const exact::Node& node) {
  for (int e = 0; e < node.count; ++e) {
    const exact::SegmentEdge& x = a.decision_edges[static_cast<std::size_t>(node.first + e)];
    const exact::DecisionEdge& y = b.decision_edges[static_cast<std::size_t>(node.first + e)];
    if (x.target != y.target || x.same_decision() != y.same_decision) return false;
    if (!y.same_decision && a.ties[static_cast<std::size_t>(x.tie)] != y.tie) return false;
    if (!(options[static_cast<std::size_t>(e)] == y.option)) return false;
  }
  return static_cast<int>(options.size()) == node.count;
}

bool same_graph(const game::Plan& plan, const exact::SegmentGraph& a, const exact::Graph& b) {
  const auto same_node = [](const exact::Node& x, const exact::Node& y) {
    return x.kind == y.kind && x.attacker_decides == y.attacker_decides && x.roll == y.roll && x.dice == y.dice &&
           x.first == y.first && x.count == y.count;
  };
  const auto same_chance = [](const exact::ChanceEdge& x, const exact::ChanceEdge& y) {
    return x.target == y.target && x.probability == y.probability;
  };
  bool out = std::equal(a.start.begin(), a.start.end(), b.start.begin(), b.start.end()) &&
             std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_node) &&
             std::equal(a.chance_edges.begin(), a.chance_edges.end(), b.chance_edges.begin(), b.chance_edges.end(),
                        same_chance) &&
             a.keys.size() == b.positions.size() && a.decision_edges.size() == b.decision_edges.size();
  std::vector<game::Option> options;
  for (int n = 0; out && n < static_cast<int>(a.keys.size()); ++n) {
    const salvo::game::Position position = a.position(n);
    out = position == b.positions[n] && a.find(position) == n;
    const exact::Node& node = a.nodes[static_cast<std::size_t>(n)];
    if (!out || node.kind != exact::Node::Kind::Decision) continue;
    game::legal_options(plan, plan.attacks[0], position, options);
    out = same_choices(a, b, options, node);
  }
  return out;
}

/// Compares the graphs of all segments of the first attack. Returns the number of their nodes.
std::size_t compare_parts(const game::Plan& plan) {
  const salvo::game::AttackPlan& attack = plan.attacks[0];
  const std::vector<exact::Segment> segments = exact::split_into_segments(plan, 0);
  std::vector<salvo::game::Position> starts{game::begin_attack(plan, attack, plan.start.masked(attack.readable))};
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const exact::Segment* next = i + 1 < segments.size() ? &segments[i + 1] : nullptr;
    const exact::StateMerging merging(plan, attack, segments[i], next);
    const exact::SegmentGraphSpec spec{segments[i].end, &merging, [&](salvo::game::Position& position) {
                                         if (next != nullptr) exact::forget_dice(plan, *next, position);
                                       }};
    std::vector<salvo::game::Position> ends;
    for (const salvo::game::Position& start : starts) {
      exact::Positions table;
      table.number(segments[i].active_part(start));
      const exact::SegmentGraph graph = exact::build_segment_graph(plan, 0, table, spec, exact::SegmentGraph(), 1e6);
      CHECK(same_graph(plan, graph, PlainBuilder(plan, spec).build(table[0])));
      nodes += graph.nodes.size();
      for (std::size_t n = 0; n < graph.nodes.size() && ends.size() < 20; ++n) {
        if (graph.nodes[n].kind == exact::Node::Kind::End)
          ends.push_back(exact::joined(graph.position(static_cast<int>(n)), segments[i].passive_part(start)));
      }
    }
    starts = std::move(ends);
  }
  return nodes;
}

}  // namespace

TEST_CASE("Parts built by mode equal those built position by position", "[exact][segments]") {
  const std::vector<std::string> cards{"agentkallus", "marksmanship", "heroic",  "advancedoptics",       "finn",
                                       "predator",    "lonewolf",     "zuckuss", "landocalrissian-crew", "juke"};
  std::size_t nodes = 0;
  for (unsigned subset = 1; subset < 1u << cards.size(); ++subset) {
    if (std::popcount(subset) > 4 || subset % 5 == 1) continue;
    std::vector<std::string> upgrades;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if ((subset >> i & 1u) != 0) upgrades.push_back(cards[i]);
    }
    INFO(subset);
    nodes += compare_parts(plan_with(upgrades, 2, subset % 2 == 0));
  }
  CHECK(nodes > 10'000);
}

TEST_CASE("Parts with locks spent on no die, built by mode, equal those built position by position",
          "[exact][segments]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Scenario scenario = one_attack(2);
  scenario.rules = "first-edition";
  scenario.ships["a"].locks = {"d"};
  CHECK(compare_parts(compile::compile_scenario(catalogue, scenario).plan) > 10);
}

TEST_CASE("Parts of every card, built by mode, equal those built position by position", "[exact][segments][cards]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  // In the first edition a lock may be spent without rerolling a die.
  const auto* name = GENERATE(as<const char*>{}, "cards.jsonl", "cards-first-edition.jsonl");
  int compared = 0;
  for (const nlohmann::json& test : tests::read_cases(name)) {
    if (!test.contains("with")) continue;
    INFO(test.dump());
    const game::Plan plan = compile::compile_scenario(catalogue, parse_scenario(test.at("with").dump(), "case")).plan;
    if (plan.damage_deck || plan.attacks[0].steps.empty()) continue;
    if (exact::solve(plan).edges > 20'000 || !game::attack_happens(plan, plan.attacks[0], plan.start)) continue;
    compare_parts(plan);
    ++compared;
  }
  CHECK(compared > 40);
}
