// Rulings and errata of the rule documents (tests/data/rulings.jsonl): each a scenario with figures that were derived
// without salvo.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "salvo/compile.h"
#include "salvo/exact.h"
#include "salvo/load.h"
#include "salvo/report.h"

namespace {

using namespace salvo;
using nlohmann::json;

/// The result as `salvo run --format json` prints it.
json answer(const Catalogue& catalogue, const json& scenario) {
  const Question question = compile(catalogue, parse_scenario(scenario.dump(), "ruling"));
  const exact::Solution solution = exact::solve(question.plan);
  Report report;
  report.labels = question.labels;
  report.engine = "exact";
  report.exact = exact::enumerate(question.plan, solution);
  return json::parse(to_json(report));
}

/// The number at a path such as "ships.black.damage.mean" or "attacks.0.attack_dice".
std::optional<double> figure(const json& result, const std::string& path) {
  const json* at = &result;
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

}  // namespace

TEST_CASE("rulings and errata of the rule documents", "[rules][rulings]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  std::ifstream file(SALVO_SOURCE_DIR "/tests/data/rulings.jsonl");
  REQUIRE(file);
  int rulings = 0;
  for (std::string line; std::getline(file, line); ++rulings) {
    const json entry = json::parse(line);
    INFO(entry["ruling"].get<std::string>() << " (" << entry["source"].get<std::string>() << ")\n"
                                            << entry["scenario"].dump());
    const json result = answer(catalogue, entry["scenario"]);
    for (const auto& [path, expected] : entry["expect"].items()) {
      INFO(path);
      // A token that no ship can have at the end is not listed.
      CHECK(figure(result, path).value_or(0) == Approx(expected.get<double>()).margin(1e-9).epsilon(0));
    }
  }
  CHECK(rulings >= 180);
}
