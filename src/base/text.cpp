// Text for people: see text.h.
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

namespace salvo::text {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Length in bytes of the code point at the start of `text`, 0 where it is not UTF-8. `code` receives it.
std::size_t decode(std::string_view text, std::uint32_t& code) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t size = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (size == 0 || size > text.size() || first > 0xF4) return 0;
  code = size == 1 ? first : first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[size] || code > 0x10FFFF || surrogate ? 0 : size;
}

bool steers_terminal(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  return control || direction || code == 0x2028 || code == 0x2029;
}

/// Bytes of the first `points` code points.
std::size_t bytes_of(std::string_view text, std::size_t points) {
  std::size_t i = 0;
  while (i < text.size() && (points > 0 || continues(text[i]))) {
    if (!continues(text[i])) --points;
    ++i;
  }
  while (i < text.size() && continues(text[i])) ++i;
  return i;
}

constexpr std::size_t kLongestWord = 64;  ///< longer words are no misspellings of an id

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Damerau-Levenshtein distance, restricted (no part is edited twice), without regard to upper and lower case.
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

std::size_t utf8_length(std::string_view text) {
  std::uint32_t code = 0;
  return text.empty() ? 0 : decode(text, code);
}

std::string clean(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t size = decode(text, code);
    if (size == 0) {
      out += kReplacement;
    } else if (!steers_terminal(code)) {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string clip(std::string_view text, std::size_t most) {
  if (length(text) <= most) return std::string(text);
  if (most == 0) return "";
  return std::string(text.substr(0, bytes_of(text, most - 1))) + "…";
}

std::string pad_right(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, length(text)), ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, length(text)), ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!lines.back().empty()) {
      if (length(lines.back()) + 1 + length(word) <= width) {
        lines.back() += ' ';
      } else {
        lines.emplace_back();
      }
    }
    for (; length(lines.back()) + length(word) > width; lines.emplace_back()) {
      const std::size_t fits = bytes_of(word, width - length(lines.back()));
      lines.back() += word.substr(0, fits);
      word.remove_prefix(fits);
    }
    lines.back() += word;
  }
  return lines;
}

std::string bar(double share, std::size_t cells) {
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

std::optional<double> real(std::string_view text) {
#ifdef __cpp_lib_to_chars
  double out = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), out).ec != std::errc()) return std::nullopt;
  return out;
#else  // libc++ 13 reads no such numbers; where it is used, a program cannot choose another decimal point
  const std::string copy(text);
  char* end = nullptr;
  const double out = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() || !std::isfinite(out)) return std::nullopt;
  return out;
#endif
}

std::string with_separators(std::uint64_t n) {
  std::string text = fmt::format("{}", n);
  for (auto i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<std::size_t>(i), 1, ',');
  return text;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= most) return out + "...";
    const std::size_t length = utf8_length(text);
    const unsigned first = static_cast<std::uint8_t>(text[0]);
    // C1 control characters are U+0080..U+009F: a terminal may obey them like escape sequences.
    const bool control = first < 0x20 || first == 0x7F || (first == 0xC2 && static_cast<std::uint8_t>(text[1]) < 0xA0);
    if (length == 0 || (control && length == 1)) {
      out += text[0] == '\n' ? "\\n" : text[0] == '\t' ? "\\t" : fmt::format("\\x{:02x}", first);
      text.remove_prefix(1);
    } else {
      out += control ? fmt::format("\\u00{:02x}", static_cast<std::uint8_t>(text[1]))
                     : std::string(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", printable(text, 40)); }

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += between;
    out += words[i];
  }
  return out;
}

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
    // A candidate with no letter in common is not near, however short both are.
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
  const std::string near = nearest(name, known), told = printable(name, 40);
  if (!near.empty()) return fmt::format("unknown {} '{}'; did you mean '{}'?", what, told, near);
  if (known.size() <= 20) return fmt::format("unknown {} '{}'; known are {}", what, told, joined(known, ", "));
  return fmt::format("unknown {} '{}'; none of the {} known names is near", what, told, known.size());
}

}  // namespace salvo::text
