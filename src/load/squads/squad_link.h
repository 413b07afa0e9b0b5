// Links of a squad builder: yasb.app writes the whole squad into the link, as numbers. Nothing is fetched.
// In: the link. Out: the squad, as if the builder had exported it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "salvo/squad.h"

namespace salvo::load {

/// Whether a word is a link, not the name of a file.
bool is_link(std::string_view word);

/// Reads a link. Numbers and ids that are not known are in Squad::unknown, by name. Throws LoadError when it is no link
/// of the builder, or one of a form before version 8.
Squad parse_squad_link(const Catalogue& catalogue, std::string_view link, const std::optional<std::string>& cards,
                       const std::optional<std::string>& rules);

}  // namespace salvo::load
