// Backward induction over the attacks of a plan: a finite zero-sum game of perfect information with chance nodes.
#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "base/index.h"
#include "base/work_limit.h"
#include "exact/exact.h"
#include "exact/solved_plan.h"

namespace salvo::exact {
namespace {

struct SolverEntry {
  Solver solver;
  std::optional<Games> (*games)(const game::Plan& plan, Starts starts, const Budget& budget);
};

/// Fastest first.
constexpr SolverEntry kSolvers[] = {
    {Solver::Tables, token_games}, {Solver::Segments, segment_games}, {Solver::Graph, graph_games}};

Games make_games(const game::Plan& plan, Starts starts, const Budget& budget) {
  for (const SolverEntry& entry : kSolvers) {
    if (budget.solver != Solver::Best && budget.solver != entry.solver) continue;
    if (auto out = entry.games(plan, starts, budget)) return std::move(*out);
  }
  throw std::invalid_argument("the plan cannot be solved in the way that was asked for");
}

}  // namespace

PlanTooLarge too_large(const game::Plan& plan, const Budget& budget, std::size_t k, std::size_t states) {
  return {fmt::format("the exact engine needs more than {:.3g} transitions (attack {} of {} begins in {} states); "
                      "raise the budget, shorten the scenario, or sample it",
                      budget.edges, k + 1, plan.attacks.size(), states),
          budget.edges, budget.edges, static_cast<int>(k)};
}

SolvedPlan::SolvedPlan(const game::Plan& plan, Starts starts, const Budget& budget) try
    : most_sums_(budget.edges * kSumsPerEdge), games_(make_games(plan, starts, budget)) {
  base::spend_work(static_cast<double>(size().edges));
  std::vector<Value> values(games_.last_states);
  for (std::size_t k = games_.attacks.size(); k-- > 0;) values = games_.attacks[k]->solve(plan, values);
  for (const int state : games_.starts) values_.push_back(base::nth(values, state));
} catch (const std::bad_alloc&) {
  throw NoMemory();
} catch (const std::length_error&) {  // a vector too long for 32-bit addresses
  throw NoMemory();
}

GameSize SolvedPlan::size() const {
  GameSize out;
  for (const auto& attack : games_.attacks) {
    const GameSize size = attack->size();
    out.states += size.states;
    out.edges += size.edges;
  }
  return out;
}

game::Distribution SolvedPlan::flow(const game::Plan& plan, const game::Plan& played, std::size_t start) const try {
  Forward forward(played, most_sums_);
  std::vector<Mass> now = forward.states(games_.first_states);
  base::nth(now, games_.starts[start]) = forward.first();
  for (std::size_t k = 0; k < played.attacks.size(); ++k) now = games_.attacks[k]->flow(plan, now, forward);
  return forward.finish();
} catch (const std::bad_alloc&) {
  throw NoMemory();
}

Solution solve(const game::Plan& plan, const Budget& budget) {
  auto solved = std::make_shared<const SolvedPlan>(plan, Starts(&plan.start, 1), budget);
  const GameSize size = solved->size();
  const Value value = solved->value(0);
  return {value.first, value.second, game::Policy(solved), size.states, size.edges, solved};
}

game::Distribution enumerate(const game::Plan& plan, const Solution& solution) {
  game::Distribution out = solution.solved->enumerate(plan, 0);
  out.value = solution.value;
  return out;
}

std::vector<game::Distribution> enumerate_rounds(const game::Plan& plan, const Solution& solution) {
  std::vector<game::Distribution> out;
  for (std::size_t round = 0; round + 1 < plan.round_ends.size(); ++round)
    out.push_back(solution.solved->enumerate(plan, 0, plan.round_ends[round]));
  return out;
}

}  // namespace salvo::exact
