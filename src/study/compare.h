// Compare: loadouts against defenders, ranked by one figure.
// In: loadouts and defenders as scenarios' ships. Out: a table of figures, and differences from the best.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/duel.h"

namespace salvo::study {

/// A loadout: a ship with its tokens and the attack that it makes, as a scenario in which it is "attacker".
struct Loadout {
  std::string name;                ///< as the user wrote it
  std::vector<std::string> words;  ///< what it consists of, for telling loadouts apart
  std::string label;               ///< the words that not all of them have
  Scenario scenario;               ///< its weapon may be kBestWeapon: for each defender the one with the best figure
  std::optional<int> cost;
  std::vector<std::string> notes;  ///< what was assumed or left out when it was read
};

struct Opponent {
  std::string id, name;
  ScenarioShip ship;
};

/// "mean", "hit", "destroyed", "at_least" (which needs a number) and "per_point".
const std::vector<std::string>& figure_names();

/// One of them, with the number `k` of "at_least".
struct FigureChoice {
  std::string name = "mean";
  int k = 1;
  std::string text() const { return name == "at_least" ? "at_least:" + std::to_string(k) : name; }
};

struct CompareRow {
  Loadout loadout;
  std::vector<DuelResult> cells;     ///< by opponent
  std::vector<std::string> weapons;  ///< that it used, by opponent: "primary:front", or the id of an upgrade
  std::vector<double> estimates;     ///< the figure, by opponent
  std::vector<double> figure_ses;    ///< their standard errors; 0: exact
  Provenance from;                   ///< what its cells rest on
  double average = 0;                ///< of the figures
  double behind = 0;                 ///< best average minus this one
  /// Where something was sampled. With EngineChoice::Sample the loadouts are played with the same random numbers, in
  /// blocks; the standard error of `behind` is that of the mean of the blocks' differences (batch means), so what the
  /// loadouts have in common cancels out. Where only some cells did not fit the exact engine, errors are those of
  /// independent samples.
  std::optional<double> average_se, behind_se;
};

struct Comparison {
  std::string rules, cards;
  std::string cards_date;  ///< date of the data of the card set; empty: none is named, or the profiles do not say
  FigureChoice by;
  std::vector<std::string> common;  ///< words that all loadouts have
  std::vector<Opponent> opponents;
  std::vector<CompareRow> rows;  ///< best first
  std::uint64_t trials = 0, seed = 0;
  int blocks = 0;     ///< 0: not sampled in blocks
  bool best = false;  ///< some loadout uses its best weapon for each defender
  Provenance from;    ///< what all cells rest on
};

struct CompareOptions {
  FigureChoice by;
  AnswerOptions answer;  ///< of each duel; `threads` are those of the comparison. EngineChoice::Sample: in blocks.
};

/// Throws what answer() throws; LoadError for loadouts of several editions, and for a weapon that is not there.
Comparison compare(const Catalogue& catalogue, std::vector<Loadout> loadouts, std::vector<Opponent> opponents,
                   const CompareOptions& options);

}  // namespace salvo::study
