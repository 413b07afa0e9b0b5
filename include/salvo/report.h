// Report: the answer to a scenario as plain data: figures by name, how they were found, and what they leave out.
// In: answer(). Out: numbers to read, or text: a table, JSON, CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "salvo/certificate.h"
#include "salvo/estimates.h"
#include "salvo/provenance.h"

namespace salvo {

/// How a sample was drawn. With the same trials, seed and generator the same question gives the same figures, whatever
/// the machine, its instruction set and the number of threads.
struct SampleInfo {
  std::uint64_t trials = 0;  ///< that were done; fewer than asked for when interrupted
  std::uint64_t seed = 0;
  std::string generator;       ///< of random numbers: "philox4x32-10"
  std::string target;          ///< instruction set that played: "avx2"; "reference" for the reference kernel
  std::string kernel;          ///< "bit-sliced", "lanes" or "plain"
  bool target_forced = false;  ///< the user chose the target
  /// A sentence: which kernel did not count what the reference kernel counts and was not used; empty where all agreed.
  /// The figures are right, the kernel has an error. It stands among the notes as well.
  std::string kernel_fallback;
  std::string ended_by;      ///< "trials" or "precision" where both were asked for; else empty
  bool interrupted = false;  ///< stopped before the trials that were asked for were done
};

/// Test of the sampled against the exact answer.
struct CrossCheck {
  double g = 0;  ///< G of the ship whose joint distribution differs most, at the end or after a round; cells pooled
  int df = 0;    ///< of the same test; 0 when there was nothing to test
  double p = 1;  ///< the smallest p times the number of tests, one for each ship and round (Bonferroni), at most 1
  bool agree = true;              ///< p >= 1e-6 and largest_difference <= 7
  double largest_difference = 0;  ///< of a mean or probability, in standard errors; infinite for an impossible outcome
  std::string largest_name;       ///< what it belongs to
  int rounds_left_out = 0;        ///< not compared, since sampling was interrupted before it came to them
};

/// What a damage deck would add to a scenario that is played without one.
struct DeckWouldAdd {
  std::string deck;                                  ///< its id
  std::vector<std::pair<std::string, double>> mean;  ///< by ship: mean damage with the deck minus without
};

/// The answer to a scenario.
struct Report : Provenance {
  std::string engine;                      ///< "exact", "sample" or "both"
  std::string engine_reason;               ///< why that engine, when the choice was left to salvo; may be empty
  bool both_sides_shoot = false;           ///< then the value is mine minus theirs
  Estimates estimates;                     ///< exact where the exact engine answered, else sampled
  std::vector<Estimates> rounds;           ///< of a scenario of several rounds: ships and attacks so far, after each
  std::optional<SampleInfo> sample;        ///< engines "sample" and "both"
  std::optional<CrossCheck> cross_check;   ///< engine "both"
  std::optional<Certificate> certificate;  ///< of the exact value, where it was asked for
  std::optional<DeckWouldAdd> would_add;   ///< where it was asked for and there is no damage deck

  /// The figures of a ship by its name in the scenario. Throws Error, which names the ships, when there is none.
  const ShipEstimates& ship(std::string_view name) const { return estimates.ship(name); }
};

/// `format` 1 of docs/format.md: one JSON object, doubles with enough digits to read back as the same value, in lines
/// of about 110 columns, ending in a newline.
std::string to_json(const Report& report);
/// The same object on one line, without a newline.
std::string to_json_line(const Report& report);
/// Long-format CSV: ship,figure,key,value,se.
std::string to_csv(const Report& report);
/// A table for a terminal. `width` in columns, taken as 60 to 120; `colour`: ANSI colours allowed.
std::string to_table(const Report& report, int width = 80, bool colour = false);

}  // namespace salvo
