// Uses a JSON library only for texts beyond plain ASCII and for reading JSON.
#include "report/json_writer.h"

#include <fmt/compile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace salvo::report {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t kMaxDigits = 32;  ///< more than any number needs

/// By byte: whether a JSON string holds the character unescaped.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = ' '; c <= '~'; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

bool is_plain(std::string_view text) {
  bool plain = true;
  for (const char c : text) plain = plain & kPlain[static_cast<unsigned char>(c)];
  return plain;
}

/// A text that needs escapes or is not ASCII, in quotes.
std::string escaped(std::string_view text) {
  return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

char* put(char* to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

/// The decimal with these digits, `point` of them before the point (none if it is below 1).
char* put_fixed(char* to, std::string_view digits, int point) {
  const int size = static_cast<int>(digits.size());
  if (point >= size) {
    to = std::fill_n(put(to, digits), point - size, '0');
    return put(to, ".0");
  }
  if (point > 0) {
    const auto whole = static_cast<std::size_t>(point);
    to = put(to, digits.substr(0, whole));
    *to++ = '.';
    return put(to, digits.substr(whole));
  }
  to = std::fill_n(put(to, "0."), -point, '0');
  return put(to, digits);
}

/// At most kMaxDigits characters. fmt supplies the shortest digits and all numbers with an exponent; laying out the
/// others here takes half the time.
char* put_number(char* to, double x) {
  if (x == 0) return put(to, "0.0");  // no negative zero
  if (!std::isfinite(x)) return put(to, "null");
  if (x < 0) {
    *to++ = '-';
    x = -x;
  }
  if (x == 1) return put(to, "1.0");
  constexpr double kLeast = 1e-4, kMost = 1e16;  // no exponent between them
  if (x < kLeast || x >= kMost) return fmt::format_to(to, FMT_COMPILE("{}"), x);
  const auto [significand, exponent] = fmt::detail::dragonbox::to_decimal(x);
  const fmt::format_int digits(significand);
  return put_fixed(to, {digits.data(), digits.size()}, static_cast<int>(digits.size()) + exponent);
}

}  // namespace

void append_json(std::string& out, double x) {
  std::array<char, kMaxDigits> digits;
  out.append(digits.data(), put_number(digits.data(), x));
}

void append_json(std::string& out, std::string_view text) {
  if (is_plain(text)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += escaped(text);
  }
}

std::string json_unquoted(std::string_view json) { return ordered_json::parse(json).get<std::string>(); }

std::string indented(std::string_view line) { return ordered_json::parse(line).dump(2) + "\n"; }

std::string JsonWriter::take() {
  text_.resize(size_);
  return std::move(text_);
}

void JsonWriter::grow(std::size_t bytes) { text_.resize(std::max(2 * text_.size(), size_ + bytes)); }

/// Where the next value goes, with room for `bytes`; writes the comma before it.
char* JsonWriter::separated(std::size_t bytes) {
  char* to = reserve(bytes + 2);
  if (!separated_) to = put(to, ", ");
  separated_ = false;
  return to;
}

void JsonWriter::open(char bracket) {
  char* to = separated(1);
  *to++ = bracket;
  wrote_until(to);
  separated_ = true;
}

void JsonWriter::close(char bracket) {
  char* to = reserve(1);
  *to++ = bracket;
  wrote_until(to);
  separated_ = false;
}

void JsonWriter::key(std::string_view name) {
  write(name);
  wrote_until(put(reserve(2), ": "));
  separated_ = true;
}

void JsonWriter::end_line() {
  wrote_until(put(reserve(1), "\n"));
  separated_ = true;
}

void JsonWriter::truncate(std::size_t size) {
  size_ = size;
  separated_ = true;
}

void JsonWriter::write(std::string_view x) {
  if (is_plain(x)) {
    char* to = separated(x.size() + 2);
    *to++ = '"';
    to = put(to, x);
    *to++ = '"';
    wrote_until(to);
  } else {
    const std::string text = escaped(x);
    wrote_until(put(separated(text.size()), text));
  }
}

void JsonWriter::write(double x) { wrote_until(put_number(separated(kMaxDigits), x)); }

void JsonWriter::write(std::int64_t x) { wrote_until(fmt::format_to(separated(kMaxDigits), FMT_COMPILE("{}"), x)); }

void JsonWriter::write(std::uint64_t x) { wrote_until(fmt::format_to(separated(kMaxDigits), FMT_COMPILE("{}"), x)); }

void JsonWriter::write(bool x) { wrote_until(put(separated(5), x ? "true" : "false")); }

void JsonWriter::raw(std::string_view json) { wrote_until(put(separated(json.size()), json)); }

void JsonWriter::write_null() { wrote_until(put(separated(4), "null")); }

}  // namespace salvo::report
