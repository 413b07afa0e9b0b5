// Text for people: safe names, lengths in columns, wrapping, bars, and the words of messages: quotes, lists, near
// names. In: UTF-8 of any origin. Out: UTF-8 without control characters, no longer than asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::base {

/// Bytes of the well-formed UTF-8 sequence at the start of `text` (1..4); 0 when there is none.
std::size_t utf8_length(std::string_view text);

/// `text` without anything that could steer a terminal: control characters (C0, DEL, C1), marks that change the
/// direction of writing, and line separators are dropped, each byte that is not UTF-8 becomes U+FFFD.
std::string clean(std::string_view text);

/// Columns of a terminal: one for a code point, two for wide ones (East Asian ones, emoji), none for marks on the
/// letter before.
std::size_t length(std::string_view text);

/// At most `most` columns; the last one is then an ellipsis where something was cut.
std::string clip(std::string_view text, std::size_t most);

/// `text` with spaces up to `width` columns, on the right or on the left.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken at spaces, within a word only where it is longer than a line.
/// At least one line. `width` must be positive.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// A bar of block characters for a share of `cells`, to an eighth of a cell; a share above 0 shows at least that.
std::string bar(double share, std::size_t cells);

/// A field of a CSV line: quoted as in RFC 4180 where it has to be.
std::string csv_field(const std::string& text);

/// The number that the text begins with, as "0.001" or "1e-3", correctly rounded; nothing where it is none.
std::optional<double> real(std::string_view text);

/// "1,000,000".
std::string with_separators(std::uint64_t n);

/// `text` with malformed bytes and what `clean` drops as escapes, cut after about `most` bytes.
std::string printable(std::string_view text, std::size_t most = 120);

/// The same in quotation marks, shorter, for a value inside a sentence.
std::string in_quotes(std::string_view text);

/// The words, one after the other, with `between` between them.
std::string joined(const std::vector<std::string>& words, std::string_view between);

/// The words with commas between: `a, b, c`; after `most` of them an ellipsis.
std::string listed(const std::vector<std::string>& words, std::size_t most = 20);

/// The candidate nearest to `word` by edit distance, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// ` did you mean "hull"?`, or empty when no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// A message with the nearest known name: "unknown ship 'x'; did you mean 'y'?"
std::string unknown(std::string_view what, const std::string& name, const std::vector<std::string>& known);

}  // namespace salvo::base
