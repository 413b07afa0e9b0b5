// Checks a card's file against the tags of its printed text, and finds relevant omissions, for salvo cards check.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "load/catalogue.h"

namespace salvo::cards {

/// What the tags require but the card does not do, one sentence each.
std::vector<std::string> notes_on_tags(const load::CardSpec& card, const std::set<std::string>& marks);

/// Facts that the scenario already knows, and omissions that dice, tokens or damage depend on, one sentence each.
/// `names`: all names that conditions and counts read.
std::vector<std::string> notes_on_gaps(const load::CardSpec& card, const std::set<std::string>& names);

}  // namespace salvo::cards
