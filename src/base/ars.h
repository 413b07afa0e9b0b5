// ARS-7, the counter-based generator of Salmon, Moraes, Dror and Shaw (SC 2011): seven rounds of AES whose round key
// grows by a constant. Portable code: the scalar kernel uses it, and it specifies what the vector kernels compute.
// Known answers are those of Random123, in tests/data/ars_known_answers.txt.
#pragma once

#include <array>
#include <cstdint>

namespace salvo::base {

using ArsWords = std::array<std::uint32_t, 4>;

inline constexpr int kArsRounds = 7;
inline constexpr std::uint64_t kArsWeylLow = 0x9E3779B97F4A7C15u;
inline constexpr std::uint64_t kArsWeylHigh = 0xBB67AE8584CAA73Bu;

/// Four random words as a function of counter and key.
ArsWords ars4x32(ArsWords counter, ArsWords key, int rounds = kArsRounds);

inline ArsWords ars_key_of(std::uint64_t seed) {
  return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), 0, 0};
}

}  // namespace salvo::base
