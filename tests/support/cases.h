// Cases of tests/data: one JSON object a line.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace tests {

/// The cases of a file, such as "cards.jsonl". `every`: only one in so many, for tests that play each case for long;
/// SALVO_CASES_STEP is 6 under a sanitizer, where they would take minutes, else 1.
inline std::vector<nlohmann::json> read_cases(const std::string& name, std::size_t every = 1) {
  std::ifstream file(SALVO_SOURCE_DIR "/tests/data/" + name);
  std::vector<nlohmann::json> out;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line); ++number) {
    if (number % every == 0) out.push_back(nlohmann::json::parse(line));
  }
  if (out.empty()) throw std::runtime_error("no cases in tests/data/" + name);
  return out;
}

}  // namespace tests
