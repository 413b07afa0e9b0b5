#include "api/batch_line.h"

#include "api/answer_question.h"
#include "base/work_limit.h"
#include "load/batch.h"
#include "questions/answer_text.h"
#include "report/report_json.h"
#include "salvo/failure.h"

namespace salvo::api {
namespace {

AnswerOptions options_of(const load::BatchLine& line, const AnswerOptions& common) {
  AnswerOptions out = common;
  if (line.engine) out.engine = line.engine;
  if (line.trials) out.trials = line.trials;
  if (line.precision) out.precision = line.precision;
  if (line.seed) out.seed = *line.seed;
  if (line.budget) out.budget = line.budget;
  if (line.would_add) out.would_add = *line.would_add;
  out.threads = 1;
  return out;
}

void answer_line(report::JsonWriter& json, const Catalogue& catalogue, const BatchInput& line,
                 const AnswerOptions& common, const RequestOptions& limits) {
  if (line.too_long) throw LoadError("the line is longer than 8 MiB; no scenario is that large");
  const load::BatchLine question = load::parse_batch_line(line.text, "-");
  AnswerOptions options = options_of(question, common);
  keep_within(limits, options);
  const base::WorkLimit limit(limits.max_work, limits.cancel);
  const answers::SharedAnswer answer = answers::answer_shared(catalogue, question.scenario, options);
  json.object([&] {
    questions::write_answer(json, answer);
    report::write_id(json, question.id);
  });
}

void write_error(report::JsonWriter& json, const BatchInput& line, const Failure& failure) {
  json.object([&] {
    json.object("error", [&] {
      json.member("line", line.number);
      json.member("place", failure.place);
      json.member("message", failure.message);
      json.member("status", status_of(failure.kind));
    });
    if (!line.too_long) report::write_id(json, load::batch_id(line.text));
  });
}

}  // namespace

bool write_batch_line(report::JsonWriter& json, const Catalogue& catalogue, const BatchInput& line,
                      const AnswerOptions& common, const RequestOptions& limits) {
  const std::size_t begin = json.size();
  bool answered = true;
  try {
    answer_line(json, catalogue, line, common, limits);
  } catch (...) {
    json.truncate(begin);
    write_error(json, line, current_failure());
    answered = false;
  }
  json.end_line();
  return answered;
}

}  // namespace salvo::api
