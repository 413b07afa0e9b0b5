// Index files: lists of ids with what belongs to each, one a line, which scripts/import_xwing_data writes.
// In: .tsv files below the profiles. Out: their rows, or LoadError.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "load/catalogue.h"
#include "load/profile.h"

namespace salvo::load {

/// Ids of an index file with what stands behind the tab, in order of id.
using Index = std::vector<std::pair<std::string, std::string>>;

/// Reads the index; lines that begin with # are comments. Throws LoadError, also where there is no such file.
Index read_index(const std::filesystem::path& path);

/// What stands behind the tab in the rows of this id.
std::vector<std::string> rows_of(const Index& index, std::string_view id);

/// The index of a derived card set: the rows of `base`, but for each id of `changes` its rows there; one that says only
/// "-" has none.
Index changed_index(const Index& base, const Index& changes);

/// Cards of a derived set that have the text of a card of its base: "pilot/fennrau-armedanddangerous", "pilot/fennrau".
/// From same.tsv beside its cards; empty where there is none. `profiles`: the folder that holds cards/.
Index same_cards(const std::filesystem::path& profiles, const CardSet& set);

/// The ids, each once.
std::vector<std::string> first_column(const Index& index);

/// "slot,slot<tab>cost", where the cost is empty, "3", or "size:small=2,large=5".
/// `place`: the index, for the message.
UpgradeCost read_upgrade_cost(const std::string& row, const std::string& place);

}  // namespace salvo::load
