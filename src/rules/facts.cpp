// Facts: what the words of a condition mean in one attack: counts, tokens, states, board facts.
#include <fmt/format.h>

#include <algorithm>

#include "rules/attack_draft.h"

namespace salvo::rules {
namespace {

Resource::Kind kind_of(std::string_view token) {
  return token == "lock" ? Resource::Kind::Lock : Resource::Kind::Token;
}

}  // namespace

int resource_of(const AttackDraft& attack, std::string_view token, bool of_attacker, const Owner* owner) {
  if (token == "charge") {
    const int ship_of_card = of_attacker ? attack.plan.attacker : attack.plan.defender;
    return owner == nullptr ? -1 : attack.draft.find_resource(Resource::Kind::Charge, ship_of_card, owner->card_number);
  }
  const int ship = of_attacker ? attack.plan.attacker : attack.plan.defender;
  const int other = of_attacker ? attack.plan.defender : attack.plan.attacker;
  if (kind_of(token) == Resource::Kind::Lock) return attack.draft.find_resource(Resource::Kind::Lock, ship, other);
  return attack.draft.find_resource(Resource::Kind::Token, ship, attack.draft.token_index(token));
}

int face_of(const DieSpec& die, std::string_view name) {
  for (std::size_t f = 0; f < die.faces.size(); ++f) {
    if (die.faces[f].name == name) return static_cast<int>(f);
  }
  return -1;
}

namespace {

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

}  // namespace

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

void note_facts(const AttackDraft& attack) {
  for (const std::string& given : attack.given.facts) {
    const std::string fact = given.starts_with("not ") ? given.substr(4) : given;
    if (!attack.facts_read.contains(fact))
      attack.draft.out.labels.notes.push_back(fmt::format("{}: nothing reads the fact '{}'", attack.path, fact));
  }
}

}  // namespace salvo::rules
