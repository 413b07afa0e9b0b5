// load: the readers of TOML and JSON that only the rooms need; those for everybody are in salvo/load.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/load.h"

namespace salvo::load {

/// True for a policy that names a file, not one of optimal, greedy, hold.
bool is_policy_file(std::string_view name);
/// load_policies() where `read` gives the text of a file.
void load_policies(Scenario& scenario, const std::function<std::string(const std::string& path)>& read);
/// The question of `salvo durability`, as JSON: {"defender": {...}, "attacker": {...}, "attack": {...}}, each with the
/// keys of a scenario and, for short, "dice" for the value that counts and the kinds of tokens beside them; or a
/// scenario with a single attack. The ships are then called attacker and defender.
Scenario parse_durability(std::string_view text, const std::string& source);
Scenario load_durability(const std::string& path);

}  // namespace salvo::load
