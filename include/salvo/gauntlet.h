// Gauntlet: squads, each against each. In: sides of battles, a flight. Out: win chances as a matrix, and against a
// field.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "salvo/battle.h"

namespace salvo {

inline constexpr std::size_t kMaxGauntletSides = 100;
inline constexpr std::uint64_t kDefaultGauntletBattles = 20'000;  ///< of a pair

struct GauntletQuestion {
  std::vector<BattleSide> sides;
  std::vector<double> weights = {};  ///< how often each is met in the field; empty: all alike
  std::string flight = "joust", flight_text = {};
  int rounds = 12;
  BattlePolicy policy = BattlePolicy::Greedy;  ///< of everybody
  std::string damage_deck = "none";            ///< as in a battle
};

/// How often to bring each, so that nobody gains by knowing it.
struct GauntletMix {
  std::vector<double> share;  ///< by side
};

/// Chances to win are those with a draw counted half.
struct GauntletReport : Provenance {
  std::vector<std::string> names;
  std::vector<std::vector<Estimate>> win;  ///< of the first against the second; 0.5 against itself
  std::vector<Estimate> field;             ///< by side its mean against the field, itself included
  std::vector<double> weights;             ///< of the field; their sum is 1
  std::string engine;                      ///< "exact", "sample", or "mixed"
  std::string flight, flight_name, policy;
  std::string damage_deck;  ///< its id; empty: none
  int most_rounds = 0;
  std::uint64_t trials = 0, seed = 0;  ///< of each pair; 0 trials: exact
  bool interrupted = false;            ///< then pairs that are missing are not a number
  std::vector<std::string> assumptions;
  std::optional<GauntletMix> mix;  ///< where it was asked for and can be solved
};

/// Solves the game of a matrix of win chances for the one who chooses rows: how often to choose each. Nothing where
/// nobody can. The library has none of its own; the program has GLPK's.
using Equilibrium = std::function<std::optional<std::vector<double>>(const std::vector<std::vector<double>>& win)>;

/// Adds the mix to a report that was not interrupted, or a note that it is left out. `solve` may be empty.
void add_mix(GauntletReport& report, const Equilibrium& solve);

/// Each pair fights so that it makes no difference who is called mine: with a flight that tells the sides apart, half
/// of the battles each way. Pairs are shared among the threads; the answer does not depend on them. Squads that share
/// ships share what their attacks do. `progress` counts pairs; it is asked during their battles, too. Throws
/// ScenarioError, LoadError, PlanTooLarge.
GauntletReport gauntlet(const Catalogue& catalogue, const GauntletQuestion& question,
                        const BattleOptions& options = {});

std::string to_json(const GauntletReport& report);
std::string to_csv(const GauntletReport& report);
std::string to_table(const GauntletReport& report, int width = 80, bool colour = false);

}  // namespace salvo
