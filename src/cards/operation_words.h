// Writes operations and costs of effects in words. In: the tree of the file. Out: a part of a sentence.
#pragma once

#include <string>

#include "cards/condition.h"
#include "data/value.h"

namespace salvo::cards {

/// For a player, or in the words of the data.
struct Wording {
  const Vocabulary& vocabulary;
  bool player = true;
};

/// "reroll up to 2 attack dice".
std::string operation_words(const data::Value& operation, const Wording& wording);

/// A list of costs: "1 focus and 1 charge of this card"; empty without costs.
std::string cost_words(const data::Value* list, const Wording& wording);

}  // namespace salvo::cards
