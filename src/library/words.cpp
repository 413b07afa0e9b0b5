// A card in a player's words: see words.h.
#include "library/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace salvo::library {

namespace {

using load::Value;

/// The members of a table, with a note of those that were asked for.
class Keys {
 public:
  explicit Keys(const Value& table) : table_(table) {}

  const Value* get(std::string_view key) {
    seen_.emplace(key);
    for (const Value& member : table_.items) {
      if (member.key == key) return &member;
    }
    return nullptr;
  }
  std::string text(std::string_view key, std::string otherwise = "") {
    const Value* value = get(key);
    return value == nullptr ? std::move(otherwise) : value->text;
  }
  bool flag(std::string_view key) {
    const Value* value = get(key);
    return value != nullptr && value->boolean;
  }
  /// Members that nobody asked for, as "key = value".
  std::vector<std::string> rest() const;

 private:
  const Value& table_;
  std::set<std::string, std::less<>> seen_;
};

/// A value as it would stand in a file, on one line.
std::string plain(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Boolean:
      return value.boolean ? "true" : "false";
    case Value::Kind::Integer:
      return std::to_string(value.integer);
    case Value::Kind::Array:
    case Value::Kind::Table: {
      std::vector<std::string> parts;
      for (const Value& item : value.items) {
        parts.push_back(value.kind == Value::Kind::Table ? item.key + " = " + plain(item) : plain(item));
      }
      return fmt::format("{}", fmt::join(parts, ", "));
    }
    default:
      return value.text;
  }
}

std::vector<std::string> Keys::rest() const {
  std::vector<std::string> out;
  for (const Value& member : table_.items) {
    if (!seen_.contains(member.key)) out.push_back(member.key + " = " + plain(member));
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, const char* last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  }
  return out;
}

std::vector<std::string> texts(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const Value& item : list->items) out.push_back(item.text);
  return out;
}

/// "1 attack die", "all attack dice", "2 attack dice".
std::string counted(const std::string& n, const std::string& thing, const std::string& things) {
  return fmt::format("{} {}", n, n == "1" ? thing : things);
}

std::string dice_of(const std::string& n, const std::string& faces, const std::string& dice) {
  const std::string what = faces.empty() ? dice : fmt::format("{} {}", faces, dice);
  return counted(n, what + " die", what + " dice");
}

/// `n` of an operation: a number, "all", "any number of"; "exactly" where it must be that many.
std::string number(Keys& keys, bool up_to) {
  const Value* n = keys.get("n");
  const bool exact = keys.flag("exact");
  if (n == nullptr) return "1";
  if (n->kind == Value::Kind::Text) return n->text == "any" ? "any number of" : n->text;
  const std::string digits = std::to_string(n->integer);
  if (exact && digits != "1") return "exactly " + digits;
  return up_to && digits != "1" ? "up to " + digits : digits;
}

/// How many dice or results, and what follows them: "up to as many" ... " as the number of your stress tokens".
struct HowMany {
  std::string n, as;
};

HowMany how_many(Keys& keys, bool up_to, bool player) {
  const std::string expression = keys.text("amount");
  if (expression.empty()) return {number(keys, up_to), ""};
  keys.get("n");
  const std::string most = up_to && !keys.flag("exact") ? "up to " : "";
  if (!player) return {fmt::format("{}({})", most, expression), ""};
  const std::string count = count_words(expression);
  if (count.starts_with("1 if ")) return {"1", count.substr(1)};
  return {most + "as many", " as " + count};
}

std::string faces(Keys& keys, const char* key) {
  const std::vector<std::string> names = texts(keys.get(key));
  if (names.empty() || names.front() == "any") return "";
  return joined(names, " or ");
}

std::string subject(const std::string& who, bool player) {
  if (who == "self" || who.empty()) return "";
  if (who == "foe") return player ? "the other ship " : "foe ";
  if (who == "friend") return player ? "the friend that attacks or defends " : "friend ";
  if (who == "ally") return player ? "another friendly ship " : "ally ";
  return who + " ";
}

/// "1 hit or crit result".
std::string results_of(const HowMany& count, const std::string& faces) {
  const std::string what = faces.empty() ? "" : faces + " ";
  return counted(count.n, what + "result", what + "results");
}

std::string stat_words(Keys& keys) {
  const Value* n = keys.get("n");
  return fmt::format("{} {:+}", keys.text("stat"), n == nullptr ? 0 : n->integer);
}

std::string neutralize_words(Keys& keys) {
  std::vector<std::string> parts;
  if (keys.text("order") == "crit-first") parts.emplace_back("critical hits are cancelled before hits");
  const std::vector<std::string> kept = texts(keys.get("uncancellable"));
  if (!kept.empty()) parts.push_back(fmt::format("{} results cannot be cancelled by dice", joined(kept, " and ")));
  return joined(parts, " and ");
}

std::string limit_words(Keys& keys) {
  std::vector<std::string> parts;
  const Value *least = keys.get("min"), *most = keys.get("max");
  const auto limit = [](const Value& value) {
    return value.kind == Value::Kind::Text ? fmt::format("({})", count_words(value.text))
                                           : std::to_string(value.integer);
  };
  if (least != nullptr) parts.push_back("at least " + limit(*least));
  if (most != nullptr) parts.push_back("at most " + limit(*most));
  return fmt::format("roll {} {} dice", joined(parts, " and "), keys.text("dice"));
}

/// The ship or ships to which something is forbidden.
std::string forbidden_to(const std::string& who, bool player) {
  if (who == "foe") return player ? "the other ship" : "foe";
  if (who == "foes") return player ? "ships of the other side" : "foes";
  if (who == "friends") return player ? "you and your friends" : "friends";
  if (who == "all") return player ? "nobody" : "all";
  if (who == "friend" || who == "ally")
    return player ? subject(who, true).substr(0, subject(who, true).size() - 1) : who;
  return player ? "you" : "self";
}

std::string forbid_words(Keys& keys, bool player) {
  const std::string who = keys.text("who", "self"), what = keys.text("what");
  const std::string dice = keys.text("dice", "own");
  const std::string ship = forbidden_to(who, player);
  const char* cannot = ship == "nobody" ? "can" : "cannot";
  if (what == "add-dice") return fmt::format("{} dice cannot be added", dice);
  if (what == "reduce-dice") return fmt::format("{} {} reduce the number of {} dice", ship, cannot, dice);
  if (what == "modify") return fmt::format("{} {} modify {} dice", ship, cannot, dice);
  if (what == "cancel") return fmt::format("{} {} cancel {} dice", ship, cannot, dice);
  if (what == "reroll") return fmt::format("{} {} reroll {} dice", ship, cannot, dice);
  if (what == "spend") return fmt::format("{} {} spend", ship, cannot);
  return fmt::format("{} cannot {} ({} dice)", ship, what, dice);
}

/// "turret", or "the weapon itself" where the card names none.
std::string bonus_words(Keys& keys, bool player) {
  const std::string weapon = keys.text("weapon"), target = keys.text("target"), who = keys.text("who", "self");
  std::string out = (subject(who, player).empty() ? "make" : subject(who, player) + "makes") + " a bonus attack";
  if (!weapon.empty()) out += " with " + weapon;
  if (target == "foe") out += player ? " against the same ship" : " on foe";
  if (target == "other") out += player ? " against another ship" : " on another ship";
  if (keys.flag("last")) out += player ? ", the last of the round" : ", last";
  return out;
}

std::string pool_words(Keys& keys, bool player) {
  const std::string dice = keys.text("dice");
  const Value* n = keys.get("n");
  if (keys.text("amount") == "0") return "prepare a later effect";
  if (keys.get("amount") != nullptr) {
    const HowMany count = how_many(keys, false, player);
    return fmt::format("roll {} more {} dice{}", count.n, dice, count.as);
  }
  const std::int64_t count = n == nullptr ? 1 : n->integer;
  const std::string more = count < 0 ? "fewer" : "more";
  return "roll " +
         counted(std::to_string(count < 0 ? -count : count), more + " " + dice + " die", more + " " + dice + " dice");
}

/// A player is told whose charge it is.
std::string token_word(const std::string& token, const std::string& n, bool player) {
  if (token != "charge") return token;
  return std::string(n == "1" ? "charge" : "charges") + (player ? " of this card" : "");
}

std::string tokens_words(Keys& keys, const char* own, const char* other, bool player) {
  const std::string who = keys.text("who", "self"), token = keys.text("token");
  const std::string verb = subject(who, player).empty() ? own : subject(who, player) + other;
  const bool of_weapon = keys.text("of", "card") == "weapon";
  const HowMany count = how_many(keys, false, player);
  return fmt::format("{} {} {}{}{}", verb, count.n, token_word(token, count.n, player && !of_weapon),
                     of_weapon ? " of the weapon" : "", count.as);
}

std::string operation_words(const Value& operation, bool player) {
  Keys keys(operation);
  const std::string verb = keys.text("verb");
  std::string out;
  if (verb == "pool") {
    out = pool_words(keys, player);
  } else if (verb == "change") {
    const HowMany count = how_many(keys, false, player);
    const std::string from = faces(keys, "from"), dice = keys.text("dice");
    out = fmt::format("change {} to {}{}", dice_of(count.n, from, dice), keys.text("to"), count.as);
  } else if (verb == "reroll") {
    const HowMany count = how_many(keys, true, player);
    out = "reroll " + dice_of(count.n, faces(keys, "from"), keys.text("dice")) + count.as;
  } else if (verb == "add") {
    const HowMany count = how_many(keys, false, player);
    out = fmt::format("add {} to the {} dice{}", results_of(count, keys.text("to")), keys.text("dice"), count.as);
  } else if (verb == "cancel") {
    const HowMany count = how_many(keys, false, player);
    out =
        fmt::format("cancel {} of the {} dice{}", results_of(count, faces(keys, "from")), keys.text("dice"), count.as);
    if (keys.flag("as_evade")) out += " as an evade result would";
  } else if (verb == "gain") {
    out = tokens_words(keys, "gain", "gains", player);
  } else if (verb == "lose") {
    out = tokens_words(keys, "lose", "loses", player);
  } else if (verb == "damage") {
    const std::string who = keys.text("who", "self");
    const std::string suffers = subject(who, player).empty() ? "suffer" : subject(who, player) + "suffers";
    const HowMany count = how_many(keys, false, player);
    out = fmt::format("{} {} {}damage{}", suffers, count.n == "as many" ? "as much" : count.n,
                      keys.flag("crit") ? "critical " : "", count.as);
  } else if (verb == "neutralize") {
    out = neutralize_words(keys);
  } else if (verb == "stat") {
    out = stat_words(keys);
  } else if (verb == "limit") {
    out = limit_words(keys);
  } else if (verb == "forbid") {
    out = forbid_words(keys, player);
    std::vector<std::string> source = texts(keys.get("source"));
    if (player) std::replace(source.begin(), source.end(), std::string("green"), std::string("green tokens"));
    const std::vector<std::string> except = texts(keys.get("except"));
    if (!source.empty()) out += (out.ends_with("spend") ? " " : " by spending ") + joined(source, " or ");
    if (!except.empty()) out += " except with " + joined(except, " or ");
  } else if (verb == "spend") {
    const HowMany count = how_many(keys, false, player);
    out = fmt::format("spend {} of the {} dice{}", results_of(count, faces(keys, "from")), keys.text("dice"), count.as);
  } else if (verb == "roll") {
    const HowMany count = how_many(keys, false, player);
    out = fmt::format("roll {} outside the attack{}", dice_of(count.n, "", keys.text("dice")), count.as);
  } else if (verb == "hit") {
    out = keys.flag("skip") ? "the attack hits without dice" : "the attack counts as hitting";
  } else if (verb == "flip") {
    out = fmt::format("turn {} of these cards facedown", how_many(keys, false, player).n);
  } else if (verb == "expose") {
    const std::string who = keys.text("who", "self"), n = number(keys, false);
    const std::string exposes = subject(who, player).empty() ? "expose" : subject(who, player) + "exposes";
    out = fmt::format("{} {}", exposes, counted(n, "damage card", "damage cards"));
  } else if (verb == "deal") {
    out = keys.text("as") == "discarded" ? "discard that card" : "be dealt that card facedown";
  } else if (verb == "convert") {
    out = fmt::format("{} damage becomes {} damage", faces(keys, "from"), keys.text("to"));
  } else if (verb == "treat") {
    const std::string amount = keys.text("amount"), fact = keys.text("fact");
    out = fmt::format("treat {} as {}", player && fact == "range" ? "the attack range" : fact,
                      player ? count_words(amount) : fmt::format("({})", amount));
  } else if (verb == "waive") {
    out = fmt::format("the weapon needs no {}", keys.text("token"));
  } else if (verb == "bonus") {
    out = bonus_words(keys, player);
  } else {
    out = verb;
  }
  if (keys.flag("if_none")) out += " (also when there is none)";
  const std::vector<std::string> rest = keys.rest();
  return rest.empty() ? out : fmt::format("{} ({})", out, fmt::join(rest, ", "));
}

/// A price list: "1 focus and 1 charge of this card".
std::string cost_words(const Value* list, bool player) {
  std::vector<std::string> parts;
  if (list == nullptr) return "";
  for (const Value& item : list->items) {
    Keys keys(item);
    const Value* n = keys.get("n");
    const std::string token = keys.text("token"), who = keys.text("who", "self");
    const std::string number = std::to_string(n == nullptr ? 1 : n->integer);
    const bool of_weapon = keys.text("of", "card") == "weapon";
    std::string part =
        number + " " + token_word(token, number, player && !of_weapon) + (of_weapon ? " of the weapon" : "");
    if (who != "self") part += " of " + subject(who, player).substr(0, subject(who, player).size() - 1);
    for (const std::string& rest : keys.rest()) part += " (" + rest + ")";
    parts.push_back(std::move(part));
  }
  return joined(parts, " and ");
}

/// When a window is, for whom: "While you attack, as the attack dice are modified".
std::string moment(const std::string& window, const std::string& side, const std::string& whose) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 23> kMoments{{
      {"engagement-start", "before the first attack"},
      {"engage", "before your first attack"},
      {"always", "at all times"},
      {"declare", "as the attack is declared"},
      {"attack-pool", "before the attack dice are rolled"},
      {"attack-rolled", "after the attack dice are rolled"},
      {"attack-mod", "as the attack dice are modified"},
      {"attack-set", "once the attack dice are modified"},
      {"defense-pool", "before the defense dice are rolled"},
      {"defense-rolled", "after the defense dice are rolled"},
      {"defense-mod", "as the defense dice are modified"},
      {"before-neutralize", "before results are neutralized"},
      {"neutralize", "after results are neutralized"},
      {"outcome", "once it is known whether the attack hits"},
      {"damage", "before damage is dealt"},
      {"aftermath", "after the attack"},
      {"attack-end", "at the very end of the attack"},
      {"card-due", "before you are dealt a faceup damage card, which nobody has seen"},
      {"card-seen", "when a damage card is drawn that you would be dealt faceup"},
      {"dealt", "when the card is dealt faceup"},
      {"crit-suffered", "after one critical damage was suffered"},
      {"opportunity", "after the chance to attack"},
      {"own-mod", "as your own dice are modified"},
  }};
  std::string when = "at the window " + window;
  for (const auto& [name, words] : kMoments) {
    if (name == window) when = words;
  }
  const std::string ship = whose == "ally" ? "another friendly ship" : whose == "friend" ? "a friendly ship" : "you";
  const char* s = ship == "you" ? "" : "s";
  if (side == "attacker") return fmt::format("While {} attack{}, {}", ship, s, when);
  if (side == "defender") return fmt::format("While {} defend{}, {}", ship, s, when);
  return fmt::format("While {0} attack{1} or defend{1}, {2}", ship, s, when);
}

/// What the other player may choose in place of an effect: one offer, or a list of them. The data tell it from the
/// card's side.
std::vector<std::string> offers(const Value* unless, const Facts& facts) {
  std::vector<std::string> out;
  if (unless == nullptr) return out;
  std::vector<Value> list{*unless};
  if (unless->kind == Value::Kind::Array) list = unless->items;
  for (const Value& offer : list) {
    Keys keys(offer);
    std::vector<std::string> parts;
    if (const std::string price = cost_words(keys.get("cost"), true); !price.empty()) {
      parts.push_back(fmt::format("pay {}", price));
    }
    if (const Value* operations = keys.get("do")) {
      for (const Value& operation : operations->items) parts.push_back(operation_words(operation, true));
    }
    std::string text = joined(parts, ", and ");
    if (const std::string when = keys.text("when"); !when.empty()) text += ", if " + condition_words(when, facts);
    for (const std::string& rest : keys.rest()) text += fmt::format(" ({})", rest);
    out.push_back(std::move(text));
  }
  return out;
}

/// Who decides: "you may ", "you must ", or nobody. What another ship does is chosen, not done.
std::string decision(bool may, bool must, bool foe, const std::string& what) {
  if (!may) return "";
  const bool others = what.starts_with("the ") || what.starts_with("another ") || what.starts_with("critical ");
  if (others && !must && !foe) return "you may choose that ";
  const std::string player = foe ? "the other player " : "you ";
  return player + (must ? "must choose this or another effect of the kind: " : foe ? "may choose: " : "may ");
}

EffectWords describe_effect(const Value& effect, const Facts& facts) {
  Keys keys(effect);
  EffectWords out;
  out.line = effect.line;
  out.window = keys.text("at");
  out.side = keys.text("side", "any");
  out.may = keys.flag("may");
  keys.get("id");
  std::vector<std::string> short_parts, long_parts;
  if (const Value* operations = keys.get("do")) {
    for (const Value& operation : operations->items) {
      short_parts.push_back(operation_words(operation, false));
      long_parts.push_back(operation_words(operation, true));
    }
  }
  const Value* cost = keys.get("cost");
  const std::string whose = keys.text("for", "self"), by = keys.text("by");
  const std::string when = keys.text("when"), times = keys.text("times");
  out.summary = fmt::format("{}: {}", out.window, joined(short_parts, " and "));
  if (const std::string price = cost_words(cost, false); !price.empty()) out.summary += ", for " + price;
  const bool must = keys.flag("must");
  if (out.may) out.summary += fmt::format(", {}{}", by == "foe" ? "foe " : "", must ? "must" : "may");
  if (whose != "self") out.summary += ", for " + whose;
  out.text = moment(out.window, out.side, whose);
  if (!when.empty()) out.text += fmt::format(", if {}", condition_words(when, facts));
  out.text += fmt::format(": {}{}.", decision(out.may, must, by == "foe", long_parts.empty() ? "" : long_parts.front()),
                          joined(long_parts, ", and "));
  if (const std::string price = cost_words(cost, true); !price.empty()) out.text += fmt::format(" Costs {}.", price);
  if (!times.empty()) out.text += fmt::format(" As often as {}.", count_words(times));
  if (keys.text("acts") == "self") out.text += " You act, not the friend.";
  if (keys.flag("once_per_attack")) out.text += " Once per attack.";
  if (keys.flag("once_per_round")) out.text += " Once per round.";
  if (keys.flag("repeats")) out.text += " May be used several times in an attack.";
  if (const std::vector<std::string> instead = offers(keys.get("unless"), facts); !instead.empty()) {
    out.summary += ", unless foe chooses otherwise";
    out.text += fmt::format(" The other player may choose instead: {}.", fmt::join(instead, "; or: "));
  }
  if (const Value* declare = keys.get("declare")) {
    out.summary += ", after a number is declared";
    out.text += fmt::format(" Declare one of {} first.", plain(*declare));
  }
  for (const std::string& rest : keys.rest()) {
    out.summary += fmt::format(" ({})", rest);
    out.text += fmt::format(" ({}).", rest);
  }
  return out;
}

std::string weapon_words(const Value& weapon) {
  Keys keys(weapon);
  const Value *attack = keys.get("attack"), *least = keys.get("min_range"), *most = keys.get("max_range");
  const std::int64_t from = least == nullptr ? 0 : least->integer, to = most == nullptr ? 5 : most->integer;
  const std::string range = from == to ? std::to_string(from) : fmt::format("{} to {}", from, to);
  std::string value = "as the front weapon of the docked ship";
  if (attack == nullptr || attack->kind != Value::Kind::Text)
    value = std::to_string(attack == nullptr ? 0 : attack->integer);
  std::string out = fmt::format("attack {}, {} arc, range {}", value, keys.text("arc"), range);
  if (keys.flag("ordnance")) out += ", ordnance";
  const std::vector<std::string> needs = texts(keys.get("requires"));
  if (!needs.empty()) out += ", needs " + joined(needs, " and ");
  if (const std::string price = cost_words(keys.get("cost"), false); !price.empty()) out += ", costs " + price;
  for (const std::string& rest : keys.rest()) out += ", " + rest;
  return out;
}

}  // namespace

std::string CardWords::summary() const {
  std::vector<std::string> parts;
  if (!tokens.empty()) parts.push_back("starts with " + tokens);
  if (!weapon.empty()) parts.push_back("weapon: " + weapon);
  for (const EffectWords& effect : effects) parts.push_back(effect.summary);
  return fmt::format("{}", fmt::join(parts, "; "));
}

CardWords describe_card(const load::CardFile& card, const Facts& facts) {
  CardWords out;
  out.id = card.spec.id;
  out.kind = card.spec.kind;
  out.file = card.path;
  out.charges = card.spec.charges;
  out.omits = card.spec.omits;
  out.partly = card.spec.partly;
  for (const auto& [name, usual] : card.spec.facts) {
    const auto meaning = facts.find(name);
    out.facts.push_back({name, usual, meaning == facts.end() ? "" : meaning->second});
  }
  Keys keys(card.tree);
  for (const char* told : {"format", "id", "kind", "name", "charges", "tokens", "facts", "omits", "partly"})
    keys.get(told);
  std::vector<std::string> tokens;
  for (const auto& [token, n] : card.spec.tokens) tokens.push_back(fmt::format("{} {}", n, token));
  out.tokens = joined(tokens, " and ");
  if (const Value* weapon = keys.get("weapon")) out.weapon = weapon_words(*weapon);
  if (const Value* effects = keys.get("effect")) {
    for (const Value& effect : effects->items) out.effects.push_back(describe_effect(effect, facts));
  }
  out.other = keys.rest();
  return out;
}

}  // namespace salvo::library
