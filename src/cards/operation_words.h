// What an operation of an effect does, and what an effect costs, in words.
// In: the tree of the file. Out: a part of a sentence.
#pragma once

#include <string>

#include "data/value.h"

namespace salvo::cards {

/// "reroll up to 2 attack dice": for a player, else in the data's own words.
std::string operation_words(const data::Value& operation, bool player);

/// A price list: "1 focus and 1 charge of this card"; empty without one.
std::string cost_words(const data::Value* list, bool player);

}  // namespace salvo::cards
