// Whole numbers on the command line, in plain and in scientific notation.
// In: the text of an option. Out: the number, or a UsageError that says what would be right.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/arguments.h"
#include "cli/options.h"

namespace salvo::cli {
namespace {

constexpr std::uint64_t kQuadrillion = 1'000'000'000'000'000;  ///< unreadable when written out

/// "digits[.digits][e[+]digits]" taken apart.
struct Notation {
  std::string digits;  ///< of the mantissa, without the point
  std::size_t decimals = 0;
  std::size_t exponent = 0;
};

/// Moves the digits at the front of `rest` to the end of `out`; returns how many there were.
std::size_t take_digits(std::string_view& rest, std::string& out) {
  const std::size_t n = std::min(rest.find_first_not_of("0123456789"), rest.size());
  out += rest.substr(0, n);
  rest.remove_prefix(n);
  return n;
}

bool take(std::string_view& rest, std::string_view any_of) {
  if (rest.empty() || any_of.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

std::optional<Notation> read_notation(std::string_view rest) {
  Notation out;
  if (take_digits(rest, out.digits) == 0) return std::nullopt;
  if (take(rest, ".")) {
    out.decimals = take_digits(rest, out.digits);
    if (out.decimals == 0) return std::nullopt;
  }
  if (take(rest, "eE")) {
    take(rest, "+");
    std::string exponent;
    if (take_digits(rest, exponent) == 0 || exponent.size() > 3) return std::nullopt;
    for (const char digit : exponent) out.exponent = 10 * out.exponent + static_cast<std::size_t>(digit - '0');
  }
  return rest.empty() ? std::optional(out) : std::nullopt;
}

/// The number without rounding; nothing when it is not whole or does not fit.
std::optional<std::uint64_t> whole(Notation notation) {
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

std::optional<std::uint64_t> whole_number(const std::string& text) {
  const std::optional<Notation> notation = read_notation(text);
  return notation ? whole(*notation) : std::nullopt;
}

std::uint64_t parse_count(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> value = whole_number(text);
  if (!value || *value < least || *value > most) {
    const std::string limit = most == kQuadrillion ? "1e15" : std::to_string(most);
    throw UsageError(fmt::format("{}: {} is not a whole number from {} to {}", option, in_quotes(text), least, limit));
  }
  return *value;
}

}  // namespace salvo::cli
