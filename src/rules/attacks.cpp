// Attacks of a scenario: the weapon, the edition's and the cards' effects, and the steps in which they apply.
#include <fmt/format.h>

#include <algorithm>

#include "rules/compile_parts.h"
#include "rules/expression.h"

namespace salvo::rules {
namespace {

/// What is forbidden in an attack (verb forbid).
struct Forbidden {
  bool add_attack_dice = false;
  bool reduce_defense_dice[2] = {false, false};          ///< by role of the owner: 0 defender, 1 attacker
  bool modify[2][2] = {{false, false}, {false, false}};  ///< [owner is attacker][attack dice]
  bool cancel[2][2] = {{false, false}, {false, false}};
};

/// One attack while it is compiled.
struct AttackDraft {
  Draft& draft;
  const ScenarioAttack& given;
  std::string path;
  AttackPlan plan;
  WeaponSpec weapon;
  bool primary = true;
  Forbidden forbidden;
  /// Effects by window, role of the owner (0 defender, 1 attacker) and whether they are optional.
  std::map<std::pair<Window, bool>, std::array<std::vector<int>, 2>> by_window;
};

const WeaponSpec* strongest(const std::vector<WeaponSpec>& weapons) {
  const auto at = std::max_element(weapons.begin(), weapons.end(),
                                   [](const auto& a, const auto& b) { return a.attack < b.attack; });
  return at == weapons.end() ? nullptr : &*at;
}

WeaponSpec primary_weapon(const AttackDraft& attack, const ShipDraft& ship) {
  const std::string& name = attack.given.weapon;
  if (ship.weapons.empty()) {
    throw ScenarioError(attack.path + ".by",
                        fmt::format("'{}' has no weapon; give it attack = n or another ship", ship.name));
  }
  if (name == "primary") {
    WeaponSpec weapon = *strongest(ship.weapons);
    weapon.attack = ship.attack.value_or(weapon.attack);
    return weapon;
  }
  const std::string arc = name.substr(std::string_view("primary:").size());
  std::vector<std::string> arcs;
  for (const WeaponSpec& weapon : ship.weapons) {
    arcs.push_back(weapon.arc);
    if (weapon.arc == arc) return weapon;
  }
  throw ScenarioError(attack.path + ".weapon",
                      unknown("arc", arc, arcs) + fmt::format(" (primary weapons of '{}')", ship.name));
}

void choose_weapon(AttackDraft& attack) {
  const ShipDraft& ship = attack.draft.ships[static_cast<std::size_t>(attack.plan.attacker)];
  const std::string& name = attack.given.weapon;
  if (name == "primary" || name.starts_with("primary:")) {
    attack.weapon = primary_weapon(attack, ship);
    return;
  }
  const auto& upgrades = ship.given->upgrades;
  if (std::find(upgrades.begin(), upgrades.end(), name) == upgrades.end()) {
    std::vector<std::string> known{"primary"};
    for (const WeaponSpec& weapon : ship.weapons) known.push_back("primary:" + weapon.arc);
    known.insert(known.end(), upgrades.begin(), upgrades.end());
    throw ScenarioError(attack.path + ".weapon", unknown("weapon", name, known));
  }
  const CardSpec* card = attack.draft.catalogue.card("upgrade", name, attack.draft.scenario.cards);
  if (card == nullptr || !card->weapon) {
    throw ScenarioError(
        attack.path + ".weapon",
        fmt::format("the weapon of '{}' is not modelled yet; use weapon = \"primary\" or attack = n", name));
  }
  attack.weapon = *card->weapon;
  attack.primary = false;
  if (attack.given.range < card->weapon->min_range || attack.given.range > card->weapon->max_range) {
    throw ScenarioError(attack.path + ".range",
                        fmt::format("'{}' shoots at range {} to {}, not {}", name, card->weapon->min_range,
                                    card->weapon->max_range, attack.given.range));
  }
}

Resource::Kind kind_of(std::string_view token) {
  return token == "lock" ? Resource::Kind::Lock : Resource::Kind::Token;
}

/// The resource of a token word as seen from the owner of an effect, or -1 when the ship has none.
int resource_of(const AttackDraft& attack, std::string_view token, bool of_attacker) {
  const int ship = of_attacker ? attack.plan.attacker : attack.plan.defender;
  const int other = of_attacker ? attack.plan.defender : attack.plan.attacker;
  if (kind_of(token) == Resource::Kind::Lock) return attack.draft.find_resource(Resource::Kind::Lock, ship, other);
  return attack.draft.find_resource(Resource::Kind::Token, ship, attack.draft.token_index(token));
}

Expression resource_value(const AttackDraft& attack, std::string_view token, bool of_attacker) {
  const int index = resource_of(attack, token, of_attacker);
  if (index < 0) return constant(0);
  return {{ExpressionOp::Code::Resource, index}};
}

/// "self.focus", "foe.tractored", "self.size": facts of one of the two ships.
Expression ship_fact(const AttackDraft& attack, std::string_view fact, bool of_attacker, std::string_view whole) {
  const Draft& draft = attack.draft;
  const ShipDraft& ship =
      draft.ships[static_cast<std::size_t>(of_attacker ? attack.plan.attacker : attack.plan.defender)];
  if (fact == "lock" || draft.token_index(fact) >= 0) return resource_value(attack, fact, of_attacker);
  if (fact == "size") return constant(text_value(ship.size));
  if (fact == "agility") return constant(ship.agility);
  if (fact == "initiative")
    return constant(attack.given.initiative.value_or(ship.pilot != nullptr ? ship.pilot->initiative : 0));
  for (const TokenSpec& token : draft.edition.tokens) {
    if (token.state != fact) continue;
    const auto threshold = token.threshold.find(ship.size);
    Expression out = constant(threshold == token.threshold.end() ? 1 : threshold->second);
    const Expression count = resource_value(attack, token.id, of_attacker);
    int n = 0;
    if (is_constant(count, n)) return constant(out[0].value <= n);
    out.push_back(count[0]);
    out.push_back({ExpressionOp::Code::LessEqual, 0});
    return out;
  }
  throw ExpressionError(fmt::format("unknown fact '{}'", whole));
}

int face_of(const DieSpec& die, std::string_view name) {
  for (std::size_t f = 0; f < die.faces.size(); ++f) {
    if (die.faces[f].name == name) return static_cast<int>(f);
  }
  return -1;
}

Expression count_fact(const AttackDraft& attack, std::string_view name, bool owner_attacks) {
  const std::size_t dot = name.find('.');
  const std::string_view pool = name.substr(0, dot);
  const std::string_view face = dot == std::string_view::npos ? "all" : name.substr(dot + 1);
  if (pool != "attack" && pool != "defense" && pool != "own")
    throw ExpressionError(fmt::format("unknown dice '{}'; known are attack, defense, own", pool));
  const bool attack_dice = pool == "attack" || (pool == "own" && owner_attacks);
  if (face == "all") return {{attack_dice ? ExpressionOp::Code::AttackDice : ExpressionOp::Code::DefenseDice, 0}};
  const DieSpec& die = attack_dice ? attack.draft.edition.attack_die : attack.draft.edition.defense_die;
  const int index = face_of(die, face);
  if (index < 0) throw ExpressionError(fmt::format("the {} die has no face '{}'", pool, face));
  return {{attack_dice ? ExpressionOp::Code::AttackFace : ExpressionOp::Code::DefenseFace, index}};
}

Expression resolve_fact(const AttackDraft& attack, std::string_view name, bool counted, bool owner_attacks) {
  if (counted) return count_fact(attack, name, owner_attacks);
  if (name.starts_with("self.")) return ship_fact(attack, name.substr(5), owner_attacks, name);
  if (name.starts_with("foe.")) return ship_fact(attack, name.substr(4), !owner_attacks, name);
  if (name == "range") return constant(attack.given.range);
  if (name == "obstructed") return constant(attack.given.obstructed);
  if (name == "reinforced") return constant(attack.given.reinforced);
  if (name == "ordnance") return constant(attack.weapon.ordnance);
  if (name == "primary") return constant(attack.primary);
  if (name == "weapon") return constant(text_value(attack.given.weapon));
  if (name == "arc") return constant(text_value(attack.weapon.arc));
  if (name == "remaining") return {{ExpressionOp::Code::Remaining, 0}};
  if (name == "attacking") return constant(owner_attacks);
  const auto& facts = attack.draft.catalogue.facts();
  if (!facts.contains(std::string(name))) throw ExpressionError(fmt::format("unknown fact '{}'", name));
  const auto& given = attack.given.facts;
  return constant(std::find(given.begin(), given.end(), name) != given.end());
}

Expression compile_expression(const AttackDraft& attack, const EffectSpec& spec, const std::string& text,
                              bool owner_attacks) {
  if (text.empty()) return {};
  try {
    return parse_expression(
        text, [&](std::string_view name, bool counted) { return resolve_fact(attack, name, counted, owner_attacks); });
  } catch (const ExpressionError& error) {
    throw LoadError(fmt::format("{}: {}", spec.place, error.what()));
  }
}

bool on_attack_dice(const OperationSpec& spec, bool owner_attacks) {
  return spec.dice == "attack" || (spec.dice == "own" && owner_attacks);
}

void compile_faces(const AttackDraft& attack, const EffectSpec& effect, const OperationSpec& spec, Operation& out) {
  const Edition& edition = attack.draft.edition;
  const DieSpec& die = out.attack_dice ? edition.attack_die : edition.defense_die;
  const auto index = [&](const std::string& name) {
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

/// The operation, or nothing when it is forbidden or touches a resource that the ship cannot have.
std::optional<Operation> compile_operation(const AttackDraft& attack, const EffectSpec& effect,
                                           const OperationSpec& spec, bool owner_attacks) {
  Operation out{.attack_dice = on_attack_dice(spec, owner_attacks),
                .n = spec.n,
                .all = spec.all,
                .exact = spec.exact,
                .if_none = spec.if_none};
  const Forbidden& forbidden = attack.forbidden;
  switch (spec.verb) {
    case Verb::Pool:
      if (out.attack_dice && spec.n > 0 && forbidden.add_attack_dice) return std::nullopt;
      if (!out.attack_dice && spec.n < 0 && forbidden.reduce_defense_dice[owner_attacks]) return std::nullopt;
      out.kind = Operation::Kind::Pool;
      return out;
    case Verb::Limit:
      out.kind = Operation::Kind::Limit;
      out.min = spec.min.value_or(attack.draft.edition.min_dice);
      out.max = spec.max.value_or(attack.draft.edition.max_dice);
      return out;
    case Verb::Gain:
    case Verb::Lose:
      out.kind = spec.verb == Verb::Gain ? Operation::Kind::Gain : Operation::Kind::Lose;
      out.resource = resource_of(attack, spec.token, (spec.who == "foe") != owner_attacks);
      if (out.resource < 0) return std::nullopt;
      return out;
    case Verb::Cancel:
      if (forbidden.cancel[owner_attacks][out.attack_dice]) return std::nullopt;
      out.kind = Operation::Kind::Cancel;
      break;
    case Verb::Change:
      out.kind = Operation::Kind::Change;
      break;
    case Verb::Reroll:
      out.kind = Operation::Kind::Reroll;
      break;
    case Verb::Add:
      out.kind = Operation::Kind::Add;
      break;
    case Verb::Forbid:
      return std::nullopt;
  }
  if (spec.verb != Verb::Cancel && forbidden.modify[owner_attacks][out.attack_dice]) return std::nullopt;
  compile_faces(attack, effect, spec, out);
  return out;
}

void forbid(AttackDraft& attack, const EffectSpec& effect, const OperationSpec& spec, bool owner_attacks) {
  Forbidden& f = attack.forbidden;
  const bool dice = on_attack_dice(spec, owner_attacks);
  const bool who = (spec.who == "foe") != owner_attacks;
  if (spec.what == "add-dice" && dice) {
    f.add_attack_dice = true;
  } else if (spec.what == "reduce-dice" && !dice) {
    f.reduce_defense_dice[who] = true;
  } else if (spec.what == "modify") {
    f.modify[who][dice] = true;
  } else if (spec.what == "cancel") {
    f.cancel[who][dice] = true;
  } else {
    throw LoadError(fmt::format(
        "{}: forbid \"{}\" of {} dice is not known; known are add-dice (attack), reduce-dice (defense), modify, cancel",
        effect.place, spec.what, spec.dice));
  }
}

bool owner_matches(const EffectSpec& effect, bool owner_attacks) {
  return effect.side == "any" || (effect.side == "attacker") == owner_attacks;
}

/// Collects what the always-window forbids; its conditions must not depend on dice or tokens.
void collect_forbidden(AttackDraft& attack, const std::vector<EffectSpec>& effects, bool owner_attacks) {
  for (const EffectSpec& effect : effects) {
    if (effect.at != Window::Always || !owner_matches(effect, owner_attacks)) continue;
    int value = 1;
    const Expression when = compile_expression(attack, effect, effect.when, owner_attacks);
    if (!when.empty() && !is_constant(when, value)) {
      throw LoadError(
          fmt::format("{}: a condition of an effect at \"always\" may not depend on dice or tokens", effect.place));
    }
    if (value == 0) continue;
    for (const OperationSpec& spec : effect.operations) {
      if (spec.verb == Verb::Forbid) forbid(attack, effect, spec, owner_attacks);
    }
  }
}

Window actual_window(const EffectSpec& effect, bool owner_attacks) {
  if (effect.at != Window::OwnMod) return effect.at;
  return owner_attacks ? Window::AttackMod : Window::DefenseMod;
}

/// Costs of an effect; false when the ship can never pay them.
bool compile_costs(const AttackDraft& attack, const std::vector<CostSpec>& specs, bool owner_attacks,
                   std::vector<Cost>& out) {
  for (const CostSpec& spec : specs) {
    const int index = resource_of(attack, spec.token, (spec.who == "foe") != owner_attacks);
    if (index < 0) return false;
    out.push_back({index, spec.n});
  }
  return true;
}

void add_effect(AttackDraft& attack, const EffectSpec& spec, bool owner_attacks) {
  if (spec.at == Window::Always || !owner_matches(spec, owner_attacks)) return;
  Effect effect{.may = spec.may};
  effect.when = compile_expression(attack, spec, spec.when, owner_attacks);
  effect.times = compile_expression(attack, spec, spec.times, owner_attacks);
  int value = 0;
  if (is_constant(effect.when, value)) {
    if (value == 0) return;
    effect.when.clear();
  }
  if (is_constant(effect.times, value) && value <= 0) return;
  if (!compile_costs(attack, spec.cost, owner_attacks, effect.cost)) return;
  for (const OperationSpec& operation : spec.operations) {
    if (auto compiled = compile_operation(attack, spec, operation, owner_attacks))
      effect.operations.push_back(*compiled);
  }
  if (effect.operations.empty()) return;
  if (spec.once_per_attack) {
    int bit = 0;
    for (const Effect& other : attack.plan.effects) bit = std::max(bit, other.used_bit + 1);
    if (bit > 31) throw LoadError(fmt::format("{}: more than 32 effects are limited to once per attack", spec.place));
    effect.used_bit = bit;
  }
  attack.by_window[{actual_window(spec, owner_attacks), spec.may}][owner_attacks].push_back(
      static_cast<int>(attack.plan.effects.size()));
  attack.plan.effects.push_back(std::move(effect));
}

/// Steps of one window: mandatory effects first, then each role's options, the first role first.
void add_window(AttackDraft& attack, Window window, bool attacker_first) {
  for (const bool attacker : {attacker_first, !attacker_first}) {
    for (const bool may : {false, true}) {
      const auto at = attack.by_window.find({window, may});
      if (at == attack.by_window.end() || at->second[attacker].empty()) continue;
      attack.plan.steps.push_back({.kind = may ? Step::Kind::Window : Step::Kind::Apply,
                                   .attacker_decides = attacker,
                                   .effects = at->second[attacker]});
    }
  }
}

/// The order of an attack (000: Attack). In each modify step the other player's effects come first.
void add_steps(AttackDraft& attack) {
  const Edition& edition = attack.draft.edition;
  const int agility = attack.draft.ships[static_cast<std::size_t>(attack.plan.defender)].agility;
  auto& steps = attack.plan.steps;
  using Kind = Step::Kind;
  add_window(attack, Window::Declare, true);
  steps.push_back(
      {.kind = Kind::StartAttackDice, .base = attack.weapon.attack, .min = edition.min_dice, .max = edition.max_dice});
  add_window(attack, Window::AttackPool, false);
  steps.push_back({.kind = Kind::RollAttack});
  add_window(attack, Window::AttackRolled, false);
  add_window(attack, Window::AttackMod, false);
  add_window(attack, Window::AttackSet, false);
  steps.push_back({.kind = Kind::StartDefenseDice, .base = agility, .min = edition.min_dice, .max = edition.max_dice});
  add_window(attack, Window::DefensePool, true);
  steps.push_back({.kind = Kind::RollDefense});
  add_window(attack, Window::DefenseRolled, true);
  add_window(attack, Window::DefenseMod, true);
  add_window(attack, Window::BeforeNeutralize, true);
  steps.push_back({.kind = Kind::Neutralize});
  add_window(attack, Window::Neutralize, true);
  add_window(attack, Window::Outcome, false);
  add_window(attack, Window::Damage, false);
  steps.push_back({.kind = Kind::Damage});
  add_window(attack, Window::Aftermath, false);
  steps.push_back({.kind = Kind::End});
}

void mark_dynamic(Draft& draft, const AttackPlan& attack) {
  auto& resources = draft.out.plan.resources;
  const auto mark = [&](int index) { resources[static_cast<std::size_t>(index)].dynamic = true; };
  for (const Cost& cost : attack.cost) mark(cost.resource);
  for (const Effect& effect : attack.effects) {
    for (const Cost& cost : effect.cost) mark(cost.resource);
    for (const Operation& operation : effect.operations) {
      if (operation.resource >= 0) mark(operation.resource);
    }
  }
}

/// A disarmed or cloaked ship cannot attack (000: Disarmed, Cloak).
void check_may_attack(const AttackDraft& attack) {
  const ShipDraft& ship = attack.draft.ships[static_cast<std::size_t>(attack.plan.attacker)];
  for (const TokenSpec& token : attack.draft.edition.tokens) {
    const auto at = ship.tokens.find(token.id);
    if (token.prevents_attack && at != ship.tokens.end() && at->second > 0) {
      throw ScenarioError(
          attack.path + ".by",
          fmt::format("'{}' has a {} token and cannot attack; remove the token or the attack", ship.name, token.id));
    }
  }
}

void check_facts(const AttackDraft& attack) {
  const auto& known = attack.draft.catalogue.facts();
  for (std::size_t i = 0; i < attack.given.facts.size(); ++i) {
    const std::string& fact = attack.given.facts[i];
    if (known.contains(fact)) continue;
    std::vector<std::string> names;
    for (const auto& [name, meaning] : known) names.push_back(name);
    throw ScenarioError(fmt::format("{}.facts[{}]", attack.path, i), unknown("fact", fact, names));
  }
}

void check_range(const AttackDraft& attack) {
  const Edition& edition = attack.draft.edition;
  if (attack.given.range >= edition.min_range && attack.given.range <= edition.max_range) return;
  throw ScenarioError(attack.path + ".range", fmt::format("{} is out of range; {} allows {} to {}", attack.given.range,
                                                          edition.id, edition.min_range, edition.max_range));
}

/// Cards of a ship whose effects apply in an attack it takes part in.
std::vector<const CardSpec*> cards_of(const Draft& draft, const ShipDraft& ship) {
  std::vector<const CardSpec*> out;
  const auto add = [&](const char* kind, const std::string& id) {
    if (const CardSpec* card = draft.catalogue.card(kind, id, draft.scenario.cards)) out.push_back(card);
  };
  if (ship.pilot != nullptr && !ship.pilot->ship_ability.empty()) add("ship", ship.pilot->ship_ability);
  if (ship.pilot != nullptr) add("pilot", ship.pilot->id);
  for (const std::string& id : ship.given->upgrades) add("upgrade", id);
  return out;
}

AttackPlan compile_attack(Draft& draft, std::size_t index) {
  const ScenarioAttack& given = draft.scenario.attacks[index];
  AttackDraft attack{.draft = draft,
                     .given = given,
                     .path = fmt::format("attacks[{}]", index),
                     .plan = {},
                     .weapon = {},
                     .forbidden = {},
                     .by_window = {}};
  attack.plan.attacker = draft.ship_index(given.by, attack.path + ".by");
  attack.plan.defender = draft.ship_index(given.on, attack.path + ".on");
  check_may_attack(attack);
  check_range(attack);
  check_facts(attack);
  choose_weapon(attack);
  if (!compile_costs(attack, attack.weapon.cost, true, attack.plan.cost)) {
    throw ScenarioError(attack.path + ".weapon",
                        fmt::format("'{}' cannot pay the cost of '{}'", given.by, given.weapon));
  }
  for (const bool collect : {true, false}) {
    const auto each = [&](const std::vector<EffectSpec>& effects, bool owner_attacks) {
      if (collect) return collect_forbidden(attack, effects, owner_attacks);
      for (const EffectSpec& effect : effects) add_effect(attack, effect, owner_attacks);
    };
    for (const bool owner_attacks : {false, true}) {
      each(draft.edition.effects, owner_attacks);
      const int ship = owner_attacks ? attack.plan.attacker : attack.plan.defender;
      for (const CardSpec* card : cards_of(draft, draft.ships[static_cast<std::size_t>(ship)]))
        each(card->effects, owner_attacks);
    }
  }
  add_steps(attack);
  mark_dynamic(draft, attack.plan);
  draft.out.labels.attacks.emplace_back(attack.plan.attacker, attack.plan.defender);
  draft.out.labels.weapons.push_back(attack.primary &&
                                             draft.ships[static_cast<std::size_t>(attack.plan.attacker)].ship != nullptr
                                         ? fmt::format("{} ({})", "primary", attack.weapon.arc)
                                         : given.weapon);
  draft.out.labels.ranges.push_back(given.range);
  return attack.plan;
}

void check_initiatives(const Scenario& scenario) {
  const auto& attacks = scenario.attacks;
  for (std::size_t i = 1; i < attacks.size(); ++i) {
    const std::string path = fmt::format("attacks[{}].initiative", i);
    if (attacks[i].initiative.has_value() != attacks[0].initiative.has_value()) {
      throw ScenarioError(path, "either all attacks have an initiative or none; add or remove it");
    }
    if (attacks[i].initiative > attacks[i - 1].initiative) {
      throw ScenarioError(
          path,
          fmt::format("initiative {} follows {}; ships engage from the highest initiative down, so reorder the attacks",
                      *attacks[i].initiative, *attacks[i - 1].initiative));
    }
  }
}

/// Ships that leave play after attack i if they are destroyed (contract: Destruction).
std::vector<int> removed_after(const Draft& draft, std::size_t i) {
  const auto& attacks = draft.scenario.attacks;
  const bool step_ends =
      i + 1 == attacks.size() || !attacks[i].initiative || attacks[i + 1].initiative != attacks[i].initiative;
  std::vector<int> out;
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    bool stays = !step_ends;
    if (stays && draft.edition.destroyed_stays == DestroyedStays::OwnAttack) {
      // 002: Simultaneous attack rule: it stays only until it has made its own attack of this pilot skill.
      bool attacked = false;
      bool will_attack = false;
      for (std::size_t k = 0; k < attacks.size(); ++k) {
        if (attacks[k].initiative != attacks[i].initiative || attacks[k].by != draft.ships[s].name) continue;
        (k <= i ? attacked : will_attack) = true;
      }
      stays = will_attack && !attacked;
    }
    if (!stays) out.push_back(static_cast<int>(s));
  }
  return out;
}

}  // namespace

void compile_attacks(Draft& draft) {
  check_initiatives(draft.scenario);
  for (std::size_t i = 0; i < draft.scenario.attacks.size(); ++i) {
    AttackPlan attack = compile_attack(draft, i);
    attack.removed_after = removed_after(draft, i);
    draft.out.plan.attacks.push_back(std::move(attack));
  }
}

void find_readable(Plan& plan) {
  Resources later;
  for (auto attack = plan.attacks.rbegin(); attack != plan.attacks.rend(); ++attack) {
    Resources reads;
    const auto read = [&](int index) {
      const Resource& r = plan.resources[static_cast<std::size_t>(index)];
      if (r.dynamic) reads.words[static_cast<std::size_t>(r.word)] |= r.mask << r.shift;
    };
    const auto read_expression = [&](const Expression& expression) {
      for (const ExpressionOp& op : expression) {
        if (op.code == ExpressionOp::Code::Resource) read(op.value);
      }
    };
    for (const Cost& cost : attack->cost) read(cost.resource);
    for (const Effect& effect : attack->effects) {
      read_expression(effect.when);
      read_expression(effect.times);
      for (const Cost& cost : effect.cost) read(cost.resource);
      for (const Operation& operation : effect.operations) {
        if (operation.resource >= 0) read(operation.resource);
      }
    }
    for (const int ship : {attack->attacker, attack->defender}) {
      const int health = plan.ships[static_cast<std::size_t>(ship)].health;
      if (health >= 0) read(health);
    }
    attack->reads = reads;
    for (std::size_t w = 0; w < 2; ++w) later.words[w] |= reads.words[w];
    attack->readable = later;
  }
}

}  // namespace salvo::rules
