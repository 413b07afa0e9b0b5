// Prices of effects and weapons, and the ships that pay them.
#include <algorithm>
#include <string_view>
#include <utility>

#include "base/index.h"
#include "compile/attack_draft.h"

namespace salvo::compile {
namespace {

/// Whether `of` in a price refers to a card of a ship: "pilot", "recurring-pilot" (if its charges recover),
/// "lasting-pilot" (if not), "any-upgrade", the id of the card, or "upgrade" or a slot for cards whose charges do not
/// recover. Markers are meant only by the id of their card.
bool matches_card(const Draft& draft, const ShipDraft& ship, const load::CardSpec& card, std::string_view of) {
  if (card.markers && card.id != of) return false;
  if (of.ends_with("-pilot"))
    return card.kind == "pilot" && (charges_recovered(ship, card) > 0) == (of == "recurring-pilot");
  if (of == "any-upgrade") return card.kind == "upgrade";
  if (card.id == of || card.kind == of) return card.kind != "upgrade" || of != "upgrade" || card.charges_recover <= 0;
  return card.kind == "upgrade" && card.charges_recover <= 0 && in_slot(draft, card.id, of);
}

/// A resource that can pay the price of the weapon while `when` holds.
struct Payment {
  int resource = -1;
  const Lender* lender = nullptr;  ///< nullptr: the attacker itself
  game::Expression when;
};

/// All ways to pay a price of the weapon.
std::vector<Payment> payments(const AttackDraft& attack, const load::CostSpec& price, const Owner& owner) {
  std::vector<Payment> out;
  const auto add = [&](std::string_view token, int ship, const Lender* lender) {
    const int index = resource_of(attack, token, ship, owner);
    if (index < 0) return;
    game::Expression when = at_least({{Code::Resource, index}}, price.n);
    if (lender != nullptr) when = both(std::move(when), both(in_play(attack, lender->ship), lender->when));
    out.push_back({index, lender, std::move(when)});
  };
  add(price.token, attack.plan.attacker, nullptr);
  for (const Lender& lender : attack.lenders) {
    if (pays(attack, lender, price, owner)) add(lender.pays.empty() ? price.token : lender.pays, lender.ship, &lender);
  }
  return out;
}

}  // namespace

bool pays(const AttackDraft& attack, const Lender& lender, const load::CostSpec& cost, const Owner& owner) {
  return cost.token == lender.token && attack.ship_of(cost.who, owner) == lender.borrower;
}

std::vector<Owner> with_charges_of(const AttackDraft& attack, const std::vector<load::CostSpec>& costs,
                                   const std::vector<load::OperationSpec>& operations, const Owner& owner) {
  std::string_view of, who;
  bool recovers = false;
  const auto look = [&](const auto& part, bool gains) {
    if (part.token == "charge" && part.of != "card" && part.of != "weapon")
      of = part.of, who = part.who, recovers = gains;
  };
  for (const load::CostSpec& cost : costs) look(cost, false);
  for (const load::OperationSpec& operation : operations) look(operation, operation.verb == load::Verb::Gain);
  if (of.empty()) return {owner};
  std::vector<Owner> out;
  Owner with = owner;
  with.of_ship = attack.ship_of(who, owner);
  const auto& cards = attack.ship(with.of_ship).cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const load::CardSpec& card = *cards[c];
    if (card.charges <= 0 || (recovers && !card.recoverable)) continue;
    if (!matches_card(attack.draft, attack.ship(with.of_ship), card, of)) continue;
    with.of_card = static_cast<int>(c);
    out.push_back(with);
  }
  if (!out.empty()) return out;
  if (of == "pilot")
    with.of_card = owner.card_number;  // a ship ability, with a pilot whose charges the scenario does not use
  return {with};
}

bool compile_costs(const AttackDraft& attack, const std::vector<load::CostSpec>& specs, const Owner& owner,
                   game::Costs& out, const Lender* lender) {
  for (const load::CostSpec& spec : specs) {
    const std::string_view token = spec.token;
    if (token == "shield") continue;  // removed by pay_shields()
    const bool lent = lender != nullptr && pays(attack, *lender, spec, owner);
    const int ship = lent ? lender->ship : attack.ship_of(spec.who, owner);
    const int index = resource_of(attack, token, ship, owner, spec.of);
    if (index < 0) return false;
    out.push_back({index, spec.n});
  }
  return true;
}

bool has_other_price(const AttackDraft& attack, const load::CostSpec& price) {
  const Owner owner{.attacks = true, .ship = attack.plan.attacker};
  return price.token != "charge" &&
         std::any_of(attack.lenders.begin(), attack.lenders.end(),
                     [&](const Lender& lender) { return pays(attack, lender, price, owner); });
}

bool add_prices(AttackDraft& attack, const load::CostSpec& price, const Owner& owner) {
  const std::vector<Payment> ways = payments(attack, price, owner);
  if (ways.empty()) return false;
  const int once = attack.new_bit(attack.path + ".weapon");
  game::Expression none = constant(1);
  for (const Payment& way : ways) {
    none = both(std::move(none), negated(way.when));
    const Lender* lender = way.lender;
    game::Effect effect{
        .when = way.when, .may = true, .cost = {{way.resource, price.n}}, .used_bit = once, .forced = true};
    const bool spends_it = lender == nullptr || lender->pays.empty();  // the token itself, not another that replaces it
    if (spends_it)
      effect.sets |= attack.bits_of({.kind = UsedName::Kind::Spent, .ship = attack.plan.attacker, .id = price.token});
    if (lender != nullptr && lender->pays.empty()) {
      const PreparedEffect& lends = *lender->effect;
      compile_operations(attack, *lends.spec, lends.spec->operations, lends.amounts, lender->owner, effect);
      effect.sets |= attack.bits_of(lender->owner.named(lends.spec->id));
    }
    const std::string_view detail = lender == nullptr      ? std::string_view(price.token)
                                    : lender->pays.empty() ? std::string_view(attack.ship(lender->ship).name)
                                                           : std::string_view(lender->pays);
    const int index = store_effect(attack, std::move(effect), {},
                                   {.id = "price", .detail = detail, .attackers = true, .chosen = true});
    attack.in_windows.push_back({load::Window::Always, true, true, index});
  }
  game::Expression& prevented = attack.plan.prevented;
  if (!prevented.empty()) none = combined(std::move(none), prevented, Code::Or);
  prevented = std::move(none);
  return true;
}

}  // namespace salvo::compile
