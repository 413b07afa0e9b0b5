// Plays the fuzzing corpus: texts with high coverage, and every text that once found a fault (tests/fuzz/targets.h).
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> texts_of(const std::string& target) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(SALVO_SOURCE_DIR "/tests/fuzz/corpus") / target))
    out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("the fuzzing corpus finds no fault", "[fuzz]") {
  for (const fuzz::Target& target : fuzz::targets()) {
    const std::vector<fs::path> texts = texts_of(target.name);
    CAPTURE(target.name);
    CHECK_FALSE(texts.empty());
    std::size_t taken = 0;
    for (const fs::path& path : texts) {
      std::ifstream file(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      INFO(path.filename().string());
      bool well = false;
      CHECK_NOTHROW(well = target.play(text));
      taken += well ? 1 : 0;
    }
    // If every text were refused, only error messages would be tested.
    CAPTURE(taken, texts.size());
    CHECK(3 * taken >= texts.size());
  }
}

TEST_CASE("an unknown fuzzing target is refused", "[fuzz]") {
  CHECK_THROWS_AS(fuzz::target_of("plans"), std::invalid_argument);
  CHECK(std::string(fuzz::target_of("plan").name) == "plan");
}
