// Action bars of ships, pilots and upgrades, from actions.tsv of a card set.
#pragma once

#include <string>
#include <vector>

#include "load/catalogue.h"

namespace salvo::load {

/// An action of a bar, and the action linked to it, which may be performed afterwards.
struct Action {
  enum class Difficulty { White, Red, Purple };
  Difficulty difficulty = Difficulty::White;
  std::string name;            ///< "focus", "lock", "barrel-roll"
  std::vector<Action> linked;  ///< at most one
};

/// Parses "focus lock barrel-roll>red:focus". `place` names the text in messages. Throws LoadError.
std::vector<Action> parse_actions(std::string_view text, const std::string& place);

/// The action bar of the pilot, else of the ship, plus the actions of the upgrades. Empty if the card set has no bar
/// for them. Throws LoadError.
std::vector<Action> actions_of(const Catalogue& catalogue, const std::string& card_set, const std::string& ship,
                               const std::string& pilot, const std::vector<std::string>& upgrades);

}  // namespace salvo::load
