// Path: the ways through an attack that fit what was told, with their probabilities.
// In: a solved attack, and what was told. Out: states (a node, and what of the told is still to come) with flows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "decide/observation.h"
#include "exact/graph/subgame.h"

namespace salvo::review {

/// What of the told has not happened yet: bits of dice and words, by role (0 defender, 1 attacker).
struct Left {
  std::uint16_t rerolls[2] = {0, 0};
  std::uint16_t spent[2] = {0, 0};
  std::uint16_t rolling = 0;  ///< rerolls of which the dice are in the air
  bool roll[2] = {false, false};
  auto operator<=>(const Left&) const = default;
  bool nothing() const {
    return rerolls[0] == 0 && rerolls[1] == 0 && spent[0] == 0 && spent[1] == 0 && rolling == 0 && !roll[0] && !roll[1];
  }
};

/// A way on from a state.
struct Move {
  int state = 0;
  double probability = 1;  ///< of the dice; 1 for a decision
};

/// A node that play reaches, with what is left of the told.
struct State {
  int node = 0;
  Left left;
  double likelihood = 0;                 ///< probability that from here on it goes as told
  std::vector<Move> moves;         ///< all that fit; of a decision the one that is taken for it
  std::vector<game::Option> play;  ///< a decision: what was done
  bool told = true;                ///< of the dice or the decision here: which
};

/// How a role is taken to have played of which nobody said what it spent.
enum class UnreportedPlay {
  Best,    ///< as it should
  Consistent  ///< the best that fits what was told, everywhere
};

/// Where several plays fit what a role is said to have spent, it is the best of them.
class PlayPosterior {
 public:
  /// `damage`: of the end; empty: not told. The arguments must outlive it.
  PlayPosterior(const exact::Subgame& game, const compile::CompiledScenario& question, const decide::ObservedByRole& told,
       std::optional<int> damage, UnreportedPlay silent);

  /// Probability of what was told; 0 where it cannot be.
  double likelihood() const { return states_.back().likelihood; }
  /// The states that fit with their probabilities given what was told, in the order of play.
  struct Reached {
    const State* state = nullptr;
    double probability = 0;
  };
  std::vector<Reached> reached() const;
  const State& state(int s) const { return states_[static_cast<std::size_t>(s)]; }

 private:
  struct Play {
    int node = 0;
    Left left;
    std::vector<game::Option> options;
  };

  int visit(int node, const Left& left);
  void end(State& state) const;
  void chance(State& state);
  void roll(State& state, int role);
  void reroll(State& state);
  void decide(State& state);
  void any(State& state);
  void add(State& state, int edge, double probability, const Left& left);
  bool is_better(int node, int a, int b) const;

  std::vector<Play> observed_plays(int node, const Left& left, int role) const;
  void extend_play(const game::Position& position, int step, const Left& left, int role, std::vector<game::Option>& options,
               std::vector<Play>& out) const;
  void pick_up(const game::Position& taken, game::Pool dice, const Left& left, std::vector<game::Option>& options,
               std::vector<Play>& out) const;
  void finish(const game::Position& after, const Left& left, const std::vector<game::Option>& options,
              std::vector<Play>& out) const;
  std::vector<Play> unreported_plays(int node, const Left& left, int role) const;
  std::optional<int> node_of(game::Position position) const;

  const exact::Subgame& game_;
  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  const std::vector<std::string>& names_;  ///< of effects
  const decide::ObservedByRole& told_;
  std::optional<int> damage_;
  UnreportedPlay unreported_;
  std::vector<State> states_;  ///< those after a state stand before it
  std::map<std::pair<int, Left>, int> known_;
};

/// Damage that the defender suffered in an attack that ended so.
int damage_of(const game::Position& end);

}  // namespace salvo::review
