#include "battle/ship_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/weapons.h"
#include "base/index.h"
#include "compile/ships.h"
#include "load/actions.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

/// The cards of a ship, its abilities included, with an effect that satisfies `test`.
template <typename Test>
std::vector<std::string> cards_with(const CardSource& from, const ScenarioShip& ship, Test test) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view kind, const std::string& id) {
    const load::CardSpec* card = from.catalogue.card(kind, id, from.cards);
    if (card != nullptr && std::any_of(card->effects.begin(), card->effects.end(), test)) base::add_once(out, id);
  };
  for (const std::string& id : ship.upgrades) add("upgrade", id);
  if (!ship.pilot) return out;
  add("pilot", *ship.pilot);
  for (const std::string& id : from.catalogue.ships_of_pilot(*ship.pilot, from.cards)) {
    const load::ShipSpec* spec = from.catalogue.ship(id, from.cards);
    if (spec == nullptr) continue;
    for (const load::PilotSpec& pilot : spec->pilots) {
      if (pilot.id == *ship.pilot && !pilot.ship_ability.empty()) add("ship", pilot.ship_ability);
    }
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

/// Adds what an action gives. False where battles do not model the action, or it gives this ship nothing.
bool give(const ShipType& type, const load::Action& action, ActionOption& out) {
  using Difficulty = load::Action::Difficulty;
  if (action.difficulty == Difficulty::Red) ++out.stress;
  if (action.difficulty == Difficulty::Purple) ++out.force;
  if (action.name == "lock") {
    out.lock = true;
    return true;
  }
  for (const char* const name : kTokenActions) {
    const int slot = slot_of(type, name);
    if (action.name != name || slot < 0) continue;
    out.tokens.emplace_back(slot, 1);
    return true;
  }
  return false;
}

bool dominates(const ActionOption& a, const ActionOption& b) {
  return a.lock == b.lock && a.tokens == b.tokens && a.stress <= b.stress && a.force <= b.force &&
         a.focus_only >= b.focus_only;
}

void find_options(const CardSource& from, ShipType& type) {
  std::vector<load::Action> bar;
  if (type.ship.pilot || type.ship.ship) {
    bar = load::actions_of(from.catalogue, from.cards, ship_id_of(from, type.ship), type.ship.pilot.value_or(""),
                           type.ship.upgrades);
  } else {
    bar = load::parse_actions("focus lock", "a ship without a ship type");
  }
  std::vector<ActionOption> all;
  const auto add = [&](ActionOption option, bool gives) {
    if (!gives) return;
    if (std::none_of(all.begin(), all.end(), [&](const ActionOption& one) { return dominates(one, option); }))
      all.push_back(std::move(option));
  };
  const auto words = [](const load::Action& action) {
    using Difficulty = load::Action::Difficulty;
    return (action.difficulty == Difficulty::Red      ? "red "
            : action.difficulty == Difficulty::Purple ? "purple "
                                                      : "") +
           action.name;
  };
  for (const load::Action& action : bar) {
    ActionOption first{.name = words(action), .tokens = {}};
    const bool gives = give(type, action, first);
    first.focus_only = action.name == "focus" && action.difficulty == load::Action::Difficulty::White;
    add(first, gives);
    if (action.linked.empty()) continue;
    ActionOption both = first;
    both.focus_only = false;
    both.name += ", " + words(action.linked[0]);
    add(both, give(type, action.linked[0], both));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.stress < b.stress; });
  std::vector<ActionOption> best;
  for (ActionOption& option : all) {
    if (std::none_of(best.begin(), best.end(), [&](const auto& one) { return dominates(one, option); }))
      best.push_back(std::move(option));
  }
  constexpr std::size_t kMaxActions = kMaxOptions - 1;
  if (best.size() > kMaxActions) best.resize(kMaxActions);
  best.push_back({.name = "none", .tokens = {}});
  type.options = std::move(best);
}

}  // namespace

std::vector<std::string> effects_left_out(const CardSource& from, const ScenarioShip& ship) {
  std::vector<std::string> out;
  const auto outside_attacks = [](const load::EffectSpec& effect) {
    return effect.at == load::Window::RoundEnd || effect.operations.front().token == "condition";
  };
  for (const std::string& id : cards_with(from, ship, outside_attacks))
    out.push_back(fmt::format("what {} does in the setup and in the End Phase", id));
  const auto keeps_ships = [](const load::EffectSpec& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(),
                       [](const load::OperationSpec& operation) { return operation.fact == "attacker-stays"; });
  };
  for (const std::string& id : cards_with(from, ship, keeps_ships))
    out.push_back(fmt::format("that {} keeps a destroyed ship in play", id));
  const auto picks = [](const load::EffectSpec& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [](const load::OperationSpec& operation) {
      return operation.verb == load::Verb::Pick || operation.verb == load::Verb::Repair || operation.pick;
    });
  };
  for (const std::string& id : cards_with(from, ship, picks))
    out.push_back(fmt::format("that the player of {} picks or repairs damage cards", id));
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
  const std::string& label = labels.resources[r];
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

ShipType look_up_ship_type(const CardSource& from, const ScenarioShip& ship) {
  ShipType type;
  type.ship = ship;
  const auto found = compile::look_up_ships(from.catalogue, from.edition, from.cards, {{study::kAttacker, ship}});
  type.title = found[0].title;
  type.size = found[0].size;
  type.hull = found[0].hull;
  type.shields = found[0].shields;
  type.attack = found[0].attack;
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
  find_options(from, type);
  return type;
}

}  // namespace salvo::battle
