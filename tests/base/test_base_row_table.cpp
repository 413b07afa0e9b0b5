// Rows of words against a map that numbers them.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "base/row_table.h"

TEST_CASE("Rows are numbered in the order of insertion, equal ones alike", "[base]") {
  using Row = std::vector<std::uint32_t>;
  salvo::base::RowTable table;
  std::map<Row, std::uint32_t> known;
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    Row row(random() % 5);  // many rows begin like others, and some are empty
    for (std::uint32_t& word : row) word = static_cast<std::uint32_t>(random() % 9);
    const auto number = known.emplace(row, static_cast<std::uint32_t>(known.size())).first->second;
    REQUIRE(table.number(row) == number);
  }
  REQUIRE(table.size() == known.size());
  for (const auto& [row, number] : known) {
    const std::span<const std::uint32_t> found = table[number];
    CHECK(Row(found.begin(), found.end()) == row);
  }
}
