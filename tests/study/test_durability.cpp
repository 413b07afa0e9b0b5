// Compares durability with closed forms, with plans of several attacks, and with results of an independent
// calculator (tests/data/durability.jsonl).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compile/compile.h"
#include "exact/durability.h"
#include "load/load.h"
#include "report/durability.h"
#include "study/durability.h"
#include "support/cases.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;

game::Plan plan_of(Scenario scenario) {
  scenario.attacker_policy = scenario.defender_policy = "greedy";
  return compile::compile_scenario(catalogue(), scenario).plan;
}

game::Plan shots(int n, const std::string& attack, const std::string& defend) {
  const std::vector<std::string> attacks(static_cast<std::size_t>(n), attack);
  return plan_of(scenario_from_specs(catalogue(), "second-edition", "2025", attacks, defend));
}

/// P(destroyed) after all attacks of a plan.
double destroyed(const game::Plan& plan) {
  const salvo::game::Distribution d = exact::enumerate(plan, exact::solve(plan));
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
  CHECK(r.cdf[8] < d.cdf[8]);  // the tokens returned once
  CHECK(r.mean > d.mean);
}

TEST_CASE("durability: cached shots of other ships give the same figures", "[durability]") {
  for (const int round : {0, 1, 2}) {
    exact::DurabilityOptions options;
    options.round = round;
    exact::ShotCache played;
    for (const char* defend : {"2 focus evade hull=3", "2 focus evade hull=1 shields=4", "2 focus evade hull=9",
                               "1 focus evade hull=3", "2 focus hull=3", "2 focus evade hull=3 size=large"}) {
      const game::Plan plan = shots(1, "3 focus lock", defend);
      const auto alone = exact::durability(plan, options), shared = exact::durability(plan, options, &played);
      CHECK(shared.cdf == alone.cdf);
      CHECK(shared.mean == alone.mean);
      CHECK(shared.mean_bound == alone.mean_bound);
    }
  }
}

TEST_CASE("durability: the mean is within its bound wherever the sum is truncated", "[durability]") {
  for (const int round : {0, 2}) {
    exact::DurabilityOptions options;
    options.round = round;
    const game::Plan plan = shots(1, "2 focus", "2 focus evade hull=4");
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

namespace {

game::Plan force_user(int force, int hull) { return shots(1, "2", fmt::format("2 force={} hull={}", force, hull)); }

/// Two attack dice against two defense dice, `force` of whose focus results can be changed: pmf of damage and of the
/// remaining Force, counted over all 8^4 rolls. Force is spent only while there are hits to cancel.
void count_rolls(int force, std::array<std::array<double, 3>, 3>& left_by_damage) {
  for (auto& row : left_by_damage) row.fill(0);
  constexpr int kHits = 4, kEvades = 3, kFocuses = 2;  // sides of 8
  for (int a = 0; a < 64; ++a) {
    const int hits = (a % 8 < kHits) + (a / 8 < kHits);
    for (int d = 0; d < 64; ++d) {
      int evades = 0, focuses = 0;
      for (const int die : {d % 8, d / 8}) {
        evades += die < kEvades;
        focuses += die >= kEvades && die < kEvades + kFocuses;
      }
      const int spent = std::min({force, focuses, std::max(0, hits - evades)});
      left_by_damage[static_cast<std::size_t>(std::max(0, hits - evades - spent))]
                    [static_cast<std::size_t>(force - spent)] += 1.0 / 4096;
    }
  }
}

}  // namespace

TEST_CASE("durability: between rounds one Force recovers, not all", "[durability]") {
  // A ship of one hull: P(alive after n rounds of one shot), by the chain of remaining Force, computed by hand.
  std::array<double, 3> alive{0, 0, 1};
  exact::DurabilityOptions options;
  options.round = 1;
  options.by_rules = true;
  const auto d = exact::durability(force_user(2, 1), options);
  REQUIRE(d.cdf.size() > 8);
  for (std::size_t n = 1; n <= 8; ++n) {
    std::array<double, 3> next{};
    for (int force = 0; force <= 2; ++force) {
      std::array<std::array<double, 3>, 3> rolls;
      count_rolls(force, rolls);
      for (int left = 0; left <= 2; ++left) {
        const double p = alive[static_cast<std::size_t>(force)] * rolls[0][static_cast<std::size_t>(left)];
        next[static_cast<std::size_t>(std::min(2, left + 1))] += p;
      }
    }
    alive = next;
    CHECK(1 - d.cdf[n] == Approx(alive[0] + alive[1] + alive[2]).margin(1e-13));
  }
  const auto all_back = exact::durability(force_user(2, 1), {});
  const auto never = [&] {
    exact::DurabilityOptions o;
    o.round = 0;
    return exact::durability(force_user(2, 1), o);
  }();
  CHECK(d.mean < all_back.mean);
  CHECK(d.mean > never.mean);
  CHECK(d.mean_bound < 1e-9);
}

TEST_CASE("durability: charges recover by their symbols", "[durability]") {
  // Lone Wolf has one charge with a recurring symbol, Elusive one without.
  const auto mean = [](const std::string& card, bool by_rules, int round) {
    exact::DurabilityOptions options;
    options.round = round;
    options.by_rules = by_rules;
    return exact::durability(shots(1, "3", "2 hull=3 " + card), options).mean;
  };
  CHECK(mean("lonewolf", true, 2) == Approx(mean("lonewolf", false, 2)).epsilon(1e-12));
  CHECK(mean("elusive", true, 2) == Approx(mean("elusive", false, 0)).epsilon(1e-12));
  CHECK(mean("elusive", true, 2) < mean("elusive", false, 2));
  // For charges that recover in full, the rules make no difference.
  CHECK(exact::recovers_by_rules(shots(1, "3", "2 hull=3 elusive")));
  CHECK_FALSE(exact::recovers_by_rules(shots(1, "3", "2 hull=3 lonewolf")));
  CHECK(exact::has_charges(shots(1, "3", "2 hull=3 lonewolf")));
  CHECK(exact::recovers_by_rules(shots(1, "3", "ship=cr90corelliancorvette")));
}

TEST_CASE("durability: huge ships recover shields between rounds, hull never", "[durability]") {
  // Two dice, each hitting half the time, against a ship without agility that recovers one of five shields a round.
  // P(alive after n rounds), by the chain of hull and shields, computed by hand.
  const std::array<double, 3> damage{0.25, 0.5, 0.25};
  constexpr int kHull = 2, kMost = 5;
  std::array<std::array<double, kMost + 1>, kHull + 1> now{};
  now[kHull][1] = 1;
  const Scenario given =
      scenario_from_specs(catalogue(), "second-edition", "2025", {"2"}, "ship=gozanticlasscruiser hull=2 shields=1");
  Scenario greedy = given;
  greedy.attacker_policy = greedy.defender_policy = "greedy";
  const game::Plan plan = compile::compile_scenario(catalogue(), greedy, salvo::compile::Lifetime::Rounds).plan;
  exact::DurabilityOptions options;
  options.by_rules = true;
  const auto d = exact::durability(plan, options);
  REQUIRE(d.cdf.size() > 12);
  for (std::size_t n = 1; n <= 12; ++n) {
    std::array<std::array<double, kMost + 1>, kHull + 1> next{};
    double alive = 0;
    for (std::size_t hull = 1; hull <= kHull; ++hull) {
      for (std::size_t shields = 0; shields <= kMost; ++shields) {
        for (std::size_t hits = 0; hits <= 2; ++hits) {
          const std::size_t off_shields = std::min(shields, hits), off_hull = std::min(hull, hits - off_shields);
          const double p = now[hull][shields] * damage[hits];
          if (off_hull == hull) continue;
          alive += p;
          next[hull - off_hull][std::min<std::size_t>(kMost, shields - off_shields + 1)] += p;
        }
      }
    }
    now = next;
    CHECK(1 - d.cdf[n] == Approx(alive).margin(1e-13));
  }
  // Cached shots of another ship give the same; without recovery the ship is destroyed sooner.
  exact::ShotCache played;
  exact::durability(compile::compile_scenario(catalogue(), greedy).plan, options, &played);
  CHECK(exact::durability(plan, options, &played).cdf == d.cdf);
  CHECK(exact::durability(plan, {}).mean < d.mean);
  CHECK(d.mean_bound < 1e-9);
}

TEST_CASE("durability: cards that read shields see those that a huge ship recovered", "[durability]") {
  // Under the objective health the shields and the hull of the ship are part of a position; the results are the same.
  Scenario scenario = scenario_from_specs(catalogue(), "second-edition", "2025", {"3 focus"},
                                          "ship=gozanticlasscruiser hull=3 shields=2");
  scenario.attacker_policy = scenario.defender_policy = "greedy";
  exact::DurabilityOptions options;
  options.by_rules = true;
  const auto plain = exact::durability(
      compile::compile_scenario(catalogue(), scenario, salvo::compile::Lifetime::Rounds).plan, options);
  scenario.objective = "kill";
  const game::Plan read = compile::compile_scenario(catalogue(), scenario, salvo::compile::Lifetime::Rounds).plan;
  CHECK(read.ships[static_cast<std::size_t>(read.attacks[0].defender)].hull_left >= 0);
  const auto counted = exact::durability(read, options);
  REQUIRE(counted.cdf.size() == plain.cdf.size());
  for (std::size_t n = 0; n < plain.cdf.size(); ++n) CHECK(counted.cdf[n] == Approx(plain.cdf[n]).margin(1e-12));
}

TEST_CASE("durability: energy recovers by the symbols of the ship", "[durability]") {
  // Adaptive Shields give a friend an evade token for two energy; this test only reads the energy in the plan.
  const game::Plan plan =
      compile::compile_scenario(
          catalogue(), scenario_from_specs(catalogue(), "second-edition", "2025", {"3"}, "ship=cr90corelliancorvette"))
          .plan;
  const auto energy = std::find_if(plan.resources.begin(), plan.resources.end(), [](const salvo::game::Resource& r) {
    return r.kind == salvo::game::Resource::Kind::Token && r.charge && r.max == 7;
  });
  REQUIRE(energy != plan.resources.end());
  CHECK(energy->end.recover == 2);
}

TEST_CASE("durability: several attackers shoot in turn, and their rounds agree with plans of them", "[durability]") {
  const std::vector<std::string> attackers{"3 focus", "2 lock"};
  const std::string defend = "2 focus hull=6 shields=1";
  const auto plan = [&](int rounds) {
    std::vector<std::string> specs;
    for (int r = 0; r < rounds; ++r) specs.insert(specs.end(), attackers.begin(), attackers.end());
    return plan_of(scenario_from_specs(catalogue(), "second-edition", "2025", specs, defend));
  };
  exact::DurabilityOptions never;
  never.round = 0;
  never.shots = {0, 1};
  const auto d = exact::durability(plan(1), never);
  for (int n = 1; n <= 3; ++n) CHECK(d.cdf[static_cast<std::size_t>(2 * n)] == Approx(destroyed(plan(n))));
  CHECK(d.cdf[1] == Approx(destroyed(shots(1, "3 focus", defend))));
  // If tokens return after each round: the damage of one round, and of two.
  exact::DurabilityOptions rounds = never;
  rounds.round = 2;
  rounds.by_rules = true;
  const auto r = exact::durability(plan(1), rounds);
  const game::Plan one = plan(1);
  const salvo::game::Distribution damage = exact::enumerate(one, exact::solve(one));
  const Eigen::ArrayXd& pmf = damage.ships[static_cast<std::size_t>(one.attacks[0].defender)].damage;
  double alive = 0;
  for (Eigen::Index a = 0; a < pmf.size(); ++a) {
    for (Eigen::Index b = 0; b < pmf.size(); ++b) alive += a + b < 7 ? pmf(a) * pmf(b) : 0.0;
  }
  CHECK(1 - r.cdf[4] == Approx(alive).margin(1e-12));
  const auto counted = exact::in_rounds(r, rounds);
  CHECK(counted.cdf[2] == r.cdf[4]);
  double sum = 0;  // E[N] = sum of P(N > n)
  for (const double p : counted.cdf) sum += 1 - p;
  CHECK(counted.mean == Approx(sum).epsilon(1e-8));
  CHECK(counted.quantile(0.5) == (r.quantile(0.5) + 1) / 2);
}

TEST_CASE("durability: agrees with an independent calculator", "[durability]") {
  const std::vector<nlohmann::json> cases = tests::read_cases("durability.jsonl");
  for (const nlohmann::json& json : cases) {
    const nlohmann::json question = {{"defender", json["defender"]}, {"attacker", json["attacker"]}};
    const auto d = exact::durability(plan_of(load::parse_durability(question.dump(), "test.json")), {});
    INFO(question.dump().substr(0, 200));
    CHECK(d.mean == Approx(json["expect"]["mean_shots"].get<double>()).epsilon(1e-9));
    const auto cdf = json["expect"]["cdf"].get<std::vector<double>>();
    for (std::size_t n = 0; n < std::min(cdf.size(), d.cdf.size()); ++n) CHECK(std::abs(d.cdf[n] - cdf[n]) <= 1e-9);
  }
  CHECK(cases.size() == 26);
}

TEST_CASE("the table of durability separates the mean from the probabilities", "[durability]") {
  const Scenario scenario = scenario_from_specs(tests::catalogue(), {"3 focus"}, "2 hull=3");
  const std::string table = report::to_table(study::durability(tests::catalogue(), scenario, {}), 80, false);
  const std::size_t mean = table.find("mean shots");
  REQUIRE(mean != std::string::npos);
  CHECK(table.find("\n\ndestroyed\n", mean) != std::string::npos);
}
