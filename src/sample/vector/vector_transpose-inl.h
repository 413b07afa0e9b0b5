// Transposes 32 rows, each with one bit of many trials, in place, so that each trial has its 32 bits in one word.
// Included once per instruction set by vector_kernel.cpp, after vector_random-inl.h.
#if defined(SALVO_SAMPLE_VECTOR_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SALVO_SAMPLE_VECTOR_TRANSPOSE_INL_H_
#undef SALVO_SAMPLE_VECTOR_TRANSPOSE_INL_H_
#else
#define SALVO_SAMPLE_VECTOR_TRANSPOSE_INL_H_
#endif

#include "hwy/highway.h"
#include "sample/vector/vector_random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace salvo::sample::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Exchanges the upper half of each 2*kBits bits of `a` with the lower half of those of `b`.
template <int kBits>
HWY_INLINE void exchange(V& a, V& b) {
  constexpr std::uint64_t kMask = ~std::uint64_t{0} / ((std::uint64_t{1} << kBits) + 1);
  const V differ = hn::And(hn::Xor(hn::ShiftRight<kBits>(a), b), hn::Set(D64(), kMask));
  a = hn::Xor(a, hn::ShiftLeft<kBits>(differ));
  b = hn::Xor(b, differ);
}

/// Bit s%32 of 32-bit word s/32 of row r becomes bit r of word s/32 of row s%32.
inline void transpose(std::uint64_t* rows, std::size_t stride, std::size_t words) {
  const D64 d;
  for (std::size_t word = 0; word < words; word += kVectorWords) {
    const auto at = [&](std::size_t row) HWY_ATTR { return rows + row * stride + word; };
    for (std::size_t row = 0; row < 8; ++row) {
      V a = hn::Load(d, at(row)), b = hn::Load(d, at(row + 8));
      V c = hn::Load(d, at(row + 16)), e = hn::Load(d, at(row + 24));
      exchange<16>(a, c);
      exchange<16>(b, e);
      exchange<8>(a, b);
      exchange<8>(c, e);
      hn::Store(a, d, at(row));
      hn::Store(b, d, at(row + 8));
      hn::Store(c, d, at(row + 16));
      hn::Store(e, d, at(row + 24));
    }
    for (std::size_t row = 0; row < 32; row += 8) {
      V v[8];
      for (std::size_t i = 0; i < 8; ++i) v[i] = hn::Load(d, at(row + i));
      for (std::size_t i = 0; i < 4; ++i) exchange<4>(v[i], v[i + 4]);
      for (std::size_t i = 0; i < 8; i += 4) {
        exchange<2>(v[i], v[i + 2]);
        exchange<2>(v[i + 1], v[i + 3]);
      }
      for (std::size_t i = 0; i < 8; i += 2) exchange<1>(v[i], v[i + 1]);
      for (std::size_t i = 0; i < 8; ++i) hn::Store(v[i], d, at(row + i));
    }
  }
}

}  // namespace salvo::sample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
