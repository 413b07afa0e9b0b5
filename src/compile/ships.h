// Looks up the ships of a scenario: what they start with before any attack.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::compile {

/// What a ship starts with, from its stat line, pilot, cards and the scenario's own numbers.
struct ShipStart {
  std::string name, title, size;
  int hull = 0;  ///< 0: it cannot be destroyed
  int shields = 0;
  int attack = 0;  ///< the attack dice of its best primary weapon
  std::map<std::string, int> tokens;
  /// For tokens that are charges (Force, energy): the capacity, at least the number at the start, and how many the End
  /// Phase recovers.
  struct Charges {
    int capacity = 0, recovered = 0;
  };
  std::map<std::string, Charges> charges;
  /// Damage cards from the start, by card of the deck (empty: none stated): those that lie faceup, and all whose kind
  /// is known. The hull is what they leave.
  std::vector<int> faceup = {}, known = {};
  int hull_of_cards = 0;  ///< that they took
};

/// The ships of an edition and a card set, sorted by name. `ships`: by name. Throws ScenarioError (unknown ships,
/// pilots, cards and tokens, numbers out of range) and LoadError (a broken profile). `damage_deck`: that of faceup
/// damage cards; none: core.
std::vector<ShipStart> look_up_ships(const Catalogue& catalogue, const load::Edition& edition,
                                     const std::string& card_set, const std::map<std::string, ScenarioShip>& ships,
                                     const std::string& damage_deck = kNoDeck);

/// The note about a token that no attack reads.
std::string unread_token_note(std::string_view ship, std::string_view token);

/// The kind (Resource::token) under which a battle counts a card that was seen.
int seen_kind(const load::DeckSpec& deck, int card);

}  // namespace salvo::compile
