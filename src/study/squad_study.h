// Squad study: what each ship of a squad does to typical targets, what it survives, and what its upgrades are worth.
// In: a Squad and References. Out: figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "salvo/squad.h"
#include "study/duel.h"

namespace salvo::study {

struct Offense {
  std::string weapon;
  int range = 2;
  std::string tokens;   ///< name of a TokenSet
  std::string against;  ///< id of a reference defender
  DuelResult result;
  std::vector<std::string> assumed_facts;
};

struct Endurance {
  std::string tokens;  ///< "none" or "focus"
  std::string from;    ///< id of a reference attacker
  bool fits = true;    ///< false: too large for the exact engine, no figures
  Shots shots;
};

/// One figure for attack and one for defense, by which upgrades and ships are compared.
struct Summary {
  /// Mean damage at range 2 (or the nearest at which the weapon shoots) of the best weapon with a focus token or a
  /// lock, whichever is better; mean of all reference defenders.
  double damage = 0;
  double shots = 0;  ///< mean shots survived with a focus token, mean of all reference attackers
};

struct UpgradeWorth {
  std::string id;
  std::optional<int> cost;
  std::string state;             ///< "modelled", "partly" or "unmodelled"
  double damage = 0, shots = 0;  ///< Summary with it, minus without
};

struct PilotStudy {
  SquadPilot pilot;
  int cost = 0;
  Summary summary;
  std::vector<WeaponChoice> weapons;
  std::vector<Offense> offense;
  std::vector<Endurance> durability;
  std::vector<UpgradeWorth> worth;
  std::vector<std::string> unmodelled, partly, assumed_facts;
};

/// A ship of one squad shoots at one of the other.
struct MatrixCell {
  DuelResult result;
  double shots = 0;  ///< mean number of such shots until it is destroyed; infinite: never
  bool fits = true;  ///< false: no `shots`, too large for the exact engine
};

/// All ships of one squad (rows) against all of the other (columns): best weapon at the range, both with a focus token.
struct Matrix {
  int range = 2;
  std::vector<std::string> rows, columns;  ///< names for people
  std::vector<std::vector<MatrixCell>> cells;
};

struct SquadStudy {
  Squad squad;
  References references;
  std::vector<PilotStudy> pilots;
  std::optional<Squad> other;
  Matrix forth, back;  ///< with another squad: ours at theirs, theirs at ours
};

struct SquadStudyOptions {
  AnswerOptions answer;  ///< of each duel; `threads` are those of the study
  int matrix_range = 2;
};

/// Throws what answer() throws.
SquadStudy study_squad(const Catalogue& catalogue, const Squad& squad, const References& references,
                       const std::optional<Squad>& other, const SquadStudyOptions& options);

}  // namespace salvo::study
