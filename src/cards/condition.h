// Writes conditions and counts of cards in a player's words, and lists what they compare. In: text such as "self.stress
// >= 1 and bullseye". Out: "you have at least 1 stress token and ...".
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::cards {

/// Board facts by name, with their meaning.
using Facts = std::map<std::string, std::string>;

/// What names in a card's data stand for.
struct Vocabulary {
  const Facts& facts;
  /// The printed name of a card or ship with this id; the argument if there is none.
  std::function<std::string(const std::string&)> name = [](const std::string& id) { return id; };
  /// Whether only other card sets have a card or ship with this id.
  std::function<bool(const std::string&)> lacks = [](const std::string&) { return false; };
  /// Effects that conditions refer to, as "(2)", by the name in the condition: used.ID, done.NAME, chosen.NAME.
  std::map<std::string, std::vector<std::string>> effects = {};
};

/// The condition in words; unknown parts are copied verbatim. The text should be well-formed.
std::string condition_words(std::string_view text, const Vocabulary& vocabulary);

/// A count ("remaining - 1") in words.
std::string count_words(std::string_view text, const Vocabulary& vocabulary);

/// A word of the data without its hyphens: "single turret".
std::string without_hyphens(std::string word);

/// The card or ship that an id of the data names, else the word without hyphens.
std::string named(const std::string& word, const Vocabulary& vocabulary);

/// Whether a condition's word for a ship, as stress in self.stress, denotes a token rather than something else.
bool denotes_token(std::string_view word);

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
