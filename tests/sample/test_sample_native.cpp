// Native code and its logic steps against the gates that they implement, on random logic.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <new>
#include <numeric>
#include <random>

#include "exact/exact.h"
#include "load/load.h"
#include "sample/bitsliced/logic_steps.h"
#include "sample/bitsliced/native_code.h"
#include "sample/kernel_dispatcher.h"
#include "sample/vector/vector_kernel.h"
#include "support/differential.h"

using namespace salvo;
using namespace salvo::sample;

namespace {

constexpr int kPlanes = 9;

/// Random gates over planes, some of them counted; with many gates, values are read again long after they were
/// computed.
Circuit random_circuit(std::mt19937_64& random, int gates) {
  Circuit out;
  std::vector<Bit> bits;
  for (int p = 0; p < kPlanes; ++p) bits.push_back(out.logic.plane(p));
  const auto any = [&] {
    const Bit bit = bits[random() % bits.size()];
    return random() % 3 == 0 ? !bit : bit;
  };
  for (int i = 0; i < gates; ++i) {
    switch (random() % 4) {
      case 0:
        bits.push_back(out.logic.both(any(), any()));
        break;
      case 1:
        bits.push_back(out.logic.differ(any(), any()));
        break;
      case 2:
        bits.push_back(out.logic.choose(any(), any(), any()));
        break;
      default:
        bits.push_back(out.logic.majority(any(), any(), any()));
    }
    if (random() % 8 == 0) out.counters.of(bits.back());
  }
  out.counters.of(bits.back());
  out.counters.of(bits[random() % kPlanes]);
  return out;
}

/// The value of each gate, from its definition.
std::vector<std::uint64_t> values_of(const Logic& logic, const std::vector<std::uint64_t>& planes) {
  std::vector<std::uint64_t> out;
  for (const Gate& gate : logic.gates()) {
    const auto in = [&](Bit bit) { return bit.complemented() ? ~out[bit.gate()] : out[bit.gate()]; };
    switch (gate.kind) {
      case Gate::Kind::False:
        out.push_back(0);
        break;
      case Gate::Kind::Plane:
        out.push_back(planes[static_cast<std::size_t>(gate.plane)]);
        break;
      case Gate::Kind::And:
        out.push_back(in(gate.a) & in(gate.b));
        break;
      case Gate::Kind::Xor:
        out.push_back(in(gate.a) ^ in(gate.b));
        break;
    }
  }
  return out;
}

std::uint64_t apply(std::uint8_t table, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t out = 0;
  for (int bit = 0; bit < 64; ++bit) {
    const unsigned row = static_cast<unsigned>((a >> bit & 1u) << 2 | (b >> bit & 1u) << 1 | (c >> bit & 1u));
    out |= std::uint64_t{static_cast<unsigned>(table) >> row & 1u} << bit;
  }
  return out;
}

std::vector<std::uint64_t> random_words(std::mt19937_64& random, std::size_t n) {
  std::vector<std::uint64_t> out(n);
  std::generate(out.begin(), out.end(), [&] { return random(); });
  return out;
}

/// Words with the alignment that native code requires.
struct AlignedWords {
  explicit AlignedWords(std::size_t n)
      : words(static_cast<std::uint64_t*>(::operator new[]((n + 8) * 8, std::align_val_t(64)))) {}
  ~AlignedWords() { ::operator delete[](words, std::align_val_t(64)); }
  AlignedWords(const AlignedWords&) = delete;
  AlignedWords& operator=(const AlignedWords&) = delete;
  std::uint64_t* words;
};

/// The same steps with counts instead of rows; runs twice, since totals accumulate.
void check_totals(const Circuit& circuit, const LogicSteps& steps, RowLayout layout,
                  const std::vector<std::vector<std::uint64_t>>& planes) {
  std::vector<std::uint64_t> want;
  std::uint32_t rows = 0;
  layout.total.assign(layout.row.size(), kNoRow);
  for (const std::uint32_t plane : steps.planes) rows = std::max(rows, layout.row[plane] + 1);
  for (const std::uint32_t counted : circuit.counters.gates()) {
    if (circuit.logic.gates()[counted].kind == Gate::Kind::Plane) continue;
    layout.row[counted] = kNoRow;
    layout.total[counted] = static_cast<std::uint32_t>(want.size());
    want.push_back(0);
    for (const std::vector<std::uint64_t>& word : planes) {
      const std::uint64_t value = values_of(circuit.logic, word)[counted];
      want.back() += 2 * static_cast<std::uint64_t>(std::popcount(steps.inverted[counted] ? ~value : value));
    }
  }
  const auto code = NativeCode::make(steps, layout, NativeWidth::Avx512Counts);
  REQUIRE(code);
  const std::size_t row_words = layout.row_bytes / 8;
  const AlignedWords memory(rows * row_words);
  const AlignedWords scratch(code->scratch_bytes() / 8);
  const AlignedWords totals(want.size() * 8);
  std::fill_n(totals.words, want.size() * 8, 0);
  for (const std::uint32_t gate : steps.planes) {
    const auto plane = static_cast<std::size_t>(circuit.logic.gates()[gate].plane);
    for (std::size_t word = 0; word < row_words; ++word)
      memory.words[layout.row[gate] * row_words + word] = planes[word][plane];
  }
  for (int time = 0; time < 2; ++time) code->run(memory.words, scratch.words, totals.words);
  for (std::size_t i = 0; i < want.size(); ++i)
    CHECK(std::accumulate(totals.words + 8 * i, totals.words + 8 * (i + 1), std::uint64_t{0}) == want[i]);
}

}  // namespace

TEST_CASE("steps compute the values of the gates", "[sample][native]") {
  std::mt19937_64 random(20261121);
  std::size_t binary = 0;
  std::size_t ternary = 0;
  for (int round = 0; round < 60; ++round) {
    const Circuit circuit = random_circuit(random, 5 + round * 4);
    const std::vector<std::uint64_t> planes = random_words(random, kPlanes);
    const std::vector<std::uint64_t> want = values_of(circuit.logic, planes);
    for (const bool wide : {false, true}) {
      const LogicSteps steps =
          wide ? ternary_steps(circuit, uses_of(circuit)) : binary_steps(circuit, uses_of(circuit));
      (wide ? ternary : binary) += steps.steps.size();
      std::vector<std::uint64_t> got(want.size());
      for (const std::uint32_t plane : steps.planes) got[plane] = want[plane];
      for (const LogicStep& step : steps.steps) {
        if (!wide) {
          CHECK((step.table == kTableAnd || step.table == kTableAndNot || step.table == kTableOr ||
                 step.table == kTableXor));
        }
        got[step.out] = apply(step.table, got[step.in[0]], step.inputs > 1 ? got[step.in[1]] : 0,
                              step.inputs > 2 ? got[step.in[2]] : 0);
      }
      for (const std::uint32_t counted : circuit.counters.gates())
        CHECK((steps.inverted[counted] ? ~got[counted] : got[counted]) == want[counted]);
    }
  }
  CHECK(ternary * 3 < binary * 2);
}

TEST_CASE("native code computes the values of the gates, also of more values than registers", "[sample][native]") {
  std::mt19937_64 random(20261122);
  int widths = 0;
  for (const Target& target : vector_targets()) {
    if (target.native == NativeWidth::None) continue;
    ++widths;
    for (int round = 0; round < 60; ++round) {
      CAPTURE(target.name, round);
      const Circuit circuit = random_circuit(random, 5 + round * round / 4);
      const LogicSteps steps = target.native == NativeWidth::Avx2 ? binary_steps(circuit, uses_of(circuit))
                                                                  : ternary_steps(circuit, uses_of(circuit));
      constexpr std::size_t kRowWords = 16;
      RowLayout layout{std::vector<std::uint32_t>(circuit.logic.gates().size(), kNoRow), kRowWords * 8, {}};
      std::uint32_t rows = 0;
      for (const std::uint32_t plane : steps.planes) layout.row[plane] = rows++;
      for (const std::uint32_t counted : circuit.counters.gates()) {
        if (layout.row[counted] == kNoRow) layout.row[counted] = rows++;
      }
      const auto code = NativeCode::make(steps, layout, target.native);
      REQUIRE(code);
      const AlignedWords memory(rows * kRowWords);
      const AlignedWords scratch(code->scratch_bytes() / 8);
      std::vector<std::vector<std::uint64_t>> planes;
      for (std::size_t word = 0; word < kRowWords; ++word) planes.push_back(random_words(random, kPlanes));
      for (const std::uint32_t gate : steps.planes) {
        const auto plane = static_cast<std::size_t>(circuit.logic.gates()[gate].plane);
        for (std::size_t word = 0; word < kRowWords; ++word)
          memory.words[layout.row[gate] * kRowWords + word] = planes[word][plane];
      }
      code->run(memory.words, scratch.words, nullptr);
      bool same = true;
      for (std::size_t word = 0; word < kRowWords; ++word) {
        const std::vector<std::uint64_t> want = values_of(circuit.logic, planes[word]);
        for (const std::uint32_t counted : circuit.counters.gates()) {
          const std::uint64_t got = memory.words[layout.row[counted] * kRowWords + word];
          same = same && (steps.inverted[counted] ? ~got : got) == want[counted];
        }
      }
      CHECK(same);
      if (round == 59) CHECK(code->scratch_bytes() > 0);
      if (target.native == NativeWidth::Avx512Counts) check_totals(circuit, steps, layout, planes);
    }
  }
  if (widths == 0) WARN("this processor has no registers that native code is made for");
}

TEST_CASE("programs have native code if the target requires it", "[sample][native]") {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(
      differential::catalogue(),
      scenario_from_specs(differential::catalogue(), "second-edition", "2025", {"3 focus lock"}, "3 focus evade"));
  const salvo::game::Policy policy = exact::solve(question.plan).policy;
  for (const Target& target : vector_targets()) {
    const KernelDispatcher player(question.plan, policy, 1, Generator::Philox4x32_10, {}, target.name, 1'000'000);
    REQUIRE(player.program());
    CAPTURE(target.name);
    CHECK(static_cast<bool>(player.program()->native) == (target.native != NativeWidth::None));
  }
}
