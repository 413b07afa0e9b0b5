#include "cards/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace salvo::cards {

namespace {

/// A name, number, quoted text or symbol of an expression. count(x.y) is one name.
struct Lexeme {
  std::string text;
  bool symbol = false;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

std::vector<Lexeme> lexemes_of(std::string_view text) {
  std::vector<Lexeme> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    if (text[at] == '\'') {
      end = std::min(text.find('\'', at + 1), text.size() - 1) + 1;
      out.push_back({std::string(text.substr(at, end - at))});
    } else if (is_word(text[at]) && text[at] != '-') {
      while (end < text.size() && is_word(text[end])) ++end;
      std::string word(text.substr(at, end - at));
      if (word == "count") {
        end = std::min(text.find(')', at), text.size() - 1) + 1;
        word = text.substr(at, end - at);
        std::erase(word, ' ');
      }
      const bool symbol = word == "and" || word == "or" || word == "not" || word == "in";
      out.push_back({std::move(word), symbol});
    } else {
      static constexpr std::array<std::string_view, 4> kLong{"==", "!=", "<=", ">="};
      const bool two = std::any_of(kLong.begin(), kLong.end(), [&](auto s) { return text.substr(at, 2) == s; });
      end = at + (two ? 2 : 1);
      out.push_back({std::string(text.substr(at, end - at)), true});
    }
    at = end;
  }
  return out;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '\'' ? text.substr(1, text.size() - 2) : text;
}

/// "self.stress" split at the dot; `who` is empty for other names.
struct ShipName {
  std::string who, what;
};

ShipName ship_name(const std::string& name) {
  if (name.starts_with("self.")) return {"self", name.substr(5)};
  if (name.starts_with("foe.")) return {"foe", name.substr(4)};
  if (name.starts_with("friend.")) return {"friend", name.substr(7)};
  if (name.starts_with("ally.")) return {"ally", name.substr(5)};
  if (name.starts_with("enemy.")) return {"enemy", name.substr(6)};
  return {};
}

/// Facts about the damage cards of a ship.
bool is_cards(const std::string& what) { return what == "faceup" || what == "facedown" || what.starts_with("dealt."); }

bool is_token(const std::string& what) {
  return !is_cards(what) && what != "size" && what != "agility" && what != "initiative" && what != "ship" &&
         what != "pilot" && what != "faction" && !what.starts_with("lock-on-") && what != "hull" && what != "shields" &&
         what != "carrier" && what != "damage" && what != "in-attack" && !what.ends_with("ed") &&
         what.find('.') == std::string::npos;
}

/// "you", "the other ship", "the friend that attacks or defends", "the ally", "the enemy".
std::string subject_of(const std::string& who) {
  if (who == "self") return "you";
  if (who == "friend") return "the friend that attacks or defends";
  return who == "ally" ? "the ally" : who == "enemy" ? "the enemy" : "the other ship";
}

/// The number or word that a name denotes: "the number of blanks of your dice".
std::string quantity(const std::string& name) {
  const auto [who, what] = ship_name(name);
  if (!who.empty()) {
    const std::string owner = who == "self" ? "your" : subject_of(who) + "'s";
    if (is_cards(what)) return fmt::format("the number of {} {} damage cards", owner, what);
    if (what == "damage") return fmt::format("the number of {} damage cards", owner);
    if (what.starts_with("inactive."))
      return fmt::format("the number of {} {} charges that are not active", owner, what.substr(9));
    if (what == "lost.shields")
      return fmt::format("the number of shields that {} lost in this attack", subject_of(who));
    return is_token(what) ? fmt::format("the number of {} {} tokens", owner, what) : fmt::format("{} {}", owner, what);
  }
  if (name.starts_with("count(") && name.ends_with(")")) {
    const std::string inside = name.substr(6, name.size() - 7);
    const std::size_t dot = inside.find('.');
    const std::string pool = inside.substr(0, dot), face = dot == std::string::npos ? "all" : inside.substr(dot + 1);
    const std::string dice = pool == "own"    ? "your dice"
                             : pool == "roll" ? "the dice rolled outside the attack"
                                              : fmt::format("the {} dice", pool);
    return face == "all" ? fmt::format("the number of {}", dice)
                         : fmt::format("the number of {} results of {}", face, dice);
  }
  if (name == "range") return "the attack range";
  if (name == "rolling") return "the number of dice about to be rolled";
  if (name == "weapon.charge") return "the number of charges of the weapon";
  if (name == "friends.lock") return "the number of locks of your side on the other ship";
  if (name.starts_with("allies.")) return fmt::format("the number of your friends with a {} token", name.substr(7));
  if (name == "foes.lock") return "the number of locks of the other side on your side's ship";
  if (name.starts_with("spent.")) return fmt::format("the number of {} tokens spent in this attack", name.substr(6));
  if (name.starts_with("declared.")) return "the declared number";
  if (name == "remaining") return "the number of uncancelled results";
  if (name == "card.charge") return "the number of charges of this card";
  if (name == "weapon") return "the weapon";
  if (name == "granted-by") return "the card that grants this bonus attack";
  if (name == "arc") return "the weapon's arc";
  if (name.find('-') != std::string::npos && name.front() != '\'')
    return fmt::format("the number stated by the fact {}", name);
  return unquoted(name);
}

/// "a " or "an ".
std::string article(const std::string& word) { return word.find_first_of("aeiou") == 0 ? "an " : "a "; }

/// A name used as a condition.
std::string statement(const std::string& name, const Facts& facts, bool negated) {
  const auto fact = facts.find(name);
  if (fact != facts.end()) return negated ? fmt::format("it is not so that {}", fact->second) : fact->second;
  const auto [who, what] = ship_name(name);
  if (!who.empty()) {
    const std::string subject = subject_of(who) + " ";
    for (const char* did : {"spent", "gained"}) {
      if (what.starts_with(did))
        return fmt::format("{}{} {} {} in this attack", subject, did, negated ? "no" : "a",
                           what.substr(what.find('.') + 1));
    }
    if (what == "rerolled") return fmt::format("{}{} dice", subject, negated ? "did not just reroll" : "just rerolled");
    if (what == "modified") return fmt::format("{}modified {}dice in this attack", subject, negated ? "no " : "");
    if (what == "in-attack")
      return fmt::format("{}{} {}in this attack", subject, who == "self" ? "are" : "is", negated ? "not " : "");
    if (what == "carrier") return fmt::format("{}{} you docked", subject, negated ? "does not have" : "has");
    if (what.starts_with("has."))
      return fmt::format("{}{} the card {}", subject,
                         who == "self" ? (negated ? "do not have" : "have") : (negated ? "does not have" : "has"),
                         what.substr(4));
    if (what.starts_with("dealt.")) {
      const std::string trait = what == "dealt.faceup" ? "" : " " + what.substr(6);
      return fmt::format("{}{} {}dealt a faceup{} damage card in this attack", subject, who == "self" ? "were" : "was",
                         negated ? "not " : "", trait);
    }
    if (is_cards(what))
      return fmt::format("{}{} {}{} damage card", subject, who == "self" ? "have" : "has", negated ? "no " : "a ",
                         what);
    if (is_token(what)) {
      return subject + (who == "self" ? "have " : "has ") + (negated ? "no " : article(what)) + what +
             (what == "lock" ? "" : " token");
    }
    return subject + (who == "self" ? "are " : "is ") + (negated ? "not " : "") + what;
  }
  struct Known {
    std::string_view name, yes, no;
  };
  static constexpr std::array<Known, 9> kKnown{{
      {"primary", "the attack is a primary attack", "the attack is not a primary attack"},
      {"special", "the attack is a special attack", "the attack is not a special attack"},
      {"ordnance", "the weapon is ordnance", "the weapon is not ordnance"},
      {"obstructed", "the attack is obstructed", "the attack is not obstructed"},
      {"reinforced", "the attack comes from the reinforced arc", "the attack comes from outside the reinforced arc"},
      {"attacking", "you are attacking", "you are not attacking"},
      {"hit", "the attack hits", "the attack misses"},
      {"remaining", "uncancelled results are left", "no uncancelled result is left"},
      {"card.charge", "this card has a charge", "this card has no charge"},
  }};
  for (const Known& known : kKnown) {
    if (known.name == name) return std::string(negated ? known.no : known.yes);
  }
  if (name.starts_with("chosen."))
    return fmt::format("{} {} for it", name.substr(7), negated ? "was not chosen" : "was chosen");
  if (name.starts_with("used.")) {
    return fmt::format("{} was {}used in this attack", name.substr(5), negated ? "not " : "");
  }
  if (name.starts_with("done."))
    return fmt::format("{} was {}done in this round", name.substr(5), negated ? "not " : "");
  if (name == "damage-deck") return negated ? "damage is counted without cards" : "damage is dealt as damage cards";
  if (name.starts_with("drawn.")) {
    return fmt::format("the card drawn is {}a {} damage card", negated ? "not " : "", name.substr(6));
  }
  if (name.starts_with("spent.")) {
    return fmt::format("{} {} was spent in this attack", negated ? "no" : "a", name.substr(6));
  }
  return (negated ? "not " : "") + quantity(name);
}

/// Both sides of a comparison in words.
std::string comparison(const std::string& left, const std::string& symbol, const std::string& right, bool simple) {
  const auto [who, what] = ship_name(left);
  if (simple && !who.empty() && is_token(what) && is_number(right)) {
    const std::string has = subject_of(who) + (who == "self" ? " have " : " has ");
    const std::string tokens = what + (right == "1" ? " token" : " tokens");
    if (symbol == ">=") return fmt::format("{}at least {} {}", has, right, tokens);
    if (symbol == "<=") return fmt::format("{}at most {} {}", has, right, tokens);
    if (symbol == "==")
      return right == "0" ? fmt::format("{}no {} token", has, what)
                          : fmt::format("{}exactly {} {}", has, right, tokens);
    if (symbol == ">") return fmt::format("{}more than {} {}", has, right, tokens);
  }
  if (simple && (what == "pilot" || what == "ship") && right == "0")
    return fmt::format("{} {} {} stated {}", subject_of(who), who == "self" ? "have" : "has",
                       symbol == "==" ? "no" : "a", what);
  if (simple && left == "weapon" && symbol == "==") return fmt::format("the attack is made with {}", unquoted(right));
  const std::string a = simple ? quantity(left) : left, b = simple ? quantity(right) : right;
  if (symbol == "==") return fmt::format("{} is {}", a, b);
  if (symbol == "!=") return fmt::format("{} is not {}", a, b);
  if (symbol == ">=") return fmt::format("{} is at least {}", a, b);
  if (symbol == "<=") return fmt::format("{} is at most {}", a, b);
  if (symbol == ">") return fmt::format("{} is more than {}", a, b);
  return fmt::format("{} is less than {}", a, b);
}

/// Writes an expression from left to right; and, or, not and brackets are copied.
class ConditionWriter {
 public:
  ConditionWriter(std::vector<Lexeme> lexemes, const Facts& facts) : lexemes_(std::move(lexemes)), facts_(facts) {}

  std::string write() {
    std::string out;
    while (at_ < lexemes_.size()) {
      const std::string part = next();
      const bool close = part == ")" || out.empty() || out.ends_with('(');
      out += close ? part : " " + part;
    }
    return out;
  }

  std::string sum(int depth = 0) {
    if (const std::string tokens = tokens_together(); !tokens.empty()) return tokens;
    std::string out = term(depth);
    while (is_symbol("+") || is_symbol("-")) {
      const bool plus = take() == "+";
      out += (plus ? " plus " : " minus ") + term(depth);
    }
    return out;
  }

 private:
  bool is_symbol(std::string_view text) const {
    return at_ < lexemes_.size() && lexemes_[at_].symbol && lexemes_[at_].text == text;
  }
  std::string take() { return at_ < lexemes_.size() ? lexemes_[at_++].text : std::string(); }

  bool is_symbol_at(std::size_t at, std::string_view text) const {
    return at < lexemes_.size() && lexemes_[at].symbol && lexemes_[at].text == text;
  }

  /// "the number of your focus and evade tokens" for a sum of tokens of one ship; else empty.
  std::string tokens_together() {
    std::vector<std::string> tokens;
    std::size_t at = at_;
    for (; at < lexemes_.size(); at += 2) {
      const auto [who, what] = ship_name(lexemes_[at].text);
      if (lexemes_[at].symbol || who.empty() || !is_token(what) || who != ship_name(lexemes_[at_].text).who) return {};
      tokens.push_back(what);
      if (!is_symbol_at(at + 1, "+")) break;
    }
    if (tokens.size() < 2 || at >= lexemes_.size() || is_symbol_at(at + 1, "-")) return {};
    const std::string who = ship_name(lexemes_[at_].text).who, last = tokens.back();
    tokens.pop_back();
    at_ = at + 1;
    return fmt::format("the number of {} {} and {} tokens", who == "self" ? "your" : subject_of(who) + "'s",
                       base::joined(tokens, ", "), last);
  }

  /// A name, a sum in brackets, or the smaller or larger of several sums.
  std::string term(int depth) {
    constexpr int kDeepest = 20;
    const std::string word = take();
    const bool choice = (word == "min" || word == "max") && is_symbol("(");
    if (choice) take();
    if ((!choice && word != "(") || depth >= kDeepest) return quantity(word);
    std::string out = sum(depth + 1);
    while (is_symbol(",")) {
      take();
      out += " and " + sum(depth + 1);
    }
    if (is_symbol(")")) take();
    return choice ? fmt::format("the {} of {}", word == "min" ? "smaller" : "larger", out) : fmt::format("({})", out);
  }

  std::string next() {
    const Lexeme& piece = lexemes_[at_];
    if (piece.symbol && piece.text == "not" && at_ + 1 < lexemes_.size() && !lexemes_[at_ + 1].symbol) {
      ++at_;
      return atom(true);
    }
    return piece.symbol ? take() : atom(false);
  }

  /// A name, or a comparison.
  std::string atom(bool negated) {
    const std::size_t begin = at_;
    const std::string left = sum();
    const bool single = at_ == begin + 1;
    static constexpr std::array<std::string_view, 6> kCompare{"==", "!=", "<=", ">=", "<", ">"};
    const bool compares =
        std::any_of(kCompare.begin(), kCompare.end(), [this](std::string_view s) { return is_symbol(s); });
    const std::string no = negated ? "it is not so that " : "";
    if (compares) {
      const std::string symbol = take();
      const std::size_t from = at_;
      const std::string right = sum();
      const bool simple = single && at_ == from + 1;
      return no + (simple ? comparison(lexemes_[begin].text, symbol, lexemes_[from].text, true)
                          : comparison(left, symbol, right, false));
    }
    if (is_symbol("in")) return no + left + " is " + membership();
    return single ? statement(lexemes_[begin].text, facts_, negated) : no + left;
  }

  std::string membership() {
    ++at_;
    std::vector<std::string> values;
    while (at_ < lexemes_.size() && !is_symbol("]")) {
      if (is_symbol("[") || is_symbol(",")) {
        ++at_;
      } else {
        values.push_back(sum());
      }
    }
    if (at_ < lexemes_.size()) ++at_;
    return base::joined(values, " or ");
  }

  std::vector<Lexeme> lexemes_;
  const Facts& facts_;
  std::size_t at_ = 0;
};

}  // namespace

std::string condition_words(std::string_view text, const Facts& facts) {
  return ConditionWriter(lexemes_of(text), facts).write();
}

std::string count_words(std::string_view text) {
  const Facts none;
  const std::vector<Lexeme> lexemes = lexemes_of(text);
  static constexpr std::array<std::string_view, 9> kTrueOrFalse{"not", "and", "or", "==", "!=", "<", "<=", ">", ">="};
  const bool condition = std::any_of(lexemes.begin(), lexemes.end(), [](const Lexeme& piece) {
    return piece.symbol && std::find(kTrueOrFalse.begin(), kTrueOrFalse.end(), piece.text) != kTrueOrFalse.end();
  });
  const bool computed = text.find("min(") != text.npos || text.find("max(") != text.npos;
  if (condition && computed) return fmt::format("the number {}", text);
  if (condition) return "1 if " + ConditionWriter(lexemes, none).write();
  return ConditionWriter(lexemes, none).sum();
}

std::vector<Comparison> comparisons(std::string_view text) {
  const std::vector<Lexeme> lexemes = lexemes_of(text);
  std::vector<Comparison> out;
  const auto add = [&](const Lexeme& name, const Lexeme& value) {
    const bool is_text = value.text.starts_with('\'');
    const bool is_name = !name.symbol && !name.text.starts_with('\'') && !is_number(name.text);
    if (is_name && !value.symbol && (is_text || is_number(value.text)))
      out.push_back({name.text, unquoted(value.text), is_text});
  };
  for (std::size_t i = 1; i + 1 < lexemes.size(); ++i) {
    const std::string& symbol = lexemes[i].text;
    if (symbol == "==" || symbol == "!=") {
      add(lexemes[i - 1], lexemes[i + 1]);
      add(lexemes[i + 1], lexemes[i - 1]);
    }
    if (symbol != "in") continue;
    for (std::size_t k = i + 1; k < lexemes.size() && lexemes[k].text != "]"; ++k) add(lexemes[i - 1], lexemes[k]);
  }
  return out;
}

const std::vector<std::string>& common_names() {
  static const std::vector<std::string> names{"range",           "obstructed",     "reinforced",   "ordnance",
                                              "primary",         "special",        "weapon",       "arc",
                                              "remaining",       "attacking",      "hit",          "card.charge",
                                              "self.size",       "foe.size",       "self.agility", "foe.agility",
                                              "self.initiative", "foe.initiative", "self.lock",    "foe.lock",
                                              "self.facedown",   "foe.facedown",   "self.faceup",  "foe.faceup",
                                              "damage-deck"};
  return names;
}

}  // namespace salvo::cards
