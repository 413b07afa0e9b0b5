// The language of conditions and counts in effect files, compiled to postfix programs. Grammar: or, and, not,
// comparisons (== != < <= > >=), `x in [a, b]`, + and -, integers, 'texts', facts, count(pool.face), min(a, b), max(a,
// b).
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "game/operators.h"
#include "game/plan.h"

namespace salvo::compile {

using Code = game::ExpressionOp::Code;

/// A condition that cannot be parsed; what() says where and why.
struct ExpressionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the program of a fact ("self.focus", "range"), or of count(name) if `counted`. Throws ExpressionError for an
/// unknown name.
using FactResolver = std::function<game::Expression(std::string_view name, bool counted)>;

/// The integer that represents a text in comparisons: equal texts, equal integers.
int text_value(std::string_view text);

game::Expression constant(int value);
/// Conjunction; an empty condition always holds.
game::Expression both(game::Expression a, const game::Expression& b);
game::Expression negated(game::Expression expression);
/// Condition: the count is at least n.
game::Expression at_least(const game::Expression& count, int n);
/// Both operands and a binary operator, without folding.
game::Expression combined(game::Expression left, const game::Expression& right, Code code);
/// Whether the expression is a constant; then `value` receives it.
bool is_constant(const game::Expression& expression, int& value);

/// A name in a text: a fact, or the argument of count().
struct TextName {
  std::string name;
  bool counted = false;
};

/// A parsed text with unresolved names, in postfix order. A malformed text ends in Fail rather than throwing, so that
/// an unknown name before the mistake is reported first.
struct ExpressionText {
  struct Op {
    enum class Kind : std::uint8_t { Constant, Name, Binary, Swap, Not, Fail };
    Kind kind = Kind::Constant;
    Code code = Code::Constant;  ///< Binary: the operator
    int value = 0;               ///< Constant; Name: index into `names`
  };
  std::string text;
  std::vector<TextName> names;
  std::vector<Op> ops;  ///< empty for an empty text
  std::string mistake;  ///< error message of Fail

  bool empty() const { return ops.empty(); }
};

/// Parses a text. Never throws: errors are reported on resolving.
ExpressionText read_expression(std::string_view text);

/// Builds an expression operand by operand and folds parts that do not depend on the position. Reused, so that
/// conditions allocate nothing.
class ExpressionBuilder {
 public:
  ExpressionBuilder() {
    constexpr std::size_t kUsual = 32;
    ops_.reserve(kUsual);
    starts_.reserve(kUsual);
  }
  void clear() {
    ops_.clear();
    starts_.clear();
  }
  /// Begins an operand; at least one push() follows.
  void begin() { starts_.push_back(ops_.size()); }
  void push(Code code, int value) { ops_.push_back({code, value}); }
  /// Adds a complete operand.
  void add(Code code, int value) {
    begin();
    push(code, value);
  }
  void add_constant(int value) { add(Code::Constant, value); }
  void add(const game::Expression& expression) {
    begin();
    ops_.insert(ops_.end(), expression.begin(), expression.end());
  }
  void swap();
  void combine(Code code) {
    const std::size_t left = starts_[starts_.size() - 2];
    const bool known =
        ops_.size() - left == 2 && ops_[left].code == Code::Constant && ops_[left + 1].code == Code::Constant;
    if (!known) return combine_unknown(code);
    ops_[left].value = apply_binary(code, ops_[left].value, ops_[left + 1].value);
    ops_.pop_back();
    starts_.pop_back();
  }
  void negate();
  /// Throws ExpressionError if the expression is too long to evaluate.
  void check_length(const ExpressionText& text) const;

  const game::Expression& expression() const { return ops_; }
  /// Whether the expression is a constant; then `value` receives it.
  bool is_constant(int& value) const;

 private:
  void combine_unknown(Code code);

  game::Expression ops_;
  std::vector<std::size_t> starts_;  ///< starts of the operands so far
};

[[noreturn]] void refuse_text(const ExpressionText& text);

/// Builds the expression of `text` in `out`. `resolve(index of a name, out)` adds its operand, or throws
/// ExpressionError for an unknown name, as this function does for malformed text.
template <typename Resolve>
void resolve_expression(const ExpressionText& text, ExpressionBuilder& out, Resolve resolve) {
  using Kind = ExpressionText::Op::Kind;
  out.clear();
  for (const ExpressionText::Op& op : text.ops) {
    switch (op.kind) {
      case Kind::Constant:
        out.add_constant(op.value);
        break;
      case Kind::Name:
        resolve(static_cast<std::size_t>(op.value), out);
        break;
      case Kind::Binary:
        out.combine(op.code);
        break;
      case Kind::Swap:
        out.swap();
        break;
      case Kind::Not:
        out.negate();
        break;
      case Kind::Fail:
        refuse_text(text);
    }
  }
  out.check_length(text);
}

/// Parses and resolves `text` at once, folding constant parts. Throws ExpressionError.
game::Expression parse_expression(std::string_view text, const FactResolver& resolve);

/// Every name in the expression, once, in order: "self.stress", "bullseye", "count(own.blank)". Throws ExpressionError
/// for malformed text.
std::vector<std::string> names_read(std::string_view text);

}  // namespace salvo::compile
