// Parses a SPEC (docs/format.md: SPEC) into the same trees of a ship and an attack that files give, so that types and
// ranges are checked in one place.
#pragma once

#include <string>
#include <vector>

#include "data/value.h"
#include "load/spec_vocabulary.h"
#include "load/specs.h"

namespace salvo::load {

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
