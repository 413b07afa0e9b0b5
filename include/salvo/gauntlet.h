// Gauntlets: every squad against every other. Estimates the matrix of win chances, and the chances against a field.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "salvo/battle.h"
#include "salvo/engine.h"

namespace salvo {

inline constexpr std::size_t kMaxGauntletSides = 100;
inline constexpr std::uint64_t kDefaultGauntletBattles = 20'000;  ///< for each pair

struct GauntletQuestion {
  std::vector<BattleSide> sides;
  std::vector<double> weights = {};  ///< relative frequency of each in the field; empty: all equal
  std::string flight = "joust", flight_text = {};
  int rounds = 12;
  BattlePolicy policy = kDefaultPolicy;  ///< of all sides
  std::string damage_deck = kNoDeck;     ///< as in a battle
};

/// The equilibrium of choosing a squad: probabilities that no opponent can exploit.
struct GauntletEquilibrium {
  std::vector<double> share;  ///< by side
};

/// Chances to win count a draw half.
struct GauntletReport : Provenance {
  std::vector<std::string> names;
  std::vector<std::vector<Estimate>> win;  ///< of the row against the column; 0.5 against itself
  std::vector<Estimate> field;             ///< by side the mean against the field, itself included
  std::vector<double> weights;             ///< of the field; the sum is 1
  std::optional<Engine> engine;            ///< of all pairs; empty: none was played
  std::string flight, flight_name, policy;
  std::string damage_deck;  ///< its id; empty: none
  int max_rounds = 0;
  std::uint64_t trials = 0, seed = 0;  ///< for each pair; 0 trials: exact
  bool interrupted = false;            ///< then missing pairs are NaN
  std::vector<std::string> assumptions;
  std::optional<GauntletEquilibrium> equilibrium;  ///< where requested and solved
};

/// Solves the matrix game of win chances for the player who chooses rows: the probability of each row. Nothing where no
/// solver is available. The library has none; the program uses GLPK.
using EquilibriumSolver =
    std::function<std::optional<std::vector<double>>(const std::vector<std::vector<double>>& win)>;

/// Adds the equilibrium, or a note that it is left out, unless the report was interrupted. `solve` may be empty.
void add_equilibrium(GauntletReport& report, const EquilibriumSolver& solve);

/// With a flight that distinguishes the sides, each pair plays half of its battles each way, so that the order of the
/// sides does not matter. The answer does not depend on the number of threads. `progress` counts pairs; it is also
/// called during their battles. Throws ScenarioError, LoadError, PlanTooLarge.
GauntletReport gauntlet(const Catalogue& catalogue, const GauntletQuestion& question,
                        const BattleOptions& options = {});

std::string to_json(const GauntletReport& report);
std::string to_csv(const GauntletReport& report);
std::string to_table(const GauntletReport& report, int width = 80, bool colour = false);

}  // namespace salvo
