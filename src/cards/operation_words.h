// Writes operations and costs of effects in words. In: the tree of the file. Out: a part of a sentence.
#pragma once

#include <string>

#include "data/value.h"

namespace salvo::cards {

/// "reroll up to 2 attack dice" for a player; else in the words of the data.
std::string operation_words(const data::Value& operation, bool player);

/// A list of costs: "1 focus and 1 charge of this card"; empty without costs.
std::string cost_words(const data::Value* list, bool player);

}  // namespace salvo::cards
