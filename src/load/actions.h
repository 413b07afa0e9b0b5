// Action bars: which actions a ship has, from actions.tsv beside the ships of a card set.
// In: ids of a ship, its pilot and its upgrades. Out: the actions, or LoadError.
#pragma once

#include <string>
#include <vector>

#include "load/catalogue.h"

namespace salvo::load {

/// An action of a bar. What is linked to it may be performed after it.
struct Action {
  enum class Difficulty { White, Red, Purple };
  Difficulty difficulty = Difficulty::White;
  std::string name;            ///< "focus", "lock", "barrel-roll"
  std::vector<Action> linked;  ///< at most one
};

/// "focus lock barrel-roll>red:focus". `place` names the text in messages.
std::vector<Action> parse_actions(std::string_view text, const std::string& place);

/// The bar of a ship: the pilot's own, else that of the ship; and the actions of its upgrades. Empty where the card set
/// has no action bars, or not for this ship.
std::vector<Action> actions_of(const Catalogue& catalogue, const std::string& card_set, const std::string& ship,
                               const std::string& pilot, const std::vector<std::string>& upgrades);

}  // namespace salvo::load
