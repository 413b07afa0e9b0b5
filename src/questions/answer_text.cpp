#include "questions/answer_text.h"

#include <memory>
#include <string>
#include <utility>

#include "report/report_json.h"

namespace salvo::questions {
namespace {

struct AnswerText : load::DerivedData::Base {
  explicit AnswerText(std::string json) : members(std::move(json)) {}
  const std::string members;
};

std::unique_ptr<const AnswerText> text_of(const Report& report) {
  const std::string object = report::json_line([&](report::JsonWriter& json) { report::write_report(json, report); });
  return std::make_unique<const AnswerText>(object.substr(1, object.size() - 2));
}

}  // namespace

void write_answer(report::JsonWriter& json, const answers::SharedAnswer& answer) {
  const bool shared = answer.use_count() > 1;  // shared with the cache
  if (!shared) return report::write_report(json, answer->report);
  json.raw(answer->text.get<AnswerText>([&] { return text_of(answer->report); }).members);
}

}  // namespace salvo::questions
