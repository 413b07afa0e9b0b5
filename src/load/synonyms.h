// Remedies: words of players that are no words here, and what they mean.
// In: a key or word that nothing knows, and where it stands. Out: what to write instead.
#pragma once

#include <string>
#include <string_view>

namespace salvo::load {

enum class Where { Scenario, Ship, Tokens, Attack, Spec };

/// What to write in place of the word, as the end of a message, with a blank before it; empty where nothing is known.
/// Case, hyphens and underlines do not matter. `ship` stands for another ship in examples.
std::string remedy(Where where, std::string_view word, std::string_view ship = "black");

}  // namespace salvo::load
