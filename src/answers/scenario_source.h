// Where a scenario comes from: keys of a request, a file, or SPECs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "load/specs.h"
#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::answers {

/// A scenario as a user states it. Members that were not given are empty.
struct ScenarioSource {
  std::optional<Scenario> keys = {};              ///< the keys of a request
  std::string file = {};                          ///< "-": standard input
  load::GivenSpecs attacks = {}, defenders = {};  ///< in place of both; attackers choose among several defenders
  load::GivenSpecs returns = {};                  ///< who shoots at the first attacker afterwards
  std::vector<std::string> among = {};            ///< ships among which attackers choose; empty: as stated
};

/// The scenario of keys or SPECs; takes the keys out of the source. Throws LoadError.
Scenario take_scenario(const Catalogue& catalogue, ScenarioSource& source, const Overrides& overrides);

/// The scenario of a file or of SPECs, with the policy files that it or `overrides` names, whose rules `overrides`
/// receives. `read` returns the text of a file. Throws LoadError.
Scenario read_scenario(const Catalogue& catalogue, const ScenarioSource& source, Overrides& overrides,
                       const std::function<std::string(const std::string& path)>& read);

}  // namespace salvo::answers
