// Philox4x32 against Random123: its published known answers, and the library itself for random counters.
#include <Random123/philox.h>
#undef philox4x32  // a macro of Random123 with the name of our function

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <sstream>

#include "base/philox.h"

using namespace salvo;

TEST_CASE("philox: known answers", "[sample][philox]") {
  std::ifstream file(SALVO_SOURCE_DIR "/tests/data/philox_known_answers.txt");
  REQUIRE(file);
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    int rounds = 0;
    salvo::base::PhiloxCounter counter{};
    salvo::base::PhiloxKey key{};
    salvo::base::PhiloxCounter want{};
    words >> rounds >> std::hex;
    for (auto& word : counter) words >> word;
    for (auto& word : key) words >> word;
    for (auto& word : want) words >> word;
    REQUIRE(words);
    CAPTURE(line);
    CHECK(base::philox4x32(counter, key, rounds) == want);
    ++rows;
  }
  CHECK(rows == 6);
}

TEST_CASE("philox: the same words as the Random123 library", "[sample][philox]") {
  std::mt19937 random(123);
  const auto word = [&] { return static_cast<std::uint32_t>(random()); };
  for (int i = 0; i < 10'000; ++i) {
    const salvo::base::PhiloxCounter counter = {word(), word(), word(), word()};
    const salvo::base::PhiloxKey key = {word(), word()};
    const auto want = r123::Philox4x32()({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
    const salvo::base::PhiloxCounter got = base::philox4x32(counter, key);
    REQUIRE(std::equal(got.begin(), got.end(), want.begin()));
  }
}

TEST_CASE("philox: several blocks at once equal single blocks", "[sample][philox]") {
  std::mt19937 random(124);
  const auto word = [&] { return static_cast<std::uint32_t>(random()); };
  for (int i = 0; i < 1'000; ++i) {
    const salvo::base::PhiloxCounter counter = {word(), word(), word(), word()};
    const salvo::base::PhiloxKey key = {word(), word()};
    const std::array<std::uint32_t, salvo::base::kPhiloxBlocks> more = {0, 1, word(), word()};
    const auto got = base::philox4x32_blocks(counter, more, key);
    for (std::size_t b = 0; b < got.size(); ++b) {
      const auto want =
          r123::Philox4x32()({{counter[0], counter[1], counter[2] + more[b], counter[3]}}, {{key[0], key[1]}});
      REQUIRE(std::equal(got[b].begin(), got[b].end(), want.begin()));
    }
  }
}

TEST_CASE("philox: both halves of a seed are in its key", "[sample][philox]") {
  CHECK(base::philox_key(0x0123456789abcdefu) == base::PhiloxKey{0x89abcdefu, 0x01234567u});
}
