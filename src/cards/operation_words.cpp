#include "cards/operation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/index.h"
#include "base/text.h"
#include "cards/card_keys.h"
#include "load/card_file.h"

namespace salvo::cards {

using data::Value;

namespace {

/// "1 attack die", "all attack dice", "2 attack dice".
std::string counted(const std::string& n, const std::string& thing, const std::string& things) {
  return fmt::format("{} {}", n, n == "1" ? thing : things);
}

std::string dice_of(const std::string& n, const std::string& faces, const std::string& dice) {
  const std::string what = faces.empty() ? dice : fmt::format("{} {}", faces, dice);
  return counted(n, what + " die", what + " dice");
}

/// `n` of an operation: a number, "all", "any number of"; "exactly" if fewer are not allowed.
std::string number(KeyReader& keys, bool up_to) {
  const Value* n = keys.get("n");
  const bool exact = keys.flag("exact");
  if (n == nullptr) return "1";
  if (n->kind == Value::Kind::Text) return n->text == "any" ? "any number of" : n->text;
  const std::string digits = std::to_string(n->integer);
  if (exact && digits != "1") return "exactly " + digits;
  return up_to && digits != "1" ? "up to " + digits : digits;
}

/// A number of dice or results, and the words after them: "up to as many" ... " as the number of your stress tokens".
struct HowMany {
  std::string n, as;
};

HowMany how_many(KeyReader& keys, bool up_to, const Wording& wording) {
  const std::string expression = keys.text("amount");
  if (expression.empty()) return {number(keys, up_to), ""};
  keys.get("n");
  const std::string most = up_to && !keys.flag("exact") ? "up to " : "";
  if (!wording.player) return {fmt::format("{}({})", most, expression), ""};
  const std::string count = count_words(expression, wording.vocabulary);
  if (count.starts_with("1 if ")) return {"1", count.substr(1)};
  return {most + "as many", " as " + count};
}

std::string faces(KeyReader& keys, const char* key) {
  const std::vector<std::string> names = texts(keys.get(key));
  if (names.empty() || names.front() == "any") return "";
  return joined(names, " or ");
}

std::string subject(const std::string& who, const Wording& wording) {
  if (who == "self" || who.empty()) return "";
  if (who == "foe") return wording.player ? "the other ship " : "foe ";
  if (who == "friend") return wording.player ? "the friend that attacks or defends " : "friend ";
  if (who == "ally") return wording.player ? "another friendly ship " : "ally ";
  if (who == "enemy") return wording.player ? "another enemy ship " : "enemy ";
  return who + " ";
}

/// "1 hit or crit result".
std::string results_of(const HowMany& count, const std::string& faces) {
  const std::string what = faces.empty() ? "" : faces + " ";
  return counted(count.n, what + "result", what + "results");
}

/// "the primary weapon of the front arc", "a turret", "Ion Cannon".
std::string weapon_of(const std::string& weapon, const Wording& wording) {
  if (!wording.player) return weapon;
  if (weapon.starts_with("primary:"))
    return fmt::format("the primary weapon of the {} arc", without_hyphens(weapon.substr(8)));
  if (weapon == "primary") return "a primary weapon";
  if (base::contains(load::weapon_slots(), weapon)) return fmt::format("a {} upgrade", weapon);
  return named(weapon, wording.vocabulary);
}

std::string stat_words(KeyReader& keys, const Wording& wording) {
  const Value* n = keys.get("n");
  const std::int64_t number = n == nullptr ? 0 : n->integer;
  const std::string stat = keys.text("stat"), weapon = keys.text("weapon"), arc = keys.text("to");
  if (arc == "docked") return fmt::format("the {} of a docked ship are yours too", stat);
  if (weapon.empty()) return fmt::format("{} {:+}", stat, number);
  const std::string what = weapon_of(weapon, wording);
  const std::string to = wording.player ? without_hyphens(arc) : arc;
  if (arc.empty()) return fmt::format("{} has {} dice", what, number);
  if (n == nullptr) return fmt::format("{} of the front arc shoots from the {} arc", what, to);
  return fmt::format("{} has {} dice in the {} arc", what, number, to);
}

std::string neutralize_words(KeyReader& keys) {
  std::vector<std::string> parts;
  if (keys.text("order") == "crit-first") parts.emplace_back("critical hits are cancelled before hits");
  const std::vector<std::string> uncancellable = texts(keys.get("uncancellable"));
  if (!uncancellable.empty())
    parts.push_back(fmt::format("{} results cannot be cancelled by dice", joined(uncancellable, " and ")));
  return joined(parts, " and ");
}

std::string limit_words(KeyReader& keys, const Wording& wording) {
  std::vector<std::string> parts;
  const Value *least = keys.get("min"), *most = keys.get("max");
  const auto limit = [&](const Value& value) {
    return value.kind == Value::Kind::Text ? fmt::format("({})", count_words(value.text, wording.vocabulary))
                                           : std::to_string(value.integer);
  };
  const bool anything =
      least != nullptr && most == nullptr && least->kind == Value::Kind::Integer && least->integer == 0;
  keys.get("dice");
  if (anything && wording.player) return "make this choice";
  if (least != nullptr) parts.push_back("at least " + limit(*least));
  if (most != nullptr) parts.push_back("at most " + limit(*most));
  return fmt::format("roll {} {} dice", joined(parts, " and "), keys.text("dice"));
}

std::string reach_words(KeyReader& keys) {
  const auto number_of = [&](const char* key) {
    const Value* value = keys.get(key);
    return value == nullptr ? std::int64_t{0} : value->integer;
  };
  const std::int64_t farther = number_of("n");
  const std::string by = farther == 0 ? "" : fmt::format("{} nearer or farther than it says, within ", farther);
  return fmt::format("the weapon can be used at {}range {} to {}", by, number_of("min"), number_of("max"));
}

/// The ships to which something is forbidden.
std::string forbidden_to(const std::string& who, const Wording& wording) {
  if (who == "foe") return wording.player ? "the other ship" : "foe";
  if (who == "foes") return wording.player ? "ships of the other side" : "foes";
  if (who == "friends") return wording.player ? "you and your friends" : "friends";
  if (who == "all") return wording.player ? "nobody" : "all";
  if (who == "friend" || who == "ally")
    return wording.player ? subject(who, wording).substr(0, subject(who, wording).size() - 1) : who;
  return wording.player ? "you" : "self";
}

/// " on you", the ship on which a lock is; nothing for the other ship of the attack.
std::string locked_words(const std::string& on, const Wording& wording) {
  if (on.empty()) return "";
  if (!wording.player) return " on " + on;
  if (on == "self") return " on you";
  return on == "enemy" ? " on another enemy ship" : " on another friendly ship";
}

std::string forbid_words(KeyReader& keys, const Wording& wording) {
  const std::string who = keys.text("who", "self"), what = keys.text("what");
  const std::string dice = keys.text("dice", "own");
  const std::string ship = forbidden_to(who, wording);
  const char* cannot = ship == "nobody" ? "can" : "cannot";
  if (what == "lock") {
    const std::string on = locked_words(keys.text("on"), wording);
    return fmt::format("{} {} acquire locks{}", ship, cannot, on.empty() && wording.player ? " on the other ship" : on);
  }
  if (what == "add-dice") return fmt::format("{} dice cannot be added", dice);
  if (what == "reduce-dice") return fmt::format("{} {} reduce the number of {} dice", ship, cannot, dice);
  if (what == "modify" && keys.get("max") != nullptr)
    return fmt::format("{} {} modify more than one {} result of the {} dice", ship, cannot,
                       joined(texts(keys.get("from")), " or "), dice);
  if (what == "modify") return fmt::format("{} {} modify {} dice", ship, cannot, dice);
  if (what == "cancel") return fmt::format("{} {} cancel {} dice", ship, cannot, dice);
  if (what == "reroll" && keys.get("max") != nullptr)
    return fmt::format("{} {} reroll more than one of the {} dice", ship, cannot, dice);
  if (what == "reroll") return fmt::format("{} {} reroll {} dice", ship, cannot, dice);
  return fmt::format("{} {} {}", ship, cannot, what);
}

/// "make a bonus attack with turret"; without a weapon if the card names none.
std::string bonus_words(KeyReader& keys, const Wording& wording) {
  const Value* weapon = keys.get("weapon");
  const std::string target = keys.text("target"), who = keys.text("who", "self");
  std::vector<std::string> weapons;
  if (weapon != nullptr && weapon->kind == Value::Kind::Text) weapons.push_back(weapon_of(weapon->text, wording));
  for (const std::string& name : texts(weapon)) weapons.push_back(weapon_of(name, wording));
  std::string out = (subject(who, wording).empty() ? "make" : subject(who, wording) + "makes") + " a bonus attack";
  if (!weapons.empty()) out += " with " + joined(weapons, " or ");
  if (keys.flag("another")) out += weapons.empty() ? " with another weapon" : ", not the weapon of this attack,";
  if (target == "foe") out += wording.player ? " against the same ship" : " on foe";
  if (target == "other") out += wording.player ? " against another ship" : " on another ship";
  if (keys.flag("last")) out += wording.player ? ", the last of the round" : ", last";
  return out;
}

std::string pool_words(KeyReader& keys, const Wording& wording) {
  const std::string dice = keys.text("dice");
  const Value* n = keys.get("n");
  if (keys.text("amount") == "0") return wording.player ? "make this choice" : "prepare a later effect";
  if (keys.get("amount") != nullptr) {
    const HowMany count = how_many(keys, false, wording);
    return fmt::format("roll {} more {} dice{}", count.n, dice, count.as);
  }
  const std::int64_t count = n == nullptr ? 1 : n->integer;
  const std::string more = count < 0 ? "fewer" : "more";
  return "roll " +
         counted(std::to_string(count < 0 ? -count : count), more + " " + dice + " die", more + " " + dice + " dice");
}

/// For a player it says whose charge it is.
std::string token_word(const std::string& token, const std::string& n, bool own, const Wording& wording) {
  if (token != "charge") return wording.player ? without_hyphens(token) : token;
  return std::string(n == "1" ? "charge" : "charges") + (own && wording.player ? " of this card" : "");
}

/// " of the weapon", for charges of another card.
std::string other_charges(KeyReader& keys, const Wording& wording) {
  const std::string of = keys.text("of", "card");
  if (of == "card") return "";
  if (!wording.player) return " of the " + of;
  struct Known {
    std::string_view of, words;
  };
  static constexpr std::array<Known, 6> kKnown{{
      {"weapon", "the weapon"},
      {"pilot", "the pilot card"},
      {"recurring-pilot", "the pilot card, if they recover"},
      {"lasting-pilot", "the pilot card, if they do not recover"},
      {"upgrade", "an upgrade whose charges do not recover"},
      {"any-upgrade", "any upgrade"},
  }};
  for (const Known& known : kKnown) {
    if (known.of == of) return fmt::format(" of {}", known.words);
  }
  const std::string name = named(of, wording.vocabulary);
  return name == of ? fmt::format(" of the {} upgrade", of) : " of " + name;
}

std::string tokens_words(KeyReader& keys, const char* own, const char* other, const Wording& wording) {
  const std::string who = keys.text("who", "self"), token = keys.text("token");
  const std::string verb = subject(who, wording).empty() ? own : subject(who, wording) + other;
  if (token == "condition")
    return fmt::format("{} the condition {} during the setup", verb, named(keys.text("of"), wording.vocabulary));
  const std::string of = other_charges(keys, wording);
  const HowMany count = how_many(keys, false, wording);
  return fmt::format("{} {} {}{}{}{}", verb, count.n, token_word(token, count.n, of.empty(), wording), of, count.as,
                     locked_words(keys.text("on"), wording));
}

std::string treat_words(KeyReader& keys, const Wording& wording) {
  const std::string amount = keys.text("amount"), fact = keys.text("fact");
  if (!wording.player) return fmt::format("treat {} as ({})", fact, amount);
  if (fact == "range" || fact == "initiative")
    return fmt::format("treat {} as {}", fact == "range" ? "the attack range" : "your initiative",
                       count_words(amount, wording.vocabulary));
  if (amount != "0" && amount != "1")
    return fmt::format("treat {} as {}", count_words(fact, wording.vocabulary),
                       count_words(amount, wording.vocabulary));
  return fmt::format("it counts as {} that {}", amount == "0" ? "false" : "true",
                     condition_words(fact, wording.vocabulary));
}

}  // namespace

std::string operation_words(const Value& operation, const Wording& wording) {
  KeyReader keys(operation);
  const std::string verb = keys.text("verb");
  std::string out;
  if (verb == "pool") {
    out = pool_words(keys, wording);
  } else if (verb == "change") {
    const HowMany count = how_many(keys, false, wording);
    const std::string from = faces(keys, "from"), dice = keys.text("dice");
    out = fmt::format("change {} to {}{}", dice_of(count.n, from, dice), keys.text("to"), count.as);
  } else if (verb == "reroll") {
    const HowMany count = how_many(keys, true, wording);
    out = "reroll " + dice_of(count.n, faces(keys, "from"), keys.text("dice")) + count.as;
  } else if (verb == "add") {
    const HowMany count = how_many(keys, false, wording);
    out = fmt::format("add {} to the {} dice{}", results_of(count, keys.text("to")), keys.text("dice"), count.as);
  } else if (verb == "cancel") {
    const HowMany count = how_many(keys, false, wording);
    out =
        fmt::format("cancel {} of the {} dice{}", results_of(count, faces(keys, "from")), keys.text("dice"), count.as);
    if (keys.flag("as_evade")) out += " as an evade result would";
  } else if (verb == "gain") {
    const bool shield = keys.text("token") == "shield";
    out = shield ? tokens_words(keys, "recover", "recovers", wording) : tokens_words(keys, "gain", "gains", wording);
  } else if (verb == "lose") {
    out = tokens_words(keys, "lose", "loses", wording);
  } else if (verb == "damage") {
    const std::string who = keys.text("who", "self");
    const std::string suffers = subject(who, wording).empty() ? "suffer" : subject(who, wording) + "suffers";
    const HowMany count = how_many(keys, false, wording);
    out = fmt::format("{} {} {}damage{}", suffers, count.n == "as many" ? "as much" : count.n,
                      keys.flag("crit") ? "critical " : "", count.as);
    if (keys.flag("past_shields")) out += " past shields";
  } else if (verb == "prevent") {
    const HowMany count = how_many(keys, false, wording);
    const std::string whose = subject(keys.text("who", "self"), wording);
    out = whose.empty() ? "suffer " : whose + "suffers ";
    out += count.n == "all" ? "no damage" : (count.n == "as many" ? "as much" : count.n) + " damage less" + count.as;
  } else if (verb == "neutralize") {
    out = neutralize_words(keys);
  } else if (verb == "stat") {
    out = stat_words(keys, wording);
  } else if (verb == "limit") {
    out = limit_words(keys, wording);
  } else if (verb == "forbid") {
    out = forbid_words(keys, wording);
    std::vector<std::string> source = texts(keys.get("source"));
    if (wording.player) std::replace(source.begin(), source.end(), std::string("green"), std::string("green tokens"));
    const std::vector<std::string> except = texts(keys.get("except"));
    if (!source.empty()) out += (out.ends_with("spend") ? " " : " by spending ") + joined(source, " or ");
    if (!except.empty())
      out += " except with " + (wording.player && except.front() == "card" ? "this card" : joined(except, " or "));
  } else if (verb == "spend") {
    const HowMany count = how_many(keys, false, wording);
    out = fmt::format("spend {} of the {} dice{}", results_of(count, faces(keys, "from")), keys.text("dice"), count.as);
  } else if (verb == "roll") {
    const HowMany count = how_many(keys, false, wording);
    out = fmt::format("roll {} outside the attack{}", dice_of(count.n, "", keys.text("dice")), count.as);
  } else if (verb == "hit") {
    out = keys.flag("skip") ? "the attack hits without dice" : "the attack counts as hitting";
  } else if (verb == "flip") {
    out = fmt::format("turn {} of these cards facedown", how_many(keys, false, wording).n);
  } else if (verb == "expose") {
    const std::string who = keys.text("who", "self");
    const std::string exposes = subject(who, wording).empty() ? "expose" : subject(who, wording) + "exposes";
    const HowMany count = how_many(keys, false, wording);
    out = fmt::format("{} {}{}", exposes, counted(count.n, "damage card", "damage cards"), count.as);
    if (keys.flag("pick")) out += " that you pick after a look at the facedown ones";
  } else if (verb == "repair") {
    const std::string who = subject(keys.text("who", "self"), wording), trait = keys.text("of");
    out = fmt::format("{} 1 faceup {}damage card", who.empty() ? "repair" : who + "repairs",
                      trait.empty() ? trait : trait + " ");
  } else if (verb == "pick") {
    const std::string who = subject(keys.text("who", "self"), wording);
    const std::string dealt = who.empty() ? "you are dealt" : who + "is dealt",
                      exposed = who.empty() ? "you expose" : who + "exposes";
    const std::string n = how_many(keys, false, wording).n;
    out = keys.text("of") == "facedown"
              ? fmt::format("look at the facedown damage cards and pick the one that {}", exposed)
              : fmt::format("of {} damage cards drawn pick the one that {} faceup", n, dealt);
  } else if (verb == "deal") {
    const std::string as = keys.text("as"), who = subject(keys.text("who", "self"), wording);
    const std::string card = who.empty() ? "that card" : fmt::format("the card that {}is dealt", who);
    out = as == "redrawn"     ? fmt::format("discard {} and draw another", card)
          : as == "discarded" ? "discard " + card
                              : fmt::format("{} facedown", who.empty() ? "be dealt that card" : "turn " + card);
  } else if (verb == "convert") {
    out = fmt::format("{} damage becomes {} damage", faces(keys, "from"), keys.text("to"));
  } else if (verb == "treat") {
    out = treat_words(keys, wording);
  } else if (verb == "lend") {
    const std::string token = keys.text("token");
    const std::string instead = joined(texts(keys.get("source")), " or ");
    out = !wording.player ? "lend " + token : fmt::format("that friend can spend your {} tokens as its own", token);
    if (!instead.empty()) out = fmt::format("the price of a weapon can be paid with {} in place of {}", instead, token);
  } else if (verb == "waive") {
    out = fmt::format("the weapon needs no {}", keys.text("token"));
  } else if (verb == "reach") {
    out = reach_words(keys);
  } else if (verb == "bonus") {
    out = bonus_words(keys, wording);
  } else {
    out = verb;
  }
  if (keys.get("modifies") != nullptr && wording.player) out += ", which is no modification of dice";
  if (keys.flag("if_none")) out += " (also when there is none)";
  const std::vector<std::string> rest = keys.rest();
  return rest.empty() ? out : fmt::format("{} ({})", out, base::joined(rest, ", "));
}

std::string cost_words(const Value* list, const Wording& wording) {
  std::vector<std::string> parts;
  if (list == nullptr) return "";
  for (const Value& item : list->items) {
    KeyReader keys(item);
    const Value* n = keys.get("n");
    const std::string token = keys.text("token"), who = keys.text("who", "self");
    const std::string number = std::to_string(n == nullptr ? 1 : n->integer);
    const std::string of = other_charges(keys, wording);
    std::string part = number + " " + token_word(token, number, of.empty(), wording) + of;
    if (who != "self") part += " of " + subject(who, wording).substr(0, subject(who, wording).size() - 1);
    for (const std::string& rest : keys.rest()) part += " (" + rest + ")";
    parts.push_back(std::move(part));
  }
  return joined(parts, " and ");
}

}  // namespace salvo::cards
