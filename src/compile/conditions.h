// The names in the text of a condition or count, such as "self.stress >= 1 and bullseye".
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::compile {

/// A condition that cannot be parsed; what() says where and why.
struct ExpressionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Every name in the expression, once, in order: "self.stress", "bullseye", "count(own.blank)". Throws ExpressionError
/// for malformed text.
std::vector<std::string> names_read(std::string_view text);

}  // namespace salvo::compile
