// Book: see book.h.
#include "battle/attack_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>

#include "answers/answer.h"
#include "battle/slots.h"
#include "compile/ships.h"
#include "data/message.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

constexpr const char* kEngagement = "engagement";
constexpr const char* kHealth = "health";

const load::Edition& edition_of(const Catalogue& catalogue, const std::string& rules) {
  const load::Edition* edition = catalogue.edition(rules);
  if (edition == nullptr) throw ScenarioError("rules", fmt::format("there is no edition '{}'", rules));
  return *edition;
}

/// Whether the ship has an effect at the start of an engagement.
bool has_start_effects(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship) {
  const auto starts = [&](std::string_view kind, const std::string& id) {
    const load::CardSpec* card = catalogue.card(kind, id, cards);
    return card != nullptr &&
           std::any_of(card->effects.begin(), card->effects.end(), [](const load::EffectSpec& effect) {
             return effect.at == load::Window::EngagementStart && effect.whose != "ally";
           });
  };
  if (std::any_of(ship.upgrades.begin(), ship.upgrades.end(), [&](const auto& id) { return starts("upgrade", id); }))
    return true;
  if (!ship.pilot) return false;
  if (starts("pilot", *ship.pilot)) return true;
  for (const std::string& id : catalogue.ships_of_pilot(*ship.pilot, cards)) {
    const load::ShipSpec* spec = catalogue.ship(id, cards);
    if (spec == nullptr) continue;
    for (const load::PilotSpec& pilot : spec->pilots) {
      if (pilot.id == *ship.pilot && !pilot.ship_ability.empty() && starts("ship", pilot.ship_ability)) return true;
    }
  }
  return false;
}

}  // namespace

AttackTables::AttackTables(const Catalogue& catalogue, const AttackTablesOptions& options, const std::vector<ScenarioShip>& ships)
    : catalogue_(catalogue), options_(options), edition_(edition_of(catalogue, options.rules)) {
  options_.cards = catalogue.card_set(options.cards, options.rules);
  look_up(ships);
  parted_.assign(types_.size() * types_.size(), false);
  if (options_.damage_deck == "none") {
    inspect_pairs();
  } else {
    inspect_pairs_with_cards();
  }
  against_ = std::vector<Against>(types_.size() * types_.size());
  for (int a = 0; a < types(); ++a) {
    for (int d = 0; d < types(); ++d)
      against_[pair_of(a, d)].cells = std::vector<Cell>(type(a).weapons.size() * kShots);
  }
  steps_ = std::make_unique<Steps[]>(types_.size() * kMaxStates);
  for (int t = 0; t < types(); ++t) {
    const ShipType& type = types_[static_cast<std::size_t>(t)];
    states_.push_back(std::make_unique<States>());
    states_.back()->list.resize(kMaxStates);
    Counts counts;
    for (const Slot& slot : type.slots) counts.push_back(static_cast<std::uint8_t>(slot.initial));
    start_.push_back(state_of(t, counts));
  }
}

AttackTables::~AttackTables() = default;

void AttackTables::look_up(const std::vector<ScenarioShip>& ships) {
  for (const ScenarioShip& ship : ships) {
    const auto same = std::find_if(types_.begin(), types_.end(), [&](const ShipType& type) { return type.ship == ship; });
    if (same != types_.end()) continue;
    ShipType type;
    type.ship = ship;
    const auto found = compile::look_up_ships(catalogue_, edition_, options_.cards, {{study::kAttacker, ship}});
    type.title = found[0].title;
    type.size = found[0].size;
    type.hull = found[0].hull;
    type.shields = found[0].shields;
    if (type.hull == 0)
      throw ScenarioError("",
                          fmt::format("{} has no hull, so nothing destroys it; add hull = n or a ship", type.title));
    if (type.health() > kMaxHealth) {
      throw ScenarioError("", fmt::format("{} has {} hull and shields; a battle takes {} at most", type.title,
                                          type.health(), kMaxHealth));
    }
    find_weapons(type);
    for (std::size_t t = 0; t < edition_.tokens.size(); ++t) {
      const load::TokenSpec& token = edition_.tokens[t];
      const auto own = found[0].tokens.find(token.id);
      const int n = own == found[0].tokens.end() ? 0 : own->second;
      type.slots.push_back({token.id, static_cast<int>(t), n, token.max, {.leaves = token.leaves}});
      if (!token.charge) continue;
      const auto& [capacity, recovered] = found[0].charges.at(token.id);
      type.slots.back().max = capacity;
      type.slots.back().end.recover = recovered;
    }
    start_slots(type);
    find_options(type);
    types_.push_back(std::move(type));
  }
}

int AttackTables::type_of(const ScenarioShip& ship) const {
  const auto same = std::find_if(types_.begin(), types_.end(), [&](const ShipType& type) { return type.ship == ship; });
  if (same == types_.end()) throw std::logic_error("the book does not have this ship");
  return static_cast<int>(same - types_.begin());
}

void AttackTables::start_slots(ShipType& type) const {
  type.stress = slot_of(type, "stress");
  type.strain = slot_of(type, "strain");
  type.deplete = slot_of(type, "deplete");
  type.ion = slot_of(type, "ion");
  type.force = slot_of(type, "force");
  for (const load::TokenSpec& token : edition_.tokens) {
    if (token.id != "ion") continue;
    const auto threshold = token.threshold.find(type.size);
    if (threshold != token.threshold.end()) type.ionized = threshold->second;
    type.ion_is_blue = token.blue;
    type.ion_focus_only = token.focus_only;
  }
  if (has_start_effects(catalogue_, options_.cards, type.ship)) {
    type.engaged = static_cast<int>(type.slots.size());
    type.slots.push_back({.label = kEngagement, .initial = 1, .max = 1, .end = {.renews = true}});
  }
}

void AttackTables::find_weapons(ShipType& type) const {
  const study::Game game{options_.rules, options_.cards};
  const std::vector<WeaponChoice> choices = study::weapons_of(catalogue_, game, type.ship);
  const bool stated = type.ship.attack.has_value();
  if (stated) type.weapons.push_back({"primary", 0, 3, false});
  for (const WeaponChoice& choice : choices) {
    const bool primary = choice.id.starts_with("primary");
    if (primary && stated) continue;
    if (choice.id == "primary:rear" && choices.size() > 1) continue;
    const load::CardSpec* card = primary ? nullptr : catalogue_.card("upgrade", choice.id, options_.cards);
    const std::string arc = card != nullptr && card->weapon ? card->weapon->arc : choice.id;
    type.weapons.push_back({choice.id, choice.min_range, choice.max_range, arc.find("bullseye") != std::string::npos});
  }
}

namespace {

/// Adds what an action gives. False where a battle does not know it, or it gives nothing here.
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

}  // namespace

void AttackTables::find_options(ShipType& type) const {
  std::vector<load::Action> bar;
  if (type.ship.pilot || type.ship.ship) {
    std::string ship = type.ship.ship.value_or("");
    if (ship.empty()) {
      const auto ships = catalogue_.ships_of_pilot(*type.ship.pilot, options_.cards);
      if (!ships.empty()) ship = ships.front();
    }
    bar = load::actions_of(catalogue_, options_.cards, ship, type.ship.pilot.value_or(""), type.ship.upgrades);
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
  std::vector<ActionOption> kept;
  for (ActionOption& option : all) {
    if (std::none_of(kept.begin(), kept.end(), [&](const auto& one) { return dominates(one, option); }))
      kept.push_back(std::move(option));
  }
  constexpr std::size_t kMaxKept = kMaxOptions - 1;
  if (kept.size() > kMaxKept) kept.resize(kMaxKept);
  kept.push_back({.name = "none", .tokens = {}});
  type.options = std::move(kept);
}

void AttackTables::note_resources(const compile::CompiledScenario& asked, int ship, ShipType& type) const {
  using Kind = game::Resource::Kind;
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const game::Resource& resource = asked.plan.resources[r];
    if (resource.ship != ship) continue;
    if (resource.kind == Kind::Health && type.health_slot < 0) {
      type.health_slot = static_cast<int>(type.slots.size());
      type.slots.push_back({.label = kHealth, .max = kMaxHealth});
    }
    const std::string label = slot_label(asked.plan, asked.labels, r);
    if (label.empty()) continue;
    const int slot = slot_of(type, label);
    if (resource.kind == Kind::Token) {
      if (slot >= 0 && resource.charge) type.slots[static_cast<std::size_t>(slot)].end = resource.end;
      continue;
    }
    if (slot >= 0) continue;
    type.slots.push_back({.label = label, .initial = resource.initial, .max = resource.max, .end = resource.end});
  }
}

/// Learns what each pair of ships has. Who is asked first changes nothing: slots have an order of their own.
void AttackTables::inspect_pairs() {
  const auto n = static_cast<std::size_t>(types());
  reads_bullseye_.assign(n * n, true);  // so that the probe asks, and is told
  reads_health_.assign(n * n, false);
  reads_hull_.assign(n * n, false);
  rolls_.assign(n * n, {});
  std::vector<PairFacts> row(n);
  std::vector<bool> reads_bullseye(n * n);
  for (int a = 0; a < types(); ++a) {
    study::for_each(options_.threads, n, [&](std::size_t d) { row[d] = inspect_pair(a, static_cast<int>(d)); });
    for (int d = 0; d < types(); ++d) {
      const PairFacts& one = row[static_cast<std::size_t>(d)];
      learn(a, d, one);
      if (cards_) find_card_fields(one.questions);
      reads_bullseye[pair_of(a, d)] = one.reads_bullseye;
    }
  }
  reads_bullseye_ = std::move(reads_bullseye);
  for (ShipType& type : types_) sort_slots(type);
}

/// Tokens in the order of the edition, the others by their labels: so a ship that meets further ships, which tell of
/// more slots, has those it had in the same order, and tables list their outcomes in the same order.
void AttackTables::sort_slots(ShipType& type) {
  const auto other =
      std::find_if(type.slots.begin(), type.slots.end(), [](const Slot& slot) { return slot.token < 0; });
  std::sort(other, type.slots.end(), [](const Slot& a, const Slot& b) { return a.label < b.label; });
  if (type.engaged >= 0) type.engaged = slot_of(type, kEngagement);
  if (type.health_slot >= 0) type.health_slot = slot_of(type, kHealth);
}

void AttackTables::learn(int attacker, int defender, const PairFacts& facts) {
  ShipType &a = types_[static_cast<std::size_t>(attacker)], &d = types_[static_cast<std::size_t>(defender)];
  for (const compile::CompiledScenario& question : facts.questions) {
    for (std::size_t s = 0; s < question.plan.ships.size(); ++s) {
      const bool by = question.labels.ships[s] == study::kAttacker;
      note_resources(question, static_cast<int>(s), by ? a : d);
      note_gains(question, static_cast<int>(s), by ? a : d);
      if (question.plan.ships[s].health < 0) continue;
      const std::size_t pair = by ? pair_of(attacker, defender) : pair_of(defender, attacker);
      reads_health_[pair] = true;
      reads_hull_[pair] = reads_hull_[pair] || question.plan.ships[s].counted_hull > 0;
    }
    study::merge(provenance_, question.labels);
  }
  rolls_[pair_of(attacker, defender)] = facts.rolls;
}

/// Compiles an attack with each weapon once, to learn what the two ships have, and what the answer rests on.
AttackTables::PairFacts AttackTables::inspect_pair(int attacker, int defender) const {
  PairFacts out;
  const ShipType &a = type(attacker), &d = type(defender);
  out.rolls.assign(a.weapons.size(), false);
  for (std::size_t w = 0; w < a.weapons.size(); ++w) {
    const Weapon& weapon = a.weapons[w];
    AttackKey key{.attacker = attacker, .defender = defender, .weapon = static_cast<int>(w), .lock = true};
    key.shot = Shot{std::clamp(2, weapon.min_range, weapon.max_range), false, weapon.bullseye}.number();
    Counts mine(a.slots.size(), 0), his(d.slots.size(), 0);
    for (std::size_t i = 0; i < a.slots.size(); ++i) mine[i] = static_cast<std::uint8_t>(a.slots[i].initial);
    for (std::size_t i = 0; i < d.slots.size(); ++i) his[i] = static_cast<std::uint8_t>(d.slots[i].initial);
    for (const char* token : {"focus", "calculate"}) {
      if (const int slot = slot_of(a, token); slot >= 0) mine[static_cast<std::size_t>(slot)] = 1;
    }
    try {
      Scenario asked = scenario(key, mine, his);
      compile::CompiledScenario question = compiled(asked);
      const auto unread =
          std::erase_if(question.labels.notes, [](const auto& note) { return note.find("'bullseye'") != note.npos; });
      out.reads_bullseye = out.reads_bullseye || unread == 0;
      out.rolls[w] = rolls_freely(question.plan);
      out.questions.push_back(std::move(question));
    } catch (const LoadError& error) {
      if (!error.path.starts_with("attacks[")) throw;
    }
  }
  out.reads_bullseye = out.reads_bullseye || std::any_of(a.weapons.begin(), a.weapons.end(),
                                                         [](const Weapon& weapon) { return weapon.bullseye; });
  return out;
}

}  // namespace salvo::battle
