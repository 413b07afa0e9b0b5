// What one more token, shield or reroll, or another board, would change in a scenario, as exact differences. In: a
// Scenario. Out: the changes, most valuable first.
#pragma once

#include <string>
#include <vector>

#include "exact/exact.h"
#include "salvo/answer.h"
#include "salvo/provenance.h"

namespace salvo::decide {

/// The expected results of a scenario under the policies of both roles.
struct Expectations {
  double value = 0;                ///< of the objective, mine minus theirs
  double dealt = 0, taken = 0;     ///< expected damage to their ships and to mine
  double destroyed = 0, lost = 0;  ///< expected number of their ships and of mine that are destroyed
  bool destructible_dealt = false, destructible_taken = false;  ///< whether those ships can be destroyed at all
};
/// Throws PlanTooLarge.
Expectations expectations_of(const game::Plan& plan, const exact::Budget& budget = {});

/// One change to one ship, and its effect: the new result minus the old.
struct WorthEntry {
  std::string ship;
  bool mine = true;
  std::string what;     ///< "one more focus", "range 1 instead of 2"
  double gain = 0;      ///< change of the value, in favour of the ship's side
  Expectations change;  ///< differences
};

/// A change that was not tried.
struct WorthSkipped {
  std::string ship, what, why;
};

struct Worth : Provenance {
  Expectations now;
  std::vector<WorthEntry> entries;  ///< by gain, largest first
  std::vector<WorthSkipped> skipped;
  std::vector<std::string>
      ship_titles;  ///< ships whose title differs from their name: "a1 Wedge Antilles (T-65 X-wing)"
};

/// Uses the exact engine within the budget of the options. Throws ScenarioError, LoadError and PlanTooLarge.
Worth worth(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options = {});

/// One JSON object (docs/schemas/worth.schema.json), a table for a terminal.
std::string to_json(const Worth& worth);
std::string to_table(const Worth& worth, int width, bool colour);

}  // namespace salvo::decide
