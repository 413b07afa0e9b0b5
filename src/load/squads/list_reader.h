// Decides what the names in a list of ships are: ships, pilots, upgrades, titles, sums.
#pragma once

#include <vector>

#include "load/squads/list_lines.h"
#include "load/squads/list_names.h"
#include "load/squads/list_squad.h"

namespace salvo::load {

constexpr int kMostCards = 500;  ///< ListSquad::cards_read of a longer list is more

/// The squad that the lines mean with the names of one card set.
ListSquad read_list(const ListNames& names, std::vector<ListLine> lines);

}  // namespace salvo::load
