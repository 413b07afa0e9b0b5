// Told: what players told of an attack, in the words of DecisionSpec. In: texts. Out: dice and words.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "salvo/advise.h"

namespace salvo::decide {

/// One die that was rolled again: faces.
struct Reroll {
  int before = 0, after = 0;
};

/// What was told of one role; what is empty was not told.
struct Observed {
  std::optional<game::Pool> rolled;
  std::optional<std::vector<Reroll>> rerolled;
  std::optional<std::vector<std::string>> spent;  ///< Labels::effects
};

using ObservedByRole = std::array<Observed, 2>;  ///< 0 defender, 1 attacker

/// The members of DecisionSpec by role, for messages.
inline constexpr const char* kRolledMembers[2] = {"defense_rolled", "rolled"};
inline constexpr const char* kRerolledMembers[2] = {"defense_rerolled", "rerolled"};
inline constexpr const char* kSpentMembers[2] = {"defense_spent", "spent"};

/// The words of a list with blanks or commas between.
std::vector<std::string> words_in(const std::string& text);

/// Throws DecisionError: a word that this attack does not know.
ObservedByRole read_observed(const compile::CompiledScenario& question, std::size_t attack, const DecisionSpec& spec);

}  // namespace salvo::decide
