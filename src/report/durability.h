// The answer of `salvo durability` in every format.
// In: the distribution of the number of shots, by ship. Out: text.
#pragma once

#include <string>
#include <vector>

#include "exact/durability.h"
#include "salvo/provenance.h"

namespace salvo::report {

struct DurabilityRow {
  std::string id;     ///< of the ship, or its name in the scenario
  std::string title;  ///< for people
  int health = 0;     ///< hull and shields
  exact::Durability shots;
};

struct DurabilityReport {
  Provenance labels;     ///< of the last question; its notes are those of all
  std::string attacker;  ///< for people
  int round = 1;
  double tail = 0;
  bool all = false;  ///< a list of ships, not one
  std::vector<DurabilityRow> rows;
};

std::string to_json(const DurabilityReport& report);
std::string to_csv(const DurabilityReport& report);
std::string to_table(const DurabilityReport& report, int width, bool colour);

/// "1.234" or "never": a number of shots for people.
std::string shots_text(double mean);

}  // namespace salvo::report
