// The posterior of an attack's play, given what the players reported.
// In: a solved attack and the observations. Out: the states that play may have passed, with their probabilities.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/index.h"
#include "decide/observation.h"
#include "exact/graph/subgame.h"

namespace salvo::review {

/// A transition to a later state.
struct Move {
  int state = 0;
  double probability = 1;  ///< of the dice; 1 for a decision
};

/// A node that play reaches, with the observations still ahead of it.
struct State {
  int node = 0;
  decide::Remaining remaining;
  double likelihood = 0;           ///< probability of all remaining observations from here on
  std::vector<Move> moves;         ///< that agree with the observations; of a decision the assumed play alone
  std::vector<game::Option> play;  ///< a decision: the assumed play
  bool observed = true;            ///< the outcome of the dice, or the play, was reported
};

/// How to model a role whose spending was not reported.
enum class UnreportedPlay {
  Best,       ///< it plays the best option
  Consistent  ///< it plays the best option that agrees with the observations
};

/// Where several plays agree with what a role reported as spent, the best of them is assumed.
///
/// Dice and decisions share one class because they share one recursion: the likelihood of a state is that of the states
/// after it, and a decision picks its play by whether the dice after it agree with the reports. What needs no
/// recursion, matching words and rerolls, is in decide/observation.h.
class PlayPosterior {
 public:
  /// `damage`: of the attack; empty: not reported. The arguments must outlive it.
  PlayPosterior(const exact::Subgame& game, const compile::CompiledScenario& compiled,
                const decide::ObservedByRole& observed, std::optional<int> damage, UnreportedPlay unreported);

  /// Probability of the observations; 0 if they contradict each other or the rules.
  double likelihood() const { return states_.back().likelihood; }
  struct Reached {
    const State* state = nullptr;
    double probability = 0;
  };
  /// The states with their probabilities given the observations, in the order of play.
  std::vector<Reached> reached() const;
  const State& state(int s) const { return base::nth(states_, s); }

 private:
  using Remaining = decide::Remaining;
  struct Play {
    int node = 0;
    Remaining remaining;
    std::vector<game::Option> options;
  };
  using Plays = std::vector<Play>;
  using Options = std::vector<game::Option>;

  const decide::Observed& of_role(int role) const { return base::nth(observed_, role); }
  int visit(int node, const Remaining& remaining);
  void end(State& state) const;
  void chance(State& state);
  void roll(State& state, int role);
  void reroll(State& state);
  void any_outcome(State& state);
  void add(State& state, int edge, double probability, const Remaining& remaining);
  void decide(State& state);
  bool is_better(int node, int a, int b) const;

  Plays reported_plays(int node, const Remaining& remaining, int role) const;
  Plays unreported_plays(int node, const Remaining& remaining, int role) const;
  void extend(const game::Position& position, int step, const Remaining& remaining, int role, Options& options,
              Plays& out) const;
  void pick_up(const game::Position& taken, game::Pool dice, const Remaining& remaining, const Options& options,
               Plays& out) const;
  void finish(const game::Position& after, const Remaining& remaining, const Options& options, Plays& out) const;
  std::optional<int> node_of(game::Position position) const;

  const exact::Subgame& game_;
  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  const std::vector<std::string>& names_;  ///< of effects
  const decide::ObservedByRole& observed_;
  std::optional<int> damage_;
  UnreportedPlay unreported_;
  std::vector<State> states_;  ///< each after the states that it leads to
  std::map<std::pair<int, Remaining>, int> known_;
};

/// Damage that the defender suffered in an attack with this end.
int damage_of(const game::Position& end);

}  // namespace salvo::review
