// The corpus of fuzzing, played again: texts that reach far, and each that once found something (tests/fuzz/targets.h).
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

TEST_CASE("the corpus of fuzzing finds nothing", "[fuzz]") {
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
    // Texts that are all refused would try nothing but the words of errors.
    CAPTURE(taken, texts.size());
    CHECK(3 * taken >= texts.size());
  }
}

TEST_CASE("a target of fuzzing that does not exist is refused", "[fuzz]") {
  CHECK_THROWS_AS(fuzz::target_of("plans"), std::invalid_argument);
  CHECK(std::string(fuzz::target_of("plan").name) == "plan");
}
