// Whether a single card can change dice, tokens or damage, according to cards/relevant.tsv.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "load/index_file.h"

namespace salvo::load {

/// Empty: unclassified. `list`: cards/relevant.tsv; `same`: same_cards() of the card set.
std::optional<bool> relevance_of(const IndexFile& list, const IndexFile& same, const std::string& card_set,
                                 std::string_view kind, std::string_view id);

}  // namespace salvo::load
