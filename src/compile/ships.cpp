// Looks up the ships of a scenario: stat lines, cards, tokens, locks.
#include "compile/ships.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/index.h"
#include "base/limits.h"
#include "base/text.h"
#include "compile/compile_parts.h"
#include "load/pilot_stats.h"
#include "load/profile.h"
#include "load/scenario_names.h"
#include "load/slot_rules.h"
#include "load/synonyms.h"
#include "salvo/names.h"

namespace salvo::compile {
namespace {

ScenarioError out_of_range(const std::string& path, int n, int most) {
  return {path, fmt::format("{} is out of range; allowed are 0 to {}", n, most)};
}

void look_up_pilot(const Draft& draft, ShipDraft& out) {
  const std::string& id = *out.given->pilot;
  const auto ships = draft.catalogue.ships_of_pilot(id, draft.cards);
  if (ships.empty()) {
    throw load::UnknownIdError(ship_path(out, "pilot"), unknown("pilot", id, draft.catalogue.pilot_ids(draft.cards)));
  }
  if (out.ship == nullptr) {
    if (ships.size() > 1) {
      throw ScenarioError(
          ship_path(out, "pilot"),
          fmt::format("pilot '{}' flies several ships ({}); add ship = \"...\"", id, base::joined(ships, ", ")));
    }
    out.ship = draft.catalogue.ship(ships.front(), draft.cards);
  }
  if (out.ship == nullptr)
    throw ScenarioError(ship_path(out, "pilot"), fmt::format("the ship of pilot '{}' has no profile", id));
  for (const load::PilotSpec& pilot : out.ship->pilots) {
    if (pilot.id == id) out.pilot = &pilot;
  }
  if (out.pilot == nullptr) {
    throw load::UnknownIdError(ship_path(out, "pilot"), fmt::format("pilot '{}' does not fly the {}, but {}", id,
                                                                    out.ship->id, base::joined(ships, ", ")));
  }
}

/// The cards of a ship; nullptr for cards without a file.
struct ShipCards {
  const load::CardSpec *ability = nullptr, *pilot = nullptr;
  std::vector<const load::CardSpec*> upgrades, conditions;  ///< in the order given
};

/// Looks up the cards that have a file, in the order ship ability, pilot, upgrades, conditions, aids.
ShipCards look_up_cards(const Draft& draft, ShipDraft& out) {
  const auto look_up = [&](const char* kind, const std::string& id) {
    const load::CardSpec* card = draft.catalogue.card(kind, id, draft.cards);
    if (card != nullptr) out.cards.push_back(card);
    return card;
  };
  ShipCards all;
  if (out.pilot != nullptr && !out.pilot->ship_ability.empty()) all.ability = look_up("ship", out.pilot->ship_ability);
  if (out.pilot != nullptr) all.pilot = look_up("pilot", out.pilot->card);
  for (const std::string& id : out.given->upgrades) all.upgrades.push_back(look_up("upgrade", id));
  for (const std::string& id : out.given->conditions) all.conditions.push_back(look_up("condition", id));
  for (const std::string& id : out.given->aids) look_up("aid", id);
  return all;
}

/// Adds a primary weapon from a card with `n` dice, or changes the ship's weapon of that arc.
void add_weapon(const load::OperationSpec& operation, ShipDraft& out) {
  if (!operation.weapon.starts_with("primary:")) return;  // for upgrades, see arc_on_ship()
  const std::string arc = operation.weapon.substr(std::string_view("primary:").size());
  const auto at = std::find_if(out.weapons.begin(), out.weapons.end(), [&](const auto& w) { return w.arc == arc; });
  const bool moved = !operation.to.empty();
  if (at != out.weapons.end()) {
    at->attack = operation.n;
    if (moved) at->arc = operation.to;
  } else if (!moved) {
    out.weapons.push_back({.arc = arc, .attack = operation.n});
  }
}

/// Applies cards that change the stat line, before the scenario's own numbers.
void apply_stat_cards(ShipDraft& out) {
  each_stat(out.cards, [&](const load::CardSpec&, const load::OperationSpec& operation) {
    if (operation.to == "docked") return;  // applied by dock_ships()
    if (!operation.weapon.empty()) {
      if (out.ship != nullptr) add_weapon(operation, out);
      return;
    }
    if (operation.stat == "hull" && out.hull > 0) out.hull += operation.n;
    if (operation.stat == "shields") out.shields += operation.n;
    if (operation.stat == "agility") out.agility += operation.n;
    if (operation.stat == "attack" && !out.weapons.empty()) out.weapons.front().attack += operation.n;
  });
}

/// Notes the cards that would have changed numbers which the scenario states, since stated numbers take precedence.
void note_stat_cards(Draft& draft, const ShipDraft& out) {
  if (std::none_of(out.cards.begin(), out.cards.end(),
                   [](const load::CardSpec* card) { return prepared(*card).stats; }))
    return;
  const ScenarioShip& given = *out.given;
  const std::map<std::string, std::optional<int>> stated{
      {"hull", given.hull}, {"shields", given.shields}, {"agility", given.agility}, {"attack", given.attack}};
  each_stat(out.cards, [&](const load::CardSpec& card, const load::OperationSpec& operation) {
    if (!operation.weapon.empty() || operation.to == "docked") return;
    const auto at = stated.find(operation.stat);
    if (at == stated.end() || !at->second) return;
    const int n = *at->second;
    draft.out.labels.notes.push_back(
        fmt::format("{}: {} does not change the {} {} that the scenario states; {}", out.name, draft.printed_name(card),
                    operation.stat, n,
                    out.ship == nullptr ? "state the changed number" : "leave it out, or state the changed number"));
  });
}

ScenarioError out_of_hull(const ShipDraft& ship, int cards) {
  const char* key = ship.given->faceup.empty() ? "facedown" : "faceup";
  if (ship.hull == 0)
    return {ship_path(ship, key), "the ship has no hull for damage cards; add hull = n, or name the ship"};
  return {ship_path(ship, key), fmt::format("{} damage cards destroy a ship with hull {}; hull is what it has without "
                                            "them, so state fewer cards or more hull",
                                            cards, ship.hull)};
}

/// Notes a standard loadout that the scenario leaves out.
void note_loadout(Draft& draft, const ShipDraft& out) {
  if (out.pilot == nullptr || out.pilot->standard_loadout.empty() || !out.given->upgrades.empty()) return;
  std::vector<std::string> loadout;
  for (const std::string& id : out.pilot->standard_loadout)
    loadout.push_back(name_of(draft.catalogue, "upgrade", id, draft.cards));
  draft.out.labels.notes.push_back(
      fmt::format("{}: {} flies without the standard loadout {}; list it in upgrades to use it", out.name,
                  out.pilot->name, base::joined(loadout, ", ")));
}

void apply_stat_line(ShipDraft& out) {
  if (out.ship != nullptr) {
    out.size = out.ship->size;
    out.agility = out.ship->agility;
    out.hull = out.ship->hull;
    out.shields = out.ship->shields;
    out.weapons = load::primary_weapons_of(*out.ship, out.pilot);
  }
  if (out.pilot != nullptr) {
    out.agility = out.pilot->agility.value_or(out.agility);
    out.hull = out.pilot->hull.value_or(out.hull);
    out.shields = out.pilot->shields.value_or(out.shields);
  }
  const bool has_hull = out.hull > 0;
  apply_stat_cards(out);
  if (has_hull) out.hull = std::max(out.hull, 1);
  out.shields = std::max(out.shields, 0);
  out.agility = std::max(out.agility, 0);
  for (load::WeaponSpec& weapon : out.weapons) weapon.attack = std::max(weapon.attack, 0);
  const ScenarioShip& given = *out.given;
  if (given.size) out.size = *given.size;
  out.agility = given.agility.value_or(out.agility);
  out.lost_hull = std::max(0, out.hull - given.hull.value_or(out.hull));
  out.lost_shields = std::max(0, out.shields - given.shields.value_or(out.shields));
  out.hull = given.hull.value_or(out.hull);
  out.shields = given.shields.value_or(out.shields);
  out.facedown = given.facedown;
  // Stated damage cards and hull are those after the setup.
  if (out.hull > 0 && !given.hull && given.facedown == 0 && given.faceup.empty()) {
    for (const load::CardSpec* card : out.cards) out.facedown += card->facedown;
  }
  lose_hull(out, static_cast<int>(given.faceup.size()) + out.facedown);
  out.attack = given.attack;
  // A ship of numbers, or one without weapons for which the scenario states a value.
  if (out.ship == nullptr || (out.weapons.empty() && given.attack)) {
    out.weapons.clear();
    load::WeaponSpec& weapon = out.weapons.emplace_back();
    weapon.arc = "front";
    weapon.attack = given.attack.value_or(0);
  }
}

/// Adds the tokens from stat line and cards, unless the scenario states the token. Charges start active, and a card's
/// Force charges add to the ship's capacity (000: Charges, Force).
void add_own_tokens(const Draft& draft, ShipDraft& out) {
  bool any = false;
  const auto add = [&](std::string_view id, int n) {
    const int token = n != 0 ? draft.token_index(id) : -1;
    if (token < 0) return;
    base::nth(out.tokens, token).own += n;
    any = true;
  };
  if (out.pilot != nullptr) add("force", out.pilot->force);
  if (out.ship != nullptr) add("energy", out.ship->energy);
  for (const load::CardSpec* card : out.cards) {
    for (const auto& [id, n] : card->tokens) {
      if (id == "charge") continue;
      if (draft.token_index(id) < 0)
        throw LoadError(
            fmt::format("card {}: tokens.{}: the rules {} have no such token", card->id, id, draft.edition.id));
      add(id, n);
    }
  }
  for (std::size_t t = 0; any && t < out.tokens.size(); ++t) {
    ShipDraft::Tokens& tokens = out.tokens[t];
    if (tokens.own > 0 && tokens.n == ShipDraft::Tokens::kUnset)
      tokens.n = std::min(tokens.own, draft.edition.tokens[t].max);
  }
}

void check_tokens(const Draft& draft, ShipDraft& out) {
  out.tokens.resize(draft.edition.tokens.size());
  for (const auto& [id, n] : out.given->tokens)
    base::nth(out.tokens, check_token(
                              draft, out, [&, &id = id] { return ship_path(out, "tokens." + id); }, id, n))
        .n = n;
  add_own_tokens(draft, out);
}

void note_cards(Draft& draft, const ShipDraft& out, const ShipCards& cards) {
  const std::string& set = draft.cards;
  Labels& labels = draft.out.labels;
  const auto note = [&](const load::CardSpec* card, const char* kind, const std::string& id) {
    if (card == nullptr) {
      const bool matters = draft.catalogue.relevant(kind, id, set).value_or(true);
      (matters ? labels.unmodelled : labels.no_effect).push_back(id);
    } else if (!card->partly.empty()) {
      labels.partly.push_back(fmt::format("{}: {}", id, base::joined(card->partly, "; ")));
    }
  };
  constexpr std::size_t kMaxUpgrades = 30;  // no ship has half as many slots
  if (out.given->upgrades.size() > kMaxUpgrades) {
    throw ScenarioError(ship_path(out, "upgrades"), fmt::format("{} upgrades are more than a ship can have ({}); leave "
                                                                "out those that it does not have",
                                                                out.given->upgrades.size(), kMaxUpgrades));
  }
  for (std::size_t i = 0; i < out.given->upgrades.size(); ++i) {
    const std::string& id = out.given->upgrades[i];
    if (cards.upgrades[i] == nullptr && !draft.catalogue.upgrade_exists(id, set)) {
      throw load::UnknownIdError(ship_path(out, fmt::format("upgrades[{}]", i)),
                                 unknown("upgrade", id, draft.catalogue.upgrade_ids(set)));
    }
    const auto so_far = std::span(out.given->upgrades).first(i + 1);
    const auto copies = std::count(so_far.begin(), so_far.end(), id);
    if (load::is_extra_copy(set, copies))
      labels.notes.push_back(
          fmt::format("{}: {} is listed twice, and counts twice here; by the rules a ship has each upgrade once",
                      ship_path(out, fmt::format("upgrades[{}]", i)), id));
    note(cards.upgrades[i], "upgrade", id);
  }
  for (std::size_t i = 0; i < out.given->conditions.size(); ++i) {
    const std::string& id = out.given->conditions[i];
    if (cards.conditions[i] == nullptr) {
      throw ScenarioError(ship_path(out, fmt::format("conditions[{}]", i)),
                          unknown("condition", id, draft.catalogue.condition_ids(draft.cards)));
    }
    note(cards.conditions[i], "condition", id);
  }
  if (out.pilot != nullptr && out.pilot->limited > 0) note(cards.pilot, "pilot", out.pilot->card);
  if (out.pilot != nullptr && !out.pilot->ship_ability.empty()) note(cards.ability, "ship", out.pilot->ship_ability);
}

std::string title_of(const ShipDraft& ship) {
  if (ship.pilot != nullptr) return fmt::format("{} ({})", ship.pilot->name, ship.ship->name);
  return ship.ship != nullptr ? ship.ship->name : ship.name;
}

/// Files are checked on reading; scenarios built by a program may hold any numbers.
void check_numbers(const ShipDraft& ship) {
  const auto check = [&](const char* key, const std::optional<int>& n, int most) {
    if (n && (*n < 0 || *n > most)) throw out_of_range(ship_path(ship, key), *n, most);
  };
  check("attack", ship.given->attack, base::kMaxPool);
  check("agility", ship.given->agility, base::kMaxPool);
  check("hull", ship.given->hull, base::kMaxShipHealth);
  check("shields", ship.given->shields, base::kMaxShipHealth);
  check("facedown", ship.given->facedown, base::kMaxShipHealth);
}

void draft_ship(Draft& draft, const std::string& name, const ScenarioShip& given) {
  ShipDraft& out = draft.ships.emplace_back();
  out.name = name;
  out.given = &given;
  check_numbers(out);
  if (given.ship) {
    out.ship = draft.catalogue.ship(*given.ship, draft.cards);
    if (out.ship == nullptr) {
      throw load::UnknownIdError(ship_path(out, "ship"),
                                 unknown("ship", *given.ship, draft.catalogue.ship_ids(draft.cards)));
    }
  }
  if (given.pilot) look_up_pilot(draft, out);
  const ShipCards cards = look_up_cards(draft, out);
  apply_stat_line(out);
  note_stat_cards(draft, out);
  note_loadout(draft, out);
  const auto& sizes = draft.edition.sizes;
  if (!base::contains(sizes, out.size)) {
    throw ScenarioError(ship_path(out, "size"),
                        fmt::format("unknown size '{}'; allowed are {}", out.size, base::joined(sizes, ", ")));
  }
  check_tokens(draft, out);
  note_cards(draft, out, cards);
  if (given.side) out.mine = *given.side == "mine";
}

/// Adds upgrades that have no card file but known charges, if a card of the scenario spends charges of other cards.
void add_charges_of_others(Draft& draft) {
  if (!any_card(draft, &PreparedCard::other_charges)) return;
  for (ShipDraft& ship : draft.ships) {
    for (const std::string& id : ship.given->upgrades) {
      const bool has_file =
          std::any_of(ship.cards.begin(), ship.cards.end(), [&](const load::CardSpec* c) { return c->id == id; });
      const load::CardSpec* card = has_file ? nullptr : draft.catalogue.card("charges", id, draft.cards);
      if (card != nullptr) ship.cards.push_back(card);
    }
  }
}

void check_locks(const Draft& draft) {
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    const ShipDraft& ship = draft.ships[s];
    for (const std::string& target : ship.given->locks) {
      const int on = draft.find_ship(target);
      if (on >= 0 && on != static_cast<int>(s)) continue;
      const std::string path = ship_path(ship, "tokens.lock");
      if (draft.ship_index(target, path) == static_cast<int>(s)) {
        throw ScenarioError(path, "a ship cannot have a lock on itself (000: Lock); name another ship");
      }
    }
  }
}

/// Whether the scenario states who has the condition.
bool states_condition(const Draft& draft, const std::string& id) {
  return std::any_of(draft.ships.begin(), draft.ships.end(),
                     [&](const ShipDraft& ship) { return base::contains(ship.given->conditions, id); });
}

/// Whether a ship can have a condition that a card assigns within these limits.
bool can_have(const ShipDraft& ship, const load::Recipients& limits) {
  if (limits.limited && (ship.pilot == nullptr || ship.pilot->limited == 0)) return false;
  if (ship.pilot != nullptr && !limits.faction.empty() && ship.pilot->faction != limits.faction) return false;
  if (ship.pilot != nullptr && ship.pilot->id == limits.except_pilot) return false;
  return !limits.shields || ship.shields <= *limits.shields;
}

/// The ship that a card of ship `owner` assigns a condition to; -1: none. It is the first one in the attacks of the
/// owner, then in all attacks, then by name. `who`: "self", "ally", "friend" (an ally, else itself) or "enemy".
int assignee(const Draft& draft, int owner, const load::CardSpec& card, const std::string& who,
             const load::EffectSpec& effect) {
  const int itself = can_have(base::nth(draft.ships, owner), effect.recipients) ? owner : -1;
  if (who == "self") return itself;
  std::vector<int> order;
  for (const bool own : {true, false}) {
    for (const ScenarioAttack& attack : draft.scenario.attacks) {
      const int by = draft.find_ship(attack.by), on = draft.find_ship(attack.on);
      if (!own || by == owner || on == owner) order.insert(order.end(), {by, on});
    }
  }
  for (std::size_t s = 0; s < draft.ships.size(); ++s) order.push_back(static_cast<int>(s));
  const auto at = std::find_if(order.begin(), order.end(), [&](int s) {
    const ShipDraft& ship = base::nth(draft.ships, s);
    const bool friendly = ship.mine == base::nth(draft.ships, owner).mine;
    return s != owner && friendly == (who == "ally" || who == "friend") && ship.carrier < 0 &&
           !base::contains(ship.cards, &card) && can_have(ship, effect.recipients);
  });
  return at != order.end() ? *at : who == "friend" ? itself : -1;
}

void assign_condition(Draft& draft, const ShipDraft& owner, const load::CardSpec& card, const std::string& id, int to) {
  const load::CardSpec* condition = draft.catalogue.card("condition", id, draft.cards);
  if (condition == nullptr)
    throw LoadError(
        fmt::format("card {}: {}", card.id, unknown("condition", id, draft.catalogue.condition_ids(draft.cards))));
  ShipDraft& ship = base::nth(draft.ships, to);
  if (base::contains(ship.cards, condition)) return;  // from another ship with the card
  ship.cards.push_back(condition);
  each_stat({condition}, [&](const load::CardSpec&, const load::OperationSpec& operation) {
    if (operation.stat == "shields" && !ship.given->shields) ship.shields += operation.n;
  });
  Labels& labels = draft.out.labels;
  if (!condition->partly.empty()) {
    labels.partly.push_back(fmt::format("{}: {}", id, base::joined(condition->partly, "; ")));
    base::sort_once(labels.partly);
  }
  labels.notes.push_back(
      fmt::format("{}: has the condition {} from {} of {}; to give it to another ship, state "
                  "conditions = [\"{}\"] there",
                  ship.name, id, draft.printed_name(card), owner.name, id));
}

/// Assigns the condition of a card of ship `owner`: the first that some ship can have, unless the scenario states one.
void assign_conditions(Draft& draft, int owner, const load::CardSpec& card) {
  bool done = false;
  std::string missing;
  each_condition({&card}, [&](const load::CardSpec&, const load::EffectSpec&, const load::OperationSpec& gain) {
    done = done || states_condition(draft, gain.of);
  });
  each_condition({&card}, [&](const load::CardSpec&, const load::EffectSpec& effect, const load::OperationSpec& gain) {
    if (done) return;
    const int to = assignee(draft, owner, card, gain.who, effect);
    if (to < 0) missing = gain.of;
    if (to < 0) return;
    assign_condition(draft, base::nth(draft.ships, owner), card, gain.of, to);
    done = true;
  });
  if (done || missing.empty()) return;
  draft.out.labels.notes.push_back(fmt::format(
      "{}: no other ship can have the condition {} that {} assigns; add one", base::nth(draft.ships, owner).name,
      name_of(draft.catalogue, "condition", missing, draft.cards), draft.printed_name(card)));
}

}  // namespace

void assign_conditions(Draft& draft) {
  if (draft.lifetime == Lifetime::Battle) return;
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    for (const load::CardSpec* card : std::vector(draft.ships[s].cards))
      assign_conditions(draft, static_cast<int>(s), *card);
  }
}

void lose_hull(ShipDraft& ship, int cards) {
  const bool named_only = ship.hull == 0 && ship.facedown == 0;  // cards that act on a ship without hull
  if (cards == 0 || named_only) return;
  if (cards >= ship.hull) throw out_of_hull(ship, cards);
  ship.hull -= cards;
  ship.lost_hull += cards;
}

int check_token(const Draft& draft, const ShipDraft& ship, const std::function<std::string()>& path,
                const std::string& id, int n) {
  const int token = draft.token_index(id);
  if (token < 0) {
    if (const std::string hint = load::remedy(load::WordContext::Tokens, id); !hint.empty())
      throw ScenarioError(path(), fmt::format("unknown token '{}';{}", id, hint));
    std::vector<std::string> known;
    for (const load::TokenSpec& spec : draft.edition.tokens) known.push_back(spec.id);
    known.emplace_back("lock");
    throw ScenarioError(path(), unknown("token", id, known));
  }
  const auto& remotes = draft.edition.remotes;
  if (n > 0 && base::contains(remotes, ship.size))
    throw ScenarioError(path(), "a remote can have no tokens but locks (000: Remotes); leave it out");
  const int most = base::nth(draft.edition.tokens, token).max;
  if (n < 0 || n > most) throw out_of_range(path(), n, most);
  return token;
}

std::string ship_path(const ShipDraft& ship, const std::string& key) {
  return "ships." + ship.name + "." +
         key;  // cheaper than fmt::format; most paths are built for errors that do not occur
}

std::string unknown_token(const load::Edition& edition, std::string_view word) {
  std::vector<std::string> known{"lock"};
  for (const load::TokenSpec& token : edition.tokens) known.push_back(token.id);
  return unknown("token", std::string(word), known);
}

std::string Draft::printed_name(const load::CardSpec& card) const {
  return name_of(catalogue, card.kind, card.id, cards);
}

int Draft::find_ship(std::string_view name) const {
  for (std::size_t i = 0; i < ships.size(); ++i) {
    if (ships[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int Draft::ship_index(const std::string& name, const std::string& path) const {
  const int found = find_ship(name);
  if (found >= 0) return found;
  std::vector<std::string> names;
  for (const ShipDraft& ship : ships) names.push_back(ship.name);
  throw ScenarioError(path, unknown("ship", name, names));
}

int Draft::find_resource(game::Resource::Kind kind, int ship, int token) const {
  const auto& resources = out.plan.resources;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (resources[i].kind == kind && resources[i].ship == ship && resources[i].token == token)
      return static_cast<int>(i);
  }
  return -1;
}

void note_other_ships(Draft& draft) {
  std::optional<load::SlotRules> rules;
  for (const ShipDraft& ship : draft.ships) {
    if (ship.ship == nullptr || ship.given->upgrades.empty()) continue;
    if (!rules) rules.emplace(draft.catalogue, draft.cards);
    for (const std::string& why : rules->notes_on_others(ship.given->upgrades, *ship.ship))
      draft.out.labels.other_ships.push_back(fmt::format("{}: {}", ship.name, why));
  }
}

void draft_ships(Draft& draft) {
  draft.ships.reserve(draft.scenario.ships.size());
  for (const auto& [name, given] : draft.scenario.ships) draft_ship(draft, name, given);
  add_charges_of_others(draft);
  check_locks(draft);
  check_gains(draft);
  Labels& labels = draft.out.labels;
  for (auto* list : {&labels.unmodelled, &labels.no_effect, &labels.partly}) base::sort_once(*list);
  labels.ships.reserve(draft.ships.size());
  labels.ship_titles.reserve(draft.ships.size());
  for (const ShipDraft& ship : draft.ships) {
    labels.ships.push_back(ship.name);
    labels.ship_titles.push_back(title_of(ship));
  }
}

namespace {

/// The attack dice of the best primary weapon.
int attack_of(const ShipDraft& ship) {
  int most = ship.attack.value_or(0);
  for (const load::WeaponSpec& weapon : ship.weapons) most = ship.attack ? most : std::max(most, weapon.attack);
  return most;
}

}  // namespace

std::vector<ShipStart> look_up_ships(const Catalogue& catalogue, const load::Edition& edition,
                                     const std::string& card_set, const std::map<std::string, ScenarioShip>& ships,
                                     const std::string& damage_deck) {
  Scenario scenario;
  scenario.rules = edition.id;
  scenario.cards = card_set;
  scenario.ships = ships;
  const bool cards =
      std::any_of(ships.begin(), ships.end(), [](const auto& one) { return !one.second.faceup.empty(); });
  if (cards) scenario.damage_deck = damage_deck;
  CompiledScenario unused;
  Draft draft{.catalogue = catalogue,
              .scenario = scenario,
              .edition = edition,
              .cards = card_set,
              .ships = {},
              .attacks = {},
              .compiled = {},
              .facts_read = {},
              .out = unused};
  draft_ships(draft);
  if (cards) find_deck(draft);
  std::vector<ShipStart> out;
  for (const ShipDraft& ship : draft.ships) {
    out.push_back({ship.name, title_of(ship), ship.size, ship.hull, ship.shields, attack_of(ship), {}, {}});
    if (!ship.faceup.empty()) {
      out.back().faceup = ship.faceup;
      out.back().known = ship.known;
      out.back().hull_of_cards = ship.hull_of_cards;
    }
    for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
      const load::TokenSpec& token = edition.tokens[t];
      const int n = ship.tokens[t].n, own = ship.tokens[t].own;
      if (n != ShipDraft::Tokens::kUnset) out.back().tokens.emplace(token.id, n);
      if (token.charge)
        out.back().charges.emplace(
            token.id, ShipStart::Charges{std::max(n, std::min(own, token.max)), token_recovered(ship, token.id)});
    }
  }
  return out;
}

}  // namespace salvo::compile
