// Evaluates the postfix programs of conditions and counts.
#include <array>

#include "base/index.h"
#include "game/operators.h"
#include "game/position_parts.h"

namespace salvo::game {

int evaluate(const Plan& plan, const Expression& expression, const Position& position, int if_empty) {
  if (expression.empty()) return if_empty;
  std::array<int, kExpressionStack> stack{};
  std::size_t top = 0;
  for (const ExpressionOp& op : expression) {
    switch (op.code) {
      case ExpressionOp::Code::Constant:
        stack[top++] = op.value;
        break;
      case ExpressionOp::Code::Resource:
        stack[top++] = position.resources.get(resource(plan, op.value));
        break;
      case ExpressionOp::Code::AttackFace:
        stack[top++] = count_face(position.attack_pool, op.value);
        break;
      case ExpressionOp::Code::DefenseFace:
        stack[top++] = count_face(position.defense_pool, op.value);
        break;
      case ExpressionOp::Code::AttackDice:
        stack[top++] = position.attack_pool.size();
        break;
      case ExpressionOp::Code::DefenseDice:
        stack[top++] = position.defense_pool.size();
        break;
      case ExpressionOp::Code::Remaining:
        stack[top++] = results_left(plan, position) + position.hits + position.crits;
        break;
      case ExpressionOp::Code::Hit:
        stack[top++] = position.hit;
        break;
      case ExpressionOp::Code::Rolling:
        stack[top++] = roll_size(position);
        break;
      case ExpressionOp::Code::Suffered:
        stack[top++] =
            base::nth(position.extra, op.value) + (op.value == kDefender ? position.hits + position.crits : 0);
        break;
      case ExpressionOp::Code::Removed:
        stack[top++] = removed_from(position, static_cast<std::size_t>(op.value));
        break;
      case ExpressionOp::Code::Used:
        stack[top++] = static_cast<int>(position.used >> op.value & 1u);
        break;
      case ExpressionOp::Code::Trait:
        stack[top++] = position.drawn >> kCardBits;
        break;
      case ExpressionOp::Code::SideFace:
        stack[top++] = op.value < 0 ? 0 : position.side_pool.count(op.value);
        break;
      case ExpressionOp::Code::Not:
        stack[top - 1] = stack[top - 1] == 0;
        break;
      default:
        --top;
        stack[top - 1] = apply_binary(op.code, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

}  // namespace salvo::game
