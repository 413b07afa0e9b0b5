// The scenario of a dry run in words, for people.
#pragma once

#include <string>

#include "cards/setting.h"
#include "load/catalogue.h"

namespace salvo::cards {

/// The setting in words.
std::string setting_words(const Setting& setting, const load::CardSpec& card);

}  // namespace salvo::cards
