// Messages of the loading room: one complete sentence that names the place, the value and what would be right.
// In: raw text of the user's, possibly hostile. Out: text that is safe and short enough for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::load {

/// Bytes of the well-formed UTF-8 sequence at the start of `text` (1..4); 0 when there is none.
std::size_t utf8_length(std::string_view text);

/// `text` with control characters and malformed bytes as escapes, cut after about `most` bytes.
std::string printable(std::string_view text, std::size_t most = 120);

/// The same in quotation marks, shorter, for a value inside a sentence.
std::string in_quotes(std::string_view text);

/// The words with commas between: `a, b, c`; after `most` of them an ellipsis.
std::string listed(const std::vector<std::string>& words, std::size_t most = 20);

/// ` did you mean "hull"?`, or empty when no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// `file:line: path: ` with the parts that are known (line 0 and an empty path are not). For the source "flags" the
/// path is told in the words of the command line: `--attack 2: range`.
std::string place(const std::string& source, const std::string& path, int line);

/// Throws LoadError: the place, then `why`.
[[noreturn]] void fail(const std::string& source, const std::string& path, int line, const std::string& why);

}  // namespace salvo::load
