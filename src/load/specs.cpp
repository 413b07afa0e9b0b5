// A scenario from the flags of `salvo run` (docs/format.md: SPEC). The words become the same generic tree that files
// become, so that ranges and types are checked in one place. In: one text per attack, one for the defender. Out: a
// Scenario with source "flags".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "load/load.h"
#include "load/message.h"
#include "load/profile.h"
#include "load/scenario_tree.h"
#include "load/value.h"

namespace salvo {

namespace {

using load::fail;
using load::in_quotes;
using load::Value;
using Names = std::vector<std::string>;

constexpr std::string_view kBlanks = " \t\r\n";

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A word behind `=` as it would stand in a file.
Value value_of(std::string_view word) {
  if (word == "true" || word == "false") return Value::of(word == "true");
  if (!is_number(word)) return Value::of(std::string(word));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  Value value = Value::of(number);
  value.huge = error != std::errc();
  if (value.huge) value.text = std::string(word);
  return value;
}

/// What SPEC words may mean in this edition and card set.
struct Vocabulary {
  const Catalogue& catalogue;
  std::string cards;
  Names tokens;
  // Keys with `=`. Texts, then numbers and truth values: of the ship and of the attack.
  Names ship_texts{"ship", "pilot", "size"}, attack_texts{"weapon"};
  Names ship_values{"hull", "shields", "attack", "agility"},
      attack_values{"range", "obstructed", "reinforced", "initiative"};

  bool is_fact(const std::string& word) const { return catalogue.facts().contains(word); }

  /// All words there are; for near names, so it may be slow.
  Names all() const {
    Names words = catalogue.upgrade_ids(cards);
    words.emplace_back("lock");
    for (const Names* more : {&tokens, &ship_texts, &attack_texts, &ship_values, &attack_values}) {
      words.insert(words.end(), more->begin(), more->end());
    }
    for (const auto& [fact, meaning] : catalogue.facts()) words.push_back(fact);
    return words;
  }
};

/// What a ship is there for: to attack, to be attacked, or for something that is no attack.
enum class Role { Attacker, Defender, Bystander };

/// Reads one SPEC into the tree of a ship and, for an attacker, of an attack.
class SpecReader {
 public:
  SpecReader(const Vocabulary& words, std::string flag, Role role)
      : words_(words), flag_(std::move(flag)), role_(role), attacks_(role == Role::Attacker) {}

  Value ship = Value::table();
  Value attack = Value::table();

  void read(std::string_view spec) {
    for (std::size_t at = spec.find_first_not_of(kBlanks); at != std::string_view::npos;) {
      const std::size_t end = std::min(spec.find_first_of(kBlanks, at), spec.size());
      read_word(spec.substr(at, end - at));
      at = spec.find_first_not_of(kBlanks, end);
    }
    finish();
  }

 private:
  [[noreturn]] void fail_word(std::string_view word, const std::string& why) const {
    fail("flags", flag_, 0, in_quotes(word) + " " + why);
  }

  void read_word(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string key(word.substr(0, equals));
    if (equals == std::string_view::npos && is_number(word)) return read_bare_number(word);
    if (key.empty()) fail_word(word, "has no key; write KEY=VALUE");
    if (contains(seen_, key)) fail_word(key, "is given twice; give each word once");
    seen_.push_back(key);
    if (equals == std::string_view::npos) return read_bare_word(key);
    const std::string_view value = word.substr(equals + 1);
    if (value.empty()) fail_word(word, fmt::format("has no value; write {}=VALUE without spaces", key));
    read_pair(word, key, value);
  }

  void read_bare_number(std::string_view word) {
    if (contains(seen_, own_key())) fail_word(word, fmt::format("is a second {}; give exactly one", own_value()));
    seen_.emplace_back(own_key());
    ship.add(own_key(), value_of(word));
  }

  void read_bare_word(const std::string& word) {
    if (word == "lock") return add_lock(word, Value::of(std::int64_t{1}));
    if (contains(words_.tokens, word)) return add_token(word, Value::of(std::int64_t{1}));
    if (word == "obstructed") {
      need_attack(word);
      attack.add(word, Value::of(true));
    } else if (word == "reinforced") {
      fail_word(word,
                "is so without saying; write reinforced=false for an attack from outside the reinforced arc, or the "
                "token reinforce");
    } else if (contains(words_.ship_texts, word) || contains(words_.attack_texts, word) ||
               contains(words_.ship_values, word) || contains(words_.attack_values, word)) {
      fail_word(word, fmt::format("needs a value; write {}=VALUE", word));
    } else if (words_.is_fact(word)) {
      need_attack(word);
      facts_.items.push_back(Value::of(word));
    } else if (words_.catalogue.upgrade_exists(word, words_.cards)) {
      upgrades_.items.push_back(Value::of(word));
    } else {
      fail_unknown(word);
    }
  }

  void read_pair(std::string_view word, const std::string& key, std::string_view value) {
    if (key == "lock") return add_lock(word, value_of(value));
    if (contains(words_.tokens, key)) return add_token(key, value_of(value));
    if (contains(words_.ship_texts, key)) {
      ship.add(key, Value::of(std::string(value)));
    } else if (contains(words_.ship_values, key)) {
      if (key == "attack" || key == "agility") override_ = word;
      ship.add(key, value_of(value));
    } else if (contains(words_.attack_texts, key) || contains(words_.attack_values, key)) {
      need_attack(word);
      attack.add(key, contains(words_.attack_texts, key) ? Value::of(std::string(value)) : value_of(value));
    } else if (words_.catalogue.counted_facts().contains(key)) {
      need_attack(word);
      facts_.items.push_back(Value::of(fmt::format("{} = {}", key, value)));
    } else if (words_.is_fact(key) || words_.catalogue.upgrade_exists(key, words_.cards)) {
      fail_word(word, fmt::format("takes no value; write {} alone", in_quotes(key)));
    } else {
      fail_unknown(key);
    }
  }

  /// For words that belong to an attack.
  void need_attack(std::string_view word) const {
    if (role_ == Role::Bystander) fail_word(word, "belongs to an attack, and there is none; leave it out");
    if (!attacks_) fail_word(word, "belongs to an attack; write it in the --attack it is meant for");
  }

  void add_token(const std::string& kind, Value number) { tokens_.add(kind, std::move(number)); }

  void add_lock(std::string_view word, const Value& number) {
    if (role_ == Role::Bystander) fail_word(word, "names a ship that is not there; leave it out");
    if (!attacks_)
      fail_word(word, "is of no use: the defender does not attack, and only an attacker spends its lock; leave it out");
    const bool counts =
        number.kind == Value::Kind::Integer && !number.huge && (number.integer == 0 || number.integer == 1);
    if (!counts) fail_word(word, "is not possible: a ship has at most one lock on another; write lock");
    Value locks = Value::array();
    if (number.integer == 1) locks.items.push_back(Value::of(std::string("d")));
    tokens_.add("lock", std::move(locks));
  }

  [[noreturn]] void fail_unknown(const std::string& word) const {
    const std::string near = load::did_you_mean(word, words_.all());
    fail_word(word, "is not a token, key, fact or upgrade;" +
                        (near.empty()
                             ? " the tokens are lock, " + load::listed(words_.tokens) +
                                   "; the keys are hull=, shields=, size=, ship=, pilot=, weapon=, range=, obstructed"
                             : near));
  }

  void finish() {
    const bool named = contains(seen_, "ship") || contains(seen_, "pilot");
    if (!named && !override_.empty() && role_ != Role::Bystander) {
      fail_word(override_, fmt::format("overrides a stat line; without ship= write the {} alone, as 3", own_value()));
    }
    if (!named && !contains(seen_, own_key()) && role_ != Role::Bystander) {
      fail("flags", flag_, 0,
           fmt::format("no {}; write it as a number without a key, or name the ship with ship=ID", own_value()));
    }
    if (!tokens_.items.empty()) ship.add("tokens", std::move(tokens_));
    if (!upgrades_.items.empty()) ship.add("upgrades", std::move(upgrades_));
    if (!facts_.items.empty()) attack.add("facts", std::move(facts_));
  }

  /// What the number without a key stands for.
  const char* own_key() const { return attacks_ ? "attack" : "agility"; }
  const char* own_value() const { return attacks_ ? "attack value" : "agility"; }

  const Vocabulary& words_;
  std::string flag_;
  Role role_;
  bool attacks_;
  Names seen_;
  std::string override_;  ///< attack= or agility=, which only make sense beside a stat line
  Value tokens_ = Value::table(), upgrades_ = Value::array(), facts_ = Value::array();
};

/// The edition and card set named by flags, which every word depends on.
Vocabulary vocabulary(const Catalogue& catalogue, const std::string& rules, const std::string& cards) {
  const Edition* edition = catalogue.edition(rules);
  if (edition == nullptr) {
    const Names known = catalogue.edition_ids();
    fail("flags", "rules", 0,
         fmt::format("no edition {};{} the editions are {}", in_quotes(rules), load::did_you_mean(rules, known),
                     load::listed(known)));
  }
  const std::string set = catalogue.card_set(cards, rules);
  const Names& sets = Catalogue::card_sets();
  if (!contains(sets, set)) {
    fail("flags", "cards", 0,
         fmt::format("no card set {};{} the card sets are {}", in_quotes(set), load::did_you_mean(set, sets),
                     load::listed(sets)));
  }
  Vocabulary words{catalogue, set, {}};
  for (const TokenSpec& token : edition->tokens) words.tokens.push_back(token.id);
  return words;
}

}  // namespace

Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attack_specs, const std::string& defend_spec) {
  const Vocabulary words = vocabulary(catalogue, rules, cards);
  if (attack_specs.empty()) fail("flags", "--attack", 0, "no attack; give --attack 'SPEC' at least once");
  Value ships = Value::table(), attacks = Value::array();
  for (std::size_t i = 0; i < attack_specs.size(); ++i) {
    SpecReader reader(words, fmt::format("--attack {}", i + 1), Role::Attacker);
    reader.read(attack_specs[i]);
    const std::string name = fmt::format("a{}", i + 1);
    reader.attack.add("by", Value::of(name));
    reader.attack.add("on", Value::of(std::string("d")));
    ships.add(name, std::move(reader.ship));
    attacks.items.push_back(std::move(reader.attack));
  }
  SpecReader defender(words, "--defend", Role::Defender);
  defender.read(defend_spec);
  ships.add("d", std::move(defender.ship));

  Value root = Value::table();
  root.add("rules", Value::of(rules));
  if (!cards.empty()) root.add("cards", Value::of(cards));
  root.add("ships", std::move(ships));
  root.add("attacks", std::move(attacks));
  return load::read_scenario(root, "flags");
}

std::vector<ScenarioShip> ships_from_specs(const Catalogue& catalogue, const std::string& rules,
                                           const std::string& cards, const std::vector<std::string>& specs) {
  static const std::string source = "flags";
  const Vocabulary words = vocabulary(catalogue, rules, cards);
  Value root = Value::table(), ships = Value::table();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    SpecReader reader(words, fmt::format("--ship {}", i + 1), Role::Bystander);
    reader.read(specs[i]);
    ships.add(fmt::format("s{}", i + 1), std::move(reader.ship));
  }
  root.add("ships", std::move(ships));
  std::vector<ScenarioShip> out;
  const load::Node node(root, source);
  for (const load::Node& ship : node.get("ships")->children()) out.push_back(load::read_scenario_ship(ship));
  return out;
}

}  // namespace salvo
