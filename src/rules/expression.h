// expression: the small language of conditions and counts in effect files, compiled to postfix programs.
// Grammar: or, and, not, comparisons (== != < <= > >=), `x in [a, b]`, + and -, integers, 'texts', facts,
// count(pool.face), min(a, b), max(a, b).
#pragma once

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>
#include <string_view>

#include "rules/conditions.h"
#include "rules/plan.h"

namespace salvo::rules {

using Code = ExpressionOp::Code;

/// The program of a fact ("self.focus", "range"), or of count(argument) when `counted`. Throws ExpressionError for an
/// unknown name.
using FactResolver = std::function<Expression(std::string_view name, bool counted)>;

/// The integer that stands for a text in comparisons (equal texts, equal integers).
int text_value(std::string_view text);

/// The result of an operator with two operands. Inline: evaluate() calls it for every position of a game.
inline int apply_binary(Code code, int a, int b) {
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

Expression constant(int value);
/// Both conditions; an empty one always holds.
Expression both(const Expression& a, const Expression& b);
Expression negated(Expression expression);
/// The value of an expression that is a constant.
bool is_constant(const Expression& expression, int& value);

/// Compiles `text`; parts that do not depend on the position are folded. Throws ExpressionError.
Expression parse_expression(std::string_view text, const FactResolver& resolve);

}  // namespace salvo::rules
