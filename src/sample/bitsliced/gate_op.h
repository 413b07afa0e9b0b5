// Which processor instruction computes a gate when only the complements of some inputs are available.
#pragma once

#include <cstdint>

#include "sample/bitsliced/logic.h"

namespace salvo::sample {

/// Available on every processor. AndNot: the complement of the first, and the second.
enum class Op : std::uint8_t { And, AndNot, Or, Xor };

/// An operation that computes a gate or its complement.
struct GateOp {
  Op op = Op::And;
  bool swapped = false;   ///< exchange the operands of AndNot
  bool inverted = false;  ///< the result is the complement
};

/// For an And or Xor gate; `a_inverted`: the complement of the first input is available, not the input.
inline GateOp gate_op(Gate::Kind kind, bool a_inverted, bool b_inverted) {
  if (kind == Gate::Kind::Xor) return {Op::Xor, false, a_inverted != b_inverted};
  if (a_inverted && b_inverted) return {Op::Or, false, true};
  if (a_inverted) return {Op::AndNot, false, false};
  if (b_inverted) return {Op::AndNot, true, false};
  return {Op::And, false, false};
}

}  // namespace salvo::sample
