// Logs as people write them at the table (grammar: docs/review.md).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "decide/observation.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"
#include "review/log.h"

namespace salvo::review {
namespace {

using Words = std::vector<std::string>;

std::string trimmed(std::string_view text) { return std::string(base::trimmed(text)); }

Words parted(std::string_view text, char at) {
  Words out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(at, from), text.size());
    out.push_back(trimmed(text.substr(from, end - from)));
    from = end + 1;
  }
  return out;
}

Words blank_words(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  Words out = parted(text, ' ');
  std::erase_if(out, [](const std::string& word) { return word.empty(); });
  return out;
}

/// Keywords may be capitalised.
std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_count(const std::string& word) {
  return !word.empty() && word.size() <= 2 && word.find_first_not_of("0123456789") == std::string::npos;
}

/// Reads the words of one line.
class WordReader {
 public:
  WordReader(const LogBuilder& builder, int line) : builder_(builder), line_(line) {}

  int count(const std::string& word, const char* what) const {
    if (!is_count(word)) fail(fmt::format("{} is not a number of {}; write 0 to 99", base::in_quotes(word), what));
    return std::stoi(word);
  }

  /// "focus 2 evade lock=vader" of `ship`; a lock without a name is on `enemy`.
  LoggedTokens tokens(const Words& words, const std::string& ship, const std::string& enemy) const {
    LoggedTokens out;
    int times = 1;
    for (const std::string& word : words) {
      if (is_count(word)) {
        times = count(word, "tokens");
        continue;
      }
      const std::size_t equals = word.find('=');
      const std::string kind = lower(word.substr(0, equals));
      if (kind == "none") continue;
      if (kind == "lock") {
        out.locks_complete = true;
        if (lower(word) == "lock=none") continue;
        if (equals == std::string::npos && enemy.empty()) fail("say on which ship the lock is, for example lock=vader");
        out.locks.push_back(equals == std::string::npos ? enemy : builder_.ship(line_, word.substr(equals + 1)));
        if (out.locks.back() == ship)
          fail(fmt::format("{} has no lock on itself; name the ship that it has locked", ship));
      } else {
        out.tokens[kind] += equals == std::string::npos ? times : count(word.substr(equals + 1), "tokens");
      }
      times = 1;
    }
    return out;
  }

  /// A number repeats the word after it.
  Words repeated(const Words& words) const {
    Words out;
    std::size_t times = 1;
    for (const std::string& word : words) {
      if (is_count(word)) {
        times = static_cast<std::size_t>(count(word, "dice or tokens"));
        continue;
      }
      out.insert(out.end(), times, word);
      times = 1;
    }
    return out;
  }

 protected:
  [[noreturn]] void fail(const std::string& why) const { builder_.fail(line_, why); }

  const LogBuilder& builder_;
  int line_ = 0;
};

/// Reads a line with an attack: "luke (focus) > vader r2: hit focus blank; focus | evade blank = 1".
class AttackReader : public WordReader {
 public:
  using WordReader::WordReader;

  /// `arrow`: the position of the >.
  LoggedLine read(const std::string& text, std::size_t arrow, int round) const {
    std::size_t colon = text.find(':', arrow);
    if (colon == std::string::npos) colon = text.find(" = ", arrow);  // only the result is given
    const std::string head = text.substr(0, colon);
    LoggedLine out{.line = line_, .round = round, .attack = true};
    const bool dash = arrow > 0 && head[arrow - 1] == '-';  // "luke -> vader"
    const Named by = named(head.substr(0, arrow - (dash ? 1 : 0))), on = named(head.substr(arrow + 1));
    if (!by.rest.empty())
      fail(fmt::format("{} is before the >; write details of the attack after the defender's name",
                       base::in_quotes(base::joined(by.rest, " "))));
    out.shot.by = builder_.ship(line_, by.name);
    out.shot.on = builder_.ship(line_, on.name);
    if (by.tokens) out.tokens[out.shot.by] = tokens(*by.tokens, out.shot.by, out.shot.on);
    if (on.tokens) out.tokens[out.shot.on] = tokens(*on.tokens, out.shot.on, out.shot.by);
    for (std::size_t i = 0; i < on.rest.size(); ++i) {
      const bool range = lower(on.rest[i]) == "range" && i + 1 < on.rest.size();  // "range 2"
      shot_word(range ? "range=" + on.rest[i + 1] : on.rest[i], out.shot);
      i += range ? 1 : 0;
    }
    if (colon != std::string::npos) played(text.substr(colon + 1), out.spec);
    return out;
  }

 private:
  struct Named {
    std::string name;
    std::optional<Words> tokens;
    Words rest;
  };

  /// "luke (focus lock) r2".
  Named named(const std::string& text) const {
    Named out;
    std::string bare = text;
    const std::size_t open = text.find('(');
    if (open != std::string::npos) {
      const std::size_t close = text.find(')', open);
      if (close == std::string::npos) fail("a bracket is not closed; write the ship's tokens as (focus lock)");
      out.tokens = decide::words_in(text.substr(open + 1, close - open - 1));
      bare = text.substr(0, open) + " " + text.substr(close + 1);
    }
    Words words = blank_words(bare);
    if (words.empty()) fail("an attack names two ships: luke > vader");
    out.name = words.front();
    out.rest.assign(words.begin() + 1, words.end());
    return out;
  }

  void shot_word(const std::string& given, ScenarioAttack& shot) const {
    const std::string word = lower(given);
    const std::string range = word.starts_with("range=") ? word.substr(6) : word.starts_with('r') ? word.substr(1) : "";
    if (range.size() == 1 && range[0] >= '0' && range[0] <= '5') {
      shot.range = range[0] - '0';
    } else if (word.starts_with("weapon=")) {
      shot.weapon = word.substr(7);
    } else if (word.starts_with("initiative=")) {
      shot.initiative = builder_.initiative(line_, word.substr(11));
    } else if (word == "obstructed") {
      shot.obstructed = true;
    } else {
      shot.facts.push_back(word);
    }
  }

  void played(const std::string& text, PlayedAttack& spec) const {
    std::string sides = text;
    const std::size_t equals = text.rfind('=');
    if (equals != std::string::npos) {
      sides = text.substr(0, equals);
      Words result = blank_words(lower(text.substr(equals + 1)));
      if (result.size() == 2 && result[1] == "damage") result.pop_back();
      if (result.size() != 1) fail("write the result as the damage after the last =, as in = 2");
      spec.damage = result[0] == "miss" ? 0 : count(result[0], "damage");
    }
    if (lower(trimmed(sides)) == "miss") {
      spec.damage = 0;
      return;
    }
    const Words both = parted(sides, '|');
    if (both.size() > 2) fail("more than one |; a single one separates the attacker's dice from the defender's");
    DecisionSpec& point = spec.point;
    side(both[0], point.rolled, point.rerolled, point.spent);
    if (both.size() == 2) side(both[1], point.defense_rolled, point.defense_rerolled, point.defense_spent);
  }

  /// "3 dice hit focus blank; lock blank -> crit; focus".
  void side(const std::string& text, std::optional<std::string>& rolled, std::optional<std::string>& rerolled,
            std::optional<std::string>& spent) const {
    const Words steps = parted(text, ';');
    if (steps[0] != "?" && !steps[0].empty()) rolled = base::joined(dice(steps[0]), " ");
    Words words, again;
    bool silent = !rolled && steps.size() == 1;
    for (std::size_t i = 1; i < steps.size(); ++i) {
      if (steps[i] == "?")
        silent = true;
      else if (lower(steps[i]) != "nothing")
        step(steps[i], words, again);
    }
    if (!again.empty()) rerolled = base::joined(again, " ");
    if (!silent) spent = base::joined(words, " ");
  }

  /// "3 dice hit focus blank", "2 hit focus", "no dice".
  Words dice(const std::string& text) const {
    Words words = decide::words_in(lower(text));
    std::optional<std::size_t> announced;
    if (words.size() >= 2 && (words[1] == "dice" || words[1] == "die") && (is_count(words[0]) || words[0] == "no")) {
      announced = words[0] == "no" ? 0 : static_cast<std::size_t>(count(words[0], "dice"));
      words.erase(words.begin(), words.begin() + 2);
    }
    Words out = repeated(words);
    for (std::string& face : out) {
      for (const char* plural : {"hits", "crits", "evades", "blanks"}) {
        if (face == plural) face.pop_back();
      }
    }
    if (announced && *announced != out.size()) {
      fail(fmt::format("{} dice are announced and {} written; write what each of them showed", *announced, out.size()));
    }
    return out;
  }

  /// "lock blank focus -> crit hit, focus": the last words before the arrow are dice, as many as follow it.
  void step(const std::string& text, Words& spent, Words& again) const {
    for (const std::string& part : parted(text, ',')) {
      const std::size_t arrow = part.find("->");
      Words words = repeated(blank_words(lower(part.substr(0, arrow))));
      if (arrow != std::string::npos) {
        const Words after = repeated(blank_words(lower(part.substr(arrow + 2))));
        if (after.empty() || words.size() < after.size()) {
          fail("an arrow reports rerolled dice: write as many before it as after it, as in lock blank -> crit");
        }
        const std::size_t words_before = words.size() - after.size();
        for (std::size_t i = 0; i < after.size(); ++i) again.push_back(words[words_before + i] + "=" + after[i]);
        words.resize(words_before);
      }
      spent.insert(spent.end(), words.begin(), words.end());
    }
  }
};

class TextLog {
 public:
  explicit TextLog(LogBuilder& builder) : builder_(builder), log_(builder.log) {}

  void line(int number, const std::string& text) {
    line_ = number;
    const std::string begins = lower(text.substr(0, text.find_first_of(" \t:")));
    if (begins.size() < text.size() && text[begins.size()] != ':' && (begins == "squad" || begins == "player"))
      return statement(blank_words(text), text);
    if (const std::size_t arrow = text.find('>'); arrow != std::string::npos)
      return log_.lines.push_back(AttackReader(builder_, line_).read(text, arrow, round_));
    const std::size_t colon = text.find(':');
    const Words words = blank_words(text.substr(0, colon));
    const std::string rest = colon == std::string::npos ? "" : trimmed(text.substr(colon + 1));
    if (begins == "round") return round(words, rest);
    if (colon != std::string::npos && words.size() == 1) return ship(words[0], rest);
    statement(blank_words(text), text);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { builder_.fail(line_, why); }
  WordReader words_of_line() const { return {builder_, line_}; }

  // ---------------------------------------------------------------- the head

  void statement(const Words& words, const std::string& text) {
    const std::string rest = words.empty() ? "" : trimmed(text.substr(text.find(words[0]) + words[0].size()));
    const std::string first = words.empty() ? "" : lower(words[0]);
    if (words.size() == 3 && lower(words[1]) == "damage") {
      LoggedLine out{.line = line_, .round = round_};
      out.damage[builder_.ship(line_, words[0])] = words_of_line().count(words[2], "damage");
      log_.lines.push_back(std::move(out));
    } else if (words.size() >= 2 && first == "player") {
      player_ = builder_.player(line_, rest);
    } else if (words.size() >= 2 && first == "squad") {
      squad(rest);
    } else if (words.size() == 2 && (first == "rules" || first == "cards") && !log_.ships.empty()) {
      fail(fmt::format("{} come before the ships, whose names belong to them; move this line up", first));
    } else if (words.size() == 2 && (first == "rules" || first == "cards" || first == "objective" || first == "deck")) {
      (first == "rules"   ? log_.rules
       : first == "cards" ? log_.cards
       : first == "deck"  ? log_.damage_deck
                          : log_.objective) = words[1];
    } else {
      fail(fmt::format(
          "{} is not a line of a log; write a ship (luke: SPEC), an attack (luke > vader r2: ...), round N, "
          "player NAME, squad LINK, NAME damage N, or rules, cards, objective or deck with an id",
          base::in_quotes(text)));
    }
  }

  void squad(const std::string& text) {
    if (!player_) fail("whose squad? write a line player NAME before it");
    if (text.starts_with('{') || load::is_link(text) || load::is_squad_text(text)) {
      builder_.add_squad(line_, *player_, parse_squad(builder_.catalogue(), text, log_.source));
    } else {
      fail(
          "a squad is XWS in one line, a link of a builder, or ships with / between them; a file goes into --mine or "
          "--theirs");
    }
  }

  void ship(const std::string& name, const std::string& spec) {
    if (!player_) fail(fmt::format("no player has {}; write a line player NAME before it", name));
    builder_.add_ship(line_, name, *player_, spec);
  }

  // ---------------------------------------------------------------- rounds and tokens

  void round(const Words& words, const std::string& rest) {
    if (words.size() != 2) fail("write the number of the round, as in round 2");
    round_ = words_of_line().count(words[1], "a round");
    LoggedLine out{.line = line_, .round = round_};
    for (const std::string& part : parted(rest, ';')) {
      if (part.empty()) continue;
      Words words_of_ship = decide::words_in(part);
      const std::string name = builder_.ship(line_, words_of_ship.front());
      words_of_ship.erase(words_of_ship.begin());
      out.tokens[name] = words_of_line().tokens(words_of_ship, name, "");
    }
    log_.lines.push_back(std::move(out));
  }

  LogBuilder& builder_;
  GameLog& log_;
  int line_ = 0, round_ = 0;
  std::optional<int> player_;
};

}  // namespace

GameLog read_text_log(LogBuilder builder, std::string_view text) {
  TextLog log(builder);
  int number = 0;
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    for (std::size_t mark = line.find('#'); mark != std::string_view::npos; mark = line.find('#', mark + 1)) {
      if (mark > 0 && line[mark - 1] != ' ' && line[mark - 1] != '\t') continue;  // part of a link
      line = line.substr(0, mark);
      break;
    }
    const std::string content = trimmed(line);
    if (!content.empty()) log.line(number, content);
  }
  return builder.finish();
}

}  // namespace salvo::review
