// Random bits in vectors: the streams of random_words.h, many trials at a time. Included once per instruction set by
// vector_kernel.cpp.
#if defined(SALVO_SAMPLE_VECTOR_RANDOM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SALVO_SAMPLE_VECTOR_RANDOM_INL_H_
#undef SALVO_SAMPLE_VECTOR_RANDOM_INL_H_
#else
#define SALVO_SAMPLE_VECTOR_RANDOM_INL_H_
#endif

#include "hwy/highway.h"
#include "sample/vector/vector_logic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace salvo::sample::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

/// Philox4x32-10 where a vector is one word of 64 trials: two groups.
class PhiloxSource {
 public:
  explicit PhiloxSource(std::uint64_t seed) : key_(base::philox_key(seed)) {}

  struct Groups {
    V first;
    static constexpr std::size_t kVectors = 1;
    void load(const std::uint64_t* from) { first = hn::Load(D64(), from); }
    void store(std::uint64_t* to) const { hn::Store(first, D64(), to); }
  };
  Groups groups(std::uint64_t group) const { return {hn::Set(D64(), group)}; }

  struct Index {
    std::uint32_t index;
  };
  Index index(std::uint64_t /*group*/, std::uint32_t index) const { return {index}; }

  void four(const Groups& groups, const Index& of, V* planes) const {
    const D64 d;
    const std::uint64_t group = hn::GetLane(groups.first);
    base::PhiloxCounter half[2];
    for (std::uint64_t i = 0; i < 2; ++i) {
      half[i] = base::philox4x32(
          {static_cast<std::uint32_t>(group + i), static_cast<std::uint32_t>((group + i) >> 32), of.index, 0}, key_);
    }
    for (std::size_t i = 0; i < 4; ++i) planes[i] = hn::Set(d, half[0][i] | std::uint64_t{half[1][i]} << 32);
  }
  V first_word(V low, std::uint32_t high, std::uint32_t number, std::uint32_t stream) const {
    return hn::Set(D64(),
                   base::philox4x32({static_cast<std::uint32_t>(hn::GetLane(low)), high, number, stream}, key_)[0]);
  }

 private:
  base::PhiloxKey key_;
};

using DArs = D64;

/// ARS-7 where a vector is one word of 64 trials: half a block.
class ArsSource {
 public:
  explicit ArsSource(std::uint64_t seed) : key_(base::ars_key_of(seed)) {}

  class Plane {
   public:
    Plane(const ArsSource& source, std::uint64_t word, std::uint32_t plane)
        : key_(source.key_), word_(word), plane_(plane) {}
    V next() {
      const std::uint64_t block = word_ / 2;
      const base::ArsWords out =
          base::ars4x32({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), plane_, 0}, key_);
      const std::size_t half = word_++ % 2 * 2;
      return hn::Set(D64(), out[half] | std::uint64_t{out[half + 1]} << 32);
    }

   private:
    base::ArsWords key_;
    std::uint64_t word_;
    std::uint32_t plane_;
  };

 private:
  base::ArsWords key_;
};

#else

/// Philox4x32-10 for consecutive groups of 32 trials, one per 32-bit vector lane. Products need 64 bits, so even and
/// odd lanes are computed separately.
class PhiloxSource {
 public:
  explicit PhiloxSource(std::uint64_t seed) {
    base::PhiloxKey key = base::philox_key(seed);
    for (std::size_t round = 0; round < kRounds; ++round) {
      key_[2 * round] = key[0];
      key_[2 * round + 1] = key[1];
      key = base::next_philox_key(key);
    }
  }

  /// The result of the first two rounds for a vector of groups, as far as it does not depend on the index. For even
  /// groups [0] and odd ones [1]: the products of the first and of the second round, and the upper half of the latter.
  struct Groups {
    V first[2], second[2], upper[2];
    static constexpr std::size_t kVectors = 6;

    HWY_INLINE void load(const std::uint64_t* from) {
      const D64 d;
      for (std::size_t i = 0; i < 2; ++i) {
        first[i] = hn::Load(d, from + (3 * i) * kVectorWords);
        second[i] = hn::Load(d, from + (3 * i + 1) * kVectorWords);
        upper[i] = hn::Load(d, from + (3 * i + 2) * kVectorWords);
      }
    }
    HWY_INLINE void store(std::uint64_t* to) const {
      const D64 d;
      for (std::size_t i = 0; i < 2; ++i) {
        hn::Store(first[i], d, to + (3 * i) * kVectorWords);
        hn::Store(second[i], d, to + (3 * i + 1) * kVectorWords);
        hn::Store(upper[i], d, to + (3 * i + 2) * kVectorWords);
      }
    }
  };
  HWY_INLINE Groups groups(std::uint64_t group) const {
    const D64 d;
    const V even = hn::Add(hn::Set(d, group & 0xffffffffu), hn::ShiftLeft<1>(hn::Iota(d, 0)));
    const V numbers[2] = {even, hn::Add(even, hn::Set(d, 1))};
    Groups out;
    for (std::size_t i = 0; i < 2; ++i) {
      out.first[i] = multiply(numbers[i], hn::Set(d, base::kPhiloxMultipliers[0]));
      const V c2 = hn::Xor(hn::ShiftRight<32>(out.first[i]), hn::Set(d, key_[1]));
      out.second[i] = multiply(c2, hn::Set(d, base::kPhiloxMultipliers[1]));
      out.upper[i] = hn::ShiftRight<32>(out.second[i]);
    }
    return out;
  }

  /// The same for the index, as far as it does not depend on the group: what words 0 and 2 of the counter are xored
  /// with, and word 3. A vector of groups never crosses a multiple of 2^32, so the upper half of `group` is the same in
  /// all lanes.
  struct Index {
    std::uint32_t flip0, flip2, word3;
  };
  Index index(std::uint64_t group, std::uint32_t index) const {
    const std::uint64_t first = std::uint64_t{index} * base::kPhiloxMultipliers[1];
    const std::uint32_t c0 =
        static_cast<std::uint32_t>(first >> 32) ^ static_cast<std::uint32_t>(group >> 32) ^ key_[0];
    const std::uint64_t second = std::uint64_t{c0} * base::kPhiloxMultipliers[0];
    return {static_cast<std::uint32_t>(first) ^ key_[2], static_cast<std::uint32_t>(second >> 32) ^ key_[3],
            static_cast<std::uint32_t>(second)};
  }

  /// Planes 4*index to 4*index+3 of a vector of groups: the remaining eight rounds.
  HWY_INLINE void four(const Groups& groups, const Index& of, V* planes) const {
    const D64 d;
    const D32 d32;
    V a0 = hn::Xor(groups.upper[0], hn::Set(d, of.flip0));
    V b0 = hn::Xor(groups.upper[1], hn::Set(d, of.flip0));
    V a1 = groups.second[0];
    V b1 = groups.second[1];
    V a2 = hn::Xor(groups.first[0], hn::Set(d, of.flip2));
    V b2 = hn::Xor(groups.first[1], hn::Set(d, of.flip2));
    V a3 = hn::Set(d, of.word3);
    V b3 = a3;
    const V m0 = hn::Set(d, base::kPhiloxMultipliers[0]);
    const V m1 = hn::Set(d, base::kPhiloxMultipliers[1]);
    HWY_UNROLL(8)
    for (std::size_t round = 2; round < kRounds; ++round) {
      const V k0 = hn::Set(d, key_[2 * round]);
      const V k1 = hn::Set(d, key_[2 * round + 1]);
      const V p0 = multiply(a0, m0);
      const V p1 = multiply(a2, m1);
      const V q0 = multiply(b0, m0);
      const V q1 = multiply(b2, m1);
      a0 = ternary<Xor3>(hn::ShiftRight<32>(p1), a1, k0);
      b0 = ternary<Xor3>(hn::ShiftRight<32>(q1), b1, k0);
      a2 = ternary<Xor3>(hn::ShiftRight<32>(p0), a3, k1);
      b2 = ternary<Xor3>(hn::ShiftRight<32>(q0), b3, k1);
      a1 = p1;
      b1 = q1;
      a3 = p0;
      b3 = q0;
    }
    const auto merge = [&](V a, V b) HWY_ATTR {
      return hn::BitCast(d, hn::OddEven(hn::DupEven(hn::BitCast(d32, b)), hn::BitCast(d32, a)));
    };
    planes[0] = merge(a0, b0);
    planes[1] = merge(a1, b1);
    planes[2] = merge(a2, b2);
    planes[3] = merge(a3, b3);
  }

  /// In the lower half of each word the first word of philox({low, high, number, stream}).
  HWY_INLINE V first_word(V low, std::uint32_t high, std::uint32_t number, std::uint32_t stream) const {
    const D64 d;
    V c0 = low;
    V c1 = hn::Set(d, high);
    V c2 = hn::Set(d, number);
    V c3 = hn::Set(d, stream);
    const V m0 = hn::Set(d, base::kPhiloxMultipliers[0]);
    const V m1 = hn::Set(d, base::kPhiloxMultipliers[1]);
    HWY_UNROLL(10)
    for (std::size_t round = 0; round < kRounds; ++round) {
      const V p0 = multiply(c0, m0);
      const V p1 = multiply(c2, m1);
      c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c1), hn::Set(d, key_[2 * round]));
      c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c3), hn::Set(d, key_[2 * round + 1]));
      c1 = p1;
      c3 = p0;
    }
    return c0;
  }

 private:
  static constexpr std::size_t kRounds = 10;
  /// Products of the lower halves.
  static HWY_INLINE V multiply(V a, V b) {
    const D32 d32;
    return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
  }
  std::uint32_t key_[2 * kRounds];
};

/// Only AVX3_DL encrypts several 128-bit blocks at once. Elsewhere a vector is one block, because Highway would split
/// and reassemble a wider one in each round.
using DArs = hn::CappedTag<std::uint64_t, HWY_TARGET == HWY_AVX3_DL ? 8 : 2>;

/// ARS-7: each block of 128 bits is a plane of 128 consecutive trials.
class ArsSource {
  using Words = hn::Vec<DArs>;
  using DBytes = hn::Repartition<std::uint8_t, DArs>;
  static constexpr std::size_t kRounds = base::kArsRounds;

 public:
  explicit ArsSource(std::uint64_t seed) {
    std::uint64_t low = seed;
    std::uint64_t high = 0;
    for (std::size_t round = 0; round <= kRounds; ++round) {
      key_[2 * round] = low;
      key_[2 * round + 1] = high;
      low += base::kArsWeylLow;
      high += base::kArsWeylHigh;
    }
  }

  /// The words of a plane from number `word` on, a vector at a time.
  class Plane {
   public:
    HWY_INLINE Plane(const ArsSource& source, std::uint64_t word, std::uint32_t plane) {
      const DArs d;
      for (std::size_t round = 0; round <= kRounds; ++round) {
        keys_[round] = hn::BitCast(DBytes(), hn::LoadDup128(d, source.key_ + 2 * round));
      }
      const Words blocks = hn::Add(hn::Set(d, word / 2), hn::ShiftRight<1>(hn::Iota(d, 0)));
      counter_ = hn::OddEven(hn::Set(d, plane), blocks);
      step_ = hn::OddEven(hn::Zero(d), hn::Set(d, hn::MaxLanes(d) / 2));
    }

    HWY_INLINE Words next() {
      hn::Vec<DBytes> state = hn::Xor(hn::BitCast(DBytes(), counter_), keys_[0]);
      counter_ = hn::Add(counter_, step_);
      HWY_UNROLL(6)
      for (std::size_t round = 1; round < kRounds; ++round) state = hn::AESRound(state, keys_[round]);
      return hn::BitCast(DArs(), hn::AESLastRound(state, keys_[kRounds]));
    }

   private:
    hn::Vec<DBytes> keys_[kRounds + 1];
    Words counter_, step_;
  };

 private:
  alignas(16) std::uint64_t key_[2 * (base::kArsRounds + 1)];
};

#endif  // HWY_TARGET == HWY_SCALAR

/// What all fills of a chunk that starts at trial `start` share.
inline void prepare_philox(const PhiloxSource& source, std::uint64_t start, std::size_t words, std::uint64_t* out) {
  for (std::size_t word = 0; word < words; word += kVectorWords)
    source.groups(start / 32 + 2 * word).store(out + word * PhiloxSource::Groups::kVectors);
}

inline void fill_philox(const PhiloxSource& source, const Fill& fill, std::uint64_t start, std::size_t words,
                        const std::uint64_t* prepared, Workspace& workspace) {
  const D64 d;
  std::uint64_t* out[4];
  for (std::size_t i = 0; i < 4; ++i) out[i] = workspace.row(fill.rows[i]);
  const PhiloxSource::Index index = source.index(start / 32, fill.index);
  for (std::size_t word = 0; word < words; word += kVectorWords) {
    PhiloxSource::Groups groups;
    groups.load(prepared + word * PhiloxSource::Groups::kVectors);
    V planes[4];
    source.four(groups, index, planes);
    for (std::size_t i = 0; i < 4; ++i) hn::Store(planes[i], d, out[i] + word);
  }
}

inline void fill_ars(const ArsSource& source, const Fill& fill, std::uint64_t start, std::size_t words,
                     Workspace& workspace) {
  const DArs d;
  std::uint64_t* row = workspace.row(fill.rows[0]);
  ArsSource::Plane plane(source, start / 64, fill.index);
  for (std::size_t word = 0; word < words; word += hn::MaxLanes(d)) hn::Store(plane.next(), d, row + word);
}

/// One vector of xoshiro256++ states.
struct XoshiroStates {
  V s0, s1, s2, s3;

  HWY_INLINE void load(const std::uint64_t states[4][8], std::size_t column) {
    const D64 d;
    s0 = hn::Load(d, states[0] + column);
    s1 = hn::Load(d, states[1] + column);
    s2 = hn::Load(d, states[2] + column);
    s3 = hn::Load(d, states[3] + column);
  }
  HWY_INLINE void store(std::uint64_t states[4][8], std::size_t column) const {
    const D64 d;
    hn::Store(s0, d, states[0] + column);
    hn::Store(s1, d, states[1] + column);
    hn::Store(s2, d, states[2] + column);
    hn::Store(s3, d, states[3] + column);
  }
  HWY_INLINE V next() {
    const V out = hn::Add(hn::RotateRight<41>(hn::Add(s0, s3)), s0);
    const V shifted = hn::ShiftLeft<17>(s1);
    const V n1 = ternary<Xor3>(s2, s0, s1);
    s2 = ternary<Xor3>(s2, s0, shifted);
    s0 = ternary<Xor3>(s3, s1, s0);
    s3 = hn::RotateRight<19>(hn::Xor(s3, s1));
    s1 = n1;
    return out;
  }
};

/// Draws `rows` rows of `planes` planes. `out`: the row of the first plane, or null to discard them. Handles two
/// vectors of states at a time, so that one computes while the other waits.
inline void draw_rows(std::uint64_t states[4][8], std::size_t rows, std::uint32_t planes, std::size_t stride,
                      std::uint64_t* out) {
  const D64 d;
  constexpr std::size_t kPair = kVectorWords < 8 ? 2 : 1;
  for (std::size_t column = 0; column < 8; column += kPair * kVectorWords) {
    XoshiroStates generators[kPair];
    for (std::size_t i = 0; i < kPair; ++i) generators[i].load(states, column + i * kVectorWords);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint32_t plane = 0; plane < planes; ++plane) {
        for (std::size_t i = 0; i < kPair; ++i) {
          const V drawn = generators[i].next();
          if (out != nullptr) hn::Store(drawn, d, out + plane * stride + row * 8 + column + i * kVectorWords);
        }
      }
    }
    for (std::size_t i = 0; i < kPair; ++i) generators[i].store(states, column + i * kVectorWords);
  }
}

inline void fill_xoshiro(const Program& program, std::uint64_t seed, std::uint64_t start, Workspace& workspace) {
  const std::size_t rows = program.chunk / base::kXoshiroRow;
  const auto draw = [&](std::uint32_t stream, std::size_t n, bool store) {
    const std::uint32_t planes = stream == 0 ? program.main_planes : program.low_planes;
    if (planes == 0) return;
    draw_rows(workspace.states[stream], n, planes, workspace.stride(),
              store ? workspace.row(stream == 0 ? 0 : program.main_planes) : nullptr);
  };
  if (start != workspace.next_trial || start % base::kXoshiroBlock == 0) {
    for (const std::uint32_t stream : {0u, 1u}) {
      for (int column = 0; column < base::kXoshiroStates; ++column) {
        const base::XoshiroState state = base::xoshiro_seed(seed, start / base::kXoshiroBlock, column, stream);
        for (std::size_t word = 0; word < 4; ++word) workspace.states[stream][word][column] = state[word];
      }
      draw(stream, start % base::kXoshiroBlock / base::kXoshiroRow, false);
    }
  }
  draw(0, rows, true);
  draw(1, rows, true);
  workspace.next_trial = start + program.chunk;
}

template <class D>
HWY_INLINE std::uint64_t xor_of_words(D d, hn::Vec<D> v) {
  alignas(64) std::uint64_t words[8];
  hn::Store(v, d, words);
  std::uint64_t out = 0;
  for (std::size_t word = 0; word < hn::MaxLanes(d); ++word) out ^= words[word];
  return out;
}

/// The exclusive or of `planes` planes of `trials` trials, drawn in registers.
inline std::uint64_t draw_planes(Generator generator, std::uint64_t seed, std::uint64_t planes, std::uint64_t trials) {
  const D64 d;
  V sum = hn::Zero(d);
  const auto add = [&](V plane) HWY_ATTR { sum = hn::Xor(sum, plane); };
  switch (generator) {
    case Generator::Philox4x32_10: {
      const PhiloxSource source(seed);
      for (std::uint64_t s = 0; s < trials; s += 64 * kVectorWords) {
        const PhiloxSource::Groups groups = source.groups(s / 32);
        for (std::uint32_t index = 0; index < planes / 4; ++index) {
          V four[4];
          source.four(groups, source.index(s / 32, index), four);
          for (const V& plane : four) add(plane);
        }
      }
      break;
    }
    case Generator::Ars7: {
      const DArs d_ars;
      const ArsSource source(seed);
      hn::Vec<DArs> ars_sum = hn::Zero(d_ars);
      for (std::uint32_t plane = 0; plane < planes; ++plane) {
        ArsSource::Plane words(source, 0, plane);
        for (std::uint64_t s = 0; s < trials; s += 64 * hn::MaxLanes(d_ars)) {
          ars_sum = hn::Xor(ars_sum, words.next());
        }
      }
      return xor_of_words(d_ars, ars_sum);
    }
    case Generator::Xoshiro256pp: {
      alignas(64) std::uint64_t states[4][8];
      for (int column = 0; column < base::kXoshiroStates; ++column) {
        const base::XoshiroState state = base::xoshiro_seed(seed, 0, column, 0);
        for (std::size_t word = 0; word < 4; ++word) states[word][column] = state[word];
      }
      constexpr std::size_t kPair = kVectorWords < 8 ? 2 : 1;
      XoshiroStates generators[kPair];
      for (std::size_t i = 0; i < kPair; ++i) generators[i].load(states, i * kVectorWords);
      for (std::uint64_t n = 0; n < planes * trials / (64 * kVectorWords * kPair); ++n) {
        for (std::size_t i = 0; i < kPair; ++i) add(generators[i].next());
      }
      break;
    }
  }
  return xor_of_words(d, sum);
}

}  // namespace salvo::sample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
