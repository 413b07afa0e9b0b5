#include "decide/strategy_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/index.h"
#include "base/text.h"
#include "decide/words.h"

namespace salvo::decide {
namespace {

using exact::Node;
using exact::Value;

compile::CompiledScenario compile_with(const Catalogue& catalogue, Scenario scenario, const PolicySpec& vocabulary,
                                       bool attacker) {
  auto& rules = attacker ? scenario.attacker_rules : scenario.defender_rules;
  rules = std::make_shared<const PolicySpec>(vocabulary);
  return compile::compile_scenario(catalogue, scenario);
}

bool holds(const std::vector<std::size_t>& conditions, const std::bitset<kMaxConditions>& what) {
  return std::all_of(conditions.begin(), conditions.end(), [&](std::size_t c) { return what[c]; });
}

}  // namespace

StrategyGame::StrategyGame(const Catalogue& catalogue, Scenario scenario, const PolicySpec& vocabulary, bool attacker,
                           bool mine, const exact::Budget& budget)
    : attacker_(attacker), mine_(mine), compiled_(compile_with(catalogue, std::move(scenario), vocabulary, attacker)) {
  const game::Plan& plan = compiled_.plan;
  states_.resize(plan.attacks.size() + 1);
  states_[0].number(plan.start.masked(plan.attacks[0].readable));
  double left = budget.edges;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    attacks_.emplace_back();
    attacks_[k].graph = exact::build_graph(plan, k, states_[k], states_[k + 1], left);
    left -= static_cast<double>(attacks_[k].graph.edges());
    prepare(k, vocabulary.rules.size());
  }
  optimal_value_ = solve(nullptr).start.first;
}

void StrategyGame::prepare(std::size_t k, std::size_t vocabulary) {
  const game::Plan& plan = compiled_.plan;
  Attack& attack = attacks_[k];
  const exact::Graph& graph = attack.graph;
  const game::AttackPlan& attack_plan = plan.attacks[k];
  const int ship = attacker_ ? attack_plan.attacker : attack_plan.defender;
  attack.plays_list = base::nth(plan.ships, ship).mine == mine_;
  game::Plan others = plan;  // the list itself varies
  (attacker_ ? others.attacker_policy : others.defender_policy) = game::PolicyKind::Optimal;
  attack.fixed = exact::fixed_choices(others, k, graph);
  if (!attack.plays_list) return;
  const auto& rules = attacker_ ? attack_plan.attacker_rules : attack_plan.defender_rules;
  const std::vector<std::vector<int>> preferences[2] = {
      exact::greedy_preferences(plan, k, graph, attacker_, game::PolicyKind::Optimal),
      exact::greedy_preferences(plan, k, graph, attacker_, game::PolicyKind::Hold)};
  std::vector<game::Option> options;
  for (int n = 0; n < static_cast<int>(graph.nodes.size()); ++n) {
    const Node& node = base::nth(graph.nodes, n);
    if (node.kind != Node::Kind::Decision || node.attacker_decides != attacker_) continue;
    Decision decision{n, {}, std::vector<int>(vocabulary), base::nth(preferences[0], n).front()};
    std::vector<exact::PlayCost> costs;
    std::vector<bool> nothing;
    for (int e = 0; e < node.count; ++e) {
      graph.options_of(base::nth(graph.decision_edges, node.first + e), options);
      costs.push_back(exact::cost_of(plan, k, options));
      nothing.push_back(exact::is_forced_play(plan, k, options));
    }
    for (std::size_t v = 0; v < vocabulary; ++v) {
      decision.holds[v] = game::evaluate(plan, rules[v].when, graph.positions[n]) != 0;
      for (const int e : base::nth(preferences[rules[v].unanswered], n)) {
        const auto edge = static_cast<std::size_t>(e);
        if (!nothing[edge] && !exact::allows(rules[v], costs[edge])) continue;
        decision.by_limit[v] = e;
        break;
      }
    }
    attack.decisions.push_back(std::move(decision));
  }
}

int StrategyGame::choice(const Decision& decision, const DecisionList& list) const {
  for (const ListEntry& entry : list) {
    if (holds(entry.conditions, decision.holds)) return decision.by_limit[entry.limit];
  }
  return decision.free;
}

StrategyGame::Solved StrategyGame::solve(const DecisionList* list) const {
  const game::Plan& plan = compiled_.plan;
  Solved out;
  out.values.resize(attacks_.size());
  out.choices.resize(attacks_.size());
  std::vector<Value> next(states_.back().size());
  for (std::size_t k = attacks_.size(); k-- > 0;) {
    const Attack& attack = attacks_[k];
    std::vector<int>& choices = out.choices[k] = attack.fixed;
    const game::PolicyKind role =
        list != nullptr && attack.plays_list ? game::PolicyKind::Rules : game::PolicyKind::Optimal;
    if (role == game::PolicyKind::Rules) {
      for (const Decision& decision : attack.decisions) base::nth(choices, decision.node) = choice(decision, *list);
    }
    out.values[k] = exact::solve_attack(plan, k, attack.graph, next, attacker_ ? role : plan.attacker_policy,
                                        attacker_ ? plan.defender_policy : role, choices);
    std::vector<Value> here(attack.graph.start.size());
    for (std::size_t s = 0; s < here.size(); ++s) {
      const int start = attack.graph.start[s];
      here[s] = start >= 0 ? base::nth(out.values[k], start) : base::nth(next, attack.graph.skipped_to[s]);
    }
    next = std::move(here);
  }
  out.start = next[0];
  return out;
}

double StrategyGame::value(const DecisionList& list) const { return solve(&list).start.first; }

double StrategyGame::loss(double value) const {
  const double lost = mine_ ? optimal_value_ - value : value - optimal_value_;
  return exact::equal(value, optimal_value_) ? 0.0 : std::max(0.0, lost);
}

std::size_t StrategyGame::decisions() const {
  std::size_t out = 0;
  for (const Attack& attack : attacks_) out += attack.decisions.size();
  return out;
}

std::vector<bool> StrategyGame::pattern(std::size_t condition) const {
  std::vector<bool> out;
  for (const Attack& attack : attacks_) {
    for (const Decision& decision : attack.decisions) out.push_back(decision.holds[condition]);
  }
  return out;
}

std::string StrategyGame::roll_text(std::size_t k, const game::Position& position) const {
  const compile::Labels& labels = compiled_.labels;
  std::string out;
  if (attacker_) {
    out = roll_words(labels.faces->attack, position.attack_pool);
  } else {
    game::Pool results;
    for (const int face : {compiled_.plan.attack_die.hit, compiled_.plan.attack_die.crit}) {
      if (face >= 0) results.add(compiled_.plan.attack_die.hit, false, position.attack_pool.count(face));
    }
    const std::string dice = roll_words(labels.faces->defense, position.defense_pool);
    out = fmt::format("{} against {}", dice.empty() ? "no dice" : dice,
                      results.size() == 0 ? "nothing" : dice_words(labels.faces->attack, results));
  }
  const game::AttackPlan& attack = compiled_.plan.attacks[k];
  const int ship = attacker_ ? attack.attacker : attack.defender;
  std::vector<std::string> tokens;
  for (std::size_t r = 0; r < compiled_.plan.resources.size(); ++r) {
    const game::Resource& resource = compiled_.plan.resources[r];
    const int n = position.resources.get(resource);
    if (resource.ship != ship || resource.rank == game::SpendRank::None || n == 0) continue;
    tokens.push_back(base::with_count(n, labels.resources[r].name));
  }
  if (out.empty()) out = "no dice";
  return fmt::format("{}, with {}", out, tokens.empty() ? "no tokens" : base::enumerated(tokens));
}

std::vector<StrategySituation> StrategyGame::situations(const DecisionList& list) const {
  const Solved played = solve(&list);
  const Solved best = solve(nullptr);
  const double sign = mine_ ? 1.0 : -1.0;
  std::map<std::tuple<std::size_t, std::string, std::string, std::string>, std::pair<double, double>> sums;
  std::vector<double> now{1.0};
  std::vector<game::Option> options;
  for (std::size_t k = 0; k < attacks_.size(); ++k) {
    const exact::Graph& graph = attacks_[k].graph;
    std::vector<double> mass(graph.nodes.size());
    std::vector<double> next(states_[k + 1].size());
    for (std::size_t s = 0; s < now.size(); ++s) {
      if (graph.start[s] >= 0) {
        base::nth(mass, graph.start[s]) += now[s];
      } else {
        base::nth(next, graph.skipped_to[s]) += now[s];
      }
    }
    for (std::size_t n = graph.nodes.size(); n-- > 0;) {  // children have smaller numbers
      const double p = mass[n];
      const Node& node = graph.nodes[n];
      if (!(p > 0)) continue;
      if (node.kind == Node::Kind::End) {
        base::nth(next, node.first) += p;
      } else if (node.kind == Node::Kind::Chance) {
        for (int e = node.first; e < node.first + node.count; ++e) {
          const exact::ChanceEdge& edge = base::nth(graph.chance_edges, e);
          base::nth(mass, edge.target) += p * edge.probability;
        }
      } else {
        const auto edge = [&](const Solved& solved) -> const exact::DecisionEdge& {
          return base::nth(graph.decision_edges, node.first + solved.choices[k][n]);
        };
        base::nth(mass, edge(played).target) += p;
        if (!attacks_[k].plays_list || node.attacker_decides != attacker_) continue;
        const double lost = sign * (base::nth(best.values[k], edge(best).target).first -
                                    base::nth(best.values[k], edge(played).target).first);
        if (lost <= 1e-11) continue;
        graph.options_of(edge(played), options);
        const std::string play = play_words(compiled_, k, options);
        graph.options_of(edge(best), options);
        auto& sum =
            sums[{k, roll_text(k, graph.positions[static_cast<int>(n)]), play, play_words(compiled_, k, options)}];
        sum.first += p;
        sum.second += p * lost;
      }
    }
    now = std::move(next);
  }
  std::vector<StrategySituation> out;
  for (const auto& [key, sum] : sums) {
    out.push_back({compiled_.plan.attack_number(std::get<0>(key)), std::get<1>(key), std::get<2>(key), std::get<3>(key),
                   sum.first, sum.second / sum.first});
  }
  return out;
}

}  // namespace salvo::decide
