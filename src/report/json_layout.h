// JSON as text. Doubles have the shortest digits that read back as the same number.
// In: a JSON value. Out: one line, or a page for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace salvo::report {

/// The value on one line, without a newline at its end.
std::string json_line(const nlohmann::ordered_json& value);

/// The value in lines of at most about 110 columns, ending in a newline.
std::string json_page(const nlohmann::ordered_json& value);

}  // namespace salvo::report
