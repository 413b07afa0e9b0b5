// Point: where a scenario stands, found by playing what the players did. In: a Question and a PointSpec. Out: Position.
#pragma once

#include "decide/advise.h"
#include "rules/play.h"

namespace salvo::decide {

struct Point {
  std::size_t attack = 0;  ///< from 0
  Position position;
  rules::Need need = rules::Need::Finished;
};

/// Throws ScenarioError whose path is the option that cannot be ("--rolled") with the reason.
Point find_point(const Question& question, const PointSpec& spec);

}  // namespace salvo::decide
