// Synonyms: words that players use for keys and tokens, and what to write instead.
#pragma once

#include <string>
#include <string_view>

namespace salvo::load {

enum class WordContext { Scenario, Ship, Tokens, Attack, Spec };

/// What to write instead of an unknown word, as the end of a message that starts with a blank; empty if nothing is
/// known. Case, hyphens and underscores do not matter. `ship`: name of another ship, for examples.
std::string remedy(WordContext where, std::string_view word, std::string_view ship = "black");

/// The kind of token, "stress", that a word such as "stressed" means; empty: none.
std::string_view token_of(std::string_view word);

}  // namespace salvo::load
