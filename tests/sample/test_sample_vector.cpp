// The bit-sliced kernels against the reference kernel: equal tallies, number by number, for every instruction set of
// this processor, every generator, odd ranges of trials, and plans with tokens, cards and several ships.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "exact/exact.h"
#include "load/load.h"
#include "sample/kernel_dispatcher.h"
#include "sample/sample.h"
#include "signature/signature_cases.h"
#include "support/cases.h"
#include "support/differential.h"
#include "support/sample_fit.h"

using namespace salvo;

namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;

/// The range of trials to play, and the settings.
struct Play {
  std::string target;
  sample::Generator generator = sample::Generator::Philox4x32_10;
  sample::Wanted wanted;
  std::uint64_t first = 0, last = 3'001;
};

sample::Tally played(const salvo::compile::CompiledScenario& question, const salvo::game::Policy& policy,
                     const Play& play) {
  sample::KernelDispatcher player(question.plan, policy, kSeed, play.generator, play.wanted, play.target, play.last);
  INFO(player.reason());
  CHECK(player.target() == play.target);  // no other kernel was used instead
  sample::Tally out(question.plan);
  player.play(play.first, play.last, out);
  out.forget(!play.wanted.tokens, !play.wanted.attacks);
  return out;
}

/// Every kernel against the reference kernel.
void check_all(const salvo::compile::CompiledScenario& question, Play play) {
  const salvo::game::Policy policy = exact::solve(question.plan).policy;
  play.target = "reference";
  const sample::Tally reference = played(question, policy, play);
  for (const std::string& target : sample::targets()) {
    play.target = target;
    CAPTURE(target, name_of(play.generator), play.first, play.last);
    CHECK(played(question, policy, play) == reference);
  }
}

const std::vector<sample::Generator>& generators() {
  static const std::vector<sample::Generator> list = {sample::Generator::Philox4x32_10, sample::Generator::Ars7,
                                                      sample::Generator::Xoshiro256pp};
  return list;
}

salvo::compile::CompiledScenario from_specs(const std::vector<std::string>& attacks, const std::string& defend) {
  return compile::compile_scenario(
      differential::catalogue(),
      scenario_from_specs(differential::catalogue(), "second-edition", "2025", attacks, defend));
}

}  // namespace

TEST_CASE("bit-sliced kernels give the counts of the reference kernel: the signature's scenarios", "[sample][vector]") {
  for (std::size_t i = 0; i < signature::kScenarios.size(); ++i) {
    for (const signature::Variant& variant : signature::kVariants) {
      Scenario scenario = parse_scenario(signature::kScenarios[i], "vector");
      scenario.objective = variant.objective;
      scenario.attacker_policy = variant.attacker_policy;
      scenario.defender_policy = variant.defender_policy;
      const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), scenario);
      CAPTURE(i + 1, variant.objective, variant.attacker_policy, variant.defender_policy);
      check_all(question, {});
    }
  }
}

TEST_CASE("bit-sliced kernels give the counts of the reference kernel: generators and ranges of trials",
          "[sample][vector]") {
  const std::vector<salvo::compile::CompiledScenario> questions = {
      from_specs({"3 focus lock"}, "3 focus evade"), from_specs({"4 lock", "2 calculate"}, "2 focus force")};
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges = {
      {0, 1},           {0, 31},          {5, 4'097},
      {65'535, 65'537}, {61'441, 70'001}, {(std::uint64_t{1} << 40) + 3, (std::uint64_t{1} << 40) + 9'000}};
  for (const salvo::compile::CompiledScenario& question : questions) {
    for (const sample::Generator generator : generators()) {
      for (const auto& [first, last] : ranges) {
        check_all(question, {.generator = generator, .first = first, .last = last});
        check_all(question, {.generator = generator, .wanted = {false, false}, .first = first, .last = last});
      }
    }
  }
}

TEST_CASE("bit-sliced kernels give the counts of the reference kernel: without tokens", "[sample][vector]") {
  const std::vector<std::string> attackers = {"1",      "2 focus",     "3 lock", "3 focus lock", "4 focus lock",
                                              "5 lock", "6 focus lock"};
  const std::vector<std::string> defenders = {
      "0", "1 focus", "2 evade", "3 focus evade", "4 evade reinforce", "5 focus", "6 focus evade reinforce"};
  for (const std::string& attacker : attackers) {
    for (const std::string& defender : defenders) {
      const salvo::compile::CompiledScenario question = from_specs({attacker}, defender);
      const salvo::game::Policy policy = exact::solve(question.plan).policy;
      CAPTURE(attacker, defender);
      for (const sample::Generator generator : generators()) {
        Play play{.target = "reference", .generator = generator, .wanted = {false, true}, .last = 9'003};
        const sample::Tally reference = played(question, policy, play);
        play.target = sample::targets().front();
        CHECK(played(question, policy, play) == reference);
      }
    }
  }
}

namespace {

/// The smallest p-value of the joint distribution of the defender's hits and crits against the exact engine.
double worst_fit(const salvo::compile::CompiledScenario& played, const salvo::compile::CompiledScenario& exact_of,
                 const Play& play) {
  const exact::Solution solution = exact::solve(exact_of.plan);
  const salvo::game::Distribution want = exact::enumerate(exact_of.plan, solution);
  const salvo::game::Policy policy = exact::solve(played.plan).policy;
  const salvo::game::Distribution got = sample::run(played.plan, policy,
                                                    {.trials = play.last,
                                                     .seed = kSeed,
                                                     .generator = play.generator,
                                                     .target = play.target,
                                                     .tokens = play.wanted.tokens});
  double worst = 1;
  for (std::size_t s = 0; s < want.ships.size(); ++s) {
    worst = std::min(worst, fit::test(got.ships[s].joint, want.ships[s].joint, play.last).p);
  }
  return worst;
}

/// Every kernel and generator fits the exact distribution, and none does if the sampled die has one wrong face. A
/// correct kernel fails one of these tests in 10^6 (fit::kFalseAlarm).
void check_fits(std::uint64_t trials) {
  for (const auto& [attack, defend] : {std::pair<std::string, std::string>("3 focus lock", "3 focus evade"),
                                       std::pair<std::string, std::string>("4 calculate=2 lock", "2 focus force")}) {
    const salvo::compile::CompiledScenario right = from_specs({attack}, defend);
    salvo::compile::CompiledScenario wrong = right;
    --wrong.plan.attack_die.sides_of_face[static_cast<std::size_t>(wrong.plan.attack_die.hit)];
    ++wrong.plan.attack_die.sides_of_face[static_cast<std::size_t>(wrong.plan.attack_die.blank)];
    for (const std::string& target : sample::targets()) {
      if (target == "reference" && trials > 1'000'000) continue;
      for (const sample::Generator generator : generators()) {
        for (const bool tokens : {true, false}) {
          const Play play{.target = target, .generator = generator, .wanted = {tokens, true}, .last = trials};
          CAPTURE(attack, target, name_of(generator), tokens);
          CHECK(worst_fit(right, right, play) >= fit::kFalseAlarm);
          CHECK(worst_fit(wrong, right, play) < fit::kFalseAlarm);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("every kernel fits the exact distribution, and none with a wrong face does", "[sample][vector]") {
  check_fits(50'000);
}

TEST_CASE("every kernel fits the exact distribution over 4 * 10^8 trials", "[.long][sample][vector]") {
  check_fits(400'000'000);
}

TEST_CASE("the target and the number of threads do not change an answer, and the answer names the target",
          "[sample][vector]") {
  const salvo::compile::CompiledScenario question = from_specs({"3 focus lock", "2 focus"}, "3 focus evade");
  const salvo::game::Policy policy = exact::solve(question.plan).policy;
  const auto run = [&](const std::string& target, int threads) {
    return sample::run(question.plan, policy, {.trials = 200'003, .target = target, .threads = threads});
  };
  const salvo::game::Distribution want = run("reference", 1);
  CHECK(want.target == "reference");
  for (const std::string& target : sample::targets()) {
    for (const int threads : {1, 2, 3}) {
      const salvo::game::Distribution got = run(target, threads);
      CHECK(got.target == target);
      CHECK(got.target_forced);
      CHECK(got.value == want.value);
      CHECK(got.value_se == want.value_se);
      CHECK((got.ships[0].joint == want.ships[0].joint).all());
    }
  }
  CHECK(run("", 1).target == sample::targets().front());
  CHECK_FALSE(run("", 1).target_forced);
  CHECK_THROWS_AS(run("mmx", 1), std::invalid_argument);
}

TEST_CASE("bit-sliced kernels give the counts of the reference kernel: a case of every card and ruling",
          "[sample][vector]") {
  const auto [name, key] = GENERATE(std::pair("cards.jsonl", "with"), std::pair("cards-first-edition.jsonl", "with"),
                                    std::pair("rulings.jsonl", "scenario"));
  int cases = 0;
  int bit_sliced = 0;
  int decks = 0;   // cases with damage cards, which the bit-sliced kernels do not deal
  int parted = 0;  // cases with separate hull and shields, which lanes play
  for (const nlohmann::json& entry : tests::read_cases(name, SALVO_CASES_STEP)) {
    if (!entry.contains(key)) continue;
    const std::string scenario = entry[key].dump();
    const salvo::compile::CompiledScenario question =
        compile::compile_scenario(differential::catalogue(), parse_scenario(scenario, "case"));
    const salvo::game::Policy policy = exact::solve(question.plan).policy;
    INFO(scenario);
    sample::Tally reference(question.plan);
    sample::play(sample::prepare(question.plan, policy, kSeed), 5'000, 8'000, reference);
    sample::KernelDispatcher player(question.plan, policy, kSeed, sample::Generator::Philox4x32_10, {},
                                    sample::targets().front(), 1);
    INFO(player.reason());
    CHECK(player.reason() != "the kernels disagree on this plan");
    sample::Tally fast(question.plan);
    player.play(5'000, 8'000, fast);
    CHECK(fast == reference);
    ++cases;
    bit_sliced += player.program() ? 1 : 0;
    decks += player.reason().starts_with("damage cards are dealt") ? 1 : 0;
    parted += player.reason().starts_with("hull and shields are two numbers") ? 1 : 0;
  }
  CAPTURE(name, cases, bit_sliced, decks, parted);
  CHECK(cases > 100 / SALVO_CASES_STEP);
  if (SALVO_CASES_STEP > 1) return;  // the shares of a sample vary
  CHECK(bit_sliced * 100 >= (cases - decks - parted) * 98);
  CHECK(decks * 20 <= cases);
  CHECK(parted * 20 <= cases);
}
