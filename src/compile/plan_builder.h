// Compiling: compile() in two steps, for those who may know the answer before there is a plan.
// In: a scenario. Out: what its question depends on; then the question.
#pragma once

#include <memory>

#include "compile/plan_cache.h"

namespace salvo::compile {

struct Draft;

class PlanBuilder {
 public:
  /// Looks up ships and cards. Throws as compile() does. Both have to outlive it.
  PlanBuilder(const Catalogue& catalogue, const Scenario& scenario);
  ~PlanBuilder();
  PlanBuilder(const PlanBuilder&) = delete;
  PlanBuilder& operator=(const PlanBuilder&) = delete;

  const load::Edition& edition() const;
  /// What the question depends on, within the edition.
  const PlanKey& key() const { return key_; }
  /// The question. Call it once. Throws as compile() does.
  CompiledScenario finish(Lifetime lasts = Lifetime::Round);

 private:
  std::unique_ptr<Draft> draft_;
  PlanKey key_;
};

/// What the rooms above keep with an edition.
const load::Attachment& kept_above(const load::Edition& edition);

}  // namespace salvo::compile
