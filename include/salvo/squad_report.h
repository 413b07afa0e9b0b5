// Squad report: what each ship of a squad does to typical targets, what it survives, and what its upgrades are worth.
// In: a Squad. Out: figures for each ship, and, with another squad, of all ships of the one against all of the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/references.h"
#include "salvo/squad.h"

namespace salvo {

/// What one attack does to its target.
struct DuelResult {
  bool possible = true;          ///< false: the attack cannot be made, such as with a weapon without its lock
  std::string why_not;           ///< where it is not possible
  std::string engine;            ///< "exact" or "sample"
  double mean = 0, mean_se = 0;  ///< damage, and its standard error; 0: exact
  double hit = 0;                ///< probability that the attack hits
  std::vector<double> at_least;  ///< probability of k damage or more, from k = 0
  double destroyed = 0;          ///< probability; 0 for a target without hull
  bool destructible = false;     ///< the target has hull
};

/// A weapon and the ranges, 0 to 3, at which it shoots.
struct WeaponChoice {
  std::string id;  ///< "primary:front", or the id of the upgrade
  std::string name;
  int min_range = 0, max_range = 3;
};

/// How many shots of a fresh attacker each a ship survives.
struct Shots {
  double mean = 0;          ///< number of the shot that destroys it, at least; infinite: never
  double mean_bound = 0;    ///< it is at most mean + mean_bound; usually 0
  std::vector<double> cdf;  ///< probability that it is destroyed within k shots, from k = 0
};

/// One attack of a ship on a reference defender.
struct Offense {
  std::string weapon;  ///< id of a WeaponChoice
  int range = 2;
  std::string tokens;   ///< that it may spend: "none", "focus", "lock" or "focus+lock"
  std::string against;  ///< id of a reference defender
  DuelResult result;
  std::vector<std::string> assumed_facts;  ///< board facts that nobody told, with the value taken
};

/// How long a ship survives a reference attacker.
struct Endurance {
  std::string tokens;  ///< of the ship, in each attack: "none" or "focus"
  std::string from;    ///< id of a reference attacker
  bool fits = true;    ///< false: too large for the exact engine, no figures
  Shots shots;
};

/// One figure for attack and one for defense, by which upgrades and ships are compared.
struct PilotSummary {
  /// Mean damage at range 2 (or the nearest at which the weapon shoots) of the best weapon with a focus token or a
  /// lock, whichever is better; mean of all reference defenders.
  double damage = 0;
  double shots = 0;  ///< mean shots survived with a focus token, mean of all reference attackers
};

/// What an upgrade adds to the ship that carries it.
struct UpgradeWorth {
  std::string id;
  std::optional<int> cost;
  std::string state;             ///< "modelled", "partly" or "unmodelled"; unmodelled: no figures
  double damage = 0, shots = 0;  ///< PilotSummary with it, minus without
};

/// One ship of the squad.
struct PilotReport {
  SquadPilot pilot;
  int cost = 0;
  PilotSummary summary;
  std::vector<WeaponChoice> weapons;
  std::vector<Offense> offense;       ///< each weapon at each of its ranges, with each set of tokens, on each defender
  std::vector<Endurance> durability;  ///< with each set of tokens, of each attacker
  std::vector<UpgradeWorth> worth;    ///< of each upgrade
  std::vector<std::string> unmodelled, partly, assumed_facts;  ///< as in Provenance
};

/// A ship of one squad shoots at one of the other.
struct MatrixCell {
  DuelResult result;
  double shots = 0;  ///< mean number of such shots until it is destroyed; infinite: never
  bool fits = true;  ///< false: no `shots`, too large for the exact engine
};

/// All ships of one squad (rows) against all of the other (columns): best weapon at the range, both with a focus token.
struct DuelMatrix {
  int range = 2;
  std::vector<std::string> rows, columns;  ///< names for people
  std::vector<std::vector<MatrixCell>> cells;
};

struct SquadReport {
  Squad squad;
  References references;
  std::vector<PilotReport> pilots;
  std::optional<Squad> other;
  DuelMatrix forth, back;  ///< with another squad: ours at theirs, theirs at ours
};

struct SquadReportOptions {
  std::optional<References> references = {};  ///< empty: the typical ships of the squad's rules
  std::optional<Squad> against = {};          ///< another squad, to be played against
  int range = 2;                              ///< of the attacks between the squads
  AnswerOptions answer = {};  ///< of each attack; `threads` are those of the report, and progress is not called
};

/// Reports on a squad: some hundred attacks for each ship, played on all cores within a second or so. Pilots and
/// upgrades that are unknown (Squad::unknown) are left out. Safe to call from several threads at once with one
/// catalogue. Throws what answer() throws, and LoadError for broken reference ships.
SquadReport squad_report(const Catalogue& catalogue, const Squad& squad, const SquadReportOptions& options = {});

/// One JSON object (docs/schemas/squad.schema.json), ending in a newline.
std::string to_json(const SquadReport& report);
/// Long form: pilot,figure,weapon,range,tokens,with,key,value.
std::string to_csv(const SquadReport& report);
/// A table for a terminal of `width` columns; `colour`: ANSI colours allowed.
std::string to_table(const SquadReport& report, int width = 80, bool colour = false);

}  // namespace salvo
