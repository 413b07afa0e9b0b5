// Flights as data: who can shoot whom in each round of a battle, as chances (profiles/flights, docs/battles.md).
// In: files. Out: Flight, or LoadError with file, line, key and remedy.
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

/// Ships that a rule is about: those that all words fit. Words: "any", "mine", "theirs", "jouster", "ace", "turret",
/// "large", and "mine-1", "theirs-2" for one ship by its place in its squad.
using ShipWords = std::vector<std::string>;

/// What a ship may be hindered in: chances of no action, and of a blue maneuver, which takes tokens off.
struct FlightShip {
  ShipWords is;
  std::optional<int> no_action, blue;
};

/// Where two ships stand: chance of each range (what is missing to 100: out of range), and of obstruction.
struct FlightPair {
  ShipWords first, second;
  std::optional<std::array<int, kFlightRanges>> range;
  std::optional<int> obstructed;
};

/// Whether one ship has another in its arc, given that it is in range; and, given that, in its bullseye arc.
struct FlightShot {
  ShipWords by, on;
  std::optional<int> arc, bullseye;
};

/// One round. A later rule wins over an earlier one, key by key; what no rule says is: range 2, nothing in the way,
/// in arc, not in the bullseye arc, an action, no blue maneuver.
struct FlightRound {
  std::vector<FlightShip> ships;
  std::vector<FlightPair> pairs;
  std::vector<FlightShot> shots;
};

struct Flight {
  std::string id, name, source;
  std::vector<FlightRound> rounds;  ///< the last one is repeated
};

/// A flight from text in TOML or JSON; `source` names it in messages.
Flight parse_flight(std::string_view text, const std::string& source);
/// The flight of that id in the profiles, or a file. Throws LoadError that names the nearest when there is none.
Flight load_flight(const data::Profiles& profiles, const std::string& name);
/// Ids of the flights in the profiles, in alphabetical order.
std::vector<std::string> flight_ids(const data::Profiles& profiles);

}  // namespace salvo::load
