// What players reported of an attack, and how much of it play has retraced.
// In: the texts of a DecisionSpec. Out: dice and words.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "data/node.h"
#include "salvo/advise.h"

namespace salvo::decide {

/// One rerolled die: its face before and after.
struct Reroll {
  int before = 0, after = 0;
};

/// What players reported of one role. Empty members were not reported.
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

/// The words of a list separated by blanks or commas.
std::vector<std::string> words_in(const std::string& text);

/// Reads the members rolled, rerolled and spent of both roles, as far as a table has them. An empty text is a roll of
/// no dice.
void read_reported(const data::Node& table, DecisionSpec& to);

/// Throws DecisionError for a word that this attack does not know.
ObservedByRole read_observed(const compile::CompiledScenario& compiled, std::size_t attack, const DecisionSpec& spec);

// ---------------------------------------------------------------- retracing play

/// The observations that play has not reached yet, by role: a bit for each word and each reroll.
struct Remaining {
  std::uint64_t spent[2] = {0, 0};
  std::uint16_t rerolls[2] = {0, 0};
  std::uint16_t rolling = 0;  ///< rerolls whose dice are in the air
  bool rolled[2] = {false, false};
  auto operator<=>(const Remaining&) const = default;
  bool empty() const { return *this == Remaining(); }
};

/// Before play begins. No attack uses more than 64 effects; words beyond are ignored.
Remaining all_of(const ObservedByRole& observed);

/// What remains after a role uses the effect `name`. Nothing if its use was not reported, unless it is forced: what has
/// to be used need not be reported.
std::optional<Remaining> after_use(const Remaining& remaining, const Observed& observed, int role,
                                   const std::string& name, bool forced);

/// The subsets of the remaining rerolls that fit `n` picked up dice, as bits in ascending order.
std::vector<std::uint16_t> rerolls_of(const std::vector<Reroll>& rerolled, std::uint16_t remaining, int n,
                                      game::Pool dice);

}  // namespace salvo::decide
