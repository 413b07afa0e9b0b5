// Reads scenarios and policies from TOML, JSON and SPECs into plain data, which may be changed before it is answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/scenario.h"

namespace salvo {

// All functions throw LoadError for malformed input: what() is a sentence with file, line, key and remedy, `path` is
// the key. answer() checks whether ships, tokens and cards exist and may be used as the scenario says. Files have at
// most 8 MiB. The functions are stateless and may be called from several threads at once.

/// Reads a scenario from a file, or from standard input for "-" (docs/format.md#scenarios; examples in
/// profiles/scenarios). The extension decides between TOML and JSON; without one, JSON is recognized by a leading
/// brace.
Scenario load_scenario(const std::string& path);
/// As above, from text. `source` names it in messages, and its extension decides the format.
Scenario parse_scenario(std::string_view text, const std::string& source);

/// A scenario in the words of `salvo run --attack SPEC --defend SPEC`: one attack for each of `attacks`, by ships named
/// a1, a2, ... on the ship d. "3 focus lock range=1" attacks with 3 dice, a focus token and a lock at range 1;
/// "ship=t65xwing pilot=lukeskywalker predator" is a ship with its cards; a defender "2 evade hull=3" has agility 2.
/// `rules`: id of an edition; `cards`: a card set, or empty for the usual one of the rules.
Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attacks, const std::string& defender);
/// As above with several defenders d1, d2, ...: each attacker chooses among them when it attacks.
Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attacks, const std::vector<std::string>& defenders);
/// Adds ships b1, b2, ... to a scenario of SPECs, one for each of `specs`. After all other attacks they attack a1,
/// which must name its ship or pilot, since it needs an agility.
void add_return_fire(const Catalogue& catalogue, const std::vector<std::string>& specs, Scenario& scenario);
/// scenario_from_specs in the second edition with its usual cards.
inline Scenario scenario_from_specs(const Catalogue& catalogue, const std::vector<std::string>& attacks,
                                    const std::string& defender) {
  return scenario_from_specs(catalogue, Scenario().rules, "", attacks, defender);
}

/// Reads a policy file, a decision list in TOML or JSON (docs/decisions.md; examples in profiles/policies).
PolicySpec load_policy(const std::string& path);
PolicySpec parse_policy(std::string_view text, const std::string& source);
/// Reads the policy files of a scenario, relative to the folder of its own file, into attacker_rules and
/// defender_rules. Required before answering a scenario whose policies are files.
void load_policies(Scenario& scenario);

}  // namespace salvo
