// Logic and bit counting in vectors. Included once per instruction set by vector_kernel.cpp.
#if defined(SALVO_SAMPLE_VECTOR_LOGIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SALVO_SAMPLE_VECTOR_LOGIC_INL_H_
#undef SALVO_SAMPLE_VECTOR_LOGIC_INL_H_
#else
#define SALVO_SAMPLE_VECTOR_LOGIC_INL_H_
#endif

#include <type_traits>

#include "hwy/highway.h"
#include "sample/bitsliced/program.h"

HWY_BEFORE_NAMESPACE();
namespace salvo::sample::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most eight words, so that a row of xoshiro states is a whole number of vectors.
using D64 = hn::CappedTag<std::uint64_t, 8>;
using V = hn::Vec<D64>;
constexpr std::size_t kVectorWords = hn::MaxLanes(D64());
#if HWY_TARGET != HWY_SCALAR
using D32 = hn::Repartition<std::uint32_t, D64>;
using D8 = hn::Repartition<std::uint8_t, D64>;
#endif

/// Operates on vectors or plain words.
template <Op kOp, typename T>
HWY_INLINE constexpr T combine(T a, T b) {
  if constexpr (std::is_same_v<T, unsigned>) {
    if constexpr (kOp == Op::And) return a & b;
    if constexpr (kOp == Op::AndNot) return ~a & b;
    if constexpr (kOp == Op::Or) return a | b;
    if constexpr (kOp == Op::Xor) return a ^ b;
  } else {
    if constexpr (kOp == Op::And) return hn::And(a, b);
    if constexpr (kOp == Op::AndNot) return hn::AndNot(a, b);
    if constexpr (kOp == Op::Or) return hn::Or(a, b);
    if constexpr (kOp == Op::Xor) return hn::Xor(a, b);
  }
}

/// One operation after the other: kSecond(kFirst(a, b), c), or kSecond(c, kFirst(a, b)).
template <Op kFirst, Op kSecond, bool kSwapped = false>
struct Twice {
  template <typename T>
  static HWY_INLINE constexpr T of(T a, T b, T c) {
    const T inner = combine<kFirst>(a, b);
    return kSwapped ? combine<kSecond>(c, inner) : combine<kSecond>(inner, c);
  }
};

using Xor3 = Twice<Op::Xor, Op::Xor>;

/// At least two of three.
struct Majority {
  template <typename T>
  static HWY_INLINE constexpr T of(T a, T b, T c) {
    return combine<Op::Or>(combine<Op::And>(a, b), combine<Op::And>(combine<Op::Xor>(a, b), c));
  }
};

/// b where a is set, else c; the complement of b when kComplement.
template <bool kComplement = false>
struct Choose {
  template <typename T>
  static HWY_INLINE constexpr T of(T a, T b, T c) {
    const T chosen = kComplement ? combine<Op::AndNot>(b, a) : combine<Op::And>(a, b);
    return combine<Op::Or>(chosen, combine<Op::AndNot>(a, c));
  }
};

/// A bitwise function of three vectors. With AVX-512 it is one instruction, whose table is the function's value for the
/// eight possible inputs.
template <class F>
HWY_INLINE V ternary(V a, V b, V c) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr unsigned kTable = F::of(0xF0u, 0xCCu, 0xAAu) & 0xFFu;
  return V{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, static_cast<int>(kTable))};
#else
  return F::of(a, b, c);
#endif
}

/// The number of set bits of each word.
HWY_INLINE V count_bits(V v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  // Highway's version counts bytes and adds them pairwise, which takes eight more instructions.
  return hn::SumsOf8(hn::PopulationCount(hn::BitCast(D8(), v)));
#else
  return hn::PopulationCount(v);
#endif
}

}  // namespace salvo::sample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
