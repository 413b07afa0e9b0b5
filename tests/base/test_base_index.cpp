// Elements by signed or enumerated index.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"

using namespace salvo;

TEST_CASE("nth is the subscript of every kind of list, for every kind of index", "[base]") {
  enum class Place : std::uint8_t { First, Second };
  std::vector<int> list{10, 20, 30};
  const std::vector<int>& constant = list;
  base::nth(list, 1) += 5;
  CHECK(list[1] == 25);
  CHECK(&base::nth(constant, Place::Second) == &list[1]);
  CHECK(&base::nth(list.data(), std::int8_t{2}) == &list[2]);
  CHECK(&base::nth(std::span(list), 2L) == &list[2]);
  std::vector<bool> bits(2);
  base::nth(bits, Place::Second) = true;
  CHECK((!bits[0] && bits[1]));
  constexpr std::array<int, 2> fixed{7, 8};
  STATIC_REQUIRE(base::nth(fixed, 1) == 8);
  STATIC_REQUIRE(base::nth("ab", 1) == 'b');
}
