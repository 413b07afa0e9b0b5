#include "game/damage.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "base/index.h"
#include "game/play_parts.h"

namespace salvo::game {
namespace {

int due(const Position& position, std::size_t victim) {
  return static_cast<int>(position.due >> kDueBits * victim & kMaxDue);
}

void add_due(Position& position, std::size_t victim, int n) {
  assert(due(position, victim) + n >= 0 && due(position, victim) + n <= kMaxDue);
  constexpr std::uint32_t kAll = (std::uint32_t{1} << kDueBits * kVictims) - 1;
  position.due = (position.due + (static_cast<std::uint32_t>(n) << kDueBits * victim)) & kAll;
  if (due(position, victim) == 0) position.past_shields &= ~(1u << victim) & 0xfu;
}

int exposures(const Position& position, std::size_t victim) {
  return position.exposures >> kExposureBits * victim & base::kMaxExposures;
}

void set_exposures(Position& position, std::size_t victim, int n) {
  const int others = position.exposures & ~(base::kMaxExposures << kExposureBits * victim);
  position.exposures = static_cast<std::uint8_t>(others | n << kExposureBits * victim);
}

int counted(const Plan& plan, int index, const Resources& resources) {
  return index < 0 ? 0 : resources.get(resource(plan, index));
}

void count(const Plan& plan, Position& position, int index, int n) {
  if (index >= 0) change_resource(plan, position, index, n);
}

const ShipPlan& ship_of(const Plan& plan, const AttackPlan& attack, std::size_t victim) {
  return base::nth(plan.ships, attack.victim(victim));
}

int shields(const Plan& plan, const ShipPlan& ship, const Position& position) {
  if (ship.shields_left >= 0) return position.resources.get(resource(plan, ship.shields_left));
  if (ship.health < 0) return 0;
  return std::max(0, position.resources.get(resource(plan, ship.health)) - kHealthZero - ship.counted_hull);
}

/// Removes n from hull and shields; returns how many it removed. A ship without hull loses its shields as well: damage
/// that bypassed them destroyed it.
int remove_parts(const Plan& plan, const ShipPlan& ship, Position& position, int n, bool past_shields) {
  const Resource &shields = resource(plan, ship.shields_left), &hull = resource(plan, ship.hull_left);
  const int shields_before = position.resources.get(shields), hull_before = position.resources.get(hull);
  const int off = past_shields ? 0 : std::min(n, shields_before);
  const int hull_after = std::max(0, hull_before - (n - off));
  const int shields_after = hull_after == 0 ? 0 : shields_before - off;
  position.resources.set(shields, shields_after);
  position.resources.set(hull, hull_after);
  return hull_before - hull_after + shields_before - shields_after;
}

/// Removes health from a ship. One number is enough for shields and hull, since hits before crits and shields before
/// hull do not change the sum (000: Damage). They are two where damage can bypass shields or shields are recovered.
void remove_health(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int n,
                   bool past_shields = false) {
  const ShipPlan& ship = ship_of(plan, attack, victim);
  if (ship.health < 0) return;
  const Resource& r = resource(plan, ship.health);
  const int before = position.resources.get(r);
  const int removed = ship.hull_left >= 0 ? remove_parts(plan, ship, position, n, past_shields)
                                          : std::min(n, std::max(0, before - kHealthZero));
  position.resources.set(r, before - removed);
  position.removed[victim] = static_cast<std::uint8_t>(position.removed[victim] + removed);
}

void add_extra(Position& position, std::size_t victim, int n) {
  position.extra[victim] = static_cast<std::int8_t>(std::min(position.extra[victim] + n, 127));
}

using Times = std::array<int, kMaxAfterCrit>;

/// How often each effect after a critical damage applies. Evaluated before the damage, so that cards it deals do not
/// count.
Times times_after_crit(const Plan& plan, const AttackPlan& attack, const DealPlan& deal, const Position& position) {
  Times out{};
  for (std::size_t i = 0; i < deal.after_crit.size(); ++i) {
    const Effect& effect = effect_of(attack, deal.after_crit[i]);
    out[i] = usable(plan, effect, position) ? evaluate(plan, effect.times, position) : 0;
  }
  return out;
}

void apply_after_crit(const Plan& plan, const AttackPlan& attack, const DealPlan& deal, const Times& times,
                      Position& position) {
  for (std::size_t i = 0; i < deal.after_crit.size(); ++i) {
    for (int n = 0; n < times[i]; ++n) apply_effect(plan, attack, deal.after_crit[i], nullptr, position);
  }
}

/// Enters the Deal step `window`, if there is one.
bool ask(Position& position, int window) {
  if (window < 0) return false;
  position.return_step = static_cast<std::uint8_t>(position.step + 1);
  position.step = static_cast<std::uint8_t>(window);
  return true;
}

/// Asks about damage of damage cards before their ship suffers it.
void ask_about_damage(const Plan& plan, const AttackPlan& attack, const DealPlan& deal, Position& position) {
  if (deal.prevent < 0 || position.return_step > 0) return;
  if (usable(plan, effect_of(attack, deal.suffer), position)) ask(position, deal.prevent);
}

/// Applies the effects of a card that turns faceup.
void resolve(const Plan& plan, const AttackPlan& attack, const DrawKind& card, Position& position) {
  for (const int index : card.effects) {
    const Effect& effect = effect_of(attack, index);
    const int n = evaluate(plan, effect.times, position);
    for (int i = 0; i < n && usable(plan, effect, position); ++i) apply_effect(plan, attack, index, nullptr, position);
  }
}

void deal_faceup(const Plan& plan, const AttackPlan& attack, std::size_t victim, std::size_t kind, Position& position) {
  const DealPlan& deal = attack.deals[victim];
  const DrawKind& card = deal.kinds[kind];
  const Times times = times_after_crit(plan, attack, deal, position);
  position.card_decided = false;
  add_due(position, victim, -1);
  remove_health(plan, attack, position, victim, 1, true);
  for (const int more : {card.seen, card.faceup, deal.faceup}) count(plan, position, more, 1);
  position.used |= card.sets;
  apply_after_crit(plan, attack, deal, times, position);
  resolve(plan, attack, card, position);
  ask_about_damage(plan, attack, deal, position);
}

/// `kind`: first the kinds of never seen cards, then the same kinds of cards that were faceup before, then the merged
/// ones of these.
void turn_faceup(const Plan& plan, const AttackPlan& attack, std::size_t victim, std::size_t kind, Position& position) {
  const DealPlan& deal = attack.deals[victim];
  const std::size_t kinds = deal.kinds.size();
  set_exposures(position, victim, exposures(position, victim) - 1);
  count(plan, position, deal.faceup, 1);
  if (kind == 2 * kinds) return count(plan, position, deal.others, -1);
  const DrawKind& card = deal.kinds[kind % kinds];
  count(plan, position, kind < kinds ? deal.facedown : card.facedown, -1);
  if (kind < kinds) count(plan, position, card.seen, 1);
  count(plan, position, card.faceup, 1);
  resolve(plan, attack, card, position);
  ask_about_damage(plan, attack, deal, position);
}

int facedown_cards(const Plan& plan, const DealPlan& deal, const Resources& resources) {
  return std::accumulate(deal.kinds.begin(), deal.kinds.end(),
                         counted(plan, deal.facedown, resources) + counted(plan, deal.others, resources),
                         [&](int sum, const DrawKind& kind) { return sum + counted(plan, kind.facedown, resources); });
}

/// Leaves the Deal step; returns 1 + the kind of the card, or 0 if it is not yet drawn.
std::size_t close_card_window(Position& position) {
  const std::size_t kind = position.drawn & ((1u << kCardBits) - 1);
  position.step = static_cast<std::uint8_t>(position.return_step - 1);
  position.return_step = position.drawn = 0;
  return kind;
}

/// Number of cards drawn for the ship before a player picks one of them.
int drawn_cards(const Plan& plan, const DealPlan& deal, const Resources& resources) {
  return std::accumulate(deal.kinds.begin(), deal.kinds.end(), 0,
                         [&](int sum, const DrawKind& kind) { return sum + counted(plan, kind.drawn, resources); });
}

/// Whether a player picks the card that the ship exposes next.
bool looks(const Plan& plan, const DealPlan& deal, const Position& position) {
  return deal.reveal >= 0 && evaluate(plan, deal.looks, position) != 0;
}

/// Looks at a facedown card that turns out to be of this kind.
void look(const Plan& plan, const DealPlan& deal, const DrawKind& card, Position& position) {
  count(plan, position, deal.facedown, -1);
  count(plan, position, card.seen, 1);
  count(plan, position, card.facedown >= 0 ? card.facedown : deal.others, 1);
}

/// A known card is dealt faceup, unless its owner can decide otherwise.
void receive(const Plan& plan, const AttackPlan& attack, std::size_t victim, std::size_t kind, Position& position) {
  const DealPlan& deal = attack.deals[victim];
  if (ask(position, deal.seen)) {
    position.drawn =
        static_cast<std::uint8_t>((kind + 1) | static_cast<std::size_t>(deal.kinds[kind].trait) << kCardBits);
    if (has_options(plan, attack, position)) return;
    close_card_window(position);
  }
  deal_faceup(plan, attack, victim, kind, position);
}

/// A shield absorbs one critical damage; false if there is none.
bool absorb_with_shield(const Plan& plan, const AttackPlan& attack, std::size_t victim, Position& position) {
  if ((position.past_shields >> victim & 1u) != 0) return false;
  if (shields(plan, ship_of(plan, attack, victim), position) == 0) return false;
  const DealPlan& deal = attack.deals[victim];
  const Times times = times_after_crit(plan, attack, deal, position);
  add_due(position, victim, -1);
  remove_health(plan, attack, position, victim, 1);
  apply_after_crit(plan, attack, deal, times, position);
  ask_about_damage(plan, attack, deal, position);
  return true;
}

}  // namespace

void suffer(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int hits, int crits,
            bool past_shields) {
  if (attack.deals.empty() || attack.deals[victim].kinds.empty()) {
    remove_health(plan, attack, position, victim, hits + crits, past_shields);
    return;
  }
  const DealPlan& deal = attack.deals[victim];
  if (hits > 0 && evaluate(plan, deal.hits_are_crits, position, 0) != 0) crits += std::exchange(hits, 0);
  const int cards = past_shields ? hits : hits - shields(plan, ship_of(plan, attack, victim), position);
  count(plan, position, deal.facedown, std::max(0, cards));
  remove_health(plan, attack, position, victim, hits, past_shields);
  if (crits == 0) return;
  add_due(position, victim, crits);
  if (past_shields) position.past_shields |= 1u << victim & 0xfu;
}

void deal_extra(const Plan& plan, const AttackPlan& attack, Position& position, const Operation& operation, int n) {
  add_extra(position, operation.victim, n);
  const int crits = operation.crit ? n : 0;
  suffer(plan, attack, position, operation.victim, n - crits, crits, operation.past_shields);
}

void recover_shields(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int n) {
  const ShipPlan& ship = ship_of(plan, attack, victim);
  const Resource &shields = resource(plan, ship.shields_left), &health = resource(plan, ship.health);
  if (position.resources.get(resource(plan, ship.hull_left)) == 0) return;
  const int before = position.resources.get(shields);
  const int back = std::min(n, shields.max - before);
  position.resources.set(shields, before + back);
  position.resources.set(health, position.resources.get(health) + back);
  position.removed[victim] = static_cast<std::uint8_t>(position.removed[victim] - back);
}

void lose_shields(const Plan& plan, const AttackPlan& attack, Position& position, const Operation& operation, int n) {
  if (!operation.paid) add_extra(position, operation.victim, n);
  remove_health(plan, attack, position, operation.victim, n);
}

void add_exposures(Position& position, std::size_t victim, int n) {
  set_exposures(position, victim, std::min(exposures(position, victim) + n, base::kMaxExposures));
}

void turn_facedown(const Plan& plan, const CardCounts& cards, int n, Resources& resources) {
  const auto add = [&](int index, int delta) {
    if (index < 0) return;
    const Resource& r = resource(plan, index);
    if (r.dynamic) resources.set(r, std::clamp(resources.get(r) + delta, 0, r.max));
  };
  if (cards.kind >= 0 && resource(plan, cards.kind).dynamic) n = std::min(n, counted(plan, cards.kind, resources));
  add(cards.kind, -n);
  add(cards.faceup, -n);
  add(cards.facedown, n);
}

void flip(const Plan& plan, const Operation& operation, int n, Position& position) {
  turn_facedown(plan, operation.cards, operation.all ? base::kMaxCards : n, position.resources);
}

void divert_card(const Plan& plan, const AttackPlan& attack, const Operation& operation, Position& position) {
  const std::size_t victim = drawing_victim(position);
  const DealPlan& deal = attack.deals[victim];
  const Times times = times_after_crit(plan, attack, deal, position);
  const std::size_t kind = close_card_window(position);
  position.card_decided = false;
  const DrawKind* card = kind == 0 ? nullptr : &deal.kinds[kind - 1];
  if (card != nullptr) count(plan, position, card->seen, 1);
  if (operation.exact) return;
  add_due(position, victim, -1);
  if (operation.all) {
    add_extra(position, victim, -1);
  } else {
    remove_health(plan, attack, position, victim, 1, true);
    count(plan, position, card == nullptr ? deal.facedown : card->facedown >= 0 ? card->facedown : deal.others, 1);
  }
  apply_after_crit(plan, attack, deal, times, position);
  ask_about_damage(plan, attack, deal, position);
}

void pick_card(const Plan& plan, const AttackPlan& attack, std::size_t kind, Position& position) {
  const std::size_t victim = drawing_victim(position);
  const DealPlan& deal = attack.deals[victim];
  close_card_window(position);
  if (position.due == 0) {
    const std::size_t kinds = deal.kinds.size();
    const bool apart = deal.kinds[kind].facedown >= 0;
    return turn_faceup(plan, attack, victim, apart ? kinds + kind : 2 * kinds, position);
  }
  for (const DrawKind& card : deal.kinds) count(plan, position, card.drawn, -deal.draws);
  count(plan, position, deal.kinds[kind].seen, -1);  // counted again when it is dealt
  receive(plan, attack, victim, kind, position);
}

void keep_card(const Plan& plan, const AttackPlan& attack, Position& position) {
  const auto asked = std::find_if(attack.deals.begin(), attack.deals.end(),
                                  [&](const DealPlan& deal) { return deal.prevent == position.step; });
  if (asked != attack.deals.end()) {
    close_card_window(position);
    return apply_effect(plan, attack, asked->suffer, nullptr, position);
  }
  const std::size_t victim = drawing_victim(position);
  const std::size_t kind = close_card_window(position);
  if (kind == 0) {
    position.card_decided = true;
  } else {
    deal_faceup(plan, attack, victim, kind - 1, position);
  }
}

std::optional<NextEvent> resolve_damage_cards(const Plan& plan, const AttackPlan& attack, Position& position) {
  while (interrupted(position)) {
    if (position.pending > 0) return NextEvent::Reroll;
    if (position.return_step > 0) {
      if (has_options(plan, attack, position)) return NextEvent::Decision;
      keep_card(plan, attack, position);
      continue;
    }
    const std::size_t victim = drawing_victim(position);
    const DealPlan& deal = attack.deals[victim];
    if (position.due != 0) {
      if (absorb_with_shield(plan, attack, victim, position)) continue;
      if (position.card_decided || !ask(position, deal.before)) return NextEvent::Draw;
    } else {
      if (facedown_cards(plan, deal, position.resources) == 0) {
        set_exposures(position, victim, 0);
        continue;
      }
      const bool known = counted(plan, deal.facedown, position.resources) == 0;
      if (!known || !looks(plan, deal, position) || !ask(position, deal.reveal)) return NextEvent::Draw;
    }
  }
  return std::nullopt;
}

bool interrupted(const Position& position) {
  return position.pending > 0 || position.due != 0 || position.exposures != 0 || position.return_step > 0;
}

std::size_t drawing_victim(const Position& position) {
  assert(position.due != 0 || position.exposures != 0);
  std::size_t victim = 0;
  while ((position.due != 0 ? due(position, victim) : exposures(position, victim)) == 0) ++victim;
  return victim;
}

void cards_left(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<int>& left) {
  const DealPlan& deal = attack.deals[drawing_victim(position)];
  left.clear();
  for (const DrawKind& kind : deal.kinds) left.push_back(kind.cards - counted(plan, kind.seen, position.resources));
  if (position.due != 0 || looks(plan, deal, position)) return;
  // One of the facedown cards turns faceup. A never seen one is distributed like the rest of the deck.
  const int all = std::max(1, std::accumulate(left.begin(), left.end(), 0));
  const int unseen = counted(plan, deal.facedown, position.resources);
  for (int& n : left) n *= unseen;
  for (const DrawKind& kind : deal.kinds) left.push_back(all * counted(plan, kind.facedown, position.resources));
  left.push_back(all * counted(plan, deal.others, position.resources));
}

bool turns_faceup(const Plan& plan, const AttackPlan& attack, const Position& position) {
  const DealPlan& deal = attack.deals[drawing_victim(position)];
  return position.due != 0 ? deal.pick < 0 : !looks(plan, deal, position);
}

bool picks_card(const AttackPlan& attack, const Option& option) {
  if (option.effect < 0) return false;
  const auto& operations = effect_of(attack, option.effect).operations;
  return !operations.empty() && operations.front().kind == Operation::Kind::Pick;
}

Position after_draw(const Plan& plan, const AttackPlan& attack, const Position& position, std::size_t kind) {
  Position out = position;
  const std::size_t victim = drawing_victim(position);
  const DealPlan& deal = attack.deals[victim];
  const bool faceup = turns_faceup(plan, attack, position);
  if (faceup) {
    (position.due == 0 ? turn_faceup : receive)(plan, attack, victim, kind, out);
  } else if (position.due == 0) {
    look(plan, deal, deal.kinds[kind], out);
  } else {
    count(plan, out, deal.kinds[kind].seen, 1);
    count(plan, out, deal.kinds[kind].drawn, 1);
    if (drawn_cards(plan, deal, out.resources) == deal.draws) ask(out, deal.pick);
  }
  return out;
}

}  // namespace salvo::game
