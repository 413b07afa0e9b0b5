// Replaces the names of ships, pilots, upgrades and weapons in a scenario by ids.
#pragma once

#include <string>

#include "salvo/names.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// A text that should be an id but is not. It may still be a name.
struct UnknownIdError : ScenarioError {
  using ScenarioError::ScenarioError;
};

/// Replaces names by ids and adds a note for each name that was not unique. Throws ScenarioError for unknown and for
/// ambiguous names; it lists the candidates.
void names_to_ids(const Catalogue& catalogue, Scenario& scenario);

/// "red: the pilot "vader" is read as darthvader (Darth Vader)".
std::string reading_note(const std::string& whose, const Named& named, std::string_view words);

}  // namespace salvo::load
