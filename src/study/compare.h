// Compares loadouts against defenders by one figure. In: loadouts and defenders as ships of scenarios. Out: a table of
// figures, and differences from the best.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/duel.h"

namespace salvo::study {

/// A loadout: a ship with its tokens and its attack, as a scenario in which it is "attacker".
struct Loadout {
  std::string name;                ///< as the user wrote it
  std::vector<std::string> words;  ///< its parts, which distinguish loadouts
  std::string label;               ///< the words that not all loadouts share
  Scenario scenario;  ///< its weapon may be kBestWeapon: the one with the best figure against each defender
  std::optional<int> cost;
  std::vector<std::string> notes;  ///< what reading it assumed or left out
};

struct Opponent {
  std::string id, name;
  ScenarioShip ship;
  std::vector<std::string> notes = {};  ///< on how its SPEC was read
};

/// "mean", "hit", "destroyed", "at_least" (which needs a number) and "per_point".
const std::vector<std::string>& figure_names();

/// One of these names, with the number `k` of "at_least".
struct FigureChoice {
  std::string name = "mean";
  int k = 1;
  std::string text() const { return name == "at_least" ? "at_least:" + std::to_string(k) : name; }
};

struct CompareRow {
  Loadout loadout;
  std::vector<DuelResult> cells;     ///< by opponent
  std::vector<std::string> weapons;  ///< the weapon it used, by opponent: "primary:front", or the id of an upgrade
  std::vector<Estimate> estimates;   ///< the figure, by opponent
  Provenance from;                   ///< of its cells
  double average = 0;                ///< of `estimates`
  double behind = 0;                 ///< best average minus this one
  /// If anything was sampled. With EngineChoice::Sample, all loadouts use the same random numbers, in blocks. The
  /// standard error of `behind` is that of the mean difference of the blocks (batch means), so what the loadouts have
  /// in common cancels out. If only some cells exceeded the exact engine, the errors are those of independent samples.
  std::optional<double> average_se, behind_se;
};

struct Comparison {
  std::string rules, cards;
  std::string cards_date;  ///< date of the card set's data; empty: no set is named, or the profiles do not say
  FigureChoice by;
  std::vector<std::string> common;  ///< words that all loadouts share
  std::vector<Opponent> opponents;
  std::vector<CompareRow> rows;  ///< best first
  std::uint64_t trials = 0, seed = 0;
  int blocks = 0;     ///< 0: not sampled in blocks
  bool best = false;  ///< some loadout uses its best weapon for each defender
  Provenance from;    ///< of all cells
};

struct CompareOptions {
  FigureChoice by;
  AnswerOptions answer;  ///< of each duel; `threads` are those of the comparison. EngineChoice::Sample: in blocks.
};

/// Throws what answer() throws, and LoadError for loadouts of different editions or a missing weapon.
Comparison compare(const Catalogue& catalogue, std::vector<Loadout> loadouts, std::vector<Opponent> opponents,
                   const CompareOptions& options);

}  // namespace salvo::study
