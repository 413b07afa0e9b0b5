// Squad report: what each ship of a squad does to typical targets, what it survives, and what its upgrades are worth.
// In: a Squad. Out: figures, and text: a table, JSON, CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/provenance.h"
#include "salvo/references.h"
#include "salvo/squad.h"

namespace salvo {

/// What one attack of one ship on another does.
struct DuelResult {
  bool possible = true;                 ///< false: the attack cannot be made, such as a weapon without its lock
  std::string why_not;                  ///< where it is not possible
  std::string engine;                   ///< "exact" or "sample"
  double mean = 0, mean_se = 0;         ///< damage, and its standard error; 0: exact
  double hit = 0;                       ///< probability that the attack hits
  std::vector<double> at_least;         ///< probability of k damage or more, from k = 0
  double destroyed = 0;                 ///< probability; 0 for a target without hull
  bool destructible = false;            ///< the target has hull
  double hit_se = 0, destroyed_se = 0;  ///< standard errors; 0: exact
  std::vector<double> at_least_se;      ///< as long as at_least
};

/// A weapon and the ranges from 0 to 3 at which it shoots.
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
  std::string tokens;   ///< that it may spend: "none", "focus", "lock" or "focus+lock"
  std::string against;  ///< id of a reference defender
  DuelResult result;
  std::vector<std::string> assumed_facts;  ///< as in Provenance
};

/// How long a ship of the squad survives a reference attacker.
struct Endurance {
  std::string tokens;  ///< "none" or "focus"
  std::string from;    ///< id of a reference attacker
  bool fits = true;    ///< false: too large for the exact engine, no figures
  Shots shots;
};

/// One figure for attack and one for defense, by which upgrades and ships are compared.
struct SquadSummary {
  /// Mean damage at range 2 (or the nearest at which the weapon shoots) of the best weapon with a focus token or a
  /// lock, whichever is better; mean of all reference defenders.
  double damage = 0;
  double shots = 0;      ///< mean shots survived with a focus token, mean of all reference attackers
  double damage_se = 0;  ///< standard error; 0: exact
};

/// What an upgrade adds to the damage of one attack of its ship: the mean over all reference defenders with it, minus
/// the same without it. Without an upgrade that is the weapon itself, the ship shoots with the best of its others.
struct WorthOfAttack {
  std::string weapon;    ///< id of a WeaponChoice
  int range = 2;         ///< at which it shoots: 2, or the nearest that it reaches
  std::string tokens;    ///< "none", "focus", "lock" or "focus+lock"
  bool possible = true;  ///< false: the ship cannot attack with it so, and there is no figure
  double damage = 0, damage_se = 0;
};

/// What an upgrade adds to the shots that its ship survives, in the mean over all reference attackers.
struct WorthOfDefense {
  std::string tokens;  ///< "none" or "focus"
  double shots = 0;    ///< not a number: too large for the exact engine
};

/// What an upgrade adds to its ship.
struct UpgradeWorth {
  std::string id;
  std::optional<int> cost;
  /// "modelled", "partly", "unmodelled" (no figures), or "no_effect": it cannot change dice, tokens or damage.
  std::string state;
  double damage = 0, shots = 0;          ///< SquadSummary with it, minus without
  double damage_se = 0;                  ///< standard error; 0: exact
  std::vector<WorthOfAttack> attacks;    ///< by weapon and tokens
  std::vector<WorthOfDefense> defenses;  ///< by tokens
};

/// Everything about one ship of the squad.
struct PilotReport {
  SquadPilot pilot;
  int cost = 0;
  SquadSummary summary;
  std::vector<WeaponChoice> weapons;
  std::vector<Offense> offense;       ///< each weapon at each of its ranges, with each set of tokens, on each defender
  std::vector<Endurance> durability;  ///< with each set of tokens, of each attacker
  std::vector<UpgradeWorth> worth;    ///< of each upgrade
  std::vector<std::string> unmodelled, partly, assumed_facts;  ///< as in Provenance
  std::vector<std::string> no_effect, notes;                   ///< likewise
};

/// A ship of one squad shoots at one of the other.
struct MatrixCell {
  DuelResult result;
  std::string weapon;  ///< id of the WeaponChoice that was used
  double shots = 0;    ///< mean number of such shots until it is destroyed; infinite: never
  bool fits = true;    ///< false: no `shots`, too large for the exact engine
};

/// All ships of one squad (rows) against all of the other (columns): best weapon at the range, both with a focus token.
struct SquadMatrix {
  int range = 2;
  std::vector<std::string> rows, columns;  ///< names for people
  std::vector<std::vector<MatrixCell>> cells;
  Provenance from;  ///< what the cells rest on
};

/// What `salvo squad` tells.
struct SquadReport {
  Squad squad;
  ReferenceShips references;
  std::vector<PilotReport> pilots;
  std::optional<Squad> other;
  SquadMatrix forth, back;  ///< with another squad: ours at theirs, theirs at ours
  std::string worth_basis;  ///< what the worth of upgrades is measured by, in a sentence
};

struct SquadOptions {
  AnswerOptions answer = {};                      ///< of each attack; `threads` are those of the report
  std::optional<ReferenceShips> references = {};  ///< empty: the typical ships of the squad's rules
  std::optional<Squad> against = {};              ///< another squad: also every ship against every ship
  int range = 2;                                  ///< of the attacks between the squads, 0 to 3
};

/// Reports on a squad: some hundred attacks for each ship, played on all cores. Pilots and upgrades that are unknown
/// (Squad::unknown) are left out.
///
/// Safe to call from several threads at once with one catalogue. Throws what answer() throws; an attack that cannot be
/// made, or does not fit the exact engine's budget, is a result.
SquadReport squad_report(const Catalogue& catalogue, const Squad& squad, const SquadOptions& options = {});

/// One JSON object (docs/schemas/squad.schema.json), ending in a newline.
std::string to_json(const SquadReport& report);
/// Long form: pilot,ship,figure,weapon,range,tokens,with,key,value,se.
std::string to_csv(const SquadReport& report);
/// A table for a terminal of `width` columns; `colour`: ANSI colours allowed.
std::string to_table(const SquadReport& report, int width = 80, bool colour = false);

}  // namespace salvo
