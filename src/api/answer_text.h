// The text of an answer: written once for an answer that is kept.
// In: what the front door gives. Out: the members of its JSON.
#pragma once

#include "answers/answer_cache.h"
#include "report/json_writer.h"

namespace salvo::api {

/// What report::write_report() writes.
void write_answer(report::JsonWriter& json, const answers::SharedAnswer& answer);

}  // namespace salvo::api
