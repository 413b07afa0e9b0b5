#include "serve/cost_hint.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "data/value.h"
#include "salvo/errors.h"

namespace salvo::serve {
namespace {

using data::Value;

constexpr std::string_view kShips = "pilots";  // the ships of a squad in XWS

/// Keys to which the work is proportional.
constexpr std::array kFactors = {"attacks", "attack", "return", "defend", "rounds", "items", "squad", "against",
                                 "mine",    "theirs", "squads", "ships",  "times",  "all",   "log",   "round"};

/// How many times this value multiplies the work.
std::int64_t amount(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Integer:
      return value.integer;
    case Value::Kind::Array: {
      std::int64_t out = 0;
      for (const Value& item : value.items) out += std::max<std::int64_t>(1, amount(item));
      return out;
    }
    case Value::Kind::Table:
      for (const Value& member : value.items) {
        if (member.key == kShips || member.key == "ships") return static_cast<std::int64_t>(member.items.size());
      }
      return 1;
    case Value::Kind::Boolean:
      return value.boolean ? 1000 : 0;  // `all`: every ship of a card set
    default:
      return 1;
  }
}

bool is_factor(const std::string& key, std::string_view verb) {
  if (key == "ships") return verb == "hazard";  // the ships of a scenario cost nothing, only its attacks do
  return std::find(kFactors.begin(), kFactors.end(), key) != kFactors.end();
}

}  // namespace

std::string costliest_key(std::string_view verb, std::string_view body) {
  Value root;
  try {
    root = data::parse_json(body, "-");
  } catch (const Error&) {  // malformed: refused for another reason
    return {};
  }
  const Value* out = nullptr;
  std::int64_t most = 0;
  for (const Value& member : root.items) {
    if (member.key == "precision") return member.key;
    if (!is_factor(member.key, verb)) continue;
    if (const std::int64_t one = amount(member); one > most) {
      most = one;
      out = &member;
    }
  }
  return out == nullptr ? std::string() : out->key;
}

}  // namespace salvo::serve
