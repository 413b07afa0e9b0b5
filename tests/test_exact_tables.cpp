// The exact engine's two ways against each other, on scenarios too large for the literal reference: dense tables, which
// leave out plays that cannot be better, and the game graph, which leaves out nothing.
#include <catch2/catch.hpp>
#include <cmath>

#include "exact/exact.h"
#include "exact/token_plan.h"
#include "test_exact_twins.h"

using namespace salvo;

namespace {

constexpr double kTolerance = 1e-12;

bool near(double a, double b) { return std::abs(a - b) <= kTolerance * std::max(1.0, std::abs(b)); }

/// True where the arrays agree; what only one of them has must be 0.
bool near(const Eigen::ArrayXXd& a, const Eigen::ArrayXXd& b) {
  for (Eigen::Index h = 0; h < std::max(a.rows(), b.rows()); ++h) {
    for (Eigen::Index c = 0; c < std::max(a.cols(), b.cols()); ++c) {
      const auto at = [&](const Eigen::ArrayXXd& x) { return h < x.rows() && c < x.cols() ? x(h, c) : 0.0; };
      if (!near(at(a), at(b))) return false;
    }
  }
  return true;
}

bool same_ships(const Distribution& a, const Distribution& b) {
  for (std::size_t s = 0; s < a.ships.size(); ++s) {
    if (!near(a.ships[s].joint, b.ships[s].joint) || !near(a.ships[s].destroyed, b.ships[s].destroyed)) return false;
    if (!near(Eigen::ArrayXXd(a.ships[s].tokens_left), Eigen::ArrayXXd(b.ships[s].tokens_left))) return false;
  }
  return true;
}

void compare(std::uint32_t seed, int number, twins::Size size, int most_undecided) {
  twins::Pick pick(seed);
  int undecided = 0, dense = 0;
  for (int i = 0; i < number; ++i) {
    const literal::Scenario scenario = twins::random_scenario(pick, size);
    const Question question = compile(twins::catalogue(), twins::to_salvo(scenario));
    if (exact::token_plan(question.plan)) ++dense;
    const exact::Solution tables = exact::solve(question.plan, {.edges = 1e8, .solver = exact::Solver::Best});
    const exact::Solution graph = exact::solve(question.plan, {.edges = 1e8, .solver = exact::Solver::Graph});
    INFO(twins::text_of(scenario));
    REQUIRE(near(tables.value, graph.value));
    REQUIRE(near(tables.second_value, graph.second_value));
    if (!same_ships(exact::enumerate(question.plan, tables), exact::enumerate(question.plan, graph))) ++undecided;
  }
  // See test_exact_literal.cpp: the rule for ties does not decide between equal dice.
  CHECK(undecided <= most_undecided);
  CHECK(2 * dense > number);  // else the graph would be compared with itself
}

}  // namespace

TEST_CASE("dense tables answer as the game graph does", "[exact][tables]") {
  compare(31, 400, twins::Size::Medium, 2);
  compare(32, 100, twins::Size::OneLargeAttack, 1);
}

TEST_CASE("dense tables answer as the game graph does, at length", "[.long][exact][tables]") {
  compare(33, 20'000, twins::Size::Medium, 50);
  compare(34, 3'000, twins::Size::OneLargeAttack, 20);
}
