// Ships of a scenario, looked up: stat lines, tokens and cards, as a scenario's ships are before any attack.
// In: ScenarioShips and the Catalogue. Out: what the ships start with, or a ScenarioError.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::compile {

/// What a ship starts with: stat line, pilot, cards and the numbers that the scenario states, taken together.
struct ShipStart {
  std::string name, title, size;
  int hull = 0;  ///< 0: it cannot be destroyed
  int shields = 0;
  std::map<std::string, int> tokens;
  /// Of a kind of token that is a charge (Force, energy): how many the ship can have, at least those it starts with,
  /// and how many come back in the End Phase.
  struct Charges {
    int capacity = 0, recovered = 0;
  };
  std::map<std::string, Charges> charges;
};

/// The ships of an edition and a card set in the order of their names. `ships`: by name. Throws ScenarioError (unknown
/// ships, pilots, cards and tokens, numbers out of range) and LoadError (a broken profile).
std::vector<ShipStart> look_up_ships(const Catalogue& catalogue, const load::Edition& edition,
                                     const std::string& card_set, const std::map<std::string, ScenarioShip>& ships);

}  // namespace salvo::compile
