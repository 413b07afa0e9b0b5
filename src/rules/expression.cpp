#include "rules/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace salvo::rules {
namespace {

constexpr int kMaxDepth = 32;    // nesting of parentheses
constexpr int kMaxLength = 200;  // operations; keeps the evaluation stack small

/// 1 where the expression is not 0.
Expression truth(Expression expression) {
  const Code last = expression.back().code;
  const bool already = last == Code::Hit || (last >= Code::Less && last <= Code::Not);
  if (!already) {
    expression.push_back({Code::Constant, 0});
    expression.push_back({Code::NotEqual, 0});
  }
  return expression;
}

Expression combine(Code code, const Expression& left, const Expression& right) {
  int a = 0;
  int b = 0;
  const bool left_known = is_constant(left, a);
  const bool right_known = is_constant(right, b);
  if (left_known && right_known) return constant(apply_binary(code, a, b));
  if (code == Code::And || code == Code::Or) {  // x and 0 = 0, x or 1 = 1, whatever x is
    const int absorbing = code == Code::Or;
    if ((left_known && (a != 0) == (absorbing != 0)) || (right_known && (b != 0) == (absorbing != 0))) {
      return constant(absorbing);
    }
    if (left_known) return truth(right);
    if (right_known) return truth(left);
  }
  Expression out = left;
  out.insert(out.end(), right.begin(), right.end());
  out.push_back({code, 0});
  return out;
}

std::size_t stack_needed(const Expression& expression) {
  std::size_t now = 0;
  std::size_t most = 0;
  for (const ExpressionOp& op : expression) {
    if (op.code < Code::Add) {
      most = std::max(most, ++now);
    } else if (op.code != Code::Not) {
      --now;
    }
  }
  return most;
}

class Parser {
 public:
  Parser(std::string_view text, const FactResolver& resolve) : text_(text), resolve_(resolve) {}

  Expression whole() {
    Expression out = disjunction();
    if (skip(); at_ < text_.size()) fail(fmt::format("unexpected '{}'{}", text_.substr(at_, 1), remedy()));
    if (out.size() > kMaxLength || stack_needed(out) > kExpressionStack) fail("the condition is too long");
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw ExpressionError(fmt::format("{} at column {} of '{}'", why, at_ + 1, text_));
  }

  /// For signs of other languages: what stands for them here.
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

  Expression disjunction() {
    if (++depth_ > kMaxDepth) fail("nested too deeply");
    Expression out = conjunction();
    while (take("or")) out = combine(Code::Or, out, conjunction());
    --depth_;
    return out;
  }
  Expression conjunction() {
    Expression out = negation();
    while (take("and")) out = combine(Code::And, out, negation());
    return out;
  }
  Expression negation() {
    if (!take("not")) return comparison();
    if (++depth_ > kMaxDepth) fail("nested too deeply");
    Expression out = negated(negation());
    --depth_;
    return out;
  }
  Expression comparison() {
    Expression left = sum();
    if (take("==")) return combine(Code::Equal, left, sum());
    if (take("!=")) return combine(Code::NotEqual, left, sum());
    if (take("<=")) return combine(Code::LessEqual, left, sum());
    if (take(">=")) return combine(Code::LessEqual, sum(), left);
    if (take("<")) return combine(Code::Less, left, sum());
    if (take(">")) return combine(Code::Less, sum(), left);
    if (take("in")) return membership(left);
    return left;
  }
  Expression membership(const Expression& left) {
    expect("[");
    Expression out = constant(0);
    do {
      out = combine(Code::Or, out, combine(Code::Equal, left, sum()));
    } while (take(","));
    expect("]");
    return out;
  }
  Expression sum() {
    Expression out = primary();
    for (;;) {
      if (take("+")) {
        out = combine(Code::Add, out, primary());
      } else if (take("-")) {
        out = combine(Code::Subtract, out, primary());
      } else {
        return out;
      }
    }
  }
  Expression primary() {
    if (take("(")) {
      Expression out = disjunction();
      expect(")");
      return out;
    }
    if (take("'")) return text();
    skip();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    const std::string_view name = word();
    if (name == "true") return constant(1);
    if (name == "false") return constant(0);
    if (name == "min" || name == "max") return extreme(name == "min" ? Code::Minimum : Code::Maximum);
    if (name != "count") return resolve_(name, false);
    expect("(");
    skip();
    const Expression out = resolve_(word(), true);
    expect(")");
    return out;
  }
  Expression extreme(Code code) {
    expect("(");
    Expression out = sum();
    while (take(",")) out = combine(code, out, sum());
    expect(")");
    return out;
  }
  Expression text() {
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail("a closing ' is missing");
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return constant(text_value(value));
  }
  Expression number() {
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value > 1000) fail("a number from 0 to 1000 is needed");
    at_ = static_cast<std::size_t>(end - text_.data());
    return constant(value);
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == begin) fail("a fact, number or text is needed" + remedy());
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  const FactResolver& resolve_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

int text_value(std::string_view text) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<int>(hash & 0x3fffffffu) + 1001;  // clear of the numbers a condition may contain
}

Expression constant(int value) { return {{Code::Constant, value}}; }

bool is_constant(const Expression& expression, int& value) {
  if (expression.size() != 1 || expression[0].code != Code::Constant) return false;
  value = expression[0].value;
  return true;
}

Expression both(const Expression& a, const Expression& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return combine(Code::And, a, b);
}

Expression negated(Expression expression) {
  int value = 0;
  if (is_constant(expression, value)) return constant(value == 0);
  expression.push_back({Code::Not, 0});
  return expression;
}

Expression parse_expression(std::string_view text, const FactResolver& resolve) {
  return Parser(text, resolve).whole();
}

std::vector<std::string> names_read(std::string_view text) {
  std::vector<std::string> out;
  parse_expression(text, [&](std::string_view name, bool counted) {
    std::string read = counted ? "count(" + std::string(name) + ")" : std::string(name);
    if (std::find(out.begin(), out.end(), read) == out.end()) out.push_back(std::move(read));
    return Expression{{ExpressionOp::Code::Remaining, 0}};  // any value that is not constant
  });
  return out;
}

}  // namespace salvo::rules
