// A scenario answered by the exact engine, as `salvo run --format json` prints it, and the figures in it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "answers/estimates.h"
#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"

namespace scenario_answer {

inline nlohmann::json answer(const salvo::Catalogue& catalogue, const nlohmann::json& scenario) {
  const salvo::compile::CompiledScenario question =
      salvo::compile::compile_scenario(catalogue, salvo::parse_scenario(scenario.dump(), "case"));
  const salvo::exact::Solution solution = salvo::exact::solve(question.plan);
  const salvo::game::Distribution found = salvo::exact::enumerate(question.plan, solution);
  return nlohmann::json::parse(salvo::to_json(salvo::answers::make_report(question.labels, found)));
}

/// The number at a path such as "ships.black.damage.mean" or "attacks.0.attack_dice".
inline std::optional<double> figure(const nlohmann::json& result, const std::string& path) {
  const nlohmann::json* at = &result;
  std::stringstream parts(path);
  for (std::string part; std::getline(parts, part, '.');) {
    if (at->is_array()) {
      const auto index = static_cast<std::size_t>(std::stoul(part));
      if (index >= at->size()) return std::nullopt;
      at = &(*at)[index];
    } else {
      if (!at->contains(part)) return std::nullopt;
      at = &(*at)[part];
    }
  }
  return at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

}  // namespace scenario_answer
