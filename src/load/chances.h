// Chances over what is unknown (docs/format.md: Chances). In: `50%` or `1:20%,2:80%` of a SPEC, a number or a table of
// a file. Out: an Unknown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// The chances of a SPEC as a file would give them: a number or a table. Empty: the text states none.
std::optional<data::Value> chances_of_text(std::string_view text);

/// Whether the value states chances: a number that is not whole, or a table.
bool states_chances(const data::Node& node);
/// Reads a probability of 1 rather than 0, or a table of values and their probabilities. Throws LoadError.
Unknown read_chances(const data::Node& node, std::string key, std::string name, int least, int most);

/// The sum of the probabilities, which rounding may keep from 1.
double total_of(const Unknown& unknown);
/// What is wrong with the probabilities; empty: nothing.
std::string fault_of(const Unknown& unknown);

/// An unknown of a scenario.
struct PlacedUnknown {
  std::string path;   ///< "ships.red.tokens.focus", "attacks[0].range"
  std::string words;  ///< "red focus", "attack 1 range"
  const Unknown* unknown;
};
bool has_unknowns(const Scenario& scenario);
/// Those of the ships, then those of the attacks.
std::vector<PlacedUnknown> unknowns_of(const Scenario& scenario);

/// Makes all locks of a ship, certain or not, locks on `target`.
void lock_on(const std::string& target, ScenarioShip& ship);

}  // namespace salvo::load
