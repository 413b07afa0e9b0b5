// A kernel that disagrees with the reference kernel is replaced by the next one: the counts are right, and the answer
// names the replacement.
#include <catch2/catch.hpp>

#include "answers/estimates.h"
#include "exact/exact.h"
#include "load/load.h"
#include "sample/sample.h"
#include "sample/vector/vector_kernel.h"
#include "support/differential.h"

using namespace salvo;

namespace {

enum class Wrong { Native, BitSliced, All };

/// The best kernels of this processor; those that `kWrong` names play with the dice of another seed.
template <Wrong kWrong>
sample::Target wrong_kernels() {
  sample::Target out = sample::vector_targets().front();
  out.name = "wrong";
  out.play = [](const sample::Program& program, sample::Generator generator, std::uint64_t seed, std::uint64_t first,
                std::uint64_t last, sample::Workspace& workspace, std::uint64_t* counts) {
    const bool wrong = kWrong == Wrong::Native      ? program.native != nullptr
                       : kWrong == Wrong::BitSliced ? counts != nullptr  // the lane kernel takes rows only
                                                    : true;
    sample::vector_targets().front().play(program, generator, wrong ? seed + 1 : seed, first, last, workspace, counts);
  };
  return out;
}

salvo::compile::CompiledScenario attack() {
  return compile::compile_scenario(
      differential::catalogue(),
      scenario_from_specs(differential::catalogue(), "second-edition", "2025", {"3 focus lock"}, "3 focus evade"));
}

salvo::game::Distribution played(const salvo::compile::CompiledScenario& question, const sample::Target& kernels) {
  return sample::run(question.plan, exact::solve(question.plan).policy,
                     {.trials = 30'000, .seed = 5, .kernels = &kernels});
}

void check_fallback(const sample::Target& kernels, const std::string& disagreed, const std::string& instead,
                    const std::string& kernel) {
  const salvo::compile::CompiledScenario question = attack();
  const salvo::game::Distribution got = played(question, kernels);
  const salvo::game::Distribution right = sample::run(question.plan, exact::solve(question.plan).policy,
                                                      {.trials = 30'000, .seed = 5, .target = "reference"});
  CHECK(got.kernel == kernel);
  CHECK(got.value == right.value);
  CHECK((got.ships[0].joint == right.ships[0].joint).all());
  const std::string want = "sampling: " + disagreed + " on wrong did not count what the reference kernel counts, so " +
                           instead + " played instead; the figures are right, but please report this";
  CHECK(got.kernel_fallback == want);
  CHECK(answers::make_report(question.labels, got).notes == std::vector<std::string>{want});
}

}  // namespace

TEST_CASE("a kernel that disagrees is not used, and the answer names it and its replacement", "[sample][fallback]") {
  const bool native = sample::vector_targets().front().native != sample::NativeWidth::None;
  const std::string bit_sliced = native ? "native code and the interpreted program" : "the interpreted program";
  if (native) check_fallback(wrong_kernels<Wrong::Native>(), "native code", "the interpreted program", "bit-sliced");
  check_fallback(wrong_kernels<Wrong::BitSliced>(), bit_sliced, "the lane kernel", "lanes");
  check_fallback(wrong_kernels<Wrong::All>(), bit_sliced + " and the lane kernel", "the reference kernel", "plain");
}

TEST_CASE("no fallback is reported when all kernels agree", "[sample][fallback]") {
  const salvo::game::Distribution got = played(attack(), sample::vector_targets().front());
  CHECK(got.kernel_fallback.empty());
  CHECK(answers::make_report(attack().labels, got).notes.empty());
}
