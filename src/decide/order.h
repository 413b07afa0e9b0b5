// The best order of fire for ships of one initiative. In: a Scenario. Out: all orders, best first.
#pragma once

#include <string>
#include <vector>

#include "decide/worth.h"

namespace salvo::decide {

struct OrderEntry {
  std::vector<std::string> order;  ///< the attackers in order of fire; with "on SHIP" where several ships are attacked
  std::vector<std::size_t> attacks;  ///< the same as indices of the scenario's attacks
  Expectations outcome;
  double loss = 0;         ///< of value against the best order, for the side that chooses; at least 0
  double damage_loss = 0;  ///< objective kill: expected damage lost among orders of equal value; else 0
};

struct Order : Provenance {
  bool mine = true;                 ///< the side whose order it is
  std::vector<OrderEntry> entries;  ///< best first; the scenario's own order first among equals
  std::vector<std::string>
      ship_titles;  ///< ships whose title differs from their name: "a1 Wedge Antilles (T-65 X-wing)"
};

inline constexpr int kMaxOrders = 5040;

/// Tries all orders of the attacks of one side at one initiative (without initiatives: consecutive attacks). They keep
/// their positions relative to the other side's attacks. Uses the exact engine within the budget of the options. Throws
/// ScenarioError if there is nothing to choose or there are more than kMaxOrders orders, LoadError and PlanTooLarge.
Order best_order(const Catalogue& catalogue, const Scenario& scenario, bool mine, const AnswerOptions& options = {});

/// One JSON object (docs/schemas/order.schema.json), a table for a terminal.
std::string to_json(const Order& order);
std::string to_table(const Order& order, int width, bool colour);

}  // namespace salvo::decide
