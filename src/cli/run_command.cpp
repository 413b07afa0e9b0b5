// What `salvo run` has beyond the question: the instruction set, and sampling in parts.
#include <memory>

#include "cli/answer_output.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/question_command.h"
#include "cli/status_line.h"
#include "jobs/sharded_sampling.h"
#include "jobs/worker_group.h"
#include "questions/run_answer.h"
#include "questions/scenario_question.h"

namespace salvo::cli {
namespace {

struct RunArguments : TypedQuestion {
  std::string out, shard;
  bool restart = false;
};

/// A sampling run whose trials are counted in parts.
int sampling_command(const CommandOptions& options, jobs::SamplingJob job) {
  end_on_interrupt();
  Progress progress;
  job.monitor = monitor_of(progress);
  const AnswerOptions how = job.request.answer;
  std::optional<Report> report = jobs::run_sampling(std::move(job));
  progress.erase();
  if (!report) return kSuccess;
  const auto counted = std::make_shared<const answers::CachedReport>(answers::CachedReport{std::move(*report)});
  return print_answer(questions::answer_of_report(counted, how), options);
}

/// The job of a sampling run in parts, if the options request one.
std::optional<jobs::SamplingJob> sharded_job(const CLI::App& app, const RunArguments& typed) {
  const char* const shard_option = given(app, "--shard") ? "--shard" : given(app, "--out") ? "--out" : nullptr;
  if (shard_option == nullptr && given(app, "--restart"))
    throw UsageError("--restart: name the file to overwrite with --out");
  if (shard_option == nullptr && jobs::WorkerGroup::current() == nullptr) return std::nullopt;
  const std::string option = shard_option != nullptr ? shard_option : "salvo-mpi run";
  const auto& question = static_cast<const questions::ScenarioQuestion&>(*typed.asked.common);
  jobs::SamplingJob out{{question.source, question.cards, question.answer}, typed.out, typed.restart};
  out.shard = read_shard(app, typed.shard);
  for (const char* other : {"--format", "--plot"}) {
    if (out.shard && given(app, other))
      throw UsageError(std::string(other) + ": a shard prints nothing; give it to salvo merge");
  }
  if (given(app, "--out") && out.out.empty()) throw UsageError("--out: the name of the file is empty");
  if (question.answer.engine != EngineChoice::Sample)
    throw UsageError(option + ": only sampling can be split into parts; add --engine sample");
  if (question.answer.precision)
    throw UsageError(option + ": the trials that a precision needs are not known in advance; give --trials instead");
  questions::check(*typed.asked.list, question.source);
  return out;
}

}  // namespace

DeclaredCommand add_run(CLI::App& top) {
  const auto typed = std::make_shared<RunArguments>();
  CLI::App& app = declare_question(top, questions::kRun, *typed);
  add_value(app, "Engines", "--target", "NAME", typed->target, "sampling: instruction set, see salvo --version");
  add_value(app, "Output", "--out", "FILE", typed->out, "file of sample counts; an interrupted run resumes");
  add_value(app, "Output", "--shard", "I/N", typed->shard, "compute part I of N for salvo merge; needs --out");
  add_flag(app, "Output", "--restart", typed->restart, "discard what the file of --out contains");
  return {&app, [&app, typed] {
            const CommandOptions options = read_question(*typed, app);
            if (const auto job = sharded_job(app, *typed))
              return Task{options, [options, job] { return sampling_command(options, *job); }};
            return Task{options, [typed, options] { return ask_question(*typed, options); }};
          }};
}

}  // namespace salvo::cli
