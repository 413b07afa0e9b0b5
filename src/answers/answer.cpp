#include "answers/answer.h"

#include "answers/answer_job.h"
#include "answers/mixture.h"

namespace salvo::answers {
namespace {

const AnswerOptions kDefaults;

compile::CompiledScenario compile_attacks(AnswerJob& job, compile::Lifetime lifetime) {
  compile::CompiledScenario out = std::move(job.compile(lifetime));
  if (!out.labels.roll.empty())
    throw ScenarioError("roll", "a roll alone is answered by run and batch only; state both an attack and a defender");
  return out;
}

}  // namespace

PreparedScenario prepare(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  AnswerJob job(catalogue, scenario, options);
  compile::CompiledScenario compiled = compile_attacks(job, compile::Lifetime::Round);
  compile::add_late_notes(compiled.labels, compiled.labels.notes);
  return {job.scenario(), std::move(compiled)};
}

compile::CompiledScenario compile_named(const Catalogue& catalogue, Scenario& scenario, compile::Lifetime lifetime) {
  AnswerJob job(catalogue, scenario, kDefaults);
  compile::CompiledScenario out = compile_attacks(job, lifetime);
  if (&job.scenario() != &scenario) scenario = job.scenario();
  compile::note_unread_tokens(out.labels, out.labels.notes);
  return out;
}

compile::CompiledScenario compile_copy(const Catalogue& catalogue, const Scenario& scenario,
                                       compile::Lifetime lifetime) {
  AnswerJob job(catalogue, scenario, kDefaults);
  return compile_attacks(job, lifetime);
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
