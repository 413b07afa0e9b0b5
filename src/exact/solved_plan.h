// A plan solved from one or several starts: the games of its attacks, chained. Policies look their choices up in it.
#pragma once

#include "exact/attack_game.h"
#include "game/distribution.h"
#include "game/policy.h"

namespace salvo::exact {

class SolvedPlan final : public game::Policy::Table {
 public:
  /// Solves the plan under its policies with the solver of the budget. Throws PlanTooLarge.
  SolvedPlan(const game::Plan& plan, Starts starts, const Budget& budget);

  /// The value of starts[start].
  const Value& value(std::size_t start) const { return values_[start]; }
  GameSize size() const;
  /// The joint distribution from a start under the choices of both roles. Does not set `value`. Tokens that nothing
  /// reads have the plan's initial number. Throws PlanTooLarge if the budget is exceeded.
  game::Distribution enumerate(const game::Plan& plan, std::size_t start) const { return flow(plan, plan, start); }
  /// The same for the first `attacks` attacks of the plan.
  game::Distribution enumerate(const game::Plan& plan, std::size_t start, std::size_t attacks) const {
    return flow(plan, game::first_attacks(plan, attacks), start);
  }
  void decide(const game::Plan& plan, std::size_t attack, const game::Resources& start, const game::Position& position,
              std::vector<game::Option>& options) const override {
    games_.attacks[attack]->decide(plan, start, position, options);
  }

 private:
  /// Propagates probability through the attacks of `played`, the first ones of the plan.
  game::Distribution flow(const game::Plan& plan, const game::Plan& played, std::size_t start) const;

  double most_sums_;  ///< see Forward
  Games games_;
  std::vector<Value> values_;  ///< by start
};

}  // namespace salvo::exact
