// One SPEC, word by word (docs/format.md: SPEC).
// In: words, and what they may mean in an edition and card set. Out: the trees of a ship and of its attack, as files
// have them, so that ranges and types are checked in one place.
#pragma once

#include <string>
#include <vector>

#include "data/value.h"
#include "load/specs.h"
#include "salvo/catalogue.h"

namespace salvo::load {

/// What SPEC words may mean in this edition and card set.
struct Vocabulary {
  using Names = std::vector<std::string>;
  const Catalogue& catalogue;
  std::string cards;
  Names tokens;
  // Keys with `=`. Texts, then numbers and truth values: of the ship and of the attack.
  Names ship_texts{"ship", "pilot", "size"}, attack_texts{"weapon"};
  Names ship_values{"hull", "shields", "attack", "agility"},
      attack_values{"range", "obstructed", "reinforced", "initiative"};

  bool is_fact(const std::string& word) const { return catalogue.facts().contains(word); }
  bool is_upgrade(const std::string& word) const { return catalogue.upgrade_exists(word, cards); }
  /// Whether a word without `=` has a meaning by itself.
  bool knows(const std::string& word) const;
  /// Tokens, keys and facts: what a word that is nearly one of them is not taken for a part of a name.
  Names no_names() const;
  /// All words there are; for near names, so it may be slow.
  Names all() const;
};

/// That of an edition and card set. Throws LoadError when there is no such one.
Vocabulary vocabulary(const Catalogue& catalogue, const std::string& rules, const std::string& cards);

/// What a ship is there for: to attack, to be attacked, to fight (both, round after round, with an initiative and
/// points of its own), or for something that is no attack.
enum class Role { Attacker, Defender, Fighter, Bystander };

struct ReadSpec {
  data::Value ship = data::Value::table();
  data::Value attack = data::Value::table();  ///< of an attacker
  std::vector<std::string> notes;             ///< how names were understood
  int times = 1;                              ///< ships of this kind
};

/// `targets`: the ships that are shot at. `attacks`: where a word that belongs to an attack is to be written. Throws
/// LoadError with the place of the SPEC.
ReadSpec read_spec(const Vocabulary& words, const GivenSpec& spec, Role role, const std::vector<std::string>& targets,
                   const std::string& attacks);

}  // namespace salvo::load
