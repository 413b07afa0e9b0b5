// Builds scenarios and ships from SPECs (docs/format.md: SPEC). The caller chooses how messages name the place of each.
#pragma once

#include <string>
#include <vector>

#include "load/scenario_tree.h"
#include "salvo/catalogue.h"
#include "salvo/errors.h"
#include "salvo/scenario.h"

namespace salvo::load {

struct GivenSpec {
  std::string text;
  std::string place;  ///< in errors: "--attack 2", "attack[1]", "theirs[0]"
  std::string name;   ///< in notes, which are part of the answer and the same for all front ends: "--attack 2"
};

/// Throws LoadError for a SPEC that is longer than any with a meaning, and would take long to refuse.
void check_length(const GivenSpec& spec);

/// The SPECs of one option or key.
struct GivenSpecs {
  std::string place;  ///< of all: "--attack", "attack"
  std::vector<GivenSpec> list;
};

/// Whether a single SPEC is numbered as well.
enum class Numbered { Always, IfSeveral };

/// SPECs of a command-line option: "--attack 1", "--attack 2".
GivenSpecs specs_of_option(const std::string& option, const std::vector<std::string>& texts,
                           Numbered numbered = Numbered::Always);
/// SPECs of a key of a request: "attack[0]", "attack[1]". Notes name them by the option.
GivenSpecs specs_of_key(const std::string& key, const std::string& option, const std::vector<std::string>& texts,
                        Numbered numbered = Numbered::Always);

/// As in salvo/load.h. Each LoadError has the place of its SPEC. A single SPEC, of an attack without defender or the
/// reverse, is a roll alone (Scenario::roll).
Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const GivenSpecs& attacks, const GivenSpecs& defenders);
void add_return_fire(const Catalogue& catalogue, const GivenSpecs& specs, Scenario& scenario);

/// A single SPEC, such as "ITEM \"3 focus\"".
GivenSpec spec_of(const std::string& place, const std::string& text);
/// The attacks of SPECs on an unspecified defender.
Scenario attacks_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                            const GivenSpecs& specs);

/// A ship of a battle and the place of its SPEC.
struct FightingSpec : FightingShip {
  std::string place;
};
/// The ships of a battle, in order. Names of ships, pilots and upgrades are checked but not replaced by ids.
std::vector<FightingSpec> fighters_from_specs(const Catalogue& catalogue, const std::string& rules,
                                              const std::string& cards, const GivenSpecs& specs,
                                              std::vector<std::string>& notes);

/// Ships without an attack, in order. Every word of their SPECs is optional. `notes`, unless null, receives how names
/// were interpreted.
std::vector<ScenarioShip> ships_from_specs(const Catalogue& catalogue, const std::string& rules,
                                           const std::string& cards, const GivenSpecs& specs,
                                           std::vector<std::string>* notes = nullptr);

/// names_to_ids(), but its errors have the places of SPECs.
void resolve_names(const Catalogue& catalogue, Scenario& scenario);
/// Throws the errors of resolve_names() without changing anything.
void check_names(const Catalogue& catalogue, Scenario scenario);

/// Adds the place to the error: the SPEC, the option, or key and line of the source.
LoadError with_location(const Scenario& scenario, const ScenarioError& error);

}  // namespace salvo::load
