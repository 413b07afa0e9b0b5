// Squad: what a squad builder exports (XWS), with every id looked up in the catalogue.
// In: JSON as builders write it, not as the schema says. Out: pilots with their upgrades, and a list of what is
// unknown. What the squad does and survives: salvo/squad_report.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/scenario.h"

namespace salvo {

/// An upgrade that is known.
struct SquadUpgrade {
  std::string id;           ///< as the card set spells it
  std::string given;        ///< as the file spells it; empty when it comes from a standard loadout
  std::string path;         ///< in the file: "pilots[0].upgrades.talent[1]"
  std::optional<int> cost;  ///< points or loadout, for this ship; empty: none of its own
};

/// A pilot that is known, with a ship that is known.
struct SquadPilot {
  std::string id, ship;           ///< as the card set spells them
  std::string given, given_ship;  ///< as the file spells them
  std::string path;               ///< "pilots[0]"
  std::string name, ship_name;    ///< for people
  std::vector<SquadUpgrade> upgrades;
  bool standard_loadout = false;  ///< the upgrades are those of the data, since the file lists none
  std::optional<int> points;      ///< as the file says
  int cost = 0;                   ///< of the pilot alone, in the data
  std::optional<int> loadout;     ///< loadout value of the pilot, where the card set has one
};

/// An id that could not be used. It is left out of what is computed.
struct UnknownId {
  std::string path, kind;  ///< kind: "pilot", "ship" or "upgrade"
  std::string id;
  std::string reason;
};

/// A squad as far as it is known.
struct Squad {
  std::string name, faction, source;
  std::string ruleset;                 ///< "2.0", "2.5", "XWA" or "first-edition": by which points it was built
  std::string rules;                   ///< edition id
  std::string cards;                   ///< card set in which its ids are looked up
  std::string cards_from, cards_date;  ///< what that was imported from: "xwing-data2 3.9.1" of "2025-01-21"
  std::optional<int> points;
  std::vector<SquadPilot> pilots;
  std::vector<UnknownId> unknown;
  std::vector<std::string> notes;  ///< ids that were read as others, and what was assumed
};

/// Reads XWS text. `cards`: the card set to use; empty: found from ruleset, version, points and the ids themselves.
/// Throws LoadError when it is no squad at all (not JSON, no list of pilots); unknown ids are not errors: they are
/// listed in `unknown`. `source` names the text in messages.
Squad parse_squad(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const std::optional<std::string>& cards = std::nullopt);
/// The same from a file, from standard input for "-", or from a link of yasb.app, which holds the whole squad: nothing
/// is fetched.
Squad load_squad(const Catalogue& catalogue, const std::string& path,
                 const std::optional<std::string>& cards = std::nullopt);

/// The pilot as a ship of a scenario, without tokens: for questions of one's own about the ships of a squad.
ScenarioShip scenario_ship(const SquadPilot& pilot);

/// What the ship costs: the pilot in card sets with loadout values, else pilot and upgrades.
int total_cost(const SquadPilot& pilot);
/// The same of a ship of a scenario; empty when it has no pilot, or something of it is not known.
std::optional<int> total_cost(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards);

}  // namespace salvo
