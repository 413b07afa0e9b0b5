#include "load/chances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace salvo::load {
namespace {

using data::Node;
using data::Value;

constexpr double kTolerance = 1e-9;

/// "12.5%" as the number 0.125.
std::optional<Value> share_of_text(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  const std::optional<double> percent = base::parse_real(text);
  if (!percent || *percent > 100) return std::nullopt;
  Value out = Value::of(Value::Kind::Real);
  out.text = fmt::format("{}", *percent / 100);
  return out;
}

double probability_of(const Node& node) {
  const Value& value = node.value();
  double out = -1;
  if (value.kind == Value::Kind::Real) out = base::parse_real(value.text).value_or(out);
  if (value.kind == Value::Kind::Integer && !value.huge) out = static_cast<double>(value.integer);
  if (!(out >= 0 && out <= 1)) node.fail_kind("a probability from 0 to 1, such as 0.5");
  return out;
}

}  // namespace

std::optional<Value> chances_of_text(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return share_of_text(text);
  Value out = Value::table();
  for (const std::string_view part : base::split(text, ',')) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    std::optional<Value> share = share_of_text(part.substr(std::min(colon + 1, part.size())));
    if (!share) return std::nullopt;
    out.add(std::string(part.substr(0, colon)), std::move(*share));
  }
  return out;
}

bool states_chances(const Node& node) { return node.is(Value::Kind::Real) || node.is(Value::Kind::Table); }

Unknown read_chances(const Node& node, std::string key, std::string name, int least, int most) {
  Unknown out{std::move(key), std::move(name), {}};
  if (!node.is(Value::Kind::Table)) {
    const double share = probability_of(node);
    out.values = {{1, share}, {0, 1 - share}};
  }
  for (const Node& value : node.is(Value::Kind::Table) ? node.children() : std::vector<Node>()) {
    const std::optional<int> number = base::whole_number(value.key());
    if (!number || *number < least || *number > most) {
      value.fail(fmt::format("{} is not one of its values; write whole numbers from {} to {} with their probabilities",
                             base::in_quotes(value.key()), least, most));
    }
    const bool twice = std::any_of(out.values.begin(), out.values.end(),
                                   [&](const std::pair<int, double>& known) { return known.first == *number; });
    if (twice) value.fail("is given twice; give each value once");
    out.values.emplace_back(*number, probability_of(value));
  }
  if (const std::string fault = fault_of(out); !fault.empty()) node.fail(fault);
  std::erase_if(out.values, [](const std::pair<int, double>& value) { return value.second == 0; });
  return out;
}

double total_of(const Unknown& unknown) {
  double out = 0;
  for (const auto& [value, share] : unknown.values) out += share;
  return out;
}

std::string fault_of(const Unknown& unknown) {
  for (const auto& [value, share] : unknown.values) {
    if (!(share >= 0 && share <= 1)) return fmt::format("{} is not a probability from 0 to 1", share);
  }
  const double sum = total_of(unknown);
  if (std::abs(sum - 1) <= kTolerance) return {};
  return fmt::format("the probabilities sum to {:.6g}; name every value, so that they sum to 1 (100%)", sum);
}

bool has_unknowns(const Scenario& scenario) {
  const auto any = [](const std::vector<Unknown>& unknowns) { return !unknowns.empty(); };
  return std::any_of(scenario.ships.begin(), scenario.ships.end(),
                     [&](const auto& ship) { return any(ship.second.unknowns); }) ||
         std::any_of(scenario.attacks.begin(), scenario.attacks.end(),
                     [&](const ScenarioAttack& attack) { return any(attack.unknowns); });
}

std::vector<PlacedUnknown> unknowns_of(const Scenario& scenario) {
  std::vector<PlacedUnknown> out;
  for (const auto& [name, ship] : scenario.ships) {
    for (const Unknown& unknown : ship.unknowns) {
      out.push_back({fmt::format("ships.{}.tokens.{}", name, unknown.key),
                     fmt::format("{} {}{}", name, unknown.key, unknown.name.empty() ? "" : " on " + unknown.name),
                     &unknown});
    }
  }
  for (std::size_t a = 0; a < scenario.attacks.size(); ++a) {
    for (const Unknown& unknown : scenario.attacks[a].unknowns) {
      const bool fact = !unknown.name.empty();
      out.push_back({fmt::format("{}.{}", attack_path(scenario, a), fact ? "facts" : unknown.key),
                     fmt::format("attack {} {}", a + 1, fact ? unknown.name : unknown.key), &unknown});
    }
  }
  return out;
}

void lock_on(const std::string& target, ScenarioShip& ship) {
  for (std::string& lock : ship.locks) lock = target;
  for (Unknown& unknown : ship.unknowns) {
    if (unknown.key == "lock") unknown.name = target;
  }
}

}  // namespace salvo::load
