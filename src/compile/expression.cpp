#include "compile/expression.h"
#include "base/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <utility>

namespace salvo::compile {
namespace {

constexpr int kMaxDepth = 32;    // nesting of parentheses
constexpr int kMaxLength = 200;  // operations; bounds the evaluation stack

/// Converts the expression at the end of `ops` to 0 or 1.
void make_truth(game::Expression& ops) {
  const Code last = ops.back().code;
  if (last == Code::Hit || (last >= Code::Less && last <= Code::Not)) return;  // already 0 or 1
  ops.push_back({Code::Constant, 0});
  ops.push_back({Code::NotEqual, 0});
}

/// Combines the last two operands of `ops`, which begin at `left` and `right`.
void combine_at(game::Expression& ops, std::size_t left, std::size_t right, Code code) {
  const bool left_known = right - left == 1 && ops[left].code == Code::Constant;
  const bool right_known = ops.size() - right == 1 && ops[right].code == Code::Constant;
  const auto become = [&](int value) {
    ops.resize(left);
    ops.push_back({Code::Constant, value});
  };
  if (left_known && right_known) return become(apply_binary(code, ops[left].value, ops[right].value));
  if (code == Code::And || code == Code::Or) {  // x and 0 = 0, x or 1 = 1, for any x
    const bool absorbing = code == Code::Or;
    const auto absorbs = [&](std::size_t at) { return (ops[at].value != 0) == absorbing; };
    if ((left_known && absorbs(left)) || (right_known && absorbs(right))) return become(absorbing);
    if (left_known || right_known) {
      ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(left_known ? left : right));
      return make_truth(ops);
    }
  }
  ops.push_back({code, 0});
}

std::size_t stack_needed(const game::Expression& expression) {
  std::size_t now = 0;
  std::size_t most = 0;
  for (const game::ExpressionOp& op : expression) {
    if (op.code < Code::Add) {
      most = std::max(most, ++now);
    } else if (op.code != Code::Not) {
      --now;
    }
  }
  return most;
}

/// A recursive descent parser. The first error ends it.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { out_.text = text; }

  ExpressionText whole() {
    if (text_.empty()) return std::move(out_);
    try {
      disjunction();
      if (skip(); at_ < text_.size()) fail(fmt::format("unexpected '{}'{}", text_.substr(at_, 1), remedy()));
    } catch (const ExpressionError& error) {
      out_.mistake = error.what();
      out_.ops.push_back({.kind = Op::Kind::Fail});
    }
    return std::move(out_);
  }

 private:
  using Op = ExpressionText::Op;

  [[noreturn]] void fail(const std::string& why) const {
    throw ExpressionError(fmt::format("{} at column {} of '{}'", why, at_ + 1, text_));
  }

  /// The spelling used here for operators of other languages.
  std::string remedy() const {
    const std::string_view rest = text_.substr(at_);
    for (const auto& [sign, meant] :
         {std::pair("=>", ">="), {"=<", "<="}, {"=", "=="}, {"&", "and"}, {"|", "or"}, {"!", "not"}}) {
      if (rest.starts_with(sign)) return fmt::format("; write {}", meant);
    }
    return {};
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
  }
  bool take(std::string_view symbol) {
    skip();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    const bool word = std::isalpha(static_cast<unsigned char>(symbol[0])) != 0;
    if (word && at_ + symbol.size() < text_.size() && is_word(text_[at_ + symbol.size()])) return false;
    at_ += symbol.size();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol)) fail(fmt::format("'{}' is missing", symbol));
  }

  void constant(int value) { out_.ops.push_back({.kind = Op::Kind::Constant, .value = value}); }
  void combine(Code code) { out_.ops.push_back({.kind = Op::Kind::Binary, .code = code}); }
  void combine_swapped(Code code) {
    out_.ops.push_back({.kind = Op::Kind::Swap});
    combine(code);
  }
  void name(std::string_view word, bool counted) {
    out_.ops.push_back({.kind = Op::Kind::Name, .value = static_cast<int>(out_.names.size())});
    out_.names.push_back({std::string(word), counted});
  }

  void disjunction() {
    if (++depth_ > kMaxDepth) fail("nested too deeply");
    conjunction();
    while (take("or")) {
      conjunction();
      combine(Code::Or);
    }
    --depth_;
  }
  void conjunction() {
    negation();
    while (take("and")) {
      negation();
      combine(Code::And);
    }
  }
  void negation() {
    if (!take("not")) return comparison();
    if (++depth_ > kMaxDepth) fail("nested too deeply");
    negation();
    out_.ops.push_back({.kind = Op::Kind::Not});
    --depth_;
  }
  void comparison() {
    const std::size_t left = out_.ops.size();
    sum();
    if (take("==")) return sum(), combine(Code::Equal);
    if (take("!=")) return sum(), combine(Code::NotEqual);
    if (take("<=")) return sum(), combine(Code::LessEqual);
    if (take(">=")) return sum(), combine_swapped(Code::LessEqual);
    if (take("<")) return sum(), combine(Code::Less);
    if (take(">")) return sum(), combine_swapped(Code::Less);
    if (take("in")) membership(left);
  }
  /// x in [a, b] becomes 0 or x == a or x == b.
  void membership(std::size_t begin) {
    expect("[");
    const std::vector<Op> left(out_.ops.begin() + static_cast<std::ptrdiff_t>(begin), out_.ops.end());
    out_.ops.insert(out_.ops.begin() + static_cast<std::ptrdiff_t>(begin), Op{});
    bool first = true;
    do {
      if (!std::exchange(first, false)) out_.ops.insert(out_.ops.end(), left.begin(), left.end());
      sum();
      combine(Code::Equal);
      combine(Code::Or);
    } while (take(","));
    expect("]");
  }
  void sum() {
    primary();
    for (;;) {
      if (take("+")) {
        primary();
        combine(Code::Add);
      } else if (take("-")) {
        primary();
        combine(Code::Subtract);
      } else {
        return;
      }
    }
  }
  void primary() {
    if (take("(")) {
      disjunction();
      return expect(")");
    }
    if (take("'")) return text();
    skip();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    const std::string_view read = word();
    if (read == "true") return constant(1);
    if (read == "false") return constant(0);
    if (read == "min" || read == "max") return extreme(read == "min" ? Code::Minimum : Code::Maximum);
    if (read != "count") return name(read, false);
    expect("(");
    skip();
    name(word(), true);
    expect(")");
  }
  void extreme(Code code) {
    expect("(");
    sum();
    while (take(",")) {
      sum();
      combine(code);
    }
    expect(")");
  }
  void text() {
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail("a closing ' is missing");
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end + 1;
    constant(text_value(value));
  }
  void number() {
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value > 1000) fail("a number from 0 to 1000 is needed");
    at_ = static_cast<std::size_t>(end - text_.data());
    constant(value);
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == begin) fail("a fact, number or text is needed" + remedy());
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  ExpressionText out_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

int text_value(std::string_view text) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<int>(hash & 0x3fffffffu) + 1001;  // above all numbers that a condition may contain
}

game::Expression constant(int value) { return {{Code::Constant, value}}; }

bool is_constant(const game::Expression& expression, int& value) {
  if (expression.size() != 1 || expression[0].code != Code::Constant) return false;
  value = expression[0].value;
  return true;
}

game::Expression both(game::Expression a, const game::Expression& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  const std::size_t right = a.size();
  a.insert(a.end(), b.begin(), b.end());
  combine_at(a, 0, right, Code::And);
  return a;
}

game::Expression negated(game::Expression expression) {
  int value = 0;
  if (is_constant(expression, value)) return constant(value == 0);
  expression.push_back({Code::Not, 0});
  return expression;
}

game::Expression at_least(const game::Expression& count, int n) {
  int value = 0;
  if (is_constant(count, value)) return constant(value >= n);
  return combined(constant(n), count, Code::LessEqual);
}

game::Expression combined(game::Expression left, const game::Expression& right, Code code) {
  left.insert(left.end(), right.begin(), right.end());
  left.push_back({code, 0});
  return left;
}

void ExpressionBuilder::swap() {
  const auto right = static_cast<std::ptrdiff_t>(starts_.back());
  starts_.pop_back();
  const auto left = static_cast<std::ptrdiff_t>(starts_.back());
  if (ops_.size() == static_cast<std::size_t>(left) + 2) {
    std::swap(ops_[ops_.size() - 2], ops_.back());
    starts_.push_back(ops_.size() - 1);
    return;
  }
  std::rotate(ops_.begin() + left, ops_.begin() + right, ops_.end());
  starts_.push_back(ops_.size() - static_cast<std::size_t>(right - left));
}

void ExpressionBuilder::combine_unknown(Code code) {
  const std::size_t right = starts_.back();
  starts_.pop_back();
  combine_at(ops_, starts_.back(), right, code);
}

void ExpressionBuilder::negate() {
  if (ops_.size() - starts_.back() == 1 && ops_.back().code == Code::Constant) {
    ops_.back().value = ops_.back().value == 0;
  } else {
    ops_.push_back({Code::Not, 0});
  }
}

bool ExpressionBuilder::is_constant(int& value) const { return compile::is_constant(ops_, value); }

void ExpressionBuilder::check_length(const ExpressionText& text) const {
  if (ops_.size() <= game::kExpressionStack) return;
  if (ops_.size() > kMaxLength || stack_needed(ops_) > game::kExpressionStack)
    throw ExpressionError(
        fmt::format("the condition is too long at column {} of '{}'", text.text.size() + 1, text.text));
}

void refuse_text(const ExpressionText& text) { throw ExpressionError(text.mistake); }

ExpressionText read_expression(std::string_view text) { return Parser(text).whole(); }

game::Expression parse_expression(std::string_view text, const FactResolver& resolve) {
  if (text.empty()) throw ExpressionError("a fact, number or text is needed at column 1 of ''");
  const ExpressionText read = read_expression(text);
  ExpressionBuilder out;
  resolve_expression(read, out, [&](std::size_t index, ExpressionBuilder& builder) {
    builder.add(resolve(read.names[index].name, read.names[index].counted));
  });
  return out.expression();
}

std::vector<std::string> names_read(std::string_view text) {
  std::vector<std::string> out;
  parse_expression(text, [&](std::string_view name, bool counted) {
    std::string read = counted ? "count(" + std::string(name) + ")" : std::string(name);
    if (!base::contains(out, read)) out.push_back(std::move(read));
    return game::Expression{{Code::Remaining, 0}};  // any non-constant value
  });
  return out;
}

}  // namespace salvo::compile
