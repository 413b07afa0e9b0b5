// GateOp: which operation of a processor computes a gate whose inputs may be at hand as complements only.
#pragma once

#include <cstdint>

#include "sample/bitsliced/logic.h"

namespace salvo::sample {

/// What every processor has. AndNot: the complement of the first, and the second.
enum class Op : std::uint8_t { And, AndNot, Or, Xor };

/// An operation that gives the value of a gate, or its complement.
struct GateOp {
  Op op = Op::And;
  bool swapped = false;   ///< operands of AndNot
  bool inverted = false;  ///< it gives the complement
};

/// For an And or Xor of two inputs; `a_inverted`: what is at hand is the complement of what the gate reads.
inline GateOp gate_op(Gate::Kind kind, bool a_inverted, bool b_inverted) {
  if (kind == Gate::Kind::Xor) return {Op::Xor, false, a_inverted != b_inverted};
  if (a_inverted && b_inverted) return {Op::Or, false, true};
  if (a_inverted) return {Op::AndNot, false, false};
  if (b_inverted) return {Op::AndNot, true, false};
  return {Op::And, false, false};
}

}  // namespace salvo::sample
