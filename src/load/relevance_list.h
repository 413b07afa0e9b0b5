// Relevance of one card: what read_relevance() in load/card_data.h says of it, without reading of the others.
// In: the lists of the profiles. Out: whether it can change an attack.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "load/index_file.h"

namespace salvo::load {

/// Empty: nobody has said. `list`: cards/relevant.tsv; `same`: what same_cards() gives for the card set.
std::optional<bool> relevance_of(const Index& list, const Index& same, const std::string& card_set,
                                 std::string_view kind, std::string_view id);

}  // namespace salvo::load
