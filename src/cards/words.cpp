#include "cards/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "cards/card_keys.h"
#include "cards/operation_words.h"
#include "load/catalogue.h"
#include "salvo/names.h"

namespace salvo::cards {

namespace {

using data::Value;

/// Whether the text contains the word, and not as a part of a longer one.
bool contains_word(std::string_view text, std::string_view word) {
  const auto part_of_word = [](char c) { return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !part_of_word(text[at - 1])) && (end == text.size() || !part_of_word(text[end]))) return true;
  }
  return false;
}

/// Whether a text of the card under this key uses the word; no key: any text.
bool in_texts(const Value& tree, std::string_view word, std::string_view key) {
  if ((key.empty() || tree.key == key) && contains_word(tree.text, word)) return true;
  return std::any_of(tree.items.begin(), tree.items.end(),
                     [&](const Value& item) { return in_texts(item, word, key); });
}

/// Adds the card's effects that its conditions refer to, by their places.
Vocabulary with_effects(const Vocabulary& vocabulary, const Value& effects, const std::string& card) {
  Vocabulary out = vocabulary;
  for (std::size_t i = 0; i < effects.items.size(); ++i) {
    KeyReader keys(effects.items[i]);
    const Value* const once = keys.get("once_per_round");
    const std::string use = once == nullptr ? "" : once->kind == Value::Kind::Text ? once->text : card;
    const std::string number = fmt::format("({})", i + 1);
    for (const std::string& name : {"used." + keys.text("id", card), "done." + use, "chosen." + keys.text("choice")}) {
      if (in_texts(effects, name, "")) out.effects[name].push_back(number);
    }
  }
  return out;
}

/// Writes the numbers of effects that others refer to before their texts.
void number_effects(const Vocabulary& numbered, std::vector<EffectWords>& effects) {
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const std::string number = fmt::format("({})", i + 1);
    const bool meant = std::any_of(numbered.effects.begin(), numbered.effects.end(), [&](const auto& entry) {
      return std::find(entry.second.begin(), entry.second.end(), number) != entry.second.end();
    });
    if (meant) effects[i].text = number + " " + effects[i].text;
  }
}

/// The timing of a window: "While you attack, as the attack dice are modified".
std::string moment(const std::string& window, const std::string& side, const std::string& whose) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 28> kMoments{{
      {"engagement-start", "Before the first attack"},
      {"engage", "Before your first attack"},
      {"round-end", "At the end of the round, before the End Phase removes tokens"},
      {"always", ""},
      {"declare", "as the attack is declared"},
      {"attack-value", "as the attack value is determined"},
      {"defense-value", "as the agility is determined"},
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
      {"damage-due", "Before a ship suffers damage that is not of the attack's results"},
      {"suffered", "after damage was suffered"},
      {"aftermath", "after the attack"},
      {"attack-end", "at the very end of the attack"},
      {"card-due", "before you are dealt a faceup damage card, which nobody has seen"},
      {"card-seen", "when a damage card is drawn that would be dealt faceup"},
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
  if (window == "engage" && ship != "you") return fmt::format("Before the first attack of {}", ship);
  if (!when.empty() && when.front() < 'a') return when;  // between attacks
  const char* s = ship == "you" ? "" : "s";
  if (!when.empty()) when = ", " + when;
  if (side == "attacker") return fmt::format("While {} attack{}{}", ship, s, when);
  if (side == "defender") return fmt::format("While {} defend{}{}", ship, s, when);
  return fmt::format("While {0} attack{1} or defend{1}{2}", ship, s, when);
}

/// The timing of an effect in one or several windows.
std::string moments(const Value* at, const std::string& side, const std::string& whose) {
  if (at == nullptr) return moment("", side, whose);
  if (at->kind != Value::Kind::Array) return moment(at->text, side, whose);
  std::string out;
  for (const std::string& window : texts(at)) {
    std::string when = moment(window, side, whose);
    if (!out.empty()) when.front() = base::lower_case(when.substr(0, 1)).front();
    out += (out.empty() ? "" : "; or ") + when;
  }
  return out;
}

/// What the other player may choose instead of an effect: one offer, or a list of them. The data describe it from the
/// card's point of view.
std::vector<std::string> offers(const Value* unless, const Vocabulary& vocabulary) {
  std::vector<std::string> out;
  if (unless == nullptr) return out;
  std::vector<Value> list{*unless};
  if (unless->kind == Value::Kind::Array) list = unless->items;
  for (const Value& offer : list) {
    KeyReader keys(offer);
    std::vector<std::string> parts;
    if (const std::string price = cost_words(keys.get("cost"), {vocabulary}); !price.empty()) {
      parts.push_back(fmt::format("pay {}", price));
    }
    if (const Value* operations = keys.get("do")) {
      for (const Value& operation : operations->items) parts.push_back(operation_words(operation, {vocabulary}));
    }
    std::string text = joined(parts, ", and ");
    if (const std::string when = keys.text("when"); !when.empty()) text += ", if " + condition_words(when, vocabulary);
    for (const std::string& rest : keys.rest()) text += fmt::format(" ({})", rest);
    out.push_back(std::move(text));
  }
  return out;
}

/// Who decides: "you may ", "you must ", or empty. Effects on other ships are chosen, not done.
std::string decision(bool may, bool must, bool foe, const std::string& what) {
  if (!may) return "";
  const bool others = what.starts_with("the ") || what.starts_with("another ") || what.starts_with("critical ");
  if (others && !must && !foe) return "you may choose that ";
  const std::string player = foe ? "the other player " : "you ";
  return player + (must ? "must choose this or another effect of the kind: " : foe ? "may choose: " : "may ");
}

/// Words of an effect between attacks, where nothing happens in an attack.
std::string between_attacks(std::string words) {
  constexpr std::string_view kInAttack = " in this attack";
  for (std::size_t at = words.find(kInAttack); at != words.npos; at = words.find(kInAttack, at)) {
    const std::string_view before = std::string_view(words).substr(0, at);
    const bool where = before.ends_with(" are") || before.ends_with(" is") || before.ends_with(" not");
    if (where) at += kInAttack.size();
    if (!where) words.erase(at, kInAttack.size());
  }
  return words;
}

EffectWords describe_effect(const Value& effect, const Vocabulary& vocabulary) {
  KeyReader keys(effect);
  EffectWords out;
  out.line = effect.line;
  out.window = keys.get("at") == nullptr ? "" : one_line(*keys.get("at"));
  out.side = keys.text("side", "any");
  out.may = keys.flag("may");
  keys.get("id");
  std::vector<std::string> short_parts, long_parts;
  bool stats = true;  // only the numbers of the ship change
  if (const Value* operations = keys.get("do")) {
    for (const Value& operation : operations->items) {
      stats = stats && KeyReader(operation).text("verb") == "stat";
      short_parts.push_back(operation_words(operation, {vocabulary, false}));
      long_parts.push_back(operation_words(operation, {vocabulary}));
    }
  }
  const Value* cost = keys.get("cost");
  const std::string whose = keys.text("for", "self"), by = keys.text("by");
  const std::string when = keys.text("when"), times = keys.text("times");
  out.summary = fmt::format("{}: {}", out.window, joined(short_parts, " and "));
  if (const std::string price = cost_words(cost, {vocabulary, false}); !price.empty()) out.summary += ", for " + price;
  const bool must = keys.flag("must");
  if (out.may) out.summary += fmt::format(", {}{}", by == "foe" ? "foe " : "", must ? "must" : "may");
  if (whose != "self") out.summary += ", for " + whose;
  out.text = stats && out.side == "any" && whose == "self" ? "Always" : moments(keys.get("at"), out.side, whose);
  if (!when.empty()) out.text += fmt::format(", if {}", condition_words(when, vocabulary));
  out.text += fmt::format(": {}{}.", decision(out.may, must, by == "foe", long_parts.empty() ? "" : long_parts.front()),
                          joined(long_parts, ", and "));
  if (const std::string price = cost_words(cost, {vocabulary}); !price.empty())
    out.text += fmt::format(" Costs {}.", price);
  if (!times.empty()) out.text += fmt::format(" As often as {}.", count_words(times, vocabulary));
  if (const std::string each = keys.text("each"); !each.empty())
    out.text += fmt::format(" Once for each time that {}.", condition_words(each, vocabulary));
  if (keys.text("acts") == "self") out.text += " You act, not the friend.";
  if (keys.flag("once_per_attack")) out.text += " Once per attack.";
  if (keys.get("once_per_round") != nullptr) out.text += " Once per round.";
  if (!keys.text("choice").empty())
    out.text += " The card's other options of this choice are then gone in this attack.";
  if (keys.flag("repeats")) out.text += " May be used several times in an attack.";
  if (const std::vector<std::string> instead = offers(keys.get("unless"), vocabulary); !instead.empty()) {
    out.summary += ", unless foe chooses otherwise";
    out.text += fmt::format(" The other player may choose instead: {}.", base::joined(instead, "; or: "));
  }
  if (const Value* declare = keys.get("declare")) {
    out.summary += ", after a number is declared";
    out.text += fmt::format(" Declare one of {} first.", one_line(*declare));
  }
  for (const std::string& rest : keys.rest()) {
    out.summary += fmt::format(" ({})", rest);
    out.text += fmt::format(" ({}).", rest);
  }
  if (out.window == "engagement-start" || out.window == "engage" || out.window == "round-end")
    out.text = between_attacks(std::move(out.text));
  return out;
}

std::string weapon_words(const Value& weapon, const Vocabulary& vocabulary) {
  KeyReader keys(weapon);
  const Value *attack = keys.get("attack"), *least = keys.get("min_range"), *most = keys.get("max_range");
  const std::int64_t from = least == nullptr ? 0 : least->integer, to = most == nullptr ? 5 : most->integer;
  const std::string range = from == to ? std::to_string(from) : fmt::format("{} to {}", from, to);
  std::string value = "as the front weapon of the docked ship";
  if (attack == nullptr || attack->kind != Value::Kind::Text)
    value = std::to_string(attack == nullptr ? 0 : attack->integer);
  std::string out = fmt::format("attack {}, {} arc, range {}", value, without_hyphens(keys.text("arc")), range);
  if (keys.flag("ordnance")) out += ", ordnance";
  if (keys.flag("twice")) out += ", performed twice";
  if (keys.flag("bonus")) out += ", its attacks are bonus attacks";
  const std::vector<std::string> needs = texts(keys.get("requires"));
  if (!needs.empty()) out += ", needs " + joined(needs, " and ");
  if (const std::string price = cost_words(keys.get("cost"), {vocabulary, false}); !price.empty())
    out += ", costs " + price;
  for (const std::string& rest : keys.rest()) out += ", " + rest;
  return out;
}

}  // namespace

std::string CardWords::summary() const {
  std::vector<std::string> parts;
  if (!tokens.empty()) parts.push_back("starts with " + tokens);
  if (!weapon.empty()) parts.push_back("weapon: " + weapon);
  for (const EffectWords& effect : effects) parts.push_back(effect.summary);
  return base::joined(parts, "; ");
}

Vocabulary vocabulary_of(const Catalogue& catalogue, const std::string& card_set) {
  const auto printed = [&catalogue](const std::string& id, const std::string& set) {
    for (const char* kind : {"upgrade", "pilot", "ship"}) {
      std::string name = name_of(catalogue, kind, id, set);
      if (name != id) return name;
    }
    for (const char* kind : {"condition", "ship"}) {
      const load::CardSpec* const card = catalogue.card(kind, id, set);
      if (card != nullptr && card->name != id) return card->name;
    }
    return std::string();
  };
  const auto name = [printed, card_set](const std::string& id) {
    for (std::string known = id;; known.resize(known.rfind('-'))) {  // the set may lack this version of the card
      if (std::string out = printed(known, card_set); !out.empty()) return out;
      if (known.find('-') == std::string::npos) return id;
    }
  };
  const auto lacks = [printed, name](const std::string& id) {
    const auto& sets = Catalogue::card_sets();
    return name(id) == id &&
           std::any_of(sets.begin(), sets.end(), [&](const auto& s) { return !printed(id, s).empty(); });
  };
  return {catalogue.facts(), name, lacks};
}

CardWords describe_card(const load::CardFile& card, const Vocabulary& vocabulary,
                        const std::set<std::string>& counted) {
  const Facts& facts = vocabulary.facts;
  CardWords out;
  out.id = card.spec.id;
  out.kind = card.spec.kind;
  out.file = card.path;
  out.charges = card.spec.charges;
  out.omits = card.spec.omits;
  out.partly = card.spec.partly;
  for (const auto& [name, usual] : card.spec.facts) {
    const auto meaning = facts.find(name);
    out.facts.push_back({name, usual, meaning == facts.end() ? "" : meaning->second,
                         counted.contains(name) && in_texts(card.tree, name, "amount")});
  }
  KeyReader keys(card.tree);
  for (const char* key : {"format", "id", "kind", "name", "charges", "charges_recover", "force_recover", "facedown",
                          "locks", "markers", "recoverable", "tokens", "facts", "omits", "partly"})
    keys.get(key);
  std::vector<std::string> tokens;
  for (const auto& [token, n] : card.spec.tokens) {
    if (token != "charge") tokens.push_back(fmt::format("{} {}", n, token));
  }
  if (card.spec.facedown > 0)
    tokens.push_back(fmt::format("{} facedown damage card{}", card.spec.facedown, card.spec.facedown == 1 ? "" : "s"));
  out.tokens = joined(tokens, " and ");
  if (card.spec.locks > 1) out.rules.push_back(fmt::format("the ship can have up to {} locks", card.spec.locks));
  if (card.spec.markers)
    out.rules.emplace_back("no other card spends, gives or takes its charges unless it names the card");
  if (!card.spec.recoverable) out.rules.emplace_back("its charges cannot be recovered");
  if (const Value* weapon = keys.get("weapon")) out.weapon = weapon_words(*weapon, vocabulary);
  if (const Value* effects = keys.get("effect")) {
    const Vocabulary numbered = with_effects(vocabulary, *effects, out.id);
    for (const Value& effect : effects->items) out.effects.push_back(describe_effect(effect, numbered));
    number_effects(numbered, out.effects);
  }
  out.other = keys.rest();
  const int n = card.spec.charges_recover;
  if (n != 0)
    out.recovers =
        fmt::format("{} {} charge{}", n > 0 ? "recovers" : "loses", std::abs(n), std::abs(n) == 1 ? "" : "s");
  if (const auto lost = card.spec.tokens.find("charge"); lost != card.spec.tokens.end())
    out.recovers += fmt::format("{}{} of them lost in the setup", out.recovers.empty() ? "" : "; ", -lost->second);
  if (card.spec.force_recover == 0) out.recovers = "the Force of its ship does not recover";
  return out;
}

}  // namespace salvo::cards
