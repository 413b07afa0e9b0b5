// Plain JSON, read fast: no escapes, nothing but ASCII, numbers of moderate length, no errors. What is not plain is for
// parse_json's library, which also knows what to say about it.
// In: text. Out: the same tree that the library's events give.
#pragma once

#include <optional>
#include <string_view>

#include "data/value.h"

namespace salvo::data {

/// The tree of a plain text; empty for any other, with or without errors. `first_line`: the number of its first line.
std::optional<Value> parse_plain_json(std::string_view text, int first_line = 1);

}  // namespace salvo::data
