// The vector kernels, compiled once per instruction set. They use no floating point, so all give the same counts.
#include "sample/vector/vector_kernel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <new>
#include <utility>

#include "base/ars.h"
#include "base/xoshiro.h"
#include "sample/vector/random_words.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/vector/vector_kernel.cpp"
// clang-format off: foreach_target.h has to come before highway.h
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#include "sample/vector/vector_logic-inl.h"
#include "sample/vector/vector_random-inl.h"
#include "sample/vector/vector_transpose-inl.h"
#include "sample/vector/vector_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace salvo::sample::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The operands of an operation on rows.
struct Rows {
  const std::uint64_t *a, *b, *c;
  std::uint64_t* d;
  std::size_t words;
};

template <Op kFirst>
HWY_INLINE void single(const Rows& rows) {
  const D64 d;
  for (std::size_t i = 0; i < rows.words; i += 2 * kVectorWords) {
    hn::Store(combine<kFirst>(hn::Load(d, rows.a + i), hn::Load(d, rows.b + i)), d, rows.d + i);
    const std::size_t j = i + kVectorWords;
    hn::Store(combine<kFirst>(hn::Load(d, rows.a + j), hn::Load(d, rows.b + j)), d, rows.d + j);
  }
}

template <Op kFirst, Op kSecond, bool kSwapped>
HWY_INLINE void twice(const Rows& rows) {
  const D64 d;
  const auto at = [&](std::size_t i) HWY_ATTR {
    using F = Twice<kFirst, kSecond, kSwapped>;
    hn::Store(ternary<F>(hn::Load(d, rows.a + i), hn::Load(d, rows.b + i), hn::Load(d, rows.c + i)), d, rows.d + i);
  };
  for (std::size_t i = 0; i < rows.words; i += 2 * kVectorWords) {
    at(i);
    at(i + kVectorWords);
  }
}

template <Op kFirst>
HWY_INLINE void twice(const Instruction& instruction, const Rows& rows) {
  switch (instruction.second) {
    case Op::And:
      return twice<kFirst, Op::And, false>(rows);
    case Op::AndNot:
      return instruction.swapped ? twice<kFirst, Op::AndNot, true>(rows) : twice<kFirst, Op::AndNot, false>(rows);
    case Op::Or:
      return twice<kFirst, Op::Or, false>(rows);
    case Op::Xor:
      return twice<kFirst, Op::Xor, false>(rows);
  }
}

template <bool kComplement>
HWY_INLINE void select(const Rows& rows) {
  const D64 d;
  const auto at = [&](std::size_t i) HWY_ATTR {
    using F = Choose<kComplement>;
    hn::Store(ternary<F>(hn::Load(d, rows.a + i), hn::Load(d, rows.b + i), hn::Load(d, rows.c + i)), d, rows.d + i);
  };
  for (std::size_t i = 0; i < rows.words; i += 2 * kVectorWords) {
    at(i);
    at(i + kVectorWords);
  }
}

void logic(const Instruction& instruction, Workspace& workspace, std::size_t words) {
  const Rows rows{workspace.row(instruction.a), workspace.row(instruction.b), workspace.row(instruction.c),
                  workspace.row(instruction.d), words};
  if (instruction.kind == Instruction::Kind::Select) {
    return instruction.swapped ? select<true>(rows) : select<false>(rows);
  }
  const bool one = instruction.kind == Instruction::Kind::Single;
  switch (instruction.first) {
    case Op::And:
      return one ? single<Op::And>(rows) : twice<Op::And>(instruction, rows);
    case Op::AndNot:
      return one ? single<Op::AndNot>(rows) : twice<Op::AndNot>(instruction, rows);
    case Op::Or:
      return one ? single<Op::Or>(rows) : twice<Op::Or>(instruction, rows);
    case Op::Xor:
      return one ? single<Op::Xor>(rows) : twice<Op::Xor>(instruction, rows);
  }
}

/// Carry-save adder: `sum` becomes the lower bit of the sum; returns the upper bit.
HWY_INLINE V add_three(V& sum, V b, V c) {
  const V carry = ternary<Majority>(sum, b, c);
  sum = ternary<Xor3>(sum, b, c);
  return carry;
}

/// Adds the set bits of a row to a count, which is stored as bit-sliced ones, twos and fours, plus a number of eights.
HWY_INLINE void count_row(const std::uint64_t* HWY_RESTRICT row, std::uint64_t* HWY_RESTRICT carries,
                          std::size_t words) {
  const D64 d;
  V ones = hn::Load(d, carries);
  V twos = hn::Load(d, carries + kVectorWords);
  V fours = hn::Load(d, carries + 2 * kVectorWords);
  V eights = hn::Load(d, carries + 3 * kVectorWords);
  std::size_t i = 0;
  const auto at = [&](std::size_t n) HWY_ATTR { return hn::Load(d, row + i + n * kVectorWords); };
  const auto add_fours = [&](V more) HWY_ATTR {
    eights = hn::Add(eights, count_bits(hn::And(fours, more)));
    fours = hn::Xor(fours, more);
  };
  const auto add_twos = [&](V more) HWY_ATTR {
    add_fours(hn::And(twos, more));
    twos = hn::Xor(twos, more);
  };
  for (; i + 8 * kVectorWords <= words; i += 8 * kVectorWords) {
    // Three independent sums at a time.
    V a = at(0);
    V b = at(3);
    V c = at(6);
    V twos_a = add_three(a, at(1), at(2));
    const V twos_b = add_three(b, at(4), at(5));
    const V twos_c = add_three(c, at(7), ones);
    const V twos_d = add_three(a, b, c);
    ones = a;
    const V fours_a = add_three(twos_a, twos_b, twos_c);
    const V fours_b = add_three(twos, twos_a, twos_d);
    eights = hn::Add(eights, count_bits(add_three(fours, fours_a, fours_b)));
  }
  // For the short rows of large programs.
  if (i + 4 * kVectorWords <= words) {
    const V twos_a = add_three(ones, at(0), at(1));
    const V twos_b = add_three(ones, at(2), at(3));
    add_fours(add_three(twos, twos_a, twos_b));
    i += 4 * kVectorWords;
  }
  if (i + 2 * kVectorWords <= words) {
    add_twos(add_three(ones, at(0), at(1)));
    i += 2 * kVectorWords;
  }
  if (i < words) add_twos(add_three(ones, at(0), hn::Zero(d)));
  hn::Store(ones, d, carries);
  hn::Store(twos, d, carries + kVectorWords);
  hn::Store(fours, d, carries + 2 * kVectorWords);
  hn::Store(eights, d, carries + 3 * kVectorWords);
}

std::uint64_t bits_of(std::uint64_t x) { return static_cast<std::uint64_t>(hwy::PopCount(x)); }

/// Counts the trials first <= s < last of a chunk, those that belong to the run.
void count_part(const std::uint64_t* row, std::size_t first, std::size_t last, std::uint64_t& count) {
  for (std::size_t word = first / 64; word * 64 < last; ++word) {
    std::uint64_t bits = row[word];
    if (word == first / 64) bits &= ~std::uint64_t{0} << first % 64;
    if (last - word * 64 < 64) bits &= (std::uint64_t{1} << last % 64) - 1;
    count += bits_of(bits);
  }
}

/// Redraws values for the trials from `start` on whose bit is set in the row `chosen`.
void draw_again(const Rejection& die, Workspace& workspace, const std::uint64_t* chosen, std::size_t words,
                const PhiloxSource& philox, std::uint64_t seed, std::uint64_t start) {
  const D64 d;
  // A chunk never crosses a multiple of 2^32.
  alignas(64) std::uint64_t drawn[kLargestChunk + 8];
  std::size_t n = 0;
  for (std::size_t word = 0; word < words; ++word) {
    for (std::uint64_t open = chosen[word]; open != 0; open &= open - 1)
      drawn[n++] = start + 64 * word + hwy::Num0BitsBelowLS1Bit_Nonzero64(open);
  }
  for (std::size_t i = 0; i < n; i += kVectorWords) {
    const V low = hn::Load(d, drawn + i);
    hn::Store(philox.first_word(low, static_cast<std::uint32_t>(start >> 32), die.plane, kRejectionStream), d,
              drawn + i);
  }
  const auto sides = static_cast<std::uint32_t>(die.sides);
  const std::uint32_t limit = ~std::uint32_t{0} / sides * sides;
  const std::uint64_t* next = drawn;
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t results[kMaxRejectionBits] = {};
    for (std::uint64_t open = chosen[word]; open != 0; open &= open - 1) {
      const std::uint64_t at = hwy::Num0BitsBelowLS1Bit_Nonzero64(open);
      const auto bits = static_cast<std::uint32_t>(*next++);
      const std::uint32_t value =
          bits < limit ? bits % sides
                       : value_after_rejection(seed, start + 64 * word + at, static_cast<int>(die.plane), die.sides);
      for (std::size_t bit = 0; bit < kMaxRejectionBits; ++bit)
        results[bit] |= std::uint64_t{die.result[value] >> bit & 1u} << at;
    }
    for (std::size_t bit = 0; bit < die.rows.size(); ++bit) {
      std::uint64_t& row = workspace.row(die.rows[bit])[word];
      row = (row & ~chosen[word]) | results[bit];
    }
  }
}

std::uint64_t* carries_of(Workspace& workspace, std::size_t count) {
  return workspace.carries() + count * Workspace::kCarryVectors * kVectorWords;
}

/// Adds the carry-save counts to `counts` and clears them.
void flush(const Program& program, Workspace& workspace, std::uint64_t* counts) {
  for (std::size_t c = 0; c < program.counts; ++c) {
    std::uint64_t* carries = carries_of(workspace, c);
    for (std::size_t word = 0; word < kVectorWords; ++word) {
      counts[c] += bits_of(carries[word]) + 2 * bits_of(carries[kVectorWords + word]) +
                   4 * bits_of(carries[2 * kVectorWords + word]) + 8 * carries[3 * kVectorWords + word];
    }
    std::fill_n(carries, Workspace::kCarryVectors * kVectorWords, 0);
    if (!program.counting) continue;
    std::uint64_t* totals = workspace.totals() + 8 * c;
    for (std::size_t word = 0; word < 8; ++word) counts[c] += std::exchange(totals[word], 0);
  }
}

void play(const Program& program, Generator generator, std::uint64_t seed, std::uint64_t first, std::uint64_t last,
          Workspace& workspace, std::uint64_t* counts) {
  const std::uint64_t chunk = program.chunk;
  const std::size_t words = program.chunk / 64;
  const PhiloxSource philox(seed);
  const ArsSource ars(seed);
  alignas(64) std::uint64_t prepared[kLargestChunk / 64 * PhiloxSource::Groups::kVectors];
  for (std::uint64_t start = first / chunk * chunk; start < last; start += chunk) {
    const bool whole = start >= first && start + chunk <= last;
    if (generator == Generator::Xoshiro256pp) fill_xoshiro(program, seed, start, workspace);
    if (generator == Generator::Philox4x32_10) prepare_philox(philox, start, words, prepared);
    for (const Instruction& instruction : program.code) {
      switch (instruction.kind) {
        case Instruction::Kind::Fill: {
          const Fill& fill = program.fills[instruction.a];
          if (generator == Generator::Ars7) {
            fill_ars(ars, fill, start, words, workspace);
          } else {
            fill_philox(philox, fill, start, words, prepared, workspace);
          }
          break;
        }
        case Instruction::Kind::Count:
          if (whole) {
            if (instruction.counted) break;
            count_row(workspace.row(instruction.a), carries_of(workspace, instruction.d), words);
          } else {
            count_part(workspace.row(instruction.a), static_cast<std::size_t>(std::max(first, start) - start),
                       static_cast<std::size_t>(std::min(last - start, chunk)), counts[instruction.d]);
          }
          break;
        case Instruction::Kind::Native:
          (whole && program.counting ? program.counting : program.native)
              ->run(workspace.rows(), workspace.scratch(), workspace.totals());
          break;
        case Instruction::Kind::Rejection:
          draw_again(program.rejections[instruction.d], workspace, workspace.row(instruction.a), words, philox, seed,
                     start);
          break;
        case Instruction::Kind::Transpose:
          transpose(workspace.row(instruction.a), workspace.stride(), words);
          break;
        default:
          logic(instruction, workspace, words);
      }
    }
  }
  flush(program, workspace, counts);
}

bool walk_lanes(const LaneStep* tables, const std::uint64_t* words, const LaneStep* from, LaneStep* to,
                std::size_t lanes, int times) {
  return walk(tables, words, from, to, lanes, times);
}

std::uint64_t draw(Generator generator, std::uint64_t seed, std::uint64_t planes, std::uint64_t trials) {
  return draw_planes(generator, seed, planes, trials);
}

}  // namespace salvo::sample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace salvo::sample {
namespace {

std::string small_letters(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

constexpr std::size_t kAlignment = 64;

#if HWY_ARCH_X86
/// Whether the processor has an instruction set and the system saves its registers. Highway's own check is not used:
/// linking its library adds 4 ms to every program start to calibrate a clock, and version 1.0.3 ignores whether the
/// system saves the registers (Linux: noxsave).
bool is_supported(std::int64_t target) {
  // Features that every processor with the others has (lzcnt, f16c, vaes) cannot be queried here.
  if (!__builtin_cpu_supports("ssse3")) return false;
  if (target == HWY_SSSE3) return true;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2")) return false;
  if (!__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes")) return false;
  if (target == HWY_SSE4) return true;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return false;
  if (!__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")) return false;
  if (target == HWY_AVX2) return true;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl")) return false;
  if (!__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw")) return false;
  if (target == HWY_AVX3) return true;
  if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("vpclmulqdq")) return false;
  if (!__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2")) return false;
  if (!__builtin_cpu_supports("avx512vpopcntdq") || !__builtin_cpu_supports("avx512bitalg")) return false;
  return target == HWY_AVX3_DL;
}
#else
[[maybe_unused]] bool is_supported(std::int64_t target) { return (hwy::SupportedTargets() & target) != 0; }
#endif

NativeWidth native_width(std::int64_t target) {
#if HWY_ARCH_X86_64
  if (target == HWY_AVX3_DL) return NativeWidth::Avx512Counts;
  if (target == HWY_AVX3) return NativeWidth::Avx512;
  if (target == HWY_AVX2) return NativeWidth::Avx2;
#endif
  (void)target;
  return NativeWidth::None;
}

/// The functions of one instruction set.
struct Functions {
  VectorKernel play;
  LaneWalk walk;
  DrawPlanes draw;
};

void add_target(std::int64_t target, const Functions& of, std::vector<Target>& out) {
  const std::string name = small_letters(hwy::TargetName(target));
  const NativeWidth native = native_width(target);
  if (native != NativeWidth::None) out.push_back({name, of.play, native, of.walk, of.draw});
  out.push_back(
      {native != NativeWidth::None ? name + "-interpreted" : name, of.play, NativeWidth::None, of.walk, of.draw});
}

#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)

std::vector<Target> find_targets() {
  std::vector<Target> out;
  add_target(HWY_STATIC_TARGET,
             {&HWY_STATIC_DISPATCH(play), &HWY_STATIC_DISPATCH(walk_lanes), &HWY_STATIC_DISPATCH(draw)}, out);
  return out;
}

#else

/// The versions of each function: one per instruction set, best first, null if not compiled; last, plain code.
constexpr std::size_t kVersions = HWY_MAX_DYNAMIC_TARGETS + 1;
constexpr std::array<VectorKernel, kVersions> kPlay{HWY_CHOOSE_TARGET_LIST(play), HWY_CHOOSE_FALLBACK(play)};
constexpr std::array<LaneWalk, kVersions> kWalk{HWY_CHOOSE_TARGET_LIST(walk_lanes), HWY_CHOOSE_FALLBACK(walk_lanes)};
constexpr std::array<DrawPlanes, kVersions> kDraw{HWY_CHOOSE_TARGET_LIST(draw), HWY_CHOOSE_FALLBACK(draw)};

std::vector<Target> find_targets() {
  std::vector<Target> out;
  for (std::size_t i = 0; i + 1 < kVersions; ++i) {
    const std::int64_t target = std::int64_t{1} << (HWY_HIGHEST_TARGET_BIT + 2 - kVersions + i);
    if ((HWY_TARGETS & target) == 0 || kPlay[i] == nullptr || !is_supported(target)) continue;
    add_target(target, {kPlay[i], kWalk[i], kDraw[i]}, out);
  }
  constexpr std::size_t kLast = kVersions - 1;
  if ((HWY_TARGETS & (HWY_EMU128 | HWY_SCALAR)) != 0)
    add_target(HWY_STATIC_TARGET, {kPlay[kLast], kWalk[kLast], kDraw[kLast]}, out);
  return out;
}

#endif

}  // namespace

const std::vector<Target>& vector_targets() {
  static const std::vector<Target> targets = find_targets();
  return targets;
}

void Workspace::Free::operator()(std::uint64_t* p) const { ::operator delete[](p, std::align_val_t(kAlignment)); }

Workspace::Workspace(const Program& program)
    : stride_(program.chunk / 64),
      rows_words_((static_cast<std::size_t>(program.rows) * stride_ + 7) / 8 * 8),
      scratch_word_(rows_words_ + (program.counts * kCarryVectors * 8 + 7) / 8 * 8) {
  std::size_t scratch_words = 0;
  for (const auto& code : {program.native, program.counting})
    if (code) scratch_words = std::max(scratch_words, code->scratch_bytes() / sizeof(std::uint64_t));
  totals_word_ = scratch_word_ + (scratch_words + 7) / 8 * 8;
  const std::size_t words = totals_word_ + (program.counting ? 8 * program.counts : 0) + 8;
  memory_.reset(
      static_cast<std::uint64_t*>(::operator new[](words * sizeof(std::uint64_t), std::align_val_t(kAlignment))));
  std::fill_n(memory_.get(), words, 0);
}

}  // namespace salvo::sample
#endif
