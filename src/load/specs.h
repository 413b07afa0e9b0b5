// SPECs and the names of their places: whoever asks says how messages call them.
// In: texts in the words of docs/format.md (SPEC). Out: scenarios and ships.
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
  std::string name;   ///< in notes, which belong to an answer and are the same whoever asks: "--attack 2"
};

/// SPECs of one kind.
struct GivenSpecs {
  std::string place;  ///< of all of them: "--attack", "attack"
  std::vector<GivenSpec> list;
};

/// Whether a single SPEC has a number, too.
enum class Numbered { Always, IfSeveral };

/// Of an option of the command line: "--attack 1", "--attack 2".
GivenSpecs specs_of_option(const std::string& option, const std::vector<std::string>& texts,
                           Numbered numbered = Numbered::Always);
/// Of a key of a request: "attack[0]", "attack[1]"; in notes as of the option.
GivenSpecs specs_of_key(const std::string& key, const std::string& option, const std::vector<std::string>& texts,
                        Numbered numbered = Numbered::Always);

/// As the functions of salvo/load.h; each LoadError has the place of its SPEC.
Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const GivenSpecs& attacks, const GivenSpecs& defenders);
void add_return_fire(const Catalogue& catalogue, const GivenSpecs& specs, Scenario& scenario);

/// One SPEC that stands by itself, as "ITEM \"3 focus\"".
GivenSpec spec_of(const std::string& place, const std::string& text);
/// The attacks of SPECs on nothing in particular.
Scenario attacks_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                            const GivenSpecs& specs);

/// A ship of a battle, and the place of its SPEC.
struct FightingSpec : FightingShip {
  std::string place;
};
/// Ships that fight, in order. Names of ships, pilots and upgrades are checked, and stay as they are.
std::vector<FightingSpec> fighters_from_specs(const Catalogue& catalogue, const std::string& rules,
                                              const std::string& cards, const GivenSpecs& specs,
                                              std::vector<std::string>& notes);

/// Ships without an attack, in order: SPECs in which every word may be left out. `notes`, where given, receives how
/// names were understood.
std::vector<ScenarioShip> ships_from_specs(const Catalogue& catalogue, const std::string& rules,
                                           const std::string& cards, const GivenSpecs& specs,
                                           std::vector<std::string>* notes = nullptr);

/// names_to_ids() whose errors have the places of SPECs.
void ids_of_names(const Catalogue& catalogue, Scenario& scenario);
/// Throws those errors, and leaves the names as they are.
void check_names(const Catalogue& catalogue, Scenario scenario);

/// The error with the place where the user wrote what is wrong: the SPEC, the option, or key and line of the source.
LoadError located(const Scenario& scenario, const ScenarioError& error);

}  // namespace salvo::load
