// The small scenarios in which a card is tried, the usual ones first.
// In: what the card's data mention. Out: settings, each a few deviations from the plainest one.
#pragma once

#include <vector>

#include "cards/dependencies.h"
#include "cards/setting.h"
#include "cards/variations.h"

namespace salvo::cards {

/// All settings to try for the card, the plainest first.
std::vector<Setting> settings_for(const load::CardSpec& card, const Mentions& mentions, const Props& props);

}  // namespace salvo::cards
