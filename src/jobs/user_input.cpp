#include "jobs/user_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace salvo::jobs {
namespace {

constexpr std::uint64_t kQuadrillion = 1'000'000'000'000'000;  ///< shown as 1e15: fifteen zeros are hard to read

/// The parts of "digits[.digits][e[+]digits]".
struct Notation {
  std::string digits;  ///< of the mantissa, without the point
  std::size_t decimals = 0;
  std::size_t exponent = 0;
};

/// Moves the leading digits of `rest` to the end of `out`; returns their number.
std::size_t take_digits(std::string_view& rest, std::string& out) {
  const std::size_t n = std::min(rest.find_first_not_of("0123456789"), rest.size());
  out += rest.substr(0, n);
  rest.remove_prefix(n);
  return n;
}

bool take_character(std::string_view& rest, std::string_view any_of) {
  if (rest.empty() || any_of.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

std::optional<Notation> read_notation(std::string_view rest) {
  Notation out;
  if (take_digits(rest, out.digits) == 0) return std::nullopt;
  if (take_character(rest, ".")) {
    out.decimals = take_digits(rest, out.digits);
    if (out.decimals == 0) return std::nullopt;
  }
  if (take_character(rest, "eE")) {
    take_character(rest, "+");
    std::string exponent;
    if (take_digits(rest, exponent) == 0 || exponent.size() > 3) return std::nullopt;
    for (const char digit : exponent) out.exponent = 10 * out.exponent + static_cast<std::size_t>(digit - '0');
  }
  return rest.empty() ? std::optional(out) : std::nullopt;
}

/// The exact value; empty if it is not whole or does not fit into 64 bits.
std::optional<std::uint64_t> value_of(Notation notation) {
  for (; notation.decimals > notation.exponent; --notation.decimals) {
    if (notation.digits.back() != '0') return std::nullopt;
    notation.digits.pop_back();
  }
  notation.digits.append(notation.exponent - notation.decimals, '0');
  std::uint64_t value = 0;
  for (const char c : notation.digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return std::nullopt;
    value = 10 * value + digit;
  }
  return value;
}

}  // namespace

std::string shown(std::string_view word, std::size_t max) {
  return base::clip_to_width(base::printable(word, 4 * max), max);  // a character has at most four bytes
}

std::string in_quotes(std::string_view word) { return "\"" + shown(word) + "\""; }

std::optional<std::uint64_t> whole_number(const std::string& text) {
  const std::optional<Notation> notation = read_notation(text);
  return notation ? value_of(*notation) : std::nullopt;
}

std::uint64_t parse_count(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> value = whole_number(text);
  if (!value || *value < least || *value > most) {
    const std::string limit = most == kQuadrillion ? "1e15" : std::to_string(most);
    throw UsageError(fmt::format("{}: {} is not a whole number from {} to {}", option, in_quotes(text), least, limit));
  }
  return *value;
}

std::vector<std::string> split_words(const std::string& text) { return base::words_between(text, " ,\t"); }

}  // namespace salvo::jobs
