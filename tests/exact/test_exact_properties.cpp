// Invariants of every answer of the exact engine: probabilities sum to 1, the value follows
// from the distribution, sides can be exchanged, names do not matter, and no policy beats the best response.
#include <catch2/catch.hpp>
#include <cmath>

#include "exact/exact.h"
#include "support/closed_forms.h"
#include "support/differential.h"

using namespace salvo;

namespace {

using tests::mean;
constexpr double kTolerance = 1e-12;
constexpr int kScenarios = 100;

struct Answer {
  salvo::compile::CompiledScenario question;
  exact::Solution solution;
  salvo::game::Distribution distribution;
};

Answer answer(const literal::Scenario& scenario) {
  Answer out{compile::compile_scenario(differential::catalogue(), differential::to_salvo(scenario)), {}, {}};
  out.solution = exact::solve(out.question.plan);
  out.distribution = exact::enumerate(out.question.plan, out.solution);
  return out;
}

/// The objective's payoff to the other side for this ship's losses (docs/format.md: Objectives).
double loss(const game::Plan& plan, std::size_t s, const salvo::game::ShipDistribution& ship) {
  const salvo::game::ShipPlan& of = plan.ships[s];
  if (plan.objective == salvo::game::Objective::Damage) return mean(ship.damage);
  if (plan.objective == salvo::game::Objective::Kill) return ship.destroyed;
  const double removed = of.destructible ? of.hull + of.shields - mean(ship.hull) - mean(ship.shields) : 0.0;
  if (plan.objective == salvo::game::Objective::Health) return removed;
  double total = 0;
  for (const salvo::game::ShipPlan& other : plan.ships) total += other.mine == of.mine ? other.hull + other.shields : 0;
  return removed / total;
}

/// The hulls under objective damage are optional; a ship without one cannot lose it.
double value_of(const Answer& a) {
  double out = 0;
  for (std::size_t s = 0; s < a.distribution.ships.size(); ++s) {
    const double lost = loss(a.question.plan, s, a.distribution.ships[s]);
    out += a.question.plan.ships[s].mine ? -lost : lost;
  }
  return out;
}

bool is_one(double sum) { return std::abs(sum - 1) <= kTolerance; }

template <typename Check>
void for_random(std::uint32_t seed, Check check) {
  differential::Pick pick(seed);
  for (int i = 0; i < kScenarios; ++i) {
    const literal::Scenario scenario = differential::random_scenario(pick, differential::Size::Medium);
    INFO(differential::text_of(scenario));
    check(scenario);
  }
}

}  // namespace

TEST_CASE("probabilities sum to 1 and lie between 0 and 1", "[exact]") {
  for_random(51, [](const literal::Scenario& scenario) {
    const Answer a = answer(scenario);
    for (const salvo::game::ShipDistribution& ship : a.distribution.ships) {
      CHECK(is_one(ship.joint.sum()));
      CHECK(is_one(ship.damage.sum()));
      CHECK((ship.joint >= 0).all());
      CHECK((ship.hull.size() == 0 || is_one(ship.hull.sum())));
      CHECK((ship.shields.size() == 0 || is_one(ship.shields.sum())));
      CHECK((ship.hull.size() == 0 || std::abs(ship.hull(0) - ship.destroyed) <= kTolerance));
      CHECK((ship.tokens_left >= -kTolerance).all());
    }
    for (const salvo::game::AttackDistribution& attack : a.distribution.attacks) {
      CHECK(attack.happens <= 1 + kTolerance);
      CHECK(attack.hit_probability <= attack.happens + kTolerance);
      CHECK(attack.mean_hits + attack.mean_crits <= attack.attack_dice * attack.happens + kTolerance);
      CHECK(attack.attack_dice <= 6 + kTolerance);
      CHECK(attack.defense_dice <= 6 + kTolerance);
    }
  });
}

TEST_CASE("the value of the solution is the value of its distribution", "[exact]") {
  for_random(52, [](const literal::Scenario& scenario) {
    const Answer a = answer(scenario);
    CHECK(std::abs(a.solution.value - value_of(a)) <= kTolerance * std::max(1.0, std::abs(a.solution.value)));
    CHECK(a.distribution.value == a.solution.value);
  });
}

TEST_CASE("exchanged sides change the sign of the value and nothing else", "[exact]") {
  for_random(53, [](const literal::Scenario& scenario) {
    literal::Scenario exchanged = scenario;
    for (literal::Ship& ship : exchanged.ships) ship.side = ship.name < "c" ? -1 : 1;
    literal::Scenario stated = exchanged;
    for (literal::Ship& ship : stated.ships) ship.side = -ship.side;
    const Answer a = answer(stated);
    const Answer b = answer(exchanged);
    CHECK(std::abs(a.solution.value + b.solution.value) <= kTolerance * std::max(1.0, std::abs(a.solution.value)));
    for (std::size_t s = 0; s < a.distribution.ships.size(); ++s) {
      const Eigen::ArrayXXd& x = a.distribution.ships[s].joint;
      const Eigen::ArrayXXd& y = b.distribution.ships[s].joint;
      REQUIRE(x.rows() == y.rows());
      REQUIRE(x.cols() == y.cols());
      CHECK(((x - y).abs() <= kTolerance).all());
    }
  });
}

TEST_CASE("the names of ships, and therefore their order, do not matter",
          "[exact]") {  // docs/format.md: Keys of a ship
  const auto renamed = [](const std::string& name) { return std::string(1, static_cast<char>('z' - name[0] + 'a')); };
  for_random(54, [&](const literal::Scenario& scenario) {
    literal::Scenario other = scenario;
    for (literal::Ship& ship : other.ships) {
      ship.name = renamed(ship.name);
      for (std::string& lock : ship.locks) lock = renamed(lock);
    }
    for (literal::Attack& attack : other.attacks) attack.by = renamed(attack.by), attack.on = renamed(attack.on);
    const Answer a = answer(scenario);
    const Answer b = answer(other);
    CHECK(std::abs(a.solution.value - b.solution.value) <= kTolerance * std::max(1.0, std::abs(a.solution.value)));
    const std::size_t last = a.distribution.ships.size() - 1;
    for (std::size_t s = 0; s <= last; ++s)
      CHECK(std::abs(mean(a.distribution.ships[s].damage) - mean(b.distribution.ships[last - s].damage)) <= 1e-11);
  });
}

TEST_CASE("against any policy of the other, none is better than optimal", "[exact]") {  // docs/format.md: Policies
  // Where only one side attacks, the attacker's role is mine and the defender's theirs.
  differential::Pick pick(55);
  int tried = 0;
  while (tried < kScenarios / 2) {
    literal::Scenario scenario = differential::random_scenario(pick, differential::Size::Medium);
    bool one_sided = true;
    for (const literal::Attack& attack : scenario.attacks) one_sided = one_sided && attack.by < attack.on;
    if (!one_sided) continue;
    ++tried;
    for (literal::Ship& ship : scenario.ships) ship.side = ship.name < "c" ? 1 : -1;
    const auto value = [&](const std::string& attacker, const std::string& defender) {
      scenario.attacker_policy = attacker;
      scenario.defender_policy = defender;
      return exact::solve(compile::compile_scenario(differential::catalogue(), differential::to_salvo(scenario)).plan)
          .value;
    };
    INFO(differential::text_of(scenario));
    for (const std::string other : {"optimal", "greedy", "hold"}) {
      for (const std::string worse : {"greedy", "hold"}) {
        CHECK(value("optimal", other) >= value(worse, other) - 1e-10);
        CHECK(value(other, "optimal") <= value(other, worse) + 1e-10);
      }
    }
  }
}

TEST_CASE("a plan beyond the budget is too large, in graph and tables", "[exact]") {
  literal::Scenario scenario;
  scenario.ships = {{.name = "a", .attack = 6, .tokens = {{"focus", 1}}, .locks = {"d"}},
                    {.name = "d", .agility = 6, .tokens = {{"focus", 1}, {"evade", 2}}}};
  scenario.attacks = {{.by = "a", .on = "d"}, {.by = "a", .on = "d"}};
  const salvo::compile::CompiledScenario question =
      compile::compile_scenario(differential::catalogue(), differential::to_salvo(scenario));
  for (const bool tables : {false, true}) {
    try {
      static_cast<void>(
          exact::solve(question.plan, {.edges = 100, .solver = tables ? exact::Solver::Best : exact::Solver::Graph}));
      FAIL("solved");
    } catch (const PlanTooLarge& error) {
      CHECK(error.budget >= 100);
      CHECK(error.found >= error.budget);
    }
    CHECK(exact::solve(question.plan, {.solver = tables ? exact::Solver::Best : exact::Solver::Graph}).edges > 100);
  }
}
