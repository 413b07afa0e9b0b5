// Durability: a Markov chain over the defender's tokens and health. A step is one shot: an attack, solved as a game of
// its own, with what cards add before it (tokens) and after it (bonus attacks).
#include "exact/durability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "exact/attack_solver.h"

namespace salvo::exact {
namespace {

/// What one shot does: the defender's tokens afterwards (number of the state) and its damage.
struct Step {
  int state = 0;
  int damage = 0;
  double probability = 0;
};

using Steps = std::vector<Step>;
using Health = std::vector<double>;  ///< by health that is left, 0 to full
using Table = std::vector<Health>;   ///< by state of the tokens

/// The number of the ship that the shots are at.
int defender_of(const Plan& plan) {
  const auto shot = std::find_if(plan.attacks.begin(), plan.attacks.end(),
                                 [](const AttackPlan& attack) { return !attack.engagement; });
  if (shot == plan.attacks.end()) throw std::logic_error("durability needs a plan with an attack");
  return shot->defender;
}

int full_health(const Plan& plan) {
  const ShipPlan& ship = plan.ships[static_cast<std::size_t>(defender_of(plan))];
  return ship.hull + ship.shields;
}

/// The states of the defender's tokens and the steps between them, found as they are reached.
class Chain {
 public:
  Chain(const Plan& plan, const Budget& budget) : plan_(plan), budget_(budget) {
    defender_ = defender_of(plan);
    const ShipPlan& ship = plan.ships[static_cast<std::size_t>(defender_)];
    if (!ship.destructible) throw std::logic_error("durability needs a defender with hull");
    full_ = full_health(plan);
    health_ = ship.health;
    // The states at the end are read, so nothing of them may be merged.
    for (AttackPlan& attack : plan_.attacks) attack.readable.words.fill(~std::uint64_t{0});
    number(plan.start);
    for (std::size_t s = 0; s < states_.size(); ++s) explore(s);
  }

  int full() const { return full_; }
  /// The chain of the same shots at a ship with other hull and shields; what it reads of them has to be the same.
  Chain with_full(int full) const {
    Chain out = *this;
    out.full_ = full;
    return out;
  }
  std::size_t size() const { return states_.size(); }
  /// Steps from a state with so much health left.
  const Steps& steps(std::size_t state, int health) const {
    return steps_[state][health_ < 0 ? 0 : static_cast<std::size_t>(health)];
  }

 private:
  /// Tokens of the defender as after the attack, everything else as at the start.
  Resources kept(const Resources& after) const {
    Resources out = plan_.start;
    for (const Resource& r : plan_.resources) {
      if (r.ship == defender_ && r.dynamic && r.kind != Resource::Kind::Health) out.set(r, after.get(r));
    }
    return out;
  }

  int number(const Resources& resources) {
    const auto [at, added] = numbers_.try_emplace(resources.words, static_cast<int>(states_.size()));
    if (added) states_.push_back(resources);
    return at->second;
  }

  void explore(std::size_t state) {
    std::vector<Steps> by_health;
    if (health_ < 0) {
      by_health.push_back(play(states_[state]));
    } else {  // something of the plan reads the defender's health
      by_health.emplace_back();
      for (int h = 1; h <= full_; ++h) {
        Resources start = states_[state];
        start.set(plan_.resources[static_cast<std::size_t>(health_)], kHealthZero + h);
        by_health.push_back(play(start));
      }
    }
    steps_.push_back(std::move(by_health));
  }

  /// Where a shot can stand: resources, and the defender's damage so far; with probabilities.
  using Mass = std::map<std::pair<std::array<std::uint64_t, 2>, int>, double>;

  /// One shot from `start`, both roles playing each of its attacks greedily unless they hold.
  Steps play(const Resources& start) {
    Mass now{{{start.words, 0}, 1.0}};
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) {
      Mass next;
      for (const auto& [at, p] : now) play_attack(k, Resources{at.first}, at.second, p, next);
      now = std::move(next);
    }
    std::map<std::pair<int, int>, double> sums;
    for (const auto& [at, p] : now) sums[{number(kept(Resources{at.first})), at.second}] += p;
    Steps out;
    for (const auto& [key, p] : sums) out.push_back({key.first, key.second, p});
    return out;
  }

  void play_attack(std::size_t k, const Resources& start, int damage, double weight, Mass& out) {
    Plan plan = plan_;
    plan.start = start;
    for (Resource& r : plan.resources) r.initial = start.get(r);
    for (PolicyKind* policy : {&plan.attacker_policy, &plan.defender_policy}) {
      if (*policy == PolicyKind::Optimal) *policy = PolicyKind::Greedy;
    }
    States first, last;
    first.number(start);
    const Graph graph = build_graph(plan, k, first, last, budget_.edges);
    if (graph.start[0] < 0) {
      out[{start.words, damage}] += weight;
      return;
    }
    ends(k, graph, fixed_choices(plan, k, graph), damage, weight, out);
  }

  /// Damage of the defender of the shot at the end of attack k.
  int damage_at(std::size_t k, const Position& end) const {
    int out = 0;
    for (std::size_t v = 0; v < kVictims; ++v) {
      if (plan_.attacks[k].victim(v) == defender_) out += end.extra[v] + (v == kDefender ? end.hits + end.crits : 0);
    }
    return out;
  }

  /// Lets probability flow through the graph; children have smaller numbers than their parents.
  void ends(std::size_t k, const Graph& graph, const std::vector<int>& choice, int damage, double weight, Mass& out) {
    std::vector<double> mass(graph.nodes.size(), 0.0);
    mass[static_cast<std::size_t>(graph.start[0])] = weight;
    for (std::size_t n = graph.nodes.size(); n-- > 0;) {
      const double p = mass[n];
      if (p == 0) continue;
      const Node& node = graph.nodes[n];
      if (node.kind == Node::Kind::Chance) {
        for (int e = node.first; e < node.first + node.count; ++e) {
          const ChanceEdge& edge = graph.chance_edges[static_cast<std::size_t>(e)];
          mass[static_cast<std::size_t>(edge.target)] += p * edge.probability;
        }
      } else if (node.kind == Node::Kind::Decision) {
        const auto edge = static_cast<std::size_t>(node.first + choice[n]);
        mass[static_cast<std::size_t>(graph.decision_edges[edge].target)] += p;
      } else {
        const Position& end = graph.positions[static_cast<int>(n)];
        out[{end.resources.words, damage + damage_at(k, end)}] += p;
      }
    }
  }

  Plan plan_;
  Budget budget_;
  int defender_ = 0;
  int full_ = 0, health_ = -1;
  std::map<std::array<std::uint64_t, 2>, int> numbers_;
  std::vector<Resources> states_;
  std::vector<std::vector<Steps>> steps_;  ///< by state, and by health where something reads it
};

/// The distribution of tokens and health after one more shot; health 0 is left out: destroyed.
Table shoot(const Chain& chain, const Table& now) {
  Table next(chain.size(), Health(static_cast<std::size_t>(chain.full()) + 1, 0.0));
  for (std::size_t s = 0; s < chain.size(); ++s) {
    for (int h = 1; h <= chain.full(); ++h) {
      const double p = now[s][static_cast<std::size_t>(h)];
      if (p == 0) continue;
      for (const Step& step : chain.steps(s, h)) {
        if (step.damage >= h) continue;
        next[static_cast<std::size_t>(step.state)][static_cast<std::size_t>(h - step.damage)] += p * step.probability;
      }
    }
  }
  return next;
}

void refresh(Table& table) {
  for (std::size_t s = 1; s < table.size(); ++s) {
    for (std::size_t h = 0; h < table[s].size(); ++h) table[0][h] += std::exchange(table[s][h], 0.0);
  }
}

double surviving(const Table& table) {
  double sum = 0;
  for (const Health& health : table) {
    for (std::size_t h = 1; h < health.size(); ++h) sum += health[h];
  }
  return sum;
}

/// m / (1 - r) of Durability::mean_bound, from the first m with r at most a half, or infinity.
double expected_rest(const Chain& chain, const DurabilityOptions& options) {
  // survives[s][h]: probability to survive the shots counted so far. Backwards, a round ends where the first one
  // begins.
  constexpr int kLongEnough = 1000;
  constexpr double kNoChance = 1e-9;
  Table survives(chain.size(), Health(static_cast<std::size_t>(chain.full()) + 1, 1.0));
  double rest = std::numeric_limits<double>::infinity();
  for (int m = 1; m <= options.most_shots; ++m) {
    if (options.round > 0 && (m - 1) % options.round == 0) {
      for (Health& health : survives) health = survives[0];
    }
    Table before = survives;
    double worst = 0;
    for (std::size_t s = 0; s < chain.size(); ++s) {
      for (int h = 1; h <= chain.full(); ++h) {
        double sum = 0;
        for (const Step& step : chain.steps(s, h)) {
          if (step.damage >= h) continue;
          sum += step.probability *
                 survives[static_cast<std::size_t>(step.state)][static_cast<std::size_t>(h - step.damage)];
        }
        before[s][static_cast<std::size_t>(h)] = sum;
        if (s == 0 || options.round == 0) worst = std::max(worst, sum);
      }
    }
    survives = std::move(before);
    const bool at_boundary = options.round == 0 || m % options.round == 0;
    if (at_boundary) rest = m / (1 - worst);
    if (at_boundary && worst <= 0.5) return rest;
    // Nothing is destroyed as far as rounding can tell.
    if (m >= kLongEnough && worst > 1 - kNoChance) return std::numeric_limits<double>::infinity();
  }
  return rest;
}

/// E[N] where every shot finds the defender's tokens as at the start: E[h] = (1 + sum over d of p(d) E[h - d]) / p(d >
/// 0).
double mean_refreshed(const Chain& chain) {
  Health expected(static_cast<std::size_t>(chain.full()) + 1, 0.0);
  for (int h = 1; h <= chain.full(); ++h) {
    double sum = 1, hit = 0;
    for (const Step& step : chain.steps(0, h)) {
      if (step.damage == 0) continue;
      hit += step.probability;
      sum += step.probability * expected[static_cast<std::size_t>(std::max(0, h - step.damage))];
    }
    expected[static_cast<std::size_t>(h)] = hit > 0 ? sum / hit : std::numeric_limits<double>::infinity();
  }
  return expected.back();
}

/// The plan without what its shots do not read: two plans that are the same then have the same chain.
Plan as_played(Plan plan) {
  ShipPlan& defender = plan.ships[static_cast<std::size_t>(defender_of(plan))];
  if (plan.objective != Objective::Damage || defender.health >= 0) return plan;
  defender.hull = 1;
  defender.shields = 0;
  plan.mine_total = plan.theirs_total = 0;
  return plan;
}

}  // namespace

struct PlayedShots::Kept {
  std::mutex mutex;
  std::vector<std::pair<Plan, std::shared_ptr<const Chain>>> chains;

  std::shared_ptr<const Chain> find(const Plan& plan) {
    const std::lock_guard lock(mutex);
    for (const auto& [other, chain] : chains) {
      if (other == plan) return chain;
    }
    return nullptr;
  }

  /// The chain of the plan with the defender's own hull and shields.
  Chain chain(const Plan& plan, const Budget& budget) {
    Plan key = as_played(plan);
    auto found = find(key);
    if (found == nullptr) {
      found = std::make_shared<const Chain>(plan, budget);
      const std::lock_guard lock(mutex);
      if (chains.size() < kMostChains) chains.emplace_back(std::move(key), found);
    }
    return found->with_full(full_health(plan));
  }

  static constexpr std::size_t kMostChains = 64;
};

PlayedShots::PlayedShots() : kept_(std::make_unique<Kept>()) {}
PlayedShots::~PlayedShots() = default;

int Durability::quantile(double share) const {
  for (std::size_t n = 0; n < cdf.size(); ++n) {
    if (cdf[n] >= share) return static_cast<int>(n);
  }
  return -1;
}

Durability durability(const Plan& plan, const DurabilityOptions& options, PlayedShots* played) {
  constexpr double kRelativeError = 1e-13;  // of the mean: no more is worth playing for
  const Chain chain = played != nullptr ? played->kept_->chain(plan, options.budget) : Chain(plan, options.budget);
  const bool closed_form = options.round == 1;
  const double rest = closed_form ? 0 : expected_rest(chain, options);
  Table now(chain.size(), Health(static_cast<std::size_t>(chain.full()) + 1, 0.0));
  now[0][static_cast<std::size_t>(chain.full())] = 1.0;
  Durability out;
  out.cdf.push_back(0.0);
  out.mean = 1;  // the first shot is always needed
  for (int n = 1; n <= options.most_shots; ++n) {
    now = shoot(chain, now);
    const bool round_ends = options.round > 0 && n % options.round == 0;
    if (round_ends) refresh(now);
    const double alive = surviving(now);
    const bool listed = out.beyond > options.tail && static_cast<int>(out.cdf.size()) <= options.most_listed;
    if (listed) {
      out.cdf.push_back(std::clamp(1 - alive, 0.0, 1.0));
      out.beyond = alive;
    }
    // The bound speaks about states at the end of a round.
    const bool at_boundary = options.round == 0 || round_ends;
    if (at_boundary) {
      out.mean_bound = closed_form ? 0 : alive * rest;
      const bool enough = std::isinf(rest) || !(out.mean_bound > kRelativeError * out.mean);
      if (enough && !listed) break;
    }
    out.mean += alive;
  }
  if (closed_form) out.mean = mean_refreshed(chain);
  out.destructible = !std::isinf(rest) && !std::isinf(out.mean);
  if (!out.destructible) out.mean = out.mean_bound = std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace salvo::exact
