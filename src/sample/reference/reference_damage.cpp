// Damage in the reference kernel, and the damage cards that it deals and exposes.
#include <algorithm>
#include <utility>

#include "base/index.h"
#include "game/play.h"
#include "sample/reference/reference_player.h"

namespace salvo::sample {

/// Deals damage to a ship. With a damage deck, critical damage becomes due and is suffered one at a time (deal_cards).
void ReferencePlayer::suffer(std::size_t victim, int hits, int crits, bool past_shields) {
  if (attack_->deals.empty() || attack_->deals[victim].kinds.empty()) return remove(victim, hits + crits, past_shields);
  if (game::evaluate(plan_, attack_->deals[victim].hits_are_crits, counted_position(), 0) != 0)
    crits += std::exchange(hits, 0);
  count(attack_->deals[victim].facedown, past_shields ? hits : std::max(0, hits - shields(victim)));
  remove(victim, hits, past_shields);
  due_[victim] += crits;
  if (crits > 0) past_[victim] = past_shields;
}

int ReferencePlayer::shields(std::size_t victim) const {
  const game::ShipPlan& ship = base::nth(plan_.ships, attack_->victim(victim));
  if (ship.shields_left >= 0) return value_of(ship.shields_left);
  return ship.health < 0 ? 0 : std::max(0, value_of(ship.health) - game::kHealthZero - ship.counted_hull);
}

/// Suffers the critical damage that is due, and exposes cards. `back`: 1 if play continues at the next step, 0 if at
/// this one.
void ReferencePlayer::deal_cards(int back) {
  if (attack_->deals.empty()) return;
  const bool jumped = std::exchange(jumped_, false);  // cards take effect whether or not play jumps
  const auto waiting = [](const auto& numbers) {
    return static_cast<std::size_t>(std::find_if(numbers.begin(), numbers.end(), [](int n) { return n > 0; }) -
                                    numbers.begin());
  };
  for (;;) {
    if (const std::size_t victim = waiting(due_); victim < game::kVictims) {
      suffer_crit(victim, back);
      suffer_from_cards(victim, back);
    } else if (const std::size_t exposed = waiting(exposing_); exposed < game::kVictims) {
      expose(exposed, back);
      suffer_from_cards(exposed, back);
    } else {
      break;
    }
  }
  jumped_ = jumped;
}

/// How often each effect after a critical damage applies; read before the damage, so the card it deals does not count.
std::vector<int> ReferencePlayer::times_after_crit(const game::DealPlan& deal) const {
  std::vector<int> times;
  for (const int e : deal.after_crit) {
    const game::Effect& effect = base::nth(attack_->effects, e);
    times.push_back(usable(effect) ? game::evaluate(plan_, effect.times, counted_position()) : 0);
  }
  return times;
}

void ReferencePlayer::apply_after_crit(const game::DealPlan& deal, const std::vector<int>& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const game::Effect& effect = base::nth(attack_->effects, deal.after_crit[i]);
    for (int n = 0; n < times[i]; ++n) act(effect, nullptr);
  }
}

/// Lets a player prevent damage of the victim's damage cards, then deals what is left.
void ReferencePlayer::suffer_from_cards(std::size_t victim, int back) {
  const game::DealPlan& deal = attack_->deals[victim];
  if (deal.prevent < 0 || !usable(base::nth(attack_->effects, deal.suffer))) return;
  asked_otherwise(deal.prevent, 0, false, back);
  act(base::nth(attack_->effects, deal.suffer), nullptr);
}

/// Removes a shield, or draws and resolves a card.
void ReferencePlayer::suffer_crit(std::size_t victim, int back) {
  const game::DealPlan& deal = attack_->deals[victim];
  const bool shielded = !past_[victim] && shields(victim) > 0;
  if (!shielded && asked_otherwise(deal.before, 0, false, back)) return deal_otherwise(victim, nullptr);
  const game::DrawKind* card = shielded ? nullptr : &draw_faceup(deal, back);
  if (!shielded) {
    const int drawn = static_cast<int>(card - deal.kinds.data()) + 1 + (card->trait << game::kCardBits);
    if (asked_otherwise(deal.seen, drawn, deal.before >= 0, back)) return deal_otherwise(victim, card);
  }
  const std::vector<int> times = times_after_crit(deal);
  if (--due_[victim] == 0) past_[victim] = false;
  remove(victim, 1, !shielded);
  if (card != nullptr) {
    count(card->seen, 1);
    lie_faceup(victim, *card);
    position_.used |= card->sets;
  }
  apply_after_crit(deal, times);
  if (card == nullptr) return;
  for (const int e : card->effects) repeat(base::nth(attack_->effects, e));
}

void ReferencePlayer::lie_faceup(std::size_t victim, const game::DrawKind& card) {
  ++base::nth(faceup_, attack_->victim(victim));
  count(card.faceup, 1);
  count(attack_->deals[victim].faceup, 1);
}

/// Draws the card that would be dealt faceup, one or the one that a player picks of several.
const game::DrawKind& ReferencePlayer::draw_faceup(const game::DealPlan& deal, int back) {
  if (deal.pick < 0) return draw(deal);
  for (int i = 0; i < deal.draws; ++i) {
    const game::DrawKind& card = draw(deal);
    count(card.seen, 1);
    count(card.drawn, 1);
  }
  const game::DrawKind& out = deal.kinds[picked(deal.pick, deal.before >= 0, back)];
  for (const game::DrawKind& card : deal.kinds) count(card.drawn, -deal.draws);
  count(out.seen, -1);
  return out;
}

/// The index of the card that the player picks at step `window`.
std::size_t ReferencePlayer::picked(int window, bool asked, int back) {
  asked_otherwise(window, 0, asked, back);
  return static_cast<std::size_t>(otherwise_->to);
}

/// Lets a player decide at step `window` about a card that would turn faceup. Returns true if the player does not
/// pass.
bool ReferencePlayer::asked_otherwise(int window, int drawn, bool asked, int back) {
  otherwise_ = nullptr;
  if (window < 0) return false;
  const game::Position before = position_;
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    position_.due = (position_.due | static_cast<std::uint32_t>(due_[v]) << game::kDueBits * v) & ((1u << 24) - 1);
    if (past_[v]) position_.past_shields |= 1u << v & 0xfu;
    position_.exposures = static_cast<std::uint8_t>(position_.exposures | exposing_[v] << game::kExposureBits * v);
  }
  position_.return_step = static_cast<std::uint8_t>(position_.step + back + 1);
  position_.step = static_cast<std::uint8_t>(window);
  position_.drawn = static_cast<std::uint8_t>(drawn);
  position_.card_decided = asked;
  std::vector<game::Option> options;
  for (bool more = true; more && otherwise_ == nullptr;) {
    forget_marks(attack_dice_, true);
    forget_marks(defense_dice_, false);
    const game::Position position = counted_position();
    if (!game::has_options(plan_, *attack_, position)) break;
    setup_.policy.decide(plan_, attack_number_, start_, position, options);
    more = options.front().effect >= 0;
    if (more) act(base::nth(attack_->effects, options.front().effect), nullptr);
  }
  position_.due = before.due;
  position_.past_shields = before.past_shields;
  position_.exposures = before.exposures;
  position_.return_step = before.return_step;
  position_.step = before.step;
  position_.drawn = before.drawn;
  position_.card_decided = before.card_decided;
  return otherwise_ != nullptr;
}

/// Deals the card facedown or discards it. `card`: null if no player has seen it.
void ReferencePlayer::deal_otherwise(std::size_t victim, const game::DrawKind* card) {
  const game::DealPlan& deal = attack_->deals[victim];
  if (card != nullptr) count(card->seen, 1);
  if (otherwise_->exact) return;  // the damage is still due
  const std::vector<int> times = times_after_crit(deal);
  if (--due_[victim] == 0) past_[victim] = false;
  if (otherwise_->all) {
    --position_.extra[victim];
  } else {
    remove(victim, 1, true);
    count(card == nullptr ? deal.facedown : card->facedown >= 0 ? card->facedown : deal.others, 1);
  }
  apply_after_crit(deal, times);
}

/// Looks at the facedown cards of the victim, if a player picks the one that is exposed. Returns whether it does.
bool ReferencePlayer::look(std::size_t victim) {
  const game::DealPlan& deal = attack_->deals[victim];
  if (deal.reveal < 0 || game::evaluate(plan_, deal.looks, counted_position()) == 0) return false;
  while (deal.facedown >= 0 && value_of(deal.facedown) > 0) {
    const game::DrawKind& card = draw(deal);
    count(deal.facedown, -1);
    count(card.seen, 1);
    count(card.facedown >= 0 ? card.facedown : deal.others, 1);
  }
  return true;
}

/// Turns a facedown card of the victim faceup: one that a player picks, or each with equal probability.
void ReferencePlayer::expose(std::size_t victim, int back) {
  const game::DealPlan& deal = attack_->deals[victim];
  const bool looked = look(victim);
  const auto number = [&](int index) { return index < 0 ? 0 : value_of(index); };
  int all = number(deal.facedown) + number(deal.others);
  for (const game::DrawKind& kind : deal.kinds) all += number(kind.facedown);
  if (looked && all > 0) {
    const game::DrawKind& card = deal.kinds[picked(deal.reveal, false, back)];
    --exposing_[victim];
    return card.facedown >= 0 ? turn_faceup(victim, card, card.facedown)
                              : turn_faceup(victim, game::DrawKind(), deal.others);
  }
  --exposing_[victim];
  if (all == 0) return;
  auto place = static_cast<int>(bits_.card(drawn_++, all));
  if (place < number(deal.facedown)) {
    const game::DrawKind& card = draw(deal);
    count(card.seen, 1);
    return turn_faceup(victim, card, deal.facedown);
  }
  place -= number(deal.facedown);
  for (const game::DrawKind& kind : deal.kinds) {
    if (place < number(kind.facedown)) return turn_faceup(victim, kind, kind.facedown);
    place -= number(kind.facedown);
  }
  turn_faceup(victim, game::DrawKind(), deal.others);
}

void ReferencePlayer::turn_faceup(std::size_t victim, const game::DrawKind& card, int from) {
  count(from, -1);
  lie_faceup(victim, card);
  for (const int e : card.effects) repeat(base::nth(attack_->effects, e));
}

void ReferencePlayer::turn_facedown(const game::Operation& operation, int amount) {
  const game::CardCounts& cards = operation.cards;
  const bool counted = cards.kind >= 0 && base::nth(plan_.resources, cards.kind).dynamic;
  const int n = counted ? std::min(operation.all ? base::kMaxCards : amount, value_of(cards.kind)) : amount;
  count(cards.kind, -n);
  count(cards.faceup, -n);
  count(cards.facedown, n);
}

/// Draws a card: each one that was not dealt faceup before is equally likely.
const game::DrawKind& ReferencePlayer::draw(const game::DealPlan& deal) {
  const auto left = [&](const game::DrawKind& kind) { return kind.cards - (kind.seen < 0 ? 0 : value_of(kind.seen)); };
  int all = 0;
  for (const game::DrawKind& kind : deal.kinds) all += left(kind);
  auto place = static_cast<int>(bits_.card(drawn_++, all));
  std::size_t kind = 0;
  while (place >= left(deal.kinds[kind])) place -= left(deal.kinds[kind++]);
  return deal.kinds[kind];
}

/// Removes health and counts the payoff of the other side. Shields that are paid are no damage.
void ReferencePlayer::remove(std::size_t victim, int damage, bool past_shields, bool paid) {
  const int index = attack_->victim(victim);
  const game::ShipPlan& ship = base::nth(plan_.ships, index);
  if (!paid) base::nth(damage_, index) += damage;
  int gained = plan_.objective == game::Objective::Damage && !paid ? damage : 0;
  if (ship.health >= 0) {
    const game::Resource& r = base::nth(plan_.resources, ship.health);
    const int before = position_.resources.get(r) - game::kHealthZero;
    const int after = ship.hull_left >= 0 ? remove_parts(ship, damage, past_shields) : std::max(0, before - damage);
    position_.resources.set(r, after + game::kHealthZero);
    position_.removed[victim] = static_cast<std::uint8_t>(position_.removed[victim] + before - after);
    if (plan_.objective == game::Objective::Kill) gained = before > 0 && after == 0;
    if (plan_.objective == game::Objective::Health || plan_.objective == game::Objective::Exchange)
      gained = before - after;
  }
  (ship.mine ? theirs_ : mine_) += static_cast<std::uint64_t>(gained);
}

/// The same where hull and shields are separate numbers; returns the health left, which is 0 without hull.
int ReferencePlayer::remove_parts(const game::ShipPlan& ship, int damage, bool past_shields) {
  int hull = value_of(ship.hull_left), shields = value_of(ship.shields_left);
  for (; damage > 0 && hull > 0; --damage) --(shields > 0 && !past_shields ? shields : hull);
  if (hull == 0) shields = 0;
  position_.resources.set(base::nth(plan_.resources, ship.hull_left), hull);
  position_.resources.set(base::nth(plan_.resources, ship.shields_left), shields);
  return hull + shields;
}

/// Restores shields, up to the number that the ship began with.
void ReferencePlayer::recover(std::size_t victim, int shields) {
  const game::ShipPlan& ship = base::nth(plan_.ships, attack_->victim(victim));
  if (value_of(ship.hull_left) == 0) return;
  const game::Resource& left = base::nth(plan_.resources, ship.shields_left);
  const int n = std::min(shields, left.max - value_of(ship.shields_left));
  const game::Resource& health = base::nth(plan_.resources, ship.health);
  position_.resources.set(left, position_.resources.get(left) + n);
  position_.resources.set(health, position_.resources.get(health) + n);
  position_.removed[victim] = static_cast<std::uint8_t>(position_.removed[victim] - n);
  if (plan_.objective != game::Objective::Health && plan_.objective != game::Objective::Exchange) return;
  (ship.mine ? theirs_ : mine_) -= static_cast<std::uint64_t>(n);
}

void ReferencePlayer::deal_damage() {
  const auto defender = static_cast<std::size_t>(attack_->defender);
  const int h = attack_dice_.count(plan_.attack_die.hit);
  const int c = attack_dice_.count(plan_.attack_die.crit);
  attack_dice_.n = 0;
  hits_[defender] += h;
  crits_[defender] += c;
  counts_->hits_at_all += position_.hit || h + c > 0;
  counts_->hits.add(static_cast<std::uint64_t>(h));
  counts_->crits.add(static_cast<std::uint64_t>(c));
  position_.hits = static_cast<std::uint8_t>(h);
  position_.crits = static_cast<std::uint8_t>(c);
  suffer(game::kDefender, h, c, false);
  deal_cards(1);
}

}  // namespace salvo::sample
