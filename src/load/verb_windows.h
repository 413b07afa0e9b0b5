// In which windows a verb can have an effect: a reroll needs dice, `pool` a roll that is still to come.
#pragma once

#include <string_view>

#include "data/node.h"
#include "load/catalogue.h"

namespace salvo::load {

/// The name of a window in files.
std::string_view window_name(Window window);

/// Throws LoadError, which names the right windows, if the operation can do nothing in the window of its effect.
void check_window(const data::Node& node, std::string_view verb, const OperationSpec& operation,
                  const EffectSpec& effect);

}  // namespace salvo::load
