// A question for the sampling engine whose trials are played in parts: shards, processes, what is gone on with later.
// In: a scenario. Out: counts, and the Report that they come to.
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

/// A question for the sampling engine alone, whose trials are played in parts, in any order and on any machine.
class Sampling {
 public:
  /// Compiles, and solves what is played. Throws as answer() does; `options` ask for the engine Sample, without
  /// precision.
  Sampling(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options);
  ~Sampling();
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  const game::Plan& plan() const;
  std::uint64_t trials() const;
  /// The parts of this run; made when first asked for, which is not safe from several threads at once.
  sample::Parts& parts();
  /// What answer() gives for these counts of all trials.
  Report report(const sample::Tally& all, const sample::PlayedBy& by) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace salvo::answers
