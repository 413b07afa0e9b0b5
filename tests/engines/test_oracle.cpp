// The exact engine against figures of an independent calculator (tests/data/attacks.jsonl): one or more attacks by
// different ships on one defender, second edition, objective damage, optimal play.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "exact/exact.h"
#include "load/load.h"
#include "support/cases.h"
#include "support/closed_forms.h"
#include "support/differential.h"

using namespace salvo;

namespace {

constexpr double kTolerance = 1e-12;

bool equal(double got, double want) { return std::abs(got - want) <= kTolerance * std::max(1.0, std::abs(want)); }

std::size_t index_of(const salvo::compile::Labels& labels, const std::string& ship) {
  for (std::size_t s = 0; s < labels.ships.size(); ++s) {
    if (labels.ships[s] == ship) return s;
  }
  FAIL("no ship " << ship);
  return 0;
}

/// `want`: [hits, crits, probability] of every possible outcome.
bool same_joint(const Eigen::ArrayXXd& got, const nlohmann::json& want) {
  Eigen::ArrayXXd left = got;
  for (const auto& cell : want) {
    const auto h = cell[0].get<Eigen::Index>();
    const auto c = cell[1].get<Eigen::Index>();
    const bool inside = h < got.rows() && c < got.cols();
    if (!equal(inside ? got(h, c) : 0.0, cell[2].get<double>())) return false;
    if (inside) left(h, c) = 0;
  }
  return (left.abs() <= kTolerance).all();
}

void check_case(const nlohmann::json& test) {
  const Scenario scenario = parse_scenario(test["scenario"].dump(), test["id"].get<std::string>());
  const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), scenario);
  const exact::Solution solution = exact::solve(question.plan);
  const salvo::game::Distribution got = exact::enumerate(question.plan, solution);
  const salvo::game::ShipDistribution& ship = got.ships[index_of(question.labels, "d")];
  const double mean = tests::mean(ship.damage);
  const nlohmann::json& want = test["expect"];
  CAPTURE(test.dump(), mean, solution.value);
  CHECK(equal(mean, want["mean"].get<double>()));
  CHECK(equal(solution.value, want["mean"].get<double>()));
  if (want.contains("joint")) CHECK(same_joint(ship.joint, want["joint"]));
}

}  // namespace

TEST_CASE("the figures of an independent calculator", "[exact][oracle]") {
  const std::vector<nlohmann::json> cases = tests::read_cases("attacks.jsonl");
  int joints = 0;
  for (const nlohmann::json& test : cases) {
    joints += test["expect"].contains("joint") ? 1 : 0;
    check_case(test);
  }
  CHECK(cases.size() == 92);
  CHECK(joints == 52);
}
