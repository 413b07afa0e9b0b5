#include "salvo/request.h"

#include "api/answer_question.h"
#include "base/text.h"
#include "base/work_limit.h"
#include "report/json_writer.h"
#include "salvo/failure.h"

namespace salvo {

const std::vector<std::string>& request_verbs() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const questions::Question* one : questions::all()) out.emplace_back(one->name);
    return out;
  }();
  return names;
}

std::string answer_request(const Catalogue& catalogue, std::string_view verb, std::string_view body,
                           const RequestOptions& options) {
  const base::WorkLimit limit(options.max_work, options.cancel);
  const questions::Question* const question = questions::find(verb);
  if (question == nullptr) throw ScenarioError("verb", base::unknown("verb", std::string(verb), request_verbs()));
  return api::answer_question(*question, catalogue, body, options);
}

std::string request_error(bool line) {
  Failure failure;
  try {
    failure = current_failure();
  } catch (const std::exception& error) {  // a system error
    failure = {ErrorKind::Internal, "", error.what(), error.what()};
  }
  const auto write = [&](report::JsonWriter& json) {
    json.object("error", [&] {
      json.member("place", failure.place);
      json.member("message", failure.message);
      json.member("status", status_of(failure.kind));
    });
  };
  return line ? report::json_line(write) : report::wrapped_json(write);
}

}  // namespace salvo
