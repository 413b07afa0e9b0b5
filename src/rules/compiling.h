// Compiling: compile() in two steps, for those who may know the answer before there is a plan.
// In: a scenario. Out: what its question depends on; then the question.
#pragma once

#include <memory>

#include "rules/kept.h"

namespace salvo::rules {

struct Draft;

class Compiling {
 public:
  /// Looks up ships and cards. Throws as compile() does. Both have to outlive it.
  Compiling(const Catalogue& catalogue, const Scenario& scenario);
  ~Compiling();
  Compiling(const Compiling&) = delete;
  Compiling& operator=(const Compiling&) = delete;

  const Edition& edition() const;
  /// What the question depends on, within the edition.
  const QuestionKey& key() const { return key_; }
  /// The question. Call it once. Throws as compile() does.
  Question finish(Lasts lasts = Lasts::Round);

 private:
  std::unique_ptr<Draft> draft_;
  QuestionKey key_;
};

/// What the rooms above keep with an edition.
const Derived& kept_above(const Edition& edition);

}  // namespace salvo::rules
