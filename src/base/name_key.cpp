#include "base/name_key.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace salvo::base {
namespace {

/// U+00C0 to U+00FF without accents; a blank marks a character that is not a letter.
constexpr std::string_view kLatin = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty";

constexpr char kSeparator = '\0', kIgnored = '\'';

/// For each ASCII byte: the lower-case letter or digit, kSeparator or kIgnored.
constexpr std::array<char, 128> kAscii = [] {
  std::array<char, 128> out{};
  for (std::size_t c = 0; c < out.size(); ++c) {
    const bool upper = c >= 'A' && c <= 'Z', plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    out[c] = upper ? static_cast<char>(c - 'A' + 'a') : plain || c == kIgnored ? static_cast<char>(c) : kSeparator;
  }
  return out;
}();

/// Calls `each` with every letter and digit of `text` in lower case, and with kSeparator between words; at most once
/// for each byte.
template <typename Each>
void for_each_letter(std::string_view text, Each each) {
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < kAscii.size()) {
      if (kAscii[first] != kIgnored) each(kAscii[first]);
      text.remove_prefix(1);
      continue;
    }
    const std::size_t size = std::max<std::size_t>(utf8_length(text), 1);
    const bool latin = size == 2 && first == 0xC3 && kLatin[static_cast<unsigned char>(text[1]) & 0x3F] != ' ';
    if (latin) each(kLatin[static_cast<unsigned char>(text[1]) & 0x3F]);
    if (size == 1) each(kSeparator);
    text.remove_prefix(size);
  }
}

std::string to_string(std::string_view text, char* (*write)(std::string_view, char*)) {
  std::string out(text.size() + 1, '\0');
  out.resize(static_cast<std::size_t>(write(text, out.data()) - out.data()));
  return out;
}

}  // namespace

char* write_name_key(std::string_view text, char* out) {
  for_each_letter(text, [&](char c) {
    *out = c;
    out += c == kSeparator ? 0 : 1;
  });
  return out;
}

char* write_name_words(std::string_view text, char* out) {
  bool word_start = true;
  for_each_letter(text, [&](char c) {
    if (c != kSeparator && word_start) *out++ = ' ';
    if (c != kSeparator) *out++ = c;
    word_start = c == kSeparator;
  });
  return out;
}

std::string name_key(std::string_view text) { return to_string(text, write_name_key); }

std::string name_words(std::string_view text) { return to_string(text, write_name_words); }

}  // namespace salvo::base
