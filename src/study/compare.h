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
  Scenario scenario;
  std::optional<int> cost;
};

struct Opponent {
  std::string id, name;
  ScenarioShip ship;
};

/// "mean", "hit", "destroyed", "at_least" (with `k`) or "per_point".
struct FigureChoice {
  std::string name = "mean";
  int k = 1;
  std::string text() const { return name == "at_least" ? "at_least:" + std::to_string(k) : name; }
};

struct CompareRow {
  Loadout loadout;
  std::vector<DuelResult> cells;  ///< by opponent
  std::vector<double> figures;    ///< the figure, by opponent
  double average = 0;             ///< of the figures
  double behind = 0;              ///< best average minus this one
  /// Sampled only. The loadouts are played with the same random numbers, in blocks; the standard error of `behind` is
  /// that of the mean of the blocks' differences (batch means), so what the loadouts have in common cancels out.
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
  int blocks = 0;  ///< 0: exact
};

struct CompareOptions {
  FigureChoice by;
  AnswerOptions answer;  ///< of each duel; `threads` are those of the comparison. EngineChoice::Sample: in blocks.
};

/// Throws what answer() throws.
Comparison compare(const Catalogue& catalogue, std::vector<Loadout> loadouts, std::vector<Opponent> opponents,
                   const CompareOptions& options);

}  // namespace salvo::study
