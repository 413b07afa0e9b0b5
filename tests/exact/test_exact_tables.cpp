// Compares dense tables, which omit plays that cannot be better, with the complete game graph, on scenarios too large
// for the literal reference.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "exact/exact.h"
#include "exact/forward.h"
#include "exact/tables/token_plan.h"
#include "support/differential.h"

using namespace salvo;

namespace {

constexpr double kTolerance = 1e-12;

bool near(double a, double b) { return std::abs(a - b) <= kTolerance * std::max(1.0, std::abs(b)); }

/// Whether the arrays agree; entries beyond the smaller one must be 0.
bool near(const Eigen::ArrayXXd& a, const Eigen::ArrayXXd& b) {
  for (Eigen::Index h = 0; h < std::max(a.rows(), b.rows()); ++h) {
    for (Eigen::Index c = 0; c < std::max(a.cols(), b.cols()); ++c) {
      const auto at = [&](const Eigen::ArrayXXd& x) { return h < x.rows() && c < x.cols() ? x(h, c) : 0.0; };
      if (!near(at(a), at(b))) return false;
    }
  }
  return true;
}

bool same_ships(const salvo::game::Distribution& a, const salvo::game::Distribution& b) {
  for (std::size_t s = 0; s < a.ships.size(); ++s) {
    if (!near(a.ships[s].joint, b.ships[s].joint) || !near(a.ships[s].destroyed, b.ships[s].destroyed)) return false;
    if (!near(Eigen::ArrayXXd(a.ships[s].tokens_left), Eigen::ArrayXXd(b.ships[s].tokens_left))) return false;
  }
  return true;
}

void compare(std::uint32_t seed, int number, differential::Size size, int most_undecided) {
  differential::Pick pick(seed);
  int undecided = 0, dense = 0;
  for (int i = 0; i < number; ++i) {
    const literal::Scenario scenario = differential::random_scenario(pick, size);
    const salvo::compile::CompiledScenario question =
        compile::compile_scenario(differential::catalogue(), differential::to_salvo(scenario));
    if (exact::token_plan(question.plan)) ++dense;
    const exact::Solution tables = exact::solve(question.plan, {.edges = 1e8, .solver = exact::Solver::Best});
    const exact::Solution graph = exact::solve(question.plan, {.edges = 1e8, .solver = exact::Solver::Graph});
    INFO(differential::text_of(scenario));
    REQUIRE(near(tables.value, graph.value));
    REQUIRE(near(tables.second_value, graph.second_value));
    if (!same_ships(exact::enumerate(question.plan, tables), exact::enumerate(question.plan, graph))) ++undecided;
  }
  // See test_exact_literal.cpp: the tie rule does not choose between equal dice.
  CHECK(undecided <= most_undecided);
  CHECK(2 * dense > number);  // otherwise the graph would be compared with itself
}

/// Rolls n dice one by one: probability by successes and focus results.
std::vector<double> one_by_one(const exact::Faces& face, int dice) {
  const exact::DiceTable table{dice};
  std::vector<double> mass(table.cubes(), 0.0);
  mass[table.at(0, 0, 0)] = 1;
  exact::roll_missing(table, face, mass.data());
  return mass;
}

/// A scenario in which two ships attack a third, and one of them is attacked.
game::Plan crossfire() {
  Scenario scenario;
  scenario.source = "test";
  for (const char* name : {"a", "b", "d"}) {
    scenario.ships[name].attack = 4;
    scenario.ships[name].agility = 2;
    scenario.ships[name].tokens = {{"focus", 1}};
  }
  scenario.ships["d"].side = "theirs";
  for (const auto& [by, on] : {std::pair("a", "d"), std::pair("d", "a"), std::pair("b", "d")}) {
    ScenarioAttack attack;
    attack.by = by;
    attack.on = on;
    scenario.attacks.push_back(attack);
  }
  return compile::compile_scenario(differential::catalogue(), scenario).plan;
}

/// Adds the results of every attack, all at once or one by one.
std::vector<double> arrive(const game::Plan& plan, double most_sums, bool at_once) {
  constexpr int kDice = 4;
  exact::Forward forward(plan, most_sums);
  exact::Mass now = forward.first();
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    exact::Mass next = forward.states(1)[0];
    std::array<double, (kDice + 1) * (kDice + 1)> left{};
    for (int h = 0; h <= 3; ++h) {
      for (int c = 0; c <= std::min(2, kDice - h); ++c)
        left[static_cast<std::size_t>(h * (kDice + 1) + c)] = 1.0 / (3 + 7 * h + c + static_cast<int>(k));
    }
    if (at_once) {
      forward.move_results(k, now, kDice, left.data(), next);
    } else {
      for (int h = 0; h <= kDice; ++h) {
        for (int c = 0; c <= kDice - h; ++c) {
          const double p = left[static_cast<std::size_t>(h * (kDice + 1) + c)];
          if (p > 0) forward.move(k, now, p, h, c, next);
        }
      }
    }
    now = next;
  }
  std::vector<double> out{now.probability};
  for (const salvo::game::ShipDistribution& ship : forward.finish().ships) {
    out.push_back(static_cast<double>(ship.joint.rows()));
    out.insert(out.end(), ship.joint.data(), ship.joint.data() + ship.joint.size());
  }
  return out;
}

}  // namespace

TEST_CASE("rolls of three-faced dice equal rolls of one die after the other", "[exact][tables]") {
  const exact::Faces face{3.0 / 8, 2.0 / 8, 3.0 / 8};
  for (int dice = 0; dice <= 12; ++dice) {
    const std::vector<double> want = one_by_one(face, dice);
    const exact::Rolls rolls = exact::three_face_rolls(face, dice);
    REQUIRE(rolls.size() == static_cast<std::size_t>((dice + 1) * (dice + 2) / 2));
    for (std::size_t i = 0; i < rolls.size(); ++i) {
      const exact::ThreeFaceRoll& roll = rolls[i];
      CHECK(exact::roll_number(roll.success, roll.focus, dice) == static_cast<int>(i));
      const exact::DiceTable table{dice};
      CHECK(near(roll.probability, want[table.at(roll.success, roll.focus, roll.blank)]));
    }
  }
}

TEST_CASE("results added at once equal results added one by one, to the last bit", "[exact][tables]") {
  const game::Plan plan = crossfire();
  CHECK(arrive(plan, 1e6, true) == arrive(plan, 1e6, false));
  // Both throw the same exception at the limit.
  const auto found = [&](bool at_once) {
    try {
      arrive(plan, 100, at_once);
    } catch (const PlanTooLarge& error) {
      return error.found;
    }
    return 0.0;
  };
  CHECK(found(true) > 0);
  CHECK(found(true) == found(false));
}

TEST_CASE("dense tables agree with the game graph", "[exact][tables]") {
  compare(31, 400, differential::Size::Medium, 2);
  compare(32, 100, differential::Size::OneLargeAttack, 1);
}

TEST_CASE("dense tables agree with the game graph, at length", "[.long][exact][tables]") {
  compare(33, 20'000, differential::Size::Medium, 50);
  compare(34, 3'000, differential::Size::OneLargeAttack, 20);
}
