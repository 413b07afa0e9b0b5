#include "data/plain_json.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace salvo::data {

namespace {

constexpr std::size_t kMaxDigits = 18;   ///< of a number, so that it fits into 64 bits
constexpr std::size_t kMaxMembers = 64;  ///< of an object: duplicates are found by comparing all names

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A recursive-descent parser. Each function starts at the first character of its construct and returns false if the
/// text is not of the common form.
class PlainJsonParser {
 public:
  PlainJsonParser(std::string_view text, int first_line)
      : at_(text.data()), end_(text.data() + text.size()), line_(first_line) {}

  bool whole(Value& to) {
    skip_space();
    if (!value(to, 0)) return false;
    skip_space();
    return at_ == end_;
  }

 private:
  char here() const { return at_ == end_ ? '\0' : *at_; }

  bool take(char c) {
    if (here() != c) return false;
    ++at_;
    return true;
  }

  bool take(std::string_view word) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) return false;
    at_ += word.size();
    return true;
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
  bool value(Value& to, int depth) {
    if (to.line == 0) to.line = line_;
    switch (here()) {
      case '{':
        return depth < kMaxDepth && table(to, depth + 1);
      case '[':
        return depth < kMaxDepth && array(to, depth + 1);
      case '"':
        to.kind = Value::Kind::Text;
        return text(to.text);
      case 't':
        to.kind = Value::Kind::Boolean;
        to.boolean = true;
        return take("true");
      case 'f':
        to.kind = Value::Kind::Boolean;
        return take("false");
      case 'n':
        return take("null");
      default:
        return number(to);
    }
  }

  bool table(Value& to, int depth) {
    to.kind = Value::Kind::Table;
    ++at_;
    skip_space();
    if (take('}')) return true;
    do {
      if (to.items.size() == kMaxMembers) return false;
      Value& member = to.items.emplace_back();
      skip_space();
      member.line = line_;
      if (!text(member.key) || is_duplicate(to.items)) return false;
      skip_space();
      if (!take(':')) return false;
      skip_space();
      if (!value(member, depth)) return false;
      skip_space();
    } while (take(','));
    return take('}');
  }

  bool array(Value& to, int depth) {
    to.kind = Value::Kind::Array;
    ++at_;
    skip_space();
    if (take(']')) return true;
    do {
      skip_space();
      if (!value(to.items.emplace_back(), depth)) return false;
      skip_space();
    } while (take(','));
    return take(']');
  }

  /// Whether the last member has the same name as another.
  static bool is_duplicate(const std::vector<Value>& members) {
    const auto same = [&members](const Value& other) { return other.key == members.back().key; };
    return std::any_of(members.begin(), members.end() - 1, same);
  }

  bool text(std::string& to) {
    if (!take('"')) return false;
    const char* const begin = at_;
    while (at_ != end_ && *at_ >= ' ' && *at_ <= '~' && *at_ != '"' && *at_ != '\\') ++at_;
    to.assign(begin, at_);
    return take('"');
  }

  bool number(Value& to) {
    const char* const begin = at_;
    const bool negative = take('-');
    const char* const digits = at_;
    std::uint64_t whole = 0;
    for (; is_digit(here()); ++at_) whole = 10 * whole + static_cast<std::uint64_t>(*at_ - '0');  // may wrap: see below
    const auto count = static_cast<std::size_t>(at_ - digits);
    if (count == 0 || count > kMaxDigits || (count > 1 && *digits == '0')) return false;
    if (here() == 'e' || here() == 'E') return false;
    if (here() == '.') return real(to, begin);
    to.kind = Value::Kind::Integer;
    to.integer = negative ? -static_cast<std::int64_t>(whole) : static_cast<std::int64_t>(whole);
    return true;
  }

  /// The rest of a number that started at `begin`, from its decimal point on.
  bool real(Value& to, const char* begin) {
    const char* const point = at_++;
    while (is_digit(here())) ++at_;
    if (at_ == point + 1 || here() == 'e' || here() == 'E') return false;
    to.kind = Value::Kind::Real;
    to.text.assign(begin, at_);
    return true;
  }

  const char* at_;
  const char* const end_;
  int line_;
};

}  // namespace

std::optional<Value> parse_plain_json(std::string_view text, int first_line) {
  std::optional<Value> out(std::in_place);
  if (!PlainJsonParser(text, first_line).whole(*out)) out.reset();
  return out;
}

}  // namespace salvo::data
