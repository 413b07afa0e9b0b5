#include "answers/answer.h"

#include "answers/answer_job.h"
#include "answers/mixture.h"

namespace salvo::answers {
namespace {

const AnswerOptions kDefaults;

}  // namespace

PreparedScenario prepare(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  AnswerJob job(catalogue, scenario, options);
  compile::CompiledScenario compiled = std::move(job.compile());
  return {job.scenario(), std::move(compiled)};
}

compile::CompiledScenario compile_named(const Catalogue& catalogue, Scenario& scenario, compile::Lifetime lifetime) {
  AnswerJob job(catalogue, scenario, kDefaults);
  compile::CompiledScenario out = std::move(job.compile(lifetime));
  if (&job.scenario() != &scenario) scenario = job.scenario();
  return out;
}

compile::CompiledScenario compile_copy(const Catalogue& catalogue, const Scenario& scenario,
                                       compile::Lifetime lifetime) {
  return std::move(AnswerJob(catalogue, scenario, kDefaults).compile(lifetime));
}

SharedAnswer answer_shared(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  if (load::has_unknowns(scenario)) return answer_cases(catalogue, scenario, options);
  AnswerJob job(catalogue, scenario, options);
  if (SharedAnswer cached = job.cached()) return cached;
  SharedAnswer fresh = std::make_shared<const CachedReport>(job.compute());
  if (job.worth_caching()) job.cache(fresh);
  return fresh;
}

}  // namespace salvo::answers

salvo::Report salvo::answer(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  if (load::has_unknowns(scenario)) return answers::answer_cases(catalogue, scenario, options)->report;
  answers::AnswerJob job(catalogue, scenario, options);
  if (const answers::SharedAnswer cached = job.cached()) return cached->report;
  answers::CachedReport fresh = job.compute();
  if (job.worth_caching()) job.cache(std::make_shared<const answers::CachedReport>(fresh));
  return std::move(fresh.report);
}
