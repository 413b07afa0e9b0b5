// Names in a scenario: ships, pilots, upgrades and weapons in a player's words become ids.
// In: a scenario. Out: the same with ids, and a note for each name that left a choice.
#pragma once

#include <string>

#include "salvo/names.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// A text of a scenario that should be an id and is none; it may still be a name.
struct NoSuchId : ScenarioError {
  using ScenarioError::ScenarioError;
};

/// Puts ids in the place of names, and how they were understood into the scenario's notes. Throws ScenarioError for a
/// text that no card has, and for one that several have; it lists them.
void names_to_ids(const Catalogue& catalogue, Scenario& scenario);

/// "red: the pilot "vader" is read as darthvader (Darth Vader)".
std::string reading(const std::string& whose, const Named& named, std::string_view words);

}  // namespace salvo::load
