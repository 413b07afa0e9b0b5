// batch: one line of `salvo batch`: a scenario with the options of its run beside it.
// In: a line of JSON. Out: the scenario and the options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "load/answer_keys.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// A scenario as a line of JSON: the keys of a scenario, and those of `salvo run`'s options that choose the answer.
struct BatchLine : load::AnswerKeys {
  Scenario scenario;
};

/// Throws LoadError as parse_scenario does.
BatchLine parse_batch_line(std::string_view text, const std::string& source);

/// The id of a line, also of one that parse_batch_line() refuses; empty: it has none that can be repeated, or is no
/// JSON.
std::optional<data::Value> batch_id(std::string_view text);

}  // namespace salvo::load
