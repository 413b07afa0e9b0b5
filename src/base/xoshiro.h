// xoshiro256++ of Blackman and Vigna (ACM TOMS 47, 2021): 64 random bits per step from a state of 256 bits. Eight
// states run in parallel; the way they are seeded defines the random stream (sample/vector/random_words.h).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/philox.h"

namespace salvo::base {

using XoshiroState = std::array<std::uint64_t, 4>;

inline std::uint64_t xoshiro_next(XoshiroState& s) {
  const std::uint64_t out = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = std::rotl(s[3], 45);
  return out;
}

inline constexpr std::uint64_t kXoshiroBlock = 65'536;  ///< trials per seeding of the states
inline constexpr std::uint64_t kXoshiroRow = 512;       ///< trials per row: 64 bits from each state
inline constexpr int kXoshiroStates = 8;
inline constexpr std::uint32_t kXoshiroSeeding =
    0x20000000u;  ///< last counter word of the Philox calls that seed the states

/// The state of a column at the start of a block. Stream 0 provides first rolls and rerolls, stream 1 the lowest bits
/// of rerolls.
inline XoshiroState xoshiro_seed(std::uint64_t seed, std::uint64_t block, int column, std::uint32_t stream) {
  XoshiroState out{};
  for (std::uint32_t half = 0; half < 2; ++half) {
    const PhiloxCounter words = philox4x32({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                                            2 * static_cast<std::uint32_t>(column) + half, kXoshiroSeeding + stream},
                                           philox_key(seed));
    out[2 * half] = words[0] | std::uint64_t{words[1]} << 32;
    out[2 * half + 1] = words[2] | std::uint64_t{words[3]} << 32;
  }
  return out;
}

}  // namespace salvo::base
