#include "battle/solved_attacks.h"

#include <utility>
#include <vector>

#include "base/index.h"
#include "compile/plan_cache.h"
#include "game/plan_resources.h"

namespace salvo::battle {
namespace {

/// One attack of a plan with only the resources that it reads.
struct LoneAttack {
  game::Plan plan;
  std::vector<std::size_t> resources;  ///< indices in the whole plan, by resource of `plan`
};

bool can_harm(const game::AttackPlan& attack, int ship) {
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    if (attack.victim(v) == ship) return true;
  }
  return false;
}

/// Clears data of ships that attacks do not read. Where the health of a ship matters, it is a resource.
void drop_unread(game::Plan& plan) {
  const game::AttackPlan& attack = plan.attacks[0];
  for (std::size_t s = 0; s < plan.ships.size(); ++s) {
    const game::ShipPlan ship = plan.ships[s];
    game::ShipPlan& left = plan.ships[s] = game::ShipPlan{.mine = ship.mine, .effect_damage = ship.effect_damage};
    if (!can_harm(attack, static_cast<int>(s))) continue;
    left.health = ship.health;
    if (ship.health >= 0) left.counted_hull = ship.counted_hull;
    left.hull_left = ship.hull_left;
    left.shields_left = ship.shields_left;
  }
}

/// Calls visit(int&) for each reference to a resource.
template <typename Visit>
void each_name(game::Plan& plan, const Visit& visit) {
  game::AttackPlan& attack = plan.attacks[0];
  game::each_resource(attack, visit);
  for (std::vector<game::PolicyRule>* const list : {&attack.attacker_rules, &attack.defender_rules}) {
    for (game::PolicyRule& rule : *list) {
      for (game::SpendLimit& limit : rule.limits) {
        for (int& resource : limit.resources) visit(resource);
      }
    }
  }
  for (game::ShipPlan& ship : plan.ships) {
    for (int* const part : {&ship.health, &ship.hull_left, &ship.shields_left}) {
      if (*part >= 0) visit(*part);
    }
  }
}

/// Within an attack a resource is identified by its index, not by its card.
game::Resource without_name(game::Resource resource, const game::Resources& start) {
  resource.initial = start.get(resource);
  resource.token = -1;
  resource.end = {};
  resource.charge = false;
  resource.word = resource.shift = 0;
  return resource;
}

/// A resource of the whole plan and its counterpart in the lone plan.
struct Same {
  const game::Resource &whole, &lone;
};

template <typename Visit>
void each_same(const LoneAttack& lone, const game::Plan& whole, const Visit& visit) {
  for (std::size_t r = 0; r < lone.resources.size(); ++r) {
    const Same same{whole.resources[lone.resources[r]], lone.plan.resources[r]};
    if (same.lone.dynamic) visit(same);
  }
}

LoneAttack lone_attack(const game::Plan& plan, std::size_t k, const game::Resources& start) {
  LoneAttack out;
  game::Plan& one = out.plan;
  one.attack_die = plan.attack_die;
  one.defense_die = plan.defense_die;
  one.objective = plan.objective;
  one.attacker_policy = plan.attacker_policy;
  one.defender_policy = plan.defender_policy;
  one.damage_deck = plan.damage_deck;
  if (plan.objective == game::Objective::Exchange) {
    one.mine_total = plan.mine_total;
    one.theirs_total = plan.theirs_total;
  }
  one.ships = plan.ships;
  one.attacks = {plan.attacks[k]};
  game::AttackPlan& attack = one.attacks[0];
  attack.removed_after.clear();
  attack.flipped_after.clear();
  attack.merged_after.clear();
  drop_unread(one);
  constexpr int kUnread = -1;
  std::vector<int> names(plan.resources.size(), kUnread);
  each_name(one, [&](const int& resource) { base::nth(names, resource) = 0; });
  for (std::size_t r = 0; r < names.size(); ++r) {
    if (names[r] == kUnread) continue;
    names[r] = static_cast<int>(out.resources.size());
    out.resources.push_back(r);
    one.resources.push_back(without_name(plan.resources[r], start));
  }
  each_name(one, [&](int& resource) { resource = base::nth(names, resource); });
  game::pack_resources(one);
  attack.readable.words.fill(~std::uint64_t{0});
  attack.reads = game::Resources();
  for (const game::Resource& r : one.resources) attack.reads.select(r);
  return out;
}

}  // namespace

/// Ignores the rarest lists of an attack, which are short.
std::size_t SolvedAttacks::bytes_of(const Entry& entry) {
  std::size_t out = sizeof entry;
  const auto add = [&out](const auto& list) { out += list.capacity() * sizeof list[0]; };
  add(entry.plan.ships);
  add(entry.plan.resources);
  add(entry.plan.attacks);
  for (const game::AttackPlan& attack : entry.plan.attacks) {
    add(attack.effects);
    for (const game::Effect& effect : attack.effects) add(effect.operations);
    add(attack.steps);
    add(attack.deals);
  }
  if (entry.ends) add(*entry.ends);
  return out;
}

SolvedAttacks::Found SolvedAttacks::solve(game::Plan lone, std::uint64_t hash, double budget) {
  Ends ends = exact::attack_ends(lone, 0, lone.start, {.edges = budget});
  auto out = std::make_shared<const Entry>(Entry{std::move(lone), std::move(ends)});
  entries_.insert(hash, out, bytes_of(*out));  // another thread may have solved the same attack: no harm
  return out;
}

SolvedAttacks::Ends SolvedAttacks::ends(const game::Plan& plan, std::size_t k, const game::Resources& start,
                                        double budget) {
  LoneAttack lone = lone_attack(plan, k, start);
  const std::uint64_t hash = game::hash_of(lone.plan);
  Found found = entries_.find(hash, [&](const Entry& entry) { return entry.plan == lone.plan; });
  if (!found) found = solve(lone.plan, hash, budget);
  if (!found->ends) return std::nullopt;
  std::vector<exact::AttackEnd> out = *found->ends;
  for (exact::AttackEnd& end : out) {
    game::Resources left = start;
    each_same(lone, plan, [&](const Same& same) { left.set(same.whole, end.resources.get(same.lone)); });
    end.resources = left;
  }
  return out;
}

}  // namespace salvo::battle
