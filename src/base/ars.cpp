#include "base/ars.h"

namespace salvo::base {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

/// Product by x in the field of AES, GF(2^8) modulo x^8+x^4+x^3+x+1 (FIPS 197, 4.2.1).
constexpr std::uint8_t times_x(std::uint8_t a) {
  return static_cast<std::uint8_t>(a << 1 ^ ((a & 0x80) != 0 ? 0x1b : 0));
}

/// The S-box of AES (FIPS 197, 5.1.1): the inverse in the field, then an affine map. Stepping through the powers of 3
/// and of its inverse together yields all the inverses.
constexpr std::array<std::uint8_t, 256> make_substitution() {
  std::array<std::uint8_t, 256> out{};
  std::uint8_t power = 1;
  std::uint8_t inverse = 1;
  do {
    power = static_cast<std::uint8_t>(power ^ times_x(power));
    for (const int shift : {1, 2, 4}) inverse = static_cast<std::uint8_t>(inverse ^ inverse << shift);
    if ((inverse & 0x80) != 0) inverse ^= 0x09;
    std::uint8_t mapped = 0x63;
    for (int turn = 0; turn < 5; ++turn)
      mapped = static_cast<std::uint8_t>(mapped ^ inverse << turn ^ inverse >> (8 - turn));
    out[power] = mapped;
  } while (power != 1);
  out[0] = 0x63;
  return out;
}

constexpr std::array<std::uint8_t, 256> kSubstitution = make_substitution();
static_assert(kSubstitution[0x53] == 0xed);  // FIPS 197, 5.1.1

/// ShiftRows and SubBytes.
Bytes substitute(const Bytes& state) {
  Bytes out{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      out[4 * column + row] = kSubstitution[state[4 * ((column + row) % 4) + row]];
    }
  }
  return out;
}

Bytes mix_columns(const Bytes& state) {
  Bytes out{};
  for (std::size_t column = 0; column < 4; ++column) {
    const auto at = [&](std::size_t row) { return state[4 * column + row % 4]; };
    for (std::size_t row = 0; row < 4; ++row) {
      out[4 * column + row] =
          static_cast<std::uint8_t>(times_x(at(row)) ^ times_x(at(row + 1)) ^ at(row + 1) ^ at(row + 2) ^ at(row + 3));
    }
  }
  return out;
}

/// A round key of two 64-bit halves. Each grows by a constant every round.
struct Key {
  std::uint64_t low = 0, high = 0;
  void grow() {
    low += kArsWeylLow;
    high += kArsWeylHigh;
  }
};

Bytes with_key(Bytes state, const Key& key) {
  for (std::size_t i = 0; i < 8; ++i) {
    state[i] = static_cast<std::uint8_t>(state[i] ^ key.low >> 8 * i);
    state[i + 8] = static_cast<std::uint8_t>(state[i + 8] ^ key.high >> 8 * i);
  }
  return state;
}

}  // namespace

ArsWords ars4x32(ArsWords counter, ArsWords key, int rounds) {
  Bytes state{};
  for (std::size_t i = 0; i < 16; ++i) state[i] = static_cast<std::uint8_t>(counter[i / 4] >> 8 * (i % 4));
  Key round_key{key[0] | std::uint64_t{key[1]} << 32, key[2] | std::uint64_t{key[3]} << 32};
  state = with_key(state, round_key);
  for (int round = 1; round <= rounds; ++round) {
    round_key.grow();
    state = substitute(state);
    if (round < rounds) state = mix_columns(state);
    state = with_key(state, round_key);
  }
  ArsWords out{};
  for (std::size_t i = 0; i < 16; ++i) out[i / 4] |= std::uint32_t{state[i]} << 8 * (i % 4);
  return out;
}

}  // namespace salvo::base
