// Sampling in parts, for shards, several processes and resumed runs. In: a scenario. Out: counts, and the Report made
// from them.
#pragma once

#include <cstdint>
#include <memory>

#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/report.h"
#include "salvo/scenario.h"
#include "sample/sample.h"
#include "sample/tally.h"

namespace salvo::answers {

/// A scenario to sample in parts, in any order and on any machine.
class Sampling {
 public:
  /// Compiles the scenario and solves its policy. Throws as answer() does. `options` must ask for the engine Sample
  /// without a precision.
  Sampling(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options);
  ~Sampling();
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  const game::Plan& plan() const;
  std::uint64_t trials() const;
  /// The parts of this run. The first call creates them and is not thread-safe.
  sample::Parts& parts();
  /// The report that answer() gives for these counts of all trials.
  Report report(const sample::Tally& all, const sample::PlayedBy& by) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace salvo::answers
