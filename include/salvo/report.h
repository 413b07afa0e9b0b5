// The answer to a scenario as plain data, and as text: a table, JSON or CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "salvo/certificate.h"
#include "salvo/engine.h"
#include "salvo/estimates.h"
#include "salvo/provenance.h"

namespace salvo {

/// How a sample was drawn. Trials, seed and generator determine the figures, on every machine, instruction set and
/// number of threads.
struct SampleInfo {
  std::uint64_t trials = 0;  ///< completed; fewer than requested if interrupted
  std::uint64_t seed = 0;
  std::string generator;       ///< of the random numbers: "philox4x32-10"
  std::string target;          ///< instruction set: "avx2"; "reference" for the reference kernel
  std::string kernel;          ///< "bit-sliced", "lanes" or "plain"
  bool target_forced = false;  ///< the user chose the target
  /// A sentence that names a kernel which disagreed with the reference kernel and was not used; empty if none did. The
  /// figures are right, but that kernel has a bug. The notes repeat the sentence.
  std::string kernel_fallback;
  std::string ended_by;      ///< "trials" or "precision" if both were requested; else empty
  bool interrupted = false;  ///< stopped before all requested trials were done
};

/// Comparison of the sampled with the exact answer.
struct CrossCheck {
  double g = 0;  ///< G of the ship whose joint distribution differs most, at the end or after a round; cells pooled
  int df = 0;    ///< degrees of freedom of that test; 0 if there was nothing to test
  double p = 1;  ///< the smallest p times the number of tests (Bonferroni), one for each ship and round; at most 1
  bool agree = true;              ///< p >= 1e-6 and largest_difference <= 7
  double largest_difference = 0;  ///< of a mean or probability, in standard errors; infinite for an impossible outcome
  std::string largest_name;       ///< the figure with that difference
  int rounds_left_out = 0;        ///< not compared because sampling was interrupted before them
};

/// What a damage deck would change in a scenario without one.
struct DeckWouldAdd {
  std::string deck;                                  ///< its id
  std::vector<std::pair<std::string, double>> mean;  ///< by ship: mean damage with the deck minus mean damage without
};

/// The answer to a scenario.
struct Report : Provenance {
  Engine engine = Engine::Exact;           ///< Exact, Sample or Both
  std::string engine_reason;               ///< why salvo chose that engine; may be empty
  bool both_sides_shoot = false;           ///< if so, the value is mine minus theirs
  std::size_t cases = 1;                   ///< whose answers are weighted; several for a scenario with chances
  Estimates estimates;                     ///< exact if the exact engine answered, else sampled
  std::optional<RollEstimates> roll;       ///< of a scenario that is one roll
  std::vector<Estimates> rounds;           ///< for several rounds: ships and attacks so far, after each round
  std::optional<SampleInfo> sample;        ///< engines Sample and Both
  std::optional<CrossCheck> cross_check;   ///< engine Both
  std::optional<Certificate> certificate;  ///< of the exact value, if requested
  std::optional<DeckWouldAdd> would_add;   ///< if requested and there is no damage deck

  /// The estimates of a ship by its name in the scenario. An unknown name throws Error, which lists the ships.
  const ShipEstimates& ship(std::string_view name) const { return estimates.ship(name); }
};

/// `format` 1 of docs/format.md: one JSON object in lines of about 110 columns, ending in a newline. Doubles have
/// enough digits to read back as the same value.
std::string to_json(const Report& report);
/// The same object on one line, without a newline.
std::string to_json_line(const Report& report);
/// Long-format CSV: ship,figure,key,value,se.
std::string to_csv(const Report& report);
/// A table for a terminal. `width` in columns, clamped to 60 to 120; `colour`: ANSI colours allowed.
std::string to_table(const Report& report, int width = 80, bool colour = false);

}  // namespace salvo
