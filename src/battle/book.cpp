// Book: see book.h.
#include "battle/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>

#include "answer/answer.h"
#include "battle/standing.h"
#include "exact/attack_solver.h"
#include "load/message.h"
#include "rules/ships.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

constexpr const char* kAttacker = study::kAttacker;
constexpr const char* kDefender = study::kDefender;

const Edition& edition_of(const Catalogue& catalogue, const std::string& rules) {
  const Edition* edition = catalogue.edition(rules);
  if (edition == nullptr) throw ScenarioError("rules", fmt::format("there is no edition '{}'", rules));
  return *edition;
}

int slot_of(const Type& type, const std::string& label) {
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    if (type.slots[i].label == label) return static_cast<int>(i);
  }
  return -1;
}

/// What a resource of a ship is called among the slots; empty: it is none (a lock, a flag of this attack).
std::string slot_label(const Question& asked, std::size_t r) {
  using Kind = Resource::Kind;
  const Resource& resource = asked.plan.resources[r];
  const std::string& label = asked.labels.resources[r];
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

/// Whether the ship has an effect at the start of an engagement.
bool has_start_effects(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship) {
  const auto starts = [&](std::string_view kind, const std::string& id) {
    const CardSpec* card = catalogue.card(kind, id, cards);
    return card != nullptr && std::any_of(card->effects.begin(), card->effects.end(), [](const EffectSpec& effect) {
             return effect.at == Window::EngagementStart && effect.whose != "ally";
           });
  };
  if (std::any_of(ship.upgrades.begin(), ship.upgrades.end(), [&](const auto& id) { return starts("upgrade", id); }))
    return true;
  if (!ship.pilot) return false;
  if (starts("pilot", *ship.pilot)) return true;
  for (const std::string& id : catalogue.ships_of_pilot(*ship.pilot, cards)) {
    const ShipSpec* spec = catalogue.ship(id, cards);
    if (spec == nullptr) continue;
    for (const PilotSpec& pilot : spec->pilots) {
      if (pilot.id == *ship.pilot && !pilot.ship_ability.empty() && starts("ship", pilot.ship_ability)) return true;
    }
  }
  return false;
}

}  // namespace

Book::Book(const Catalogue& catalogue, const BookOptions& options, const std::vector<ScenarioShip>& ships)
    : catalogue_(catalogue), options_(options), edition_(edition_of(catalogue, options.rules)) {
  options_.cards = catalogue.card_set(options.cards, options.rules);
  look_up(ships);
  reads_bullseye_.assign(types_.size() * types_.size(), true);  // so that the probe asks, and is told
  for (int a = 0; a < types(); ++a) {
    for (int d = 0; d < types(); ++d) probe(a, d);
  }
  cells_ = std::vector<Cell>(types_.size() * types_.size() * most_weapons_ * kShots);
  for (int t = 0; t < types(); ++t) {
    const Type& type = types_[static_cast<std::size_t>(t)];
    states_.push_back(std::make_unique<States>());
    states_.back()->list.resize(kMostStates);
    Counts counts;
    for (const Slot& slot : type.slots) counts.push_back(static_cast<std::uint8_t>(slot.initial));
    start_.push_back(state_of(t, counts));
  }
}

Book::~Book() = default;

void Book::look_up(const std::vector<ScenarioShip>& ships) {
  for (const ScenarioShip& ship : ships) {
    const auto same = std::find_if(types_.begin(), types_.end(), [&](const Type& type) { return type.ship == ship; });
    type_of_.push_back(static_cast<int>(same - types_.begin()));
    if (same != types_.end()) continue;
    Type type;
    type.ship = ship;
    const auto found = rules::look_up_ships(catalogue_, edition_, options_.cards, {{kAttacker, ship}});
    type.title = found[0].title;
    type.size = found[0].size;
    type.hull = found[0].hull;
    type.shields = found[0].shields;
    if (type.hull == 0)
      throw ScenarioError("",
                          fmt::format("{} has no hull, so nothing destroys it; add hull = n or a ship", type.title));
    if (type.health() > kMostHealth) {
      throw ScenarioError("", fmt::format("{} has {} hull and shields; a battle takes {} at most", type.title,
                                          type.health(), kMostHealth));
    }
    find_weapons(type);
    most_weapons_ = std::max(most_weapons_, type.weapons.size());
    for (std::size_t t = 0; t < edition_.tokens.size(); ++t) {
      const TokenSpec& token = edition_.tokens[t];
      const auto own = found[0].tokens.find(token.id);
      const int n = own == found[0].tokens.end() ? 0 : own->second;
      type.slots.push_back({token.id, static_cast<int>(t), n, token.charge ? n : token.max, 0, token.leaves});
      if (token.charge) type.slots.back().recover = token.id == "force" ? 1 : 0;
    }
    start_slots(type);
    find_options(type);
    types_.push_back(std::move(type));
  }
}

void Book::start_slots(Type& type) const {
  type.stress = slot_of(type, "stress");
  type.strain = slot_of(type, "strain");
  type.deplete = slot_of(type, "deplete");
  type.ion = slot_of(type, "ion");
  type.force = slot_of(type, "force");
  for (const TokenSpec& token : edition_.tokens) {
    if (token.id != "ion") continue;
    const auto threshold = token.threshold.find(type.size);
    if (threshold != token.threshold.end()) type.ionized = threshold->second;
  }
  if (has_start_effects(catalogue_, options_.cards, type.ship)) {
    type.engaged = static_cast<int>(type.slots.size());
    type.slots.push_back({.label = "engagement", .initial = 1, .max = 1, .renews = true});
  }
}

void Book::find_weapons(Type& type) const {
  const study::Game game{options_.rules, options_.cards};
  const std::vector<WeaponChoice> choices = study::weapons_of(catalogue_, game, type.ship);
  const bool stated = type.ship.attack.has_value();
  if (stated) type.weapons.push_back({"primary", 0, 3, false});
  for (const WeaponChoice& choice : choices) {
    const bool primary = choice.id.starts_with("primary");
    if (primary && stated) continue;
    if (choice.id == "primary:rear" && choices.size() > 1) continue;
    const CardSpec* card = primary ? nullptr : catalogue_.card("upgrade", choice.id, options_.cards);
    const std::string arc = card != nullptr && card->weapon ? card->weapon->arc : choice.id;
    type.weapons.push_back({choice.id, choice.min_range, choice.max_range, arc.find("bullseye") != std::string::npos});
  }
}

namespace {

/// What a token action gives: the kind of token of its own name.
constexpr std::array kTokenActions{"focus", "evade", "calculate", "reinforce"};

/// Adds what an action gives. False where a battle does not know it, or it gives nothing here.
bool give(const Type& type, const load::Action& action, ActionOption& out) {
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

void Book::find_options(Type& type) const {
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
  constexpr std::size_t kMostKept = kMostOptions - 1;
  if (kept.size() > kMostKept) kept.resize(kMostKept);
  kept.push_back({.name = "none", .tokens = {}});
  type.options = std::move(kept);
}

void Book::note_resources(const Question& asked, int ship, Type& type) const {
  using Kind = Resource::Kind;
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const Resource& resource = asked.plan.resources[r];
    if (resource.ship != ship) continue;
    if (resource.kind == Kind::Health && type.health_slot < 0) {
      type.health_slot = static_cast<int>(type.slots.size());
      type.slots.push_back({.label = "health", .max = kMostHealth});
    }
    const std::string label = slot_label(asked, r);
    if (label.empty()) continue;
    const int slot = slot_of(type, label);
    if (resource.kind == Kind::Token) {
      if (slot >= 0 && label == "force") type.slots[static_cast<std::size_t>(slot)].recover = resource.recover;
      continue;
    }
    if (slot >= 0) continue;
    Slot out{.label = label, .initial = resource.initial, .max = resource.max};
    if (resource.kind == Kind::Charge) {
      out.recover = resource.recover;
    } else {
      out.renews = true;
    }
    type.slots.push_back(out);
  }
}

/// Compiles an attack with each weapon once, to learn what the two ships have, and what the answer rests on.
void Book::probe(int attacker, int defender) {
  bool reads_bullseye = false;
  Type &a = types_[static_cast<std::size_t>(attacker)], &d = types_[static_cast<std::size_t>(defender)];
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
      const Question question = compile_named(catalogue_, asked);
      for (std::size_t s = 0; s < question.plan.ships.size(); ++s)
        note_resources(question, static_cast<int>(s), question.labels.ships[s] == kAttacker ? a : d);
      Labels told = question.labels;
      const auto unread =
          std::erase_if(told.notes, [](const auto& note) { return note.find("'bullseye'") != note.npos; });
      reads_bullseye = reads_bullseye || unread == 0;
      study::merge(provenance_, told);
    } catch (const LoadError& error) {
      if (!error.path.starts_with("attacks[")) throw;
    }
  }
  reads_bullseye = reads_bullseye || std::any_of(a.weapons.begin(), a.weapons.end(),
                                                 [](const Weapon& weapon) { return weapon.bullseye; });
  reads_bullseye_[pair_of(attacker, defender)] = reads_bullseye;
}

Scenario Book::scenario(const AttackKey& key, const Counts& attacker, const Counts& defender) const {
  const Type &a = type(key.attacker), &d = type(key.defender);
  const auto ship = [](const Type& type, const Counts& counts) {
    ScenarioShip out = type.ship;
    out.tokens.clear();
    for (std::size_t i = 0; i < type.slots.size(); ++i) {
      const Slot& slot = type.slots[i];
      if (slot.token < 0) continue;
      if (counts[i] > 0 || slot.initial > 0) out.tokens[slot.label] = counts[i];
    }
    return out;
  };
  const Shot shot = Shot::of(key.shot);
  const study::Game game{options_.rules, options_.cards};
  Scenario out = study::duel(game, ship(a, attacker), key.lock, ship(d, defender),
                             a.weapons[static_cast<std::size_t>(key.weapon)].id, shot.range);
  out.attacks[0].obstructed = shot.obstructed;
  if (reads_bullseye_[pair_of(key.attacker, key.defender)])
    out.attacks[0].facts = {shot.bullseye ? "bullseye" : "not bullseye"};
  out.attacker_policy = out.defender_policy = "greedy";
  return out;
}

AttackQuestion Book::asked(const AttackKey& key, const Counts& attacker, const Counts& defender) const {
  using Kind = Resource::Kind;
  Scenario asked = scenario(key, attacker, defender);
  Question question = compile_named(catalogue_, asked);
  AttackQuestion out{std::move(question.plan), std::move(question.labels)};
  for (std::size_t s = 0; s < out.plan.ships.size(); ++s)
    (out.labels.ships[s] == kAttacker ? out.attacker : out.defender) = static_cast<int>(s);
  for (std::size_t r = 0; r < out.plan.resources.size(); ++r) {
    Resource& resource = out.plan.resources[r];
    const bool by = resource.ship == out.attacker;
    const Type& type = this->type(by ? key.attacker : key.defender);
    const Counts& counts = by ? attacker : defender;
    std::optional<int> value;
    if (resource.kind == Kind::Health) {
      const int left = counts[static_cast<std::size_t>(type.health_slot)];
      const int hidden = out.plan.ships[static_cast<std::size_t>(resource.ship)].counted_hull == 0 ? type.hull : 0;
      value = kHealthZero + std::max(0, left - hidden);
    } else if (resource.kind != Kind::Token) {
      const std::string label = slot_label({out.plan, out.labels}, r);
      if (const int slot = label.empty() ? -1 : slot_of(type, label); slot >= 0)
        value = counts[static_cast<std::size_t>(slot)];
    }
    if (!value) continue;
    resource.initial = std::min(*value, resource.max);
    if (resource.dynamic) out.plan.start.set(resource, resource.initial);
  }
  // What is left is read when the attack is over, so nothing of it may be merged.
  for (AttackPlan& attack : out.plan.attacks) attack.readable.words.fill(~std::uint64_t{0});
  // Effects at the start of the engagement happen once a round: those of a ship that has had them are left out.
  std::array<bool, 2> seen{};
  std::erase_if(out.plan.attacks, [&](const AttackPlan& attack) {
    if (!attack.engagement) return false;
    const bool by = attack.attacker == out.attacker;
    const Type& type = this->type(by ? key.attacker : key.defender);
    if (type.engaged < 0 || std::exchange(seen[by ? 0 : 1], true)) return false;
    return (by ? attacker : defender)[static_cast<std::size_t>(type.engaged)] == 0;
  });
  return out;
}

std::optional<AttackQuestion> Book::question(const AttackKey& key) const {
  try {
    return asked(key, info(key.attacker, key.attacker_state).counts, info(key.defender, key.defender_state).counts);
  } catch (const LoadError& error) {
    if (!error.path.starts_with("attacks[")) throw;
    return std::nullopt;  // without its price or what it requires, a weapon cannot be used
  }
}

Outcome Book::outcome_of(const AttackKey& key, const AttackQuestion& asked, const std::vector<int>& left, int damage,
                         int own_damage) {
  using Kind = Resource::Kind;
  Counts attacker = info(key.attacker, key.attacker_state).counts;
  Counts defender = info(key.defender, key.defender_state).counts;
  Outcome out;
  out.damage = static_cast<std::uint8_t>(std::clamp(damage, 0, kMostHealth));
  out.own_damage = static_cast<std::uint8_t>(std::clamp(own_damage, 0, kMostHealth));
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const Resource& resource = asked.plan.resources[r];
    const bool by = resource.ship == asked.attacker;
    if (resource.kind == Kind::Lock) {
      (by ? out.lock : out.lock_back) = left[r] > 0;
      continue;
    }
    const Type& type = this->type(by ? key.attacker : key.defender);
    const std::string label = slot_label({asked.plan, asked.labels}, r);
    const int slot = label.empty() ? -1 : slot_of(type, label);
    if (slot >= 0)
      (by ? attacker : defender)[static_cast<std::size_t>(slot)] =
          static_cast<std::uint8_t>(std::clamp(left[r], 0, 255));
  }
  for (const bool by : {true, false}) {
    const Type& type = this->type(by ? key.attacker : key.defender);
    Counts& counts = by ? attacker : defender;
    if (type.engaged >= 0) counts[static_cast<std::size_t>(type.engaged)] = 0;
    if (type.health_slot >= 0) counts[static_cast<std::size_t>(type.health_slot)] = 0;
  }
  out.attacker = static_cast<std::uint16_t>(state_of(key.attacker, attacker));
  out.defender = static_cast<std::uint16_t>(state_of(key.defender, defender));
  return out;
}

// ---------------------------------------------------------------- token states

int Book::state_of(int type_number, const Counts& counts) {
  const Type& kind = type(type_number);
  States& states = *states_[static_cast<std::size_t>(type_number)];
  const std::lock_guard lock(states.mutex);
  const auto next = static_cast<int>(states.numbers.size());
  const auto [at, added] = states.numbers.try_emplace(counts, next);
  if (!added) return at->second;
  if (next >= kMostStates) {
    throw PlanTooLarge(
        fmt::format("{} can have more than {} combinations of tokens and charges; that is too many for a "
                    "battle, so leave out upgrades with many charges",
                    kind.title, kMostStates),
        next, kMostStates);
  }
  auto info = std::make_unique<StateInfo>();
  info->counts = counts;
  const auto number = [&](int slot) { return slot < 0 ? 0 : static_cast<int>(counts[static_cast<std::size_t>(slot)]); };
  info->stressed = number(kind.stress) > 0;
  info->ionized = number(kind.ion) >= kind.ionized;
  info->wants_blue = number(kind.stress) + number(kind.strain) + number(kind.deplete) > 0;
  for (auto& one : info->option) one.store(-1);
  for (auto& one : info->health) one.store(-1);
  states.list[static_cast<std::size_t>(next)] = std::move(info);
  return at->second;
}

bool Book::can_spend(int t, int state, int force) const {
  const int slot = type(t).force;
  return slot >= 0 && info(t, state).counts[static_cast<std::size_t>(slot)] >= force;
}

int Book::after_action(int t, int state, int option) {
  std::atomic<int>& known = info(t, state).option[static_cast<std::size_t>(option)];
  if (const int found = known.load(std::memory_order_acquire); found >= 0) return found;
  const Type& kind = type(t);
  const ActionOption& what = kind.options[static_cast<std::size_t>(option)];
  Counts counts = info(t, state).counts;
  const auto add = [&](int slot, int n) {
    if (slot < 0) return;
    std::uint8_t& count = counts[static_cast<std::size_t>(slot)];
    count = static_cast<std::uint8_t>(std::clamp(count + n, 0, kind.slots[static_cast<std::size_t>(slot)].max));
  };
  for (const auto& [slot, n] : what.tokens) add(slot, n);
  add(kind.stress, what.stress);
  add(kind.force, -what.force);
  const int out = state_of(t, counts);
  known.store(out, std::memory_order_release);
  return out;
}

int Book::after_blue(int t, int state) {
  std::atomic<int>& known = info(t, state).blue;
  if (const int found = known.load(std::memory_order_acquire); found >= 0) return found;
  const Type& kind = type(t);
  Counts counts = info(t, state).counts;
  for (const int slot : {kind.stress, kind.strain, kind.deplete}) {
    if (slot >= 0 && counts[static_cast<std::size_t>(slot)] > 0) --counts[static_cast<std::size_t>(slot)];
  }
  const int out = state_of(t, counts);
  known.store(out, std::memory_order_release);
  return out;
}

int Book::after_ion(int t, int state) {
  std::atomic<int>& known = info(t, state).ion;
  if (const int found = known.load(std::memory_order_acquire); found >= 0) return found;
  Counts counts = info(t, state).counts;
  if (type(t).ion >= 0) counts[static_cast<std::size_t>(type(t).ion)] = 0;
  const int out = state_of(t, counts);
  known.store(out, std::memory_order_release);
  return out;
}

int Book::after_end(int t, int state) {
  std::atomic<int>& known = info(t, state).end;
  if (const int found = known.load(std::memory_order_acquire); found >= 0) return found;
  Counts counts = info(t, state).counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Slot& slot = type(t).slots[i];
    if (slot.leaves) counts[i] = 0;
    if (slot.renews) counts[i] = static_cast<std::uint8_t>(slot.initial);
    if (slot.recover != 0) counts[i] = static_cast<std::uint8_t>(std::clamp(counts[i] + slot.recover, 0, slot.max));
  }
  const int out = state_of(t, counts);
  known.store(out, std::memory_order_release);
  return out;
}

int Book::with_known_health(int t, int state, int health) {
  const int slot = type(t).health_slot;
  std::atomic<int>& known = info(t, state).health[static_cast<std::size_t>(health)];
  if (const int found = known.load(std::memory_order_acquire); found >= 0) return found;
  Counts counts = info(t, state).counts;
  counts[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(health);
  const int out = state_of(t, counts);
  known.store(out, std::memory_order_release);
  return out;
}

// ---------------------------------------------------------------- outcomes

namespace {

using Mass = std::map<Standing, double>;

/// Lets probability flow through the graph of an attack; children have smaller numbers than their parents.
void flow(const exact::Graph& graph, const std::vector<int>& choice, double weight, std::vector<double>& mass) {
  mass.assign(graph.nodes.size(), 0.0);
  mass[static_cast<std::size_t>(graph.start[0])] = weight;
  for (std::size_t n = graph.nodes.size(); n-- > 0;) {
    const exact::Node& node = graph.nodes[n];
    if (mass[n] == 0 || node.kind == exact::Node::Kind::End) continue;
    if (node.kind == exact::Node::Kind::Chance) {
      for (int e = node.first; e < node.first + node.count; ++e) {
        const exact::ChanceEdge& edge = graph.chance_edges[static_cast<std::size_t>(e)];
        mass[static_cast<std::size_t>(edge.target)] += mass[n] * edge.probability;
      }
    } else {
      const auto edge = static_cast<std::size_t>(node.first + choice[n]);
      mass[static_cast<std::size_t>(graph.decision_edges[edge].target)] += mass[n];
    }
  }
}

/// One attack of the plan from one standing. True where it happens.
bool play(const AttackQuestion& asked, std::size_t k, double budget, const Standing& from, double weight, Mass& to) {
  const Plan plan = plan_from(asked.plan, from);
  exact::States first, last;
  first.number(plan.start);
  const exact::Graph graph = exact::build_graph(plan, k, first, last, budget);
  if (graph.start[0] < 0) {
    to[from] += weight;
    return false;
  }
  std::vector<double> mass;
  flow(graph, exact::fixed_choices(plan, k, graph), weight, mass);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].kind != exact::Node::Kind::End || mass[n] == 0) continue;
    const Position& end = graph.positions[static_cast<int>(n)];
    const AttackPlan& attack = plan.attacks[k];
    to[{end.resources.words, from.damage + damage_of(attack, end, asked.defender),
        from.own + damage_of(attack, end, asked.attacker)}] += mass[n];
  }
  return true;
}

}  // namespace

Outcomes Book::solved_outcomes(const AttackKey& key) {
  Outcomes out;
  std::optional<AttackQuestion> asked = question(key);
  if (!asked) return out;
  Mass now{{{asked->plan.start.words, 0, 0}, 1.0}};
  for (std::size_t k = 0; k < asked->plan.attacks.size(); ++k) {
    Mass next;
    for (const auto& [at, p] : now) {
      const bool happens = play(*asked, k, options_.budget, at, p, next);
      const AttackPlan& attack = asked->plan.attacks[k];
      if (happens && !attack.engagement && attack.attacker == asked->attacker) out.possible = true;
    }
    now = std::move(next);
  }
  if (!out.possible) return out;
  std::map<std::tuple<int, int, Counts, Counts, bool, bool>, std::pair<Outcome, double>> merged;
  for (const auto& [at, p] : now) {
    const Outcome one = outcome_of(key, *asked, left_over(asked->plan, Resources{at.words}), at.damage, at.own);
    const auto name = std::tuple(static_cast<int>(one.damage), static_cast<int>(one.own_damage),
                                 info(key.attacker, one.attacker).counts, info(key.defender, one.defender).counts,
                                 one.lock, one.lock_back);
    const auto place = merged.try_emplace(name, one, 0.0).first;
    place->second.second += p;
  }
  for (const auto& [name, one] : merged) {
    out.list.push_back(one.first);
    out.chance.push_back(one.second);
    for (int d = 1; d <= one.first.damage; ++d) out.at_least[static_cast<std::size_t>(d)] += one.second;
  }
  for (std::size_t h = 1; h < out.counted.size(); ++h) out.counted[h] = out.counted[h - 1] + out.at_least[h];
  out.alias = AliasTable(out.chance);
  return out;
}

const Outcomes& Book::solve(const AttackKey& key) {
  const std::lock_guard lock(mutex_);
  Cell& cell = cells_[cell_of(key)];
  std::atomic<Row*>* rows = cell.rows.load();
  if (rows == nullptr) {
    kept_rows_.push_back(std::make_unique<std::atomic<Row*>[]>(2 * kMostStates));
    rows = kept_rows_.back().get();
    cell.rows.store(rows, std::memory_order_release);
  }
  Row* row = rows[row_of(key)].load();
  if (row == nullptr) {
    kept_row_.push_back(std::make_unique<Row>());
    row = kept_row_.back().get();
    rows[row_of(key)].store(row, std::memory_order_release);
  }
  auto& place = row->column[static_cast<std::size_t>(key.defender_state)];
  if (const Outcomes* found = place.load()) return *found;
  kept_.push_back(std::make_unique<const Outcomes>(solved_outcomes(key)));
  place.store(kept_.back().get(), std::memory_order_release);
  ++solved_;
  return *kept_.back();
}

}  // namespace salvo::battle
