// Reads links of squad builders that contain the whole squad as numbers or ids. Nothing is fetched.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "salvo/squad.h"

namespace salvo::load {

/// Whether a word is a link rather than the name of a file.
bool is_link(std::string_view word);
/// Whether the text contains a squad, as links of builders do.
bool has_squad(std::string_view link);
/// Whether it is a link without words after it. Names in the link may contain blanks.
bool is_only_link(std::string_view text);

/// The ruleset for which a builder wrote the link; empty: it does not say.
std::string ruleset_in_link(std::string_view link);

/// Reads a link as if the builder had exported the squad. Unknown numbers and ids are listed by name in Squad::unknown.
/// Throws LoadError if there is no squad in it, if it is cut off or of quick builds.
Squad parse_squad_link(const Catalogue& catalogue, std::string_view link, const std::optional<std::string>& cards,
                       const std::optional<std::string>& rules);

}  // namespace salvo::load
