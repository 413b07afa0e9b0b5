// Parses a SPEC (docs/format.md: SPEC) into the same trees of a ship and an attack that files give, so that types and
// ranges are checked in one place.
#pragma once

#include <string>
#include <vector>

#include "data/value.h"
#include "load/specs.h"
#include "salvo/catalogue.h"

namespace salvo::load {

/// The words that a SPEC may use in an edition and card set.
struct SpecVocabulary {
  using Names = std::vector<std::string>;
  const Catalogue& catalogue;
  std::string cards;
  Names tokens;
  // Keys with `=`, of the ship and of the attack: first those with texts, then those with numbers and booleans.
  Names ship_texts{"ship", "pilot", "size", "loadout"}, attack_texts{"weapon"};
  Names lists{"rolled", "results", "faceup"};  ///< keys with lists: of a roll, of the ship
  Names ship_values{"hull", "shields", "attack", "agility", "facedown"},
      attack_values{"range", "obstructed", "reinforced", "initiative"};

  bool is_fact(const std::string& word) const { return catalogue.facts().contains(word); }
  bool is_upgrade(const std::string& word) const { return catalogue.upgrade_exists(word, cards); }
  /// Whether a single word without `=` has a meaning.
  bool knows(const std::string& word) const;
  /// Tokens, keys and facts. A word similar to one of them is not taken for part of a name.
  Names reserved_words() const;
  /// All words, for suggestions. Slow.
  Names all_words() const;
};

/// The words of an edition and card set. Throws LoadError if one of them is unknown.
SpecVocabulary make_vocabulary(const Catalogue& catalogue, const std::string& rules, const std::string& cards);

/// The purpose of a ship: to attack, to be attacked, to fight a battle (with initiative and points), or something
/// without attacks.
enum class Role { Attacker, Defender, Fighter, Bystander };

struct ParsedSpec {
  data::Value ship = data::Value::table();
  data::Value attack = data::Value::table();  ///< keys of the attack; of a defender only those of its roll
  std::vector<std::string> notes;             ///< how names were interpreted
  int times = 1;                              ///< number of such ships
};

/// `targets`: names of the defenders. `attacks`: the option or key of attacks, for messages. Throws LoadError with the
/// place of the SPEC.
ParsedSpec parse_spec(const SpecVocabulary& words, const GivenSpec& spec, Role role,
                      const std::vector<std::string>& targets, const std::string& attacks);

}  // namespace salvo::load
