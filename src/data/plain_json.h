// A fast parser for common JSON: ASCII, no escapes, numbers of moderate length, no errors. parse_json() tries it first
// and falls back to its library, which handles everything else and words the errors. Both give the same tree.
#pragma once

#include <optional>
#include <string_view>

#include "data/value.h"

namespace salvo::data {

/// The tree; empty if the text is not of this common form or has an error. `first_line`: number of the first line.
std::optional<Value> parse_plain_json(std::string_view text, int first_line = 1);

}  // namespace salvo::data
