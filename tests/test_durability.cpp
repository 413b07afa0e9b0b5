// Durability against closed forms, against plans with several attacks, and against figures of an independent
// calculator (tests/data/durability.jsonl).
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "exact/durability.h"
#include "load/load.h"
#include "rules/compile.h"

using namespace salvo;

namespace {

const Catalogue& catalogue() {
  static const Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  return profiles;
}

Plan plan_of(Scenario scenario) {
  scenario.attacker_policy = scenario.defender_policy = "greedy";
  return compile(catalogue(), scenario).plan;
}

Plan shots(int n, const std::string& attack, const std::string& defend) {
  const std::vector<std::string> attacks(static_cast<std::size_t>(n), attack);
  return plan_of(scenario_from_specs(catalogue(), "second-edition", "2025", attacks, defend));
}

/// P(destroyed) after so many attacks of one plan.
double destroyed(const Plan& plan) {
  const Distribution d = exact::enumerate(plan, exact::solve(plan));
  return d.ships[static_cast<std::size_t>(plan.attacks[0].defender)].destroyed;
}

}  // namespace

TEST_CASE("durability: one die that hits half the time is a geometric number of shots", "[durability]") {
  const auto d = exact::durability(shots(1, "1", "0 hull=1"), {});
  CHECK(d.mean == Approx(2).epsilon(1e-14));
  REQUIRE(d.cdf.size() > 20);
  for (std::size_t n = 0; n < 20; ++n) CHECK(d.cdf[n] == Approx(1 - std::pow(0.5, n)).margin(1e-14));
  CHECK(d.beyond <= 1e-9);
  CHECK(d.quantile(0.5) == 1);
  CHECK(d.quantile(0.9) == 4);
}

TEST_CASE("durability: a ship that cannot be hit is never destroyed", "[durability]") {
  for (const int round : {0, 1, 3}) {
    exact::DurabilityOptions options;
    options.round = round;
    const auto d = exact::durability(shots(1, "0", "0 hull=1"), options);
    CHECK_FALSE(d.destructible);
    CHECK(std::isinf(d.mean));
    CHECK(d.beyond == 1);
  }
}

TEST_CASE("durability: rounds and tokens that are never refreshed agree with plans of several attacks",
          "[durability]") {
  const std::string attack = "3 focus lock", defend = "2 focus evade=2 hull=3 shields=1";
  exact::DurabilityOptions never;
  never.round = 0;
  const auto d = exact::durability(shots(1, attack, defend), never);
  for (int n = 1; n <= 5; ++n) CHECK(d.cdf[static_cast<std::size_t>(n)] == Approx(destroyed(shots(n, attack, defend))));
  exact::DurabilityOptions rounds;
  rounds.round = 5;
  const auto r = exact::durability(shots(1, attack, defend), rounds);
  for (std::size_t n = 0; n <= 5; ++n) CHECK(r.cdf[n] == Approx(d.cdf[n]).margin(1e-14));
  CHECK(r.cdf[8] < d.cdf[8]);  // the tokens came back once
  CHECK(r.mean > d.mean);
}

TEST_CASE("durability: shots that were played for other ships give the same figures", "[durability]") {
  for (const int round : {0, 1, 2}) {
    exact::DurabilityOptions options;
    options.round = round;
    exact::PlayedShots played;
    for (const char* defend : {"2 focus evade hull=3", "2 focus evade hull=1 shields=4", "2 focus evade hull=9",
                               "1 focus evade hull=3", "2 focus hull=3", "2 focus evade hull=3 size=large"}) {
      const Plan plan = shots(1, "3 focus lock", defend);
      const auto alone = exact::durability(plan, options), shared = exact::durability(plan, options, &played);
      CHECK(shared.cdf == alone.cdf);
      CHECK(shared.mean == alone.mean);
      CHECK(shared.mean_bound == alone.mean_bound);
    }
  }
}

TEST_CASE("durability: the mean is within its bound however early the sum is cut", "[durability]") {
  for (const int round : {0, 2}) {
    exact::DurabilityOptions options;
    options.round = round;
    const Plan plan = shots(1, "2 focus", "2 focus evade hull=4");
    const auto exactly = exact::durability(plan, options);
    CHECK(exactly.mean_bound < 1e-9);
    options.most_shots = 10;
    options.most_listed = 5;
    const auto cut = exact::durability(plan, options);
    CHECK(cut.mean <= exactly.mean);
    CHECK(cut.mean + cut.mean_bound >= exactly.mean);
    CHECK(cut.mean_bound > 1e-6);
  }
}

TEST_CASE("durability: agrees with an independent calculator", "[durability]") {
  std::ifstream file(SALVO_SOURCE_DIR "/tests/data/durability.jsonl");
  int cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    const auto json = nlohmann::json::parse(line);
    const nlohmann::json question = {{"defender", json["defender"]}, {"attacker", json["attacker"]}};
    const auto d = exact::durability(plan_of(parse_durability(question.dump(), "test.json")), {});
    INFO(line.substr(0, 200));
    CHECK(d.mean == Approx(json["expect"]["mean_shots"].get<double>()).epsilon(1e-9));
    const auto cdf = json["expect"]["cdf"].get<std::vector<double>>();
    for (std::size_t n = 0; n < std::min(cdf.size(), d.cdf.size()); ++n) CHECK(std::abs(d.cdf[n] - cdf[n]) <= 1e-9);
  }
  CHECK(cases == 26);
}
