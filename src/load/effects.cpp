// Effects of editions and cards: windows, verbs, costs, operations.
// In: [[effect]] tables. Out: EffectSpec, with every name checked that can be checked without a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "load/message.h"
#include "load/profile.h"

namespace salvo::load {

namespace {

using Names = std::vector<std::string>;

constexpr int kMaxCount = 99;
constexpr int kMaxDiceChange = 31;

constexpr std::array<std::pair<std::string_view, Window>, 15> kWindows{{
    {"always", Window::Always},
    {"declare", Window::Declare},
    {"attack-pool", Window::AttackPool},
    {"attack-rolled", Window::AttackRolled},
    {"attack-mod", Window::AttackMod},
    {"attack-set", Window::AttackSet},
    {"defense-pool", Window::DefensePool},
    {"defense-rolled", Window::DefenseRolled},
    {"defense-mod", Window::DefenseMod},
    {"before-neutralize", Window::BeforeNeutralize},
    {"neutralize", Window::Neutralize},
    {"outcome", Window::Outcome},
    {"damage", Window::Damage},
    {"aftermath", Window::Aftermath},
    {"own-mod", Window::OwnMod},
}};

/// A verb, the keys its operation has beside `verb`, and those of them that must be there.
struct VerbForm {
  std::string_view name;
  Verb verb;
  std::string_view keys, needed;  ///< separated by spaces
};

constexpr std::array<VerbForm, 12> kVerbs{{
    {"pool", Verb::Pool, "dice n", "dice n"},
    {"change", Verb::Change, "dice from to n exact", "dice from to"},
    {"reroll", Verb::Reroll, "dice from n exact", "dice n"},
    {"add", Verb::Add, "dice to n", "dice to"},
    {"cancel", Verb::Cancel, "dice from n exact", "dice from"},
    {"gain", Verb::Gain, "token n amount who", "token"},
    {"lose", Verb::Lose, "token n amount who", "token"},
    {"damage", Verb::Damage, "n amount who", ""},
    {"neutralize", Verb::Neutralize, "order uncancellable", ""},
    {"stat", Verb::Stat, "stat n", "stat n"},
    {"limit", Verb::Limit, "dice min max", "dice"},
    {"forbid", Verb::Forbid, "what who dice", "what"},
}};

Names split(std::string_view words) {
  Names out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    out.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Window read_window(const Node& node) {
  const std::string name = node.text();
  Names names;
  for (const auto& [known, window] : kWindows) {
    if (known == name) return window;
    names.emplace_back(known);
  }
  node.fail_choice(names, "a window of the attack");
}

const VerbForm& read_verb(const Node& operation) {
  const Node node = operation.need("verb", "say what it does, as verb = \"change\"");
  const std::string name = node.text();
  Names names;
  for (const VerbForm& form : kVerbs) {
    if (form.name == name) return form;
    names.emplace_back(form.name);
  }
  node.fail_choice(names, "a verb");
}

/// The faces of the dice that `dice` of an effect of `side` can mean.
Names faces_of(const Edition& edition, const std::string& dice, const EffectSpec& effect) {
  const bool own = dice == "own";
  const bool attack = own ? effect.side != "defender" : dice == "attack";
  const bool defense = own ? effect.side != "attacker" : dice == "defense";
  Names faces;
  for (const FaceSpec& face : edition.attack_die.faces) {
    if (attack) faces.push_back(face.name);
  }
  for (const FaceSpec& face : edition.defense_die.faces) {
    if (defense && !contains(faces, face.name)) faces.push_back(face.name);
  }
  return faces;
}

void check_face(const Node& node, const std::string& face, const std::string& special, const Edition* edition,
                const std::string& dice, const EffectSpec& effect) {
  if (edition == nullptr || face == special) return;
  Names faces = faces_of(*edition, dice, effect);
  if (contains(faces, face)) return;
  faces.push_back(special);
  node.fail_choice(faces, dice == "own" ? "a face of the ship's own dice" : fmt::format("a face of the {} die", dice));
}

/// A token of the edition, `lock` or `charge` (the card's own).
std::string read_token(const Node& node, const Edition* edition) {
  std::string token = node.text();
  if (edition == nullptr) return token;
  Names names{"lock", "charge"};
  for (const TokenSpec& spec : edition->tokens) names.push_back(spec.id);
  if (contains(names, token)) return token;
  node.fail_choice(names, "a token of this edition");
}

/// `n` of an operation: a number, "all", or for reroll also "any" (one or more).
void read_count(const Node& node, OperationSpec& operation) {
  if (!node.is(Value::Kind::Text)) {
    const bool pool = operation.verb == Verb::Pool || operation.verb == Verb::Stat;
    operation.n = node.integer(pool ? -kMaxDiceChange : 1, pool ? kMaxDiceChange : kMaxCount);
    if (operation.n == 0) node.fail("0 dice change nothing; write another number");
    return;
  }
  const bool reroll = operation.verb == Verb::Reroll;
  if (operation.verb == Verb::Pool || operation.verb == Verb::Add || operation.verb == Verb::Gain ||
      operation.verb == Verb::Damage || operation.verb == Verb::Stat) {
    node.fail_kind("a whole number");
  }
  const std::string word = node.one_of(reroll ? Names{"all", "any"} : Names{"all"});
  operation.all = true;
  operation.exact = reroll && word == "all";
}

/// The operation's own keys: only those of its verb, and all that the verb needs.
void check_keys(const Node& node, const VerbForm& form) {
  Names keys = split(form.keys);
  keys.emplace_back("verb");
  node.allow_only(keys);
  if (form.needed.empty()) return;
  for (const std::string& key : split(form.needed)) node.need(key, fmt::format("the verb {} needs it", form.name));
}

OperationSpec read_operation(const Node& node, const Edition* edition, const EffectSpec& effect) {
  node.need_table("a table such as { verb = \"change\", ... }");
  const VerbForm& form = read_verb(node);
  check_keys(node, form);
  OperationSpec operation;
  operation.verb = form.verb;
  if (const auto dice = node.get("dice")) operation.dice = dice->one_of({"attack", "defense", "own"});
  if (const auto from = node.get("from")) {
    operation.from = from->texts();
    if (operation.from.empty()) from->fail("the list is empty; name at least one face, or \"any\"");
    for (const Node& face : from->children())
      check_face(face, face.value().text, "any", edition, operation.dice, effect);
  }
  if (const auto to = node.get("to")) {
    operation.to = to->text();
    check_face(*to, operation.to, "success", edition, operation.dice, effect);
  }
  if (const auto token = node.get("token")) operation.token = read_token(*token, edition);
  if (const auto who = node.get("who")) operation.who = who->one_of({"self", "foe"});
  if (const auto what = node.get("what"))
    operation.what = what->one_of({"modify", "add-dice", "reduce-dice", "cancel"});
  node.read("exact", operation.exact);
  node.read("amount", operation.amount);
  if (const auto stat = node.get("stat")) operation.stat = stat->one_of({"hull", "shields", "agility", "attack"});
  if (const auto order = node.get("order")) operation.order = order->one_of({"crit-first"});
  if (const auto faces = node.get("uncancellable")) {
    operation.from = faces->texts();
    for (const Node& face : faces->children()) face.one_of({"hit", "crit"});
  }
  if (const auto n = node.get("n")) read_count(*n, operation);
  node.read("min", 0, kMaxDiceChange, operation.min);
  node.read("max", 0, kMaxDiceChange, operation.max);
  if (form.verb == Verb::Limit && !operation.min && !operation.max) node.fail("sets no limit; give min or max");
  return operation;
}

EffectSpec read_effect(const Node& node, const Edition* edition, const std::string& id) {
  node.need_table("an [[effect]] table");
  node.allow_only(
      {"id", "side", "at", "when", "may", "cost", "do", "times", "once_per_attack", "once_per_round", "repeats"});
  EffectSpec effect;
  effect.id = id;
  effect.place = fmt::format("{}:{}", node.source(), node.line());
  node.read("id", effect.id);
  if (effect.id.empty()) node.need("id", "name the effect");
  if (const auto side = node.get("side")) effect.side = side->one_of({"attacker", "defender", "any"});
  effect.at = read_window(node.need("at", "name the window, such as attack-mod"));
  node.read("when", effect.when);
  node.read("may", effect.may);
  node.read("times", effect.times);
  node.read("once_per_attack", effect.once_per_attack);
  node.read("once_per_round", effect.once_per_round);
  node.read("repeats", effect.repeats);
  if (const auto cost = node.get("cost")) effect.cost = read_costs(*cost, edition);
  const Node operations = node.need("do", "say what the effect does: do = [{ verb = ... }]");
  operations.need_array("a list of operations, as [{ verb = ... }]");
  for (const Node& operation : operations.children()) {
    effect.operations.push_back(read_operation(operation, edition, effect));
  }
  if (effect.operations.empty()) operations.fail("the list is empty; an effect does at least one thing");
  return effect;
}

}  // namespace

std::vector<CostSpec> read_costs(const Node& node, const Edition* edition) {
  node.need_array("a list of prices, as [{ token = \"focus\", n = 1 }]");
  std::vector<CostSpec> costs;
  for (const Node& item : node.children()) {
    item.need_table("a table such as { token = \"focus\", n = 1 }");
    item.allow_only({"token", "n", "who"});
    CostSpec cost;
    cost.token = read_token(item.need("token", "name the token that is paid"), edition);
    item.read("n", 1, kMaxCount, cost.n);
    if (const auto who = item.get("who")) cost.who = who->one_of({"self", "foe"});
    costs.push_back(std::move(cost));
  }
  return costs;
}

std::vector<EffectSpec> read_effects(const Node& root, const Edition* edition, const std::string& id) {
  std::vector<EffectSpec> effects;
  const auto node = root.get("effect");
  if (!node) return effects;
  node->need_array("[[effect]] tables, with two brackets");
  for (const Node& item : node->children()) {
    EffectSpec effect = read_effect(item, edition, id);
    const bool repeated = id.empty() && std::any_of(effects.begin(), effects.end(), [&effect](const EffectSpec& other) {
                            return other.id == effect.id;
                          });
    if (repeated) item.fail(fmt::format("the id {} is given twice; each effect has its own", in_quotes(effect.id)));
    effects.push_back(std::move(effect));
  }
  return effects;
}

}  // namespace salvo::load
