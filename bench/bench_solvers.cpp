// The solvers of the exact engine on the same plans: dense tables, segments, graph; token play and cards; one, three
// and eight attacks; solve and enumerate separately. docs/exact.md has the ratios.
#include <benchmark/benchmark.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"

namespace {

using namespace salvo;
using exact::Solver;

struct Case {
  const char* name;
  int dice;  ///< of every attacker, with a focus token
  bool lock, cards;
  const char* objective;
  ScenarioShip defender;
};

std::vector<Case> cases() {
  ScenarioShip focus, evade, everything, cards;
  focus.agility = evade.agility = 3;
  focus.tokens = {{"focus", 1}};
  evade.tokens = {{"focus", 1}, {"evade", 1}};
  cards = evade;
  cards.upgrades = {"elusive"};
  everything.agility = 6;
  everything.tokens = {{"focus", 1}, {"evade", 2}, {"calculate", 2}, {"force", 2}, {"reinforce", 1}};
  ScenarioShip hull = evade;
  hull.hull = 3;
  hull.shields = 2;
  return {{"3-focus", 3, false, false, "damage", focus},
          {"3-focus-lock", 3, true, false, "damage", evade},
          {"3-focus-lock-kill", 3, true, false, "kill", hull},
          {"6-everything", 6, true, false, "damage", everything},
          {"3-cards", 3, true, true, "damage", cards}};
}

game::Plan plan_of(const Case& c, int attacks) {
  static const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Scenario scenario;
  scenario.source = "bench";
  scenario.objective = c.objective;
  scenario.ships["d"] = c.defender;
  for (int i = 1; i <= attacks; ++i) {
    const std::string name = "a" + std::to_string(i);
    ScenarioShip& ship = scenario.ships[name];
    ship.attack = c.dice;
    ship.tokens = {{"focus", 1}};
    if (c.lock) ship.locks = {"d"};
    if (c.cards) ship.upgrades = {"predator"};
    ScenarioAttack attack;
    attack.by = name;
    attack.on = "d";
    scenario.attacks.push_back(attack);
  }
  return compile::compile_scenario(catalogue, scenario).plan;
}

/// Times one solver, after checking that its answer is that of the fastest.
void run(benchmark::State& state, const Case& c, int attacks, Solver solver, bool enumerate) {
  const game::Plan plan = plan_of(c, attacks);
  const exact::Budget budget{.edges = 5e6, .solver = solver};
  try {
    const exact::Solution solution = exact::solve(plan, budget);
    const double want = exact::solve(plan).value;
    if (std::abs(solution.value - want) > 1e-11 * std::max(1.0, std::abs(want)))
      throw std::runtime_error("the ways to solve do not agree");
    for (auto _ : state) {
      benchmark::DoNotOptimize(enumerate ? exact::enumerate(plan, solution).value : exact::solve(plan, budget).value);
    }
  } catch (const PlanTooLarge&) {
    state.SkipWithError("too large");
  } catch (const std::invalid_argument&) {
    state.SkipWithError("cannot be solved in this way");
  }
}

const bool registered = [] {
  const std::pair<const char*, Solver> ways[] = {
      {"tables", Solver::Tables}, {"segments", Solver::Segments}, {"graph", Solver::Graph}};
  for (const Case& c : cases()) {
    for (const int attacks : {1, 3, 8}) {
      for (const bool enumerate : {false, true}) {
        for (const auto& [name, solver] : ways) {
          const std::string title = std::string("solvers/") + c.name + "/" + std::to_string(attacks) +
                                    (enumerate ? "/enumerate/" : "/solve/") + name;
          const Solver way = solver;
          benchmark::RegisterBenchmark(title.c_str(), [c, attacks, way, enumerate](benchmark::State& state) {
            run(state, c, attacks, way, enumerate);
          })->Unit(benchmark::kMicrosecond);
        }
      }
    }
  }
  return true;
}();

}  // namespace
