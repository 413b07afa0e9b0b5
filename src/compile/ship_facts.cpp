// Resolves facts of ships: tokens, states, health, damage cards, and what a ship did in the attack.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/index.h"
#include "compile/facts.h"

namespace salvo::compile {

int resource_of(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner, std::string_view of) {
  const Draft& draft = attack.draft;
  if (token == "charge" && of == "weapon")
    return draft.find_resource(game::Resource::Kind::Charge, attack.plan.attacker, attack.weapon_card);
  if (token == "charge" && of != "card")
    return draft.find_resource(game::Resource::Kind::Charge, owner.of_ship, owner.of_card);
  if (token == "charge") return draft.find_resource(game::Resource::Kind::Charge, owner.ship, owner.card_number);
  if (token == "lock") {
    const bool side = attack.ship(ship).mine == attack.ship(attack.plan.attacker).mine;
    return draft.find_resource(game::Resource::Kind::Lock, ship, attack.ship_of_role(!side));
  }
  return draft.token_resource(ship, draft.token_index(token));
}

int locked_ship(const AttackDraft& attack, const load::OperationSpec& operation, int ship, const Owner& owner) {
  if (operation.on == "self") return owner.ship;
  if (operation.on == "ally") return owner.ally;
  if (operation.on == "enemy") return owner.enemy;
  const bool attacks = attack.ship(ship).mine == attack.ship(attack.plan.attacker).mine;
  return attack.ship_of_role(!attacks);
}

namespace {

/// Adds the number of a resource; 0 for index -1.
void add_number(int index, ExpressionBuilder& out) { index < 0 ? out.add_constant(0) : out.add(Code::Resource, index); }

/// Adds the number of locks that a ship has on another one.
void add_lock(const AttackDraft& attack, int ship, int on, ExpressionBuilder& out) {
  add_number(on < 0 ? -1 : attack.draft.find_resource(game::Resource::Kind::Lock, ship, on), out);
}

/// Remaining hull or shields of a ship, from its health resource; 0 once it has left play.
game::Expression health_part(const AttackDraft& attack, int ship, bool shields) {
  const game::ShipPlan& plan = base::nth(attack.draft.out.plan.ships, ship);
  if (plan.health < 0 || plan.counted_hull < plan.hull) return constant(shields ? plan.shields : plan.hull);
  if (plan.hull_left >= 0) return {{Code::Resource, shields ? plan.shields_left : plan.hull_left}};
  const game::Expression health{
      {Code::Resource, plan.health}, {Code::Constant, game::kHealthZero}, {Code::Subtract, 0}};
  game::Expression out = health;
  out.push_back({Code::Constant, plan.hull});
  out.push_back({shields ? Code::Subtract : Code::Minimum, 0});
  out.push_back({Code::Constant, 0});
  out.push_back({Code::Maximum, 0});
  return out;
}

/// The victim number of a ship in this attack, or -1. If -1, records that the damage was read, since an effect compiled
/// later may damage the ship.
int victim_number(const AttackDraft& attack, int ship) {
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    if (attack.plan.victim(v) == ship) return static_cast<int>(v);
  }
  attack.read_as_unharmed.insert(ship);
  return -1;
}

/// Whether an effect can deal damage cards as such, not as damage that is suffered.
bool deals_past_shields(const Draft& draft) {
  if (any_card(draft, &PreparedCard::past_shields)) return true;
  return draft.deck != nullptr &&
         std::any_of(draft.deck->cards.begin(), draft.deck->cards.end(),
                     [](const load::DamageCardSpec& card) { return prepared(card.card).past_shields; });
}

/// Adds the damage suffered by a ship in this attack. Lost shields do not count (001: FAQ), nor do cards that it is
/// dealt (000: Damage) or the second damage of a Direct Hit (003: Reinforced Deflectors). Of several such cards in one
/// attack, one is left out.
void add_suffered(const AttackDraft& attack, int ship, ExpressionBuilder& out) {
  const int victim = victim_number(attack, ship);
  if (victim < 0) return out.add_constant(0);
  out.add(Code::Suffered, victim);
  const auto without = [&](std::string_view what) {
    out.push(Code::Used, attack.bit({.kind = UsedName::Kind::Lost, .ship = ship, .id = what}, ""));
    out.push(Code::Subtract, 0);
  };
  if (any_card(attack.draft, &PreparedCard::costs_shield) || any_card(attack.draft, &PreparedCard::loses_shield))
    without("shield");
  if (deals_past_shields(attack.draft)) without("card");
}

/// Shields that a ship lost in this attack for any reason.
game::Expression lost_shields(const AttackDraft& attack, int ship) {
  const game::ShipPlan& plan = base::nth(attack.draft.out.plan.ships, ship);
  if (plan.health < 0 || plan.counted_hull != plan.hull) return constant(0);
  const int victim = victim_number(attack, ship);
  if (victim < 0) return constant(0);
  const bool recovers = attack.draft.lifetime == Lifetime::Rounds && plan.shields_recover > 0;
  if (plan.hull_left >= 0 && (recovers || any_card(attack.draft, &PreparedCard::parts_health)))
    throw ScenarioError(attack.path,
                        fmt::format("a card asks which shields '{}' loses, and another one has it recover shields or "
                                    "suffer damage past them; leave one of them out",
                                    attack.ship(ship).name));
  game::Expression before{{Code::Resource, plan.health},
                          {Code::Constant, game::kHealthZero + plan.hull},
                          {Code::Subtract, 0},
                          {Code::Removed, victim},
                          {Code::Add, 0},
                          {Code::Constant, 0},
                          {Code::Maximum, 0}};
  return combined(std::move(before), health_part(attack, ship, true), Code::Subtract);
}

/// Whether this attack removed the last of a ship's health.
game::Expression destroyed(const AttackDraft& attack, int ship) {
  const int health = base::nth(attack.draft.out.plan.ships, ship).health;
  const int victim = health < 0 ? -1 : victim_number(attack, ship);
  if (victim < 0) return constant(0);
  return {{Code::Resource, health},
          {Code::Constant, game::kHealthZero},
          {Code::Equal, 0},
          {Code::Constant, 0},
          {Code::Removed, victim},
          {Code::Less, 0},
          {Code::And, 0}};
}

/// Initiative of the ship: the attacker's is that of the attack, another ship's that of its first attack other than a
/// bonus attack. If not stated, the pilot's; nothing if unknown.
std::optional<int> known_initiative(const AttackDraft& attack, int index) {
  const ShipDraft& ship = attack.ship(index);
  std::optional<int> out;
  if (index == attack.plan.attacker) {
    out = overridden_value(attack, "initiative");
    if (!out) out = attack.given.initiative;
  } else {
    const auto& attacks = attack.draft.scenario.attacks;
    const auto at = std::find_if(attacks.begin(), attacks.end(), [&](const ScenarioAttack& a) {
      return a.by == ship.name && !is_bonus_attack(attack.draft, a);
    });
    if (at != attacks.end()) out = at->initiative;
  }
  if (!out && ship.pilot != nullptr) out = ship.pilot->initiative;
  return out;
}

int initiative_of(const AttackDraft& attack, int index) { return known_initiative(attack, index).value_or(0); }

/// Number of a trait in the damage deck; 0 if none of its cards has it. Throws for an unknown trait.
int checked_trait(const AttackDraft& attack, std::string_view trait) {
  static const std::vector<std::string> usual{"ship", "pilot", "crew"};
  const int number = attack.draft.deck == nullptr ? 0 : trait_number(*attack.draft.deck, trait);
  if (number > 0) return number;
  if (!base::contains(usual, trait)) throw ExpressionError(unknown("trait of damage cards", std::string(trait), usual));
  return 0;
}

/// Whether a ship did something with a token or a damage card in this attack.
void add_noted(const AttackDraft& attack, UsedName::Kind did, std::string_view what, int ship, ExpressionBuilder& out) {
  out.add(Code::Used, attack.bit({.kind = did, .ship = ship, .id = what}, ""));
}

/// The token that a fact refers to; looks up `word` if the fact was not prepared with the edition.
int token_of(const AttackDraft& attack, const Fact& fact, std::string_view word) {
  return fact.token == Fact::kNotLookedUp ? attack.draft.token_index(word) : fact.token;
}

/// The resource of the token that a fact refers to, or -1. Throws if `word` is neither a token nor "lock".
int need_resource(const AttackDraft& attack, const Fact& fact, const std::string& word, int ship, const Owner& owner) {
  const int token = token_of(attack, fact, word);
  if (token >= 0) return attack.draft.token_resource(ship, token);
  if (word != "lock") throw ExpressionError(unknown_token(attack.draft.edition, word));
  return resource_of(attack, word, ship, owner);
}

/// Whether the ship was dealt a faceup damage card in this attack: any, or one with a trait.
void add_dealt(const AttackDraft& attack, std::string_view what, int ship, ExpressionBuilder& out) {
  if (what != "faceup" && checked_trait(attack, what) == 0) return out.add_constant(0);
  if (!attack.ship(ship).dealt_cards) return out.add_constant(0);
  add_noted(attack, UsedName::Kind::Dealt, what, ship, out);
}

/// Number of faceup damage cards of a ship.
game::Expression faceup_cards(const AttackDraft& attack, int ship) {
  const int index = attack.draft.find_resource(game::Resource::Kind::Faceup, ship, -1);
  if (index < 0 || !can_have_faceup_cards(attack.draft, ship, attack.number)) return constant(0);
  return {{Code::Resource, index}};
}

/// Primary weapon value of a ship: of its strongest weapon, 0 without any.
int primary_value(const ShipDraft& ship) {
  int most = 0;
  for (const load::WeaponSpec& weapon : ship.weapons) most = std::max(most, weapon.attack);
  return ship.attack.value_or(most);
}

}  // namespace

game::Expression damage_cards_of(const AttackDraft& attack, int ship) {
  const ShipDraft& draft = attack.ship(ship);
  if (draft.hull <= 0) return constant(0);
  const game::Expression hull = health_part(attack, ship, false);
  int left = 0;
  if (is_constant(hull, left)) return constant(draft.lost_hull + draft.hull - left);
  return combined(constant(draft.lost_hull + draft.hull), hull, Code::Subtract);
}

namespace {

/// What damage implies for facts about a ship with hull: "damaged", "two-damage", "unshielded", "crit-damaged".
/// Critical damage is known only from damage cards.
std::optional<game::Expression> known_damage(const AttackDraft& attack, std::string_view what, int ship) {
  if (attack.ship(ship).hull <= 0) return std::nullopt;
  if (what == "damaged") return at_least(damage_cards_of(attack, ship), 1);
  if (what == "two-damage") return at_least(damage_cards_of(attack, ship), 2);
  if (what == "crit-damaged" && has_damage_cards(attack.ship(ship))) return at_least(faceup_cards(attack, ship), 1);
  if (what != "unshielded") return std::nullopt;
  return negated(at_least(health_part(attack, ship, true), 1));
}

/// Whether ship `by` attacked ship `on` earlier in the round (`ever`: in any round); -1: any ship.
bool attacked_before(const AttackDraft& attack, int by, int on, bool ever = false) {
  const int round = own_round(attack);
  const auto is = [&](const std::string& name, int ship) { return ship < 0 || attack.ship(ship).name == name; };
  const auto earlier = std::span(attack.draft.attacks).first(attack.number);
  return std::any_of(earlier.begin(), earlier.end(), [&](const SequenceEntry& entry) {
    if (!ever && entry.given.round != round) return false;
    return !entry.engagement && is(entry.given.by, by) && is(entry.given.on, on);
  });
}

/// Whether an attack that is not a bonus attack follows in the round.
bool others_follow(const AttackDraft& attack) {
  const int round = own_round(attack);
  const auto later = std::span(attack.draft.attacks).subspan(attack.number + 1);
  return std::any_of(later.begin(), later.end(), [&](const SequenceEntry& entry) {
    const bool other = attack.entry.engagement || entry.path != attack.entry.path;
    return !entry.engagement && entry.given.round == round && other && !is_bonus_attack(attack.draft, entry.given);
  });
}

/// Compares the initiatives of both ships, if known.
std::optional<game::Expression> known_order(const AttackDraft& attack, bool lower) {
  const auto defender = known_initiative(attack, attack.plan.defender);
  const auto attacker = known_initiative(attack, attack.plan.attacker);
  if (!defender || !attacker) return std::nullopt;
  return constant(lower ? *defender < *attacker : *defender > *attacker);
}

/// Whether something earlier in the scenario can have damaged a ship, which then takes precedence over a stated fact.
bool may_be_damaged(const AttackDraft& attack, int ship) {
  const game::ShipPlan& plan = base::nth(attack.draft.out.plan.ships, ship);
  const bool by_effects = attack.number > 0 && plan.effect_damage && !(plan.attacked && attack.ship(ship).dealt_cards);
  return by_effects || attacked_before(attack, -1, ship, true);
}

}  // namespace

std::optional<game::Expression> known_fact(const AttackDraft& attack, std::string_view name) {
  if (!may_be_known(name)) return std::nullopt;
  const int attacker = attack.plan.attacker, defender = attack.plan.defender;
  if (name == "defender-initiative-lower" || name == "defender-initiative-higher")
    return known_order(attack, name.ends_with("lower"));
  if (name == "attacker-primary-3" && (attack.ship(attacker).attack || !attack.ship(attacker).weapons.empty()))
    return constant(primary_value(attack.ship(attacker)) >= 3);
  if (name == "attacks-follow" && others_follow(attack)) return constant(1);
  const bool earlier = (name == "attacked-defender-before" && attacked_before(attack, attacker, defender)) ||
                       (name == "attacker-was-attacked" && attacked_before(attack, -1, attacker)) ||
                       (name == "defender-was-attacked" && attacked_before(attack, -1, defender)) ||
                       (name == "defender-has-attacked" && attacked_before(attack, defender, -1));
  if (earlier) return constant(1);
  constexpr std::string_view kAttacker = "attacker-", kDefender = "defender-";
  static_assert(kAttacker.size() == kDefender.size());
  const bool of_attacker = name.starts_with(kAttacker);
  const int ship = of_attacker ? attacker : defender;
  if (!of_attacker && !name.starts_with(kDefender)) return std::nullopt;
  if (stated(attack, name) && !may_be_damaged(attack, ship)) return std::nullopt;
  return known_damage(attack, name.substr(kAttacker.size()), ship);
}

void add_locks(const AttackDraft& attack, const Owner& owner, bool enemies, ExpressionBuilder& out) {
  const bool side = *attack.ship(owner.ship).mine != enemies;
  bool any = false;
  for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
    if (*attack.draft.ships[s].mine != side || attack.draft.ships[s].carrier >= 0) continue;
    const int index = resource_of(attack, "lock", static_cast<int>(s), owner);
    if (index < 0) continue;
    if (!any) out.begin();
    out.push(Code::Resource, index);
    if (std::exchange(any, true)) out.push(Code::Add, 0);
  }
  if (!any) out.add_constant(0);
}

void add_allies(const AttackDraft& attack, std::string_view token, const Owner& owner, ExpressionBuilder& out) {
  const bool ships = token == "ships";
  const int kind = ships ? -1 : attack.draft.token_index(token);
  if (!ships && kind < 0) throw ExpressionError(fmt::format("unknown token '{}'", token));
  game::Expression all = constant(0);
  for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
    const ShipDraft& ship = attack.draft.ships[s];
    const auto index = static_cast<int>(s);
    if (index == owner.ship || ship.mine != attack.ship(owner.ship).mine || ship.carrier >= 0) continue;
    const int tokens = ships ? -1 : attack.draft.token_resource(index, kind);
    if (!ships && tokens < 0) continue;
    const game::Expression any =
        ships ? constant(1) : game::Expression{{Code::Resource, tokens}, {Code::Constant, 1}, {Code::Minimum, 0}};
    all = combined(std::move(all), both(any, in_play(attack, index)), Code::Add);
  }
  out.add(all);
}

void add_drawn(const AttackDraft& attack, std::string_view trait, ExpressionBuilder& out) {
  const int number = checked_trait(attack, trait);
  if (number == 0) return out.add_constant(0);
  out.add(Code::Trait, 0);
  out.push(Code::Constant, number);
  out.push(Code::Equal, 0);
}

void add_spent(const AttackDraft& attack, const Fact& fact, const std::string& token, int ship, const Owner& owner,
               ExpressionBuilder& out) {
  const int index = need_resource(attack, fact, token, ship, owner);
  // The lock is the price of the weapon. A focus token used as one was spent before (003: Section 3, R4 Agromech).
  const auto& price = attack.weapon.cost;
  const auto priced = [&](const load::CostSpec& cost) { return cost.token == token && !has_other_price(attack, cost); };
  const bool paid = token == "lock" && ship == attack.plan.attacker && !attack.entry.engagement &&
                    std::any_of(price.begin(), price.end(), priced);
  if (paid) return out.add_constant(index >= 0);
  add_noted(attack, UsedName::Kind::Spent, token, ship, out);
}

void add_gained(const AttackDraft& attack, const Fact& fact, const std::string& token, int ship, const Owner& owner,
                ExpressionBuilder& out) {
  const int index = need_resource(attack, fact, token, ship, owner);
  if (index < 0) return out.add_constant(0);
  const game::Resource& r = base::nth(attack.draft.out.plan.resources, index);
  // A stated token that prevents attacks is gained in this round, since it leaves in the End Phase (000: Disarmed).
  const bool own = r.kind == game::Resource::Kind::Token && owner.ship == ship;
  const load::TokenSpec* spec = own ? &base::nth(attack.draft.edition.tokens, r.token) : nullptr;
  if (own && spec->prevents_attack && spec->leaves && attack.entry.engagement == load::Window::EngagementStart &&
      tokens_in_round(attack.draft, attack.ship(ship), r.token, attack.given.round) > 0)
    return out.add_constant(1);
  const bool lock_again = r.kind == game::Resource::Kind::Lock && attack.ship(ship).gains_locks;  // it spends it first
  if (r.max <= r.initial && !lock_again) return out.add_constant(0);
  // Rules share one bit for all that a third ship gains: it keeps no jam token beside what that removes.
  const bool third = owner.card == nullptr && attack.plan.attacker != ship && attack.plan.defender != ship;
  add_noted(attack, UsedName::Kind::Gained, third ? UsedName::kAnyToken : token, ship, out);
}

namespace {

/// Whether the ship has enough of a token to be in the state it brings.
void add_state(const AttackDraft& attack, const Fact& fact, int index, const Owner& owner, ExpressionBuilder& out) {
  for (const load::TokenSpec& token : attack.draft.edition.tokens) {
    if (token.state != fact.rest) continue;
    const auto threshold = token.threshold.find(attack.ship(index).size);
    const int least = threshold == token.threshold.end() ? 1 : threshold->second;
    const int count = resource_of(attack, token.id, index, owner);
    if (count < 0) return out.add_constant(least <= 0);
    out.add_constant(least);
    out.push(Code::Resource, count);
    return out.push(Code::LessEqual, 0);
  }
  throw ExpressionError(fmt::format("unknown fact '{}'", fact.whole));
}

/// Whether the ship has the card, which may be an upgrade without a file. Pilots and upgrades share ids.
bool carries_card(const ShipDraft& ship, const std::string& id) {
  return base::contains(ship.given->upgrades, id) ||
         std::any_of(ship.cards.begin(), ship.cards.end(),
                     [&](const load::CardSpec* card) { return card->id == id && card->kind != "pilot"; });
}

/// Whether the ship is limited: by its pilot, or for a ship without one as any attack by or on it states.
bool is_limited(const AttackDraft& attack, int index, const Owner& owner) {
  const ShipDraft& ship = attack.ship(index);
  if (ship.pilot != nullptr) return ship.pilot->limited > 0;
  if (index == attack.plan.attacker) note_read(attack, "attacker-limited", owner);
  if (index == attack.plan.defender) note_read(attack, "defender-limited", owner);
  return stated_limited(attack, ship.name);
}

/// Inactive Force charges: capacity minus the active ones.
void add_inactive(const AttackDraft& attack, const Fact& fact, int ship, ExpressionBuilder& out) {
  const int token = token_of(attack, fact, fact.last);
  if (token < 0 || !base::nth(attack.draft.edition.tokens, token).charge)
    throw ExpressionError(fmt::format("'{}' has no charges that could be inactive", fact.last));
  const int index = attack.draft.token_resource(ship, token);
  const ShipDraft::Tokens& tokens = base::nth(attack.ship(ship).tokens, token);
  const int capacity = std::max(tokens.own, tokens.n);
  if (index < 0) return out.add_constant(std::max(0, capacity));
  out.add_constant(capacity);
  out.push(Code::Resource, index);
  out.push(Code::Subtract, 0);
}

}  // namespace

void add_ship_fact(const AttackDraft& attack, const Fact& fact, const Owner& owner, ExpressionBuilder& out) {
  using OfShip = Fact::OfShip;
  const Draft& draft = attack.draft;
  const int index = attack.ship_of(fact.who, owner);
  if (index < 0) throw ExpressionError(fmt::format("'{}' needs another ship", fact.whole));
  const ShipDraft& ship = attack.ship(index);
  const int token = fact.last.empty() ? token_of(attack, fact, fact.rest) : -1;
  if (token >= 0) return add_number(draft.token_resource(index, token), out);
  switch (fact.of_ship) {
    case OfShip::Lock:
      return add_number(resource_of(attack, fact.rest, index, owner), out);
    case OfShip::Size:
      return out.add_constant(text_value(ship.size));
    case OfShip::Ship:
      return out.add_constant(ship.ship == nullptr ? 0 : text_value(ship.ship->id));
    case OfShip::Pilot:
      return out.add_constant(ship.pilot == nullptr ? 0 : text_value(ship.pilot->id));
    case OfShip::LockOnAlly:
      return add_lock(attack, index, owner.ally, out);
    case OfShip::LockOnEnemy:
      return add_lock(attack, index, owner.enemy, out);
    case OfShip::LockOnSelf:
      return add_lock(attack, index, owner.ship, out);
    case OfShip::Inactive:
      return add_inactive(attack, fact, index, out);
    case OfShip::Has:
      return out.add_constant(carries_card(ship, fact.last));
    case OfShip::Limited:
      return out.add_constant(is_limited(attack, index, owner));
    case OfShip::Faction:
      return out.add_constant(ship.pilot == nullptr ? 0 : text_value(ship.pilot->faction));
    case OfShip::Agility:
      return out.add_constant(ship.agility);
    case OfShip::Attack:
      return out.add_constant(primary_value(ship));
    case OfShip::Shields:
    case OfShip::Hull:
      return out.add(health_part(attack, index, fact.of_ship == OfShip::Shields));
    case OfShip::Suffered:
      return add_suffered(attack, index, out);
    case OfShip::Due:
      return out.add(damage_due(attack, index));
    case OfShip::SufferedCrit:
      return add_noted(attack, UsedName::Kind::Lost, "crit", index, out);
    case OfShip::Spent:
      return add_spent(attack, fact, fact.last, index, owner, out);
    case OfShip::Gained:
      return add_gained(attack, fact, fact.last, index, owner, out);
    case OfShip::Destroyed:
      return out.add(destroyed(attack, index));
    case OfShip::Initiative:
      return out.add_constant(initiative_of(attack, index));
    case OfShip::Docked:
      return out.add_constant(ship.carrier >= 0);
    case OfShip::Carrier:
      return out.add_constant(ship.docked == owner.ship);
    case OfShip::Facedown:
      return out.add(facedown_cards(attack, index));
    case OfShip::Faceup:
      return out.add(faceup_cards(attack, index));
    case OfShip::LostShields:
      return out.add(lost_shields(attack, index));
    case OfShip::Damage:
      return out.add(damage_cards_of(attack, index));
    case OfShip::InAttack:
      return out.add_constant(index == attack.plan.attacker || index == attack.plan.defender);
    case OfShip::Modified:
      return add_noted(attack, UsedName::Kind::Modified, {}, index, out);
    case OfShip::Rerolled:
      return add_noted(attack, UsedName::Kind::Rerolled, {}, index, out);
    case OfShip::Dealt:
      return add_dealt(attack, fact.last, index, out);
    case OfShip::Other:
      return add_state(attack, fact, index, owner, out);
  }
}

game::Expression facedown_cards(const AttackDraft& attack, int ship) {
  game::Expression out;
  const auto& resources = attack.draft.out.plan.resources;
  for (std::size_t r = 0; r < resources.size(); ++r) {
    if (resources[r].kind != game::Resource::Kind::Facedown || resources[r].ship != ship) continue;
    out.push_back({Code::Resource, static_cast<int>(r)});
    if (out.size() > 1) out.push_back({Code::Add, 0});
  }
  return out.empty() ? constant(0) : out;
}

game::Expression not_gone(const Draft& draft, int ship) {
  const int health = base::nth(draft.out.plan.ships, ship).health;
  if (health < 0) return {};
  return {{Code::Resource, health}, {Code::Constant, game::kGone}, {Code::NotEqual, 0}};
}

game::Expression in_play(const AttackDraft& attack, int ship) {
  return ship == attack.plan.attacker || ship == attack.plan.defender ? game::Expression()
                                                                      : not_gone(attack.draft, ship);
}

game::Expression has_shields(const AttackDraft& attack, int ship, int n) {
  return at_least(health_part(attack, ship, true), n);
}

int own_round(const AttackDraft& attack) {
  const auto earlier = std::span(attack.draft.attacks).first(attack.number);
  if (attack.entry.engagement != load::Window::RoundEnd) return attack.given.round;
  const auto last = std::find_if(earlier.rbegin(), earlier.rend(), [](const auto& entry) { return !entry.engagement; });
  return last == earlier.rend() ? attack.given.round : last->given.round;
}

}  // namespace salvo::compile
