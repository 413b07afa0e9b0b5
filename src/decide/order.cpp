// Order of fire: every permutation of the attacks that may change places is solved; see salvo/order.h.
#include "salvo/order.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <numeric>

#include "exact/attack_solver.h"

namespace salvo {
namespace {

using Places = std::vector<std::size_t>;

/// Groups of attacks of one side that may change places.
std::vector<Places> groups_of(const Scenario& scenario, const Plan& plan, bool mine) {
  std::vector<Places> out;
  bool open = false;
  for (std::size_t i = 0; i < scenario.attacks.size(); ++i) {
    const auto& initiative = scenario.attacks[i].initiative;
    const bool same_step = i > 0 && initiative == scenario.attacks[i - 1].initiative;
    const bool ours = plan.ships[static_cast<std::size_t>(plan.attacks[i].attacker)].mine == mine;
    // Attacks of the other side in between do not matter at one initiative; without initiatives they do.
    if (!same_step || (!ours && !initiative)) open = false;
    if (!ours) continue;
    if (!open) out.emplace_back();
    open = true;
    out.back().push_back(i);
  }
  std::erase_if(out, [](const Places& group) { return group.size() < 2; });
  return out;
}

/// All orders of all attacks; the scenario's own first.
std::vector<Places> all_orders(std::size_t attacks, const std::vector<Places>& groups) {
  double count = 1;
  for (const Places& group : groups) {
    for (std::size_t n = 2; n <= group.size(); ++n) count *= static_cast<double>(n);
  }
  if (count > kMostOrders) {
    throw ScenarioError("attacks", fmt::format("{:.0f} orders are too many to try (at most {}); give the attacks "
                                               "different initiatives, or leave some out",
                                               count, kMostOrders));
  }
  Places own(attacks);
  std::iota(own.begin(), own.end(), std::size_t{0});
  std::vector<Places> out{own};
  for (const Places& group : groups) {
    const std::vector<Places> before = std::move(out);
    out.clear();
    for (const Places& order : before) {
      Places permuted = group;
      do {
        Places next = order;
        for (std::size_t i = 0; i < group.size(); ++i) next[group[i]] = permuted[i];
        out.push_back(std::move(next));
      } while (std::next_permutation(permuted.begin(), permuted.end()));
    }
  }
  return out;
}

Scenario reordered(const Scenario& scenario, const Places& order) {
  Scenario out = scenario;
  for (std::size_t i = 0; i < order.size(); ++i) out.attacks[i] = scenario.attacks[order[i]];
  return out;
}

/// "red", or "red on black" where the group shoots at several ships or a ship shoots twice.
std::string name_of(const Scenario& scenario, const Places& movable, std::size_t attack) {
  const ScenarioAttack& own = scenario.attacks[attack];
  const bool plain = std::all_of(movable.begin(), movable.end(),
                                 [&](std::size_t other) { return scenario.attacks[other].on == own.on; });
  return plain ? own.by : fmt::format("{} on {}", own.by, own.on);
}

}  // namespace

Order best_order(const Catalogue& catalogue, const Scenario& scenario, bool mine, const exact::Budget& budget) {
  const Question base = compile(catalogue, scenario);
  const std::vector<Places> groups = groups_of(scenario, base.plan, mine);
  if (groups.empty()) {
    throw ScenarioError("attacks", fmt::format("no two attacks of {} may change places: they need one initiative, or "
                                               "to follow each other where none is given",
                                               mine ? "mine" : "theirs"));
  }
  Places movable;
  for (const Places& group : groups) movable.insert(movable.end(), group.begin(), group.end());
  const std::vector<Places> orders = all_orders(scenario.attacks.size(), groups);
  Order out{base.labels, mine, std::vector<OrderEntry>(orders.size())};
  std::vector<double> second(orders.size());
  oneapi::tbb::parallel_for(std::size_t{0}, orders.size(), [&](std::size_t i) {
    OrderEntry& entry = out.entries[i];
    const Question question = compile(catalogue, reordered(scenario, orders[i]));
    entry.outcome = outcome_of(question.plan, budget);
    for (const std::size_t place : movable) {
      entry.attacks.push_back(orders[i][place]);
      entry.order.push_back(name_of(scenario, movable, orders[i][place]));
    }
  });
  const double sign = mine ? 1.0 : -1.0;
  const bool kill = base.plan.objective == Objective::Kill;
  const auto damage = [&](const OrderEntry& entry) { return kill ? entry.outcome.dealt - entry.outcome.taken : 0.0; };
  double best = out.entries.front().outcome.value;
  for (const OrderEntry& entry : out.entries)
    best = mine ? std::max(best, entry.outcome.value) : std::min(best, entry.outcome.value);
  double best_damage = -HUGE_VAL;
  for (const OrderEntry& entry : out.entries) {
    if (exact::equal(entry.outcome.value, best)) best_damage = std::max(best_damage, sign * damage(entry));
  }
  for (OrderEntry& entry : out.entries) {
    const bool tied = exact::equal(entry.outcome.value, best);
    entry.loss = tied ? 0.0 : sign * (best - entry.outcome.value);
    if (tied && !exact::equal(sign * damage(entry), best_damage))
      entry.damage_loss = best_damage - sign * damage(entry);
  }
  std::stable_sort(out.entries.begin(), out.entries.end(), [](const OrderEntry& a, const OrderEntry& b) {
    return a.loss != b.loss ? a.loss < b.loss : a.damage_loss < b.damage_loss;
  });
  return out;
}

}  // namespace salvo
