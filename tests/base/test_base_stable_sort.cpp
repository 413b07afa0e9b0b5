// The stable sort gives the order of std::stable_sort, also for move-only elements.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/stable_sort.h"

using namespace salvo;

TEST_CASE("a stable sort leaves equal elements in their order", "[base]") {
  std::mt19937 random(7);
  for (std::size_t size = 0; size < 200; ++size) {
    std::vector<std::pair<int, std::size_t>> list;
    for (std::size_t i = 0; i < size; ++i) list.emplace_back(static_cast<int>(random() % 9), i);
    auto expected = list;
    const auto less = [](const auto& a, const auto& b) { return a.first > b.first; };
    std::stable_sort(expected.begin(), expected.end(), less);
    base::stable_sort(list, less);
    REQUIRE(list == expected);
  }
}

TEST_CASE("a stable sort accepts move-only elements", "[base]") {
  std::vector<std::unique_ptr<int>> list;
  for (const int value : {3, 1, 2, 1}) list.push_back(std::make_unique<int>(value));
  const int* const first_one = list[1].get();
  base::stable_sort(list, [](const auto& a, const auto& b) { return *a < *b; });
  REQUIRE(*list[0] == 1);
  CHECK(list[0].get() == first_one);
  CHECK(*list[3] == 3);
}
