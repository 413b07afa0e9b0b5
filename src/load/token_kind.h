// Reads the keys of tables of tokens, as scenarios, policies, logs and points of play have them.
#pragma once

#include <string>
#include <vector>

#include "data/node.h"

namespace salvo::load {

/// The kind that a key in a table of tokens states, in lower case, since case never matters there. `stated`: the kinds
/// before it. Throws LoadError if it is one of them.
std::string token_kind(const data::Node& token, std::vector<std::string>& stated);

}  // namespace salvo::load
