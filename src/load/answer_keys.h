// Answer keys: the options of an answer as keys of JSON, beside those of a scenario.
// In: a tree. Out: how to answer, in the words of whoever asks.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "data/value.h"

namespace salvo::load {

/// The keys that choose how an answer is found; empty: not given.
struct AnswerKeys {
  std::optional<std::string> engine;  ///< "exact", "sample" or "both"
  std::optional<std::uint64_t> trials, seed;
  std::optional<double> precision, budget;
  std::optional<data::Value> id;  ///< the user's, for the answer to repeat: a text, a number, true, false or null
};

/// Names of the keys.
const std::vector<std::string_view>& answer_keys();

/// Takes the members with these names out of a table, in a table of their own.
data::Value take_members(data::Value& table, const std::vector<std::string_view>& names);

/// Throws LoadError for values that cannot be.
AnswerKeys read_answer_keys(const data::Node& table);

/// A number above 0 and at most `most`. Throws LoadError.
double read_share(const data::Node& node, double most);

/// Whether it is a text, a number, true, false or null.
bool is_scalar(const data::Value& value);

}  // namespace salvo::load
