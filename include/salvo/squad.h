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

/// A pilot that is known, with a ship that is known; or the ship of a SPEC.
struct SquadPilot {
  std::string id, ship;           ///< as the card set spells them
  std::string given, given_ship;  ///< as the file spells them
  std::string path;               ///< "pilots[0]"
  std::string name, ship_name;    ///< for people
  std::vector<SquadUpgrade> upgrades;
  /// The upgrades are those of the data, since the file lists none, or just these: the pilot's points pay them.
  bool standard_loadout = false;
  std::optional<int> points;              ///< as the file says
  int cost = 0;                           ///< of the pilot alone, in the data; 0: the data's points are not the squad's
  std::optional<int> loadout;             ///< loadout value of the pilot, where the card set has one
  std::optional<ScenarioShip> spec = {};  ///< of a SPEC: the ship as it was written, but for its upgrades
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

/// Reads XWS text. `cards`, `rules`: the card set and the edition to use; empty: found by all that the file says, ids
/// first (docs/format.md: Squads), and where its marks contradict each other, `notes` says so. Throws LoadError when it
/// is no squad at all (not JSON, no list of pilots), or where `cards` are not of `rules`; unknown ids are not errors:
/// they are listed in `unknown`. `source` names the text in messages.
Squad parse_squad(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const std::optional<std::string>& cards = std::nullopt,
                  const std::optional<std::string>& rules = std::nullopt);
/// The same from a file, from standard input for "-", or from a link of yasb.app, which holds the whole squad: nothing
/// is fetched.
Squad load_squad(const Catalogue& catalogue, const std::string& path,
                 const std::optional<std::string>& cards = std::nullopt,
                 const std::optional<std::string>& rules = std::nullopt);
/// A squad that is to fight `mine`: read with the same card set, which `notes` says where it is of another. Throws
/// LoadError, too, when it is of another edition and neither `cards` nor `rules` are given.
Squad load_opposing_squad(const Catalogue& catalogue, const std::string& path, const Squad& mine,
                          const std::optional<std::string>& cards = std::nullopt,
                          const std::optional<std::string>& rules = std::nullopt);

/// A SPEC of an attacker (docs/format.md) as a squad of one ship, for a report on it. Its focus tokens and locks are
/// left to the report, which tries them. Costs are those of the card set. Throws LoadError.
Squad squad_from_spec(const Catalogue& catalogue, const std::string& spec,
                      const std::optional<std::string>& cards = std::nullopt,
                      const std::optional<std::string>& rules = std::nullopt);

/// A ship of a card set as a squad of one, for a report on it: with the pilot and his standard loadout, where he has
/// one; or, where `pilot` is empty, the ship alone. Throws LoadError: they are not of the card set.
Squad squad_from_ship(const Catalogue& catalogue, const std::string& ship, const std::string& pilot,
                      const std::optional<std::string>& cards = std::nullopt,
                      const std::optional<std::string>& rules = std::nullopt);

/// The pilot as a ship of a scenario, without tokens: for questions of one's own about the ships of a squad.
ScenarioShip scenario_ship(const SquadPilot& pilot);

/// What the ship costs by the data: the pilot in card sets with loadout values, else pilot and upgrades; 0: unknown.
int total_cost(const SquadPilot& pilot);
/// What a ship of a scenario costs by the points of the card set; empty when it has no pilot of the set, or an upgrade
/// of it has no cost there.
std::optional<int> cost_in(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards);
/// What the ship costs: the points of the file, else those of the data; empty where neither knows.
std::optional<int> cost_of(const SquadPilot& pilot);

/// What a reader of figures about the squad should know: its notes, and what of it is left out.
std::vector<std::string> caveats_of(const Squad& squad);

}  // namespace salvo
