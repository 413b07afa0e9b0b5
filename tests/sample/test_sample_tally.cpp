// Tables of hits and crits that grow on demand.
#include <catch2/catch.hpp>

#include "sample/tally.h"

using salvo::sample::ShipTally;

TEST_CASE("a table of hits and crits grows as needed", "[sample][tally]") {
  ShipTally tally;
  tally.count(0, 0) += 3;
  tally.count(2, 1) += 5;
  tally.count(200, 7) += 1;
  tally.count(3, 900) += 2;
  CHECK(tally.count(0, 0) == 3);
  CHECK(tally.count(2, 1) == 5);
  CHECK(tally.count(200, 7) == 1);
  CHECK(tally.count(3, 900) == 2);
  CHECK(tally.count(1, 1) == 0);
}

TEST_CASE("comparing and adding ignore the size of tables", "[sample][tally]") {
  ShipTally narrow, wide;
  narrow.count(1, 2) += 4;
  wide.count(1, 2) += 4;
  wide.count(300, 0) += 0;
  REQUIRE(wide.width > narrow.width);
  CHECK(narrow == wide);
  CHECK(wide == narrow);
  ShipTally sum = narrow;
  sum.merge_joint(wide);
  CHECK(sum.count(1, 2) == 8);
  CHECK_FALSE(sum == wide);
  wide.count(299, 299) += 1;
  CHECK_FALSE(narrow == wide);
  sum = wide;
  sum.merge_joint(narrow);
  CHECK(sum.count(1, 2) == 8);
  CHECK(sum.count(299, 299) == 1);
}
