// Durability as a Markov chain over the defender's tokens and health. A step is one shot: an attack that is solved as a
// separate game, with the effects of cards before it (tokens) and after it (bonus attacks).
#include "exact/durability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/index.h"
#include "base/work_limit.h"
#include "exact/attack_ends.h"
#include "exact/graph/attack_solver.h"
#include "exact/graph/graph_flow.h"
#include "salvo/errors.h"

namespace salvo::exact {
namespace {

/// One outcome of a shot: the defender's tokens afterwards (number of the state), and its damage.
struct Step {
  int state = 0;
  int damage = 0;
  double probability = 0;
};

using Steps = std::vector<Step>;
using Health = std::vector<double>;  ///< by number of a health, see HealthIndex
using Table = std::vector<Health>;   ///< by state of the tokens

/// Numbers the healths of a ship; 0 is destroyed. Since damage takes shields first, the sum of hull and shields
/// identifies both; if shields recover, the number encodes the pair. Damage always leads to a smaller number.
class HealthIndex {
 public:
  HealthIndex() = default;
  /// `recover`: shields that the ship regains at the end of a round.
  HealthIndex(const game::ShipPlan& ship, int recover)
      : hull_(ship.hull), shields_(ship.shields), most_shields_(ship.most_shields), recover_(recover) {}

  int most() const { return recover_ > 0 ? number(hull_, most_shields_) : hull_ + shields_; }
  int start() const { return number(hull_, shields_); }
  int hull(int n) const { return recover_ > 0 ? 1 + (n - 1) / (most_shields_ + 1) : std::min(n, hull_); }
  int shields(int n) const { return recover_ > 0 ? (n - 1) % (most_shields_ + 1) : std::max(0, n - hull_); }
  /// The number after damage.
  int after(int n, int damage) const {
    if (recover_ == 0) return std::max(0, n - damage);
    const int left = shields(n) - damage;
    return left >= 0 ? number(hull(n), left) : number(hull(n) + left, 0);
  }
  /// The number after the End Phase (000: Charges, Shield).
  int recovered(int n) const {
    if (recover_ == 0 || n == 0) return n;
    return number(hull(n), std::min(most_shields_, shields(n) + recover_));
  }

 private:
  int number(int hull, int shields) const {
    if (hull <= 0) return 0;
    return recover_ > 0 ? 1 + (hull - 1) * (most_shields_ + 1) + shields : hull + shields;
  }

  int hull_ = 0, shields_ = 0, most_shields_ = 0, recover_ = 0;
};

int defender_of(const game::Plan& plan) {
  const auto shot = std::find_if(plan.attacks.begin(), plan.attacks.end(),
                                 [](const game::AttackPlan& attack) { return !attack.engagement; });
  if (shot == plan.attacks.end()) throw std::logic_error("durability needs a plan with an attack");
  return shot->defender;
}

HealthIndex health_index_of(const game::Plan& plan, const DurabilityOptions& options) {
  const game::ShipPlan& ship = base::nth(plan.ships, defender_of(plan));
  return {ship, options.by_rules && options.round > 0 ? ship.shields_recover : 0};
}

/// The states in which shots begin and the steps between them, explored from the start. A state is the number of the
/// shot in the plan, with the defender's tokens and, within a round, everything that later shots of the round read.
class Chain {
 public:
  Chain(const std::vector<WeightedPlan>& plans, const DurabilityOptions& options)
      : plans_(plans), budget_(options.budget), options_(options), firsts_(options.shots) {
    if (firsts_.empty()) firsts_ = {0};
    defender_ = defender_of(plan());
    const game::ShipPlan& ship = base::nth(plan().ships, defender_);
    if (!ship.destructible) throw std::logic_error("durability needs a defender with hull");
    health_index_ = health_index_of(plan(), options);
    for (const WeightedPlan& one : plans) {
      reads_health_ = reads_health_ || base::nth(one.plan.ships, defender_).health >= 0;
      std::vector<game::Resources>& readable = readable_.emplace_back();
      for (const std::size_t first : firsts_) readable.push_back(one.plan.attacks[first].readable);
    }
    // The states after an attack are read in full, so no resource may be merged.
    for (WeightedPlan& one : plans_) {
      for (game::AttackPlan& attack : one.plan.attacks) attack.readable.words.fill(~std::uint64_t{0});
    }
    number(0, plan().start);
    begins_.push_back(true);
    for (std::size_t s = 0; s < states_.size(); ++s) {
      explore(s);
      find_refreshed(s);
    }
    begins_.resize(states_.size(), options_.round == 0);
  }

  const HealthIndex& health_index() const { return health_index_; }
  /// The chain of the same shots for other hull and shields, which the shots must not read.
  Chain with(const HealthIndex& health_index) const {
    Chain out = *this;
    out.health_index_ = health_index;
    return out;
  }
  std::size_t size() const { return states_.size(); }
  /// The state in which a round begins after one that ends in state s.
  std::size_t refreshed(std::size_t s) const { return refreshed_[s]; }
  /// Whether a round can begin in the state; always true if rounds never end.
  bool begins_round(std::size_t s) const { return options_.round == 0 || begins_[s]; }
  /// Steps from a state with this health.
  const Steps& steps(std::size_t state, int health) const {
    return steps_[state][reads_health_ ? static_cast<std::size_t>(health) : 0];
  }

 private:
  /// The plan whose resources describe the states.
  const game::Plan& plan() const { return plans_.front().plan; }
  /// Whether each shot of several plans begins as its own plan does.
  bool fresh() const { return plans_.size() > 1 && options_.round == 1 && !options_.by_rules && firsts_.size() == 1; }

  /// The number of the state before shot `shot`.
  int number(std::size_t shot, const game::Resources& resources) {
    const auto [at, added] = numbers_.try_emplace({shot, resources.words}, static_cast<int>(states_.size()));
    if (added) states_.push_back({shot, resources});
    return at->second;
  }

  /// The next state. The defender's tokens and everything that the rest of the round reads are as the shot left them;
  /// everything else is as at the start.
  int number_after(std::size_t which, std::size_t shot, const game::Resources& after) {
    if (fresh()) return 0;
    const bool last = shot + 1 == firsts_.size();
    const std::size_t next = !last ? shot + 1 : options_.rounds.empty() ? 0 : options_.rounds.back();
    game::Resources out = plan().start;
    for (const game::Resource& r : plans_[which].plan.resources) {
      if (!r.dynamic || is_health(r)) continue;
      if (r.ship == defender_ || read_later(which, next, r)) carry(r, after.get(r), plan(), out);
    }
    return number(next, out);
  }

  /// The resources with which a shot by one of the plans begins in a state.
  game::Resources start_of(std::size_t which, const game::Resources& state) const {
    if (which == 0) return state;
    const game::Plan& to = plans_[which].plan;
    game::Resources out = to.start;
    if (fresh()) return out;
    for (const game::Resource& r : plan().resources) {
      if (r.dynamic && !is_health(r)) carry(r, state.get(r), to, out);
    }
    return out;
  }

  /// Sets a resource of one plan in the resources of another. Of several plans, only the defender's can change: those
  /// of attackers are drawn anew with the plan of the next shot.
  void carry(const game::Resource& r, int value, const game::Plan& to, game::Resources& out) const {
    if (plans_.size() == 1) return out.set(r, value);
    if (value == r.initial) return;
    const auto same = std::find_if(to.resources.begin(), to.resources.end(), [&r](const game::Resource& other) {
      return other.dynamic && other.kind == r.kind && other.ship == r.ship && other.token == r.token;
    });
    if (r.ship != defender_ || same == to.resources.end() || static_cast<std::uint64_t>(value) > same->mask) {
      throw ScenarioError("",
                          "with chances, a shot must leave later attackers as they are, and the defender only what it "
                          "has in every case; ask for each value on its own");
    }
    out.set(*same, value);
  }

  /// Whether the rest of the round reads a resource. The last of several rounds is repeated, so everything that it
  /// reads counts, wherever the shot is.
  bool read_later(std::size_t which, std::size_t next, const game::Resource& r) const {
    const auto reads = [&](std::size_t shot) {
      return (base::nth(readable_[which][shot].words, r.word) >> r.shift & r.mask) != 0;
    };
    return next > 0 && (reads(next) || (!options_.rounds.empty() && reads(options_.rounds.back())));
  }

  bool is_health(const game::Resource& r) const {
    return r.ship == defender_ && (r.kind == game::Resource::Kind::Health || game::is_health_part(r));
  }

  /// The resources after the End Phase: charges recover, everything else is as at the start (000: End_Phase, Charges).
  game::Resources recovered(const game::Resources& after) const {
    game::Resources out = plan().start;
    for (const game::Resource& r : plan().resources) {
      if (r.ship != defender_ || !r.dynamic || !r.charge) continue;
      out.set(r, r.end.after(after.get(r), r.initial, r.max));
    }
    return out;
  }

  void find_refreshed(std::size_t s) {
    const auto [shot, resources] = states_[s];
    const bool boundary = options_.round == 1 || (options_.round > 1 && shot == 0);
    if (!boundary) {
      refreshed_.push_back(s);
      return;
    }
    const int to = number(shot, options_.by_rules ? recovered(resources) : plan().start);
    refreshed_.push_back(static_cast<std::size_t>(to));
    begins_.resize(states_.size(), false);
    base::nth(begins_, to) = true;
  }

  /// Sets the health before a shot to number h, with hull and shields as they are when damage takes shields first.
  void set_health(const game::Plan& plan, game::Resources& resources, int h) const {
    const game::ShipPlan& ship = base::nth(plan.ships, defender_);
    if (ship.health < 0) return;
    const int hull = health_index_.hull(h), shields = health_index_.shields(h);
    resources.set(base::nth(plan.resources, ship.health), game::kHealthZero + hull + shields);
    if (ship.hull_left < 0) return;
    resources.set(base::nth(plan.resources, ship.hull_left), hull);
    resources.set(base::nth(plan.resources, ship.shields_left), shields);
  }

  void explore(std::size_t state) {
    const auto [shot, resources] = states_[state];
    std::vector<Steps> by_health;
    if (!reads_health_) {
      by_health.push_back(play(shot, resources, 0));
    } else {  // an effect reads the defender's health
      by_health.emplace_back();
      for (int h = 1; h <= health_index_.most(); ++h) by_health.push_back(play(shot, resources, h));
    }
    steps_.push_back(std::move(by_health));
  }

  /// Probabilities of states within a shot: resources, and the defender's damage so far.
  using Mass = std::map<std::pair<std::array<std::uint64_t, 2>, int>, double>;

  /// The ends of a shot by any of the plans, and the damage in it.
  using Ends = std::map<std::pair<int, int>, double>;

  /// Plays one shot from a state; `h`: with this health, unless nothing reads it.
  Steps play(std::size_t shot, const game::Resources& state, int h) {
    Ends sums;
    for (std::size_t which = 0; which < plans_.size(); ++which) {
      game::Resources start = start_of(which, state);
      if (reads_health_) set_health(plans_[which].plan, start, h);
      play(which, shot, start, sums);
    }
    Steps out;
    for (const auto& [key, p] : sums) out.push_back({key.first, key.second, p});
    return out;
  }

  /// Plays one shot by a plan from `start`. Both roles play each of its attacks greedily, unless they hold.
  void play(std::size_t which, std::size_t shot, const game::Resources& start, Ends& sums) {
    const game::Plan& plan = plans_[which].plan;
    Mass now{{{start.words, 0}, plans_[which].weight}};
    const std::size_t end = shot + 1 < firsts_.size() ? firsts_[shot + 1] : plan.attacks.size();
    for (std::size_t k = firsts_[shot]; k < end; ++k) {
      Mass next;
      for (const auto& [at, p] : now) play_attack(plan, k, game::Resources{at.first}, at.second, p, next);
      now = std::move(next);
    }
    for (const auto& [at, p] : now) sums[{number_after(which, shot, game::Resources{at.first}), at.second}] += p;
  }

  void play_attack(const game::Plan& whole, std::size_t k, const game::Resources& start, int damage, double weight,
                   Mass& out) const {
    game::Plan plan = plan_from(whole, start);
    for (game::PolicyKind* policy : {&plan.attacker_policy, &plan.defender_policy}) {
      if (*policy == game::PolicyKind::Optimal) *policy = game::PolicyKind::Greedy;
    }
    States first, last;
    first.number(start);
    const Graph graph = build_graph(plan, k, first, last, budget_.edges);
    base::spend_work(static_cast<double>(graph.edges()));
    if (graph.start[0] < 0) {
      out[{start.words, damage}] += weight;
      return;
    }
    for (const NodeMass& at : flow_to_ends(graph, fixed_choices(plan, k, graph), graph.start[0], weight)) {
      const game::Position& end = graph.positions[at.node];
      out[{end.resources.words, damage + damage_at(whole.attacks[k], end)}] += at.probability;
    }
  }

  /// The damage that an attack of the shot with this end did to the shot's defender.
  int damage_at(const game::AttackPlan& attack, const game::Position& end) const {
    int out = 0;
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (attack.victim(v) == defender_) out += end.extra[v] + (v == game::kDefender ? end.hits + end.crits : 0);
    }
    return out;
  }

  struct State {
    std::size_t shot = 0;
    game::Resources resources;
  };

  std::vector<WeightedPlan> plans_;
  Budget budget_;
  DurabilityOptions options_;
  std::vector<std::size_t> firsts_;  ///< by shot: its first attack
  /// By plan and shot: the resources that it and later ones read.
  std::vector<std::vector<game::Resources>> readable_;
  int defender_ = 0;
  HealthIndex health_index_;
  bool reads_health_ = false;
  std::map<std::pair<std::size_t, std::array<std::uint64_t, 2>>, int> numbers_;
  std::vector<State> states_;
  std::vector<std::size_t> refreshed_;     ///< by state
  std::vector<bool> begins_;               ///< by state: whether a round can begin in it
  std::vector<std::vector<Steps>> steps_;  ///< by state, and by health if something reads it
};

/// A number for each state and each health.
Table filled(const Chain& chain, double value) {
  return Table(chain.size(), Health(static_cast<std::size_t>(chain.health_index().most()) + 1, value));
}

/// The distribution of tokens and health after one more shot, without destroyed ships.
Table shoot(const Chain& chain, const Table& now) {
  Table next = filled(chain, 0.0);
  for (std::size_t s = 0; s < chain.size(); ++s) {
    for (int h = 1; h <= chain.health_index().most(); ++h) {
      const double p = base::nth(now[s], h);
      if (p == 0) continue;
      for (const Step& step : chain.steps(s, h)) {
        const int left = chain.health_index().after(h, step.damage);
        if (left == 0) continue;
        base::nth(base::nth(next, step.state), left) += p * step.probability;
      }
    }
  }
  return next;
}

void refresh(const Chain& chain, Table& table) {
  Table next = filled(chain, 0.0);
  for (std::size_t s = 0; s < table.size(); ++s) {
    Health& to = next[chain.refreshed(s)];
    for (std::size_t h = 0; h < table[s].size(); ++h)
      base::nth(to, chain.health_index().recovered(static_cast<int>(h))) += table[s][h];
  }
  table = std::move(next);
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
  // survives[s][h]: the probability to survive the m shots counted so far. Counting runs backward, so a round ends
  // where the first one begins.
  constexpr int kLongEnough = 1000;
  constexpr double kNoChance = 1e-9;
  Table survives = filled(chain, 1.0);
  const HealthIndex& health_index = chain.health_index();
  double rest = std::numeric_limits<double>::infinity();
  for (int m = 1; m <= options.most_shots; ++m) {
    if (options.round > 0 && (m - 1) % options.round == 0) {
      const Table fresh = survives;
      for (std::size_t s = 0; s < chain.size(); ++s) {
        for (int h = 1; h <= health_index.most(); ++h)
          base::nth(survives[s], h) = base::nth(fresh[chain.refreshed(s)], health_index.recovered(h));
      }
    }
    Table before = survives;
    double worst = 0;
    for (std::size_t s = 0; s < chain.size(); ++s) {
      for (int h = 1; h <= health_index.most(); ++h) {
        double sum = 0;
        for (const Step& step : chain.steps(s, h)) {
          const int left = health_index.after(h, step.damage);
          if (left == 0) continue;
          sum += step.probability * base::nth(base::nth(survives, step.state), left);
        }
        base::nth(before[s], h) = sum;
        if (chain.begins_round(s)) worst = std::max(worst, sum);
      }
    }
    survives = std::move(before);
    const bool at_boundary = options.round == 0 || m % options.round == 0;
    if (at_boundary) rest = m / (1 - worst);
    if (at_boundary && worst <= 0.5) return rest;
    // The probability to be destroyed is 0 up to rounding.
    if (m >= kLongEnough && worst > 1 - kNoChance) return std::numeric_limits<double>::infinity();
  }
  return rest;
}

/// E[N] if every shot finds the defender's tokens as at the start and nothing recovers: E[h] = (1 + sum over d > 0 of
/// p(d) E[h - d]) / p(d > 0).
double mean_refreshed(const Chain& chain) {
  const int most = chain.health_index().most();
  Health expected(static_cast<std::size_t>(most) + 1, 0.0);
  for (int h = 1; h <= most; ++h) {
    double sum = 1, hit = 0;
    for (const Step& step : chain.steps(0, h)) {
      if (step.damage == 0) continue;
      hit += step.probability;
      sum += step.probability * base::nth(expected, chain.health_index().after(h, step.damage));
    }
    base::nth(expected, h) = hit > 0 ? sum / hit : std::numeric_limits<double>::infinity();
  }
  return expected.back();
}

/// The plan without the parts that its shots do not read. Plans that are equal without them have the same chain.
game::Plan as_played(game::Plan plan) {
  game::ShipPlan& defender = base::nth(plan.ships, defender_of(plan));
  if (plan.objective != game::Objective::Damage || defender.health >= 0) return plan;
  defender.hull = 1;
  defender.shields = defender.shields_recover = defender.most_shields = 0;
  plan.mine_total = plan.theirs_total = 0;
  return plan;
}

}  // namespace

struct ShotCache::ChainCache {
  std::mutex mutex;
  struct Entry {
    std::vector<WeightedPlan> plans;
    DurabilityOptions options;  ///< a chain depends on its rounds and shots
    std::shared_ptr<const Chain> chain;
  };
  std::vector<Entry> chains;

  std::shared_ptr<const Chain> find(const std::vector<WeightedPlan>& plans, const DurabilityOptions& options) {
    const std::lock_guard lock(mutex);
    for (const Entry& entry : chains) {
      const bool same = entry.options.round == options.round && entry.options.by_rules == options.by_rules &&
                        entry.options.shots == options.shots && entry.options.rounds == options.rounds;
      if (same && entry.plans == plans) return entry.chain;
    }
    return nullptr;
  }

  /// The chain of the plans, from the cache if possible.
  Chain chain(const std::vector<WeightedPlan>& plans, const DurabilityOptions& options) {
    std::vector<WeightedPlan> key;
    for (const WeightedPlan& one : plans) key.push_back({as_played(one.plan), one.weight});
    auto found = find(key, options);
    if (found == nullptr) {
      found = std::make_shared<const Chain>(plans, options);
      const std::lock_guard lock(mutex);
      if (chains.size() < kMaxChains) chains.push_back({std::move(key), options, found});
    }
    return found->with(health_index_of(plans.front().plan, options));
  }

  static constexpr std::size_t kMaxChains = 64;
};

ShotCache::ShotCache() : cache_(std::make_unique<ChainCache>()) {}
ShotCache::~ShotCache() = default;

namespace {

template <typename Which>
bool any_charge(const game::Plan& plan, const Which& which) {
  const int defender = defender_of(plan);
  return std::any_of(plan.resources.begin(), plan.resources.end(),
                     [&](const game::Resource& r) { return r.ship == defender && r.dynamic && r.charge && which(r); });
}

}  // namespace

bool has_charges(const game::Plan& plan) {
  return any_charge(plan, [](const game::Resource&) { return true; });
}

bool recovers_by_rules(const game::Plan& plan) {
  // Charges that recover in full return to their initial number under either rule.
  const auto partly_back = [](const game::Resource& r) { return r.end.recover < r.max || r.initial < r.max; };
  return base::nth(plan.ships, defender_of(plan)).shields_recover > 0 || any_charge(plan, partly_back);
}

int round_length(const DurabilityOptions& options) {
  return options.shots.size() > 1 ? static_cast<int>(options.shots.size()) : options.round;
}

int Durability::quantile(double share) const {
  for (std::size_t n = 0; n < cdf.size(); ++n) {
    if (cdf[n] >= share) return static_cast<int>(n);
  }
  return -1;
}

int shots_in_rounds(const DurabilityOptions& options, int rounds) {
  if (options.rounds.empty()) return rounds * round_length(options);
  const auto listed = static_cast<int>(options.rounds.size());
  if (rounds < listed) return static_cast<int>(base::nth(options.rounds, rounds));
  const auto all = static_cast<int>(options.shots.size()), last = all - static_cast<int>(options.rounds.back());
  return all + (rounds - listed) * last;
}

Durability in_rounds(const Durability& shots, const DurabilityOptions& options) {
  Durability out;
  out.destructible = shots.destructible;
  const auto shots_after = [&](std::size_t round) {
    return static_cast<std::size_t>(shots_in_rounds(options, static_cast<int>(round)));
  };
  while (shots_after(out.cdf.size()) < shots.cdf.size()) out.cdf.push_back(shots.cdf[shots_after(out.cdf.size())]);
  out.beyond = 1 - out.cdf.back();
  if (shots_after(out.cdf.size() - 1) == shots.cdf.size() - 1) out.beyond = shots.beyond;
  out.mean = shots.mean_rounds;
  out.mean_bound = shots.mean_rounds_bound;
  return out;
}

Durability durability(const game::Plan& plan, const DurabilityOptions& options, ShotCache* played) {
  return durability(std::vector<WeightedPlan>{{plan, 1}}, options, played);
}

Durability durability(const std::vector<WeightedPlan>& plans, const DurabilityOptions& options, ShotCache* played) {
  constexpr double kRelativeError = 1e-13;  // of the mean, at which playing on is not worthwhile
  const Chain chain = played != nullptr ? played->cache_->chain(plans, options) : Chain(plans, options);
  const bool closed_form = options.round == 1 && !options.by_rules && options.shots.size() <= 1;
  const double rest = closed_form ? 0 : expected_rest(chain, options);
  const bool rounds = !options.rounds.empty() || round_length(options) > 0;
  int round = 1;  // number of the current round
  Table now = filled(chain, 0.0);
  base::nth(now[0], chain.health_index().start()) = 1.0;
  Durability out;
  out.cdf.push_back(0.0);
  out.mean = out.mean_rounds = 1;  // the first shot and round are always needed
  for (int n = 1; n <= options.most_shots; ++n) {
    now = shoot(chain, now);
    const bool round_ends = options.round > 0 && n % options.round == 0;
    if (round_ends) refresh(chain, now);
    const double alive = surviving(now);
    const bool listed = out.beyond > options.tail && static_cast<int>(out.cdf.size()) <= options.most_listed;
    if (listed) {
      out.cdf.push_back(std::clamp(1 - alive, 0.0, 1.0));
      out.beyond = alive;
    }
    // The bound holds for states at the end of a round.
    const bool at_boundary = options.round == 0 || round_ends;
    if (at_boundary) {
      out.mean_bound = closed_form ? 0 : alive * rest;
      const bool enough = std::isinf(rest) || !(out.mean_bound > kRelativeError * out.mean);
      if (enough && !listed) break;
    }
    out.mean += alive;
    if (!rounds || n < shots_in_rounds(options, round)) continue;
    out.mean_rounds += alive;
    ++round;
  }
  out.mean_rounds_bound = out.mean_bound;
  if (closed_form) out.mean = out.mean_rounds = mean_refreshed(chain);
  out.destructible = !std::isinf(rest) && !std::isinf(out.mean);
  if (!out.destructible) {
    out.mean = out.mean_bound = std::numeric_limits<double>::infinity();
    out.mean_rounds = out.mean_rounds_bound = out.mean;
  }
  return out;
}

}  // namespace salvo::exact
