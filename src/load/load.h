// Readers that only other rooms need; the public ones are in salvo/load.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "salvo/load.h"

namespace salvo::load {

/// Whether a policy names a file, rather than being one of optimal, greedy and hold.
bool is_policy_file(std::string_view name);
/// load_policies() that reads files by `read(path)`.
void load_policies(Scenario& scenario, const std::function<std::string(const std::string& path)>& read);
/// The input of `salvo durability`: {"defender": {...}, "attacker": {...}, "attack": {...}}, each with the keys of a
/// scenario. As a short form, "dice" is the attack value or agility, and kinds of tokens may be keys of the ship. The
/// ships are named attacker and defender. A scenario with a single attack is accepted as well.
Scenario parse_durability(std::string_view text, const std::string& source);
Scenario load_durability(const std::string& path);

}  // namespace salvo::load
