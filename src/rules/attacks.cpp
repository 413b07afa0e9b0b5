// Attacks of a scenario: the weapon, the edition's and the cards' effects, and the steps in which they apply.
#include <fmt/format.h>

#include <algorithm>
#include <set>

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
  /// Board facts that an effect asked about.
  mutable std::set<std::string, std::less<>> facts_read;
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

/// The resource of a token word of one of the two ships, or -1 when it has none. `charge` needs the owner's card.
int resource_of(const AttackDraft& attack, std::string_view token, bool of_attacker, const Owner* owner = nullptr) {
  if (token == "charge") {
    const int ship_of_card = of_attacker ? attack.plan.attacker : attack.plan.defender;
    return owner == nullptr ? -1 : attack.draft.find_resource(Resource::Kind::Charge, ship_of_card, owner->card_number);
  }
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

Expression count_fact(const AttackDraft& attack, std::string_view name, const Owner& owner) {
  const std::size_t dot = name.find('.');
  const std::string_view pool = name.substr(0, dot);
  const std::string_view face = dot == std::string_view::npos ? "all" : name.substr(dot + 1);
  if (pool != "attack" && pool != "defense" && pool != "own")
    throw ExpressionError(fmt::format("unknown dice '{}'; known are attack, defense, own", pool));
  const bool attack_dice = pool == "attack" || (pool == "own" && owner.attacks);
  if (face == "all") return {{attack_dice ? ExpressionOp::Code::AttackDice : ExpressionOp::Code::DefenseDice, 0}};
  const DieSpec& die = attack_dice ? attack.draft.edition.attack_die : attack.draft.edition.defense_die;
  const int index = face_of(die, face);
  if (index < 0) throw ExpressionError(fmt::format("the {} die has no face '{}'", pool, face));
  return {{attack_dice ? ExpressionOp::Code::AttackFace : ExpressionOp::Code::DefenseFace, index}};
}

/// A board fact: as the scenario states it ("bullseye", "not bullseye"), else the card's usual case, which is noted.
bool board_fact(const AttackDraft& attack, std::string_view name, const Owner& owner) {
  if (!attack.draft.catalogue.facts().contains(std::string(name)))
    throw ExpressionError(fmt::format("unknown fact '{}'", name));
  attack.facts_read.emplace(name);
  const auto& given = attack.given.facts;
  if (std::find(given.begin(), given.end(), name) != given.end()) return true;
  if (std::find(given.begin(), given.end(), fmt::format("not {}", name)) != given.end()) return false;
  bool usual = false;
  if (owner.card != nullptr) {
    const auto at = owner.card->facts.find(std::string(name));
    usual = at != owner.card->facts.end() && at->second;
  }
  auto& assumed = attack.draft.out.labels.assumed_facts;
  const std::string note =
      fmt::format("{}{} ({})", usual ? "" : "not ", name, owner.card != nullptr ? owner.card->id : "rules");
  if (std::find(assumed.begin(), assumed.end(), note) == assumed.end()) assumed.push_back(note);
  return usual;
}

Expression resolve_fact(const AttackDraft& attack, std::string_view name, bool counted, const Owner& owner) {
  if (counted) return count_fact(attack, name, owner);
  if (name.starts_with("self.")) return ship_fact(attack, name.substr(5), owner.attacks, name);
  if (name.starts_with("foe.")) return ship_fact(attack, name.substr(4), !owner.attacks, name);
  if (name == "range") return constant(attack.given.range);
  if (name == "obstructed") return constant(attack.given.obstructed);
  if (name == "reinforced") return constant(attack.given.reinforced);
  if (name == "ordnance") return constant(attack.weapon.ordnance);
  if (name == "primary") return constant(attack.primary);
  if (name == "weapon") return constant(text_value(attack.given.weapon));
  if (name == "arc") return constant(text_value(attack.weapon.arc));
  if (name == "remaining") return {{ExpressionOp::Code::Remaining, 0}};
  if (name == "attacking") return constant(owner.attacks);
  if (name == "hit") return {{ExpressionOp::Code::Hit, 0}};
  if (name == "special") return constant(!attack.primary);
  if (name == "card.charge") {
    const int index = resource_of(attack, "charge", owner.attacks, &owner);
    return index < 0 ? constant(0) : Expression{{ExpressionOp::Code::Resource, index}};
  }
  return constant(board_fact(attack, name, owner));
}

Expression compile_expression(const AttackDraft& attack, const EffectSpec& spec, const std::string& text,
                              const Owner& owner) {
  if (text.empty()) return {};
  try {
    return parse_expression(
        text, [&](std::string_view name, bool counted) { return resolve_fact(attack, name, counted, owner); });
  } catch (const ExpressionError& error) {
    throw LoadError(fmt::format("{}: {}", spec.place, error.what()));
  }
}

bool on_attack_dice(const OperationSpec& spec, const Owner& owner) {
  return spec.dice == "attack" || (spec.dice == "own" && owner.attacks);
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
                                           const OperationSpec& spec, const Owner& owner) {
  Operation out{.attack_dice = on_attack_dice(spec, owner),
                .n = spec.n,
                .all = spec.all,
                .exact = spec.exact,
                .if_none = spec.if_none};
  const Forbidden& forbidden = attack.forbidden;
  switch (spec.verb) {
    case Verb::Pool:
      if (out.attack_dice && spec.n > 0 && forbidden.add_attack_dice) return std::nullopt;
      if (!out.attack_dice && spec.n < 0 && forbidden.reduce_defense_dice[owner.attacks]) return std::nullopt;
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
      out.resource = resource_of(attack, spec.token, (spec.who == "foe") != owner.attacks, &owner);
      if (out.resource < 0) return std::nullopt;
      out.amount = compile_expression(attack, effect, spec.amount, owner);
      return out;
    case Verb::Cancel:
      if (forbidden.cancel[owner.attacks][out.attack_dice]) return std::nullopt;
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
    case Verb::Damage:
      out.kind = Operation::Kind::Damage;
      out.to_attacker = (spec.who == "foe") != owner.attacks;
      out.amount = compile_expression(attack, effect, spec.amount, owner);
      return out;
    case Verb::Forbid:
    case Verb::Stat:
    case Verb::Neutralize:
      return std::nullopt;
  }
  if (spec.verb != Verb::Cancel && forbidden.modify[owner.attacks][out.attack_dice]) return std::nullopt;
  compile_faces(attack, effect, spec, out);
  return out;
}

void forbid(AttackDraft& attack, const EffectSpec& effect, const OperationSpec& spec, const Owner& owner) {
  Forbidden& f = attack.forbidden;
  const bool dice = on_attack_dice(spec, owner);
  const bool who = (spec.who == "foe") != owner.attacks;
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

bool owner_matches(const EffectSpec& effect, const Owner& owner) {
  return effect.side == "any" || (effect.side == "attacker") == owner.attacks;
}

/// Order of neutralizing and results that evades cannot cancel (verb neutralize).
void set_neutralize(AttackDraft& attack, const EffectSpec& effect, const Owner& owner) {
  const auto& operations = effect.operations;
  if (std::none_of(operations.begin(), operations.end(),
                   [](const OperationSpec& spec) { return spec.verb == Verb::Neutralize; }))
    return;
  int value = 1;
  const Expression when = compile_expression(attack, effect, effect.when, owner);
  if (!when.empty() && !is_constant(when, value)) {
    throw LoadError(
        fmt::format("{}: a condition of the verb neutralize may not depend on dice or tokens", effect.place));
  }
  if (value == 0) return;
  for (const OperationSpec& spec : effect.operations) {
    if (spec.verb != Verb::Neutralize) continue;
    attack.plan.crits_first = attack.plan.crits_first || spec.order == "crit-first";
    for (const std::string& face : spec.from)
      (face == "hit" ? attack.plan.uncancellable_hits : attack.plan.uncancellable_crits) = true;
  }
}

/// Collects what the always-window forbids; its conditions must not depend on dice or tokens.
void collect_forbidden(AttackDraft& attack, const std::vector<EffectSpec>& effects, const Owner& owner) {
  for (const EffectSpec& effect : effects) {
    if (effect.at != Window::Always || !owner_matches(effect, owner)) continue;
    int value = 1;
    const Expression when = compile_expression(attack, effect, effect.when, owner);
    if (!when.empty() && !is_constant(when, value)) {
      throw LoadError(
          fmt::format("{}: a condition of an effect at \"always\" may not depend on dice or tokens", effect.place));
    }
    if (value == 0) continue;
    for (const OperationSpec& spec : effect.operations) {
      if (spec.verb == Verb::Forbid) forbid(attack, effect, spec, owner);
    }
  }
}

Window actual_window(const EffectSpec& effect, const Owner& owner) {
  if (effect.at != Window::OwnMod) return effect.at;
  return owner.attacks ? Window::AttackMod : Window::DefenseMod;
}

/// Costs of an effect; false when the ship can never pay them.
bool compile_costs(const AttackDraft& attack, const std::vector<CostSpec>& specs, const Owner& owner,
                   std::vector<Cost>& out) {
  for (const CostSpec& spec : specs) {
    const int index = resource_of(attack, spec.token, (spec.who == "foe") != owner.attacks, &owner);
    if (index < 0) return false;
    out.push_back({index, spec.n});
  }
  return true;
}

void add_effect(AttackDraft& attack, const EffectSpec& spec, const Owner& owner) {
  if (spec.at == Window::Always || !owner_matches(spec, owner)) return;
  set_neutralize(attack, spec, owner);
  Effect effect{.may = spec.may};
  effect.when = compile_expression(attack, spec, spec.when, owner);
  effect.times = compile_expression(attack, spec, spec.times, owner);
  int value = 0;
  if (is_constant(effect.when, value)) {
    if (value == 0) return;
    effect.when.clear();
  }
  if (is_constant(effect.times, value) && value <= 0) return;
  if (!compile_costs(attack, spec.cost, owner, effect.cost)) return;
  for (const OperationSpec& operation : spec.operations) {
    if (auto compiled = compile_operation(attack, spec, operation, owner)) effect.operations.push_back(*compiled);
  }
  if (effect.operations.empty()) return;
  if (effect.operations.size() > kMostOperations)
    throw LoadError(fmt::format("{}: more than {} operations in one effect", spec.place, kMostOperations));
  if (spec.once_per_round) {
    const int ship = owner.attacks ? attack.plan.attacker : attack.plan.defender;
    effect.cost.push_back({attack.draft.find_resource(Resource::Kind::Flag, ship, owner.card_number), 1});
  }
  if (spec.once_per_attack || (owner.card != nullptr && spec.may && !spec.repeats)) {
    int bit = 0;
    for (const Effect& other : attack.plan.effects) bit = std::max(bit, other.used_bit + 1);
    if (bit > 31) throw LoadError(fmt::format("{}: more than 32 effects are limited to once per attack", spec.place));
    effect.used_bit = bit;
  }
  attack.by_window[{actual_window(spec, owner), spec.may}][owner.attacks].push_back(
      static_cast<int>(attack.plan.effects.size()));
  attack.plan.effects.push_back(std::move(effect));
  auto& names = attack.draft.out.labels.effects;
  names.resize(attack.draft.out.plan.attacks.size() + 1);
  names.back().push_back(owner.card != nullptr ? owner.card->id : spec.id);
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

bool reads_hit(const AttackPlan& attack) {
  const auto in = [](const Expression& expression) {
    return std::any_of(expression.begin(), expression.end(),
                       [](const ExpressionOp& op) { return op.code == ExpressionOp::Code::Hit; });
  };
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const Effect& effect) {
    return in(effect.when) || in(effect.times) ||
           std::any_of(effect.operations.begin(), effect.operations.end(),
                       [&](const Operation& operation) { return in(operation.amount); });
  });
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
  if (reads_hit(attack.plan)) steps.push_back({.kind = Kind::Outcome});
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
    std::string fact = attack.given.facts[i];
    if (fact.starts_with("not ")) fact.erase(0, 4);
    if (known.contains(fact)) continue;
    std::vector<std::string> names;
    for (const auto& [name, meaning] : known) names.push_back(name);
    throw ScenarioError(fmt::format("{}.facts[{}]", attack.path, i), unknown("fact", fact, names));
  }
}

/// A stated fact that nothing reads is no error, but the user should know.
void note_facts(const AttackDraft& attack) {
  for (const std::string& given : attack.given.facts) {
    const std::string fact = given.starts_with("not ") ? given.substr(4) : given;
    if (!attack.facts_read.contains(fact))
      attack.draft.out.labels.notes.push_back(fmt::format("{}: nothing reads the fact '{}'", attack.path, fact));
  }
}

void check_range(const AttackDraft& attack) {
  const Edition& edition = attack.draft.edition;
  if (attack.given.range >= edition.min_range && attack.given.range <= edition.max_range) return;
  throw ScenarioError(attack.path + ".range", fmt::format("{} is out of range; {} allows {} to {}", attack.given.range,
                                                          edition.id, edition.min_range, edition.max_range));
}

/// Tokens in the header of a weapon ("Attack (lock)") must be there, but are not paid (000: Special_Weapon).
void require_tokens(AttackDraft& attack) {
  for (const std::string& token : attack.weapon.requires_tokens) {
    const int index = resource_of(attack, token, true);
    if (index < 0) {
      throw ScenarioError(attack.path + ".weapon",
                          fmt::format("'{}' needs {} {}; add it to the tokens of '{}'", attack.given.weapon,
                                      token == "lock" ? "a lock on" : "the token",
                                      token == "lock" ? attack.given.on : token, attack.given.by));
    }
    attack.plan.required.push_back({index, 1});
  }
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
  Owner weapon_card{.attacks = true};
  if (!attack.primary) {
    const auto& cards = draft.ships[static_cast<std::size_t>(attack.plan.attacker)].cards;
    const auto at = std::find_if(cards.begin(), cards.end(),
                                 [&](const CardSpec* card) { return card->id == given.weapon && card->weapon; });
    weapon_card.card_number = static_cast<int>(at - cards.begin());
  }
  require_tokens(attack);
  if (!compile_costs(attack, attack.weapon.cost, weapon_card, attack.plan.cost)) {
    throw ScenarioError(attack.path + ".weapon",
                        fmt::format("'{}' cannot pay the cost of '{}'", given.by, given.weapon));
  }
  for (const bool collect : {true, false}) {
    const auto each = [&](const std::vector<EffectSpec>& effects, const Owner& owner) {
      if (collect) return collect_forbidden(attack, effects, owner);
      for (const EffectSpec& effect : effects) add_effect(attack, effect, owner);
    };
    for (const bool attacks : {false, true}) {
      each(draft.edition.effects, {attacks});
      const ShipDraft& ship =
          draft.ships[static_cast<std::size_t>(attacks ? attack.plan.attacker : attack.plan.defender)];
      for (std::size_t c = 0; c < ship.cards.size(); ++c)
        each(ship.cards[c]->effects, {attacks, ship.cards[c], static_cast<int>(c)});
    }
  }
  draft.out.labels.effects.resize(index + 1);
  note_facts(attack);
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
    for (const Cost& cost : attack->required) read(cost.resource);
    for (const Effect& effect : attack->effects) {
      read_expression(effect.when);
      read_expression(effect.times);
      for (const Cost& cost : effect.cost) read(cost.resource);
      for (const Operation& operation : effect.operations) {
        if (operation.resource >= 0) read(operation.resource);
        read_expression(operation.amount);
      }
    }
    for (const auto* rules : {&attack->attacker_rules, &attack->defender_rules}) {
      for (const PolicyRule& rule : *rules) read_expression(rule.when);
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
