// Squad report: what each ship of a squad does to typical targets, what it survives, and what its upgrades are worth.
// In: a Squad. Out: estimates, and text: a table, JSON, CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/engine.h"
#include "salvo/estimates.h"
#include "salvo/provenance.h"
#include "salvo/references.h"
#include "salvo/squad.h"

namespace salvo {

/// The result of one attack of one ship on another.
struct DuelResult {
  bool possible = true;  ///< false: the attack cannot be made, for example without the lock that its weapon needs
  std::string why_not;   ///< if it is not possible
  std::optional<Engine> engine;    ///< empty: there was no attack to compute
  Estimate mean;                   ///< damage
  Estimate hit;                    ///< probability that the attack hits
  std::vector<Estimate> at_least;  ///< probability of k damage or more, from k = 0
  Estimate destroyed;              ///< probability; 0 for a target without hull
  bool destructible = false;       ///< the target has hull
};

/// A weapon and the ranges from 0 to 3 at which it can attack.
struct WeaponChoice {
  std::string id;  ///< "primary:front", or the id of the upgrade
  std::string name;
  int min_range = 0, max_range = 3;
};

/// The number of shots until a ship is destroyed, by a fresh attacker each time.
struct Shots {
  double mean = 0;          ///< infinite: never
  double mean_bound = 0;    ///< the mean is at most this much larger
  std::vector<double> cdf;  ///< cdf[n]: destroyed by n shots or fewer
};

/// One attack of a ship of the squad on a reference defender.
struct Offense {
  std::string weapon;  ///< id of a WeaponChoice
  int range = 2;
  std::string tokens;   ///< that it can spend: "none", "focus", "lock" or "focus+lock"
  std::string against;  ///< id of a reference defender
  DuelResult result;
};

/// How long a ship of the squad survives a reference attacker.
struct Endurance {
  std::string tokens;  ///< "none" or "focus"
  std::string from;    ///< id of a reference attacker
  bool fits = true;    ///< false: too large for the exact engine, no estimates
  Shots shots;
};

/// One estimate for attack and one for defense, to compare upgrades and ships by.
struct SquadSummary {
  /// Mean damage at range 2 (or the nearest range of the weapon) of the best weapon with a focus token or a lock,
  /// whichever is better; averaged over all reference defenders.
  Estimate damage;
  double shots = 0;  ///< mean shots survived with a focus token, averaged over all reference attackers
};

/// What an upgrade adds to the damage of one attack of its ship, averaged over all reference defenders: with the
/// upgrade, minus without. Without an upgrade that is the weapon itself, the ship uses the best of its other weapons.
struct WorthOfAttack {
  std::string weapon;    ///< id of a WeaponChoice
  int range = 2;         ///< 2, or the nearest range of the weapon
  std::string tokens;    ///< "none", "focus", "lock" or "focus+lock"
  bool possible = true;  ///< false: this attack is impossible and has no estimate
  Estimate damage;
};

/// What an upgrade adds to the shots that its ship survives, averaged over all reference attackers.
struct WorthOfDefense {
  std::string tokens;  ///< "none" or "focus"
  double shots = 0;    ///< NaN: too large for the exact engine
};

/// What an upgrade adds to its ship.
struct UpgradeWorth {
  std::string id;
  std::optional<int> cost;
  /// "modelled", "partly", "unmodelled" (no estimates), or "no_effect": it cannot change dice, tokens or damage.
  std::string state;
  Estimate damage;                       ///< SquadSummary::damage with it, minus without
  double shots = 0;                      ///< SquadSummary::shots with it, minus without
  std::vector<WorthOfAttack> attacks;    ///< by weapon and tokens
  std::vector<WorthOfDefense> defenses;  ///< by tokens
};

/// Everything about one ship of the squad.
struct PilotReport : Caveats {
  SquadPilot pilot;
  int cost = 0;
  SquadSummary summary;
  std::vector<WeaponChoice> weapons;
  std::vector<Offense> offense;  ///< each weapon at each of its ranges, with each set of tokens, against each defender
  std::vector<Endurance> durability;  ///< with each set of tokens, against each attacker
  std::vector<UpgradeWorth> worth;    ///< of each upgrade
};

/// A ship of one squad attacks one of the other.
struct MatrixCell {
  DuelResult result;
  std::string weapon;  ///< id of the WeaponChoice that was used
  double shots = 0;    ///< mean number of such shots until it is destroyed; infinite: never
  bool fits = true;    ///< false: no `shots`, too large for the exact engine
};

/// All ships of one squad (rows) against all of the other (columns): the best weapon at that range, both ships with a
/// focus token.
struct SquadMatrix {
  int range = 2;
  std::vector<std::string> rows, columns;  ///< names for people
  std::vector<std::vector<MatrixCell>> cells;
  Provenance from;  ///< of all cells
};

/// What `salvo squad` reports.
struct SquadReport {
  Squad squad;
  ReferenceShips references;
  std::vector<PilotReport> pilots;
  std::optional<Squad> other;
  SquadMatrix attacks, return_attacks;  ///< with another squad: ours against theirs, theirs against ours
  std::string worth_basis;              ///< how the worth of upgrades is measured, in a sentence
};

struct SquadOptions {
  AnswerOptions answer = {};                      ///< of each attack; `threads` are those of the report
  std::optional<ReferenceShips> references = {};  ///< empty: the typical ships of the squad's rules
  std::optional<Squad> against = {};              ///< another squad: also every ship against every ship
  int range = 2;                                  ///< of the attacks between the squads, 0 to 3
};

/// Reports on a squad: some hundred attacks for each ship, computed on all cores. Unknown pilots and upgrades
/// (Squad::unknown) are left out.
///
/// Thread-safe for one catalogue. Throws what answer() throws. An attack that cannot be made, or exceeds the exact
/// engine's budget, is a result.
SquadReport squad_report(const Catalogue& catalogue, const Squad& squad, const SquadOptions& options = {});

/// One JSON object (docs/schemas/squad.schema.json), ending in a newline.
std::string to_json(const SquadReport& report);
/// Long form: pilot,ship,figure,weapon,range,tokens,with,key,value,se.
std::string to_csv(const SquadReport& report);
/// A table for a terminal of `width` columns; `colour`: ANSI colours allowed.
std::string to_table(const SquadReport& report, int width = 80, bool colour = false);

}  // namespace salvo
