// What the questions about an attack at hand share: how far it has come.
#pragma once

#include "questions/scenario_question.h"
#include "salvo/advise.h"

namespace salvo::questions {

/// A question about a point of a scenario.
struct PointQuestion : ScenarioQuestion {
  bool over = false;                          ///< the attack at hand is over
  DecisionSpec point;                         ///< of options, without number, tokens and damage
  std::optional<int> number;                  ///< of options: of the attack at hand
  std::vector<std::string> tokens;            ///< of options: "NAME TOKEN=N ..."
  std::string damage;                         ///< of options: "black=2 red=1"
  const char* number_option = "--number";     ///< gives the number of the attack
  data::Value stated = data::Value::table();  ///< the `point` of a request, which only a scenario can check
  std::string stated_source;
};

/// Appends the scenario and what happened so far. `damage`: the option for damage before the attack.
void describe_point(PointQuestion& question, FieldList& list, const Name& damage);

struct AskedPoint {
  Scenario scenario;
  DecisionSpec point;
};
/// Throws LoadError and FieldError.
AskedPoint take_point(const Catalogue& catalogue, PointQuestion& question);

/// Throws an error that names the key or option at fault.
[[noreturn]] void fail_at_point(const PointQuestion& question, const DecisionError& error);

}  // namespace salvo::questions
