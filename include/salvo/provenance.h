// Provenance: by which rules and policies an answer was found, and what it leaves out.
// In: a scenario and the cards that it names. Out: what a report says beside its figures.
#pragma once

#include <string>
#include <vector>

namespace salvo {

/// What an answer rests on. Two answers can be compared where all of this is the same.
struct Provenance {
  std::string rules;                             ///< id of the edition: "second-edition"
  std::string cards, cards_date;                 ///< card set of the ids and the date of its data; empty: none is named
  std::string objective;                         ///< what the value counts: "damage", "kill", "health" or "exchange"
  std::string damage_deck = "none";              ///< id of the deck of damage cards
  std::string attacker_policy, defender_policy;  ///< how each role decides: "optimal", "greedy", "hold" or a file
  std::vector<std::string> assumed_facts;        ///< board facts that the scenario does not tell, with the value taken
  std::vector<std::string> unmodelled;           ///< cards that are left out altogether
  std::vector<std::string> partly;               ///< cards of which a part is left out, and which part
  std::vector<std::string> notes;                ///< what else a reader should know
};

}  // namespace salvo
