#include "cards/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cards/card_keys.h"

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

/// "you", "the other ship", "the friend that attacks or defends", "the ally", "the enemy".
std::string subject_of(const std::string& who) {
  if (who == "self") return "you";
  if (who == "friend") return "the friend that attacks or defends";
  return who == "ally" ? "the ally" : who == "enemy" ? "the enemy" : "the other ship";
}

/// "your", "the other ship's".
std::string owner_of(const std::string& who) {
  return who == "self" ? "your" : who == "friend" ? "the friend's" : subject_of(who) + "'s";
}

/// "you have", "the ally has".
std::string has(const std::string& who) { return subject_of(who) + (who == "self" ? " have" : " has"); }
std::string is(const std::string& who) { return subject_of(who) + (who == "self" ? " are" : " is"); }

/// "token", "tokens"; locks are none for a player.
std::string tokens_word(const std::string& token, bool one) {
  if (token == "lock") return one ? "lock" : "locks";
  return without_hyphens(token) + (one ? " token" : " tokens");
}

/// The part of a name behind its first dot; the whole name if there is none.
std::string after_dot(const std::string& name) { return name.substr(name.find('.') + 1); }

/// What a name for a ship denotes as a number or word.
std::string quantity_of(const std::string& who, const std::string& what) {
  const std::string owner = owner_of(who), subject = subject_of(who);
  if (is_cards(what)) return fmt::format("the number of {} {} damage cards", owner, what);
  if (what == "damage") return fmt::format("the number of {} damage cards", owner);
  if (what == "suffered.crit") return fmt::format("whether {} suffered critical damage in this attack", subject);
  if (what == "due") return fmt::format("the damage that {} would suffer now", subject);
  if (what == "suffered") return fmt::format("the damage that {} suffered in this attack", subject);
  if (what.starts_with("inactive."))
    return fmt::format("the number of {} {} charges that are not active", owner, after_dot(what));
  if (what == "lost.shields") return fmt::format("the number of shields that {} lost in this attack", subject);
  if (what.starts_with("spent.") || what.starts_with("gained."))
    return fmt::format("the number of {} that {} {} in this attack", tokens_word(after_dot(what), false), subject,
                       what.substr(0, what.find('.')));
  if (what == "attack") return owner + " primary weapon value";
  return denotes_token(what) ? fmt::format("the number of {} {}", owner, tokens_word(what, false))
                             : fmt::format("{} {}", owner, what);
}

/// The meaning of a fact, "CONDITION" or "CONDITION: NUMBER", as a number.
std::string number_of_fact(const std::string& meaning) {
  const std::size_t colon = meaning.find(": ");
  return colon == std::string::npos ? "the number of cases in which " + meaning : meaning.substr(colon + 2);
}

/// The number or word that a name denotes: "the number of blanks of your dice".
std::string quantity(const std::string& name, const Vocabulary& vocabulary) {
  const auto fact = vocabulary.facts.find(name);
  if (fact != vocabulary.facts.end()) return number_of_fact(fact->second);
  const auto [who, what] = ship_name(name);
  if (!who.empty()) return quantity_of(who, what);
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
  if (name == "copies") return "the number of these cards";
  if (name == "weapon.charge") return "the number of charges of the weapon";
  if (name == "friends.lock") return "the number of locks of your side on the other ship";
  if (name == "allies.ships") return "the number of your friends in the scenario";
  if (name.starts_with("allies."))
    return fmt::format("the number of your friends with a {}", tokens_word(after_dot(name), true));
  if (name == "foes.lock") return "the number of locks of the other side on your side's ship";
  if (name.starts_with("spent.") || name.starts_with("gained."))
    return fmt::format("the number of {} {} in this attack", tokens_word(after_dot(name), false),
                       name.substr(0, name.find('.')));
  if (name.starts_with("declared.")) return "the declared number";
  if (name == "remaining") return "the number of uncancelled results";
  if (name == "card.charge") return "the number of charges of this card";
  if (name == "weapon") return "the weapon";
  if (name == "granted-by") return "the card that grants this bonus attack";
  if (name == "arc") return "the weapon's arc";
  return named(unquoted(name), vocabulary);
}

/// "a " or "an ".
std::string article(const std::string& word) { return word.find_first_of("aeiou") == 0 ? "an " : "a "; }

/// A name for a ship used as a condition.
std::string statement_of(const std::string& who, const std::string& what, const Vocabulary& vocabulary, bool negated) {
  const std::string subject = subject_of(who) + " ";
  for (const char* did : {"spent", "gained"}) {
    if (!what.starts_with(did)) continue;
    const std::string token = tokens_word(after_dot(what), true);
    return fmt::format("{}{} {}{} in this attack", subject, did, negated ? "no " : article(token), token);
  }
  if (what == "suffered.crit")
    return fmt::format("{}suffered {}critical damage in this attack", subject, negated ? "no " : "");
  if (what == "rerolled") return fmt::format("{}{} dice", subject, negated ? "did not just reroll" : "just rerolled");
  if (what == "modified") return fmt::format("{}modified {}dice in this attack", subject, negated ? "no " : "");
  if (what == "in-attack") return fmt::format("{} {}in this attack", is(who), negated ? "not " : "");
  if (what == "carrier") return fmt::format("{}{} you docked", subject, negated ? "does not have" : "has");
  if (what.starts_with("lock-on-"))
    return fmt::format("{} {} lock on {}", has(who), negated ? "no" : "a", subject_of(what.substr(8)));
  if (what.starts_with("has."))
    return fmt::format("{}{} the card {}", subject,
                       who == "self" ? (negated ? "do not have" : "have") : (negated ? "does not have" : "has"),
                       named(after_dot(what), vocabulary));
  if (what.starts_with("dealt.")) {
    const std::string trait = what == "dealt.faceup" ? "" : " " + after_dot(what);
    return fmt::format("{}{} {}dealt a faceup{} damage card in this attack", subject, who == "self" ? "were" : "was",
                       negated ? "not " : "", trait);
  }
  if (is_cards(what)) return fmt::format("{} {}{} damage card", has(who), negated ? "no " : "a ", what);
  if (!denotes_token(what)) return fmt::format("{} {}{}", is(who), negated ? "not " : "", what);
  return fmt::format("{} {}{}", has(who), negated ? "no " : article(what), tokens_word(what, true));
}

/// "(1) or (2)": the effects that a name such as used.ID refers to; else the name itself.
std::string effects_of(const std::string& name, const Vocabulary& vocabulary) {
  const auto known = vocabulary.effects.find(name);
  return known == vocabulary.effects.end() ? named(after_dot(name), vocabulary)
                                           : fmt::format("effect {}", base::joined(known->second, " or "));
}

/// A name used as a condition.
std::string statement(const std::string& name, const Vocabulary& vocabulary, bool negated) {
  const auto fact = vocabulary.facts.find(name);
  if (fact != vocabulary.facts.end())
    return (negated ? "it is not so that " : "") + fact->second.substr(0, fact->second.find(": "));
  const auto [who, what] = ship_name(name);
  if (!who.empty()) return statement_of(who, what, vocabulary, negated);
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
    return fmt::format("{} {} for it", effects_of(name, vocabulary), negated ? "was not chosen" : "was chosen");
  if (name.starts_with("used."))
    return fmt::format("{} was {}used in this attack", effects_of(name, vocabulary), negated ? "not " : "");
  if (name.starts_with("done."))
    return fmt::format("{} was {}used in this round", effects_of(name, vocabulary), negated ? "not " : "");
  if (name == "damage-deck") return negated ? "damage is counted without cards" : "damage is dealt as damage cards";
  if (name.starts_with("stated.")) {
    const auto said = vocabulary.facts.find(after_dot(name));
    const std::string stated = said == vocabulary.facts.end() ? "its " + after_dot(name) : "that " + said->second;
    return fmt::format("the attack of the scenario {} {}", negated ? "does not state" : "states", stated);
  }
  if (name.starts_with("drawn."))
    return fmt::format("the card drawn is {}a {} damage card", negated ? "not " : "", after_dot(name));
  if (name.starts_with("spent.") || name.starts_with("gained.")) {
    const std::string token = tokens_word(after_dot(name), true);
    return fmt::format("{}{} was {} in this attack", negated ? "no " : article(token), token,
                       name.substr(0, name.find('.')));
  }
  return (negated ? "not " : "") + quantity(name, vocabulary);
}

/// Whether a name is said as a statement where it is compared with 1 and 0: tokens, locks, states of ships.
bool is_countable(const std::string& name) {
  const auto [who, what] = ship_name(name);
  const std::string& last = who.empty() ? name : what;
  return last.starts_with("spent.") || last.starts_with("gained.") || what.starts_with("lock-on-") ||
         what == "suffered.crit" ||
         (!who.empty() && (denotes_token(what) || (what.ends_with("ed") && what != "suffered")));
}

/// Two quantities in words, compared.
std::string compared(const std::string& a, const std::string& symbol, const std::string& b) {
  if (symbol == "==") return fmt::format("{} is {}", a, b);
  if (symbol == "!=") return fmt::format("{} is not {}", a, b);
  if (symbol == ">=") return fmt::format("{} is at least {}", a, b);
  if (symbol == "<=") return fmt::format("{} is at most {}", a, b);
  if (symbol == ">") return fmt::format("{} is more than {}", a, b);
  return fmt::format("{} is less than {}", a, b);
}

/// A comparison of two names or numbers.
std::string comparison(const std::string& left, const std::string& symbol, const std::string& right,
                       const Vocabulary& vocabulary) {
  const auto [who, what] = ship_name(left);
  if (is_countable(left) && ((symbol == ">=" && right == "1") || (symbol == "==" && right == "0")))
    return statement(left, vocabulary, right == "0");
  if (!who.empty() && denotes_token(what) && is_number(right)) {
    const std::string tokens = right + " " + tokens_word(what, right == "1");
    if (symbol == ">=") return fmt::format("{} at least {}", has(who), tokens);
    if (symbol == "<=") return fmt::format("{} at most {}", has(who), tokens);
    if (symbol == "==") return fmt::format("{} exactly {}", has(who), tokens);
    if (symbol == ">") return fmt::format("{} more than {}", has(who), tokens);
  }
  if ((what == "pilot" || what == "ship") && right == "0")
    return fmt::format("{} {} stated {}", has(who), symbol == "==" ? "no" : "a", what);
  if (left == "weapon" && symbol == "==") return fmt::format("the attack is made with {}", quantity(right, vocabulary));
  return compared(quantity(left, vocabulary), symbol, quantity(right, vocabulary));
}

/// Writes an expression from left to right; and, or, not and brackets are copied.
class ConditionWriter {
 public:
  ConditionWriter(std::vector<Lexeme> lexemes, const Vocabulary& vocabulary)
      : lexemes_(std::move(lexemes)), vocabulary_(vocabulary) {}

  std::string write() {
    std::string out;
    while (at_ < lexemes_.size()) {
      const std::string part = next();
      const bool close = part == ")" || out.empty() || out.ends_with('(');
      out += close ? part : " " + part;
    }
    return out;
  }

  /// A number; a condition counts as 1 if it holds.
  std::string count() { return holds_condition(0, lexemes_.size()) ? "1 if " + write() : sum(); }

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
      if (lexemes_[at].symbol || who.empty() || !denotes_token(what) || who != ship_name(lexemes_[at_].text).who)
        return {};
      tokens.push_back(without_hyphens(what));
      if (!is_symbol_at(at + 1, "+")) break;
    }
    if (tokens.size() < 2 || at >= lexemes_.size() || is_symbol_at(at + 1, "-")) return {};
    const std::string who = ship_name(lexemes_[at_].text).who, last = tokens.back();
    tokens.pop_back();
    at_ = at + 1;
    return fmt::format("the number of {} {} and {} tokens", owner_of(who), base::joined(tokens, ", "), last);
  }

  /// A name, a sum in brackets, or the smaller or larger of several sums.
  std::string term(int depth) {
    constexpr int kDeepest = 20;
    if (is_symbol("(") && holds_condition(at_ + 1, closing())) {
      const std::size_t begin = at_ + 1, end = closing();
      at_ = std::min(end + 1, lexemes_.size());
      return fmt::format("(1 if {})", ConditionWriter(part(begin, end), vocabulary_).write());
    }
    const std::string word = take();
    const bool choice = (word == "min" || word == "max") && is_symbol("(");
    if (choice) take();
    if ((!choice && word != "(") || depth >= kDeepest) return quantity(word, vocabulary_);
    std::string out = sum(depth + 1);
    while (is_symbol(",")) {
      take();
      out += " and " + sum(depth + 1);
    }
    if (is_symbol(")")) take();
    return choice ? fmt::format("the {} of {}", word == "min" ? "smaller" : "larger", out) : fmt::format("({})", out);
  }

  /// The place of the bracket that closes the one here.
  std::size_t closing() const {
    std::size_t end = at_, open = 0;
    for (; end < lexemes_.size(); ++end) {
      if (is_symbol_at(end, "(")) ++open;
      if (is_symbol_at(end, ")") && --open == 0) break;
    }
    return end;
  }

  std::vector<Lexeme> part(std::size_t begin, std::size_t end) const {
    const auto at = [&](std::size_t n) { return lexemes_.begin() + static_cast<std::ptrdiff_t>(n); };
    return {at(begin), at(std::max(begin, end))};
  }

  /// Whether this part is true or false rather than a number.
  bool holds_condition(std::size_t begin, std::size_t end) const {
    static constexpr std::array<std::string_view, 10> kTrueOrFalse{
        "not", "and", "or", "in", "==", "!=", "<", "<=", ">", ">="};
    int open = 0;
    for (std::size_t at = begin; at < end; ++at) {
      if (is_symbol_at(at, "(")) ++open;
      if (is_symbol_at(at, ")")) --open;
      const auto here = [&](std::string_view symbol) { return is_symbol_at(at, symbol); };
      if (open == 0 && std::any_of(kTrueOrFalse.begin(), kTrueOrFalse.end(), here)) return true;
    }
    return false;
  }

  /// Whether the brackets here enclose a number that is compared or summed.
  bool number_in_brackets() const {
    if (!is_symbol("(")) return false;
    static constexpr std::array<std::string_view, 8> kBehindNumber{"==", "!=", "<=", ">=", "<", ">", "+", "-"};
    return std::any_of(kBehindNumber.begin(), kBehindNumber.end(),
                       [&](std::string_view s) { return is_symbol_at(closing() + 1, s); });
  }

  /// "none of the effects (2) and (3) was used in this attack" for such effects that are listed here; else empty.
  std::string none_used() {
    std::vector<std::string> unused;
    std::size_t at = at_;
    while (is_symbol_at(at, "not") && at + 1 < lexemes_.size()) {
      const auto known = vocabulary_.effects.find(lexemes_[at + 1].text);
      if (known == vocabulary_.effects.end() || !known->first.starts_with("used.")) break;
      unused.insert(unused.end(), known->second.begin(), known->second.end());
      at += 2;
      if (!is_symbol_at(at, "and") || !is_symbol_at(at + 1, "not")) break;
      ++at;
    }
    if (unused.size() < 2) return {};
    at_ = is_symbol_at(at - 1, "and") ? at - 1 : at;
    return fmt::format("none of the effects {} was used in this attack", joined(unused, " and "));
  }

  std::string next() {
    if (std::string unused = none_used(); !unused.empty()) return unused;
    const Lexeme& piece = lexemes_[at_];
    if (piece.symbol && piece.text == "not" && at_ + 1 < lexemes_.size() && !lexemes_[at_ + 1].symbol) {
      ++at_;
      return atom(true);
    }
    if (number_in_brackets()) return atom(false);
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
      return no + (simple ? comparison(lexemes_[begin].text, symbol, lexemes_[from].text, vocabulary_)
                          : compared(left, symbol, right));
    }
    if (is_symbol("in")) {
      const std::string& name = lexemes_[begin].text;
      return no + left + " is " + membership(name == "weapon" || name.ends_with(".ship") || name.ends_with(".pilot"));
    }
    return single ? statement(lexemes_[begin].text, vocabulary_, negated) : no + left;
  }

  /// The values of a list. Ids of cards and ships that only other card sets have are left out.
  std::string membership(bool ids) {
    ++at_;
    std::vector<std::string> values;
    while (at_ < lexemes_.size() && !is_symbol("]")) {
      if (is_symbol("[") || is_symbol(",")) {
        ++at_;
        continue;
      }
      const std::string id = unquoted(lexemes_[at_].text), value = sum();
      const bool lacking = ids && vocabulary_.lacks(id);
      if (!lacking && std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    if (at_ < lexemes_.size()) ++at_;
    return values.empty() ? "none of this card set" : base::joined(values, " or ");
  }

  std::vector<Lexeme> lexemes_;
  const Vocabulary& vocabulary_;
  std::size_t at_ = 0;
};

}  // namespace

std::string condition_words(std::string_view text, const Vocabulary& vocabulary) {
  return ConditionWriter(lexemes_of(text), vocabulary).write();
}

std::string count_words(std::string_view text, const Vocabulary& vocabulary) {
  return ConditionWriter(lexemes_of(text), vocabulary).count();
}

std::string without_hyphens(std::string word) {
  std::replace(word.begin(), word.end(), '-', ' ');
  return word;
}

std::string named(const std::string& word, const Vocabulary& vocabulary) {
  const std::string name = vocabulary.name(word);
  return name == word ? without_hyphens(word) : name;
}

bool denotes_token(std::string_view word) {
  static constexpr std::array<std::string_view, 23> kOther{
      "rerolled", "modified", "size",      "agility", "initiative", "attack",    "ship",     "pilot",
      "limited",  "faction",  "hull",      "shields", "shield",     "faceup",    "facedown", "suffered",
      "due",      "damage",   "destroyed", "docked",  "carrier",    "tractored", "ionized"};
  return word != "in-attack" && !word.starts_with("lock-on-") && word.find('.') == std::string_view::npos &&
         std::find(kOther.begin(), kOther.end(), word) == kOther.end();
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
