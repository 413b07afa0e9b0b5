// Facts of ships: tokens, states, health, damage cards, and what a ship did in the attack.
#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "rules/facts.h"

namespace salvo::rules {

int resource_of(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner, std::string_view of) {
  const Draft& draft = attack.draft;
  if (token == "charge" && of == "weapon")
    return draft.find_resource(Resource::Kind::Charge, attack.plan.attacker, attack.weapon_card);
  if (token == "charge") return draft.find_resource(Resource::Kind::Charge, owner.ship, owner.card_number);
  if (token == "lock") {
    const bool side = attack.ship(ship).mine == attack.ship(attack.plan.attacker).mine;
    return draft.find_resource(Resource::Kind::Lock, ship, attack.ship_of_role(!side));
  }
  return draft.find_resource(Resource::Kind::Token, ship, draft.token_index(token));
}

namespace {

Expression resource_value(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner) {
  const int index = resource_of(attack, token, ship, owner);
  if (index < 0) return constant(0);
  return {{ExpressionOp::Code::Resource, index}};
}

/// Hull that a ship has left, or shields: what its health resource says, 0 once it is gone.
Expression health_part(const AttackDraft& attack, int ship, bool shields) {
  const ShipPlan& plan = nth(attack.draft.out.plan.ships, ship);
  if (plan.health < 0 || plan.counted_hull < plan.hull) return constant(shields ? plan.shields : plan.hull);
  const Expression health{{Code::Resource, plan.health}, {Code::Constant, kHealthZero}, {Code::Subtract, 0}};
  Expression out = health;
  out.push_back({Code::Constant, plan.hull});
  out.push_back({shields ? Code::Subtract : Code::Minimum, 0});
  out.push_back({Code::Constant, 0});
  out.push_back({Code::Maximum, 0});
  return out;
}

/// Damage that a ship suffered in this attack.
Expression suffered(const AttackDraft& attack, int ship) {
  for (std::size_t v = 0; v < kVictims; ++v) {
    if (attack.plan.victim(v) == ship) return {{ExpressionOp::Code::Suffered, static_cast<int>(v)}};
  }
  return constant(0);
}

/// Whether this attack destroyed a ship: it removed the last of its health.
Expression destroyed(const AttackDraft& attack, int ship) {
  const int health = nth(attack.draft.out.plan.ships, ship).health;
  for (std::size_t v = 0; v < kVictims && health >= 0; ++v) {
    if (attack.plan.victim(v) != ship) continue;
    return {{Code::Resource, health},
            {Code::Constant, kHealthZero},
            {Code::Equal, 0},
            {Code::Constant, 0},
            {Code::Removed, static_cast<int>(v)},
            {Code::Less, 0},
            {Code::And, 0}};
  }
  return constant(0);
}

/// The initiative of the attack for its attacker, for other ships that of their first attack, where it is stated; else
/// the pilot's.
int initiative_of(const AttackDraft& attack, int index) {
  const ShipDraft& ship = attack.ship(index);
  std::optional<int> out;
  if (index == attack.plan.attacker) {
    out = treated(attack, "initiative");
    if (!out) out = attack.given.initiative;
  } else {
    const auto& attacks = attack.draft.scenario.attacks;
    const auto at = std::find_if(attacks.begin(), attacks.end(),
                                 [&](const ScenarioAttack& a) { return a.by == ship.name && a.bonus.empty(); });
    if (at != attacks.end()) out = at->initiative;
  }
  return out.value_or(ship.pilot != nullptr ? ship.pilot->initiative : 0);
}

/// The number of a trait in the damage deck, from 1; 0 when none of its cards has it.
int trait_number(const AttackDraft& attack, std::string_view trait) {
  static const std::vector<std::string> usual{"ship", "pilot", "crew"};
  if (attack.draft.deck != nullptr) {
    const auto& traits = attack.draft.deck->traits;
    const auto at = std::find(traits.begin(), traits.end(), trait);
    if (at != traits.end()) return static_cast<int>(at - traits.begin()) + 1;
  }
  if (std::find(usual.begin(), usual.end(), trait) == usual.end())
    throw ExpressionError(unknown("trait of damage cards", std::string(trait), usual));
  return 0;
}

/// Whether a ship did something with a token of a kind in this attack: "spent" or "gained" it.
Expression noted(const AttackDraft& attack, std::string_view did, std::string_view token, int ship) {
  return {{ExpressionOp::Code::Used, attack.bit({ship, -1, fmt::format("{}.{}", did, token)}, "")}};
}

void need_token(const AttackDraft& attack, std::string_view token) {
  if (token == "lock" || attack.draft.token_index(token) >= 0) return;
  std::vector<std::string> known{"lock"};
  for (const TokenSpec& spec : attack.draft.edition.tokens) known.push_back(spec.id);
  throw ExpressionError(unknown("token", std::string(token), known));
}

/// Whether the ship was dealt a faceup damage card in this attack, or one with the trait.
Expression dealt(const AttackDraft& attack, std::string_view what, int ship) {
  if (what != "faceup" && trait_number(attack, what) == 0) return constant(0);
  if (!attack.ship(ship).dealt_cards) return constant(0);
  return noted(attack, "dealt", what, ship);
}

/// All faceup damage cards of a ship.
Expression faceup_cards(const AttackDraft& attack, int ship) {
  const int index = attack.draft.find_resource(Resource::Kind::Faceup, ship, -1);
  if (index < 0 || !may_have_cards(attack.draft, ship, attack.number)) return constant(0);
  return {{ExpressionOp::Code::Resource, index}};
}

/// The primary weapon value of a ship: of the strongest where it has several, 0 without any.
int primary_value(const ShipDraft& ship) {
  int most = 0;
  for (const WeaponSpec& weapon : ship.weapons) most = std::max(most, weapon.attack);
  return ship.attack.value_or(most);
}

}  // namespace

std::optional<int> treated(const AttackDraft& attack, std::string_view fact) {
  const auto at = attack.treated.find(fact);
  return at == attack.treated.end() ? std::nullopt : std::optional(at->second);
}

Expression friendly_locks(const AttackDraft& attack, const Owner& owner) {
  const bool side = *attack.ship(owner.ship).mine;
  Expression out;
  for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
    if (*attack.draft.ships[s].mine != side || attack.draft.ships[s].carrier >= 0) continue;
    const int index = resource_of(attack, "lock", static_cast<int>(s), owner);
    if (index < 0) continue;
    out.push_back({ExpressionOp::Code::Resource, index});
    if (out.size() > 1) out.push_back({ExpressionOp::Code::Add, 0});
  }
  return out.empty() ? constant(0) : out;
}

Expression drawn(const AttackDraft& attack, std::string_view trait) {
  const int number = trait_number(attack, trait);
  if (number == 0) return constant(0);
  return {{Code::Trait, 0}, {Code::Constant, number}, {Code::Equal, 0}};
}

Expression spent(const AttackDraft& attack, std::string_view token, int ship) {
  need_token(attack, token);
  return noted(attack, "spent", token, ship);
}

Expression gained(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner) {
  need_token(attack, token);
  const int index = resource_of(attack, token, ship, owner);
  if (index < 0) return constant(0);
  const Resource& r = nth(attack.draft.out.plan.resources, index);
  return r.max <= r.initial ? constant(0) : noted(attack, "gained", token, ship);
}

Expression ship_fact(const AttackDraft& attack, std::string_view fact, int index, std::string_view whole,
                     const Owner& owner) {
  const Draft& draft = attack.draft;
  if (index < 0) throw ExpressionError(fmt::format("'{}' needs another friendly ship", whole));
  const ShipDraft& ship = attack.ship(index);
  if (fact == "lock" || draft.token_index(fact) >= 0) return resource_value(attack, fact, index, owner);
  if (fact == "size") return constant(text_value(ship.size));
  if (fact == "ship") return constant(ship.ship == nullptr ? 0 : text_value(ship.ship->id));
  if (fact == "limited") return constant(ship.pilot != nullptr && ship.pilot->limited > 0);
  if (fact == "agility") return constant(ship.agility);
  if (fact == "attack") return constant(primary_value(ship));
  if (fact == "shields" || fact == "hull") return health_part(attack, index, fact == "shields");
  if (fact == "suffered") return suffered(attack, index);
  if (fact.starts_with("spent.")) return spent(attack, fact.substr(6), index);
  if (fact.starts_with("gained.")) return gained(attack, fact.substr(7), index, owner);
  if (fact == "destroyed") return destroyed(attack, index);
  if (fact == "initiative") return constant(initiative_of(attack, index));
  if (fact == "docked") return constant(ship.carrier >= 0);
  if (fact == "carrier") return constant(ship.docked == owner.ship);
  if (fact == "facedown") return facedown_cards(attack, index);
  if (fact == "faceup") return faceup_cards(attack, index);
  if (fact.starts_with("dealt.")) return dealt(attack, fact.substr(6), index);
  for (const TokenSpec& token : draft.edition.tokens) {
    if (token.state != fact) continue;
    const auto threshold = token.threshold.find(ship.size);
    Expression out = constant(threshold == token.threshold.end() ? 1 : threshold->second);
    const Expression count = resource_value(attack, token.id, index, owner);
    int n = 0;
    if (is_constant(count, n)) return constant(out[0].value <= n);
    out.push_back(count[0]);
    out.push_back({ExpressionOp::Code::LessEqual, 0});
    return out;
  }
  throw ExpressionError(fmt::format("unknown fact '{}'", whole));
}

Expression facedown_cards(const AttackDraft& attack, int ship) {
  Expression out;
  const auto& resources = attack.draft.out.plan.resources;
  for (std::size_t r = 0; r < resources.size(); ++r) {
    if (resources[r].kind != Resource::Kind::Facedown || resources[r].ship != ship) continue;
    out.push_back({ExpressionOp::Code::Resource, static_cast<int>(r)});
    if (out.size() > 1) out.push_back({ExpressionOp::Code::Add, 0});
  }
  return out.empty() ? constant(0) : out;
}

Expression not_gone(const AttackDraft& attack, int ship) {
  const int health = nth(attack.draft.out.plan.ships, ship).health;
  if (health < 0) return {};
  return {{Code::Resource, health}, {Code::Constant, kGone}, {Code::NotEqual, 0}};
}

Expression in_play(const AttackDraft& attack, int ship) {
  return ship == attack.plan.attacker || ship == attack.plan.defender ? Expression() : not_gone(attack, ship);
}

Expression has_shields(const AttackDraft& attack, int ship, int n) {
  const Expression shields = health_part(attack, ship, true);
  int value = 0;
  if (is_constant(shields, value)) return constant(value >= n);
  Expression out = constant(n);
  out.insert(out.end(), shields.begin(), shields.end());
  out.push_back({ExpressionOp::Code::LessEqual, 0});
  return out;
}

}  // namespace salvo::rules
