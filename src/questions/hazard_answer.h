// Answers questions about hazards. In: a question by names. Out: the answers of the requested engines.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "load/specs.h"
#include "report/hazard.h"
#include "salvo/answer.h"

namespace salvo::questions {

/// A question of `salvo hazard`.
struct HazardRequest {
  std::string name;        ///< id of a hazard, or "list"
  load::GivenSpecs ships;  ///< empty: one unknown ship
  std::string situation;   ///< empty: the default
  std::map<std::string, int> numbers;
  int times = 1;
  std::string rules = "second-edition";
  std::string cards;                        ///< empty: the default card set of the rules
  std::optional<EngineChoice> engine = {};  ///< empty: exact
  std::uint64_t trials = kDefaultTrials, seed = 1;
};

/// The answer, with the objects that it refers to.
struct HazardAnswer {
  std::unique_ptr<const load::Hazard> hazard;
  std::unique_ptr<const hazard::Occurrence> question;
  std::variant<report::HazardList, report::HazardReport, report::ContestReport> report;
};

/// Throws LoadError and ScenarioError (path: the member of the question) for unknown names, and PlanTooLarge.
HazardAnswer answer_hazard(const Catalogue& catalogue, const HazardRequest& question);

}  // namespace salvo::questions
