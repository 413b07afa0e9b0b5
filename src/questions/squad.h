// What every ship of a squad does and survives, and what its upgrades are worth.
#pragma once

#include <optional>

#include "questions/question.h"
#include "questions/squad_source.h"

namespace salvo::questions {

struct SquadQuestion : Common {
  std::optional<SquadSource> squad, against;
  std::optional<std::string> reference;  ///< file of reference ships; empty: the typical ones of the rules
  int range = 2;                         ///< of the attacks between the squads
};

void describe(SquadQuestion& question, FieldList& list);
Answer ask(const Catalogue& catalogue, const SquadQuestion& question);

extern const Question kSquad;

}  // namespace salvo::questions
