// Text for terminals and messages: display widths, wrapping, bars, quoting, lists and the nearest known name. Input may
// be any bytes; output is UTF-8 without control characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::base {

/// Length in bytes (1..4) of the well-formed UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Appends a code point, which is no surrogate and at most U+10FFFF.
void append_utf8(std::string& to, std::uint32_t code);

/// `text` without anything that could control a terminal: drops control characters (C0, DEL, C1), bidirectional marks
/// and line separators, and replaces each byte that is not UTF-8 by U+FFFD.
std::string strip_control(std::string_view text);

/// Terminal columns: one for each code point, two for wide ones (East Asian characters, emoji), none for combining
/// marks.
std::size_t display_width(std::string_view text);

/// `text` cut to at most `most` columns; if it was cut, the last one is an ellipsis.
std::string clip_to_width(std::string_view text, std::size_t most);

/// Pad `text` with spaces to `width` columns, on the right or on the left.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Breaks `text` into lines of at most `width` > 0 columns: at spaces, and inside words that are longer than a line.
/// Returns at least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// A horizontal bar of block characters, `share` of `cells` long to an eighth of a cell. A positive share shows at
/// least one eighth.
std::string block_bar(double share, std::size_t cells);

/// A field of a CSV line, quoted as in RFC 4180 if necessary.
std::string csv_field(const std::string& text);

/// The number that `text` is, such as "0.001" or "1e-3", correctly rounded; empty if it is none.
std::optional<double> parse_real(std::string_view text);

/// "1,000,000".
std::string with_separators(std::uint64_t n);

/// `text` with escapes for malformed bytes and for all that strip_control() drops, cut after about `most` bytes.
std::string printable(std::string_view text, std::size_t most = 120);

/// printable() in quotation marks and at most 40 bytes long, for a value inside a sentence.
std::string in_quotes(std::string_view text);

/// The parts of `text` between separators, empty ones included; at least one part.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The words of `text` between any of the characters in `breaks`; none is empty.
std::vector<std::string> words_between(std::string_view text, std::string_view breaks);

/// The parts of `text` before and after the first separator; without one, `text` and an empty part.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator);

/// `text` without the characters of `blanks` at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// `text` with ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// The decimal number that is the whole of `text`, such as "12" or "-3"; empty if it is not an int.
std::optional<int> whole_number(std::string_view text);

/// Joins the words with a separator.
std::string joined(const std::vector<std::string>& words, std::string_view between);

/// "run, compare and durability".
std::string enumerated(const std::vector<std::string>& words);

/// "focus", or "2 focus" where n is not 1.
std::string with_count(int n, const std::string& word);

/// `a, b, c`; after `most` words an ellipsis.
std::string listed(const std::vector<std::string>& words, std::size_t most = 20);

/// The candidate with the least edit distance from `word`; empty if none is close enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// ` did you mean "hull"?`; empty if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// A message that suggests the nearest known name: "unknown ship 'x'; did you mean 'y'?"
std::string unknown(std::string_view what, const std::string& name, const std::vector<std::string>& known);

}  // namespace salvo::base
