// Load: scenarios and policies from files and texts. In: TOML, JSON or the SPEC of an attack. Out: plain data to read
// and change before it is answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/scenario.h"

namespace salvo {

// All functions throw LoadError when a text has not the right form: what() is a sentence with file, line, key and
// remedy, `path` the key. Whether ships, tokens and cards exist and may do what the scenario says is for answer() to
// tell. Files have at most 8 MiB. The functions keep nothing and may be called from several threads at once.

/// Reads a scenario from a file (docs/format.md#scenarios; profiles/scenarios has examples): TOML or JSON by the
/// extension of its name; under any other name, and from standard input for "-", JSON is known by its first brace.
Scenario load_scenario(const std::string& path);
/// The same from text. `source` names it in messages, and its extension tells the format.
Scenario parse_scenario(std::string_view text, const std::string& source);

/// A scenario in the words of `salvo run --attack SPEC --defend SPEC`: one attack for each of `attacks`, by ships named
/// a1, a2, ... on the ship d. "3 focus lock range=1" attacks with 3 dice, a focus token and a lock at range 1;
/// "ship=t65xwing pilot=lukeskywalker predator" is a ship with its cards; a defender "2 evade hull=3" has agility 2.
/// `rules`: id of an edition; `cards`: a card set, or empty for the usual one of the rules.
Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attacks, const std::string& defender);
/// The same with several defenders, d1, d2, ...: each attacker chooses among them when its attack comes.
Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attacks, const std::vector<std::string>& defenders);
/// Adds ships b1, b2, ... to a scenario of SPECs, one for each of `specs`: once all others have shot they shoot at a1,
/// which has to be a ship or a pilot with a name, since it needs an agility.
void add_return_fire(const Catalogue& catalogue, const std::vector<std::string>& specs, Scenario& scenario);
/// scenario_from_specs in the second edition with its usual cards.
inline Scenario scenario_from_specs(const Catalogue& catalogue, const std::vector<std::string>& attacks,
                                    const std::string& defender) {
  return scenario_from_specs(catalogue, Scenario().rules, "", attacks, defender);
}

/// Reads a policy file, a decision list in TOML or JSON (docs/decisions.md; profiles/policies has examples).
PolicySpec load_policy(const std::string& path);
PolicySpec parse_policy(std::string_view text, const std::string& source);
/// Reads the policy files that a scenario names, from the folder of the scenario's file, into its attacker_rules and
/// defender_rules. A scenario whose policies are files needs it before it is answered.
void load_policies(Scenario& scenario);

}  // namespace salvo
