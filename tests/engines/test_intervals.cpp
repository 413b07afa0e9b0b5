// The 95 % intervals of sampled answers contain the exact figure as often as they claim, for a number of trials and for
// a precision, and a cross-check raises no false alarm. Seeds are fixed, so each test has one outcome.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "salvo/salvo.h"

using namespace salvo;

namespace {

/// A question in SPECs.
struct Typed {
  std::vector<std::string> attacks;
  std::string defender;
  std::string objective = "damage";
};

const std::vector<Typed> kTen = {
    {{"3"}, "2"},
    {{"3 focus"}, "3 focus"},
    {{"2 lock"}, "3 evade"},
    {{"4 focus lock"}, "2 focus evade"},
    {{"3 focus", "3 focus"}, "3 focus evade"},
    {{"3 focus lock", "2"}, "2 focus hull=5"},
    {{"3 focus", "2 focus"}, "2 hull=3 shields=1", "kill"},
    {{"4", "3", "2"}, "1 focus hull=6", "kill"},
    {{"5 focus"}, "1"},
    {{"3 lock", "3 lock", "3 lock"}, "3 focus=2"},
};

constexpr double kQuantile = 1.959963984540054;  // of the normal distribution, at 97.5 %

/// The number of samples, of `replications`, whose interval contains the exact value.
int covered(const Catalogue& catalogue, const Typed& typed, const AnswerOptions& options, std::uint64_t replications) {
  Scenario scenario = scenario_from_specs(catalogue, typed.attacks, typed.defender);
  scenario.objective = typed.objective;
  const double exact = answer(catalogue, scenario, {.engine = EngineChoice::Exact}).estimates.value.value;
  int out = 0;
  for (std::uint64_t seed = 1; seed <= replications; ++seed) {
    AnswerOptions one = options;
    one.engine = EngineChoice::Sample;
    one.seed = seed;
    const Estimate value = answer(catalogue, scenario, one).estimates.value;
    out += std::abs(value.value - exact) <= kQuantile * value.se;
  }
  return out;
}

const AnswerOptions kTrials = {.trials = 2'000, .threads = 1};
const AnswerOptions kPrecision = {.precision = 0.04, .threads = 1};

}  // namespace

TEST_CASE("95 % intervals contain the exact value 95 times in 100", "[sample][intervals]") {
  const Catalogue catalogue;
  for (const AnswerOptions& options : {kTrials, kPrecision}) {
    int all = 0;
    for (const Typed& typed : kTen) all += covered(catalogue, typed, options, 40);
    // Binomial(400, 0.95) is below 358 or above 397 with probability 2e-5.
    CHECK(all >= 358);
    CHECK(all <= 397);
  }
}

TEST_CASE("95 % intervals over 10,000 samples of ten questions", "[.long][sample][intervals]") {
  const Catalogue catalogue;
  for (const AnswerOptions& options : {kTrials, kPrecision}) {
    for (const Typed& typed : kTen) {
      const double share = covered(catalogue, typed, options, 10'000) / 10'000.0;
      INFO(typed.attacks.front() << ", " << typed.attacks.size() << " attacks on " << typed.defender);
      CHECK(share >= 0.945);
      CHECK(share <= 0.955);
    }
  }
}

TEST_CASE("the engines do not contradict each other by chance", "[.long][sample][intervals]") {
  const Catalogue catalogue;
  int below_1_percent = 0;
  constexpr std::uint64_t kEach = 1'000;
  for (const Typed& typed : kTen) {
    const Scenario scenario = scenario_from_specs(catalogue, typed.attacks, typed.defender);
    for (std::uint64_t seed = 1; seed <= kEach; ++seed) {
      const AnswerOptions both{.engine = EngineChoice::Both, .trials = 20'000, .seed = seed, .threads = 1};
      const auto check = answer(catalogue, scenario, both).cross_check;
      REQUIRE(check.has_value());
      REQUIRE(check->agree);  // false alarm: one in a million
      below_1_percent += check->p < 0.01;
    }
  }
  CHECK(below_1_percent <= 150);  // Binomial(10000, 0.01) is above 150 with probability 1e-6
}
