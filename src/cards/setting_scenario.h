// The scenario of a dry run.
// In: a setting and a card. Out: the scenario with the card, or without it.
#pragma once

#include <string>

#include "cards/setting.h"
#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::cards {

/// The scenario of a setting, with the card or without it. `ship_of_arc`: a ship with such a weapon, or empty.
Scenario scenario_of(const Setting& setting, const load::CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc);

}  // namespace salvo::cards
