#include "decide/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "answers/answer.h"
#include "base/index.h"
#include "base/parallel.h"
#include "base/stable_sort.h"
#include "decide/words.h"
#include "exact/value.h"

namespace salvo::decide {
namespace {

using Places = std::vector<std::size_t>;

/// Places of the attacks that are not bonus attacks. A bonus attack follows the attack that grants it and moves with
/// it.
Places bases_of(const Scenario& scenario) {
  Places out;
  for (std::size_t i = 0; i < scenario.attacks.size(); ++i) {
    if (scenario.attacks[i].bonus.empty()) out.push_back(i);
  }
  return out;
}

/// Groups of attacks of one side that may be permuted, as indices of `bases`.
std::vector<Places> groups_of(const Scenario& scenario, const Places& bases, const compile::CompiledScenario& compiled,
                              bool mine) {
  const std::vector<std::string>& names = compiled.labels.ships;
  std::vector<Places> out;
  bool open = false;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const ScenarioAttack& attack = scenario.attacks[bases[i]];
    const auto& initiative = attack.initiative;
    const ScenarioAttack& before = scenario.attacks[bases[i > 0 ? i - 1 : 0]];
    const bool same_step = i > 0 && initiative == before.initiative && attack.round == before.round;
    const auto ship = std::find(names.begin(), names.end(), attack.by) - names.begin();
    const bool ours = base::nth(compiled.plan.ships, ship).mine == mine;
    // At one initiative, attacks of the other side may lie in between; without initiatives they end a group.
    if (!same_step || (!ours && !initiative)) open = false;
    if (!ours) continue;
    if (!open) out.emplace_back();
    open = true;
    out.back().push_back(i);
  }
  std::erase_if(out, [](const Places& group) { return group.size() < 2; });
  return out;
}

/// All orders of all attacks; the scenario's own order first.
std::vector<Places> all_orders(std::size_t attacks, const std::vector<Places>& groups) {
  double count = 1;
  for (const Places& group : groups) {
    for (std::size_t n = 2; n <= group.size(); ++n) count *= static_cast<double>(n);
  }
  if (count > kMaxOrders) {
    throw ScenarioError("attacks", fmt::format("{:.0f} orders are too many to try (at most {}); give the attacks "
                                               "different initiatives, or leave some out",
                                               count, kMaxOrders));
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

Scenario reordered(const Scenario& scenario, const Places& bases, const Places& order) {
  Scenario out = scenario;
  out.attacks.clear();
  for (const std::size_t base : order) {
    const std::size_t end = base + 1 < bases.size() ? bases[base + 1] : scenario.attacks.size();
    for (std::size_t i = bases[base]; i < end; ++i) out.attacks.push_back(scenario.attacks[i]);
  }
  return out;
}

/// "red", or "red on black" if the group attacks several ships. If a ship attacks twice, its weapon is added, or the
/// number of the attack if the weapons are the same, too.
std::string name_of(const Scenario& scenario, const Places& bases, const Places& movable, std::size_t base) {
  const ScenarioAttack& own = scenario.attacks[bases[base]];
  const bool plain = std::all_of(movable.begin(), movable.end(),
                                 [&](std::size_t other) { return scenario.attacks[bases[other]].on == own.on; });
  const auto alike = [&](auto same) {
    return std::count_if(movable.begin(), movable.end(), [&](std::size_t other) {
      const ScenarioAttack& attack = scenario.attacks[bases[other]];
      return attack.by == own.by && attack.on == own.on && same(attack);
    });
  };
  std::string out = plain ? own.by : fmt::format("{} on {}", own.by, own.on);
  if (alike([](const ScenarioAttack&) { return true; }) > 1)
    out += alike([&](const ScenarioAttack& attack) { return attack.weapon == own.weapon; }) > 1
               ? fmt::format(" (attack {})", bases[base] + 1)
               : fmt::format(" with {}", own.weapon);
  return out;
}

}  // namespace

Order best_order(const Catalogue& catalogue, const Scenario& given, bool mine, const AnswerOptions& options) {
  const answers::PreparedScenario prepared = answers::prepare(catalogue, given, options);
  const Scenario& scenario = prepared.scenario;
  const compile::CompiledScenario& base = prepared.compiled;
  const exact::Budget budget = answers::budget_of(options);
  const Places bases = bases_of(scenario);
  const std::vector<Places> groups = groups_of(scenario, bases, base, mine);
  if (groups.empty()) {
    throw ScenarioError("attacks", fmt::format("no two attacks of {} can swap places: they need one initiative, or "
                                               "to follow each other where none is given",
                                               mine ? "mine" : "theirs"));
  }
  Places movable;
  for (const Places& group : groups) movable.insert(movable.end(), group.begin(), group.end());
  const std::vector<Places> orders = all_orders(bases.size(), groups);
  Order out{base.labels, mine, std::vector<OrderEntry>(orders.size()), ship_titles(base.labels)};
  std::vector<double> second(orders.size());
  base::for_each(orders.size(), [&](std::size_t i) {
    OrderEntry& entry = out.entries[i];
    const compile::CompiledScenario compiled =
        compile::compile_scenario(catalogue, reordered(scenario, bases, orders[i]));
    entry.outcome = expectations_of(compiled.plan, budget);
    for (const std::size_t place : movable) {
      entry.attacks.push_back(bases[orders[i][place]]);
      entry.order.push_back(name_of(scenario, bases, movable, orders[i][place]));
    }
  });
  const double sign = mine ? 1.0 : -1.0;
  const bool kill = base.plan.objective == game::Objective::Kill;
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
  base::stable_sort(out.entries, [](const OrderEntry& a, const OrderEntry& b) {
    return a.loss != b.loss ? a.loss < b.loss : a.damage_loss < b.damage_loss;
  });
  return out;
}

}  // namespace salvo::decide
