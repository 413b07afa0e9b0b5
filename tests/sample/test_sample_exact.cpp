// The sampling engine against the exact one: whole joint distributions by a G-test, means by their standard errors.
// Seeds are fixed. With another seed, a correct engine fails one G-test in 10^6 (fit::kFalseAlarm) and one mean in 5 *
// 10^8 (six standard errors). A partner test shows what the G-test detects: a die with one wrong face.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "exact/exact.h"
#include "load/load.h"
#include "sample/sample.h"
#include "support/cases.h"
#include "support/differential.h"
#include "support/sample_fit.h"

using namespace salvo;

namespace {

struct Row {
  std::string objective, attacker_policy, defender_policy;
  std::vector<std::string> attacks;  ///< in the words of `salvo run`
  std::string defend;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> list = {
      {"damage", "optimal", "optimal", {"3"}, "2"},
      {"damage", "optimal", "optimal", {"3 focus lock"}, "3 focus evade"},
      {"damage", "hold", "optimal", {"4 range=1"}, "1 calculate=2 force"},
      {"damage", "optimal", "hold", {"6 focus lock"}, "6 focus evade reinforce"},
      {"damage", "greedy", "greedy", {"2 lock", "3 focus"}, "2 focus evade strain"},
      {"damage", "optimal", "optimal", {"3 calculate=2 lock", "2 force=2"}, "1 focus reinforce=2"},
      {"kill", "optimal", "optimal", {"3 focus", "3 lock", "2"}, "2 evade hull=3 shields=1"},
      {"kill", "greedy", "optimal", {"4 lock deplete", "2 focus"}, "3 focus evade hull=2"},
      {"health", "optimal", "optimal", {"3 focus initiative=4", "3 lock initiative=4"}, "1 hull=2 shields=2 tractor"},
      {"health", "optimal", "greedy", {"5 lock", "2 calculate"}, "2 focus hull=3"},
      {"exchange", "optimal", "optimal", {"3 lock range=3 obstructed", "3"}, "1 evade=2 hull=4"},
      {"exchange", "hold", "hold", {"4", "4"}, "0 reinforce hull=5 shields=1"}};
  return list;
}

salvo::compile::CompiledScenario question_of(const Row& row) {
  Scenario scenario = scenario_from_specs(differential::catalogue(), "second-edition", "2025", row.attacks, row.defend);
  scenario.objective = row.objective;
  scenario.attacker_policy = row.attacker_policy;
  scenario.defender_policy = row.defender_policy;
  return compile::compile_scenario(differential::catalogue(), scenario);
}

/// True where a sampled mean is within six standard errors, and exact where nothing varies.
bool near(double sampled, double error, double exact) { return std::abs(sampled - exact) <= 6 * error + 1e-12; }

void check_means(const salvo::game::Distribution& sampled, const salvo::game::Distribution& exact) {
  CHECK(near(sampled.value, sampled.value_se, exact.value));
  const double n = static_cast<double>(sampled.trials);
  const auto error = [n](double p) { return std::sqrt(p * (1 - p) / n); };
  for (std::size_t k = 0; k < exact.attacks.size(); ++k) {
    const salvo::game::AttackDistribution& got = sampled.attacks[k];
    const salvo::game::AttackDistribution& want = exact.attacks[k];
    CHECK(near(got.happens, error(want.happens), want.happens));
    CHECK(near(got.hit_probability, error(want.hit_probability), want.hit_probability));
    CHECK(near(got.mean_hits, got.mean_hits_se, want.mean_hits));
    CHECK(near(got.mean_crits, got.mean_crits_se, want.mean_crits));
    CHECK(near(got.attack_dice, got.attack_dice_se, want.attack_dice));
    CHECK(near(got.defense_dice, got.defense_dice_se, want.defense_dice));
  }
  for (std::size_t s = 0; s < exact.ships.size(); ++s) {
    CHECK(near(sampled.ships[s].destroyed, error(exact.ships[s].destroyed), exact.ships[s].destroyed));
    for (Eigen::Index r = 0; r < exact.ships[s].tokens_left.size(); ++r)
      CHECK(near(sampled.ships[s].tokens_left(r), sampled.ships[s].tokens_left_se(r), exact.ships[s].tokens_left(r)));
  }
}

/// Clears the resources other than tokens (health, effects used once), which the exact engine does not count.
void forget_others(const salvo::compile::Labels& labels, salvo::game::Distribution& out) {
  for (std::size_t r = 0; r < labels.resources.size(); ++r) {
    if (labels.resources[r].is_token) continue;
    for (game::ShipDistribution& ship : out.ships) ship.tokens_left(static_cast<Eigen::Index>(r)) = 0;
  }
}

void check(const salvo::compile::CompiledScenario& question, std::uint64_t trials, std::uint64_t seed) {
  const exact::Solution solution = exact::solve(question.plan);
  salvo::game::Distribution exact = exact::enumerate(question.plan, solution);
  salvo::game::Distribution sampled = sample::run(question.plan, solution.policy, {.trials = trials, .seed = seed});
  forget_others(question.labels, exact);
  forget_others(question.labels, sampled);
  for (std::size_t s = 0; s < exact.ships.size(); ++s) {
    const fit::Fit fits = fit::test(sampled.ships[s].joint, exact.ships[s].joint, trials);
    CAPTURE(s, fits.g, fits.df, fits.p);
    CHECK(fits.p >= fit::kFalseAlarm);
    CHECK(fit::test(sampled.ships[s].damage, exact.ships[s].damage, trials).p >= fit::kFalseAlarm);
  }
  check_means(sampled, exact);
}

/// The p-value of a sample whose dice have other sides than those of the enumerated plan.
double p_with(const Row& row, bool attack_die, std::array<int, salvo::base::kMaxFaces> sides) {
  const salvo::compile::CompiledScenario question = question_of(row);
  const exact::Solution solution = exact::solve(question.plan);
  game::Plan wrong = question.plan;
  (attack_die ? wrong.attack_die : wrong.defense_die).sides_of_face = sides;
  const salvo::game::Distribution sampled = sample::run(wrong, solution.policy, {.trials = 200'000, .seed = 5});
  const salvo::game::Distribution exact = exact::enumerate(question.plan, solution);
  return fit::test(sampled.ships.back().joint, exact.ships.back().joint, 200'000).p;
}

}  // namespace

TEST_CASE("sampled joint distributions and means agree with the exact engine", "[sample][exact]") {
  for (std::size_t i = 0; i < rows().size(); ++i) {
    CAPTURE(i);
    check(question_of(rows()[i]), 200'000, 1'000 + i);
  }
}

TEST_CASE("sampled random scenarios agree with the exact engine", "[sample][exact]") {
  differential::Pick pick(77);
  for (std::uint64_t i = 0; i < 150; ++i) {
    const literal::Scenario scenario = differential::random_scenario(pick);
    CAPTURE(i, differential::text_of(scenario));
    check(compile::compile_scenario(differential::catalogue(), differential::to_salvo(scenario)), 20'000, i);
  }
}

TEST_CASE("sampled scenarios with cards agree with the exact engine", "[sample][exact][cards]") {
  std::uint64_t seed = 300;
  for (const nlohmann::json& card : tests::read_cases("cards.jsonl", SALVO_CASES_STEP)) {
    CAPTURE(card["card"].get<std::string>());
    check(compile::compile_scenario(differential::catalogue(), parse_scenario(card["with"].dump(), "card case")),
          20'000, seed++);
  }
  CHECK(seed > 300 + 600 / SALVO_CASES_STEP);
}

TEST_CASE("partner: a die with one wrong face fails the G-test", "[sample][exact]") {
  const Row& plain = rows()[0];
  const Row& tokens = rows()[1];
  // Faces in the order of profiles/rules/second-edition.toml: hit, crit, focus, blank; evade, focus, blank.
  CHECK(p_with(plain, true, {3, 1, 2, 2}) >= fit::kFalseAlarm);
  CHECK(p_with(plain, false, {3, 2, 3}) >= fit::kFalseAlarm);
  CHECK(p_with(plain, true, {4, 1, 1, 2}) < fit::kFalseAlarm);
  CHECK(p_with(plain, true, {2, 2, 2, 2}) < fit::kFalseAlarm);
  CHECK(p_with(plain, false, {4, 2, 2}) < fit::kFalseAlarm);
  CHECK(p_with(tokens, true, {3, 1, 1, 3}) < fit::kFalseAlarm);
  CHECK(p_with(tokens, true, {2, 2, 2, 2}) < fit::kFalseAlarm);
  CHECK(p_with(tokens, false, {3, 1, 4}) < fit::kFalseAlarm);
}

TEST_CASE("an impossible outcome fails the G-test at once", "[sample]") {
  const Eigen::ArrayXXd exact = Eigen::ArrayXXd::Constant(2, 1, 0.5);
  Eigen::ArrayXXd sampled = Eigen::ArrayXXd::Constant(3, 1, 0.5);
  sampled(2, 0) = 1e-6;
  CHECK(fit::test(sampled, exact, 1'000'000).p == 0.0);
}

TEST_CASE("G-test: p is uniform for the right distribution", "[sample]") {
  // 1,000 seeds of one scenario: the number of p below 0.1 is binomial, 100 +- 9.5; between 60 and 140 with
  // probability 1 - 3e-5.
  const salvo::compile::CompiledScenario question = question_of(rows()[0]);
  const exact::Solution solution = exact::solve(question.plan);
  const salvo::game::Distribution exact = exact::enumerate(question.plan, solution);
  int low = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const salvo::game::Distribution sampled =
        sample::run(question.plan, solution.policy, {.trials = 2'000, .seed = seed, .threads = 1});
    low += fit::test(sampled.ships[1].joint, exact.ships[1].joint, 2'000).p < 0.1 ? 1 : 0;
  }
  CAPTURE(low);
  CHECK((low > 60 && low < 140));
}
