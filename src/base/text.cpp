#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#ifndef __cpp_lib_to_chars
#include <cstdlib>
#endif

namespace salvo::base {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Decodes the code point at the start of `text` into `code`. Returns its length in bytes; 0 if it is not UTF-8.
std::size_t decode(std::string_view text, std::uint32_t& code) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t size = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (size == 0 || size > text.size() || first > 0xF4) return 0;
  code = size == 1 ? first : first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[i])) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[size] || code > 0x10FFFF || surrogate ? 0 : size;
}

bool controls_terminal(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  return control || direction || code == 0x2028 || code == 0x2029;
}

struct Range {
  std::uint32_t first, last;
};

/// Wide characters: those of East Asian Width W or F, rounded to whole blocks, and emoji.
constexpr std::array<Range, 13> kWide = {{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0xA4CF},
                                          {0xA960, 0xA97F},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF01, 0xFF60},
                                          {0xFFE0, 0xFFE6},
                                          {0x1F300, 0x1F64F},
                                          {0x1F680, 0x1F6FF},
                                          {0x1F900, 0x1F9FF},
                                          {0x20000, 0x3FFFD}}};
/// Combining marks, joiners and variation selectors, which take no column.
constexpr std::array<Range, 3> kCombining = {{{0x300, 0x36F}, {0x200B, 0x200D}, {0xFE00, 0xFE0F}}};

template <std::size_t n>
bool in(const std::array<Range, n>& ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& one) { return code >= one.first && code <= one.last; });
}

/// Removes the code point at the start of `text`. Returns its width in columns.
std::size_t take_code_point(std::string_view& text) {
  std::uint32_t code = 0;
  text.remove_prefix(std::max<std::size_t>(decode(text, code), 1));
  return in(kCombining, code) ? 0 : in(kWide, code) ? 2 : 1;
}

/// Length in bytes of the longest prefix that fits into this many columns.
std::size_t fitting_bytes(std::string_view text, std::size_t columns) {
  std::string_view rest = text;
  for (std::string_view after = text; !after.empty(); rest = after) {
    const std::size_t taken = take_code_point(after);
    if (taken > columns) break;
    columns -= taken;
  }
  return text.size() - rest.size();
}

constexpr std::size_t kLongestWord = 64;  ///< a longer word is not a misspelled id

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Restricted Damerau-Levenshtein distance (no substring is edited twice), ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

void append_utf8(std::string& to, std::uint32_t code) {
  constexpr std::array<std::uint32_t, 4> kFirst = {0, 0xC0, 0xE0, 0xF0};
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  to += static_cast<char>(kFirst[static_cast<std::size_t>(more)] | code >> (6 * more));
  for (int i = more - 1; i >= 0; --i) to += static_cast<char>(0x80U | (code >> (6 * i) & 0x3FU));
}

std::size_t utf8_length(std::string_view text) {
  std::uint32_t code = 0;
  return text.empty() ? 0 : decode(text, code);
}

std::string strip_control(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t size = decode(text, code);
    if (size == 0) {
      out += kReplacement;
    } else if (!controls_terminal(code)) {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t out = 0;
  while (!text.empty()) out += take_code_point(text);
  return out;
}

std::string clip_to_width(std::string_view text, std::size_t most) {
  if (display_width(text) <= most) return std::string(text);
  if (most == 0) return "";
  return std::string(text.substr(0, fitting_bytes(text, most - 1))) + "…";
}

std::string pad_right(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, display_width(text)), ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, display_width(text)), ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!lines.back().empty()) {
      if (display_width(lines.back()) + 1 + display_width(word) <= width) {
        lines.back() += ' ';
      } else {
        lines.emplace_back();
      }
    }
    for (; display_width(lines.back()) + display_width(word) > width; lines.emplace_back()) {
      std::size_t fits = fitting_bytes(word, width - display_width(lines.back()));
      if (fits == 0)
        fits = std::max<std::size_t>(utf8_length(word), 1);  // one column is too narrow for a wide character
      lines.back() += word.substr(0, fits);
      word.remove_prefix(fits);
    }
    lines.back() += word;
  }
  return lines;
}

std::string block_bar(double share, std::size_t cells) {
  static constexpr std::array<std::string_view, 8> kPart = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0)) return "";
  const auto most = static_cast<double>(8 * cells);
  const auto eighths = static_cast<std::size_t>(std::clamp(std::round(share * most), 1.0, std::max(1.0, most)));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  return out + std::string(kPart[eighths % 8]);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::optional<double> parse_real(std::string_view text) {
#ifdef __cpp_lib_to_chars
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
#else  // libc++ 13 has no from_chars for doubles; on those targets the locale cannot change the decimal point
  const std::string copy(text);
  char* end = nullptr;
  const double out = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size() || !std::isfinite(out)) return std::nullopt;
  return out;
#endif
}

std::string with_separators(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (auto i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<std::size_t>(i), 1, ',');
  return text;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= most) return out + "...";
    std::uint32_t code = 0;
    const std::size_t length = decode(text, code);
    const bool control = length > 0 && controls_terminal(code);
    if (length == 0 || (control && length == 1)) {
      const unsigned first = static_cast<std::uint8_t>(text[0]);
      out += text[0] == '\n' ? "\\n" : text[0] == '\t' ? "\\t" : fmt::format("\\x{:02x}", first);
    } else {
      out += control ? fmt::format("\\u{:04x}", code) : std::string(text.substr(0, length));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", printable(text, 40)); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    out.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  out.push_back(text);
  return out;
}

std::vector<std::string> words_between(std::string_view text, std::string_view breaks) {
  std::vector<std::string> out;
  for (std::size_t at = text.find_first_not_of(breaks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(breaks, at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(breaks, end);
  }
  return out;
}

std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += between;
    out += words[i];
  }
  return out;
}

std::string enumerated(const std::vector<std::string>& words) {
  if (words.size() < 2) return joined(words, "");
  return joined({words.begin(), words.end() - 1}, ", ") + " and " + words.back();
}

std::string with_count(int n, const std::string& word) { return n == 1 ? word : std::to_string(n) + " " + word; }

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == most) return out + ", ...";
    out += (i == 0 ? "" : ", ") + words[i];
  }
  return out;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    const std::size_t gap = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (gap >= best) continue;
    const std::size_t distance = edit_distance(word, candidate);
    // A candidate without a letter in common is never near, however short both are.
    if (distance >= best || distance >= std::max(word.size(), candidate.size())) continue;
    best = distance;
    found = candidate;
  }
  return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? near : fmt::format(" did you mean {}?", in_quotes(near));
}

std::string unknown(std::string_view what, const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known), shown = printable(name, 40);
  if (!near.empty()) return fmt::format("unknown {} '{}'; did you mean '{}'?", what, shown, near);
  if (known.size() <= 20) return fmt::format("unknown {} '{}'; known are {}", what, shown, joined(known, ", "));
  return fmt::format("unknown {} '{}'; none of the {} known names is near", what, shown, known.size());
}

}  // namespace salvo::base
