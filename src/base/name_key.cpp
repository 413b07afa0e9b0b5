#include "base/name_key.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace salvo::base {
namespace {

/// Letters of U+00C0 to U+00FF without their accents; blanks are no letters.
constexpr std::string_view kLatin = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty";

constexpr char kParts = '\0', kSilent = '\'';  // what parts words, and what is passed over

/// Of a byte of ASCII the letter or digit in lower case, kParts or kSilent.
constexpr std::array<char, 128> kAscii = [] {
  std::array<char, 128> out{};
  for (std::size_t c = 0; c < out.size(); ++c) {
    const bool upper = c >= 'A' && c <= 'Z', plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    out[c] = upper ? static_cast<char>(c - 'A' + 'a') : plain || c == kSilent ? static_cast<char>(c) : kParts;
  }
  return out;
}();

/// Calls `each` with the letters and digits of `text` in lower case, and with kParts for what parts words; no more
/// often than it has bytes.
template <typename Each>
void letters(std::string_view text, Each each) {
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < kAscii.size()) {
      if (kAscii[first] != kSilent) each(kAscii[first]);
      text.remove_prefix(1);
      continue;
    }
    const std::size_t size = std::max<std::size_t>(utf8_length(text), 1);
    const bool latin = size == 2 && first == 0xC3 && kLatin[static_cast<unsigned char>(text[1]) & 0x3F] != ' ';
    if (latin) each(kLatin[static_cast<unsigned char>(text[1]) & 0x3F]);
    if (size == 1) each(kParts);
    text.remove_prefix(size);
  }
}

std::string written(std::string_view text, char* (*write)(std::string_view, char*)) {
  std::string out(text.size() + 1, '\0');
  out.resize(static_cast<std::size_t>(write(text, out.data()) - out.data()));
  return out;
}

}  // namespace

char* write_name_key(std::string_view text, char* out) {
  letters(text, [&](char c) {
    *out = c;
    out += c == kParts ? 0 : 1;
  });
  return out;
}

char* write_name_words(std::string_view text, char* out) {
  bool begins = true;
  letters(text, [&](char c) {
    if (c != kParts && begins) *out++ = ' ';
    if (c != kParts) *out++ = c;
    begins = c == kParts;
  });
  return out;
}

std::string name_key(std::string_view text) { return written(text, write_name_key); }

std::string name_words(std::string_view text) { return written(text, write_name_words); }

}  // namespace salvo::base
