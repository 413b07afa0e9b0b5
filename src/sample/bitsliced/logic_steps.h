// LogicSteps: what a processor computes, one after the other, for the gates that are counted.
// In: a Circuit. Out: operations on values, for NativeCode; a value is named by the number of its gate.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sample/bitsliced/circuit.h"

namespace salvo::sample {

/// `out` becomes a function of two or three others, bit by bit.
struct LogicStep {
  std::uint32_t out = 0;
  int inputs = 0;
  std::array<std::uint32_t, 3> in{};
  /// Bit 4a + 2b + c is the result for inputs a, b and c; for two inputs c is 0 and 1 alike.
  std::uint8_t table = 0;
};

// Tables of the functions that processors without ternary logic have.
inline constexpr std::uint8_t kTableAnd = 0xC0, kTableAndNot = 0x0C, kTableOr = 0xFC, kTableXor = 0x3C;

struct LogicSteps {
  std::vector<LogicStep> steps;
  std::vector<std::uint32_t> planes;  ///< gates that are random bits and read, in their order
  std::vector<bool> inverted;         ///< by gate: the value is the gate's complement
};

/// One step of two inputs for each gate, with one of the four tables above (AndNot: the complement of the first input,
/// and the second). `uses`: uses_of(circuit).
LogicSteps binary_steps(const Circuit& circuit, const std::vector<std::uint32_t>& uses);

/// LogicSteps of up to three inputs, as few as a search over the cuts of each gate finds: technology mapping to look-up
/// tables, with area flow as the cost (Mishchenko, Chatterjee, Brayton: Improvements to technology mapping for
/// LUT-based FPGAs, 2007).
LogicSteps ternary_steps(const Circuit& circuit, const std::vector<std::uint32_t>& uses);

}  // namespace salvo::sample
