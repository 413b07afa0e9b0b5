// Splits a SPEC into words, and reads the values of words.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/value.h"

namespace salvo::load {

/// The words of a SPEC, separated by blanks and commas outside double quotes.
std::vector<std::string> split_spec(std::string_view spec);
/// Joins the parts of a list of chances, which split_spec() separates: `range=1:20%` and `2:80%`.
std::vector<std::string> join_chances(std::vector<std::string> words);
bool is_number(std::string_view word);
/// Words before the upgrades of a ship, and words between names, in the languages of lists.
inline constexpr std::array<std::string_view, 9> kWithWords{"with", "w/",  "mit", "avec", "con",
                                                            "com",  "met", "med", "z"};
inline constexpr std::array<std::string_view, 9> kAndWords{"and", "und", "et", "y", "e", "i", "oraz", "en", "och"};
/// Whether the word may stand between "in" and the name of a ship.
bool is_article(std::string_view word);
/// Whether the word, in lower case, only joins others: one of these, or a sign such as "+".
bool is_joining(std::string_view word);
/// Joins a number of ships and its sign: "x 2", "2 x" and "2 ×" become "x2" and "2x".
std::vector<std::string> join_times(const std::vector<std::string>& words);
/// The number of ships in a word such as "x2" or "2x" of at most `digits` digits; 0 for any other word.
int times_of(std::string_view word, std::size_t digits = 2);
/// The number that a word means, "two" or "double"; 0: none.
int number_word(std::string_view word);
/// Words and their number in "focusx2", "2 focus", "focus(2)"; 0: none.
std::pair<std::string, int> counted_words(std::string_view text);
/// The value after `=`, as a file would give it.
data::Value value_of(std::string_view word);
/// The items of a list such as "hit,focus,blank".
data::Value list_value(std::string_view text);

}  // namespace salvo::load
