// Labels: the names and notes of a compiled scenario, for whoever prints its answer.
// In: rules/compile. Out: text beside the numbers of a Plan or a Distribution.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "salvo/provenance.h"

namespace salvo::compile {

/// The name among Labels::effects of what happens by itself between two rounds.
inline constexpr const char* kEndPhase = "end-phase";

/// Names and notes of a scenario, which a Plan does not hold. Indices are those of the Plan, or of a Distribution.
struct Labels : Provenance {
  std::vector<std::string> ships;            ///< by ship
  std::vector<std::string> ship_titles;      ///< for people: "Wedge Antilles (T-65 X-wing)" or the bare name
  std::vector<std::string> resources;        ///< by resource: token id, "lock", "charge:<card>"
  std::vector<int> resource_ship;            ///< by resource
  std::vector<std::string> resource_state;   ///< by resource: the state that its ship is in from a number on, or empty
  std::vector<int> resource_threshold;       ///< by resource: that number
  std::vector<bool> resource_is_token;       ///< false for health: not part of tokens_left
  std::vector<std::pair<int, int>> attacks;  ///< by attack: attacker, defender
  std::vector<std::string> paths;            ///< by attack of the plan: where the scenario has it
  std::vector<std::string> weapons;          ///< by attack, for people: "primary (front)"
  std::vector<int> ranges;
  std::vector<std::string> bonus;  ///< by attack: the card that granted it as a bonus attack, or empty
  std::vector<bool> second;        ///< by attack: the second of an attack that is performed twice
  std::vector<int> rounds;         ///< by attack: its round, from 1; 0 where the scenario has no rounds
  std::vector<std::string> attack_faces, defense_faces;  ///< by face of the die
  /// By attack of the plan (also those that are not reported, AttackPlan::engagement) and effect: the id of the
  /// edition's rule or of the card, with ":" and what tells it from the card's other effects where there are several.
  std::vector<std::vector<std::string>> effects;
  /// By attack of the plan: the place of the choice of target and weapon that it is an alternative of; -1: it is none.
  std::vector<int> choice_of;
};

}  // namespace salvo::compile
