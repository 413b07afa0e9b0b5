// Writes the JSON members of an answer, only once for a cached answer.
#pragma once

#include "answers/answer_cache.h"
#include "report/json_writer.h"

namespace salvo::questions {

/// Writes what report::write_report() writes.
void write_answer(report::JsonWriter& json, const answers::SharedAnswer& answer);

}  // namespace salvo::questions
