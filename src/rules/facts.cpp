// Facts: what the words of a condition mean in one attack: counts, tokens, states, board facts.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "rules/attack_draft.h"

namespace salvo::rules {
namespace {

constexpr int kMostCounted = 20;  // ships or obstacles that a fact counts

/// A fact as the scenario states it.
struct StatedFact {
  std::string name;
  int value = 0;          ///< 0 where it does not hold; -1: not a number
  bool numbered = false;  ///< stated with a number
};

StatedFact stated_fact(std::string_view text);

}  // namespace

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

int face_of(const DieSpec& die, std::string_view name) {
  for (std::size_t f = 0; f < die.faces.size(); ++f) {
    if (die.faces[f].name == name) return static_cast<int>(f);
  }
  return -1;
}

namespace {

Expression resource_value(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner) {
  const int index = resource_of(attack, token, ship, owner);
  if (index < 0) return constant(0);
  return {{ExpressionOp::Code::Resource, index}};
}

/// Hull that a ship has left, or shields: what its health resource says, 0 once it is gone.
Expression health_part(const AttackDraft& attack, int ship, bool shields) {
  using Code = ExpressionOp::Code;
  const ShipPlan& plan = attack.draft.out.plan.ships[static_cast<std::size_t>(ship)];
  if (plan.health < 0 || plan.counted_hull < plan.hull) return constant(shields ? plan.shields : plan.hull);
  const Expression health{{Code::Resource, plan.health}, {Code::Constant, kHealthZero}, {Code::Subtract, 0}};
  Expression out = health;
  out.push_back({Code::Constant, plan.hull});
  out.push_back({shields ? Code::Subtract : Code::Minimum, 0});
  out.push_back({Code::Constant, 0});
  out.push_back({Code::Maximum, 0});
  return out;
}

/// Locks of all ships of the owner's side on the other side's ship of the attack.
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

/// Damage that a ship suffered in this attack.
Expression suffered(const AttackDraft& attack, int ship) {
  for (std::size_t v = 0; v < kVictims; ++v) {
    if (attack.plan.victim(v) == ship) return {{ExpressionOp::Code::Suffered, static_cast<int>(v)}};
  }
  return constant(0);
}

/// Whether this attack destroyed a ship: it removed the last of its health.
Expression destroyed(const AttackDraft& attack, int ship) {
  using Code = ExpressionOp::Code;
  const int health = attack.draft.out.plan.ships[static_cast<std::size_t>(ship)].health;
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

/// The number that an effect treats a fact as, where one does.
std::optional<int> treated(const AttackDraft& attack, std::string_view fact) {
  const auto at = attack.treated.find(fact);
  return at == attack.treated.end() ? std::nullopt : std::optional(at->second);
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

/// Whether the ship was dealt a faceup damage card in this attack, or one with the trait.
Expression dealt(const AttackDraft& attack, std::string_view what, int ship) {
  if (what != "faceup" && trait_number(attack, what) == 0) return constant(0);
  if (!attack.ship(ship).dealt_cards) return constant(0);
  return {{ExpressionOp::Code::Used, attack.bit({ship, -1, fmt::format("dealt.{}", what)}, "")}};
}

/// Whether the damage card that is drawn and not yet dealt has the trait.
Expression drawn(const AttackDraft& attack, std::string_view trait) {
  const int number = trait_number(attack, trait);
  if (number == 0) return constant(0);
  using Code = ExpressionOp::Code;
  return {{Code::Trait, 0}, {Code::Constant, number}, {Code::Equal, 0}};
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

/// Whether a ship spent a token of a kind in this attack.
Expression spent(const AttackDraft& attack, std::string_view token, int ship) {
  if (token != "lock" && attack.draft.token_index(token) < 0)
    throw ExpressionError(fmt::format("unknown token '{}'", token));
  return {{ExpressionOp::Code::Used, attack.bit({ship, -1, fmt::format("spent.{}", token)}, "")}};
}

/// Whether a ship gained a token of a kind in this attack; never where no effect of the scenario can give it one.
Expression gained(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner) {
  if (token != "lock" && attack.draft.token_index(token) < 0)
    throw ExpressionError(fmt::format("unknown token '{}'", token));
  const int index = resource_of(attack, token, ship, owner);
  if (index < 0) return constant(0);
  const Resource& r = attack.draft.out.plan.resources[static_cast<std::size_t>(index)];
  if (r.max <= r.initial) return constant(0);
  return {{ExpressionOp::Code::Used, attack.bit({ship, -1, fmt::format("gained.{}", token)}, "")}};
}

/// "self.focus", "foe.tractored", "friend.size": facts of a ship.
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

/// Results of the dice that an effect rolled: attack dice, or defense dice where only these have the face.
Expression side_face(const AttackDraft& attack, std::string_view face) {
  const Edition& edition = attack.draft.edition;
  int index = face_of(edition.attack_die, face);
  if (index < 0) index = face_of(edition.defense_die, face);
  if (index < 0) throw ExpressionError(fmt::format("no die has a face '{}'", face));
  return {{ExpressionOp::Code::SideFace, index}};
}

Expression count_fact(const AttackDraft& attack, std::string_view name, const Owner& owner) {
  const std::size_t dot = name.find('.');
  const std::string_view pool = name.substr(0, dot);
  const std::string_view face = dot == std::string_view::npos ? "all" : name.substr(dot + 1);
  if (pool != "attack" && pool != "defense" && pool != "own" && pool != "roll")
    throw ExpressionError(fmt::format("unknown dice '{}'; known are attack, defense, own, roll", pool));
  const bool attack_dice = pool == "attack" || (pool == "own" && owner.attacks);
  if (pool == "roll") return side_face(attack, face);
  if (face == "all") return {{attack_dice ? ExpressionOp::Code::AttackDice : ExpressionOp::Code::DefenseDice, 0}};
  const DieSpec& die = attack_dice ? attack.draft.edition.attack_die : attack.draft.edition.defense_die;
  const int index = face_of(die, face);
  if (index < 0) throw ExpressionError(fmt::format("the {} die has no face '{}'", pool, face));
  return {{attack_dice ? ExpressionOp::Code::AttackFace : ExpressionOp::Code::DefenseFace, index}};
}

/// What the attack says about a fact, if anything.
std::optional<int> stated(const AttackDraft& attack, std::string_view name) {
  for (const std::string& text : attack.given.facts) {
    const StatedFact fact = stated_fact(text);
    if (fact.name == name) return fact.value;
  }
  return std::nullopt;
}

/// A board fact: as an effect treats it, as the scenario states it ("bullseye", "not bullseye",
/// "enemy-near-attacker = 2"), else the card's usual case, which is noted.
int board_fact(const AttackDraft& attack, std::string_view name, const Owner& owner) {
  if (!attack.draft.catalogue.facts().contains(std::string(name)))
    throw ExpressionError(fmt::format("unknown fact '{}'", name));
  if (const auto value = treated(attack, name)) return *value;
  attack.draft.facts_read[attack.listed.path].emplace(attack.listed.mirrored ? mirrored(name) : name);
  if (const auto value = stated(attack, name)) return *value;
  if (owner.card == nullptr) return 0;  // what a rule asks about is the exception
  const auto at = owner.card->facts.find(std::string(name));
  const bool usual = at != owner.card->facts.end() && at->second;
  auto& assumed = attack.draft.out.labels.assumed_facts;
  const std::string note = fmt::format("{}{} ({})", usual ? "" : "not ", name, owner.card->id);
  if (std::find(assumed.begin(), assumed.end(), note) == assumed.end()) assumed.push_back(note);
  return usual;
}

/// The number that was declared: v times "its option was used", over all values v.
Expression declared(const AttackDraft& attack, std::string_view id, const Owner& owner) {
  Expression out;
  const std::string prefix = fmt::format("{}=", id);
  if (owner.card != nullptr) {
    for (const EffectSpec& effect : owner.card->effects) {
      if (!effect.id.starts_with(prefix)) continue;
      const int bit = attack.bit({owner.ship, owner.card_number, effect.id}, effect.place);
      for (int i = std::stoi(effect.id.substr(prefix.size())); i > 0; --i) {
        out.push_back({ExpressionOp::Code::Used, bit});
        if (out.size() > 1) out.push_back({ExpressionOp::Code::Add, 0});
      }
    }
  }
  if (out.empty()) throw ExpressionError(fmt::format("no effect '{}' of this card declares a number", id));
  return out;
}

/// Whether an effect of the same card was used in this attack.
Expression used_before(const AttackDraft& attack, std::string_view id, const Owner& owner) {
  const auto& effects = owner.card == nullptr ? attack.draft.edition.effects : owner.card->effects;
  const auto known = std::find_if(effects.begin(), effects.end(), [&](const EffectSpec& e) { return e.id == id; });
  if (known == effects.end()) {
    std::set<std::string> ids;
    for (const EffectSpec& effect : effects) ids.insert(effect.id);
    throw ExpressionError(
        fmt::format("no effect of this card has the id '{}'; its effects are {}", id, fmt::join(ids, ", ")));
  }
  return {{ExpressionOp::Code::Used, attack.bit({owner.ship, owner.card_number, std::string(id)}, known->place)}};
}

/// Facts with a dot: of a ship, of an effect, of a token.
std::optional<Expression> dotted_fact(const AttackDraft& attack, std::string_view name, const Owner& owner) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view whose = name.substr(0, dot);
  const std::string_view fact = name.substr(dot + 1);
  for (const std::string_view who : {"self", "foe", "friend", "ally"}) {
    if (whose == who) return ship_fact(attack, fact, attack.ship_of(who, owner), name, owner);
  }
  if (whose == "used") return used_before(attack, fact, owner);
  if (whose == "spent") return spent(attack, fact, owner.ship);
  if (whose == "gained") return gained(attack, fact, owner.ship, owner);
  if (whose == "declared") return declared(attack, fact, owner);
  if (whose == "drawn") return drawn(attack, fact);
  if (name == "friends.lock") return friendly_locks(attack, owner);
  if (name == "card.charge" || name == "weapon.charge") {
    const int index = resource_of(attack, "charge", owner.ship, owner, whose);
    return index < 0 ? constant(0) : Expression{{ExpressionOp::Code::Resource, index}};
  }
  return std::nullopt;
}

/// Whether the attack hit; after the second of two attacks, whether one of them did (003: Gunner).
Expression hit_fact(const AttackDraft& attack, Window at) {
  using Code = ExpressionOp::Code;
  if (attack.listed.twice != ListedAttack::Twice::Second || at != Window::Aftermath) return {{Code::Hit, 0}};
  const int flag =
      attack.draft.find_resource(Resource::Kind::Flag, attack.plan.attacker, kSecond + static_cast<int>(attack.number));
  return {{Code::Hit, 0}, {Code::Resource, flag}, {Code::Or, 0}};
}

Expression resolve_fact(const AttackDraft& attack, std::string_view name, bool counted, const Owner& owner, Window at) {
  if (counted) return count_fact(attack, name, owner);
  if (auto dotted = dotted_fact(attack, name, owner)) return *dotted;
  if (name == "copies" && owner.card_number >= kDeckCard) return copies_of(attack, owner);
  if (name == "damage-deck") return constant(attack.draft.deck != nullptr);
  if (name == "weapon.attack") return constant(attack.weapon.attack);
  if (name == "range") return constant(treated(attack, name).value_or(attack.given.range));
  if (name == "obstructed") return constant(treated(attack, name).value_or(attack.given.obstructed));
  if (name == "reinforced") return constant(attack.given.reinforced);
  if (name == "ordnance") return constant(attack.weapon.ordnance);
  if (name == "primary") return constant(attack.primary);
  if (name == "weapon") return constant(text_value(attack.given.weapon));
  if (name == "arc") return constant(text_value(attack.weapon.arc));
  if (name == "remaining") return {{ExpressionOp::Code::Remaining, 0}};
  if (name == "rolling") return {{ExpressionOp::Code::Rolling, 0}};
  if (name == "attacking") return constant(owner.attacks);
  if (name == "hit") return hit_fact(attack, at);
  if (name == "special") return constant(!attack.primary);
  if (name == "granted-by") return constant(text_value(attack.given.bonus));
  if (name == "bonus-attack" && (!attack.given.bonus.empty() || stated(attack, name).value_or(0) == 0))
    return constant(!attack.given.bonus.empty());
  return constant(board_fact(attack, name, owner));
}

}  // namespace

Expression copies_of(const AttackDraft& attack, const Owner& owner) {
  const int index = attack.draft.find_resource(Resource::Kind::Card, owner.ship, owner.card_number - kDeckCard);
  if (index < 0 || !may_have_cards(attack.draft, owner.ship, attack.number)) return constant(0);
  return {{ExpressionOp::Code::Resource, index}};
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

Expression has_card(const AttackDraft& attack, const Owner& owner) {
  if (owner.card_number < kDeckCard) return {};
  Expression out = copies_of(attack, owner);
  int value = 0;
  if (is_constant(out, value)) return constant(value >= 1);
  out.insert(out.begin(), {ExpressionOp::Code::Constant, 1});
  out.push_back({ExpressionOp::Code::LessEqual, 0});
  return out;
}

Expression in_play(const AttackDraft& attack, int ship) {
  return ship == attack.plan.attacker || ship == attack.plan.defender ? Expression() : not_gone(attack, ship);
}

Expression not_gone(const AttackDraft& attack, int ship) {
  const int health = attack.draft.out.plan.ships[static_cast<std::size_t>(ship)].health;
  if (health < 0) return {};
  using Code = ExpressionOp::Code;
  return {{Code::Resource, health}, {Code::Constant, kGone}, {Code::NotEqual, 0}};
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

Expression compile_expression(const AttackDraft& attack, const EffectSpec& spec, const std::string& text,
                              const Owner& owner) {
  if (text.empty()) return {};
  try {
    return parse_expression(
        text, [&](std::string_view name, bool counted) { return resolve_fact(attack, name, counted, owner, spec.at); });
  } catch (const ExpressionError& error) {
    throw LoadError(fmt::format("{}: {}", spec.place, error.what()));
  }
}

int AttackDraft::ship_of(std::string_view who, const Owner& owner) const {
  if (who == "self") return owner.ship;
  if (who == "ally") return owner.ally;
  return ship_of_role((who == "friend") == owner.attacks);
}

int AttackDraft::new_bit(const std::string& place) const {
  if (next_bit > 31)
    throw LoadError(
        fmt::format("{}: more than 32 effects of one attack are limited to once or asked about; leave out cards of the "
                    "scenario, or make fewer effects optional, limited or read by used, spent and gained",
                    place));
  return next_bit++;
}

int AttackDraft::bit(const UsedName& name, const std::string& place) const {
  const auto known = bits.find(name);
  return known != bits.end() ? known->second : bits.emplace(name, new_bit(place)).first->second;
}

namespace {

StatedFact stated_fact(std::string_view text) {
  if (text.starts_with("not ")) return {std::string(text.substr(4)), 0, false};
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(text), 1, false};
  const std::string_view name = text.substr(0, equals);
  const std::string_view number = text.substr(std::min(text.find_first_not_of(' ', equals + 1), text.size()));
  int value = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  return {std::string(name.substr(0, name.find_last_not_of(' ') + 1)), whole ? value : -1, true};
}

}  // namespace

void check_facts(const AttackDraft& attack) {
  const auto& known = attack.draft.catalogue.facts();
  const auto& counted = attack.draft.catalogue.counted_facts();
  for (std::size_t i = 0; i < attack.given.facts.size(); ++i) {
    const StatedFact fact = stated_fact(attack.given.facts[i]);
    const std::string path = fmt::format("{}.facts[{}]", attack.path, i);
    if (!known.contains(fact.name)) {
      std::vector<std::string> names;
      for (const auto& [name, meaning] : known) names.push_back(name);
      throw ScenarioError(path, unknown("fact", fact.name, names));
    }
    if (!fact.numbered) continue;
    if (!counted.contains(fact.name))
      throw ScenarioError(path, fmt::format("the fact '{}' holds or not; write it without a number", fact.name));
    if (fact.value < 0 || fact.value > kMostCounted)
      throw ScenarioError(path, fmt::format("'{}' needs a number from 0 to {}; write \"{} = 2\"", attack.given.facts[i],
                                            kMostCounted, fact.name));
  }
}

void note_facts(Draft& draft) {
  for (std::size_t i = 0; i < draft.scenario.attacks.size(); ++i) {
    const std::string path = fmt::format("attacks[{}]", i);
    for (const std::string& given : draft.scenario.attacks[i].facts) {
      const std::string fact = stated_fact(given).name;
      if (!draft.facts_read[path].contains(fact))
        draft.out.labels.notes.push_back(fmt::format("{}: nothing reads the fact '{}'", path, fact));
    }
  }
}

}  // namespace salvo::rules
