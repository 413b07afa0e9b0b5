// The byte order mark that some programs write at the start of UTF-8 text.
#pragma once

#include <string_view>

namespace salvo::data {

/// The text without a byte order mark at its start.
inline std::string_view without_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace salvo::data
