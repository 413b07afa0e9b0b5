// Writes conditions and counts of cards in a player's words, and lists what they compare. In: text such as "self.stress
// >= 1 and bullseye". Out: "you have at least 1 stress token and ...".
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::cards {

/// Board facts by name, with their meaning.
using Facts = std::map<std::string, std::string>;

/// The condition in words; unknown parts are copied verbatim. The text should be well-formed.
std::string condition_words(std::string_view text, const Facts& facts);

/// A count ("remaining - 1") in words.
std::string count_words(std::string_view text);

/// A name that an expression compares with a number or text by ==, != or `in`.
struct Comparison {
  std::string name, value;  ///< a text has no quotes
  bool is_text = false;
};

/// All comparisons, in order, except those of two names and those by size.
std::vector<Comparison> comparisons(std::string_view text);

/// Names that a condition may read besides board facts and tokens, for messages.
const std::vector<std::string>& common_names();

}  // namespace salvo::cards
