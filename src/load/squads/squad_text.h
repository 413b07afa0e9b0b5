// Reads squads that are written as text: as builders print them, and as people write them down.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "salvo/squad.h"

namespace salvo::load {

/// Whether words are a list of ships rather than one SPEC: several lines, or the marks between the cards of a list, as
/// in "Rey [Finn] (61)", "Han Solo + Predator", "Han Solo (46)", or an export or HTML.
bool is_squad_text(std::string_view words);

/// Whether a text begins like an export: as JSON, a block of code or HTML.
bool begins_export(std::string_view text);

/// Reads a list: one ship a line with its upgrades after it or on the lines that follow (docs/format.md: Squads).
/// Names are looked up in every card set that `cards` and `rules` allow; the set that knows most of them applies, then
/// the one whose costs the list states. Unknown names are listed in Squad::unknown with their lines. Throws LoadError
/// if there is no ship in it.
Squad parse_squad_text(const Catalogue& catalogue, std::string_view text, const std::string& source,
                       const std::optional<std::string>& cards, const std::optional<std::string>& rules);

}  // namespace salvo::load
