// Whether a card's file does what marks say of its text, and whether it leaves out what matters: for salvo cards check.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "load/catalogue.h"

namespace salvo::cards {

/// What a card does not do although a mark says so, one sentence each.
std::vector<std::string> notes_on_tags(const load::CardSpec& card, const std::set<std::string>& marks);

/// Facts that the scenario could tell, and things left out that dice, tokens or damage depend on, one sentence each.
/// `names`: what the card's conditions and counts read.
std::vector<std::string> notes_on_gaps(const load::CardSpec& card, const std::set<std::string>& names);

}  // namespace salvo::cards
