// Report: numbers with provenance and names, ready to print as a table, JSON or CSV.
// In: a Distribution and the names of the scenario. Out: text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exact/certificate.h"
#include "rules/distribution.h"
#include "rules/labels.h"

namespace salvo {

/// Cross-check of the sampled against the exact distribution.
struct CrossCheck {
  double g = 0;                   ///< G of the ship whose joint distribution differs most, cells pooled
  int df = 0;                     ///< of the same ship; 0 when there was nothing to test
  double p = 1;                   ///< smallest p of a ship times the number of ships tested (Bonferroni), at most 1
  bool agree = true;              ///< p >= 1e-6 and largest_difference <= 7
  double largest_difference = 0;  ///< of a mean or probability, in standard errors; infinite for an impossible outcome
  std::string largest_name;       ///< what it belongs to
};

/// What a damage deck would add to a scenario that is played without one.
struct DeckWouldAdd {
  std::string deck;                                  ///< its id
  std::vector<std::pair<std::string, double>> mean;  ///< by ship: mean damage with the deck minus without
};

/// Everything one answer needs.
struct Report {
  Labels labels;
  std::string engine;             ///< "exact", "sample" or "both"
  std::string engine_reason;      ///< why that engine, when the user left the choice to salvo; may be empty
  bool both_sides_shoot = false;  ///< then the value is mine minus theirs; only the table says so
  std::optional<Distribution> exact, sample;
  std::optional<CrossCheck> cross_check;
  std::optional<Certificate> certificate;  ///< of the exact value, when it was asked for
  std::optional<DeckWouldAdd> would_add;   ///< `salvo run` without damage deck
  /// The answer to print: exact where there is one.
  const Distribution& main() const { return exact ? *exact : *sample; }
};

/// `format` of the contract: one JSON object, doubles with enough digits to read back the same value, ending in a
/// newline.
std::string to_json(const Report& report);
/// The same object on one line, without a newline.
std::string to_json_line(const Report& report);
/// Long-format CSV: ship,figure,key,value,se.
std::string to_csv(const Report& report);
/// A table for a terminal. `width` in columns; `colour`: ANSI colours allowed.
std::string to_table(const Report& report, int width, bool colour);

}  // namespace salvo
