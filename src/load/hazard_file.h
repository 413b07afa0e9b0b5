// Hazards as data: dice that are rolled outside attacks, from profiles/hazards/<edition>/<id>.toml (docs/cards.md).
// In: files. Out: Hazard, or LoadError with file, line, key and remedy.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/profiles.h"
#include "load/catalogue.h"

namespace salvo::load {

/// What one die, or the hazard itself, does to a ship. It happens in the order of the members.
struct Consequence {
  int shields = 0;          ///< active shields that are lost; this is no damage
  int hits = 0, crits = 0;  ///< damage: a shield each, else a damage card, facedown or faceup
  int facedown_cards = 0;   ///< damage cards that are dealt although shields are left
  int faceup_cards = 0;
  int exposed = 0;  ///< facedown cards that are turned faceup, as far as there are any
  std::map<std::string, int> tokens;
  bool operator==(const Consequence&) const = default;
};

/// A number of the table that the user gives: the speed of a maneuver, how many ships were overlapped.
struct Number {
  std::string name, meaning;
  int least = 0, most = 99, usual = 1;
};

/// One case in which a hazard acts.
struct Situation {
  std::string id;
  std::string when;                      ///< in a few words
  std::vector<std::string> sizes;        ///< of the ships that it happens to
  int first_dice = 0;                    ///< rolled once for all ships: nothing happens unless a die shows one of
  std::vector<std::string> first_faces;  ///< these faces
  int dice = 0;                          ///< attack dice that each ship rolls
  std::map<std::string, int> dice_per;   ///< more of them, for each of a number
  Consequence fixed;                     ///< without a roll, and before it
  std::map<std::string, Consequence> fixed_per;
  std::map<std::string, Consequence> on;  ///< by face, for each die that shows it
  std::vector<std::string> also;          ///< what no figure counts
};

/// A roll of players against each other, or of one player.
struct Contest {
  int dice = 0;
  std::vector<std::string> most;  ///< more of the first face wins, then of the second, ...; a tie is rolled again
  std::vector<std::string> wins;  ///< for a roll of one player: he wins if a die shows one of these faces
};

struct Hazard {
  std::string id, name, kind, source;
  std::vector<std::string> also_called;
  std::vector<Number> numbers;
  std::vector<Situation> situations;  ///< in order; the first that happens to ships of the size is the usual one
  std::optional<Contest> contest;     ///< then there are no situations
  std::vector<std::string> omits;     ///< what is left out
};

/// All hazards of an edition (profiles/hazards/<edition>/), by id. Throws LoadError for a broken file.
std::vector<Hazard> load_hazards(const data::Profiles& profiles, const Edition& edition);
/// The hazard of that id or other name. Throws LoadError that names the nearest when there is none.
Hazard load_hazard(const data::Profiles& profiles, const Edition& edition, const std::string& id);
/// A hazard from text; `source` names it in messages, `id` is what it has to be called.
Hazard parse_hazard(std::string_view text, const std::string& source, const Edition& edition, const std::string& id);

}  // namespace salvo::load
