// Finds the most expensive key of a question, for the "too large" error.
#pragma once

#include <string>
#include <string_view>

namespace salvo::serve {

/// The key of the body that multiplies the work of the verb most: its longest list, or a number of rounds or shots; or
/// `precision`, which determines the number of trials. Empty if the body has no such key.
std::string costliest_key(std::string_view verb, std::string_view body);

}  // namespace salvo::serve
