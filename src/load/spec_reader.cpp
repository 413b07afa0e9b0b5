#include "load/spec_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/index.h"
#include "base/limits.h"
#include "base/text.h"
#include "load/chances.h"
#include "load/spec_draft.h"
#include "load/spec_loadout.h"
#include "load/spec_names.h"
#include "load/spec_words.h"

namespace salvo::load {
namespace {

using Names = SpecVocabulary::Names;

/// Words that a number before them makes results: "3 hits 1 crit".
constexpr std::array<std::string_view, 5> kCounted{"hit", "hits", "crit", "crits", "evades"};

/// Parses one SPEC into the tree of a ship and, for an attacker, of an attack. One class
/// although it is long: what a word means depends on the words before it, and all of them fill one draft.
class SpecParser {
 public:
  SpecParser(const SpecVocabulary& words, const GivenSpec& spec, Role role, const Names& targets,
             const std::string& attacks)
      : words_(words),
        draft_{words, spec, role},
        role_(role),
        attacks_(role == Role::Attacker || role == Role::Fighter),
        targets_(targets),
        attacks_place_(attacks) {}

  ParsedSpec parse() {
    if (role_ == Role::Fighter && base::trimmed(draft_.spec.text).empty())
      draft_.fail("is empty; name a ship, such as Luke Skywalker");
    if (std::count(draft_.spec.text.begin(), draft_.spec.text.end(), '"') % 2 != 0)
      draft_.fail("a quotation mark is not closed; close the quoted name, or leave the mark out");
    Names split = join_times(split_spec(draft_.spec.text));
    for (std::string& word : split) word = in_lower_case(word);
    Names words = join_chances(take_results(split));
    for (const std::string& word : words) {
      if (word.starts_with("pilot=")) draft_.pilot = true;
      if (word.starts_with("ship=")) draft_.flown = word.substr(5);
    }
    // Look for names of several words, and for parts of names, only if some word has no meaning on its own.
    const bool names = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return word.find('=') == std::string::npos && !is_number(word) && times_of(word) == 0 && !words_.knows(word);
    });
    if (names && !draft_.flown.empty()) names_.find_flown(draft_.flown);
    if (names && counts_ships(words)) {
      words[0] = fmt::format("x{}", number_word(words[0]));
    } else if (names && counts_plural(words)) {
      if (role_ == Role::Defender)
        draft_.fail_word(words[0], "before a plural is a number of ships, and one is shot at; write agility=" +
                                       words[0] + ", or the name in the singular");
      draft_.out.notes.push_back(
          fmt::format("{}: {} before a plural is read as the number of ships; {}={} would be the {}", draft_.spec.name,
                      base::in_quotes(words[0]), own_key(), words[0], own_value()));
      words[0].insert(0, "x");
    }
    for (std::size_t at = 0; at < words.size();) {
      draft_.after = at + 1 < words.size() ? words[at + 1] : "";
      const ReadName name = names ? names_.read(words, at) : ReadName();
      if (!name.pair.empty()) read_word(name.pair);
      const bool in = name.words == 0 && words[at] == "in";
      const bool joins = is_joining(words[at]) && !(in && draft_.after == "arc");  // "in arc" names no ship
      if (name.words == 0 && !joins) read_word(words[at]);
      at += std::max<std::size_t>(name.words, 1);
      if (in && at + 1 < words.size() && is_article(words[at])) ++at;  // "Bossk in the Hound's Tooth"
      draft_.before = words[at - 1];
    }
    finish();
    return std::move(draft_.out);
  }

 private:
  /// Whether the first word is the number of the ships named after it, as in "three Academy Pilots".
  bool counts_ships(const Names& words) const {
    return role_ != Role::Defender && !words.empty() && number_word(words[0]) > 0 && !names_.begins_name(words, 0) &&
           names_.begins_name(words, 1);
  }

  /// Whether the first word is the number of the ships in "2 Academy Pilots", and no attack value.
  bool counts_plural(const Names& words) const {
    const int number = words.empty() ? 0 : times_of("x" + words[0]);
    return number > 1 && names_.begins_plural(words, 1);
  }

  /// The word, with a token, key, fact, result or joining word in lower case.
  std::string in_lower_case(const std::string& word) const {
    const std::size_t end = std::min(word.find('='), word.size());
    const std::string lower = base::lower_case(word.substr(0, end));
    const bool meant = word.compare(0, end, lower) != 0 &&
                       (times_of(lower) > 0 || words_.is_reserved(lower) || lower == "initiative" ||
                        lower == "points" || base::contains(kCounted, std::string_view(lower)) || is_joining(lower));
    return meant ? lower + word.substr(end) : word;
  }

  /// Whether some number counts results of the attack dice.
  bool counts_results(const Names& words) const {
    if (role_ != Role::Attacker) return false;
    const auto counted = [](const std::string& number, const std::string& face) {
      return is_number(number) && face != "evades" && base::contains(kCounted, std::string_view(face));
    };
    return std::adjacent_find(words.begin(), words.end(), counted) != words.end();
  }

  /// Reads the results in "3 hits 1 crit". Returns the other words.
  Names take_results(const Names& words) {
    Names rest, faces;
    results_ = counts_results(words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& next = i + 1 < words.size() ? words[i + 1] : std::string();
      const bool counted = is_number(words[i]) && base::contains(kCounted, std::string_view(next));
      if (results_ && is_number(words[i]) && (next.starts_with("focus") || next.starts_with("blank"))) {
        draft_.fail_word(words[i] + " " + next,
                         "may be tokens or faces of the dice; write rolled=hit,focus,blank for "
                         "the whole roll, focus=1 for a token");
      }
      if (!counted || role_ == Role::Fighter || role_ == Role::Bystander) {
        rest.push_back(words[i]);
        continue;
      }
      const std::string face = next.ends_with('s') ? next.substr(0, next.size() - 1) : next;
      const bool own = (role_ == Role::Attacker) == (face != "evade");
      if (!own || role_ == Role::Defender) {
        draft_.fail_word(
            words[i] + " " + next,
            own ? "may be tokens or results; write evade=2 for tokens, results=evade,evade for what is left of "
                  "the roll"
                : fmt::format("are results of the other player's dice; write them in the {}",
                              role_ == Role::Defender ? "SPEC of the attack" : "SPEC of the defender"));
      }
      const int n = base::whole_number(words[i]).value_or(-1);
      if (n < 0 || n > base::kMaxPool)
        draft_.fail_word(words[i], fmt::format("is not a number of results from 0 to {}", base::kMaxPool));
      faces.insert(faces.end(), static_cast<std::size_t>(n), face);
      ++i;
    }
    counted_ = results_;
    if (results_) {
      draft_.seen.emplace_back("results");
      add_faces("results", "results", base::joined(faces, ","));
    }
    return rest;
  }

  void read_word(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string key(word.substr(0, equals));
    if (equals == std::string_view::npos && is_number(word)) return read_bare_number(word);
    if (const int many = times_of(word); many > 0) return repeat(word, many);
    if (key.empty()) draft_.fail_word(word, "has no key; write KEY=VALUE");
    const bool again = base::contains(draft_.seen, key);
    if (again && (equals != std::string_view::npos || !words_.is_upgrade(key)))
      fail_again(key, equals == std::string_view::npos);
    draft_.seen.push_back(key);
    if (equals == std::string_view::npos) return read_bare_word(key);
    const std::string_view value = word.substr(equals + 1);
    if (value.empty()) draft_.fail_word(word, fmt::format("has no value; write {}=VALUE without spaces", key));
    read_pair(word, key, value);
  }

  void repeat(std::string_view word, int many) {
    if (role_ == Role::Defender)
      draft_.fail_word(word,
                       fmt::format("repeats an attack; write it in the {} that is to be repeated", attacks_place_));
    if (draft_.out.times != 1) draft_.fail_word(word, "is a second number of ships; give one");
    draft_.out.times = many;
    if (word.ends_with('x') && base::contains(words_.tokens, draft_.after)) {
      draft_.out.notes.push_back(fmt::format("{}: {} is read as the number of ships; {}={} would be tokens",
                                             draft_.spec.name, base::in_quotes(word), draft_.after, many));
    }
  }

  [[noreturn]] void fail_again(const std::string& key, bool alone) const {
    if (alone && key == own_key())
      draft_.fail_word(key, fmt::format("is what a number without a key means here; leave the word {} out", key));
    draft_.fail_word(key, fmt::format("is given twice; {}", base::contains(words_.tokens, key)
                                                                ? fmt::format("write {}=2 for two tokens", key)
                                                                : "give each word once"));
  }

  /// The key of a number without one, if a word beside it says so: "2 hull", "force 2".
  std::string key_beside() const {
    Names keys = words_.tokens;
    keys.insert(keys.end(), words_.ship_values.begin(), words_.ship_values.end());
    for (const std::string* const word : {&draft_.after, &draft_.before}) {
      const std::string key = word->find('=') == std::string::npos ? base::nearest(*word, keys) : "";
      if (!key.empty()) return key;
    }
    return {};
  }

  void read_bare_number(std::string_view word) {
    if (counted_) {
      draft_.fail_word(word,
                       "may be dice or more results; leave it out, for the results are what is left of all dice, "
                       "or write rolled=hit,focus,blank for the whole roll");
    }
    if (base::contains(draft_.seen, own_key())) {
      const std::string key = key_beside();
      draft_.fail_word(
          word, fmt::format("is a second {}; give exactly one{}", own_value(),
                            !key.empty() ? fmt::format(", or write {}={}{}", key, word, draft_.after == "%" ? "%" : "")
                            : role_ == Role::Fighter ? ", and the agility as agility=2"
                                                     : ""));
    }
    draft_.seen.emplace_back(own_key());
    draft_.out.ship.add(own_key(), value_of(word));
  }

  void read_bare_word(const std::string& word) {
    if (word == "lock") return add_lock(word, data::Value::of(std::int64_t{1}));
    if (base::contains(words_.tokens, word)) return add_token(word, data::Value::of(std::int64_t{1}));
    if (word == "obstructed") {
      need_attack(word);
      draft_.out.attack.add(word, data::Value::of(true));
    } else if (word == "reinforced") {
      need_attack(word);
      draft_.fail_word(
          word,
          "is so without saying; write reinforced=false for an attack from outside the reinforced arc, or the "
          "token reinforce");
    } else if (base::contains(words_.lists, word)) {
      draft_.fail_word(word,
                       fmt::format("needs a value; write {}", word == "faceup" ? "faceup=blindedpilot,weaponsfailure"
                                                              : attacks_       ? word + "=hit,focus,blank"
                                                                               : word + "=evade,focus,blank"));
    } else if (is_of_ship(word) || base::contains(words_.attack_texts, word) ||
               base::contains(words_.attack_values, word)) {
      if (!is_of_ship(word)) need_attack(word);
      const int spoken = number_word(draft_.after);
      const std::string value = spoken > 0                ? std::to_string(spoken)
                                : is_number(draft_.after) ? draft_.after
                                                          : draft_.before;
      draft_.fail_word(word, fmt::format("needs a value; write {}={}", word, is_number(value) ? value : "VALUE"));
    } else if (words_.is_fact(word)) {
      need_attack(word);
      facts_.items.push_back(data::Value::of(word));
    } else if (words_.catalogue.upgrade_exists(word, words_.cards)) {
      draft_.add_upgrade(word, word);
    } else {
      draft_.fail_unknown(word);
    }
  }

  /// Whether the key belongs to the ship rather than to an attack.
  bool is_of_ship(const std::string& key) const {
    return base::contains(words_.ship_texts, key) || base::contains(words_.ship_values, key) ||
           (role_ == Role::Fighter && (key == "initiative" || key == "points"));
  }

  void read_pair(std::string_view word, const std::string& key, std::string_view value) {
    if (value.find('%') != std::string_view::npos) return read_chances(word, key, value);
    if ((value.starts_with("0.") || value.starts_with('.')) && takes_chances(key))
      draft_.fail_word(word, fmt::format("is not a whole number; write {}={:g}% for a chance", key,
                                         100 * base::parse_real(value).value_or(0.5)));
    if (value.find('/') != std::string_view::npos && takes_chances(key))
      draft_.fail_word(word,
                       fmt::format("is not a whole number; write {}={:.4g}% for a chance", key, percent_of(value)));
    if (key == "range") check_ranges(word, value);
    if (key == "lock") return add_lock(word, value_of(value));
    if (key == "rolled" || key == "results") return add_faces(word, key, value);
    if (key == "faceup") {
      draft_.out.ship.add(key, list_value(value));
      return;
    }
    if (base::contains(words_.tokens, key)) return add_token(key, value_of(value));
    if (key == "loadout") {
      if (value != "none")
        draft_.fail_word(word, "is not possible: write loadout=none for a pilot without the standard loadout");
      bare_ = true;
      return;
    }
    if (base::contains(words_.ship_texts, key)) {
      draft_.out.ship.add(key, data::Value::of(std::string(value)));
    } else if (is_of_ship(key)) {
      if (key == "attack" || key == "agility") override_ = word;
      draft_.out.ship.add(key, value_of(value));
    } else if (base::contains(words_.attack_texts, key) || base::contains(words_.attack_values, key)) {
      need_attack(word);
      draft_.out.attack.add(
          key, base::contains(words_.attack_texts, key) ? data::Value::of(std::string(value)) : value_of(value));
    } else if (words_.catalogue.counted_facts().contains(key)) {
      need_attack(word);
      facts_.items.push_back(data::Value::of(fmt::format("{} = {}", key, value)));
    } else if (words_.is_fact(key) || words_.catalogue.upgrade_exists(key, words_.cards)) {
      draft_.fail_word(word, fmt::format("takes no value; write {} alone", base::in_quotes(key)));
    } else {
      draft_.fail_unknown(key);
    }
  }

  /// The percentage that a fraction such as 1/4 means.
  static double percent_of(std::string_view fraction) {
    const auto [above, below] = base::cut(fraction, '/');
    const int part = base::whole_number(above).value_or(0), whole = base::whole_number(below).value_or(0);
    return part > 0 && part <= whole ? 100.0 * part / whole : 50;
  }

  /// Throws LoadError for several ranges, such as 1-3.
  void check_ranges(std::string_view word, std::string_view value) const {
    const auto [from, to] = base::cut(value, '-');
    const int first = base::whole_number(from).value_or(0), last = base::whole_number(to).value_or(0);
    constexpr int kLast = 3;
    if (from.empty() || first >= last || last > kLast) return;
    Names chances;
    const int many = last - first + 1, share = 100 / many;
    for (int range = first; range <= last; ++range)
      chances.push_back(fmt::format("{}:{}%", range, range == first ? 100 - share * (many - 1) : share));
    draft_.fail_word(
        word, fmt::format("is not one range; write the chances of several as range={}", base::joined(chances, ",")));
  }

  bool takes_chances(const std::string& key) const {
    return key == "lock" || key == "obstructed" || key == "reinforced" || base::contains(words_.tokens, key) ||
           words_.is_fact(key);
  }

  void read_chances(std::string_view word, const std::string& key, std::string_view text) {
    std::optional<data::Value> chances = chances_of_text(text);
    if (!chances) {
      draft_.fail_word(word,
                       fmt::format("does not say how probable each value is; write {0}=50%, or {0}=1:20%,2:80% with "
                                   "percentages from 0 to 100",
                                   key));
    }
    if (key == "lock") return add_lock(word, *chances);
    if (base::contains(words_.tokens, key)) return add_token(key, std::move(*chances));
    if (key == "range" || key == "obstructed" || key == "reinforced") {
      need_attack(word);
      if (key == "range" && chances->kind != data::Value::Kind::Table)
        draft_.fail_word(word,
                         "does not say which ranges; write them with their percentages, for example range=1:20%,2:80%");
      draft_.out.attack.add(key, std::move(*chances));
    } else if (words_.is_fact(key)) {
      need_attack(word);
      data::Value fact = data::Value::table();
      const bool counted = words_.catalogue.counted_facts().contains(key);
      if (counted != (chances->kind == data::Value::Kind::Table)) {
        draft_.fail_word(word, counted ? fmt::format("needs numbers; write {}=0:50%,2:50%", key)
                                       : fmt::format("takes one percentage; write {}=50%", key));
      }
      fact.add(key, std::move(*chances));
      facts_.items.push_back(std::move(fact));
    } else if (words_.knows(key)) {
      draft_.fail_word(
          word,
          "takes no chances; give it one value: tokens, lock, range, obstructed, reinforced and facts take chances");
    } else {
      draft_.fail_unknown(key);
    }
  }

  /// Throws LoadError if the ship makes no attack to which the word could belong.
  void need_attack(std::string_view word) const {
    if (role_ == Role::Fighter)
      draft_.fail_word(word,
                       "belongs to a single attack; leave it out: the flight says who can shoot whom, the policy how");
    if (role_ == Role::Bystander) draft_.fail_word(word, "belongs to an attack, and there is none; leave it out");
    if (!attacks_ && !attacks_place_.empty())
      draft_.fail_word(word, fmt::format("belongs to an attack; write it in the {} it is meant for", attacks_place_));
  }

  /// Adds faces in place of a roll.
  void add_faces(std::string_view word, const std::string& key, std::string_view value) {
    if (role_ != Role::Defender) need_attack(word);
    draft_.out.attack.add(role_ == Role::Defender ? "defense_" + key : key, list_value(value));
    results_ = true;
  }

  void add_token(const std::string& kind, data::Value number) { tokens_.add(kind, std::move(number)); }

  void add_lock(std::string_view word, const data::Value& number) {
    if (role_ == Role::Fighter)
      draft_.fail_word(word, "is an action: a ship begins a battle without locks; leave it out");
    if (role_ == Role::Bystander) draft_.fail_word(word, "names a ship that does not exist here; leave it out");
    if (!attacks_)
      draft_.fail_word(
          word, "has no effect: the defender does not attack, and only an attacker spends its lock; leave it out");
    if (number.kind == data::Value::Kind::Real || number.kind == data::Value::Kind::Table)
      return add_uncertain_lock(word, number);
    if (targets_.size() > 1) return add_lock_on(word, number);
    const bool counts =
        number.kind == data::Value::Kind::Integer && !number.huge && (number.integer == 0 || number.integer == 1);
    if (!counts) draft_.fail_word(word, "is not possible: a ship has at most one lock on another; write lock");
    data::Value locks = data::Value::array();
    if (number.integer == 1) locks.items.push_back(data::Value::of(std::string("d")));
    tokens_.add("lock", std::move(locks));
  }

  void add_uncertain_lock(std::string_view word, data::Value chance) {
    if (targets_.size() > 1)
      draft_.fail_word(word,
                       "does not say on which ship the lock is; chances of a lock need a single target, or a file");
    if (chance.kind != data::Value::Kind::Real) draft_.fail_word(word, "takes one percentage; write lock=50%");
    data::Value locks = data::Value::table();
    locks.add("d", std::move(chance));
    tokens_.add("lock", std::move(locks));
  }

  /// A lock on one of several ships.
  void add_lock_on(std::string_view word, const data::Value& target) {
    if (target.kind != data::Value::Kind::Text || !base::contains(targets_, target.text)) {
      draft_.fail_word(word, fmt::format("does not say on which ship the lock is; write lock={}, or another of {}",
                                         targets_.front(), base::listed(targets_)));
    }
    data::Value locks = data::Value::array();
    locks.items.push_back(target);
    tokens_.add("lock", std::move(locks));
  }

  void finish() {
    names_.finish();
    const bool named = base::contains(draft_.seen, "ship") || base::contains(draft_.seen, "pilot");
    if (!named && !override_.empty() && draft_.single_attack()) {
      draft_.fail_word(override_, fmt::format("overrides a stat line; without ship= write the {} alone, for example 3",
                                              own_value()));
    }
    if (!named && !results_ && !base::contains(draft_.seen, own_key()) && role_ != Role::Bystander) {
      draft_.fail(fmt::format("no {}; write it as a number without a key, or name a ship, such as X-wing{}",
                              own_value(), role_ == Role::Fighter ? ": 3 agility=2 hull=4" : ""));
    }
    const std::string note = bare_ ? "" : add_standard_loadout(words_, draft_.out.ship, draft_.flown, draft_.upgrades);
    if (!note.empty()) draft_.out.notes.push_back(fmt::format("{}: {}", draft_.spec.name, note));
    if (!tokens_.items.empty()) draft_.out.ship.add("tokens", std::move(tokens_));
    if (!draft_.upgrades.items.empty()) draft_.out.ship.add("upgrades", std::move(draft_.upgrades));
    if (!facts_.items.empty()) draft_.out.attack.add("facts", std::move(facts_));
  }

  /// The meaning of a number without a key.
  const char* own_key() const { return attacks_ ? "attack" : "agility"; }
  const char* own_value() const { return attacks_ ? "attack value" : "agility"; }

  const SpecVocabulary& words_;
  SpecDraft draft_;
  SpecNames names_{draft_};
  const Role role_;
  const bool attacks_;  ///< a number without a key is the attack value
  const Names& targets_;
  const std::string& attacks_place_;
  bool results_ = false;  ///< whether there are faces in place of a roll
  bool counted_ = false;  ///< ... as in "3 hits 1 crit"
  bool bare_ = false;     ///< without the standard loadout
  std::string override_;  ///< the word attack= or agility=, which needs a stat line to override
  data::Value tokens_ = data::Value::table(), facts_ = data::Value::array();
};

}  // namespace

ParsedSpec parse_spec(const SpecVocabulary& words, const GivenSpec& spec, Role role, const Names& targets,
                      const std::string& attacks) {
  check_length(spec);
  return SpecParser(words, spec, role, targets, attacks).parse();
}

}  // namespace salvo::load
