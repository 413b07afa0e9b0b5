// The lane kernel against the reference kernel: equal tallies, number by number, for damage decks, cards, every
// generator and instruction set, odd ranges of trials, and policies that are not solved in advance.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "exact/exact.h"
#include "load/load.h"
#include "sample/kernel_dispatcher.h"
#include "sample/lanes/lanes.h"
#include "sample/sample.h"
#include "signature/signature_cases.h"
#include "support/cases.h"
#include "support/differential.h"
#include "support/sample_fit.h"

using namespace salvo;

namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;

struct Play {
  sample::Generator generator = sample::Generator::Philox4x32_10;
  sample::Wanted wanted;
  std::uint64_t first = 0, last = 3'001;
};

/// Compares both kernels; returns false if the lane kernel does not play the plan.
bool check_lanes(const salvo::compile::CompiledScenario& question, const salvo::game::Policy& policy,
                 const Play& play = {}) {
  const sample::Setup setup = sample::prepare(question.plan, policy, kSeed, play.generator);
  sample::Tally reference(question.plan);
  sample::play(setup, play.first, play.last, reference);
  reference.forget(!play.wanted.tokens, !play.wanted.attacks);
  for (const sample::Target& target : sample::vector_targets()) {
    CAPTURE(target.name, name_of(play.generator), play.first, play.last);
    try {
      sample::LaneKernel lanes(setup, target, play.wanted);
      sample::Tally fast(question.plan);
      const std::uint64_t half = play.first + (play.last - play.first) / 3;
      lanes.play(play.first, half, fast);
      lanes.play(half, play.last, fast);
      fast.forget(!play.wanted.tokens, !play.wanted.attacks);
      CHECK(fast == reference);
    } catch (const sample::UnsupportedByKernel&) {
      return false;
    }
  }
  return true;
}

/// n ships attack a fighter with hull and shields; both sides have this policy.
salvo::compile::CompiledScenario with_deck(int n, const std::string& policy, const std::string& objective) {
  std::string attacks;
  std::string ships =
      R"("black": {"agility": 2, "hull": 4, "shields": 1, "attack": 3, "tokens": {"focus": 1, "evade": 1}})";
  for (int i = 1; i <= n; ++i) {
    ships += fmt::format(
        R"(, "red{}": {{"attack": 3, "agility": 2, "hull": 3, "tokens": {{"focus": 1, "lock": ["black"]}}}})", i);
    attacks += fmt::format(R"({}{{"by": "red{}", "on": "black"}})", i == 1 ? "" : ", ", i);
  }
  attacks += R"(, {"by": "black", "on": "red1"})";
  Scenario scenario =
      parse_scenario(fmt::format(R"({{"damage_deck": "core", "objective": "{}", "ships": {{{}}}, "attacks": [{}]}})",
                                 objective, ships, attacks),
                     "deck");
  scenario.attacker_policy = scenario.defender_policy = policy;
  return compile::compile_scenario(differential::catalogue(), scenario);
}

/// Dice with six or twelve sides: some values of their bits must be redrawn.
salvo::compile::CompiledScenario with_other_dice(const std::string& rules, int attack, int agility, bool lock,
                                                 const std::string& token) {
  Scenario scenario;
  scenario.rules = rules;
  scenario.ships["a"] = {.attack = attack};
  if (lock) scenario.ships["a"].locks = {"d"};
  scenario.ships["d"] = {.agility = agility};
  if (!token.empty()) scenario.ships[token == "guard" ? "d" : "a"].tokens = {{token, 1}};
  scenario.attacks = {{.by = "a", .on = "d"}, {.by = "a", .on = "d"}};
  return compile::compile_scenario(differential::test_catalogue(), scenario);
}

}  // namespace

TEST_CASE("the lane kernel gives the counts of the reference kernel: a case of every card", "[sample][lanes]") {
  int cases = 0;
  int played = 0;
  for (const std::string name : {"cards.jsonl", "cards-xwa.jsonl"}) {
    for (const nlohmann::json& entry : tests::read_cases(name, SALVO_CASES_STEP)) {
      ++cases;
      const salvo::compile::CompiledScenario question =
          compile::compile_scenario(differential::catalogue(), parse_scenario(entry["with"].dump(), "card"));
      INFO(entry["with"].dump());
      played += check_lanes(question, exact::solve(question.plan).policy) ? 1 : 0;
    }
  }
  CAPTURE(cases, played);
  if (SALVO_CASES_STEP > 1) return;   // the shares of a sample vary
  CHECK(played * 100 >= cases * 97);  // not those in which health comes back
}

TEST_CASE("the lane kernel gives the counts of the reference kernel: damage decks", "[sample][lanes]") {
  for (const char* objective : {"damage", "kill", "health", "exchange"}) {
    const salvo::compile::CompiledScenario question = with_deck(1, "optimal", objective);
    CAPTURE(objective);
    CHECK(check_lanes(question, exact::solve(question.plan).policy));
  }
  for (const char* policy : {"greedy", "hold"}) {
    const salvo::compile::CompiledScenario question = with_deck(3, policy, "damage");
    CAPTURE(policy);
    CHECK(check_lanes(question, exact::greedy_policy(question.plan)));
  }
}

TEST_CASE("the lane kernel gives the counts of the reference kernel: generators and ranges of trials",
          "[sample][lanes]") {
  const salvo::compile::CompiledScenario question = with_deck(1, "optimal", "kill");
  const salvo::game::Policy policy = exact::solve(question.plan).policy;
  for (const sample::Generator generator :
       {sample::Generator::Philox4x32_10, sample::Generator::Ars7, sample::Generator::Xoshiro256pp}) {
    for (const auto& [first, last] : {std::pair<std::uint64_t, std::uint64_t>{0, 1},
                                      {63, 64},
                                      {1'000, 3'077},
                                      {65'000, 66'500},
                                      {(1ull << 40) - 5, (1ull << 40) + 1'030}}) {
      CHECK(check_lanes(question, policy, {generator, {}, first, last}));
    }
    CHECK(check_lanes(question, policy, {generator, {false, true}}));
    CHECK(check_lanes(question, policy, {generator, {true, false}}));
  }
}

TEST_CASE("the lane kernel gives the counts of the reference kernel: large pools, several words, graphs forgotten",
          "[sample][lanes]") {
  // Six dice that can be rerolled on each side fill more than half a word.
  Scenario large = parse_scenario(R"({"ships": {
        "red": {"attack": 6, "tokens": {"focus": 1, "lock": ["black"]}, "upgrades": ["predator"]},
        "black": {"agility": 6, "tokens": {"focus": 1, "evade": 1}, "upgrades": ["elusive", "lonewolf"]}},
        "attacks": [{"by": "red", "on": "black"}, {"by": "red", "on": "black"}]})",
                                  "large");
  large.attacker_policy = large.defender_policy = "greedy";
  for (const salvo::compile::CompiledScenario& question :
       {compile::compile_scenario(differential::catalogue(), large), with_deck(2, "greedy", "exchange")}) {
    const salvo::game::Policy policy = exact::greedy_policy(question.plan);
    CHECK(check_lanes(question, policy));
    const sample::Setup setup = sample::prepare(question.plan, policy, kSeed);
    if (question.plan.attacks.size() == 2) CHECK(sample::LaneWords(setup, 40).fields(0).words == 2);
    sample::Tally reference(question.plan);
    sample::play(setup, 0, 5'000, reference);
    for (const sample::LaneLimits limits : {sample::LaneLimits{.word_bits = 40}, sample::LaneLimits{.bytes = 0}}) {
      CAPTURE(limits.word_bits);
      sample::Tally fast(question.plan);
      sample::LaneKernel(setup, sample::vector_targets().front(), {}, limits).play(0, 5'000, fast);
      CHECK(fast == reference);
    }
  }
}

TEST_CASE("the lane kernel gives the counts of the reference kernel: the signature's scenarios", "[sample][lanes]") {
  for (std::size_t i = 0; i < signature::kScenarios.size(); ++i) {
    const salvo::compile::CompiledScenario question =
        compile::compile_scenario(differential::catalogue(), parse_scenario(signature::kScenarios[i], "lanes"));
    CAPTURE(i + 1);
    check_lanes(question, exact::solve(question.plan).policy);
  }
}

TEST_CASE("lanes play a damage deck with any number of threads", "[sample][lanes]") {
  const salvo::compile::CompiledScenario question = with_deck(1, "optimal", "kill");
  const exact::Solution solution = exact::solve(question.plan);
  const auto run = [&](int threads, const std::string& target) {
    return sample::run(question.plan, solution.policy, {.trials = 200'001, .target = target, .threads = threads});
  };
  const salvo::game::Distribution one = run(1, "");
  CHECK(one.kernel == "lanes");
  CHECK(one.target == sample::targets().front());
  CHECK(run(2, "").value == one.value);
  const salvo::game::Distribution reference = run(2, "reference");
  CHECK(reference.kernel == "plain");
  CHECK(reference.value == one.value);
  CHECK((reference.ships[0].joint == one.ships[0].joint).all());
  CHECK(std::abs(one.value - solution.value) < 5 * one.value_se);
}

TEST_CASE("partner: a lane kernel with one wrong face fails", "[sample][lanes]") {
  const salvo::compile::CompiledScenario question = with_deck(1, "optimal", "damage");
  salvo::compile::CompiledScenario wrong = question;
  --wrong.plan.attack_die.sides_of_face[static_cast<std::size_t>(wrong.plan.attack_die.hit)];
  ++wrong.plan.attack_die.sides_of_face[static_cast<std::size_t>(wrong.plan.attack_die.blank)];
  const salvo::game::Policy policy = exact::solve(question.plan).policy;
  sample::Tally right_tally(question.plan);
  sample::Tally wrong_tally(question.plan);
  const sample::Setup setup = sample::prepare(question.plan, policy, kSeed);
  const sample::Setup wrong_setup = sample::prepare(wrong.plan, policy, kSeed);
  sample::LaneKernel(setup, sample::vector_targets().front(), {}).play(0, 20'000, right_tally);
  sample::LaneKernel(wrong_setup, sample::vector_targets().front(), {}).play(0, 20'000, wrong_tally);
  const double exact_value = exact::solve(question.plan).value;
  const auto far = [&](const sample::Tally& tally) {
    const salvo::game::Distribution answer = tally.distribution(question.plan);
    return std::abs(answer.value - exact_value) / answer.value_se;
  };
  CHECK(far(right_tally) < 5);
  CHECK(far(wrong_tally) > 8);
}

TEST_CASE("the lane kernel gives the counts of the reference kernel: dice whose number of sides is not a power of two",
          "[sample][lanes]") {
  const std::vector<salvo::compile::CompiledScenario> questions = {
      with_other_dice("six-sided", 3, 2, true, ""), with_other_dice("six-sided", 2, 3, false, "guard"),
      with_other_dice("six-sided", 3, 1, true, "grit"), with_other_dice("twelve-sided", 4, 2, false, "aim")};
  for (const salvo::compile::CompiledScenario& question : questions) {
    const salvo::game::Policy policy = exact::solve(question.plan).policy;
    for (const sample::Generator generator :
         {sample::Generator::Philox4x32_10, sample::Generator::Ars7, sample::Generator::Xoshiro256pp})
      CHECK(check_lanes(question, policy, {.generator = generator, .first = 1'021, .last = 9'003}));
    const sample::KernelDispatcher player(question.plan, policy, 1, sample::Generator::Philox4x32_10, {},
                                          sample::targets().front(), 1'000'000);
    CHECK(player.kernel() == std::string("lanes"));
  }
}
