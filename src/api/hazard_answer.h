// The front door of hazards: a question by names in, the answer of the engines asked for out.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "load/specs.h"
#include "report/hazard.h"
#include "salvo/answer.h"

namespace salvo::api {

/// What `salvo hazard` is asked.
struct HazardQuestion {
  std::string name;        ///< id of a hazard, or "list"
  load::GivenSpecs ships;  ///< empty: one ship of which nothing is known
  std::string situation;   ///< empty: the usual one
  std::map<std::string, int> numbers;
  int times = 1;
  std::string rules = "second-edition";
  std::string cards;                        ///< empty: the usual card set of the rules
  std::optional<EngineChoice> engine = {};  ///< empty: exact
  std::uint64_t trials = kDefaultTrials, seed = 1;
};

/// The answer, with what it refers to.
struct HazardAnswer {
  std::unique_ptr<const load::Hazard> hazard;
  std::unique_ptr<const hazard::Occurrence> question;
  std::variant<report::HazardList, report::HazardReport, report::ContestReport> report;
};

/// Throws LoadError and ScenarioError (path: the member of the question) for what there is not, PlanTooLarge.
HazardAnswer answer_hazard(const Catalogue& catalogue, const HazardQuestion& question);

}  // namespace salvo::api
