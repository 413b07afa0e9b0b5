// What `run` and `merge` print of a report.
#pragma once

#include <optional>

#include "answers/answer_cache.h"
#include "data/value.h"
#include "questions/question.h"

namespace salvo::questions {

/// `line`: JSON on one line. `id`: repeated by the JSON.
Answer answer_of_report(answers::SharedAnswer report, const AnswerOptions& options, bool line = false,
                        const std::optional<data::Value>& id = {});

}  // namespace salvo::questions
