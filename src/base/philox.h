// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (SC 2011): four random words as a
// function of counter and key. Known answers are those of Random123, in tests/base/test_base_philox.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace salvo::base {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

inline constexpr std::uint32_t kPhiloxMultipliers[2] = {0xD2511F53u, 0xCD9E8D57u};
inline constexpr PhiloxKey kPhiloxKeySteps = {0x9E3779B9u, 0xBB67AE85u};

/// The key of the next round.
inline PhiloxKey next_philox_key(PhiloxKey key) { return {key[0] + kPhiloxKeySteps[0], key[1] + kPhiloxKeySteps[1]}; }

inline PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key, int rounds = 10) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{kPhiloxMultipliers[0]} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kPhiloxMultipliers[1]} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key = next_philox_key(key);
  }
  return counter;
}

inline PhiloxKey philox_key(std::uint64_t seed) {
  return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

/// Blocks that one call of philox4x32_blocks() computes.
inline constexpr std::size_t kPhiloxBlocks = 4;

/// Blocks of one key whose counters differ only in the third word: that of block i is `counter[2] + more[i]`.
inline std::array<PhiloxCounter, kPhiloxBlocks> philox4x32_blocks(const PhiloxCounter& counter,
                                                                  const std::array<std::uint32_t, kPhiloxBlocks>& more,
                                                                  PhiloxKey key) {
  std::array<PhiloxCounter, kPhiloxBlocks> out;
#if defined(__SSE2__)
  // The low half of each 64-bit lane holds a word of one block; the high halves are never read.
  struct Two {
    __m128i a, b, c, d;
  };
  const auto both = [](std::uint32_t word) { return _mm_set1_epi64x(word); };
  const __m128i multiplier0 = both(kPhiloxMultipliers[0]), multiplier1 = both(kPhiloxMultipliers[1]),
                third = both(counter[2]);
  Two first{both(counter[0]), both(counter[1]), _mm_add_epi32(third, _mm_set_epi64x(more[1], more[0])),
            both(counter[3])};
  Two second{first.a, first.b, _mm_add_epi32(third, _mm_set_epi64x(more[3], more[2])), first.d};
  for (int round = 0; round < 10; ++round) {
    const __m128i key0 = both(key[0]), key1 = both(key[1]);
    for (Two* two : {&first, &second}) {
      const __m128i product0 = _mm_mul_epu32(two->a, multiplier0), product1 = _mm_mul_epu32(two->c, multiplier1);
      *two = {_mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(product1, 32), two->b), key0), product1,
              _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(product0, 32), two->d), key1), product0};
    }
    key = next_philox_key(key);
  }
  // Gathers the low halves: a and b of each block, then c and d.
  const auto put = [&out](std::size_t i, const Two& two) {
    const __m128i ab = _mm_unpacklo_epi32(two.a, two.b), cd = _mm_unpacklo_epi32(two.c, two.d);
    const __m128i ab2 = _mm_unpackhi_epi32(two.a, two.b), cd2 = _mm_unpackhi_epi32(two.c, two.d);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out[i].data()), _mm_unpacklo_epi64(ab, cd));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out[i + 1].data()), _mm_unpacklo_epi64(ab2, cd2));
  };
  put(0, first);
  put(2, second);
#else
  for (std::size_t i = 0; i < kPhiloxBlocks; ++i)
    out[i] = philox4x32({counter[0], counter[1], counter[2] + more[i], counter[3]}, key);
#endif
  return out;
}

}  // namespace salvo::base
