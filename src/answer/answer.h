// The front door's parts, for those who need less than a whole answer or do something else in between.
// In: a scenario whose overrides are applied. Out: what the engines are asked.
#pragma once

#include "answer/options.h"
#include "load/catalogue.h"
#include "rules/compile.h"
#include "rules/distribution.h"
#include "salvo/answer.h"
#include "salvo/report.h"
#include "sample/tally.h"

namespace salvo {

/// A question as it is put to the engines.
struct Asked {
  Scenario scenario;  ///< with the overrides
  Question question;
};

/// What every question begins with: checks the options, applies the overrides, compiles. Throws ScenarioError and
/// LoadError as answer() does.
Asked ask(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options);

/// compile() with its errors told as LoadError, in the words of the scenario's source. Names of ships, pilots and
/// upgrades in the scenario become ids. Throws LoadError.
Question compile_named(const Catalogue& catalogue, Scenario& scenario, Lasts lasts = Lasts::Round);
/// The same of a scenario that stays as it is.
Question compile_question(const Catalogue& catalogue, const Scenario& scenario, Lasts lasts = Lasts::Round);

/// A question for the sampling engine alone, whose trials are played in parts, in any order and on any machine.
class Sampling {
 public:
  /// Compiles, and solves what is played. Throws as answer() does; `options` ask for the engine Sample, without
  /// precision.
  Sampling(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options);
  ~Sampling();
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  const Plan& plan() const;
  std::uint64_t trials() const;
  /// The parts of this run; made when first asked for, which is not safe from several threads at once.
  sample::Parts& parts();
  /// What answer() gives for these counts of all trials.
  Report report(const sample::Tally& all, const sample::PlayedBy& by) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace salvo
