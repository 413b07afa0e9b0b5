#include "compile/prepared.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "base/index.h"
#include "compile/facts.h"

namespace salvo::compile {
namespace {

using FactKind = Fact::Kind;
using ShipFact = Fact::OfShip;

constexpr std::array<std::pair<std::string_view, FactKind>, 21> kFacts{{{"damage-deck", FactKind::DamageDeck},
                                                                        {"weapon.attack", FactKind::WeaponAttack},
                                                                        {"range", FactKind::Range},
                                                                        {"obstructed", FactKind::Obstructed},
                                                                        {"reinforced", FactKind::Reinforced},
                                                                        {"ordnance", FactKind::Ordnance},
                                                                        {"primary", FactKind::Primary},
                                                                        {"weapon", FactKind::Weapon},
                                                                        {"arc", FactKind::Arc},
                                                                        {"remaining", FactKind::Remaining},
                                                                        {"rolling", FactKind::Rolling},
                                                                        {"attacking", FactKind::Attacking},
                                                                        {"hit", FactKind::Hit},
                                                                        {"special", FactKind::Special},
                                                                        {"copies", FactKind::Copies},
                                                                        {"granted-by", FactKind::GrantedBy},
                                                                        {"bonus-attack", FactKind::BonusAttack},
                                                                        {"friends.lock", FactKind::FriendsLock},
                                                                        {"foes.lock", FactKind::FoesLock},
                                                                        {"card.charge", FactKind::CardCharge},
                                                                        {"weapon.charge", FactKind::WeaponCharge}}};
/// Words before a dot.
constexpr std::array<std::pair<std::string_view, FactKind>, 9> kDotted{{{"used", FactKind::Used},
                                                                        {"done", FactKind::Done},
                                                                        {"chosen", FactKind::Chosen},
                                                                        {"allies", FactKind::Allies},
                                                                        {"spent", FactKind::Spent},
                                                                        {"gained", FactKind::Gained},
                                                                        {"declared", FactKind::Declared},
                                                                        {"stated", FactKind::Stated},
                                                                        {"drawn", FactKind::Drawn}}};
constexpr std::array<std::pair<std::string_view, Who>, 5> kShips{
    {{"self", Who::Self}, {"foe", Who::Foe}, {"friend", Who::Friend}, {"ally", Who::Ally}, {"enemy", Who::Enemy}}};
constexpr std::array<std::pair<std::string_view, ShipFact>, 27> kOfShip{{{"lock", ShipFact::Lock},
                                                                         {"modified", ShipFact::Modified},
                                                                         {"lost.shields", ShipFact::LostShields},
                                                                         {"damage", ShipFact::Damage},
                                                                         {"in-attack", ShipFact::InAttack},
                                                                         {"size", ShipFact::Size},
                                                                         {"ship", ShipFact::Ship},
                                                                         {"pilot", ShipFact::Pilot},
                                                                         {"lock-on-ally", ShipFact::LockOnAlly},
                                                                         {"lock-on-enemy", ShipFact::LockOnEnemy},
                                                                         {"lock-on-self", ShipFact::LockOnSelf},
                                                                         {"rerolled", ShipFact::Rerolled},
                                                                         {"limited", ShipFact::Limited},
                                                                         {"faction", ShipFact::Faction},
                                                                         {"agility", ShipFact::Agility},
                                                                         {"attack", ShipFact::Attack},
                                                                         {"shields", ShipFact::Shields},
                                                                         {"hull", ShipFact::Hull},
                                                                         {"suffered", ShipFact::Suffered},
                                                                         {"due", ShipFact::Due},
                                                                         {"suffered.crit", ShipFact::SufferedCrit},
                                                                         {"destroyed", ShipFact::Destroyed},
                                                                         {"initiative", ShipFact::Initiative},
                                                                         {"docked", ShipFact::Docked},
                                                                         {"carrier", ShipFact::Carrier},
                                                                         {"facedown", ShipFact::Facedown},
                                                                         {"faceup", ShipFact::Faceup}}};
/// Words of a ship that are followed by a second dot.
constexpr std::array<std::pair<std::string_view, ShipFact>, 5> kDid{{{"spent.", ShipFact::Spent},
                                                                     {"gained.", ShipFact::Gained},
                                                                     {"dealt.", ShipFact::Dealt},
                                                                     {"inactive.", ShipFact::Inactive},
                                                                     {"has.", ShipFact::Has}}};

template <typename Table>
auto find(const Table& table, std::string_view name) {
  return std::find_if(table.begin(), table.end(), [name](const auto& entry) { return entry.first == name; });
}

void recognize_of_ship(Fact& fact) {
  if (const auto at = find(kOfShip, fact.rest); at != kOfShip.end()) fact.of_ship = at->second;
  for (const auto& [did, of_ship] : kDid) {
    if (!std::string_view(fact.rest).starts_with(did)) continue;
    fact.of_ship = of_ship;
    fact.last = fact.rest.substr(did.size());
  }
}

Fact recognize(const TextName& name) {
  Fact out;
  out.whole = name.name;
  const std::size_t dot = name.name.find('.');
  const std::string_view first = std::string_view(name.name).substr(0, dot);
  if (dot != std::string::npos) out.rest = name.name.substr(dot + 1);
  if (name.counted) {
    out.kind = FactKind::Count;
    return out;
  }
  if (dot != std::string::npos) {
    if (const auto ship = find(kShips, first); ship != kShips.end()) {
      out.kind = FactKind::Ship;
      out.who = ship->second;
      recognize_of_ship(out);
      return out;
    }
    if (const auto dotted = find(kDotted, first); dotted != kDotted.end()) {
      out.kind = dotted->second;
      return out;
    }
  }
  if (const auto known = find(kFacts, name.name); known != kFacts.end()) out.kind = known->second;
  return out;
}

PreparedText prepare(const std::string& text) {
  PreparedText out{.text = read_expression(text), .facts = {}};
  for (const TextName& name : out.text.names) out.facts.push_back(recognize(name));
  return out;
}

std::vector<PreparedText> prepare_amounts(const std::vector<load::OperationSpec>& operations) {
  std::vector<PreparedText> out;
  for (const load::OperationSpec& operation : operations) out.push_back(prepare(operation.amount));
  return out;
}

/// Whether an operation of the effect or of its offers satisfies the predicate.
template <typename Is>
bool any_operation(const load::EffectSpec& spec, const Is& is) {
  return std::any_of(spec.operations.begin(), spec.operations.end(), is) ||
         std::any_of(spec.offers.begin(), spec.offers.end(), [&](const auto& offer) {
           return std::any_of(offer.operations.begin(), offer.operations.end(), is);
         });
}

/// Whether a price of the effect or of its offers satisfies the predicate.
template <typename Is>
bool any_cost(const load::EffectSpec& spec, const Is& is) {
  return std::any_of(spec.cost.begin(), spec.cost.end(), is) ||
         std::any_of(spec.offers.begin(), spec.offers.end(),
                     [&](const auto& offer) { return std::any_of(offer.cost.begin(), offer.cost.end(), is); });
}

/// Whether a text of the effect contains the word.
bool mentions(const load::EffectSpec& spec, std::string_view word) {
  const auto has = [&](const std::string& text) { return text.find(word) != std::string::npos; };
  return has(spec.when) || has(spec.times) || any_operation(spec, [&](const auto& o) { return has(o.amount); }) ||
         std::any_of(spec.offers.begin(), spec.offers.end(), [&](const auto& offer) { return has(offer.when); });
}

/// Whether texts, prices or operations of an effect refer to an "ally" or "enemy".
bool refers_to(const load::EffectSpec& spec, const std::string& who) {
  return mentions(spec, who + ".") || (spec.each && spec.each->who == who) ||
         any_cost(spec, [&](const auto& cost) { return cost.who == who; }) ||
         any_operation(spec, [&](const auto& operation) { return operation.who == who || operation.on == who; });
}

/// Whether an effect spends, gives or takes charges of a card other than its own or the weapon.
bool has_other_charges(const load::EffectSpec& spec) {
  const auto other = [](const auto& part) {
    return part.token == "charge" && part.of != "card" && part.of != "weapon";
  };
  return any_cost(spec, other) || any_operation(spec, other);
}

/// Whether the text asks for tokens that a ship gained.
bool follows_gain(const PreparedText& text) {
  return std::any_of(text.facts.begin(), text.facts.end(), [](const Fact& fact) {
    return fact.kind == FactKind::Gained || (fact.kind == FactKind::Ship && fact.of_ship == ShipFact::Gained);
  });
}

/// Whether a text of the effect asks for the use of the effect with that id.
bool asks_for_use(const PreparedEffect& effect, std::string_view id) {
  bool out = false;
  each_text(effect, [&](const PreparedText& text) {
    for (const Fact& fact : text.facts) out = out || (fact.kind == FactKind::Used && fact.rest == id);
  });
  return out;
}

/// Whether the condition asks that a ship was destroyed, and not only that one was not.
bool follows_destruction(const PreparedText& when) {
  using Op = ExpressionText::Op;
  const std::vector<Op>& ops = when.text.ops;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].kind != Op::Kind::Name) continue;
    const Fact& fact = base::nth(when.facts, ops[i].value);
    const bool negated = i + 1 < ops.size() && ops[i + 1].kind == Op::Kind::Not;
    if (fact.kind == FactKind::Ship && fact.of_ship == ShipFact::Destroyed && !negated) return true;
  }
  return false;
}

PreparedEffect prepare(const load::EffectSpec& spec) {
  PreparedEffect out;
  out.spec = &spec;
  out.when = prepare(spec.when);
  out.times = prepare(spec.times);
  out.amounts = prepare_amounts(spec.operations);
  for (const load::OfferSpec& offer : spec.offers)
    out.offers.push_back({.when = prepare(offer.when), .amounts = prepare_amounts(offer.operations)});
  out.on_attack = spec.side != "defender";
  out.on_defense = spec.side != "attacker";
  out.for_self = spec.whose != "ally";
  out.for_friends = spec.whose != "self";
  out.ally = refers_to(spec, "ally");
  out.enemy = refers_to(spec, "enemy");
  out.works_docked = spec.when.find(".carrier") != std::string::npos;
  out.reacts = follows_gain(out.when) || (spec.each && spec.each->gained) || follows_destruction(out.when);
  out.anywhere =
      out.on_attack && out.on_defense &&
      (spec.at == load::Window::CardDue || spec.at == load::Window::CardSeen || spec.at == load::Window::Suffered ||
       spec.at == load::Window::DamageDue || has_verb(spec, load::Verb::Pick));
  out.repairs = has_verb(spec, load::Verb::Repair);
  out.other_charges = has_other_charges(spec);
  return out;
}

void prepare(const std::vector<load::EffectSpec>& effects, PreparedEffects& out) {
  out.all.reserve(effects.size());  // so that pointers to the elements stay valid
  for (const load::EffectSpec& spec : effects) {
    const PreparedEffect& effect = out.all.emplace_back(prepare(spec));
    const bool always = spec.at == load::Window::Always;
    if (always && has_verb(spec, load::Verb::Treat)) out.overrides.push_back(&effect);
    if (always || has_verb(spec, load::Verb::Neutralize)) out.passive.push_back(&effect);
    if (!always) out.windowed.push_back(&effect);
    if (effect.reacts && spec.at == load::Window::AttackEnd) out.after_events.push_back(&effect);
  }
}

/// An effect of a card that asks for the use of one that reacts does so, too.
void follow_reactions(std::vector<PreparedEffect>& effects) {
  for (const PreparedEffect& first : effects) {
    if (!first.reacts) continue;
    for (PreparedEffect& effect : effects) effect.reacts = effect.reacts || asks_for_use(effect, first.spec->id);
  }
}

bool reads_health(const load::EffectSpec& spec) {
  static constexpr std::array kWords{".shields", ".hull",       ".destroyed", ".damage",
                                     "-damaged", "-unshielded", "-two-damage"};
  return std::any_of(kWords.begin(), kWords.end(), [&](const char* word) { return mentions(spec, word); });
}

std::unique_ptr<const PreparedCard> prepare(const load::CardSpec& card) {
  static std::atomic<std::uint64_t> numbers = 0;
  auto out = std::make_unique<PreparedCard>();
  out->number = ++numbers;
  prepare(card.effects, out->effects);
  follow_reactions(out->effects.all);
  const auto any = [&](const auto& is) { return std::any_of(card.effects.begin(), card.effects.end(), is); };
  const auto operates = [&](const auto& is) {
    return any([&](const load::EffectSpec& effect) { return any_operation(effect, is); });
  };
  out->stats = any([](const auto& effect) { return has_verb(effect, load::Verb::Stat); });
  out->gains = operates([](const auto& o) { return o.verb == load::Verb::Gain && o.token != "condition"; });
  out->repeats = any([](const auto& effect) { return effect.repeats || effect.each; });
  out->per_round = any([](const auto& effect) { return effect.once_per_round; });
  out->other_charges = any(has_other_charges);
  out->costs_shield = any([](const auto& effect) {
    return std::any_of(effect.cost.begin(), effect.cost.end(), [](const auto& cost) { return cost.token == "shield"; });
  });
  out->loses_shield = operates([](const auto& o) { return o.verb == load::Verb::Lose && o.token == "shield"; });
  out->past_shields = operates([](const auto& o) { return o.past_shields; });
  out->parts_health =
      out->past_shields || operates([](const auto& o) { return o.verb == load::Verb::Gain && o.token == "shield"; });
  out->reads_health = any(reads_health);
  out->reads_faceup =
      any([](const auto& effect) { return mentions(effect, ".faceup") || mentions(effect, "-crit-damaged"); });
  out->reads_facedown = any([](const auto& effect) { return mentions(effect, ".facedown"); });
  out->counts_without_deck = any([](const auto& effect) { return mentions(effect, "not damage-deck"); });
  return out;
}

game::Die prepare(const load::DieSpec& spec) {
  game::Die die;
  die.faces = static_cast<int>(spec.faces.size());
  for (std::size_t f = 0; f < spec.faces.size(); ++f) {
    const int index = static_cast<int>(f);
    die.sides_of_face[f] = spec.faces[f].sides;
    die.sides += spec.faces[f].sides;
    const std::string& name = spec.faces[f].name;
    if (name == "hit") die.hit = index;
    if (name == "crit") die.crit = index;
    if (name == "focus") die.focus = index;
    if (name == "evade") die.evade = index;
    if (name == "blank") die.blank = index;
  }
  return die;
}

/// Equal words have equal keys; different words rarely do.
std::uint32_t key_of(std::string_view word) {
  if (word.empty()) return 0;
  const auto byte = [](char c) { return static_cast<std::uint32_t>(static_cast<unsigned char>(c)); };
  return static_cast<std::uint32_t>(word.size()) << 16 ^ byte(word.front()) << 8 ^ byte(word.back());
}

int token_index(const load::Edition& edition, const std::vector<std::uint32_t>& keys, std::string_view id) {
  const std::uint32_t key = key_of(id);
  for (std::size_t t = 0; t < keys.size(); ++t) {
    if (keys[t] == key && edition.tokens[t].id == id) return static_cast<int>(t);
  }
  return -1;
}

/// The token that every ship in the state has; -1 if there is none.
int token_of_state(const load::Edition& edition, const std::string& state) {
  for (std::size_t t = 0; t < edition.tokens.size(); ++t) {
    const load::TokenSpec& token = edition.tokens[t];
    if (token.state != state) continue;
    const bool some = std::all_of(token.threshold.begin(), token.threshold.end(),
                                  [](const auto& threshold) { return threshold.second > 0; });
    return some ? static_cast<int>(t) : -1;
  }
  return -1;
}

/// The token of the owner's ship without which a fact is 0; -1 if there is none.
int required_token(const load::Edition& edition, const Fact& fact) {
  if (fact.kind != FactKind::Ship || fact.who != Who::Self || !fact.last.empty()) return -1;
  return fact.token >= 0 || fact.of_ship != ShipFact::Other ? fact.token : token_of_state(edition, fact.rest);
}

bool counts_locks(const Fact& fact) {
  if (fact.kind != FactKind::Ship) return false;
  return fact.of_ship == ShipFact::Lock || fact.of_ship == ShipFact::LockOnAlly ||
         fact.of_ship == ShipFact::LockOnEnemy || fact.of_ship == ShipFact::LockOnSelf;
}

/// Whether resolving the fact has no side effect (a note, a bit, an error), provided that no token is gained and the
/// attack states no board fact.
bool has_no_side_effect(const load::Edition& edition, const Fact& fact) {
  switch (fact.kind) {
    case FactKind::Ship:
      return fact.of_ship == ShipFact::Size || required_token(edition, fact) >= 0 ||
             (fact.who != Who::Ally && fact.who != Who::Enemy &&
              (counts_locks(fact) || (fact.token >= 0 && fact.last.empty())));
    case FactKind::Gained:
      return fact.token >= 0 || fact.rest == "lock";
    case FactKind::Range:
    case FactKind::Obstructed:
    case FactKind::Reinforced:
    case FactKind::Ordnance:
    case FactKind::Primary:
    case FactKind::Remaining:
    case FactKind::Rolling:
    case FactKind::Attacking:
    case FactKind::Board:
      return true;
    default:
      return false;
  }
}

/// What a fact needs to be other than 0; 0 if that is not known.
std::uint64_t needed_by(const load::Edition& edition, const Fact& fact) {
  if (fact.kind == FactKind::Obstructed) return need::kObstructed;
  if (fact.kind == FactKind::Board) return may_be_known(fact.whole) ? 0 : need::kStated;
  const int token = required_token(edition, fact);
  return token < 0 ? 0 : need::token(static_cast<std::size_t>(token));
}

/// Whether a text evaluates to 0 or less for every ship and attack if some of its facts have known values.
/// `value_of(fact)`: a value, or nothing.
template <typename ValueOf>
bool is_zero(const PreparedText& text, const ValueOf& value_of) {
  if (text.empty()) return false;
  ExpressionBuilder out;
  resolve_expression(text.text, out, [&](std::size_t name, ExpressionBuilder& builder) {
    const std::optional<int> value = value_of(text.facts[name]);
    value ? builder.add_constant(*value) : builder.add(Code::Remaining, 0);  // any non-constant value
  });
  int value = 1;
  return out.is_constant(value) && value <= 0;
}

/// Whether a text evaluates to 0 or less for every ship and attack without any of these things.
bool is_zero_without(const load::Edition& edition, const PreparedText& text, std::uint64_t gone) {
  return is_zero(text, [&](const Fact& fact) {
    return (needed_by(edition, fact) & gone) != 0 ? std::optional<int>(0) : std::nullopt;
  });
}

/// Adds sets of things. Without any thing of one set, the text is 0.
void find_needs(const load::Edition& edition, const PreparedText& text, std::vector<std::uint64_t>& out) {
  std::uint64_t all = 0, ranges = 0;
  for (const Fact& fact : text.facts) all |= needed_by(edition, fact);
  if (is_zero_without(edition, text, all)) out.push_back(all);
  for (std::uint64_t one = 1; one <= need::kStated; one <<= 1) {
    if ((one & all) != 0 && one != all && is_zero_without(edition, text, one)) out.push_back(one);
  }
  const bool reads_range =
      std::any_of(text.facts.begin(), text.facts.end(), [](const Fact& fact) { return fact.kind == FactKind::Range; });
  if (!reads_range) return;
  for (std::size_t n = 0; n < need::kRanges; ++n) {
    if (may_hold_at(text, static_cast<int>(n))) ranges |= need::range(n);
  }
  if (ranges != need::kAnyRange) out.push_back(ranges);
}

/// The tokens that a ship pays for the effect.
void find_prices(const load::Edition& edition, const load::EffectSpec& spec, std::vector<std::uint64_t>& out) {
  for (std::size_t t = 0; t < edition.tokens.size() && t < need::kTokens; ++t) {
    const std::string& id = edition.tokens[t].id;
    if (std::any_of(spec.cost.begin(), spec.cost.end(), [&](const load::CostSpec& cost) {
          return cost.who == "self" && cost.token == id && id != "shield" && id != "charge" && id != "lock";
        }))
      out.push_back(need::token(t));
  }
}

void find_needs(const load::Edition& edition, PreparedEffect& effect) {
  const load::EffectSpec& spec = *effect.spec;
  if (spec.at == load::Window::Dealt || spec.at == load::Window::CritSuffered || spec.at == load::Window::Opportunity)
    return;
  bool stated = false, locks = false;
  for (const PreparedText* text : {&effect.when, &effect.times}) {
    const bool short_enough = text->text.ops.size() <= game::kExpressionStack && text->text.mistake.empty();
    if (!short_enough || !std::all_of(text->facts.begin(), text->facts.end(),
                                      [&](const Fact& fact) { return has_no_side_effect(edition, fact); }))
      return;
  }
  for (const PreparedText* text : {&effect.when, &effect.times}) {
    for (const Fact& fact : text->facts) {
      stated = stated || fact.kind == FactKind::Board;
      if (fact.kind == FactKind::Gained) effect.gained.push_back(fact.token >= 0 ? fact.token : PreparedEffect::kLock);
      locks = locks || counts_locks(fact);
    }
  }
  effect.reads_gained_only = !effect.gained.empty() && !locks;
  find_needs(edition, effect.when, effect.needs);
  if (spec.at != load::Window::Always) {
    find_needs(edition, effect.times, effect.needs);
    find_prices(edition, spec, effect.needs);
  }
  for (std::uint64_t& set : effect.needs) set |= stated ? need::kStated : 0;  // facts that are read are noted
}

std::vector<std::string> face_names(const load::DieSpec& die) {
  std::vector<std::string> out;
  for (const load::FaceSpec& face : die.faces) out.push_back(face.name);
  return out;
}

std::unique_ptr<const PreparedEdition> prepare(const load::Edition& edition) {
  auto out = std::make_unique<PreparedEdition>();
  prepare(edition.effects, out->effects);
  out->attack_die = prepare(edition.attack_die);
  out->defense_die = prepare(edition.defense_die);
  out->faces =
      std::make_shared<const FaceNames>(FaceNames{face_names(edition.attack_die), face_names(edition.defense_die)});
  for (const load::TokenSpec& token : edition.tokens) out->token_keys.push_back(key_of(token.id));
  for (PreparedEffect& effect : out->effects.all) {
    each_text(effect, [&](PreparedText& text) {
      for (Fact& fact : text.facts)
        fact.token = token_index(edition, out->token_keys, fact.last.empty() ? fact.rest : fact.last);
    });
    find_needs(edition, effect);
  }
  return out;
}

}  // namespace

bool may_hold_at(const PreparedText& condition, int range) {
  return !is_zero(condition, [&](const Fact& fact) {
    return fact.kind == FactKind::Range ? std::optional<int>(range) : std::nullopt;
  });
}

const PreparedCard& prepared(const load::CardSpec& card) {
  return card.derived.get<PreparedCard>([&] { return prepare(card); });
}

const PreparedEdition& prepared(const load::Edition& edition) {
  return edition.derived.get<PreparedEdition>([&] { return prepare(edition); });
}

int token_index(const load::Edition& edition, std::string_view id) {
  return token_index(edition, prepared(edition).token_keys, id);
}

}  // namespace salvo::compile
