// Finds the squad in a file that wraps it, as answers of sites do: {"data": {"xws": {...}}}, a list of one squad.
#pragma once

#include <optional>

#include "data/node.h"
#include "data/value.h"

namespace salvo::load {

/// Whether it is an object with pilots, or the text of one.
bool is_squad(const data::Value& value);

/// The squad that `root` is or wraps: an object with pilots, or a text that contains one; empty if it does neither.
/// Throws LoadError if there are several squads.
std::optional<data::Node> find_squad(const data::Node& root);

}  // namespace salvo::load
