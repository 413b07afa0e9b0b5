// Limits on how often effects are used, and the bits of Position::used that record what was used, spent and gained.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/index.h"
#include "compile/effects.h"
#include "compile/facts.h"

namespace salvo::compile {
namespace {

constexpr int kMaxLimited = 12;  // dice of a reroll without a limit

/// Allows the effect only once per attack, together with all effects of the ship that share `id`; sets its bit when
/// used. Returns the condition that none of them was used.
game::Expression not_used_before(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner,
                                 std::string_view id, game::Effect& effect) {
  const int bit =
      attack.bit({.kind = UsedName::Kind::Choice, .ship = attack.ship_of("friend", owner), .id = id}, spec.place);
  effect.sets |= 1u << bit;
  return {{Code::Used, bit}, {Code::Not, 0}};
}

/// Notes that dice of a ship were rerolled, until something changes them. A lock may be spent on none (002: Acquire a
/// target lock).
void note_reroll(const AttackDraft& attack, game::Operation& operation, game::Effect& effect) {
  using Kind = game::Operation::Kind;
  const bool rerolls = operation.kind == Kind::Reroll;
  if (!rerolls && operation.kind != Kind::Change && operation.kind != Kind::Add && operation.kind != Kind::Cancel)
    return;
  const int ship = attack.ship_of_role(operation.attack_dice);
  (!rerolls            ? effect.clears
   : operation.if_none ? operation.sets
                       : effect.sets) |=
      attack.bits_of({.kind = UsedName::Kind::Rerolled, .ship = ship, .id = std::string_view()});
}

}  // namespace

void limit_reroll(const AttackDraft& attack, const load::EffectSpec& spec, const Allowed& may, const Owner& owner,
                  game::Operation& reroll, game::Effect& effect) {
  const game::Expression& limited = may.one_die_while;
  if (limited.empty()) {
    reroll.n = 1;
    reroll.amount.clear();
  } else {
    game::Expression most = constant(1);  // or all dice while the rule does not apply
    for (int i = 1; i < kMaxLimited; ++i) most = combined(std::move(most), negated(limited), Code::Add);
    if (reroll.amount.empty()) reroll.amount = constant(reroll.all ? kMaxLimited : reroll.n);
    reroll.amount = combined(std::move(reroll.amount), most, Code::Minimum);
  }
  reroll.all = false;
  game::Expression first =
      not_used_before(attack, spec, owner, reroll.attack_dice ? "attack die rerolled" : "defense die rerolled", effect);
  if (!limited.empty()) first = combined(std::move(first), negated(limited), Code::Or);
  effect.when = both(std::move(effect.when), first);
}

bool limit_modified(const AttackDraft& attack, const load::EffectSpec& spec, const Allowed& may, const Owner& owner,
                    game::Operation& change, game::Effect& effect) {
  using Modified = AttackDraft::Modified;
  const load::Edition& edition = attack.draft.edition;
  const int face = face_of(change.attack_dice ? edition.attack_die : edition.defense_die, may.one_of);
  const bool dice = change.kind == game::Operation::Kind::Change || change.kind == game::Operation::Kind::Reroll ||
                    change.kind == game::Operation::Kind::Cancel;
  const auto at = std::find(change.from.begin(), change.from.end(), face);
  if (!dice || at == change.from.end()) return attack.modified == Modified::One;
  if (attack.modified == Modified::Any) {
    if (may.one_of_while.empty()) return false;
    effect.when = both(std::move(effect.when), negated(may.one_of_while));
    return true;
  }
  effect.when = both(std::move(effect.when), may.one_of_while);
  if (attack.modified == Modified::None) {
    change.from.erase(at);
    return !change.from.empty();
  }
  if (change.from.size() == 1) {
    change.n = 1;
    change.all = false;
  } else {
    change.min = 1;
    change.max = face + 1;
  }
  const char* id = change.attack_dice ? "attack result modified" : "defense result modified";
  effect.when = both(std::move(effect.when), not_used_before(attack, spec, owner, id, effect));
  return true;
}

void limit_uses(AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner, game::Effect& effect, int& bit) {
  const Draft& draft = attack.draft;
  if (spec.once_per_round)
    effect.cost.push_back({draft.find_resource(game::Resource::Kind::Use, owner.ship,
                                               use_number(*owner.card, spec.use, owner.card_number)),
                           1});
  for (const load::OperationSpec& operation : spec.operations) {
    if (operation.verb != load::Verb::Bonus) continue;
    const int ship = attack.ship_of(operation.who, owner);
    const int left = draft.find_resource(game::Resource::Kind::BonusUse, ship);
    if (left >= 0) effect.cost.push_back({left, 1});
    const int more = draft.find_resource(game::Resource::Kind::MoreBonus, ship);
    if (more < 0) continue;
    if (operation.last) effect.cost.push_back({more, 1});
    if (!operation.last) effect.when = both(std::move(effect.when), {{Code::Resource, more}});
  }
  const bool once = spec.once_per_attack || !spec.offers.empty() || spec.at == load::Window::Suffered ||
                    (owner.card != nullptr && spec.may && !spec.repeats && !spec.each);
  if (!spec.choice.empty())
    bit = attack.bit({.kind = UsedName::Kind::Choice,
                      .ship = owner.ship,
                      .card = owner.card_number,
                      .id = spec.choice,
                      .ally = owner.ally},
                     spec.place);
  if (once) effect.used_bit = bit = bit >= 0 ? bit : attack.new_bit(spec.place);
}

void limit_reached(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner,
                   game::Effect& effect) {
  if (owner.card == nullptr || owner.ally < 0 || owner.ship != attack.ship_of_role(owner.attacks)) return;
  for (const Fact& fact : prepared.when.facts) {
    if (fact.kind != Fact::Kind::Board || fact.whole.find("friend") == std::string::npos) continue;
    const std::string narrower = narrower_fact(attack, fact.whole, owner, owner.ally);
    const std::string& name = narrower.empty() ? fact.whole : narrower;
    const int most = stated_number(attack, name).value_or(0);
    const int role = attack.ship_of_role(!name.starts_with("defender-"));
    for (const int reached : {owner.ally, owner.enemy}) {
      if (most <= 0 || reached < 0 || attack.ship(reached).mine != attack.ship(role).mine) continue;
      const auto bit_of = [&](int ship) {
        return attack.bit({.kind = UsedName::Kind::Choice,
                           .ship = owner.ship,
                           .card = owner.card_number,
                           .id = fact.whole,
                           .ally = ship},
                          prepared.spec->place);
      };
      std::vector<int> others;
      for (int s = 0; s < static_cast<int>(attack.draft.ships.size()); ++s) {
        const ShipDraft& ship = attack.ship(s);
        if (s != reached && s != role && ship.mine == attack.ship(role).mine && ship.carrier < 0) others.push_back(s);
      }
      if (static_cast<int>(others.size()) < most) continue;
      game::Expression used = constant(0);
      for (const int ship : others) used = combined(std::move(used), {{Code::Used, bit_of(ship)}}, Code::Add);
      effect.when = both(std::move(effect.when), combined(std::move(used), constant(most), Code::Less));
      effect.sets |= 1u << bit_of(reached);
    }
  }
}

std::optional<DueTokens> act_on_each(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner,
                                     game::Effect& effect) {
  constexpr int kMost = 7;  // a position has few bits: more in one attack count as this many
  Draft& draft = attack.draft;
  const load::TokenEvent& event = *prepared.spec->each;
  const int kind = draft.token_index(event.token);
  if (kind < 0) throw LoadError(fmt::format("{}: {}", prepared.spec->place, unknown_token(draft.edition, event.token)));
  const int ship = attack.ship_of(event.who, owner);
  const int token = draft.token_resource(ship, kind);
  if (token < 0) return std::nullopt;
  const auto tokens = static_cast<int>(draft.edition.tokens.size());
  const int number = (use_number(*owner.card, {}, owner.card_number) * tokens + kind) * 2 + event.gained;
  const int counted = number * static_cast<int>(draft.ships.size()) + owner.ship;
  int due = draft.find_resource(game::Resource::Kind::Due, ship, counted);
  if (due < 0)
    due = add_resource(draft,
                       {.kind = game::Resource::Kind::Due,
                        .ship = ship,
                        .token = counted,
                        .max = std::min(base::nth(draft.out.plan.resources, token).max, kMost)},
                       "due:" + owner.card->id);
  effect.cost.push_back({due, 1});
  if (!effect.may) effect.times = {{Code::Resource, due}};
  return DueTokens{event.gained ? UsedName::Kind::Gained : UsedName::Kind::Spent, token, due};
}

namespace {

/// Makes the effect count tokens that it spends. It does so before it waits for dice.
void count_spent(const DueTokens& tokens, game::Effect& effect) {
  const auto paid = std::find_if(effect.cost.begin(), effect.cost.end(),
                                 [&](const game::Cost& cost) { return cost.resource == tokens.token; });
  if (paid == effect.cost.end()) return;
  const auto waits = std::find_if(effect.operations.begin(), effect.operations.end(), [](const game::Operation& o) {
    return o.kind == game::Operation::Kind::Reroll || o.kind == game::Operation::Kind::Roll;
  });
  effect.operations.insert(waits,
                           {.kind = game::Operation::Kind::Gain, .n = paid->n, .aside = true, .resource = tokens.due});
}

/// Counts tokens with which the attacker pays for its weapon.
void count_price(AttackDraft& attack, const DueTokens& tokens) {
  for (const game::Cost& price : attack.plan.cost) {
    if (price.resource != tokens.token) continue;
    game::Effect paid;
    paid.operations.push_back({.kind = game::Operation::Kind::Gain, .n = price.n, .resource = tokens.due});
    const int index = store_effect(attack, std::move(paid), {}, {.id = "due", .detail = ""});
    attack.in_windows.push_back({load::Window::Always, false, true, index});
  }
}

/// Makes the effect count tokens that it gives, after each operation that does.
void count_gained(const DueTokens& tokens, game::Effect& effect) {
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    if (effect.operations[i].kind != game::Operation::Kind::Gain || effect.operations[i].resource != tokens.token)
      continue;
    game::Operation count = effect.operations[i];
    count.aside = true;
    count.resource = tokens.due;
    effect.operations.insert(effect.operations.begin() + static_cast<std::ptrdiff_t>(++i), std::move(count));
  }
}

/// Whether the effect itself acts once for each token that was spent, or gained, of this kind.
bool passes_on(const AttackDraft& attack, const game::Effect& effect, const DueTokens& tokens) {
  const auto kind = [&](const DueTokens& of) { return base::nth(attack.draft.out.plan.resources, of.token).token; };
  return std::any_of(attack.due.begin(), attack.due.end(), [&](const DueTokens& of) {
    return of.event == tokens.event && kind(of) == kind(tokens) &&
           std::any_of(effect.cost.begin(), effect.cost.end(),
                       [&](const game::Cost& cost) { return cost.resource == of.due; });
  });
}

}  // namespace

void count_due_tokens(AttackDraft& attack) {
  for (const DueTokens& tokens : attack.due) {
    for (std::size_t e = 0; e < attack.plan.effects.size(); ++e) {
      game::Effect& effect = attack.plan.effects[e];
      if (passes_on(attack, effect, tokens)) continue;  // two cards could pass a token to and fro without end
      tokens.event == UsedName::Kind::Gained ? count_gained(tokens, effect) : count_spent(tokens, effect);
      if (effect.operations.size() > game::kMaxOperations)
        throw ScenarioError(attack.path, fmt::format("cards count what the effect {} spends or gives, which then has "
                                                     "more than {} operations; leave one of these cards out",
                                                     attack.labels[e].id, game::kMaxOperations));
    }
    if (tokens.event == UsedName::Kind::Spent) count_price(attack, tokens);
  }
  // After the first of two attacks, effects follow the second (003: Timing Chart).
  if (attack.entry.twice == SequenceEntry::Twice::First) return;
  std::set<int> ended;
  for (const DueTokens& tokens : attack.due) {
    if (!ended.insert(tokens.due).second) continue;
    game::Effect end;
    end.operations.push_back({.kind = game::Operation::Kind::Lose, .all = true, .resource = tokens.due});
    attack.at_end.push_back(store_effect(attack, std::move(end), {}, {.id = "due", .detail = ""}));
  }
}

namespace {

/// The bit that a ship suffered critical damage, if the operation deals it some in any case: an effect cannot set a bit
/// for a part of its uses.
std::uint32_t critical_damage(const AttackDraft& attack, const game::Operation& operation) {
  if (operation.kind != game::Operation::Kind::Damage || operation.shield || operation.recover) return 0;
  const int ship = attack.plan.victim(operation.victim);
  const auto all = attack.hits_are_crits.find(ship);
  int n = operation.n, converts = 0;
  if (!operation.amount.empty() && !is_constant(operation.amount, n)) return 0;
  const bool crit =
      operation.crit || (all != attack.hits_are_crits.end() && is_constant(all->second, converts) && converts != 0);
  if (!crit || n <= 0) return 0;
  return attack.bits_of({.kind = UsedName::Kind::Lost, .ship = ship, .id = "crit"});
}

/// Notes that the defender suffers critical damage from the attack's results.
void note_critical_results(AttackDraft& attack) {
  const std::uint32_t bit = attack.bits_of({.kind = UsedName::Kind::Lost, .ship = attack.plan.defender, .id = "crit"});
  if (bit == 0 || attack.plan.engagement) return;
  game::Effect effect{.when = {{Code::AttackFace, prepared(attack.draft.edition).attack_die.crit}}, .sets = bit};
  if (const auto all = attack.hits_are_crits.find(attack.plan.defender); all != attack.hits_are_crits.end())
    effect.when = combined(std::move(effect.when), both(all->second, {{Code::Remaining, 0}}), Code::Or);
  attack.before_damage.push_back(store_effect(attack, std::move(effect), {}, {.id = "critical-damage", .detail = ""}));
}

}  // namespace

void set_use_bits(AttackDraft& attack) {
  if (attack.bits.empty()) return;
  const auto& resources = attack.draft.out.plan.resources;
  const auto did = [&](UsedName::Kind kind, int resource) -> std::uint32_t {
    const game::Resource& r = base::nth(resources, resource);
    const bool lock = r.kind == game::Resource::Kind::Lock;
    if (!lock && r.kind != game::Resource::Kind::Token) return 0;
    const std::string_view id = lock ? "lock" : std::string_view(base::nth(attack.draft.edition.tokens, r.token).id);
    return attack.bits_of({.kind = kind, .ship = r.ship, .id = id}) |
           attack.bits_of({.kind = kind, .ship = r.ship, .id = UsedName::kAnyToken});
  };
  for (std::size_t e = 0; e < attack.plan.effects.size(); ++e) {
    game::Effect& effect = attack.plan.effects[e];
    effect.sets |= attack.bits_of(attack.effect_names[e]);
    for (const game::Cost& cost : effect.cost) effect.sets |= did(UsedName::Kind::Spent, cost.resource);
    for (game::Operation& operation : effect.operations) {
      note_reroll(attack, operation, effect);
      if (operation.kind == game::Operation::Kind::Gain)
        (operation.amount.empty() ? effect.sets : operation.sets) |= did(UsedName::Kind::Gained, operation.resource);
      if (operation.shield && !operation.paid)
        effect.sets |= attack.bits_of(
            {.kind = UsedName::Kind::Lost, .ship = attack.plan.victim(operation.victim), .id = "shield"});
      if (operation.past_shields)
        (operation.amount.empty() ? effect.sets : operation.sets) |=
            attack.bits_of({.kind = UsedName::Kind::Lost, .ship = attack.plan.victim(operation.victim), .id = "card"});
      effect.sets |= critical_damage(attack, operation);
    }
    const auto lent = attack.lent.find(static_cast<int>(e));
    if (lent == attack.lent.end()) continue;
    const Lender& lender = *lent->second;
    effect.sets |= attack.bits_of({.kind = UsedName::Kind::Spent, .ship = lender.borrower, .id = lender.token});
    effect.sets |= attack.bits_of(lender.owner.named(lender.effect->spec->id));
  }
  for (const auto& [effect, ship] : attack.modifiers)
    base::nth(attack.plan.effects, effect).sets |=
        attack.bits_of({.kind = UsedName::Kind::Modified, .ship = ship, .id = std::string_view()});
  note_critical_results(attack);
  set_dealt_bits(attack);
}

}  // namespace salvo::compile
