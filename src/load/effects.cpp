// Reads the [[effect]] tables of editions and cards, and checks every name that can be checked without a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "load/card_file.h"
#include "load/operation_reader.h"
#include "load/profile.h"
#include "load/verb_windows.h"

namespace salvo::load {

namespace {

using Names = std::vector<std::string>;

constexpr std::array<std::pair<std::string_view, Window>, 28> kWindows{{
    {"always", Window::Always},
    {"engagement-start", Window::EngagementStart},
    {"engage", Window::Engage},
    {"round-end", Window::RoundEnd},
    {"declare", Window::Declare},
    {"attack-value", Window::AttackValue},
    {"attack-pool", Window::AttackPool},
    {"attack-rolled", Window::AttackRolled},
    {"attack-mod", Window::AttackMod},
    {"attack-set", Window::AttackSet},
    {"defense-value", Window::DefenseValue},
    {"defense-pool", Window::DefensePool},
    {"defense-rolled", Window::DefenseRolled},
    {"defense-mod", Window::DefenseMod},
    {"before-neutralize", Window::BeforeNeutralize},
    {"neutralize", Window::Neutralize},
    {"outcome", Window::Outcome},
    {"damage", Window::Damage},
    {"damage-due", Window::DamageDue},
    {"suffered", Window::Suffered},
    {"aftermath", Window::Aftermath},
    {"attack-end", Window::AttackEnd},
    {"card-due", Window::CardDue},
    {"card-seen", Window::CardSeen},
    {"dealt", Window::Dealt},
    {"crit-suffered", Window::CritSuffered},
    {"opportunity", Window::Opportunity},
    {"own-mod", Window::OwnMod},
}};

Window read_window(const data::Node& node) {
  const std::string name = node.text();
  Names names;
  for (const auto& [known, window] : kWindows) {
    if (known == name) return window;
    names.emplace_back(known);
  }
  node.fail_choice(names, "a window of the attack");
}

/// The alternatives of the other player: a table, or a list of tables.
void read_offers(const data::Node& node, const Edition* edition, EffectSpec& effect) {
  const bool one = !node.is(data::Value::Kind::Array);
  for (const data::Node& item : one ? std::vector<data::Node>{node} : node.children()) {
    item.need_table("a table such as { cost = [...], do = [...] }");
    item.allow_only({"when", "cost", "do"});
    OfferSpec offer;
    item.read("when", offer.when);
    if (const auto cost = item.get("cost")) offer.cost = read_costs(*cost, edition);
    if (const auto operations = item.get("do")) {
      operations->need_array("a list of operations, such as [{ verb = ... }]");
      for (const data::Node& operation : operations->children())
        offer.operations.push_back(read_operation(operation, edition, effect));
    }
    if (offer.cost.empty() && offer.operations.empty()) item.fail("offers nothing; give cost or do");
    effect.offers.push_back(std::move(offer));
  }
}

/// An attack is treated differently for its whole duration, so the effect can neither be optional nor have a cost.
void check_treat(const data::Node& node, const EffectSpec& effect) {
  const auto treats = [](const OperationSpec& operation) { return operation.verb == Verb::Treat; };
  if (std::none_of(effect.operations.begin(), effect.operations.end(), treats)) return;
  if (effect.at != Window::Always || effect.may || !effect.cost.empty())
    node.fail("the verb treat holds throughout an attack: write at = \"always\", without may and cost");
}

/// Damage that is due concerns one ship, whose it is.
void check_damage_due(const data::Node& node, const EffectSpec& effect) {
  if (effect.at != Window::DamageDue) return;
  const auto& operations = effect.operations;
  const bool first = !operations.empty() && operations.front().verb == Verb::Prevent;
  if (!first || effect.foe_decides || !effect.offers.empty() || !effect.times.empty())
    node.fail("at damage-due an effect begins with the verb prevent; leave out by, unless and times");
}

bool is_deal(const OperationSpec& operation) { return operation.verb == Verb::Deal; }

/// Before a damage card is dealt faceup, the only possible effects are to deal it otherwise, at a cost.
void check_card_window(const data::Node& node, const EffectSpec& effect) {
  const auto& operations = effect.operations;
  const auto deals = std::count_if(operations.begin(), operations.end(), is_deal);
  if (effect.at != Window::CardDue && effect.at != Window::CardSeen) {
    if (deals > 0) node.fail("the verb deal is for the windows card-due and card-seen");
    return;
  }
  const bool of_ally = std::any_of(operations.begin(), operations.end(),
                                   [](const OperationSpec& o) { return is_deal(o) && o.who == "ally"; });
  const bool simple = std::all_of(operations.begin(), operations.end(), [of_ally](const OperationSpec& operation) {
    if (is_deal(operation)) return of_ally || operation.who == "self";
    const bool suffers = operation.verb == Verb::Damage && operation.who == "self" && operation.past_shields;
    return operation.verb == Verb::Gain || operation.verb == Verb::Lose || (of_ally && suffers && !operation.crit);
  });
  if (deals != 1 || !simple)
    node.fail(
        "at card-due and card-seen an effect has the verb deal once, for its own ship or who = \"ally\", and besides "
        "only "
        "gain, lose and, for an ally, damage past its own ship's shields");
  if (effect.foe_decides || !effect.offers.empty() || !effect.times.empty() || effect.whose != "self")
    node.fail("at card-due and card-seen an effect is for its own ship alone; leave out for, by, unless and times");
  const bool shield =
      std::any_of(effect.cost.begin(), effect.cost.end(), [](const CostSpec& cost) { return cost.token == "shield"; });
  if (shield) node.fail("a ship that is dealt a damage card has no shields to pay with");
}

/// `once_per_round`: true, or the name of a use shared by several effects of the card.
void read_round_limit(const data::Node& node, EffectSpec& effect) {
  const auto limit = node.get("once_per_round");
  if (!limit) return;
  if (!limit->is(data::Value::Kind::Text)) return node.read("once_per_round", effect.once_per_round);
  effect.use = limit->text();
  effect.once_per_round = true;
  if (effect.use.empty()) limit->fail("name the use, or write true");
}

/// Removes "self.", "foe." and so on from the front of a fact. Returns that ship; the one with the card if none is
/// named.
std::string take_ship(std::string_view& fact) {
  for (const std::string& who : ships_of_effects()) {
    if (!fact.starts_with(who + ".")) continue;
    fact.remove_prefix(who.size() + 1);
    return who;
  }
  return "self";
}

/// `each`: the effect acts once for each token that a ship spends or gains in the attack.
void read_each(const data::Node& node, const Edition* edition, EffectSpec& effect) {
  const auto each = node.get("each");
  if (!each) return;
  const std::string text = each->text();
  std::string_view event = text;
  TokenEvent out{.who = take_ship(event), .gained = event.starts_with("gained."), .token = {}};
  const bool known = out.gained || event.starts_with("spent.");
  out.token = event.substr(std::min(event.size(), event.find('.') + 1));
  const auto is = [&](const TokenSpec& spec) { return spec.id == out.token; };
  if (!known || (edition != nullptr && std::none_of(edition->tokens.begin(), edition->tokens.end(), is)))
    each->fail("not a token that a ship spends or gains; write each = \"spent.focus\" or \"ally.gained.stress\"");
  if (effect.repeats || effect.once_per_attack || !effect.times.empty() || !effect.choice.empty() || node.get("unless"))
    each->fail("each says how often; leave out repeats, once_per_attack, times, choice and unless");
  effect.each = std::move(out);
}

/// Reads one of the tests joined by "and" that limit who has a condition. False if it is none of them.
bool read_recipient(std::string_view test, Recipients& out) {
  constexpr std::string_view kFaction = "faction == '", kPilot = "pilot != '", kShields = "shields <= ";
  const auto name_after = [&](std::string_view start, std::string& name) {
    if (!test.starts_with(start) || !test.ends_with('\'')) return false;
    name = test.substr(start.size(), test.size() - start.size() - 1);
    return !name.empty() && name.find('\'') == std::string::npos;
  };
  if (test == "limited") return out.limited = true;
  if (name_after(kFaction, out.faction) || name_after(kPilot, out.except_pilot)) return true;
  if (!test.starts_with(kShields)) return false;
  out.shields = base::whole_number(test.substr(kShields.size()));
  return out.shields.has_value();
}

/// The `when` of an effect that assigns a condition: which ships can have it.
void read_recipients(const data::Node& node, EffectSpec& effect) {
  const auto when = node.get("when");
  const auto gain = std::find_if(effect.operations.begin(), effect.operations.end(),
                                 [](const OperationSpec& operation) { return operation.token == kCondition; });
  if (!when || gain == effect.operations.end()) return;
  constexpr std::string_view kAnd = " and ";
  std::string_view rest = effect.when;
  while (!rest.empty()) {
    std::string_view test = rest.substr(0, rest.find(kAnd));
    rest.remove_prefix(std::min(rest.size(), test.size() + kAnd.size()));
    if (take_ship(test) != gain->who || !read_recipient(test, effect.recipients))
      when->fail(
          fmt::format("cannot limit who has a condition; write {0}.limited, {0}.faction == 'ID', "
                      "{0}.pilot != 'ID' or {0}.shields <= 3, joined by and",
                      gain->who));
  }
}

/// `at`: the window. In a list of them, the effect exists in each.
EffectSpec read_effect(const data::Node& node, const data::Node& at, const Edition* edition, const std::string& id) {
  node.allow_only(base::words_between(
      "id side for at when may must by cost do unless times each once_per_attack once_per_round choice repeats "
      "declare acts source",
      " "));
  EffectSpec effect;
  effect.id = id;
  effect.place = fmt::format("{}:{}", node.source(), node.line());
  node.read("id", effect.id);
  node.read("source", effect.source);
  if (effect.id.empty()) node.need("id", "name the effect");
  if (const auto side = node.get("side")) effect.side = side->one_of({"attacker", "defender", "any"});
  if (const auto whose = node.get("for")) effect.whose = whose->one_of({"self", "ally", "friend"});
  effect.at = read_window(at);
  node.read("when", effect.when);
  node.read("may", effect.may);
  node.read("must", effect.must);
  if (effect.must && !effect.may) node.fail("must = true is only valid for an option: add may = true");
  if (const auto by = node.get("by")) effect.foe_decides = by->one_of({"self", "foe"}) == "foe";
  if (const auto acts = node.get("acts")) effect.card_acts = acts->one_of({"self", "friend"}) == "self";
  if (effect.foe_decides && !effect.may) node.fail("by = \"foe\" is a choice of the other player: add may = true");
  node.read("times", effect.times);
  node.read("once_per_attack", effect.once_per_attack);
  read_round_limit(node, effect);
  node.read("choice", effect.choice);
  if (!effect.choice.empty() && !effect.may)
    node.get("choice")->fail("only options exclude each other: add may = true");
  node.read("repeats", effect.repeats);
  read_each(node, edition, effect);
  if (const auto cost = node.get("cost")) effect.cost = read_costs(*cost, edition);
  const data::Node operations = node.need("do", "say what the effect does: do = [{ verb = ... }]");
  operations.need_array("a list of operations, such as [{ verb = ... }]");
  for (const data::Node& operation : operations.children()) {
    effect.operations.push_back(read_operation(operation, edition, effect));
  }
  if (effect.at == Window::Suffered && node.get("unless"))
    node.get("unless")->fail("the other player cannot answer effects at suffered; leave it out");
  check_treat(node, effect);
  read_recipients(node, effect);
  if (effect.operations.empty()) operations.fail("the list is empty; an effect does at least one thing");
  if (const auto unless = node.get("unless")) read_offers(*unless, edition, effect);
  check_card_window(node, effect);
  check_damage_due(node, effect);
  return effect;
}

/// An effect whose bonus attack can be made with several weapons becomes one option for each.
std::vector<EffectSpec> read_armed(const data::Node& node, const data::Node& at, const Edition* edition,
                                   const std::string& id) {
  std::vector<EffectSpec> out{read_effect(node, at, edition, id)};
  const std::vector<data::Node> operations = node.get("do")->children();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (out.front().operations[i].verb != Verb::Bonus) continue;
    const std::vector<data::Node> weapons = bonus_weapons(operations[i]);
    if (weapons.size() <= 1) continue;
    if (!out.front().may)
      operations[i].fail("only an optional effect lets its player choose among weapons: add may = true");
    std::vector<EffectSpec> armed;
    for (const EffectSpec& effect : out) {
      for (const data::Node& weapon : weapons) {
        armed.push_back(effect);
        armed.back().operations[i].weapon = weapon.text();
      }
    }
    out = std::move(armed);
  }
  return out;
}

/// An effect that declares a number becomes one option per number. Conditions read the number as `declared.<id>`.
std::vector<EffectSpec> read_declared(const data::Node& node, const data::Node& at, const Edition* edition,
                                      const std::string& id) {
  const auto declare = node.get("declare");
  if (!declare) return read_armed(node, at, edition, id);
  const EffectSpec effect = read_effect(node, at, edition, id);
  declare->need_array("a list of the numbers that may be declared, such as [1, 2, 3]");
  if (!effect.may) declare->fail("only an optional effect declares a number: add may = true");
  std::vector<EffectSpec> out;
  for (const data::Node& value : declare->children()) {
    EffectSpec copy = effect;
    copy.id = fmt::format("{}={}", effect.id, value.integer(1, kMaxDiceChange));
    const std::string none = fmt::format("declared.{} == 0", effect.id);
    copy.when = effect.when.empty() ? none : fmt::format("({}) and {}", effect.when, none);
    out.push_back(std::move(copy));
  }
  if (out.empty()) declare->fail("the list is empty; name at least one number");
  return out;
}

/// The effects of a table: one for each of its windows, weapons and numbers.
std::vector<EffectSpec> read_table(const data::Node& node, const Edition* edition, const std::string& id) {
  node.need_table("an [[effect]] table");
  std::vector<EffectSpec> out;
  for (const data::Node& at : one_or_more(node.need("at", "name the window, such as attack-mod"), "window")) {
    for (EffectSpec& effect : read_declared(node, at, edition, id)) out.push_back(std::move(effect));
  }
  return out;
}

}  // namespace

std::string_view window_name(Window window) {
  const auto known = std::find_if(kWindows.begin(), kWindows.end(), [&](const auto& w) { return w.second == window; });
  return known == kWindows.end() ? std::string_view() : known->first;
}

std::vector<EffectSpec> read_effects(const data::Node& root, const Edition* edition, const std::string& id) {
  std::vector<EffectSpec> effects;
  const auto node = root.get("effect");
  if (!node) return effects;
  node->need_array("[[effect]] tables, with two brackets");
  for (const data::Node& item : node->children()) {
    for (EffectSpec& effect : read_table(item, edition, id)) {
      if (id.empty() && effect.each) item.get("each")->fail("only effects of cards act on each token");
      const bool repeated =
          id.empty() && std::any_of(effects.begin(), effects.end(),
                                    [&effect](const EffectSpec& other) { return other.id == effect.id; });
      if (repeated)
        item.fail(fmt::format("the id {} is given twice; each effect has its own", base::in_quotes(effect.id)));
      effects.push_back(std::move(effect));
    }
  }
  return effects;
}

}  // namespace salvo::load
