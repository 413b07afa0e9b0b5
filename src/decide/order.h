// Order: in which order ships of one initiative should shoot. In: a Scenario. Out: all orders, best first.
#pragma once

#include <string>
#include <vector>

#include "decide/worth.h"

namespace salvo::decide {

struct OrderEntry {
  std::vector<std::string>
      order;  ///< the attackers in the order in which they shoot; with "on SHIP" where that matters
  std::vector<std::size_t> attacks;  ///< the same as numbers of the scenario's attacks, from 0
  Expectations outcome;
  double loss = 0;         ///< of value against the best order, for the side that chooses; never below 0
  double damage_loss = 0;  ///< Objective kill: expected damage given up where values are equal; else 0
};

struct Order : Provenance {
  bool mine = true;                 ///< whose order it is
  std::vector<OrderEntry> entries;  ///< best first; the scenario's own order first among equals
  std::vector<std::string> who;  ///< ships with a name besides that of the scenario: "a1 Wedge Antilles (T-65 X-wing)"
};

inline constexpr int kMaxOrders = 5040;

/// All orders of the attacks of one side that happen at one initiative (without initiatives: that follow each other).
/// Attacks keep their places among those of the other side. Throws ScenarioError when there is nothing to choose or
/// there are more than kMaxOrders, LoadError and PlanTooLarge. The exact engine answers, within the budget of the
/// options.
Order best_order(const Catalogue& catalogue, const Scenario& scenario, bool mine, const AnswerOptions& options = {});

/// One JSON object (docs/schemas/order.json), a table for a terminal.
std::string to_json(const Order& order);
std::string to_table(const Order& order, int width, bool colour);

}  // namespace salvo::decide
