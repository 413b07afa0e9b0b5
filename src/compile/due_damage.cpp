// Damage that a player can prevent (verb prevent): effects only note what they would deal, the options at damage-due
// follow, and then the ship suffers what is left.
#include <algorithm>
#include <map>
#include <utility>

#include "base/index.h"
#include "compile/effects.h"

namespace salvo::compile {
namespace {

/// The resource that counts damage due to a ship.
int due_resource(Draft& draft, int ship, bool crit) {
  constexpr int kMost = 15;
  const int found = draft.find_resource(game::Resource::Kind::Damage, ship, crit ? 1 : 0);
  if (found >= 0) return found;
  return add_resource(draft, {.kind = game::Resource::Kind::Damage, .ship = ship, .token = crit ? 1 : 0, .max = kMost},
                      "damage-due");
}

/// Whether an operation deals damage that a ship suffers, not damage cards past its shields.
bool makes_suffer(const game::Operation& operation) {
  return operation.kind == game::Operation::Kind::Damage && !operation.shield && !operation.recover &&
         !operation.past_shields;
}

game::Operation suffer(Draft& draft, int ship, std::uint8_t victim, bool crit) {
  return {.kind = game::Operation::Kind::Damage,
          .crit = crit,
          .victim = victim,
          .amount = {{Code::Resource, due_resource(draft, ship, crit)}}};
}

game::Operation forget(Draft& draft, int ship, bool crit) {
  return {.kind = game::Operation::Kind::Lose, .all = true, .resource = due_resource(draft, ship, crit)};
}

/// The ship suffers all damage that is due, which is then none. Amounts are read before the first operation.
std::vector<game::Operation> suffer_due(Draft& draft, int ship, std::uint8_t victim) {
  std::vector<game::Operation> out;
  for (const bool crit : {false, true}) out.push_back(suffer(draft, ship, victim, crit));
  for (const bool crit : {false, true}) out.push_back(forget(draft, ship, crit));
  return out;
}

int store(AttackDraft& attack, game::Expression when, std::vector<game::Operation> operations) {
  return store_effect(attack, {.when = std::move(when), .operations = std::move(operations)}, {},
                      {.id = "damage-due", .detail = ""});
}

/// Makes an effect note the damage that it would deal to ships whose player can prevent it. Returns their victim
/// numbers.
std::vector<std::uint8_t> put_aside(AttackDraft& attack, game::Effect& effect) {
  std::vector<std::uint8_t> out;
  for (game::Operation& operation : effect.operations) {
    const int ship = attack.plan.victim(operation.victim);
    if (!makes_suffer(operation) || !attack.of_due.contains(ship)) continue;
    const std::uint8_t victim = operation.victim;
    if (!base::contains(out, victim)) out.push_back(victim);
    operation = {.kind = game::Operation::Kind::Gain,
                 .n = operation.n,
                 .resource = due_resource(attack.draft, ship, operation.crit),
                 .victim = victim,
                 .amount = std::move(operation.amount)};
  }
  return out;
}

/// Adds what follows the effect `root` or an answer to it: the options, then the damage.
void add_due(AttackDraft& attack, int root, std::uint8_t victim) {
  const int ship = attack.plan.victim(victim);
  auto& all = attack.offers[root].due;
  if (std::any_of(all.begin(), all.end(), [&](const DueDamage& due) { return due.ship == ship; })) return;
  DueDamage due{.ship = ship, .options = attack.of_due.at(ship)};
  if (const std::uint32_t bit = attack.bits_of({.kind = UsedName::Kind::Lost, .ship = ship, .id = "crit"}); bit != 0) {
    due.suffered.push_back(store(attack, at_least({{Code::Resource, due_resource(attack.draft, ship, true)}}, 1), {}));
    base::nth(attack.plan.effects, due.suffered.back()).sets |= bit;
  }
  const int open = attack.new_bit(attack.path);  // play passes here without the effect, too
  base::nth(attack.plan.effects, root).sets |= 1u << open;
  due.suffered.push_back(store(attack, {{Code::Used, open}}, suffer_due(attack.draft, ship, victim)));
  base::nth(attack.plan.effects, due.suffered.back()).clears = 1u << open;
  all.push_back(std::move(due));
}

/// The effects of windows, each with the effect that it is or answers.
std::map<int, int> roots_of(const AttackDraft& attack) {
  std::map<int, int> out;
  for (const WindowEffect& effect : attack.in_windows) out[effect.effect] = effect.effect;
  for (const auto& [root, offer] : attack.offers) {
    out[offer.declined] = root;
    for (const int taken : offer.taken) out[taken] = root;
  }
  return out;
}

/// Damage of the ship's own damage cards.
void add_due_of_cards(AttackDraft& attack, std::uint8_t victim) {
  Draft& draft = attack.draft;
  const int ship = attack.plan.victim(victim);
  attack.plan.deals[victim].suffer =
      store(attack, at_least(damage_due(attack, ship), 1), suffer_due(draft, ship, victim));
}

}  // namespace

game::Expression damage_due(const AttackDraft& attack, int ship) {
  game::Expression out = constant(0);
  for (const int crit : {0, 1}) {
    const int due = attack.draft.find_resource(game::Resource::Kind::Damage, ship, crit);
    if (due >= 0) out = combined(std::move(out), {{Code::Resource, due}}, Code::Add);
  }
  return out;
}

bool may_suffer(AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner) {
  const int ship = attack.ship_of(spec.operations.front().who, owner);
  const bool suffers = any_operation(attack.plan, [&](const game::Operation& operation) {
    return makes_suffer(operation) && attack.plan.victim(operation.victim) == ship;
  });
  for (const bool crit : {false, true}) {
    if (suffers) due_resource(attack.draft, ship, crit);
  }
  return suffers;
}

void prevent_damage(AttackDraft& attack, const load::OperationSpec& spec, int ship, game::Expression n,
                    game::Effect& effect) {
  game::Operation crits = forget(attack.draft, ship, true), hits = forget(attack.draft, ship, false);
  if (!spec.all) {
    if (n.empty()) n = constant(spec.n);
    crits.all = hits.all = false;
    hits.amount = combined(combined(n, {{Code::Resource, crits.resource}}, Code::Subtract), constant(0), Code::Maximum);
    crits.amount = std::move(n);
  }
  effect.operations.push_back(std::move(crits));
  effect.operations.push_back(std::move(hits));
}

void put_damage_aside(AttackDraft& attack, std::size_t effects) {
  const std::map<int, int> roots = roots_of(attack);
  for (std::size_t e = 0; e < effects; ++e) {
    const auto root = roots.find(static_cast<int>(e));
    if (root == roots.end()) continue;
    for (const std::uint8_t victim : put_aside(attack, attack.plan.effects[e])) add_due(attack, root->second, victim);
  }
  for (const auto& [place, of_card] : attack.of_damage) {
    for (const int e : of_card) {
      for (const std::uint8_t victim : put_aside(attack, base::nth(attack.plan.effects, e))) {
        if (attack.plan.deals[victim].suffer < 0) add_due_of_cards(attack, victim);
      }
    }
  }
}

}  // namespace salvo::compile
