// Dice that no edition of the game has: the engines read faces and sides from the edition file. Expected values are
// binomial distributions computed here.
#include <catch2/catch.hpp>
#include <cmath>

#include "exact/exact.h"
#include "sample/sample.h"
#include "support/closed_forms.h"
#include "support/differential.h"
#include "support/sample_fit.h"

using namespace salvo;

namespace {

using tests::damage;
constexpr double kTolerance = 1e-12;
constexpr std::uint64_t kTrials = 200'000;

struct Setting {
  std::string rules;
  int attack = 0, agility = 0;
  std::map<std::string, int> attacker, defender;  ///< tokens
  bool lock = false;
};

salvo::compile::CompiledScenario question_of(const Setting& setting) {
  Scenario scenario;
  scenario.rules = setting.rules;
  scenario.ships["a"] = {.attack = setting.attack, .tokens = setting.attacker};
  if (setting.lock) scenario.ships["a"].locks = {"d"};
  scenario.ships["d"] = {.agility = setting.agility, .tokens = setting.defender};
  scenario.attacks = {{.by = "a", .on = "d"}};
  return compile::compile_scenario(differential::test_catalogue(), scenario);
}

/// Both engines against the closed form.
void check(const Setting& setting, double hit, double evade) {
  const salvo::compile::CompiledScenario question = question_of(setting);
  const std::vector<double> pmf = damage(setting.attack, setting.agility, hit, evade);
  const Eigen::ArrayXd want = Eigen::ArrayXd::Map(pmf.data(), static_cast<Eigen::Index>(pmf.size()));
  const exact::Solution solution = exact::solve(question.plan);
  const salvo::game::Distribution exact = exact::enumerate(question.plan, solution);
  const Eigen::ArrayXd& got = exact.ships[1].damage;
  CAPTURE(setting.rules, setting.attack, setting.agility, setting.lock);
  REQUIRE(got.size() <= want.size());
  for (Eigen::Index k = 0; k < want.size(); ++k)
    CHECK(std::abs((k < got.size() ? got(k) : 0.0) - want(k)) <= kTolerance);
  CHECK(std::abs(exact.value - tests::mean(want)) <= kTolerance);
  const salvo::game::Distribution sampled =
      sample::run(question.plan, solution.policy, {.trials = kTrials, .seed = 66});
  const fit::Fit fits = fit::test(sampled.ships[1].damage, want, kTrials);
  CAPTURE(fits.g, fits.df, fits.p);
  CHECK(fits.p >= fit::kFalseAlarm);
}

}  // namespace

TEST_CASE("six-sided dice: hits and evades are binomial", "[rules][exact][sample]") {
  for (const int attack : {0, 1, 3, 6, 12}) {
    for (const int agility : {0, 2, 5})
      check({.rules = "six-sided", .attack = attack, .agility = agility}, 1.0 / 3, 1.0 / 6);
  }
}

TEST_CASE("six-sided dice: the attacker rerolls every blank once", "[rules][exact][sample]") {
  // 1/3 + 2/3 * 1/3
  for (const int attack : {1, 2, 4, 6})
    check({.rules = "six-sided", .attack = attack, .agility = 2, .lock = true}, 5.0 / 9, 1.0 / 6);
}

TEST_CASE("a die that was rerolled is not rerolled by a second effect", "[rules][exact][sample]") {
  // 000: Dice_Modification. Twice would give 1 - (2/3)^3 = 19/27.
  for (const int attack : {1, 3})
    check({.rules = "six-sided", .attack = attack, .agility = 1, .attacker = {{"grit", 1}}, .lock = true}, 5.0 / 9,
          1.0 / 6);
  check({.rules = "six-sided", .attack = 3, .agility = 1, .attacker = {{"grit", 3}}}, 5.0 / 9, 1.0 / 6);
}

TEST_CASE("six-sided dice: the defender rerolls blanks as long as a hit is left", "[rules][exact][sample]") {
  // 1/6 + 5/6 * 1/6; with no hit left to evade a reroll would change nothing.
  for (const int agility : {1, 3})
    check({.rules = "six-sided", .attack = 3, .agility = agility, .defender = {{"guard", 1}}}, 1.0 / 3, 11.0 / 36);
}

TEST_CASE("a twelve-sided attack die with unusual faces, against a coin", "[rules][exact][sample]") {
  for (const int attack : {1, 2, 5}) {
    check({.rules = "twelve-sided", .attack = attack, .agility = 2}, 5.0 / 12, 1.0 / 2);
    check({.rules = "twelve-sided", .attack = attack, .agility = 2, .attacker = {{"aim", 1}}}, 8.0 / 12, 1.0 / 2);
  }
}

TEST_CASE("a die with one side leaves nothing to chance", "[rules][exact][sample]") {
  check({.rules = "one-sided", .attack = 5, .agility = 2}, 1.0, 1.0);
  check({.rules = "one-sided", .attack = 2, .agility = 5}, 1.0, 1.0);
}

TEST_CASE("an edition's own limit of dice applies", "[rules][exact]") {
  const salvo::compile::CompiledScenario question = question_of({.rules = "six-sided", .attack = 20, .agility = 15});
  const salvo::game::Distribution got = exact::enumerate(question.plan, exact::solve(question.plan));
  CHECK(std::abs(got.attacks[0].attack_dice - 12) <= kTolerance);
  CHECK(std::abs(got.attacks[0].defense_dice - 12) <= kTolerance);
  const std::vector<double> want = damage(12, 12, 1.0 / 3, 1.0 / 6);
  const double mean = tests::mean(Eigen::ArrayXd::Map(want.data(), static_cast<Eigen::Index>(want.size())));
  CHECK(std::abs(got.attacks[0].mean_hits - mean) <= kTolerance);
}
