// Resolves the facts in a condition for one attack: counts, tokens, states, board facts.
#include "compile/facts.h"
#include "base/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "load/actions.h"

namespace salvo::compile {

int face_of(const load::DieSpec& die, std::string_view name) {
  for (std::size_t f = 0; f < die.faces.size(); ++f) {
    if (die.faces[f].name == name) return static_cast<int>(f);
  }
  return -1;
}

void note_read(const AttackDraft& attack, const std::string& name, const Owner& owner) {
  if (!states_facts(attack.draft)) return;
  FactReader& reader =
      attack.draft.facts_read[attack.entry.path][attack.entry.mirrored ? mirrored(attack.draft, name) : name];
  if (owner.card != nullptr) reader = FactReader::Card;
}

namespace {

/// The index of a face on the die that an effect rolls outside both pools.
int side_face(const AttackDraft& attack, std::string_view face, const Owner& owner, const load::EffectSpec& spec) {
  const load::Edition& edition = attack.draft.edition;
  const bool defense =
      std::any_of(spec.operations.begin(), spec.operations.end(), [&](const load::OperationSpec& operation) {
        return (operation.verb == load::Verb::Roll || operation.verb == load::Verb::Reroll) &&
               (operation.dice == "defense" || (operation.dice == "own" && !owner.attacks));
      });
  const int index = face_of(defense ? edition.defense_die : edition.attack_die, face);
  if (index < 0) throw ExpressionError(fmt::format("no die has a face '{}'", face));
  return index;
}

void add_count(const AttackDraft& attack, std::string_view name, const Owner& owner, const load::EffectSpec& spec,
               ExpressionBuilder& out) {
  const std::size_t dot = name.find('.');
  const std::string_view pool = name.substr(0, dot);
  const std::string_view face = dot == std::string_view::npos ? "all" : name.substr(dot + 1);
  if (pool != "attack" && pool != "defense" && pool != "own" && pool != "roll")
    throw ExpressionError(fmt::format("unknown dice '{}'; known are attack, defense, own, roll", pool));
  const bool attack_dice = pool == "attack" || (pool == "own" && owner.attacks);
  if (pool == "roll") return out.add(Code::SideFace, side_face(attack, face, owner, spec));
  if (face == "all") return out.add(attack_dice ? Code::AttackDice : Code::DefenseDice, 0);
  const load::DieSpec& die = attack_dice ? attack.draft.edition.attack_die : attack.draft.edition.defense_die;
  const int index = face_of(die, face);
  if (index < 0) throw ExpressionError(fmt::format("the {} die has no face '{}'", pool, face));
  out.add(attack_dice ? Code::AttackFace : Code::DefenseFace, index);
}

/// Whether a board fact is about ships that a card describes, so that two cards may differ.
bool is_about_card(std::string_view name) {
  return name.ends_with("-in-reach") || name.ends_with("-is-named") || name.starts_with("friends-can-");
}

/// Whether a board fact says that the enemy is in an arc of the ship that attacks.
bool is_own_arc(std::string_view name) {
  return name == "bullseye" || (name.starts_with("in-") && !name.starts_with("in-defender-") && name.ends_with("-arc"));
}

/// Whether the friend that an effect is about has the action of a fact such as "friends-can-evade", by its action bar
/// and upgrades. Empty if the scenario does not say which ship it is.
std::optional<int> has_action(const AttackDraft& attack, std::string_view name, const Owner& owner) {
  constexpr std::string_view kCan = "friends-can-";
  if (owner.ally < 0 || !name.starts_with(kCan)) return std::nullopt;
  const ShipDraft& ally = attack.ship(owner.ally);
  if (ally.ship == nullptr) return std::nullopt;
  const auto bar = load::actions_of(attack.draft.catalogue, attack.draft.cards, ally.ship->id,
                                    ally.pilot == nullptr ? "" : ally.pilot->id, ally.given->upgrades);
  if (bar.empty()) return std::nullopt;
  return std::any_of(bar.begin(), bar.end(),
                     [&](const load::Action& action) { return action.name == name.substr(kCan.size()); });
}

/// Whether the effect lets a ship attack that an earlier attack of the round destroyed.
bool keeps_in_play(const load::EffectSpec& spec) {
  return std::any_of(spec.operations.begin(), spec.operations.end(),
                     [](const load::OperationSpec& operation) { return operation.fact == "attacker-stays"; });
}

/// The ship that the effect acts on besides its own; -1: none.
int acts_on(const AttackDraft& attack, const Owner& owner, const load::EffectSpec& spec) {
  if (keeps_in_play(spec)) return attack.plan.attacker;
  if (owner.ally >= 0) return owner.ally;
  const bool on_foe = std::any_of(spec.operations.begin(), spec.operations.end(),
                                  [](const load::OperationSpec& operation) { return operation.who == "foe"; });
  return owner.enemy >= 0 ? owner.enemy : on_foe ? attack.ship_of("foe", owner) : -1;
}

ExpressionError unknown_fact(const std::string& name) {
  return ExpressionError(fmt::format("unknown fact '{}'", name));
}

/// The value of a fact about the range or arc of other ships, if the scenario says whether ships are in reach: for the
/// ship that attacks or defends its friends or its enemies, whichever the fact is about; for a ship beside the attack
/// that of its friend or of its enemy in the attack, or both if the fact is about ships of the other side. `about`: as
/// in stated_where_it_acts, `all`: as in stated_narrower.
std::optional<int> in_reach(const AttackDraft& attack, const std::string& name, const Owner& owner, int about,
                            bool all) {
  const Catalogue& catalogue = attack.draft.catalogue;
  if (!states_facts(attack.draft) || !catalogue.facts_of_reach().contains(name)) return std::nullopt;
  const bool beside = owner.ship != attack.ship_of_role(owner.attacks);
  const bool of_attackers = catalogue.facts_of_attackers_friends().contains(name);
  const bool own = of_attackers == owner.attacks;
  const bool to_friend = beside ? of_attackers != catalogue.facts_of_defenders_reach().contains(name) : own;
  std::optional<int> out;
  for (const bool friends : {true, false}) {
    if ((own || !beside) && friends != to_friend) continue;
    const char* reach = friends ? "friends-in-reach" : "enemies-in-reach";
    auto value = stated(attack, reach);
    if (value) note_read(attack, reach, owner);
    if (!value && all) value = stated_where_it_acts(attack, reach, about);
    if (value) out = std::min(out.value_or(1), *value);
  }
  return out;
}

/// Whether the pilot that an effect names flies a ship of the scenario: then no ship without a pilot is meant.
bool named_pilot_flies(const Draft& draft, const load::EffectSpec& spec) {
  return std::any_of(draft.ships.begin(), draft.ships.end(), [&](const ShipDraft& ship) {
    return ship.pilot != nullptr && spec.when.find(fmt::format("'{}'", ship.pilot->card)) != std::string::npos;
  });
}

/// The value of a board fact, from the first of these that gives one: an effect that overrides it; the scenario
/// ("bullseye", "not bullseye", "enemy-near-attacker = 2"), also with a fact that implies it or says the same of a
/// smaller reach; the action bar of a friend; the ship of a named pilot; the default of the first card that asks, which
/// is an assumption: cards that call different cases usual would contradict each other. `otherwise`: the default of a
/// card without one.
int board_fact(const AttackDraft& attack, const std::string& name, const Owner& owner, const load::EffectSpec& spec,
               bool otherwise = false) {
  if (owner.card != nullptr && !attack.draft.is_board_fact(name)) throw unknown_fact(name);
  if (const auto value = overridden_value(attack, name)) return *value;
  note_read(attack, name, owner);
  if (const auto value = stated(attack, name)) return *value;
  const int about = acts_on(attack, owner, spec);
  const bool all = attack.entry.engagement || keeps_in_play(spec);
  if (const auto value = all ? stated_where_it_acts(attack, name, about) : std::nullopt) return *value;
  if (const auto value = in_reach(attack, name, owner, about, all)) return *value;
  if (attack.entry.idle && is_own_arc(name)) {
    if (const auto value = stated_where_it_acts(attack, "enemies-in-reach", attack.plan.defender)) return *value;
  }
  if (attack.entry.idle && name == "attacker-card-is-flipped") {
    if (const auto value = stated_where_it_acts(attack, "card-is-flipped", -1)) return *value;
  }
  if (const auto value = stated_narrower(attack, name, owner, about, all)) return *value;
  if (const auto value = has_action(attack, name, owner)) return *value;
  const bool of_name = name.ends_with("-is-named") || name.ends_with("-gave-condition");
  if (of_name && named_pilot_flies(attack.draft, spec)) return 0;
  if (owner.card == nullptr) return 0;  // rules of the edition only read facts that are false by default
  const auto at = owner.card->facts.find(name);
  bool usual = at != owner.card->facts.end() ? at->second : otherwise;
  if (!is_about_card(name)) {
    const std::string known = attack.entry.mirrored ? mirrored(attack.draft, name) : name;
    usual = attack.draft.usual.try_emplace({attack.entry.path, known}, usual).first->second;
  }
  const auto trial = attack.tried.find(name);
  if (trial != attack.tried.end()) return trial->second;
  if (!base::contains(attack.draft.assumed, std::pair(owner.card, std::string_view(name))))
    attack.asked.try_emplace(name, usual);
  return usual;
}

/// The declared number: the sum over all values v of v times the bit "option v was used".
void add_declared(const AttackDraft& attack, std::string_view id, const Owner& owner, ExpressionBuilder& out) {
  out.begin();
  bool any = false;
  const std::string prefix = fmt::format("{}=", id);
  if (owner.card != nullptr) {
    for (const load::EffectSpec& effect : owner.card->effects) {
      if (!effect.id.starts_with(prefix)) continue;
      const int bit = attack.bit(owner.named(effect.id), effect.place);
      for (int i = std::stoi(effect.id.substr(prefix.size())); i > 0; --i) {
        out.push(Code::Used, bit);
        if (std::exchange(any, true)) out.push(Code::Add, 0);
      }
    }
  }
  if (!any) throw ExpressionError(fmt::format("no effect '{}' of this card declares a number", id));
}

/// The bit that an effect of the same card was used in this attack.
int used_before(const AttackDraft& attack, std::string_view id, const Owner& owner) {
  const auto& effects = owner.card == nullptr ? attack.draft.edition.effects : owner.card->effects;
  const auto known =
      std::find_if(effects.begin(), effects.end(), [&](const load::EffectSpec& e) { return e.id == id; });
  if (known == effects.end()) {
    std::set<std::string> ids;
    for (const load::EffectSpec& effect : effects) ids.insert(effect.id);
    throw ExpressionError(fmt::format("no effect of this card has the id '{}'; its effects are {}", id,
                                      base::joined({ids.begin(), ids.end()}, ", ")));
  }
  return attack.bit(owner.named(known->id), known->place);
}

/// The bit that an option of a choice of the card was used, for the ship that the effect is about.
int chosen_before(const AttackDraft& attack, std::string_view choice, const Owner& owner) {
  static const std::vector<load::EffectSpec> kNone;
  const auto& effects = owner.card == nullptr ? kNone : owner.card->effects;
  const auto known =
      std::find_if(effects.begin(), effects.end(), [&](const load::EffectSpec& e) { return e.choice == choice; });
  if (known == effects.end()) throw ExpressionError(fmt::format("no effect of this card has choice = \"{}\"", choice));
  return attack.bit({.kind = UsedName::Kind::Choice,
                     .ship = owner.ship,
                     .card = owner.card_number,
                     .id = known->choice,
                     .ally = owner.ally},
                    known->place);
}

/// Whether the attack hit; after the second of two attacks, whether either did (003: Gunner).
void add_hit(const AttackDraft& attack, load::Window at, ExpressionBuilder& out) {
  out.add(Code::Hit, 0);
  if (attack.entry.twice != SequenceEntry::Twice::Second || at != load::Window::Aftermath) return;
  const int flag = attack.draft.find_resource(game::Resource::Kind::FirstOfTwo, attack.plan.attacker,
                                              static_cast<int>(attack.number));
  out.push(Code::Resource, flag);
  out.push(Code::Or, 0);
}

void add_charge(const AttackDraft& attack, const Owner& owner, std::string_view of, ExpressionBuilder& out) {
  const int index = resource_of(attack, "charge", owner.ship, owner, of);
  index < 0 ? out.add_constant(0) : out.add(Code::Resource, index);
}

/// Whether a use per round of the owner's card is spent. A use without a name has the id of the card.
void add_done(const AttackDraft& attack, std::string_view use, const Owner& owner, ExpressionBuilder& out) {
  if (owner.card == nullptr) throw ExpressionError("only a card has uses of a round");
  const std::string_view name = use == owner.card->id ? std::string_view() : use;
  const int index = attack.draft.find_resource(game::Resource::Kind::Use, owner.ship,
                                               use_number(*owner.card, name, owner.card_number));
  if (index < 0) throw ExpressionError(fmt::format("no effect of this card has once_per_round = \"{}\"", use));
  out.add(game::Expression{{Code::Constant, 1}, {Code::Resource, index}, {Code::Subtract, 0}});
}

/// Whether the condition of an effect of the owner's card may hold at a range.
bool may_hold(const Owner& owner, const load::EffectSpec& spec, int range) {
  const std::vector<PreparedEffect>& effects = prepared(*owner.card).effects.all;
  const auto effect =
      std::find_if(effects.begin(), effects.end(), [&](const PreparedEffect& e) { return e.spec == &spec; });
  return effect == effects.end() || may_hold_at(effect->when, range);
}

/// The range for an effect of a ship that takes part in no attack: one that the card's condition allows if the enemy is
/// in its reach, else one that it does not allow. The usual range if the scenario does not say.
int range_of_idle(const AttackDraft& attack, const Owner& owner, const load::EffectSpec& spec) {
  constexpr int kOutOfReach = 9;
  const auto touches = stated_where_it_acts(attack, "attacker-touches-other-enemies", attack.plan.defender);
  if (touches.value_or(0) != 0) return 0;
  const int usual = attack.given.range;
  const bool asks_itself = std::any_of(owner.card->facts.begin(), owner.card->facts.end(), [](const auto& fact) {
    return fact.first.starts_with("enemy-") || fact.first.starts_with("attacker-touches-");
  });
  if (asks_itself && !stated_where_it_acts(attack, "enemies-in-reach", attack.plan.defender)) return usual;
  const bool reaches = board_fact(attack, "enemies-in-reach", owner, spec, may_hold(owner, spec, usual)) != 0;
  for (const int range : {usual, reaches ? 1 : kOutOfReach, 1, 0, 3}) {
    if (may_hold(owner, spec, range) == reaches) return range;
  }
  return usual;
}

/// Whether a condition of the effect may read what changes during an attack. Of standing rules only those that forbid.
bool may_change(const load::EffectSpec& spec) {
  return spec.at != load::Window::Always ||
         std::all_of(spec.operations.begin(), spec.operations.end(),
                     [](const load::OperationSpec& operation) { return operation.verb == load::Verb::Forbid; });
}

/// A board fact of `n` ships, without those that have left play. Facts about friends of the attacker or the defender
/// mean the friends in the scenario first, and only beyond their number others. An effect on a ship besides its own
/// asks itself whether that ship is in play.
game::Expression without_destroyed(const AttackDraft& attack, const std::string& name, int n, const Owner& owner,
                                   const load::EffectSpec& spec) {
  const bool in_role = owner.ship == attack.plan.attacker || owner.ship == attack.plan.defender;
  if (n == 0 || !in_role || owner.ally >= 0 || owner.enemy >= 0 || !may_change(spec)) return constant(n);
  const Catalogue& catalogue = attack.draft.catalogue;
  const int of = name == "friends-in-reach"                              ? owner.ship
                 : name.find("outnumber") != std::string::npos           ? -1
                 : catalogue.facts_of_attackers_friends().contains(name) ? attack.plan.attacker
                 : catalogue.facts_of_defenders_friends().contains(name) ? attack.plan.defender
                                                                         : -1;
  if (of < 0) return constant(n);
  int friends = 0, gone = 0;
  game::Expression left = constant(0);
  for (int ship = 0; ship < static_cast<int>(attack.draft.ships.size()); ++ship) {
    if (ship == of || attack.ship(ship).mine != attack.ship(of).mine || attack.ship(ship).carrier >= 0) continue;
    ++friends;
    const game::Expression stays = in_play(attack, ship);
    if (stays.empty()) continue;
    left = std::exchange(gone, gone + 1) == 0 ? stays : combined(std::move(left), stays, Code::Add);
  }
  if (gone == 0 || n <= friends - gone) return constant(n);
  const int more = std::max(n, friends) - gone;
  if (more > 0) left = combined(std::move(left), constant(more), Code::Add);
  return n < friends ? combined(std::move(left), constant(n), Code::Minimum) : left;
}

/// A fact with the overrides whose conditions may hold.
game::Expression with_overrides(game::Expression fact, const std::vector<std::pair<game::Expression, bool>>& effects) {
  for (const auto& [when, holds] : effects)
    fact = combined(std::move(fact), holds ? when : negated(when), holds ? Code::Or : Code::And);
  return fact;
}

void add_fact(const AttackDraft& attack, const Fact& fact, const Owner& owner, const load::EffectSpec& spec,
              ExpressionBuilder& out) {
  using Kind = Fact::Kind;
  const auto board = [&] {
    const auto known = overridden_value(attack, fact.whole) ? std::nullopt : known_fact(attack, fact.whole);
    const auto may = attack.conditional_overrides.find(fact.whole);
    const game::Expression value =
        known ? *known
              : without_destroyed(attack, fact.whole, board_fact(attack, fact.whole, owner, spec), owner, spec);
    out.add(may == attack.conditional_overrides.end() ? value : with_overrides(value, may->second));
  };
  switch (fact.kind) {
    case Kind::Count:
      return add_count(attack, fact.whole, owner, spec, out);
    case Kind::Ship:
      return add_ship_fact(attack, fact, owner, out);
    case Kind::Used:
      return out.add(Code::Used, used_before(attack, fact.rest, owner));
    case Kind::Chosen:
      return out.add(Code::Used, chosen_before(attack, fact.rest, owner));
    case Kind::Done:
      return add_done(attack, fact.rest, owner, out);
    case Kind::Spent:
      return add_spent(attack, fact, fact.rest, owner.ship, owner, out);
    case Kind::Gained:
      return add_gained(attack, fact, fact.rest, owner.ship, owner, out);
    case Kind::Declared:
      return add_declared(attack, fact.rest, owner, out);
    case Kind::Drawn:
      return add_drawn(attack, fact.rest, out);
    case Kind::Stated:
      if (fact.rest == "initiative") return out.add_constant(attack.given.initiative.has_value());
      if (!attack.draft.is_board_fact(fact.rest)) throw unknown_fact(fact.whole);
      return out.add_constant(stated(attack, fact.rest).has_value());
    case Kind::FriendsLock:
      return add_locks(attack, owner, false, out);
    case Kind::FoesLock:
      return add_locks(attack, owner, true, out);
    case Kind::Allies:
      return add_allies(attack, fact.rest, owner, out);
    case Kind::CardCharge:
      return add_charge(attack, owner, "card", out);
    case Kind::WeaponCharge:
      return add_charge(attack, owner, "weapon", out);
    case Kind::Copies:
      return owner.deck_card >= 0 ? out.add(copies_of(attack, owner)) : board();
    case Kind::DamageDeck:
      return out.add_constant(attack.draft.out.plan.damage_deck);
    case Kind::WeaponAttack:
      return out.add_constant(attack.weapon.attack);
    case Kind::Range:
      if (attack.entry.idle && owner.card != nullptr) return out.add_constant(range_of_idle(attack, owner, spec));
      return out.add_constant(overridden_value(attack, fact.whole).value_or(attack.given.range));
    case Kind::Obstructed:
      if (const auto may = attack.conditional_overrides.find(fact.whole); may != attack.conditional_overrides.end())
        return out.add(with_overrides(constant(overridden_value(attack, fact.whole).value_or(attack.given.obstructed)),
                                      may->second));
      return out.add_constant(overridden_value(attack, fact.whole).value_or(attack.given.obstructed));
    case Kind::Reinforced:
      return out.add_constant(attack.given.reinforced);
    case Kind::Ordnance:
      return out.add_constant(attack.weapon.ordnance);
    case Kind::Primary:
      return out.add_constant(attack.primary);
    case Kind::Weapon:
      return out.add_constant(text_value(attack.given.weapon));
    case Kind::Arc:
      return out.add_constant(text_value(attack.weapon.arc));
    case Kind::Remaining:
      return out.add(Code::Remaining, 0);
    case Kind::Rolling:
      return out.add(Code::Rolling, 0);
    case Kind::Attacking:
      return out.add_constant(owner.attacks);
    case Kind::Hit:
      return add_hit(attack, spec.at, out);
    case Kind::Special:
      return out.add_constant(!attack.primary);
    case Kind::GrantedBy:
      return out.add_constant(text_value(attack.given.bonus));
    case Kind::BonusAttack:
      if (!attack.entry.engagement && is_bonus_attack(attack.draft, attack.given)) return out.add_constant(1);
      if (stated(attack, fact.whole).value_or(0) != 0) return board();
      return out.add_constant(0);
    case Kind::Board:
      return board();
  }
}

}  // namespace

game::Expression copies_of(const AttackDraft& attack, const Owner& owner) {
  const int index = attack.draft.find_resource(game::Resource::Kind::Card, owner.ship, owner.deck_card);
  if (index < 0 || !can_have_faceup_cards(attack.draft, owner.ship, attack.number)) return constant(0);
  return {{Code::Resource, index}};
}

game::Expression has_card(const AttackDraft& attack, const Owner& owner) {
  if (owner.deck_card < 0) return {};
  return at_least(copies_of(attack, owner), 1);
}

namespace {

[[noreturn]] void refuse_text(const load::EffectSpec& spec, const PreparedText& text, const ExpressionError& error) {
  const std::string what = error.what();
  const bool shown = what.find(text.text.text) != std::string::npos;
  throw LoadError(shown ? fmt::format("{}: {}", spec.place, what)
                        : fmt::format("{}: in '{}': {}", spec.place, base::printable(text.text.text), what));
}

/// Resolves the text to the expression of the builder.
void resolve(const AttackDraft& attack, const load::EffectSpec& spec, const PreparedText& text, const Owner& owner) {
  ExpressionBuilder& builder = attack.draft.builder;
  try {
    resolve_expression(text.text, builder, [&](std::size_t name, ExpressionBuilder& out) {
      add_fact(attack, text.facts[name], owner, spec, out);
    });
  } catch (const ExpressionError& error) {
    refuse_text(spec, text, error);
  }
}

/// Whether another value of one of the facts, whatever those of the others, changes the expression.
std::set<std::string_view> facts_that_matter(const AttackDraft& attack, const load::EffectSpec& spec,
                                             const PreparedText& text, const Owner& owner,
                                             const std::vector<std::string_view>& facts) {
  std::vector<game::Expression> results;  // bit i of the index: the value of facts[i]
  const auto tried = attack.tried;
  for (unsigned values = 0; values < 1u << facts.size(); ++values) {
    for (std::size_t i = 0; i < facts.size(); ++i)
      attack.tried[std::string(facts[i])] = static_cast<int>(values >> i & 1u);
    resolve(attack, spec, text, owner);
    results.push_back(attack.draft.builder.expression());
  }
  attack.tried = tried;
  std::set<std::string_view> out;
  for (unsigned values = 0; values < results.size(); ++values) {
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (results[values] != results[values ^ 1u << i]) out.insert(facts[i]);
    }
  }
  return out;
}

/// Lists the facts that were just taken at their usual case, if the expression depends on them.
void note_assumptions(const AttackDraft& attack, const load::EffectSpec& spec, const PreparedText& text,
                      const Owner& owner) {
  constexpr std::size_t kMost = 6;  // more facts of one condition are all listed
  const auto asked = std::exchange(attack.asked, {});
  std::vector<std::string_view> facts;
  for (const auto& [name, usual] : asked) facts.push_back(name);
  const std::set<std::string_view> matter =
      facts.size() > kMost ? std::set(facts.begin(), facts.end()) : facts_that_matter(attack, spec, text, owner, facts);
  const auto list = [&](std::string_view name) {
    const auto at = asked.find(std::string(name));
    if (at == asked.end() || !matter.contains(name)) return;
    base::add_once(attack.draft.assumed, std::pair<const load::CardSpec*, std::string_view>(owner.card, name));
    base::add_once(attack.draft.out.labels.assumed_facts,
                   fmt::format("{}{} ({})", at->second ? "" : "not ", name, owner.card->id));
  };
  for (const Fact& fact : text.facts) list(fact.whole);  // in the order of the text
  for (const auto& fact : asked)
    list(attack.draft.catalogue.facts().find(fact.first)->first);  // that the range implies
}

}  // namespace

void check_board_facts(Draft& draft) {
  const PreparedEdition& edition = prepared(draft.edition);
  if (edition.facts_checked.load(std::memory_order_relaxed)) return;
  for (const PreparedEffect& effect : edition.effects.all) {
    each_text(effect, [&](const PreparedText& text) {
      for (const Fact& fact : text.facts) {
        if (fact.kind == Fact::Kind::Board && !draft.is_board_fact(fact.whole))
          refuse_text(*effect.spec, text, unknown_fact(fact.whole));
      }
    });
  }
  edition.facts_checked.store(true, std::memory_order_relaxed);
}

const game::Expression& compile_expression(const AttackDraft& attack, const load::EffectSpec& spec,
                                           const PreparedText& text, const Owner& owner) {
  resolve(attack, spec, text, owner);
  if (!attack.asked.empty()) {
    note_assumptions(attack, spec, text, owner);
    attack.asked.clear();
    resolve(attack, spec, text, owner);
    attack.asked.clear();
  }
  return attack.draft.builder.expression();
}

int AttackDraft::ship_of(std::string_view who, const Owner& owner) const {
  if (who == "self") return owner.ship;
  if (who == "ally") return owner.ally;
  if (who == "enemy") return owner.enemy;
  return ship_of_role((who == "friend") == owner.attacks);
}

int AttackDraft::ship_of(Who who, const Owner& owner) const {
  if (who == Who::Self) return owner.ship;
  if (who == Who::Ally) return owner.ally;
  if (who == Who::Enemy) return owner.enemy;
  return ship_of_role((who == Who::Friend) == owner.attacks);
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
  for (const auto& [known, bit] : bits) {
    if (known == name) return bit;
  }
  return bits.emplace_back(name, new_bit(place)).second;
}

std::uint32_t AttackDraft::bits_of(const UsedName& name) const {
  for (const auto& [known, bit] : bits) {
    if (known == name) return 1u << bit;
  }
  return 0;
}

bool Draft::is_board_fact(const std::string& name) {
  if (facts == nullptr) facts = &catalogue.facts();
  return facts->contains(name);
}

}  // namespace salvo::compile
