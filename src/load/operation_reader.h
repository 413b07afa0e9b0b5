// The reader of operations and prices, the parts of an [[effect]] table. It throws LoadError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "load/catalogue.h"

namespace salvo::load {

inline constexpr int kMaxDiceChange = 31;
/// In place of a token: the card assigns a condition.
inline constexpr std::string_view kCondition = "condition";

/// The words for ships in effects, as seen from the ship with the card.
const std::vector<std::string>& ships_of_effects();

/// A text, or those of a list. `what`: for the message.
std::vector<data::Node> one_or_more(const data::Node& node, std::string_view what);

/// An operation of an effect whose other keys have been read. Faces and tokens must exist in the edition unless that is
/// null.
OperationSpec read_operation(const data::Node& node, const Edition* edition, const EffectSpec& effect);

}  // namespace salvo::load
