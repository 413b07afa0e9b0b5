#include "battle/ship_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/weapons.h"
#include "base/index.h"
#include "compile/ships.h"
#include "load/pilot_stats.h"
#include "salvo/names.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

/// The cards of a ship, its abilities included, with an effect that satisfies `test`.
template <typename Test>
std::vector<OwnedCard> cards_with(const CardSource& from, const ScenarioShip& ship, Test test) {
  std::vector<OwnedCard> out;
  for (const OwnedCard& owned : cards_of_ship(from, ship)) {
    const load::CardSpec* card = from.catalogue.card(owned.kind, owned.id, from.cards);
    if (card != nullptr && std::any_of(card->effects.begin(), card->effects.end(), test)) base::add_once(out, owned);
  }
  return out;
}

/// Whether the ship has an effect at the start of an engagement.
bool has_start_effects(const CardSource& from, const ScenarioShip& ship) {
  return !cards_with(from, ship, [](const load::EffectSpec& effect) {
            return effect.at == load::Window::EngagementStart && effect.whose != "ally";
          }).empty();
}

void add_special_slots(const CardSource& from, ShipType& type) {
  type.stress = slot_of(type, "stress");
  type.strain = slot_of(type, "strain");
  type.deplete = slot_of(type, "deplete");
  type.ion = slot_of(type, "ion");
  type.force = slot_of(type, "force");
  for (const load::TokenSpec& token : from.edition.tokens) {
    if (token.id != "ion") continue;
    const auto threshold = token.threshold.find(type.size);
    if (threshold != token.threshold.end()) type.ionized = threshold->second;
    type.ion_is_blue = token.blue;
    type.ion_focus_only = token.focus_only;
  }
  if (has_start_effects(from, type.ship)) {
    type.engaged = static_cast<int>(type.slots.size());
    type.slots.push_back({.label = kEngagementSlot, .initial = 1, .max = 1, .end = {.renews = true}});
  }
}

void find_weapons(const CardSource& from, ShipType& type) {
  const std::vector<WeaponChoice> choices = answers::weapons_of(from.catalogue, from.cards, type.ship);
  const bool stated = type.ship.attack.has_value();
  if (stated) type.weapons.push_back({"primary", 0, 3, false});
  for (const WeaponChoice& choice : choices) {
    const bool primary = choice.id.starts_with("primary");
    if (primary && stated) continue;
    if (choice.id == "primary:rear" && choices.size() > 1) continue;
    const load::CardSpec* card = primary ? nullptr : from.catalogue.card("upgrade", choice.id, from.cards);
    const std::string arc = card != nullptr && card->weapon ? card->weapon->arc : choice.id;
    type.weapons.push_back({choice.id, choice.min_range, choice.max_range, arc.find("bullseye") != std::string::npos});
  }
}

/// Adds the charges that cards spend on actions, where attacks do not know them: those of cards without a file.
void add_charges_of_actions(const CardSource& from, ShipType& type) {
  const load::PilotSpec* pilot = load::find_pilot_stats(from.catalogue, type.ship, from.cards).pilot;
  for (const OwnedCard& card : type.action_cards.known) {
    if (from.catalogue.card(card.kind, card.id, from.cards) != nullptr) continue;
    const load::CardSpec* counted =
        card.kind == "upgrade" ? from.catalogue.card("charges", card.id, from.cards) : nullptr;
    const bool of_pilot = card.kind == "pilot" && pilot != nullptr;
    const int charges = counted != nullptr ? counted->charges : of_pilot ? pilot->charges : 0;
    if (charges == 0) continue;
    type.slots.push_back({.label = "charge:" + card.id + "#",
                          .initial = charges,
                          .max = charges,
                          .end = {.recover = of_pilot ? pilot->charges_recover : 0}});
  }
}

}  // namespace

std::vector<OwnedCard> cards_of_ship(const CardSource& from, const ScenarioShip& ship) {
  std::vector<OwnedCard> out;
  for (const std::string& id : ship.upgrades) out.push_back({"upgrade", id});
  if (!ship.pilot) return out;
  out.push_back({"pilot", *ship.pilot});
  for (const std::string& id : from.catalogue.ships_of_pilot(*ship.pilot, from.cards)) {
    const load::ShipSpec* spec = from.catalogue.ship(id, from.cards);
    if (spec == nullptr) continue;
    for (const load::PilotSpec& pilot : spec->pilots) {
      if (pilot.id == *ship.pilot && !pilot.ship_ability.empty()) out.push_back({"ship", pilot.ship_ability});
    }
  }
  return out;
}

std::vector<std::string> notes_on_cards(const CardSource& from, const NamedShip& named) {
  const ScenarioShip& ship = named.ship;
  const auto name = [&from](const OwnedCard& card) { return name_of(from.catalogue, card.kind, card.id, from.cards); };
  std::vector<std::string> out;
  const auto outside_attacks = [](const load::EffectSpec& effect) {
    return effect.at == load::Window::RoundEnd || effect.operations.front().token == "condition";
  };
  for (const OwnedCard& card : cards_with(from, ship, outside_attacks))
    out.push_back(fmt::format("battles leave out what {} does in the setup and in the End Phase", name(card)));
  const auto keeps_ships = [](const load::EffectSpec& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(),
                       [](const load::OperationSpec& operation) { return operation.fact == "attacker-stays"; });
  };
  for (const OwnedCard& card : cards_with(from, ship, keeps_ships))
    out.push_back(fmt::format("battles leave out that {} keeps a destroyed ship in play", name(card)));
  const auto picks = [](const load::EffectSpec& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [](const load::OperationSpec& operation) {
      return operation.verb == load::Verb::Pick || operation.verb == load::Verb::Repair || operation.pick;
    });
  };
  for (const OwnedCard& card : cards_with(from, ship, picks))
    out.push_back(fmt::format("battles leave out that the player of {} picks or repairs damage cards", name(card)));
  const ActionCards& actions = named.action_cards;
  for (const OwnedCard& card : actions.left_out)
    out.push_back(fmt::format("battles leave out what {} does with actions", name(card)));
  for (const OwnedCard& card : actions.friends)
    out.push_back(fmt::format("battles leave out what {} does with actions of other ships", name(card)));
  for (const ActionAbility& ability : actions.abilities) {
    if (ability.fast)
      base::add_once(out,
                     fmt::format("its maneuvers are assumed to have the speed that {} asks for", name(ability.card)));
  }
  return out;
}

int slot_of(const ShipType& type, const std::string& label) {
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    if (type.slots[i].label == label) return static_cast<int>(i);
  }
  return -1;
}

std::string slot_label(const game::Plan& plan, const compile::Labels& labels, std::size_t r) {
  using Kind = game::Resource::Kind;
  const game::Resource& resource = plan.resources[r];
  const std::string& label = labels.resources[r].name;
  switch (resource.kind) {
    case Kind::Token:
      return label;
    case Kind::Charge:
    case Kind::Use:
      return fmt::format("{}#{}", label, resource.token);
    case Kind::BonusUse:
    case Kind::MoreBonus:
      return label;
    default:
      return {};
  }
}

std::string ship_id_of(const CardSource& source, const ScenarioShip& ship) {
  if (ship.ship || !ship.pilot) return ship.ship.value_or("");
  const auto ships = source.catalogue.ships_of_pilot(*ship.pilot, source.cards);
  return ships.empty() ? "" : ships.front();
}

ShipType look_up_ship_type(const CardSource& from, const NamedShip& named) {
  const ScenarioShip& ship = named.ship;
  ShipType type;
  type.ship = ship;
  type.alone = named.alone;
  type.helper = named.helper;
  type.action_cards = named.action_cards;
  const auto found =
      compile::look_up_ships(from.catalogue, from.edition, from.cards, {{study::kAttacker, ship}}, from.damage_deck);
  type.title = found[0].title;
  type.size = found[0].size;
  type.hull = found[0].hull;
  type.shields = found[0].shields;
  type.attack = found[0].attack;
  type.faceup = found[0].faceup;
  type.known = found[0].known;
  type.hull_of_cards = found[0].hull_of_cards;
  if (type.hull == 0)
    throw ScenarioError("", fmt::format("{} has no hull, so nothing destroys it; add hull = n or a ship", type.title));
  if (type.health() > kMaxHealth) {
    throw ScenarioError("", fmt::format("{} has {} hull and shields; a battle takes {} at most", type.title,
                                        type.health(), kMaxHealth));
  }
  find_weapons(from, type);
  for (std::size_t t = 0; t < from.edition.tokens.size(); ++t) {
    const load::TokenSpec& token = from.edition.tokens[t];
    const auto own = found[0].tokens.find(token.id);
    const int n = own == found[0].tokens.end() ? 0 : own->second;
    type.slots.push_back({token.id, static_cast<int>(t), n, token.max, {.leaves = token.leaves}});
    if (!token.charge) continue;
    const auto& [capacity, recovered] = found[0].charges.at(token.id);
    type.slots.back().max = capacity;
    type.slots.back().end.recover = recovered;
  }
  add_special_slots(from, type);
  add_charges_of_actions(from, type);
  return type;
}

}  // namespace salvo::battle
