// Layout of JSON: short values on one line, longer ones broken, doubles with enough digits to read back the same.
// In: a JSON value. Out: text that ends in a newline.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace salvo::report {

std::string laid_out(const nlohmann::ordered_json& value);

}  // namespace salvo::report
