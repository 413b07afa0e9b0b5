// The assumptions behind an answer: rules, policies, and what is left out.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "salvo/scenario.h"

namespace salvo {

/// What an answer takes for granted or leaves out.
struct Caveats {
  std::vector<std::string> assumed_facts;  ///< board facts that the scenario does not state, with the assumed value
  std::vector<std::string> unmodelled;     ///< cards that are ignored although they may matter
  std::vector<std::string> no_effect;      ///< cards that are ignored because they cannot change dice, tokens or damage
  std::vector<std::string> partly;         ///< cards that are only partly modelled, and which part is missing
  std::vector<std::string> notes;          ///< further caveats
};

/// The lists of Caveats, for loops over all of them.
inline constexpr std::array kCaveatLists = {&Caveats::assumed_facts, &Caveats::unmodelled, &Caveats::no_effect,
                                            &Caveats::partly, &Caveats::notes};

/// The assumptions behind an answer. Two answers are comparable if all of them are equal.
struct Provenance : Caveats {
  std::string rules;                  ///< id of the edition: "second-edition"
  std::string cards, cards_date;      ///< card set and the date of its data; empty: the scenario names no cards
  std::string objective;              ///< what the value measures: "damage", "kill", "health" or "exchange"
  std::string damage_deck = kNoDeck;  ///< id of the damage deck
  std::string attacker_policy, defender_policy;  ///< how each role decides: "optimal", "greedy", "hold" or a file
};

}  // namespace salvo
