// The vocabulary of strategy cards: conditions and limits, with their words. In: the tokens and facts that matter in
// the scenarios. Out: terms of decision lists.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "decide/strategy_game.h"

namespace salvo::decide {

/// A condition or a limit, as data for a policy file and in a player's words.
struct Term {
  RuleSpec rule;  ///< a condition has only `when`, a limit everything else
  std::string words;
  bool is_condition() const { return !rule.when.empty(); }
};

/// The facts of the scenarios that a list could ask about.
struct StrategyFacts {
  bool attacker = false;
  int most_shots = 0, most_attacks = 0;  ///< attacks still to come: on the ship, by the ship
  int most_dice = 0;
  bool rerolls = false;
  bool own_health = false, opponent_health = false;  ///< known and limited
  std::set<std::string> own_tokens, opponent_tokens;
};

std::vector<Term> vocabulary(const StrategyFacts& facts);

/// A list as a policy, and its rules in words with the default last.
PolicySpec policy_of(const std::vector<Term>& terms, const DecisionList& list);
std::vector<std::string> words_of(const std::vector<Term>& terms, const DecisionList& list);

/// A rule of any policy file in words; conditions are copied verbatim.
std::string words_of(const RuleSpec& rule);
std::string otherwise_words();

}  // namespace salvo::decide
