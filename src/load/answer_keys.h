// The JSON keys that choose how to answer a scenario, in addition to the keys of the scenario itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "data/value.h"
#include "salvo/engine.h"

namespace salvo::load {

/// The values of these keys. Empty: not given.
struct AnswerKeys {
  std::optional<EngineChoice> engine;
  std::optional<std::uint64_t> trials, seed;
  std::optional<double> precision, budget;
  std::optional<bool> would_add;
  std::optional<data::Value> id;  ///< any scalar, which the answer repeats
};

/// Names of the keys.
const std::vector<std::string_view>& answer_keys();

/// Moves the members with these names from a table to a new one.
data::Value take_members(data::Value& table, const std::vector<std::string_view>& names);

/// Throws LoadError for values of the wrong type or range.
AnswerKeys read_answer_keys(const data::Node& table);

/// A whole number from `least` to 1e15; to 2^64 - 1 if `least` is 0. Throws LoadError.
std::uint64_t read_count(const data::Node& node, std::uint64_t least);

/// A number above 0 and at most `most`. Throws LoadError.
double read_share(const data::Node& node, double most);

/// Whether the value is neither a table nor a list.
bool is_scalar(const data::Value& value);

}  // namespace salvo::load
