// Compiles the verbs of effects for one attack.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/index.h"
#include "compile/attack_draft.h"

namespace salvo::compile {
namespace {

void compile_faces(const AttackDraft& attack, const load::EffectSpec& effect, const load::OperationSpec& spec,
                   game::Operation& out) {
  const load::Edition& edition = attack.draft.edition;
  const load::DieSpec& die = out.attack_dice ? edition.attack_die : edition.defense_die;
  const auto index = [&](std::string_view name) {
    const int face = face_of(die, name == "success" ? (out.attack_dice ? "hit" : "evade") : name);
    if (face < 0)
      throw LoadError(
          fmt::format("{}: the {} die has no face '{}'", effect.place, out.attack_dice ? "attack" : "defense", name));
    return face;
  };
  const bool any = spec.from.empty() || (spec.from.size() == 1 && spec.from[0] == "any");
  for (int f = 0; any && f < static_cast<int>(die.faces.size()); ++f) out.from.push_back(f);
  for (std::size_t i = 0; !any && i < spec.from.size(); ++i) out.from.push_back(index(spec.from[i]));
  if (!spec.to.empty()) out.to = index(spec.to);
}

/// The victim number of a ship in this attack; assigns a free one if it has none yet. Nothing if none is free: the
/// answer then says what it leaves out.
std::optional<std::uint8_t> victim_of(AttackDraft& attack, int ship, const Owner& owner) {
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    if (attack.plan.victim(v) == ship) return static_cast<std::uint8_t>(v);
  }
  for (std::size_t i = 0; i < attack.plan.others.size(); ++i) {
    if (attack.plan.others[i] >= 0) continue;
    attack.plan.others[i] = ship;
    return static_cast<std::uint8_t>(game::kFirstOther + i);
  }
  base::add_once(
      attack.draft.out.labels.partly,
      fmt::format("{}: what {} suffers in {}: effects of one attack act on at most {} ships besides attacker "
                  "and defender",
                  owner.card == nullptr ? "rules" : owner.card->id, attack.ship(ship).name, attack.path,
                  attack.plan.others.size()));
  return std::nullopt;
}

/// Any lock of the ship, or -1.
int any_lock(const AttackDraft& attack, int ship) {
  const auto& resources = attack.draft.out.plan.resources;
  const auto at = std::find_if(resources.begin(), resources.end(), [ship](const game::Resource& r) {
    return r.kind == game::Resource::Kind::Lock && r.ship == ship;
  });
  return at == resources.end() ? -1 : static_cast<int>(at - resources.begin());
}

std::optional<game::Operation> compile_tokens(const AttackDraft& attack, const load::OperationSpec& spec,
                                              const Owner& owner, game::Operation out) {
  const int ship = attack.ship_of(spec.who, owner);
  out.kind = spec.verb == load::Verb::Gain ? game::Operation::Kind::Gain : game::Operation::Kind::Lose;
  out.resource = spec.token == "lock" ? attack.draft.find_resource(game::Resource::Kind::Lock, ship,
                                                                   locked_ship(attack, spec, ship, owner))
                                      : resource_of(attack, spec.token, ship, owner, spec.of);
  const bool every_lock = spec.token == "lock" && spec.verb == load::Verb::Lose && spec.all;
  if (out.resource < 0 && every_lock) out.resource = any_lock(attack, ship);
  if (out.resource < 0) return std::nullopt;
  if (every_lock) out.displaces = other_locks(attack.draft, out.resource);
  if (spec.token == "lock" && spec.verb == load::Verb::Gain) displace_locks(attack.draft, attack.number, out);
  return out;
}

/// Grants a bonus attack that follows this attack in the sequence and names the card, after those to skip;
/// nothing if there is none.
std::optional<game::Operation> compile_bonus(AttackDraft& attack, const load::OperationSpec& spec, const Owner& owner,
                                             game::Operation out) {
  const Draft& draft = attack.draft;
  const int ship = attack.ship_of(spec.who, owner);
  const auto of_card = [&](const SequenceEntry& entry) {
    return entry.given.bonus == owner.card->id && entry.given.by == base::nth(draft.ships, ship).name;
  };
  int skipped = attack.skipped_bonus_attacks;
  const bool of_enemy = owner.ally >= 0 && attack.ship(owner.ally).mine != attack.ship(owner.ship).mine;
  for (std::size_t k = attack.number + 1; k < draft.attacks.size(); ++k) {
    if (draft.attacks[k].begins_round) break;
    if (draft.attacks[k].engagement) continue;
    const ScenarioAttack& bonus = draft.attacks[k].given;
    if (bonus.bonus.empty()) break;
    if (!of_card(draft.attacks[k])) continue;
    const bool same = bonus.on == attack.ship(attack.ship_of("foe", owner)).name;
    if ((spec.target == "foe" && !same) || (spec.target == "other" && same)) continue;
    if (of_enemy && bonus.on != attack.ship(owner.ally).name) continue;
    if (!is_bonus_weapon(draft, base::nth(draft.ships, ship), bonus.weapon, spec.weapon)) continue;
    if (spec.another && bonus.weapon == attack.given.weapon) continue;
    if (draft.attacks[k].twice == SequenceEntry::Twice::Second) continue;
    if (skipped-- > 0) continue;
    out.kind = game::Operation::Kind::Gain;
    out.resource = draft.find_resource(game::Resource::Kind::Granted, ship, static_cast<int>(k));
    return out;
  }
  for (std::size_t k = 0; k < draft.attacks.size(); ++k) {
    const SequenceEntry& entry = draft.attacks[k];
    const bool dropped = entry.inserted && k < attack.number && !base::contains(draft.compiled, k);
    if (of_card(entry) && entry.given.round == attack.given.round && !dropped)
      return std::nullopt;  // another effect of the card grants it, or it is made already
  }
  const std::string note = fmt::format(
      "{}: its bonus attack is not part of the scenario; list it after the attacks that it follows, with bonus = "
      "\"{}\"",
      attack.draft.printed_name(*owner.card), owner.card->id);
  auto& notes = attack.draft.out.labels.notes;
  if (!base::contains(notes, note)) notes.push_back(note);
  return std::nullopt;
}

/// Restricts the results to those that an evade could cancel, in its order (000: Attack, Neutralize Results).
void cancel_like_evade(const AttackDraft& attack, game::Operation& out) {
  const load::DieSpec& die = attack.draft.edition.attack_die;
  const auto drop = [&](bool uncancellable, const char* face) {
    if (uncancellable)
      out.from.erase(std::remove(out.from.begin(), out.from.end(), face_of(die, face)), out.from.end());
  };
  drop(attack.plan.uncancellable_hits, "hit");
  drop(attack.plan.uncancellable_crits, "crit");
  if (attack.plan.crits_first) std::reverse(out.from.begin(), out.from.end());
}

game::Operation::Kind kind_on_dice(load::Verb verb) {
  switch (verb) {
    case load::Verb::Change:
      return game::Operation::Kind::Change;
    case load::Verb::Reroll:
      return game::Operation::Kind::Reroll;
    case load::Verb::Add:
      return game::Operation::Kind::Add;
    default:
      return game::Operation::Kind::Cancel;
  }
}

}  // namespace

std::optional<game::Operation> compile_operation(AttackDraft& attack, const load::EffectSpec& effect,
                                                 const load::OperationSpec& spec, const PreparedText& amount,
                                                 const Owner& owner) {
  const std::string_view dice = spec.dice;
  game::Operation out{.attack_dice = dice == "attack" || (dice == "own" && owner.attacks),
                      .n = spec.n,
                      .all = spec.all,
                      .exact = spec.exact,
                      .if_none = spec.if_none};
  if (!amount.empty()) out.amount = compile_expression(attack, effect, amount, owner);
  if (int n = 0; spec.verb == load::Verb::Reroll && is_constant(out.amount, n)) {
    if (n <= 0) return std::nullopt;
    out.n = n;
    out.amount.clear();
  }
  const auto acting_on = [&](int ship) -> std::optional<game::Operation> {
    const auto victim = victim_of(attack, ship, owner);
    if (!victim) return std::nullopt;
    out.victim = *victim;
    return std::move(out);
  };
  switch (spec.verb) {
    case load::Verb::Pool:
      out.kind = game::Operation::Kind::Pool;
      return out;
    case load::Verb::Limit:
      out.kind = game::Operation::Kind::Limit;
      out.min = spec.min.value_or(attack.draft.edition.min_dice);
      out.max = spec.max.value_or(attack.draft.edition.max_dice);
      return out;
    case load::Verb::Gain:
    case load::Verb::Lose:
      if (spec.token != "shield") return compile_tokens(attack, spec, owner, out);
      (spec.verb == load::Verb::Lose ? out.shield : out.recover) = true;
      if (out.recover && base::nth(attack.draft.out.plan.ships, attack.ship_of(spec.who, owner)).hull_left < 0)
        return std::nullopt;
      [[fallthrough]];
    case load::Verb::Damage:
      out.kind = game::Operation::Kind::Damage;
      out.crit = spec.crit;
      out.past_shields = spec.past_shields;
      return acting_on(attack.ship_of(spec.who, owner));
    case load::Verb::Roll:
      out.kind = game::Operation::Kind::Roll;
      return out;
    case load::Verb::Hit:
      out.kind = game::Operation::Kind::Hit;
      out.all = spec.skip;
      return out;
    case load::Verb::Bonus:
      return compile_bonus(attack, spec, owner, out);
    case load::Verb::Flip:
      if (owner.deck_card < 0) throw LoadError(fmt::format("{}: the verb flip is for damage cards", effect.place));
      out.kind = game::Operation::Kind::Flip;
      out.cards = card_counts(attack.draft, owner.ship, owner.deck_card);
      if (out.cards.kind < 0 && out.cards.faceup < 0 && out.cards.facedown < 0) return std::nullopt;
      return out;
    case load::Verb::Expose: {
      const int ship = attack.ship_of(spec.who, owner);
      if (ship < 0 || !attack.ship(ship).dealt_cards) return std::nullopt;
      out.kind = game::Operation::Kind::Expose;
      return acting_on(ship);
    }
    case load::Verb::Repair:
      out.kind = game::Operation::Kind::Flip;
      out.cards = card_counts(attack.draft, attack.ship_of(spec.who, owner), owner.repaired);
      return out;
    case load::Verb::Deal:
      out.kind = game::Operation::Kind::Deal;
      out.all = spec.discard;
      return out;
    case load::Verb::Convert:
    case load::Verb::Forbid:
    case load::Verb::Lend:
    case load::Verb::Reach:
    case load::Verb::Waive:
    case load::Verb::Treat:
    case load::Verb::Stat:
    case load::Verb::Neutralize:
    case load::Verb::Pick:
    case load::Verb::Prevent:
      return std::nullopt;
    case load::Verb::Change:
    case load::Verb::Reroll:
    case load::Verb::Add:
    case load::Verb::Cancel:
    case load::Verb::Spend:
      break;
  }
  out.kind = kind_on_dice(spec.verb);
  compile_faces(attack, effect, spec, out);
  if (out.kind == game::Operation::Kind::Cancel) {
    out.exact = spec.exact || spec.verb == load::Verb::Spend;
    if (spec.as_evade) cancel_like_evade(attack, out);
    if (out.from.empty()) return std::nullopt;
    out.choose = !out.all && out.from.size() > 1 && (effect.may || spec.verb == load::Verb::Spend);
  }
  return out;
}

}  // namespace salvo::compile
