// Scenarios with chances: unknowns as files and SPECs state them, and answers as weighted sums of those to the cases.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "salvo/advise.h"
#include "salvo/answer.h"
#include "salvo/load.h"
#include "salvo/report.h"
#include "support/catalogue.h"
#include "support/errors.h"

using namespace salvo;

namespace {

using tests::catalogue;

Scenario spec(const std::string& attack, const std::string& defend) {
  return scenario_from_specs(catalogue(), {attack}, defend);
}

}  // namespace

TEST_CASE("chances: a SPEC and a file state the same", "[answers][chances]") {
  const Scenario flags =
      spec("3 focus=50% lock=25% range=1:20%,2:80% obstructed=10%, bullseye=30%", "2 evade=0:40%,2:60%");
  const Scenario file = parse_scenario(R"(
    [ships.a1]
    attack = 3
    tokens = { focus = 0.5, lock = { d = 0.25 } }
    [ships.d]
    agility = 2
    tokens = { evade = { 0 = 0.4, 2 = 0.6 } }
    [[attacks]]
    by = "a1"
    on = "d"
    range = { 1 = 0.2, 2 = 0.8 }
    obstructed = 0.1
    facts = [{ bullseye = 0.3 }])",
                                       "x.toml");
  CHECK(flags.ships == file.ships);
  CHECK(flags.attacks == file.attacks);
  const std::vector<Unknown> tokens{{"focus", "", {{1, 0.5}, {0, 0.5}}}, {"lock", "d", {{1, 0.25}, {0, 0.75}}}};
  CHECK(flags.ships.at("a1").unknowns == tokens);
  CHECK(flags.ships.at("d").unknowns == std::vector<Unknown>{{"evade", "", {{0, 0.4}, {2, 0.6}}}});
}

TEST_CASE("chances: figures are weighted", "[answers][chances]") {
  const Report with = answer(catalogue(), spec("3 focus", "2 evade hull=3"));
  const Report without = answer(catalogue(), spec("3", "2 evade hull=3"));
  const Report mixed = answer(catalogue(), spec("3 focus=25%", "2 evade hull=3"));
  const auto check = [&](const auto& figure) {
    CHECK(figure(mixed).value == Approx(0.25 * figure(with).value + 0.75 * figure(without).value).margin(1e-14));
  };
  check([](const Report& r) { return r.estimates.value; });
  check([](const Report& r) { return r.ship("d").destroyed; });
  check([](const Report& r) { return r.ship("d").mean_hull; });
  check([](const Report& r) { return r.ship("d").at_least[1]; });
  check([](const Report& r) { return r.ship("d").tokens_left[0].second; });
  check([](const Report& r) { return r.estimates.attacks[0].hit_probability; });
  CHECK(mixed.cases == 2);
  CHECK(mixed.notes.front().find("a1 focus 1 (25%), 0 (75%)") != std::string::npos);
}

TEST_CASE("chances: a program's own probabilities are checked", "[answers][chances]") {
  Scenario scenario = spec("3", "2");
  scenario.attacks[0].unknowns = {{"range", "", {{1, 0.5}, {2, 0.4}}}};
  CHECK_THROWS_WITH(answer(catalogue(), scenario),
                    Catch::Contains("attacks[0].range") || Catch::Contains("sum to 0.9"));
  scenario.attacks[0].unknowns = {{"range", "", {{1, -0.5}, {2, 1.5}}}};
  CHECK_THROWS_WITH(answer(catalogue(), scenario), Catch::Contains("not a probability"));
  scenario.attacks[0].unknowns = {{"range", "", {}}};
  CHECK_THROWS_WITH(answer(catalogue(), scenario), Catch::Contains("sum to 0"));
}

TEST_CASE("chances: a question about one position refuses them", "[answers][chances]") {
  CHECK_THROWS_WITH(advise(catalogue(), spec("3 focus=50%", "2"), {}),
                    Catch::Contains("chances are not weighted here"));
}

TEST_CASE("chances: an interrupted sample covers all cases", "[answers][chances]") {
  AnswerOptions options;
  options.engine = EngineChoice::Sample;
  options.progress = [](std::uint64_t, std::uint64_t) { return false; };
  const Report report = answer(catalogue(), spec("3 focus=50%", "2"), options);
  REQUIRE(report.sample);
  CHECK(report.sample->interrupted);
  CHECK(report.estimates.trials > 0);
  double sum = 0;
  for (const Estimate& p : report.ship("d").pmf) sum += p.value;
  CHECK(sum == Approx(1).margin(1e-12));
}
