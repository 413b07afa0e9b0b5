// Facts: what the words of a condition mean in one attack: counts, tokens, states, board facts.
#include "rules/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace salvo::rules {

int face_of(const DieSpec& die, std::string_view name) {
  for (std::size_t f = 0; f < die.faces.size(); ++f) {
    if (die.faces[f].name == name) return static_cast<int>(f);
  }
  return -1;
}

namespace {

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
      const int bit = attack.bit(owner.named(effect.id), effect.place);
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
  return {{ExpressionOp::Code::Used, attack.bit(owner.named(std::string(id)), known->place)}};
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
  if (attack.listed.twice != ListedAttack::Twice::Second || at != Window::Aftermath) return {{Code::Hit, 0}};
  const int flag =
      attack.draft.find_resource(Resource::Kind::FirstOfTwo, attack.plan.attacker, static_cast<int>(attack.number));
  return {{Code::Hit, 0}, {Code::Resource, flag}, {Code::Or, 0}};
}

Expression resolve_fact(const AttackDraft& attack, std::string_view name, bool counted, const Owner& owner, Window at) {
  if (counted) return count_fact(attack, name, owner);
  if (auto dotted = dotted_fact(attack, name, owner)) return *dotted;
  if (name == "copies" && owner.deck_card >= 0) return copies_of(attack, owner);
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
  const int index = attack.draft.find_resource(Resource::Kind::Card, owner.ship, owner.deck_card);
  if (index < 0 || !may_have_cards(attack.draft, owner.ship, attack.number)) return constant(0);
  return {{ExpressionOp::Code::Resource, index}};
}

Expression has_card(const AttackDraft& attack, const Owner& owner) {
  if (owner.deck_card < 0) return {};
  Expression out = copies_of(attack, owner);
  int value = 0;
  if (is_constant(out, value)) return constant(value >= 1);
  out.insert(out.begin(), {ExpressionOp::Code::Constant, 1});
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
    const std::string what = error.what();
    const bool shown = what.find(text) != std::string::npos;
    throw LoadError(shown ? fmt::format("{}: {}", spec.place, what)
                          : fmt::format("{}: in '{}': {}", spec.place, text::printable(text), what));
  }
}

int AttackDraft::ship_of(std::string_view who, const Owner& owner) const {
  if (who == "self") return owner.ship;
  if (who == "ally") return owner.ally;
  return ship_of_role((who == "friend") == owner.attacks);
}

int AttackDraft::new_bit(const std::string& place) const {
  if (next_bit > 31)
    throw ScenarioError(
        path,
        fmt::format("more than 32 effects of this attack are limited to once or asked about (the last: {}); leave "
                    "out cards of the ships, or make fewer effects optional, limited or read by used, spent and "
                    "gained",
                    place));
  return next_bit++;
}

int AttackDraft::bit(const UsedName& name, const std::string& place) const {
  const auto known = bits.find(name);
  return known != bits.end() ? known->second : bits.emplace(name, new_bit(place)).first->second;
}

}  // namespace salvo::rules
