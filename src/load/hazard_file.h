// Hazards: dice rolled outside attacks, from profiles/hazards/<edition>/<id>.toml (docs/cards.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/profiles.h"
#include "load/catalogue.h"

namespace salvo::load {

/// What one die, or the hazard itself, does to a ship. The members apply in this order.
struct HazardEffect {
  int shields = 0;          ///< active shields lost; this is not damage
  int hits = 0, crits = 0;  ///< damage: each removes a shield, or else deals a damage card facedown or faceup
  int facedown_cards = 0;   ///< damage cards dealt even if shields are left
  int faceup_cards = 0;
  int exposed = 0;  ///< facedown cards turned faceup, at most as many as there are
  std::map<std::string, int> tokens;
  bool operator==(const HazardEffect&) const = default;
};

/// A number that the user supplies: the speed of a maneuver, the number of overlapped ships.
struct HazardAmount {
  std::string name, meaning;
  int least = 0, most = 99, usual = 1;
};

/// One case in which the hazard takes effect.
struct HazardSituation {
  std::string id;
  std::string when;                      ///< a short description
  std::vector<std::string> sizes;        ///< sizes of the affected ships
  int first_dice = 0;                    ///< rolled once for all ships; takes effect only if a die shows one of
  std::vector<std::string> first_faces;  ///< these faces
  int dice = 0;                          ///< attack dice that each ship rolls
  std::map<std::string, int> dice_per;   ///< additional dice per unit of a number
  HazardEffect fixed;                    ///< without a roll, before it
  std::map<std::string, HazardEffect> fixed_per;
  std::map<std::string, HazardEffect> on;  ///< by face: effect of each die that shows it
  std::vector<std::string> also;           ///< effects that are not computed
};

/// A roll-off between players, or the roll of a single one.
struct HazardContest {
  int dice = 0;
  std::vector<std::string> most;  ///< most of the first face wins, then of the second, ...; ties are rerolled
  std::vector<std::string> wins;  ///< for a single player, who wins if a die shows one of these faces
};

struct Hazard {
  std::string id, name, kind, source;
  std::vector<std::string> also_called;
  std::vector<HazardAmount> numbers;
  std::vector<HazardSituation> situations;  ///< the first that affects the size of the ship is the default
  std::optional<HazardContest> contest;     ///< if set, there are no situations
  std::vector<std::string> omits;           ///< parts left out
};

/// All hazards of an edition, sorted by id. Throws LoadError for a malformed file.
std::vector<Hazard> load_hazards(const data::Profiles& profiles, const Edition& edition);
/// The hazard with that id or other name. Throws LoadError, which suggests the nearest.
Hazard load_hazard(const data::Profiles& profiles, const Edition& edition, const std::string& id);
/// Parses a hazard. `source` names the text in messages; `id` is the id that it must state. Throws LoadError.
Hazard parse_hazard(std::string_view text, const std::string& source, const Edition& edition, const std::string& id);

}  // namespace salvo::load
