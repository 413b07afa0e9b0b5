// Excess: what of a question costs most, for those who are told that it costs too much.
// In: a question that was refused. Out: the key to ask for less of.
#pragma once

#include <string>
#include <string_view>

namespace salvo::serve {

/// The key of the body that has the most of what multiplies the work of the verb: the longest of its lists, or a number
/// of rounds or shots; `precision`, which says how many trials there are. Empty: the body has no such key.
std::string costliest_key(std::string_view verb, std::string_view body);

}  // namespace salvo::serve
