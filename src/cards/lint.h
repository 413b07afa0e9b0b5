// Finds probable mistakes in a home-made card, and unknown weapons. In: a card. Out: notes, one sentence each; or a
// LoadError.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "load/card_file.h"
#include "load/catalogue.h"

namespace salvo::cards {

/// Notes about charges, ids of effects and conditions. `names`: all names that conditions and counts read.
std::vector<std::string> notes_on_effects(const Catalogue& catalogue, const load::CardFile& card,
                                          const std::set<std::string>& names, const load::Edition& edition);

/// Throws LoadError for a bonus attack whose weapon is not an upgrade of the card set.
void check_bonus_weapons(const Catalogue& catalogue, const load::CardFile& card, const std::string& card_set);

}  // namespace salvo::cards
