// How many shots a ship survives.
#pragma once

#include <optional>

#include "questions/question.h"
#include "salvo/scenario.h"
#include "study/durability.h"

namespace salvo::questions {

/// Either a scenario, or SPECs.
struct Durability : Common {
  std::optional<Scenario> scenario;
  load::GivenSpecs attack, defend;
  bool all = false;  ///< every ship of the card set under the attackers, with the tokens of `defend`
  std::optional<study::Refresh> refresh;
  std::optional<int> round;  ///< shots of one attacker in a round
  double tail = study::DurabilityOptions().tail;
};

void describe(Durability& question, FieldList& list);
Answer ask(const Catalogue& catalogue, const Durability& question);

extern const Question kDurability;

}  // namespace salvo::questions
