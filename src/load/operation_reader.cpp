// Reads what effects do and what they cost, and checks the words and keys of each verb.
#include "load/operation_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/index.h"
#include "base/limits.h"
#include "base/text.h"
#include "load/card_file.h"
#include "load/profile.h"
#include "load/verb_windows.h"

namespace salvo::load {
namespace {

using Names = std::vector<std::string>;

constexpr int kMaxCount = 99;
const Names kForbidden{"self", "foe", "friend", "ally", "foes", "friends", "all"};

/// A verb, the keys of its operation besides `verb`, and those of them that are required.
struct VerbForm {
  std::string_view name;
  Verb verb;
  std::string_view keys, needed;  ///< separated by spaces
};

constexpr std::array<VerbForm, 27> kVerbs{{
    {"pool", Verb::Pool, "dice n amount", "dice"},
    {"change", Verb::Change, "dice from to n amount exact if_none modifies", "dice from to"},
    {"reroll", Verb::Reroll, "dice from n amount exact if_none", "dice"},
    {"add", Verb::Add, "dice to n amount modifies", "dice to"},
    {"cancel", Verb::Cancel, "dice from n amount exact as_evade", "dice from"},
    {"spend", Verb::Spend, "dice from n", "dice from"},
    {"gain", Verb::Gain, "token n amount who of on", "token"},
    {"lose", Verb::Lose, "token n amount who of on", "token"},
    {"damage", Verb::Damage, "n amount who crit past_shields", ""},
    {"prevent", Verb::Prevent, "n amount who", ""},
    {"neutralize", Verb::Neutralize, "order uncancellable", ""},
    {"stat", Verb::Stat, "stat n weapon to", "stat"},
    {"limit", Verb::Limit, "dice min max", "dice"},
    {"forbid", Verb::Forbid, "what who dice source except max from on", "what"},
    {"bonus", Verb::Bonus, "weapon another target who last", ""},
    {"treat", Verb::Treat, "fact amount", "fact amount"},
    {"roll", Verb::Roll, "dice n amount", "dice"},
    {"hit", Verb::Hit, "skip", ""},
    {"waive", Verb::Waive, "token", ""},
    {"flip", Verb::Flip, "n", ""},
    {"convert", Verb::Convert, "from to", "from to"},
    {"expose", Verb::Expose, "n amount who pick", ""},
    {"deal", Verb::Deal, "as who", "as"},
    {"lend", Verb::Lend, "token source", "token"},
    {"reach", Verb::Reach, "min max n", "min max"},
    {"repair", Verb::Repair, "who of", ""},
    {"pick", Verb::Pick, "who of n", "of"},
}};

const VerbForm& read_verb(const data::Node& operation) {
  const data::Node node = operation.need("verb", "say what it does, for example verb = \"change\"");
  const std::string name = node.text();
  Names names;
  for (const VerbForm& form : kVerbs) {
    if (form.name == name) return form;
    names.emplace_back(form.name);
  }
  node.fail_choice(names, "a verb");
}

/// The faces of all dice that `dice` may refer to in an effect.
Names faces_of(const Edition& edition, const std::string& dice, const EffectSpec& effect) {
  const bool own = dice == "own";
  const bool attack = own ? effect.side != "defender" : dice == "attack";
  const bool defense = own ? effect.side != "attacker" : dice == "defense";
  Names faces;
  for (const FaceSpec& face : edition.attack_die.faces) {
    if (attack) faces.push_back(face.name);
  }
  for (const FaceSpec& face : edition.defense_die.faces) {
    if (defense && !base::contains(faces, face.name)) faces.push_back(face.name);
  }
  return faces;
}

void check_face(const data::Node& node, const std::string& face, const std::string& special, const Edition* edition,
                const std::string& dice, const EffectSpec& effect) {
  if (edition == nullptr || face == special) return;
  Names faces = faces_of(*edition, dice, effect);
  if (base::contains(faces, face)) return;
  faces.push_back(special);
  node.fail_choice(faces, dice == "own" ? "a face of the ship's own dice" : fmt::format("a face of the {} die", dice));
}

/// A token of the edition, or `lock`, `charge` or `shield`.
std::string read_token(const data::Node& node, const Edition* edition) {
  std::string token = node.text();
  if (edition == nullptr) return token;
  Names names{"lock", "charge", "shield"};
  for (const TokenSpec& spec : edition->tokens) names.push_back(spec.id);
  if (base::contains(names, token)) return token;
  node.fail_choice(names, "a token of this edition");
}

/// `n` of an operation: a number, "all", or for reroll also "any" (one or more).
void read_count(const data::Node& node, OperationSpec& operation) {
  if (!node.is(data::Value::Kind::Text)) {
    const bool pool = operation.verb == Verb::Pool || operation.verb == Verb::Stat;
    const int most = operation.verb == Verb::Expose ? base::kMaxExposures : kMaxCount;
    operation.n = node.integer(pool ? -kMaxDiceChange : 1, pool ? kMaxDiceChange : most);
    if (operation.n == 0) node.fail("0 dice change nothing; write another number");
    return;
  }
  const bool reroll = operation.verb == Verb::Reroll;
  if (operation.verb == Verb::Pool || operation.verb == Verb::Add || operation.verb == Verb::Gain ||
      operation.verb == Verb::Damage || operation.verb == Verb::Stat || operation.verb == Verb::Spend ||
      operation.verb == Verb::Roll || operation.verb == Verb::Expose || operation.verb == Verb::Pick) {
    node.fail_kind("a whole number");
  }
  const Names words = reroll ? Names{"all", "any"} : Names{"all"};
  if (!base::contains(words, node.value().text))
    node.fail_kind(fmt::format("a number, as n = 2, or {}", base::joined(words, " or ")));
  const std::string& word = node.value().text;
  operation.all = true;
  operation.exact = reroll && word == "all";
}

/// Checks the arc in the weapon of a bonus attack. Whether an upgrade exists is not known here.
void check_bonus_weapon(const data::Node& weapon) {
  constexpr std::string_view kPrimary = "primary:";
  const std::string name = weapon.text();
  if (!name.starts_with(kPrimary)) return;
  std::vector<std::string> known;
  for (const std::string& arc : arc_names()) known.push_back(std::string(kPrimary) + arc);
  weapon.one_of(known);
}

/// Checks that an operation has only keys of its verb, and all required ones.
void check_keys(const data::Node& node, const VerbForm& form) {
  Names keys = base::words_between(form.keys, " ");
  keys.emplace_back("verb");
  node.allow_only(keys);
  if (form.needed.empty()) return;
  for (const std::string& key : base::words_between(form.needed, " "))
    node.need(key, fmt::format("the verb {} needs it", form.name));
}

/// Checks keys that are only valid in certain combinations.
void check_operation(const data::Node& node, const VerbForm& form, const OperationSpec& operation) {
  const bool of_docked = form.verb == Verb::Stat && operation.to == "docked";
  if (of_docked && (operation.stat != "shields" || node.get("n")))
    node.fail("only the shields can be those of a docked ship, too: stat = \"shields\", to = \"docked\", without n");
  const bool arms = form.verb == Verb::Stat && !operation.weapon.empty();
  const bool turns = arms && !operation.weapon.starts_with("primary:");  // changes the arc of all upgrades of a slot
  if (form.verb == Verb::Stat && !of_docked && !turns) node.need("n", "the verb stat needs it");
  if ((arms && operation.stat != "attack") || (turns && (operation.to.empty() || node.get("n"))))
    node.fail(
        "a weapon of a card is written as stat = \"attack\", weapon = \"primary:front\", n = 3; the arc of "
        "upgrades as stat = \"attack\", weapon = \"torpedo\", to = \"single-turret\"");
  const bool limits_rerolls = form.verb == Verb::Forbid && operation.max;
  const bool one_result = operation.what == "modify" && operation.from.size() == 1;
  if (limits_rerolls && ((operation.what != "reroll" && !one_result) || *operation.max != 1))
    node.fail(
        "the verb forbid has max only as what = \"reroll\", max = 1 (no more than one die is rerolled), and as "
        "what = \"modify\", from = [\"focus\"], max = 1 (no more than one such result is modified)");
  if (form.verb == Verb::Forbid && !operation.from.empty() && !operation.max)
    node.fail("from limits the verb forbid to one modified result of these faces, so it needs max = 1");
  const bool hits_to_crits = operation.from == Names{"hit"} && operation.to == "crit";
  if (form.verb == Verb::Convert && !hits_to_crits) node.fail("damage is converted from [\"hit\"] to \"crit\" only");
  const bool limits = operation.min || operation.max || !operation.amount.empty();
  if (form.verb == Verb::Limit && !limits) node.fail("sets no limit; give min or max");
  const bool counted = form.verb == Verb::Pool || form.verb == Verb::Reroll;
  if (counted && operation.amount.empty()) node.need("n", fmt::format("the verb {} needs it, or amount", form.name));
}

}  // namespace

const std::vector<std::string>& ships_of_effects() {
  static const Names kShips{"self", "foe", "friend", "ally", "enemy"};
  return kShips;
}

/// A text, or those of a list. `what`: for the message.
std::vector<data::Node> one_or_more(const data::Node& node, std::string_view what) {
  if (!node.is(data::Value::Kind::Array)) return {node};
  node.texts_once(fmt::format("name each {} once", what));
  std::vector<data::Node> out = node.children();
  if (out.empty()) node.fail(fmt::format("the list is empty; name at least one {}", what));
  return out;
}

std::vector<data::Node> bonus_weapons(const data::Node& operation) {
  const auto weapon = operation.get("weapon");
  return weapon ? one_or_more(*weapon, "weapon") : std::vector<data::Node>();
}

OperationSpec read_operation(const data::Node& node, const Edition* edition, const EffectSpec& effect) {
  node.need_table("a table such as { verb = \"change\", ... }");
  const VerbForm& form = read_verb(node);
  check_keys(node, form);
  OperationSpec operation;
  operation.verb = form.verb;
  if (const auto dice = node.get("dice")) operation.dice = dice->one_of({"attack", "defense", "own"});
  if (const auto from = node.get("from")) {
    operation.from = from->texts();
    if (operation.from.empty()) from->fail("the list is empty; name at least one face, or \"any\"");
    for (const data::Node& face : form.verb == Verb::Convert ? std::vector<data::Node>() : from->children())
      check_face(face, face.value().text, "any", edition, operation.dice, effect);
  }
  if (const auto to = node.get("to")) {
    operation.to = to->text();
    if (form.verb == Verb::Stat && node.get("weapon")) to->one_of(arc_names());
    if (form.verb == Verb::Stat && !node.get("weapon")) to->one_of({"docked"});
    if (form.verb != Verb::Convert && form.verb != Verb::Stat)
      check_face(*to, operation.to, "success", edition, operation.dice, effect);
  }
  if (const auto token = node.get("token")) {
    const bool condition = form.verb == Verb::Gain && token->text() == kCondition;
    operation.token = condition ? std::string(kCondition) : read_token(*token, edition);
    if (condition && (effect.at != Window::Always || !node.get("of")))
      token->fail("a condition is assigned during setup: write at = \"always\", and its id as of = \"ID\"");
    if (operation.token == "shield" && form.verb != Verb::Lose && form.verb != Verb::Gain)
      token->fail("a shield can be a price, be lost or be recovered, nothing else");
  }
  if (const auto who = node.get("who"))
    operation.who = who->one_of(form.verb == Verb::Forbid ? kForbidden : ships_of_effects());
  if (const auto of = node.get("of")) {
    operation.of = of->text();
    if (form.verb == Verb::Repair) of->one_of({"ship", "pilot", "crew"});
    if (form.verb == Verb::Pick) of->one_of({"drawn", "facedown"});
  }
  if (const auto what = node.get("what"))
    operation.what = what->one_of({"modify", "reroll", "add-dice", "reduce-dice", "cancel", "spend", "attack", "lock"});
  if (const auto on = node.get("on")) {
    operation.on = on->one_of({"self", "ally", "enemy"});
    if (operation.token != "lock" && operation.what != "lock") on->fail("`on` is only valid for locks; leave it out");
  }
  if (const auto source = node.get("source")) {
    operation.source = source->texts();
    for (const data::Node& token : source->children()) {
      if (token.text() != "green") read_token(token, edition);
    }
  }
  node.read("except", operation.except);
  if (form.verb == Verb::Bonus) {
    const std::vector<data::Node> weapons = bonus_weapons(node);
    for (const data::Node& weapon : weapons) check_bonus_weapon(weapon);
    if (weapons.size() == 1) operation.weapon = weapons.front().text();
  } else {
    node.read("weapon", operation.weapon);
  }
  node.read("another", operation.another);
  if (const auto target = node.get("target")) operation.target = target->one_of({"foe", "other"});
  node.read("last", operation.last);
  node.read("fact", operation.fact);
  node.read("skip", operation.skip);
  node.read("if_none", operation.if_none);
  node.read("crit", operation.crit);
  node.read("past_shields", operation.past_shields);
  node.read("modifies", operation.modifies);
  node.read("as_evade", operation.as_evade);
  node.read("exact", operation.exact);
  node.read("pick", operation.pick);
  node.read("amount", operation.amount);
  if (const auto stat = node.get("stat")) operation.stat = stat->one_of({"hull", "shields", "agility", "attack"});
  if (const auto order = node.get("order")) operation.order = order->one_of({"crit-first"});
  if (const auto as = node.get("as")) {
    const std::string how = as->one_of({"facedown", "discarded", "redrawn"});
    operation.discard = how != "facedown";
    operation.exact = how == "redrawn";
    if (operation.exact && effect.at != Window::CardSeen)
      as->fail("only a card that was drawn is redrawn, at card-seen");
  }
  if (const auto faces = node.get("uncancellable")) {
    operation.from = faces->texts();
    for (const data::Node& face : faces->children()) face.one_of({"hit", "crit"});
  }
  if (const auto n = node.get("n")) {
    if (!operation.amount.empty()) n->fail("n and amount both say how many; leave one of them out");
    read_count(*n, operation);
  }
  if (form.verb == Verb::Reach && !node.get("n")) operation.n = kMaxCount;  // no limit by the weapon's own range
  node.read("min", 0, kMaxDiceChange, operation.min);
  if (const auto max = node.get("max"); max && max->is(data::Value::Kind::Text)) {
    operation.amount = max->text();
  } else {
    node.read("max", 0, kMaxDiceChange, operation.max);
  }
  check_operation(node, form, operation);
  check_window(node, form.name, operation, effect);
  return operation;
}

std::vector<CostSpec> read_costs(const data::Node& node, const Edition* edition) {
  node.need_array("a list of prices, such as [{ token = \"focus\", n = 1 }]");
  std::vector<CostSpec> costs;
  for (const data::Node& item : node.children()) {
    item.need_table("a table such as { token = \"focus\", n = 1 }");
    item.allow_only({"token", "n", "who", "of"});
    CostSpec cost;
    cost.token = read_token(item.need("token", "name the token that is paid"), edition);
    item.read("n", 1, kMaxCount, cost.n);
    if (const auto who = item.get("who")) cost.who = who->one_of(ships_of_effects());
    if (const auto of = item.get("of")) cost.of = of->text();
    costs.push_back(std::move(cost));
  }
  return costs;
}

}  // namespace salvo::load
