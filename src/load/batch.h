// Parses a line of `salvo batch`: a scenario and the options of its run in one JSON object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "load/answer_keys.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// A scenario, and how to answer it.
struct BatchLine : AnswerKeys {
  Scenario scenario;
};

/// Throws LoadError as parse_scenario does.
BatchLine parse_batch_line(std::string_view text, const std::string& source);

/// The id of a line, even if parse_batch_line() rejects it. Empty if the line is not JSON or has no scalar id.
std::optional<data::Value> batch_id(std::string_view text);

}  // namespace salvo::load
