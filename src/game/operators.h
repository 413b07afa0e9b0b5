// Binary operators of conditions and counts.
#pragma once

#include <algorithm>
#include <cassert>

#include "game/plan.h"

namespace salvo::game {

/// Applies a binary operator. Inline because evaluate() calls it for every position of a game.
inline int apply_binary(ExpressionOp::Code code, int a, int b) {
  using Code = ExpressionOp::Code;
  switch (code) {
    case Code::Add:
      return a + b;
    case Code::Subtract:
      return a - b;
    case Code::Minimum:
      return std::min(a, b);
    case Code::Maximum:
      return std::max(a, b);
    case Code::Less:
      return a < b;
    case Code::LessEqual:
      return a <= b;
    case Code::Equal:
      return a == b;
    case Code::NotEqual:
      return a != b;
    case Code::And:
      return a != 0 && b != 0;
    case Code::Or:
      return a != 0 || b != 0;
    default:
      break;
  }
  assert(false && "not a binary operator");
  return 0;
}

}  // namespace salvo::game
