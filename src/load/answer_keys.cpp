#include "load/answer_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/index.h"
#include "base/text.h"
#include "salvo/answer.h"

namespace salvo::load {
namespace {

/// Of whole numbers other than seeds.
constexpr auto kMost = static_cast<std::int64_t>(kMaxTrials);

}  // namespace

bool is_scalar(const data::Value& value) {
  return value.kind != data::Value::Kind::Array && value.kind != data::Value::Kind::Table;
}

std::uint64_t read_count(const data::Node& node, std::uint64_t least) {
  const data::Value& value = node.value();
  if (value.kind == data::Value::Kind::Integer && value.huge && least == 0) {  // a seed may use all 64 bits
    std::uint64_t out = 0;
    const char* end = value.text.data() + value.text.size();
    if (const auto [at, error] = std::from_chars(value.text.data(), end, out); error == std::errc() && at == end)
      return out;
  }
  const auto low = static_cast<std::int64_t>(least);
  if (value.kind == data::Value::Kind::Real) {  // some programs write a million as 1e6
    const double real = base::parse_real(value.text).value_or(-1);
    if (real >= static_cast<double>(low) && real <= static_cast<double>(kMost) && real == std::floor(real))
      return static_cast<std::uint64_t>(real);
  }
  const std::int64_t most = least == 0 ? std::numeric_limits<std::int64_t>::max() : kMost;
  if (value.kind != data::Value::Kind::Integer || value.huge || value.integer < low || value.integer > most)
    node.fail_number(fmt::format("a whole number from {} to {}", least, least == 0 ? "2^64 - 1" : "1e15"));
  return static_cast<std::uint64_t>(value.integer);
}

double read_share(const data::Node& node, double most) {
  const bool real = node.is(data::Value::Kind::Real);
  const std::optional<double> number = real ? base::parse_real(node.value().text) : std::nullopt;
  if (number && *number > 0 && *number <= most) return *number;
  const std::string range = fmt::format("a number above 0 and at most {}", most);
  if (number) node.fail(fmt::format("{} is out of range; write {}", node.value().text, range));
  node.fail_number(range);
}

const std::vector<std::string_view>& answer_keys() {
  static const std::vector<std::string_view> keys = {"engine", "trials",    "seed", "precision",
                                                     "budget", "would_add", "id"};
  return keys;
}

data::Value take_members(data::Value& table, const std::vector<std::string_view>& names) {
  data::Value out = data::Value::table();
  const auto taken = std::stable_partition(table.items.begin(), table.items.end(), [&](const data::Value& member) {
    return !base::contains(names, member.key);
  });
  out.items.assign(std::make_move_iterator(taken), std::make_move_iterator(table.items.end()));
  table.items.erase(taken, table.items.end());
  return out;
}

AnswerKeys read_answer_keys(const data::Node& table) {
  AnswerKeys out;
  if (const auto engine = table.get("engine")) {
    const data::Value& value = engine->value();
    if (value.kind == data::Value::Kind::Text) out.engine = parse_engine(value.text);
    if (!out.engine) engine->fail("write one of \"exact\", \"sample\", \"both\"");
  }
  if (const auto trials = table.get("trials")) out.trials = read_count(*trials, 1);
  if (const auto seed = table.get("seed")) out.seed = read_count(*seed, 0);
  if (const auto precision = table.get("precision")) out.precision = read_share(*precision, kLargestPrecision);
  if (const auto budget = table.get("budget")) out.budget = static_cast<double>(read_count(*budget, 1));
  if (const auto would_add = table.get("would_add")) out.would_add = would_add->boolean();
  if (const auto id = table.get("id")) {
    if (!is_scalar(id->value())) id->fail("write a text, a number, true, false or null; the answer repeats it");
    out.id = id->value();
  }
  return out;
}

}  // namespace salvo::load
