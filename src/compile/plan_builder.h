// compile_scenario() in two steps, for callers that may have cached the answer before a plan is needed.
#pragma once

#include <memory>
#include <optional>

#include "compile/plan_cache.h"

namespace salvo::compile {

struct Draft;

class PlanBuilder {
 public:
  /// Looks up ships and cards, and throws as compile_scenario() does. Both arguments must outlive the builder.
  PlanBuilder(const Catalogue& catalogue, const Scenario& scenario);
  ~PlanBuilder();
  PlanBuilder(const PlanBuilder&) = delete;
  PlanBuilder& operator=(const PlanBuilder&) = delete;

  const load::Edition& edition() const;
  /// What the compiled scenario depends on, within its edition.
  const PlanKey& key() const { return key_; }
  /// Compiles the scenario. Call it once. Throws as compile_scenario() does.
  CompiledScenario& finish(Lifetime lifetime = Lifetime::Round);
  /// What finish() compiled.
  CompiledScenario& compiled() { return out_; }
  const CompiledScenario& compiled() const { return out_; }

 private:
  CompiledScenario out_;           ///< apart from the draft, since allocating both together takes malloc's slow path
  std::optional<Scenario> plain_;  ///< the scenario, if it lists attacks with weapons for bonus attacks as such
  std::unique_ptr<Draft> draft_;
  PlanKey key_;
};

/// Data that higher layers attach to an edition.
const load::DerivedData& edition_cache(const load::Edition& edition);

}  // namespace salvo::compile
