// Answers one line of a batch. In: one line of JSON. Out: one line of JSON, an answer or an error.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/json_writer.h"
#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/request.h"

namespace salvo::api {

struct BatchInput {
  std::uint64_t number = 0;  ///< of the line, from 1
  std::string_view text = {};
  bool too_long = false;  ///< it was dropped, and `text` is empty
};

/// Writes the answer, or {"error": {...}}, with a newline; false for an error. `common`: defaults for the line. Uses
/// one thread, since the lines share the cores.
bool write_batch_line(report::JsonWriter& json, const Catalogue& catalogue, const BatchInput& line,
                      const AnswerOptions& common, const RequestOptions& limits = {});

}  // namespace salvo::api
