// Text from users: the error for input that cannot be used, quoting in messages, and whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/errors.h"

namespace salvo::jobs {

/// An option or a file that cannot be used. what() is one sentence that ends with what would be right.
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(message) {}
};

inline constexpr std::size_t kMaxPathShown = 200;  ///< characters of a path in a message

/// A word for a message: control characters escaped, cut to `max` characters. in_quotes() adds quotation marks.
std::string shown(std::string_view word, std::size_t max = 60);
std::string in_quotes(std::string_view word);

/// A whole number written as 1000000 or 1e6; empty if it is not whole or exceeds 64 bits.
std::optional<std::uint64_t> whole_number(const std::string& text);

/// A whole number from `least` to `most`, written as 1000000 or 1e6. Throws UsageError that begins with `option`.
std::uint64_t parse_count(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most);

/// The words between blanks and commas.
std::vector<std::string> split_words(const std::string& text);

}  // namespace salvo::jobs
