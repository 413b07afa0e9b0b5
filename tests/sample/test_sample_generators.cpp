// The generators other than Philox (test_base_philox.cpp): known answers of ARS, an independent copy of the published
// recurrence of xoshiro256++, and the layout of both streams rebuilt from the text of random_words.h.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "base/ars.h"
#include "base/xoshiro.h"
#include "sample/vector/random_words.h"
#include "sample/vector/vector_kernel.h"

using namespace salvo;
using namespace salvo::sample;

namespace {

constexpr std::uint64_t kSeed = 0xfedcba9876543210u;

/// xoshiro256++ as published (prng.di.unimi.it, xoshiro256plusplus.c), written independently.
class Published {
 public:
  explicit Published(salvo::base::XoshiroState state) : a_(state[0]), b_(state[1]), c_(state[2]), d_(state[3]) {}
  std::uint64_t operator()() {
    const std::uint64_t result = turned(a_ + d_, 23) + a_;
    const std::uint64_t t = b_ * 131'072;
    c_ = c_ ^ a_;
    d_ = d_ ^ b_;
    b_ = b_ ^ c_;
    a_ = a_ ^ d_;
    c_ = c_ ^ t;
    d_ = turned(d_, 45);
    return result;
  }

 private:
  static std::uint64_t turned(std::uint64_t x, int k) { return x << k | x >> (64 - k); }
  std::uint64_t a_, b_, c_, d_;
};

Addresses addresses_of(int main_planes, int planes) {
  Addresses out;
  out.main_planes = main_planes;
  out.planes = planes;
  return out;
}

}  // namespace

TEST_CASE("ars: known answers", "[sample][generator]") {
  std::ifstream file(SALVO_SOURCE_DIR "/tests/data/ars_known_answers.txt");
  REQUIRE(file);
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    salvo::base::ArsWords counter{};
    salvo::base::ArsWords key{};
    salvo::base::ArsWords want{};
    words >> std::hex;
    for (base::ArsWords* target : {&counter, &key, &want}) {
      for (auto& word : *target) words >> word;
    }
    REQUIRE(words);
    CAPTURE(line);
    CHECK(base::ars4x32(counter, key) == want);
    CHECK(base::ars4x32(counter, key, 6) != want);
    ++rows;
  }
  CHECK(rows == 24);
}

TEST_CASE("xoshiro256++: the published recurrence", "[sample][generator]") {
  // The first numbers from the state 1, 2, 3, 4 are known from other implementations.
  salvo::base::XoshiroState known = {1, 2, 3, 4};
  for (const std::uint64_t want :
       {std::uint64_t{41'943'041}, std::uint64_t{58'720'359}, std::uint64_t{3'588'806'011'781'223}}) {
    CHECK(base::xoshiro_next(known) == want);
  }
  for (std::uint64_t block = 0; block < 20; ++block) {
    salvo::base::XoshiroState state = base::xoshiro_seed(kSeed, block, static_cast<int>(block % 8), block % 2);
    Published published(state);
    for (int i = 0; i < 1'000; ++i) REQUIRE(base::xoshiro_next(state) == published());
  }
}

TEST_CASE("xoshiro256++: columns, blocks and sets begin with different states", "[sample][generator]") {
  std::vector<salvo::base::XoshiroState> all;
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 32}) {
    for (const std::uint64_t block : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
      for (int column = 0; column < salvo::base::kXoshiroStates; ++column) {
        for (const std::uint32_t stream : {0u, 1u}) all.push_back(base::xoshiro_seed(seed, block, column, stream));
      }
    }
  }
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("random bits: the layout of ars-7 and xoshiro256++", "[sample][generator]") {
  const Addresses addresses = addresses_of(5, 7);
  RandomWords ars(Generator::Ars7, addresses, kSeed);
  RandomWords xoshiro(Generator::Xoshiro256pp, addresses, kSeed);
  for (const std::uint64_t s : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{129}, std::uint64_t{1'700},
                                std::uint64_t{65'535}, (std::uint64_t{1} << 40) + 77'777}) {
    ars.begin_trial(s);
    xoshiro.begin_trial(s);
    for (int p = 0; p < 7; ++p) {
      CAPTURE(s, p);
      const salvo::base::ArsWords words =
          base::ars4x32({static_cast<std::uint32_t>(s / 128), static_cast<std::uint32_t>(s / 128 >> 32),
                         static_cast<std::uint32_t>(p), 0},
                        {static_cast<std::uint32_t>(kSeed), static_cast<std::uint32_t>(kSeed >> 32), 0, 0});
      CHECK(ars.bit(p) == (words[s / 32 % 4] >> s % 32 & 1u));
      const bool low = p >= 5;
      Published column(base::xoshiro_seed(kSeed, s / 65'536, static_cast<int>(s / 64 % 8), low ? 1 : 0));
      const std::uint64_t draws = s % 65'536 / 512 * (low ? 2 : 5) + static_cast<std::uint64_t>(low ? p - 5 : p);
      for (std::uint64_t i = 0; i < draws; ++i) column();
      CHECK(xoshiro.bit(p) == (column() >> s % 64 & 1u));
    }
  }
}

TEST_CASE("generators have names", "[sample][generator]") {
  for (const std::string& name : generator_names()) {
    REQUIRE(generator_of(name));
    CHECK(name_of(*generator_of(name)) == name);
  }
  CHECK(generator_names().front() == "philox4x32-10");
  CHECK_FALSE(generator_of("mt19937"));
  CHECK(targets().back() == "reference");
  CHECK(targets().size() == vector_targets().size() + 1);
}
