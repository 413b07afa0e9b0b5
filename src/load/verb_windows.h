// Where a verb can do something: a reroll needs dice, `pool` a roll that is still to come.
// In: an operation of an effect. Out: nothing, or a LoadError that names the windows it belongs to.
#pragma once

#include <string_view>

#include "data/node.h"
#include "load/catalogue.h"

namespace salvo::load {

/// A window as files write it.
std::string_view window_name(Window window);

/// Throws LoadError at the operation when it can do nothing at the window of its effect.
void check_window(const data::Node& node, std::string_view verb, const OperationSpec& operation,
                  const EffectSpec& effect);

}  // namespace salvo::load
