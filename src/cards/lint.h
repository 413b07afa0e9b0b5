// What a home-made card's data say that is allowed but probably not meant, and weapons that nobody knows.
// In: a card that is read. Out: notes, one sentence each; or a LoadError.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "load/card_file.h"
#include "load/catalogue.h"

namespace salvo::cards {

/// Notes about charges, ids of effects and conditions of the card. `names`: what its conditions and counts read.
std::vector<std::string> notes_on_effects(const Catalogue& catalogue, const load::CardFile& card,
                                          const std::set<std::string>& names, const load::Edition& edition);

/// Throws LoadError at a bonus attack whose weapon is no upgrade that the card set has.
void check_bonus_weapons(const Catalogue& catalogue, const load::CardFile& card, const std::string& card_set);

}  // namespace salvo::cards
