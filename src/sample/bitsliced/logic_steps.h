// The sequence of operations that computes the counted gates, for NativeCode. Values are named by gate number.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sample/bitsliced/circuit.h"

namespace salvo::sample {

/// Sets `out` to a bitwise function of two or three values.
struct LogicStep {
  std::uint32_t out = 0;
  int inputs = 0;
  std::array<std::uint32_t, 3> in{};
  /// Bit 4a + 2b + c is the result for inputs a, b and c; with two inputs it does not depend on c.
  std::uint8_t table = 0;
};

// Tables of the functions available without ternary logic.
inline constexpr std::uint8_t kTableAnd = 0xC0, kTableAndNot = 0x0C, kTableOr = 0xFC, kTableXor = 0x3C;

struct LogicSteps {
  std::vector<LogicStep> steps;
  std::vector<std::uint32_t> planes;  ///< gates of the random bits that are read, in order
  std::vector<bool> inverted;         ///< by gate: the stored value is the complement
};

/// One two-input step per gate, with one of the four tables above (AndNot: the complement of the first input, and the
/// second). `uses`: uses_of(circuit).
LogicSteps binary_steps(const Circuit& circuit, const std::vector<std::uint32_t>& uses);

/// Steps of up to three inputs, as few as a search over the cuts of each gate finds: technology mapping to look-up
/// tables with area flow as the cost (Mishchenko, Chatterjee, Brayton: Improvements to technology mapping for LUT-based
/// FPGAs, 2007).
LogicSteps ternary_steps(const Circuit& circuit, const std::vector<std::uint32_t>& uses);

}  // namespace salvo::sample
