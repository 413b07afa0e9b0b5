// Conditions and counts of cards as text, for rooms that ask what a card reads.
// In: text such as "self.stress >= 1 and bullseye". Out: the names in it.
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

/// Every name that the expression reads, once, in order: "self.stress", "bullseye", "count(own.blank)".
/// Throws ExpressionError when the text is not well-formed.
std::vector<std::string> names_read(std::string_view text);

}  // namespace salvo::compile
