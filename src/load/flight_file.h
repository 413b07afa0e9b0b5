// Flights: the chances that ships can attack each other in each round of a battle (profiles/flights, docs/battles.md).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "data/profiles.h"

namespace salvo::load {

inline constexpr int kCertain = 100;     ///< chances are in percent
inline constexpr int kFlightRanges = 4;  ///< ranges 0 to 3
inline constexpr int kMaxFlightRounds = 50;

/// The ships that a rule applies to: those that match all words. Words: "any", "mine", "theirs", "jouster", "ace",
/// "turret", "large", and "mine-1", "theirs-2" for a ship by its position in its squad.
using ShipWords = std::vector<std::string>;

/// Chances that a ship performs no action, that it executes a blue maneuver, which removes tokens, and that a friend
/// that helps it is near.
struct FlightShip {
  ShipWords is;
  std::optional<int> no_action, blue, near_friends;
};

/// Chance of each range between two ships (the rest to 100: out of range), and of obstruction.
struct FlightPair {
  ShipWords first, second;
  std::optional<std::array<int, kFlightRanges>> range;
  std::optional<int> obstructed;
};

/// Chance that a ship has another in its arc, given that it is in range; and given that, in its bullseye arc.
struct FlightShot {
  ShipWords by, on;
  std::optional<int> arc, bullseye;
};

/// Points that a side earns at the end of the round while one of these ships of it is left.
struct FlightObjective {
  ShipWords by;
  int points = 0;
};

/// One round. A later rule overrides an earlier one, key by key. Defaults: range 2, not obstructed, in arc, not in the
/// bullseye arc, an action, no blue maneuver.
struct FlightRound {
  std::vector<FlightShip> ships;
  std::vector<FlightPair> pairs;
  std::vector<FlightShot> shots;
  std::vector<FlightObjective> objectives;  ///< they add up
};

struct Flight {
  std::string id, name, source;
  std::vector<FlightRound> rounds;  ///< the last one repeats
};

/// Parses TOML or JSON; `source` names the text in messages. Throws LoadError.
Flight parse_flight(std::string_view text, const std::string& source);
/// The flight with that id in the profiles, or else in that file. Throws LoadError, which suggests the nearest id.
Flight load_flight(const data::Profiles& profiles, const std::string& name);
/// Ids of the flights in the profiles, sorted.
std::vector<std::string> flight_ids(const data::Profiles& profiles);

}  // namespace salvo::load
