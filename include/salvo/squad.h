// Reads squads that squad builders export (XWS) and looks up every id in the catalogue. Accepts JSON as builders write
// it, not only as the schema says. salvo/squad_report.h computes what a squad deals and survives.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/scenario.h"

namespace salvo {

/// A known upgrade.
struct SquadUpgrade {
  std::string id;           ///< as the card set spells it
  std::string given;        ///< as the file spells it; empty if it comes from a standard loadout
  std::string path;         ///< in the file: "pilots[0].upgrades.talent[1]"
  std::optional<int> cost;  ///< points or loadout on this ship; empty: no cost
};

/// A known pilot on a known ship; or the ship of a SPEC.
struct SquadPilot {
  std::string id, ship;           ///< as the card set spells them
  std::string given, given_ship;  ///< as the file spells them
  std::string path;               ///< "pilots[0]"
  std::string name, ship_name;    ///< printed names
  std::vector<SquadUpgrade> upgrades;
  /// The upgrades are those of the pilot's standard loadout, whether the file lists them or not. The pilot's points
  /// include them.
  bool standard_loadout = false;
  std::optional<int> points;   ///< as the file states
  int cost = 0;                ///< of the pilot alone in the card set; 0: the card set lacks the squad's points
  std::optional<int> loadout;  ///< loadout value of the pilot, if the card set has one
  std::optional<ScenarioShip> spec = {};  ///< of a SPEC: the ship as written, without its upgrades
};

/// An id that is unknown, and therefore ignored.
struct UnknownId {
  std::string path, kind;  ///< kind: "pilot", "ship" or "upgrade"
  std::string id;
  std::string reason;
};

/// A squad, without the ids that are `unknown`.
struct Squad {
  std::string name, faction, source;
  std::string ruleset;                 ///< "2.0", "2.5", "XWA" or "first-edition": the points that it was built with
  std::string rules;                   ///< edition id
  std::string cards;                   ///< card set of its ids
  std::string cards_from, cards_date;  ///< source of the card set: "xwing-data2 3.9.1", "2025-01-21"
  std::optional<int> points;
  std::vector<SquadPilot> pilots;
  std::vector<UnknownId> unknown;
  std::vector<std::string> notes;  ///< ids that were interpreted, and assumptions
};

/// Reads XWS text, a list of ships in words as builders print it, or a link. `cards`, `rules`: the card set and the
/// edition; empty: inferred from the file, ids first (docs/format.md: Squads), and `notes` reports contradictions.
/// Throws LoadError if the text is not a squad (no pilots), or `cards` do not belong to `rules`. Unknown ids are not
/// errors, but listed in `unknown`. `source` names the text in messages.
Squad parse_squad(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const std::optional<std::string>& cards = std::nullopt,
                  const std::optional<std::string>& rules = std::nullopt);
/// As above, from a file, from standard input for "-", or from a link of a builder, which contains the whole squad
/// (nothing is fetched).
Squad load_squad(const Catalogue& catalogue, const std::string& path,
                 const std::optional<std::string>& cards = std::nullopt,
                 const std::optional<std::string>& rules = std::nullopt);
/// The opponent of `mine`, read with the same card set; `notes` says if it belongs to another one. Also throws
/// LoadError if it belongs to another edition, unless `cards` or `rules` are given.
Squad load_opposing_squad(const Catalogue& catalogue, const std::string& path, const Squad& mine,
                          const std::optional<std::string>& cards = std::nullopt,
                          const std::optional<std::string>& rules = std::nullopt);

/// Makes a squad from the SPEC of an attacker (docs/format.md), or several with | between, for a report. Drops focus
/// tokens and locks, since the report tries them. Costs are those of the card set. Throws LoadError.
Squad squad_from_spec(const Catalogue& catalogue, const std::string& spec,
                      const std::optional<std::string>& cards = std::nullopt,
                      const std::optional<std::string>& rules = std::nullopt);

/// Makes a squad of one ship, for a report: with the pilot and any standard loadout, or if `pilot` is empty the ship
/// alone. Throws LoadError if the card set lacks them.
Squad squad_from_ship(const Catalogue& catalogue, const std::string& ship, const std::string& pilot,
                      const std::optional<std::string>& cards = std::nullopt,
                      const std::optional<std::string>& rules = std::nullopt);

/// The pilot as a ship of a scenario, without tokens.
ScenarioShip scenario_ship(const SquadPilot& pilot);

/// The cost of the ship in the card set: that of the pilot if there are loadout values, else of pilot and upgrades; 0:
/// unknown.
int total_cost(const SquadPilot& pilot);
/// The cost of a ship of a scenario in a card set; empty if the set lacks its pilot or the cost of an upgrade.
std::optional<int> cost_in(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards);
/// The cost of the ship: the points of the file, else those of the card set; empty: unknown.
std::optional<int> cost_of(const SquadPilot& pilot);

/// Caveats for results about the squad: its notes, and which parts are left out.
std::vector<std::string> caveats_of(const Squad& squad);

}  // namespace salvo
