// Conditions and counts at a position: the postfix programs that compile made of them.
#include <array>

#include "base/index.h"
#include "rules/expression.h"
#include "rules/position_parts.h"

namespace salvo::rules {

int evaluate(const Plan& plan, const Expression& expression, const Position& position, int if_empty) {
  if (expression.empty()) return if_empty;
  std::array<int, kExpressionStack> stack{};
  std::size_t top = 0;
  for (const ExpressionOp& op : expression) {
    switch (op.code) {
      case Code::Constant:
        stack[top++] = op.value;
        break;
      case Code::Resource:
        stack[top++] = position.resources.get(resource(plan, op.value));
        break;
      case Code::AttackFace:
        stack[top++] = count_face(position.attack_pool, op.value);
        break;
      case Code::DefenseFace:
        stack[top++] = count_face(position.defense_pool, op.value);
        break;
      case Code::AttackDice:
        stack[top++] = position.attack_pool.size();
        break;
      case Code::DefenseDice:
        stack[top++] = position.defense_pool.size();
        break;
      case Code::Remaining:
        stack[top++] = results_left(plan, position) + position.hits + position.crits;
        break;
      case Code::Hit:
        stack[top++] = position.hit;
        break;
      case Code::Rolling:
        stack[top++] = roll_size(position);
        break;
      case Code::Suffered:
        stack[top++] = nth(position.extra, op.value) + (op.value == kDefender ? position.hits + position.crits : 0);
        break;
      case Code::Removed:
        stack[top++] = removed_from(position, static_cast<std::size_t>(op.value));
        break;
      case Code::Used:
        stack[top++] = static_cast<int>(position.used >> op.value & 1u);
        break;
      case Code::Trait:
        stack[top++] = position.drawn >> kCardBits;
        break;
      case Code::SideFace:
        stack[top++] = op.value < 0 ? 0 : position.side_pool.count(op.value);
        break;
      case Code::Not:
        stack[top - 1] = stack[top - 1] == 0;
        break;
      default:
        --top;
        stack[top - 1] = apply_binary(op.code, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

}  // namespace salvo::rules
