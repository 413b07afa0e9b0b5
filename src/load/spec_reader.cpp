#include "load/spec_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/index.h"
#include "base/limits.h"
#include "base/name_key.h"
#include "base/text.h"
#include "data/message.h"
#include "load/chances.h"
#include "load/name_index.h"
#include "load/namesakes.h"
#include "load/pilot_stats.h"
#include "load/profile.h"
#include "load/scenario_names.h"
#include "load/slot_rules.h"
#include "load/spec_loadout.h"
#include "load/spec_words.h"
#include "load/squads/squad_ids.h"
#include "load/synonyms.h"

namespace salvo::load {
namespace {

using Names = SpecVocabulary::Names;

/// Words that a number before them makes results: "3 hits 1 crit".
constexpr std::array<std::string_view, 5> kCounted{"hit", "hits", "crit", "crits", "evades"};

/// Words that people put before the upgrades of a ship.
constexpr std::array<std::string_view, 2> kBeforeUpgrades{"with", "w/"};

/// Parses one SPEC into the tree of a ship and, for an attacker, of an attack.
class SpecParser {
 public:
  SpecParser(const SpecVocabulary& words, const GivenSpec& spec, Role role, const Names& targets,
             const std::string& attacks)
      : words_(words),
        spec_(spec),
        role_(role),
        attacks_(role == Role::Attacker || role == Role::Fighter),
        targets_(targets),
        attacks_place_(attacks) {}

  ParsedSpec parse() {
    if (std::count(spec_.text.begin(), spec_.text.end(), '"') % 2 != 0)
      fail_spec("a quotation mark is not closed; close the quoted name, or leave the mark out");
    Names split = join_times(split_spec(spec_.text));
    for (std::string& word : split) word = in_lower_case(word);
    const Names words = join_chances(take_results(split));
    for (const std::string& word : words) {
      if (word.starts_with("pilot=")) pilot_ = true;
      if (word.starts_with("ship=")) flown_ = word.substr(5);
    }
    // Look for names of several words, and for parts of names, only if some word has no meaning on its own.
    const bool names = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return word.find('=') == std::string::npos && !is_number(word) && times_of(word) == 0 && !words_.knows(word);
    });
    if (names && !flown_.empty()) find_flown(flown_);
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t taken = names ? read_name(words, at) : 0;
      if (taken == 0 && !base::contains(kBeforeUpgrades, std::string_view(words[at]))) read_word(words[at]);
      at += std::max<std::size_t>(taken, 1);
    }
    finish();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail_spec(const std::string& why) const { throw data::error_at(spec_.place, why); }
  [[noreturn]] void fail_word(std::string_view word, const std::string& why) const {
    fail_spec(base::in_quotes(word) + " " + why);
  }

  /// The word, with a token, key, fact, result or "with" in lower case.
  std::string in_lower_case(const std::string& word) const {
    const std::size_t end = std::min(word.find('='), word.size());
    const std::string lower = base::lower_case(word.substr(0, end));
    const bool meant =
        word.compare(0, end, lower) != 0 &&
        (times_of(lower) > 0 || base::contains(words_.reserved_words(), lower) || lower == "initiative" ||
         lower == "points" || base::contains(kCounted, std::string_view(lower)) ||
         base::contains(kBeforeUpgrades, std::string_view(lower)));
    return meant ? lower + word.substr(end) : word;
  }

  /// Reads the results in "3 hits 1 crit". Returns the other words.
  Names take_results(const Names& words) {
    Names rest, faces;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& next = i + 1 < words.size() ? words[i + 1] : std::string();
      const bool counted = is_number(words[i]) && base::contains(kCounted, std::string_view(next));
      if (!counted || role_ == Role::Fighter || role_ == Role::Bystander) {
        rest.push_back(words[i]);
        continue;
      }
      const std::string face = next.ends_with('s') ? next.substr(0, next.size() - 1) : next;
      const bool own = (role_ == Role::Attacker) == (face != "evade");
      if (!own || role_ == Role::Defender) {
        fail_word(words[i] + " " + next,
                  own ? "may be tokens or results; write evade=2 for tokens, results=evade,evade for what is left of "
                        "the roll"
                      : fmt::format("are results of the other player's dice; write them in the {}",
                                    role_ == Role::Defender ? "SPEC of the attack" : "SPEC of the defender"));
      }
      const int n = base::whole_number(words[i]).value_or(-1);
      if (n < 0 || n > base::kMaxPool)
        fail_word(words[i], fmt::format("is not a number of results from 0 to {}", base::kMaxPool));
      faces.insert(faces.end(), static_cast<std::size_t>(n), face);
      results_ = true;
      ++i;
    }
    if (results_) {
      seen_.emplace_back("results");
      add_faces("results", "results", base::joined(faces, ","));
    }
    return rest;
  }

  // ---- names ----

  /// Reads the longest name that starts with the word at `at`. Returns its number of words; 0: none.
  std::size_t read_name(const Names& words, std::size_t at) {
    constexpr std::size_t kMaxWords = 6;
    std::size_t most = 1;
    while (most < kMaxWords && at + most < words.size() && words[at + most].find('=') == std::string::npos) ++most;
    const std::size_t equals = words[at].find('=');
    const std::string key = words[at].substr(0, equals == std::string::npos ? 0 : equals);
    for (std::size_t n = most; n > 0; --n) {
      std::string text = words[at].substr(equals == std::string::npos ? 0 : equals + 1);
      for (std::size_t i = 1; i < n; ++i) text += " " + words[at + i];
      const bool plain = n == 1 && (equals != std::string::npos || is_number(text) || words_.knows(text) ||
                                    base::contains(kBeforeUpgrades, std::string_view(text)));
      if (!plain && (key.empty() ? read_bare_name(text, n == 1) : read_named_value(key, text))) return n;
    }
    return 0;
  }

  NameMatch named(std::string_view kind, const std::string& text, std::string_view ship = {}) const {
    // The id of a pilot names it without the index of all names, which takes a tenth of a short run.
    if (kind == "pilot" && !words_.catalogue.ships_of_pilot(text, words_.cards).empty())
      return {.sense = NameMatchKind::Exact, .whole = true, .found = {"pilot", text, text}, .candidates = {}};
    return match_name(words_.catalogue.names(words_.cards), kind, text, ship);
  }

  /// The pilot of that name; of several, the one who flies the ship.
  NameMatch pilot_named(const std::string& text) const {
    NameMatch match = named("pilot", text, flown_);
    if (!match.whole || may_fly(match)) return match;
    const std::string id = find_pilot_card(words_.catalogue, match.found.id, words_.cards, {.ship = flown_}).id;
    const NameEntry* const other = words_.catalogue.names(words_.cards).find("pilot", id);
    if (other == nullptr || !base::contains(other->ships, std::string_view(flown_))) return match;
    match.sense = NameMatchKind::Likely;
    match.found = {"pilot", id, std::string(other->name)};
    return match;
  }

  /// Sets the ship whose pilots are searched.
  void find_flown(const std::string& text) {
    const NameMatch match = named("ship", text);
    flown_ = match.found.id.empty() ? text : match.found.id;
  }

  /// Reads a name of several words after ship=, pilot= or weapon=.
  bool read_named_value(const std::string& key, const std::string& text) {
    if (key != "ship" && key != "pilot" && key != "weapon") return false;
    const NameMatch match = named(key == "weapon" ? "upgrade" : key, text);
    if (!match.whole) return false;
    if (key == "ship") find_flown(text);
    read_word(fmt::format("{}={}", key, text));
    return true;
  }

  /// Reads the name of a pilot, unless there is one already, of a ship or of an upgrade.
  bool read_bare_name(const std::string& text, bool one_word) {
    if (one_word && base::name_key(text).empty()) return false;
    if (std::count(text.begin(), text.end(), '(') != std::count(text.begin(), text.end(), ')')) return false;
    const std::size_t open =
        text.find(" (");  // "Han Solo (Rebel)" is the pilot, though it is like the id of an upgrade
    if (!pilot_ && open != std::string::npos && !faction_of(std::string_view(text).substr(open)).empty() &&
        named("pilot", text.substr(0, open)).whole)
      return false;
    const bool beside = pilot_ && text.starts_with('(') && text.ends_with(')');
    if (beside && !faction_of(text).empty()) return read_which(text);
    if (beside && flown_.empty()) {  // "Sabine Wren (Gauntlet)"
      const NameMatch ship = named("ship", text);
      const NameMatch upgrade = named("upgrade", text);
      const bool title =
          upgrade.whole && base::name_key(ship.found.name).find(base::name_key(text)) == std::string::npos;
      if (!title && (ship.sense == NameMatchKind::Exact || ship.sense == NameMatchKind::Likely))
        return take(ship, text), true;
    }
    if (beside && read_which(text)) return true;
    Names kinds{"upgrade"};
    if (!pilot_) kinds.insert(kinds.begin(), "pilot");
    if (flown_.empty()) kinds.emplace_back("ship");
    std::vector<NameMatch> parts;
    std::string flies_other;  // a pilot with that name who flies other ships
    for (const std::string& kind : kinds) {
      const NameMatch match = kind == "pilot" ? pilot_named(text) : named(kind, text);
      if (match.sense == NameMatchKind::Unknown) continue;
      if (kind == "pilot" && !may_fly(match)) {
        if (match.whole) flies_other = match.found.id;
        continue;
      }
      if (!match.whole) {
        parts.push_back(match);
        continue;
      }
      if (match.sense == NameMatchKind::Ambiguous) fail_word(text, describe(match, kind, text, words_.cards));
      take(match, text);
      if (!flies_other.empty()) {
        out_.notes.push_back(fmt::format("{}: {} is read as the {} {}, since no pilot of that name flies the {}",
                                         spec_.name, base::in_quotes(text), match.found.kind, match.found.id, flown_));
      }
      return true;
    }
    if (!flies_other.empty() && parts.empty()) {
      fail_word(text, fmt::format("does not fly the {}, but {}", flown_,
                                  base::listed(words_.catalogue.ships_of_pilot(flies_other, words_.cards))));
    }
    if (pilot_ && parts.empty() && named("pilot", text).whole) {
      fail_word(text, fmt::format("is a second pilot; give each ship a SPEC of its own{}",
                                  role_ == Role::Fighter ? ", with | between them" : ""));
    }
    if (!one_word || parts.empty() || !base::did_you_mean(text, words_.reserved_words()).empty()) return false;
    if (parts.size() == 1 && parts[0].sense == NameMatchKind::Likely) {
      take(parts[0], text);
      return true;
    }
    fail_parts(text, parts);
  }

  /// Whether the matching pilot flies the named ship.
  bool may_fly(const NameMatch& match) const {
    if (flown_.empty() || match.sense == NameMatchKind::Ambiguous) return true;
    return base::contains(words_.catalogue.ships_of_pilot(match.found.id, words_.cards), flown_);
  }

  /// The id of the pilot read; empty: none.
  std::string pilot_id() const {
    const data::Value* const pilot = out_.ship.find("pilot");
    if (pilot == nullptr) return {};
    const std::string id = named("pilot", pilot->text).found.id;
    return id.empty() ? pilot->text : id;
  }

  /// Reads which pilot of that name is meant in "Han Solo (Scum)", "Luke Skywalker (BoY)".
  bool read_which(const std::string& text) {
    const std::string pilot = pilot_id(), faction = faction_of(text);
    const std::string id = faction.empty() ? variant_of(words_.catalogue.names(words_.cards), pilot, text)
                                           : namesake_of_faction(words_.catalogue, words_.cards, pilot, faction);
    if (id.empty() && !faction.empty())
      fail_word(text, "fits no such pilot: " + no_namesake(words_.catalogue, words_.cards, pilot, faction));
    if (id.empty()) return false;
    if (!flown_.empty() && !base::contains(words_.catalogue.ships_of_pilot(id, words_.cards), flown_))
      fail_word(text, fmt::format("means the pilot {}, who does not fly the {}; leave one out", id, flown_));
    which_ = true;
    for (data::Value& item : out_.ship.items) {
      if (item.key == "pilot") item.text = id;
    }
    return true;
  }

  /// An upgrade that only another ship may have tells which of the pilots of that name is meant: "Hera Syndulla,
  /// Ghost". `given`: the upgrade as the SPEC spells it.
  void find_ship_of(const std::string& upgrade, const std::string& given) {
    const std::string id = pilot_id();
    if (id.empty() || !flown_.empty()) return;
    const Names own = words_.catalogue.ships_of_pilot(id, words_.cards);
    const Names all = ships_of_namesakes(words_.catalogue.names(words_.cards), id);
    if (own.empty() || all.size() == own.size()) return;  // most pilots have one ship, and need no restrictions
    const SlotRules rules(words_.catalogue, words_.cards);
    const auto may_have = [&](const std::string& name) {
      const ShipSpec* const ship = words_.catalogue.ship(name, words_.cards);
      return ship != nullptr && rules.unmet(upgrade, *ship, nullptr).empty();
    };
    const auto at = std::find_if(all.begin(), all.end(), may_have);
    if (at == all.end() || std::any_of(own.begin(), own.end(), may_have)) return;
    flown_ = *at;
    out_.ship.add("ship", data::Value::of(flown_));
    out_.notes.push_back(
        fmt::format("{}: the upgrade {} needs another ship of the pilot, and the ship is read as {} ({})", spec_.name,
                    base::in_quotes(given), flown_, name_of(words_.catalogue, "ship", flown_, words_.cards)));
  }

  void take(const NameMatch& as_named, const std::string& text) {
    const bool beside = as_named.found.kind == "ship" && pilot_;
    const NameMatch match =
        beside ? ship_beside(words_.catalogue.names(words_.cards), as_named, text, pilot_id(), which_) : as_named;
    const Named& named = match.found;
    const std::string key = named.kind == "upgrade" ? named.id : named.kind;
    if (named.kind != "upgrade" && base::contains(seen_, key)) fail_word(text, "is given twice; give each word once");
    seen_.push_back(key);
    if (match.sense == NameMatchKind::Likely) out_.notes.push_back(reading_note(spec_.name, named, text));
    if (named.kind == "upgrade") {
      add_upgrade(named.id, text);
    } else {
      out_.ship.add(named.kind, data::Value::of(named.id));
    }
    if (named.kind == "pilot") pilot_ = true;
    if (named.kind == "ship") flown_ = named.id;
  }

  void add_upgrade(const std::string& id, const std::string& given) {
    upgrades_.items.push_back(data::Value::of(id));
    given_upgrades_.push_back(given);
  }

  [[noreturn]] void fail_parts(const std::string& text, const std::vector<NameMatch>& parts) const {
    if (const std::string hint = remedy(WordContext::Spec, text); !hint.empty()) fail_unknown(text);
    Names all;
    for (const NameMatch& match : parts) {
      std::vector<Named> named = match.candidates;
      if (named.empty()) named.push_back(match.found);
      for (const Named& one : named) {
        const std::string key = one.kind == "upgrade" ? "" : one.kind + "=";
        all.push_back(fmt::format("{}{} ({})", key, one.id, one.name));
      }
    }
    constexpr std::size_t kMaxListed = 8;
    fail_word(text, fmt::format("is not a token, key or fact, and a part of several names; write one of {}",
                                base::listed(all, kMaxListed)));
  }

  // ---- words ----

  void read_word(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string key(word.substr(0, equals));
    if (equals == std::string_view::npos && is_number(word)) return read_bare_number(word);
    if (const int many = times_of(word); many > 0) return repeat(word, many);
    if (key.empty()) fail_word(word, "has no key; write KEY=VALUE");
    const bool again = base::contains(seen_, key);
    if (again && (equals != std::string_view::npos || !words_.is_upgrade(key)))
      fail_word(key, "is given twice; give each word once");
    seen_.push_back(key);
    if (equals == std::string_view::npos) return read_bare_word(key);
    const std::string_view value = word.substr(equals + 1);
    if (value.empty()) fail_word(word, fmt::format("has no value; write {}=VALUE without spaces", key));
    read_pair(word, key, value);
  }

  void repeat(std::string_view word, int many) {
    if (role_ == Role::Defender)
      fail_word(word, fmt::format("repeats an attack; write it in the {} that is to be repeated", attacks_place_));
    if (out_.times != 1) fail_word(word, "is a second number of ships; give one");
    out_.times = many;
  }

  void read_bare_number(std::string_view word) {
    if (base::contains(seen_, own_key())) {
      fail_word(word, fmt::format("is a second {}; give exactly one{}", own_value(),
                                  role_ == Role::Fighter ? ", and the agility as agility=2" : ""));
    }
    seen_.emplace_back(own_key());
    out_.ship.add(own_key(), value_of(word));
  }

  void read_bare_word(const std::string& word) {
    if (word == "lock") return add_lock(word, data::Value::of(std::int64_t{1}));
    if (base::contains(words_.tokens, word)) return add_token(word, data::Value::of(std::int64_t{1}));
    if (word == "obstructed") {
      need_attack(word);
      out_.attack.add(word, data::Value::of(true));
    } else if (word == "reinforced") {
      need_attack(word);
      fail_word(word,
                "is so without saying; write reinforced=false for an attack from outside the reinforced arc, or the "
                "token reinforce");
    } else if (base::contains(words_.lists, word)) {
      fail_word(word, fmt::format("needs a value; write {}", word == "faceup" ? "faceup=blindedpilot,weaponsfailure"
                                                             : attacks_       ? word + "=hit,focus,blank"
                                                                              : word + "=evade,focus,blank"));
    } else if (is_of_ship(word) || base::contains(words_.attack_texts, word) ||
               base::contains(words_.attack_values, word)) {
      if (!is_of_ship(word)) need_attack(word);
      fail_word(word, fmt::format("needs a value; write {}=VALUE", word));
    } else if (words_.is_fact(word)) {
      need_attack(word);
      facts_.items.push_back(data::Value::of(word));
    } else if (words_.catalogue.upgrade_exists(word, words_.cards)) {
      add_upgrade(word, word);
    } else {
      fail_unknown(word);
    }
  }

  /// Whether the key belongs to the ship rather than to an attack.
  bool is_of_ship(const std::string& key) const {
    return base::contains(words_.ship_texts, key) || base::contains(words_.ship_values, key) ||
           (role_ == Role::Fighter && (key == "initiative" || key == "points"));
  }

  void read_pair(std::string_view word, const std::string& key, std::string_view value) {
    if (value.find('%') != std::string_view::npos) return read_chances(word, key, value);
    if (key == "lock") return add_lock(word, value_of(value));
    if (key == "rolled" || key == "results") return add_faces(word, key, value);
    if (key == "faceup") {
      out_.ship.add(key, list_value(value));
      return;
    }
    if (base::contains(words_.tokens, key)) return add_token(key, value_of(value));
    if (key == "loadout") {
      if (value != "none")
        fail_word(word, "is not possible: write loadout=none for a pilot without the standard loadout");
      bare_ = true;
      return;
    }
    if (base::contains(words_.ship_texts, key)) {
      out_.ship.add(key, data::Value::of(std::string(value)));
    } else if (is_of_ship(key)) {
      if (key == "attack" || key == "agility") override_ = word;
      out_.ship.add(key, value_of(value));
    } else if (base::contains(words_.attack_texts, key) || base::contains(words_.attack_values, key)) {
      need_attack(word);
      out_.attack.add(key,
                      base::contains(words_.attack_texts, key) ? data::Value::of(std::string(value)) : value_of(value));
    } else if (words_.catalogue.counted_facts().contains(key)) {
      need_attack(word);
      facts_.items.push_back(data::Value::of(fmt::format("{} = {}", key, value)));
    } else if (words_.is_fact(key) || words_.catalogue.upgrade_exists(key, words_.cards)) {
      fail_word(word, fmt::format("takes no value; write {} alone", base::in_quotes(key)));
    } else {
      fail_unknown(key);
    }
  }

  void read_chances(std::string_view word, const std::string& key, std::string_view text) {
    std::optional<data::Value> chances = chances_of_text(text);
    if (!chances) {
      fail_word(word, fmt::format("does not say how probable each value is; write {0}=50%, or {0}=1:20%,2:80% with "
                                  "percentages from 0 to 100",
                                  key));
    }
    if (key == "lock") return add_lock(word, *chances);
    if (base::contains(words_.tokens, key)) return add_token(key, std::move(*chances));
    if (key == "range" || key == "obstructed" || key == "reinforced") {
      need_attack(word);
      if (key == "range" && chances->kind != data::Value::Kind::Table)
        fail_word(word, "does not say which ranges; write them with their percentages, for example range=1:20%,2:80%");
      out_.attack.add(key, std::move(*chances));
    } else if (words_.is_fact(key)) {
      need_attack(word);
      data::Value fact = data::Value::table();
      const bool counted = words_.catalogue.counted_facts().contains(key);
      if (counted != (chances->kind == data::Value::Kind::Table)) {
        fail_word(word, counted ? fmt::format("needs numbers; write {}=0:50%,2:50%", key)
                                : fmt::format("takes one percentage; write {}=50%", key));
      }
      fact.add(key, std::move(*chances));
      facts_.items.push_back(std::move(fact));
    } else if (words_.knows(key)) {
      fail_word(
          word,
          "takes no chances; give it one value: tokens, lock, range, obstructed, reinforced and facts take chances");
    } else {
      fail_unknown(key);
    }
  }

  /// Throws LoadError if the ship makes no attack to which the word could belong.
  void need_attack(std::string_view word) const {
    if (role_ == Role::Fighter)
      fail_word(word, "belongs to a single attack; leave it out: the flight says who can shoot whom, the policy how");
    if (role_ == Role::Bystander) fail_word(word, "belongs to an attack, and there is none; leave it out");
    if (!attacks_ && !attacks_place_.empty())
      fail_word(word, fmt::format("belongs to an attack; write it in the {} it is meant for", attacks_place_));
  }

  /// Adds faces in place of a roll.
  void add_faces(std::string_view word, const std::string& key, std::string_view value) {
    if (role_ != Role::Defender) need_attack(word);
    out_.attack.add(role_ == Role::Defender ? "defense_" + key : key, list_value(value));
    results_ = true;
  }

  void add_token(const std::string& kind, data::Value number) { tokens_.add(kind, std::move(number)); }

  void add_lock(std::string_view word, const data::Value& number) {
    if (role_ == Role::Fighter) fail_word(word, "is an action: a ship begins a battle without locks; leave it out");
    if (role_ == Role::Bystander) fail_word(word, "names a ship that does not exist here; leave it out");
    if (!attacks_)
      fail_word(word,
                "has no effect: the defender does not attack, and only an attacker spends its lock; leave it out");
    if (number.kind == data::Value::Kind::Real || number.kind == data::Value::Kind::Table)
      return add_uncertain_lock(word, number);
    if (targets_.size() > 1) return add_lock_on(word, number);
    const bool counts =
        number.kind == data::Value::Kind::Integer && !number.huge && (number.integer == 0 || number.integer == 1);
    if (!counts) fail_word(word, "is not possible: a ship has at most one lock on another; write lock");
    data::Value locks = data::Value::array();
    if (number.integer == 1) locks.items.push_back(data::Value::of(std::string("d")));
    tokens_.add("lock", std::move(locks));
  }

  void add_uncertain_lock(std::string_view word, data::Value chance) {
    if (targets_.size() > 1)
      fail_word(word, "does not say on which ship the lock is; chances of a lock need a single target, or a file");
    if (chance.kind != data::Value::Kind::Real) fail_word(word, "takes one percentage; write lock=50%");
    data::Value locks = data::Value::table();
    locks.add("d", std::move(chance));
    tokens_.add("lock", std::move(locks));
  }

  /// A lock on one of several ships.
  void add_lock_on(std::string_view word, const data::Value& target) {
    if (target.kind != data::Value::Kind::Text || !base::contains(targets_, target.text)) {
      fail_word(word, fmt::format("does not say on which ship the lock is; write lock={}, or another of {}",
                                  targets_.front(), base::listed(targets_)));
    }
    data::Value locks = data::Value::array();
    locks.items.push_back(target);
    tokens_.add("lock", std::move(locks));
  }

  [[noreturn]] void fail_unknown(const std::string& word) const {
    std::string near = remedy(WordContext::Spec, word);
    if (near.empty()) near = base::did_you_mean(word, words_.all_words());
    fail_word(
        word,
        "is not a token, key, fact or upgrade;" +
            (near.empty() ? fmt::format(" the tokens are {}{}; the keys are hull=, shields=, size=, ship=, pilot=, {}",
                                        single_attack() ? "lock, " : "", base::listed(words_.tokens), further_keys())
                          : near));
  }
  const char* further_keys() const {
    return single_attack()            ? "weapon=, range=, obstructed"
           : role_ == Role::Bystander ? "agility="
                                      : "attack=, agility=, initiative=, points=";
  }

  /// Equal upgrades are possible in the first edition, if the pilot has the slots.
  void check_equal_upgrades() const {
    Names ids;
    for (const data::Value& one : upgrades_.items) ids.push_back(one.text);
    for (const std::string& id : ids) {
      const auto times = std::count(ids.begin(), ids.end(), id);
      if (times < 2) continue;
      if (!words_.cards.starts_with("first-edition"))
        fail_word(id, "is given twice, and a ship of this edition has each upgrade once; leave one out");
      const data::Value* const pilot = out_.ship.find("pilot");
      const auto cost = words_.catalogue.upgrade_cost(id, words_.cards);
      if (pilot == nullptr || !cost || cost->slots.empty()) continue;
      for (const std::string& flown : words_.catalogue.ships_of_pilot(pilot->text, words_.cards)) {
        const PilotSpec* const spec = find_pilot(*words_.catalogue.ship(flown, words_.cards), pilot->text);
        const auto slots = spec == nullptr ? times : std::count(spec->slots.begin(), spec->slots.end(), cost->slots[0]);
        if (slots > 0 && slots < times)  // none: a title gives them
          fail_word(id, fmt::format("is given {} times, and {} has {} of the slot {}; leave out what has no slot",
                                    times, pilot->text, slots, cost->slots[0]));
      }
    }
  }

  void finish() {
    check_equal_upgrades();
    for (std::size_t i = 0; i < given_upgrades_.size(); ++i) find_ship_of(upgrades_.items[i].text, given_upgrades_[i]);
    const bool named = base::contains(seen_, "ship") || base::contains(seen_, "pilot");
    if (!named && !override_.empty() && single_attack()) {
      fail_word(override_,
                fmt::format("overrides a stat line; without ship= write the {} alone, for example 3", own_value()));
    }
    if (!named && !results_ && !base::contains(seen_, own_key()) && role_ != Role::Bystander) {
      fail_spec(fmt::format("no {}; write it as a number without a key, or name the ship with ship=ID{}", own_value(),
                            role_ == Role::Fighter ? ": 3 agility=2 hull=4" : ""));
    }
    const std::string note = bare_ ? "" : add_standard_loadout(words_, out_.ship, flown_, upgrades_);
    if (!note.empty()) out_.notes.push_back(fmt::format("{}: {}", spec_.name, note));
    if (!tokens_.items.empty()) out_.ship.add("tokens", std::move(tokens_));
    if (!upgrades_.items.empty()) out_.ship.add("upgrades", std::move(upgrades_));
    if (!facts_.items.empty()) out_.attack.add("facts", std::move(facts_));
  }

  /// Whether the ship is part of a single attack, which words may describe.
  bool single_attack() const { return role_ == Role::Attacker || role_ == Role::Defender; }
  /// The meaning of a number without a key.
  const char* own_key() const { return attacks_ ? "attack" : "agility"; }
  const char* own_value() const { return attacks_ ? "attack value" : "agility"; }

  const SpecVocabulary& words_;
  const GivenSpec& spec_;
  Role role_;
  bool attacks_;  ///< a number without a key is the attack value
  const Names& targets_;
  const std::string& attacks_place_;
  ParsedSpec out_;
  Names seen_;
  Names given_upgrades_;  ///< as the SPEC spells those of upgrades_
  bool results_ = false;  ///< whether there are faces in place of a roll
  bool pilot_ = false;    ///< whether the pilot is named
  bool which_ = false;    ///< whether words behind its name tell it from others of that name
  bool bare_ = false;     ///< without the standard loadout
  std::string flown_;     ///< the ship, if named
  std::string override_;  ///< the word attack= or agility=, which needs a stat line to override
  data::Value tokens_ = data::Value::table(), upgrades_ = data::Value::array(), facts_ = data::Value::array();
};

}  // namespace

ParsedSpec parse_spec(const SpecVocabulary& words, const GivenSpec& spec, Role role, const Names& targets,
                      const std::string& attacks) {
  return SpecParser(words, spec, role, targets, attacks).parse();
}

}  // namespace salvo::load
