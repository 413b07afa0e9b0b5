// Rulings and errata of the rule documents (tests/data/rulings.jsonl): scenarios with figures derived without salvo.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/cases.h"
#include "support/scenario_answer.h"

using namespace salvo;
using nlohmann::json;
using scenario_answer::answer;
using scenario_answer::figure;

namespace {

/// The figures of a scenario equal the expected ones. Tokens that a ship cannot have at the end are not listed.
void check_figures(const json& result, const json& expected) {
  for (const auto& [path, value] : expected.items()) {
    INFO(path);
    CHECK(figure(result, path).value_or(0) == Approx(value.get<double>()).margin(1e-9).epsilon(0));
  }
}

}  // namespace

TEST_CASE("rulings and errata of the rule documents", "[rules][rulings]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  int rulings = 0;
  for (const char* name : {"rulings.jsonl", "rulings-first-edition.jsonl"}) {
    for (const json& entry : tests::read_cases(name)) {
      ++rulings;
      INFO(entry["ruling"].get<std::string>() << " (" << entry["source"].get<std::string>() << ")\n"
                                              << entry["scenario"].dump());
      check_figures(answer(catalogue, entry["scenario"]), entry["expect"]);
    }
  }
  CHECK(rulings >= 240);
}

TEST_CASE("editions with different rules give different answers", "[rules][rulings]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  int differences = 0;
  for (const json& entry : tests::read_cases("editions.jsonl")) {
    ++differences;
    INFO(entry["rule"].get<std::string>() << "\n" << entry["scenario"].dump());
    json first = entry["scenario"], second = entry["scenario"];
    first["rules"] = "first-edition";
    second["rules"] = "second-edition";
    const bool refused = entry["first"].contains("error");
    if (refused) {
      CHECK_THROWS_WITH(answer(catalogue, first), Catch::Contains(entry["first"]["error"].get<std::string>()));
    } else {
      check_figures(answer(catalogue, first), entry["first"]);
    }
    check_figures(answer(catalogue, second), entry["second"]);
    CHECK(entry["first"] != entry["second"]);
  }
  CHECK(differences >= 10);
}
