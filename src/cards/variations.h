// What is varied in the dry runs of a card: ways to differ from the plainest setting.
// In: what the card mentions, and what the library has. Out: dimensions, each with its changes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cards/dependencies.h"
#include "cards/setting.h"
#include "load/catalogue.h"

namespace salvo::cards {

using Change = std::function<void(Setting&)>;
/// Ways to differ from the plainest setting that exclude each other.
using Dimension = std::vector<Change>;

/// What the library has for a dry run.
struct Props {
  std::vector<const load::CardSpec*> upgrades;
  std::string force_pilot;                ///< a pilot with Force charges; empty: none
  std::vector<std::string> plain_pilots;  ///< without abilities, of the highest and the lowest initiative
};

/// Dimensions of what the card speaks of. `weapons`: the upgrades with a weapon. What is returned refers to the
/// arguments.
std::vector<Dimension> own_dimensions(const load::CardSpec& card, const Mentions& mentions, const Props& props,
                                      const std::vector<const load::CardSpec*>& weapons);

/// Dimensions that any card may need.
std::vector<Dimension> usual_dimensions(const load::CardSpec& card, const std::vector<const load::CardSpec*>& weapons);

}  // namespace salvo::cards
