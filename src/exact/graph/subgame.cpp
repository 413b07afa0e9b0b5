#include "exact/graph/subgame.h"

#include <algorithm>

#include "base/index.h"
#include "base/work_limit.h"

namespace salvo::exact {
namespace {

/// The attacks from `first` on, as a plan that begins with `start`.
game::Plan rest_of(const game::Plan& plan, std::size_t first, const game::Resources& start) {
  game::Plan out = plan;
  out.attacks.erase(out.attacks.begin(), out.attacks.begin() + static_cast<std::ptrdiff_t>(first));
  out.start = start;
  for (game::Resource& r : out.resources) r.initial = start.get(r);
  return out;
}

/// Adds p times `tail`, shifted by `shift` damage.
void add_shifted(Eigen::ArrayXd& into, const Eigen::ArrayXd& tail, int shift, double p) {
  const Eigen::Index size = std::max(into.size(), tail.size() + shift);
  if (size != into.size()) {
    const Eigen::Index before = into.size();
    into.conservativeResize(size);
    into.tail(size - before).setZero();
  }
  into.segment(shift, tail.size()) += p * tail;
}

/// Adds p times the damage of an attack that ended at `end` and of what follows.
void add_end(const game::AttackPlan& attack, const game::Position& end, const Outlook& later, double p, Outlook& into) {
  for (std::size_t s = 0; s < into.size(); ++s) {
    int damage = static_cast<int>(s) == attack.defender ? end.hits + end.crits : 0;
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (attack.victim(v) == static_cast<int>(s)) damage += end.extra[v];
    }
    add_shifted(into[s], later[s], damage, p);
  }
}

}  // namespace

Later::Later(const game::Plan& plan, std::size_t first, const States& states, const Budget& budget)
    : known_(states.size()) {
  std::vector<game::Resources> starts;
  for (int s = 0; s < static_cast<int>(states.size()); ++s) starts.push_back(states[s]);
  plan_ = rest_of(plan, first, starts.front());
  if (plan_.attacks.empty()) {
    values_.resize(starts.size());
    return;
  }
  solved_.emplace(plan_, starts, budget);
  for (std::size_t s = 0; s < starts.size(); ++s) values_.push_back(solved_->value(s));
}

const Outlook& Later::outlook(int state) {
  std::optional<Outlook>& known = base::nth(known_, state);
  if (known) return *known;
  if (!solved_) return known.emplace(plan_.ships.size(), Eigen::ArrayXd::Ones(1));
  known.emplace();
  for (const game::ShipDistribution& ship : solved_->enumerate(plan_, static_cast<std::size_t>(state)).ships)
    known->push_back(ship.damage);
  return *known;
}

Subgame::Subgame(const game::Plan& plan, std::size_t attack, const game::Position& from, const Budget& budget)
    : plan_(plan), attack_(attack), graph_(build_graph_from(plan, attack, from, next_, budget.edges)) {
  base::spend_work(static_cast<double>(graph_.edges()));
  later_.emplace(plan, attack + 1, next_, budget);
  choices_ = fixed_choices(plan, attack, graph_);
  values_ = solve_attack(plan, attack, graph_, later_->values(), plan.attacker_policy, plan.defender_policy, choices_);
}

bool Subgame::maximises(int n) const {
  const bool attacker_mine = base::nth(plan_.ships, plan_.attacks[attack_].attacker).mine;
  return attacker_mine == node(n).attacker_decides;
}

int Subgame::best(int n) const {
  return best_of(
      node(n).count, maximises(n) ? 1.0 : -1.0, [&](int e) -> const Value& { return value(edge(n, e).target); },
      [&](int e) { return edge(n, e).tie; }, [](int) { return true; });
}

std::vector<NodeMass> Subgame::flow(int n, Until until) const {
  std::vector<NodeMass> out = flow_along(graph_, choices_, n, 1.0, [&](int i) {
    const Node& here = node(i);
    if (here.kind != Node::Kind::Decision || until == Until::Ends) return false;
    return until == Until::AnyDecides || here.attacker_decides == (until == Until::AttackerDecides);
  });
  std::reverse(out.begin(), out.end());
  return out;
}

double Subgame::payoff_now(int n) const {
  const game::AttackPlan& attack = plan_.attacks[attack_];
  const double sign = base::nth(plan_.ships, attack.attacker).mine ? 1.0 : -1.0;
  double out = 0;
  for (const NodeMass& end : flow(n, Until::Ends)) {
    out += end.probability * sign * game::payoff(plan_, attack, position(end.node)).value;
  }
  return out;
}

Outlook Subgame::outlook(int n) {
  Outlook out(plan_.ships.size(), Eigen::ArrayXd::Zero(1));
  for (const NodeMass& end : flow(n, Until::Ends)) {
    add_end(plan_.attacks[attack_], position(end.node), later_->outlook(node(end.node).first), end.probability, out);
  }
  return out;
}

}  // namespace salvo::exact
