// SolvedPlan: a plan solved from one or several starts. What a Policy looks its options up in.
#pragma once

#include "exact/attack_game.h"
#include "game/distribution.h"
#include "game/policy.h"

namespace salvo::exact {

class SolvedPlan final : public game::Policy::Table {
 public:
  /// Solves the plan under its policies, in the best way that the budget allows and that fits. Throws PlanTooLarge.
  SolvedPlan(const game::Plan& plan, Starts starts, const Budget& budget);

  /// Value of a start, by its number.
  const Value& value(std::size_t start) const { return values_[start]; }
  GameSize size() const;
  /// The joint distribution from a start when both roles play their choices; its `value` is not set. Tokens that
  /// nothing reads have their initial number, as in the plan. Throws PlanTooLarge when that takes more than the budget.
  game::Distribution enumerate(const game::Plan& plan, std::size_t start) const { return flow(plan, plan, start); }
  /// The same of the first `attacks` of the plan alone.
  game::Distribution enumerate(const game::Plan& plan, std::size_t start, std::size_t attacks) const {
    return flow(plan, game::first_attacks(plan, attacks), start);
  }
  void decide(const game::Plan& plan, std::size_t attack, const game::Resources& start, const game::Position& position,
              std::vector<game::Option>& options) const override {
    games_.attacks[attack]->decide(plan, start, position, options);
  }

 private:
  /// Lets probability flow through the attacks of `played`, which are the first of the plan.
  game::Distribution flow(const game::Plan& plan, const game::Plan& played, std::size_t start) const;

  double most_sums_;  ///< of Forward
  Games games_;
  std::vector<Value> values_;  ///< by start
};

}  // namespace salvo::exact
