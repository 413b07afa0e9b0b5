// load: the only readers of TOML and JSON. Text in, Scenario out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo {

/// Reads a scenario file (.json or .toml; under any other name, and from standard input for "-", JSON is known by its
/// first brace).
/// Throws LoadError: not a regular file, over 8 MiB, not UTF-8, malformed, unknown keys, wrong types, out of range.
Scenario load_scenario(const std::string& path);
/// The same from text; `source` names it in messages.
Scenario parse_scenario(std::string_view text, const std::string& source);
/// Reads a policy file, a decision list in TOML or JSON (docs/decisions.md). Throws LoadError.
PolicySpec load_policy(const std::string& path);
PolicySpec parse_policy(std::string_view text, const std::string& source);
/// True for a policy that names a file, not one of optimal, greedy, hold.
bool is_policy_file(std::string_view name);
/// Reads the policy files that the scenario names, from the folder of the scenario's file. Throws LoadError.
void load_policies(Scenario& scenario);
/// A scenario from the flags of `salvo run`: each attack by its own ship a1, a2, ..., all on ship d.
/// The catalogue tells tokens, facts and upgrade ids apart.
Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attack_specs, const std::string& defend_spec);
/// Ships without an attack, from the flags of `salvo hazard`, in order: SPECs in which every word may be left out.
std::vector<ScenarioShip> ships_from_specs(const Catalogue& catalogue, const std::string& rules,
                                           const std::string& cards, const std::vector<std::string>& specs);

/// The question of `salvo durability`, as JSON: {"defender": {...}, "attacker": {...}, "attack": {...}}, each with the
/// keys of a scenario and, for short, "dice" for the value that counts and the kinds of tokens beside them; or a
/// scenario with a single attack. The ships are then called attacker and defender.
Scenario parse_durability(std::string_view text, const std::string& source);
Scenario load_durability(const std::string& path);

/// The candidate nearest to `word` by edit distance, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace salvo
