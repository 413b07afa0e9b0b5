#include "exact/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace salvo::exact {
namespace {

/// Builds a graph depth first, so that children get smaller numbers than their parents.
class Builder {
 public:
  Builder(const Plan& plan, std::size_t index, States& next, double edges_left)
      : plan_(plan), attack_(plan.attacks[index]), next_(next), edges_left_(edges_left) {
    if (index + 1 < plan.attacks.size()) next_mask_ = plan.attacks[index + 1].readable;
  }

  Graph build(const States& states) {
    for (int s = 0; s < static_cast<int>(states.size()); ++s) {
      const bool happens = rules::attack_happens(plan_, attack_, states[s]);
      graph_.start.push_back(happens ? visit(rules::begin_attack(plan_, attack_, states[s])) : -1);
      graph_.skipped_to.push_back(happens ? -1 : next_state(states[s]));
    }
    return std::move(graph_);
  }

 private:
  int next_state(const Resources& resources) {
    return next_.number(rules::end_attack(plan_, attack_, resources).masked(next_mask_));
  }

  int visit(Position position) {
    const rules::Need need = rules::advance(plan_, attack_, position);
    rules::merge_unread(plan_, attack_, position);
    const int known = graph_.positions.find(position);
    if (known != PositionTable::kNone) return known;
    Node node;
    switch (need) {
      case rules::Need::Decision:
        node = decide(position);
        break;
      case rules::Need::AttackRoll:
        node = roll(position, plan_.attack_die, 1);
        break;
      case rules::Need::DefenseRoll:
        node = roll(position, plan_.defense_die, 2);
        break;
      case rules::Need::Reroll:
        node = reroll(position);
        break;
      case rules::Need::Finished:
        node.first = next_state(position.resources);
        break;
    }
    graph_.nodes.push_back(node);
    return graph_.positions.insert(position);
  }

  Node decide(const Position& position) {
    const Step& step = attack_.steps[position.step];
    std::vector<Option> options = spare_options();
    rules::legal_options(plan_, attack_, position, options);
    std::vector<DecisionEdge> edges;
    edges.reserve(options.size());
    for (const Option& option : options) {
      const Position after = rules::take(plan_, attack_, position, option);
      const int target = visit(after);
      const bool same = graph_.nodes[static_cast<std::size_t>(target)].kind == Node::Kind::Decision &&
                        graph_.positions[target].step == position.step && after.pending == 0;
      edges.push_back({target, option, tie_key(plan_, attack_, step.attacker_decides, after), same});
    }
    free_options_.push_back(std::move(options));
    count_edges(edges.size());
    const Node node{
        Node::Kind::Decision,          step.attacker_decides, 0, 0, static_cast<int>(graph_.decision_edges.size()),
        static_cast<int>(edges.size())};
    graph_.decision_edges.insert(graph_.decision_edges.end(), edges.begin(), edges.end());
    return node;
  }

  Node roll(const Position& position, const Die& die, std::uint8_t which) {
    const int dice = rules::roll_size(position);
    std::vector<ChanceEdge> edges;
    for (const RollOutcome& outcome : outcomes(die, dice, which)) {
      edges.push_back({visit(rules::after_roll(attack_, position, outcome.pool)), outcome.probability});
    }
    return chance(edges, which, dice);
  }

  Node reroll(const Position& position) {
    const Die& die = position.pending_attack ? plan_.attack_die : plan_.defense_die;
    std::array<ChanceEdge, kMaxFaces> edges{};
    for (int face = 0; face < die.faces; ++face) {
      edges[static_cast<std::size_t>(face)] = {
          visit(rules::after_reroll(position, face)),
          static_cast<double>(die.sides_of_face[static_cast<std::size_t>(face)]) / die.sides};
    }
    return chance({edges.begin(), edges.begin() + die.faces}, 0, 0);
  }

  Node chance(const std::vector<ChanceEdge>& edges, std::uint8_t which, int dice) {
    count_edges(edges.size());
    const Node node{Node::Kind::Chance,
                    false,
                    which,
                    static_cast<std::uint8_t>(dice),
                    static_cast<int>(graph_.chance_edges.size()),
                    static_cast<int>(edges.size())};
    graph_.chance_edges.insert(graph_.chance_edges.end(), edges.begin(), edges.end());
    return node;
  }

  void count_edges(std::size_t n) {
    edges_left_ -= static_cast<double>(n);
    if (edges_left_ < 0) throw PlanTooLarge("one attack has too many positions for the exact engine", 0, 0);
  }

  const std::vector<RollOutcome>& outcomes(const Die& die, int dice, int which) {
    auto& known = outcomes_[{which, dice}];
    if (known.empty()) known = roll_outcomes(die, dice);
    return known;
  }

  std::vector<Option> spare_options() {
    if (free_options_.empty()) return {};
    std::vector<Option> out = std::move(free_options_.back());
    free_options_.pop_back();
    return out;
  }

  const Plan& plan_;
  const AttackPlan& attack_;
  States& next_;
  Resources next_mask_;
  double edges_left_;
  Graph graph_;
  std::map<std::pair<int, int>, std::vector<RollOutcome>> outcomes_;
  std::vector<std::vector<Option>> free_options_;
};

void add_outcomes(const Die& die, int face, int left, Pool pool, double weight, double total,
                  std::vector<RollOutcome>& out) {
  if (face == die.faces - 1) {
    for (int k = 0; k < left; ++k) weight *= die.sides_of_face[static_cast<std::size_t>(face)];
    pool.add(face, false, left);
    out.push_back({pool, weight / total});
    return;
  }
  double power = weight;
  double choose = 1;
  for (int k = 0; k <= left; ++k) {
    Pool with = pool;
    with.add(face, false, k);
    add_outcomes(die, face + 1, left - k, with, power * choose, total, out);
    power *= die.sides_of_face[static_cast<std::size_t>(face)];
    choose = choose * (left - k) / (k + 1);
  }
}

}  // namespace

int States::number(const Resources& resources) {
  Position key;
  key.resources = resources;
  const int known = table_.find(key);
  if (known != PositionTable::kNone) return known;
  list_.push_back(resources);
  return table_.insert(key);
}

std::vector<RollOutcome> roll_outcomes(const Die& die, int n) {
  std::vector<RollOutcome> out;
  // Weights are integers below 2^53 for up to 17 dice of eight sides, so these probabilities are exact.
  add_outcomes(die, 0, n, Pool(), 1.0, std::pow(die.sides, n), out);
  return out;
}

std::uint64_t tie_key(const Plan& plan, const AttackPlan& attack, bool attacks, const Position& position) {
  const bool side = plan.ships[static_cast<std::size_t>(attacks ? attack.attacker : attack.defender)].mine;
  std::array<int, kSpendRanks> left{};
  int kept = 0;
  for (const Resource& r : plan.resources) {
    if (r.rank == SpendRank::None || !r.dynamic || plan.ships[static_cast<std::size_t>(r.ship)].mine != side) continue;
    if ((attack.reads.words[static_cast<std::size_t>(r.word)] >> r.shift & r.mask) == 0) continue;
    const int n = position.resources.get(r);
    left[static_cast<std::size_t>(r.rank)] += n;
    kept += n;
  }
  // 10 bits for all tokens, 7 for each kind, 6 for dice, 5 for critical hits.
  auto key = static_cast<std::uint64_t>(std::min(kept, 1023));
  for (const int n : left) key = key << 7 | static_cast<std::uint64_t>(127 - std::min(n, 127));
  key = key << 6 | static_cast<std::uint64_t>(63 - position.pending);
  const int crits = plan.attack_die.crit < 0 ? 0 : position.attack_pool.count(plan.attack_die.crit);
  return key << 5 | static_cast<std::uint64_t>(attacks ? crits : kMaxPool - crits);
}

Graph build_graph(const Plan& plan, std::size_t index, const States& states, States& next, double edges_left) {
  return Builder(plan, index, next, edges_left).build(states);
}

}  // namespace salvo::exact
