// Parses JSON (RFC 8259). The texts of a batch are nearly all plain ASCII, so runs of it are copied at once.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <system_error>

#include "base/text.h"
#include "data/message.h"
#include "data/node.h"
#include "data/order_mark.h"
#include "data/value.h"

namespace salvo::data {

namespace {

constexpr std::size_t kFewMembers = 64;   ///< of an object: compared one by one to find duplicates
constexpr std::size_t kManyDigits = 300;  ///< a number without an exponent overflows only with more
constexpr std::uint32_t kHighSurrogate = 0xD800, kLowSurrogate = 0xDC00, kAfterSurrogates = 0xE000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether it is an ASCII character that JSON texts contain unescaped.
bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

/// A recursive-descent parser. Each function starts at the first character of its construct.
class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& source, int first_line)
      : text_(text), at_(text.data()), end_(text.data() + text.size()), source_(source), line_(first_line) {}

  Value whole() {
    skip_space();
    value(root_, 0);
    skip_space();
    if (root_.kind == Value::Kind::Table && here() == '{')
      invalid(fmt::format("another object begins: {}", in_quotes(rest())), "give one at a time");
    if (at_ != end_) expected("the end of the text");
    return std::move(root_);
  }

 private:
  [[noreturn]] void invalid(const std::string& why, std::string_view remedy = "correct the text there") const {
    const bool at_last_newline = at_ == end_ && text_.ends_with('\n');
    fail(source_, "", line_ - (at_last_newline ? 1 : 0), fmt::format("not valid JSON: {}; {}", why, remedy));
  }

  /// `what`: all that may stand here.
  [[noreturn]] void expected(std::string_view what) const {
    const std::string_view found = rest().substr(0, rest().find_last_not_of(" \t\r\n") + 1);
    const std::string_view before = text_.substr(0, static_cast<std::size_t>(at_ - text_.data()));
    const std::size_t last = before.find_last_not_of(" \t\r\n");
    const bool after_comma = last != std::string_view::npos && before[last] == ',' && (here() == '}' || here() == ']');
    invalid(fmt::format("expected {}, found {}", what, found.empty() ? "the end" : in_quotes(found)),
            after_comma ? "leave out the comma before it" : "correct the text there");
  }

  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  char here() const { return at_ == end_ ? '\0' : *at_; }

  bool take(char c) {
    if (here() != c) return false;
    ++at_;
    return true;
  }

  void need(char c, std::string_view what) {
    if (!take(c)) expected(what);
  }

  void skip_space() {
    for (; at_ != end_; ++at_) {
      if (*at_ == '\n') {
        ++line_;
      } else if (*at_ != ' ' && *at_ != '\t' && *at_ != '\r') {
        return;
      }
    }
  }

  /// `depth`: number of enclosing tables and lists. A member already has the line of its name.
  void value(Value& to, int depth) {
    if (to.line == 0) to.line = line_;
    switch (here()) {
      case '{':
        return table(to, depth + 1);
      case '[':
        return array(to, depth + 1);
      case '"':
        to.kind = Value::Kind::Text;
        return text(to.text);
      case 't':
        to.kind = Value::Kind::Boolean;
        to.boolean = true;
        return word("true");
      case 'f':
        to.kind = Value::Kind::Boolean;
        return word("false");
      case 'n':
        return word("null");
      default:
        return number(to);
    }
  }

  void word(std::string_view word) {
    if (!rest().starts_with(word)) expected(word);
    at_ += word.size();
  }

  void check_depth(int depth) const {
    if (depth <= kMaxDepth) return;
    fail(source_, "", line_,
         fmt::format("more than {} levels inside each other; nest fewer objects and lists", kMaxDepth));
  }

  void table(Value& to, int depth) {
    check_depth(depth);
    to.kind = Value::Kind::Table;
    ++at_;
    skip_space();
    if (take('}')) return;
    std::set<std::string> names;
    do {
      skip_space();
      Value& member = to.items.emplace_back();
      member.line = line_;
      text(member.key);
      if (is_duplicate(to.items, names))
        fail(source_, path_of(root_, member), line_, "given twice in the same object; remove one of the two");
      skip_space();
      need(':', "a colon");
      skip_space();
      value(member, depth);
      skip_space();
    } while (take(','));
    need('}', "a comma or }");
  }

  void array(Value& to, int depth) {
    check_depth(depth);
    to.kind = Value::Kind::Array;
    ++at_;
    skip_space();
    if (take(']')) return;
    do {
      skip_space();
      value(to.items.emplace_back(), depth);
      skip_space();
    } while (take(','));
    need(']', "a comma or ]");
  }

  /// Whether the last member has the same name as another. `names`: all of them as soon as they are many.
  static bool is_duplicate(const std::vector<Value>& members, std::set<std::string>& names) {
    const auto last = members.end() - 1;
    if (members.size() <= kFewMembers)
      return std::any_of(members.begin(), last, [last](const Value& other) { return other.key == last->key; });
    if (names.empty()) std::for_each(members.begin(), last, [&names](const Value& other) { names.insert(other.key); });
    return !names.insert(last->key).second;
  }

  void text(std::string& to) {
    need('"', "a text in quotes");
    while (true) {
      const char* const begin = at_;
      while (at_ != end_ && is_plain(*at_)) ++at_;
      to.append(begin, at_);
      if (take('"')) return;
      if (take('\\')) {
        escape(to);
      } else {
        character(to);
      }
    }
  }

  /// A character of a text that is not plain.
  void character(std::string& to) {
    const std::size_t length = base::utf8_length(rest());
    if (at_ == end_ || static_cast<unsigned char>(*at_) < ' ') expected("a closing quotation mark on the same line");
    if (length == 0) invalid("a text is not UTF-8");
    to.append(at_, length);
    at_ += length;
  }

  /// What follows the backslash.
  void escape(std::string& to) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t letter = kLetters.find(here());
    if (letter == std::string_view::npos) {
      need('u', "an escape such as \\n");
      base::append_utf8(to, code_point());
    } else {
      to += kMeanings[letter];
      ++at_;
    }
  }

  /// Reads a code point: four hex digits after \u, or a surrogate pair of two such escapes for those above U+FFFF.
  std::uint32_t code_point() {
    const std::uint32_t first = hex_digits();
    if (first < kHighSurrogate || first >= kAfterSurrogates) return first;
    if (first < kLowSurrogate && take('\\') && take('u')) {
      const std::uint32_t second = hex_digits();
      if (second >= kLowSurrogate && second < kAfterSurrogates)
        return 0x10000 + ((first - kHighSurrogate) << 10) + (second - kLowSurrogate);
    }
    invalid("half of a surrogate pair");
  }

  std::uint32_t hex_digits() {
    constexpr std::ptrdiff_t kDigits = 4;
    std::uint32_t out = 0;
    const char* const end = std::from_chars(at_, at_ + std::min(kDigits, end_ - at_), out, 16).ptr;
    if (end - at_ != kDigits) expected("four hex digits");
    at_ = end;
    return out;
  }

  void digits() {
    if (!is_digit(here())) expected("a digit");
    while (is_digit(here())) ++at_;
  }

  void number(Value& to) {
    const char* const begin = at_;
    if (!take('-') && !is_digit(here())) expected("a value");
    if (!take('0')) digits();
    const bool fraction = take('.');
    if (fraction) digits();
    const bool exponent = take('e') || take('E');
    if (exponent) {
      if (!take('+')) take('-');
      digits();
    }
    const bool whole = !fraction && !exponent;
    to.kind = whole ? Value::Kind::Integer : Value::Kind::Real;
    if (whole && std::from_chars(begin, at_, to.integer).ec == std::errc()) return;
    to.huge = whole;
    to.text.assign(begin, at_);
    const bool may_overflow = exponent || to.text.size() > kManyDigits;
    if (may_overflow && std::isinf(std::strtod(to.text.c_str(), nullptr)))
      invalid(fmt::format("{} is too large", printable(to.text, 40)), "numbers here are small: no limit is above 99");
  }

  const std::string_view text_;
  const char* at_;
  const char* const end_;
  const std::string& source_;
  int line_;
  Value root_;
};

}  // namespace

Value parse_json(std::string_view text, const std::string& source, int first_line) {
  return JsonParser(without_order_mark(text), source, first_line).whole();
}

}  // namespace salvo::data
