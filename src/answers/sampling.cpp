#include "answers/sampling.h"

#include "answers/answer_job.h"
#include "answers/options.h"

namespace salvo::answers {

struct Sampling::Content {
  Content(const Catalogue& catalogue, const Scenario& given, const AnswerOptions& asked)
      : scenario(given), options(asked), job(catalogue, scenario, options), how(sampling_of(options)) {
    job.compile();
    policy = job.policy_to_sample(engine_reason);
  }

  const Scenario scenario;  // the job refers to these two
  const AnswerOptions options;
  AnswerJob job;
  sample::Options how;
  std::string engine_reason;
  game::Policy policy;
  std::optional<sample::Parts> parts;
};

Sampling::Sampling(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options)
    : content_(new Content(catalogue, scenario, options)) {}
Sampling::~Sampling() = default;

const game::Plan& Sampling::plan() const { return content_->job.compiled().plan; }
std::uint64_t Sampling::trials() const { return content_->how.trials; }

sample::Parts& Sampling::parts() {
  if (!content_->parts) content_->parts.emplace(plan(), content_->policy, content_->how);
  return *content_->parts;
}

Report Sampling::report(const sample::Tally& all, const sample::PlayedBy& by) const {
  EngineResults results;
  results.engine_reason = content_->engine_reason;
  results.sample = sample::distribution_of(plan(), all, content_->how, by);
  results.rounds = content_->job.sampled_rounds(content_->policy, *results.sample);
  return content_->job.report(std::move(results));
}

}  // namespace salvo::answers
