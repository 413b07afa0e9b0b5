// A line of a batch: the options are taken out of the tree, what remains is a scenario.
#include "load/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "load/file.h"
#include "load/message.h"
#include "load/node.h"
#include "load/scenario_tree.h"

namespace salvo {
namespace {

using load::Node;
using load::Value;

constexpr std::int64_t kMostTrials = 1'000'000'000'000'000;

[[noreturn]] void refuse(const std::string& source, const Value& value, const std::string& why) {
  load::fail(source, value.key, value.line, why);
}

std::optional<std::uint64_t> take_count(Value& root, const char* name, std::int64_t least, const std::string& source) {
  const auto value = root.take(name);
  if (!value) return std::nullopt;
  if (value->kind == Value::Kind::Integer && value->huge && least == 0) {  // a seed has 64 bits
    std::uint64_t out = 0;
    const char* end = value->text.data() + value->text.size();
    if (const auto [at, error] = std::from_chars(value->text.data(), end, out); error == std::errc() && at == end)
      return out;
  }
  const std::int64_t most = least == 0 ? std::numeric_limits<std::int64_t>::max() : kMostTrials;
  if (value->kind != Value::Kind::Integer || value->huge || value->integer < least || value->integer > most) {
    refuse(source, *value, fmt::format("write a whole number from {} to {}", least, least == 0 ? "2^64 - 1" : "1e15"));
  }
  return static_cast<std::uint64_t>(value->integer);
}

std::optional<double> take_precision(Value& root, const std::string& source) {
  const auto value = root.take("precision");
  if (!value) return std::nullopt;
  double out = 0;
  if (value->kind == Value::Kind::Real) {
    const char* end = value->text.data() + value->text.size();
    if (std::from_chars(value->text.data(), end, out).ec != std::errc()) out = 0;
  }
  if (!(out > 0 && out <= 0.5)) refuse(source, *value, "write a number above 0 and at most 0.5");
  return out;
}

bool is_scalar(const Value& value) { return value.kind != Value::Kind::Array && value.kind != Value::Kind::Table; }

}  // namespace

std::optional<Value> batch_id(std::string_view text) {
  try {
    load::check_text(text, "-");
    Value root = load::parse_json(text, "-");
    auto id = root.kind == Value::Kind::Table ? root.take("id") : std::nullopt;
    return id && is_scalar(*id) ? id : std::nullopt;
  } catch (const LoadError&) {
    return std::nullopt;
  }
}

BatchLine parse_batch_line(std::string_view text, const std::string& source) {
  load::check_text(text, source);
  Value root = load::parse_json(text, source);
  if (root.kind != Value::Kind::Table) Node(root, source).fail_kind("a scenario: an object with ships and attacks");
  BatchLine out;
  if (const auto engine = root.take("engine")) {
    const Value holder = *engine;
    if (holder.kind != Value::Kind::Text ||
        (holder.text != "exact" && holder.text != "sample" && holder.text != "both")) {
      refuse(source, holder, "write one of \"exact\", \"sample\", \"both\"");
    }
    out.engine = holder.text;
  }
  out.trials = take_count(root, "trials", 1, source);
  out.seed = take_count(root, "seed", 0, source);
  out.precision = take_precision(root, source);
  if (const auto budget = take_count(root, "budget", 1, source)) out.budget = static_cast<double>(*budget);
  if (const auto id = root.take("id")) {
    if (!is_scalar(*id)) refuse(source, *id, "write a text, a number, true, false or null; the answer repeats it");
    out.id = *id;
  }
  out.scenario = load::read_scenario(root, source);
  return out;
}

}  // namespace salvo
