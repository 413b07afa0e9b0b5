// Rerolls whose result the same effect counts: "reroll 1 die; if it is a critical hit, ...".
#pragma once

#include <algorithm>
#include <cstddef>

#include "game/plan.h"

namespace salvo::game {

/// Whether operation `o` of the effect rerolls dice that a later operation counts in the side pool. The operations
/// after it wait for the dice.
inline bool counts_rerolled(const Effect& effect, std::size_t o) {
  const auto& operations = effect.operations;
  if (operations[o].kind != Operation::Kind::Reroll) return false;
  return std::any_of(
      operations.begin() + static_cast<std::ptrdiff_t>(o) + 1, operations.end(), [](const Operation& later) {
        return std::any_of(later.amount.begin(), later.amount.end(),
                           [](const ExpressionOp& op) { return op.code == ExpressionOp::Code::SideFace; });
      });
}

}  // namespace salvo::game
