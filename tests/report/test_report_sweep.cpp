// Rows of sweeps as CSV.
#include <algorithm>
#include <catch2/catch.hpp>

#include "load/grid.h"
#include "report/columns.h"
#include "study/sweep.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

/// The commas outside quotes.
int separators(const std::string& line) {
  bool quoted = false;
  return static_cast<int>(std::count_if(line.begin(), line.end(), [&](char c) {
    quoted = quoted != (c == '"');
    return c == ',' && !quoted;
  }));
}

}  // namespace

TEST_CASE("CSV of a sweep has columns for each ship that an attack may choose", "[report][sweep]") {
  const load::Grid grid = load::parse_grid(R"(
[ships.a]
attack = 3
[ships.d]
agility = 1
hull = 3
[ships.e]
agility = 3
hull = 3
[[attacks]]
by = "a"
on = ["e", "d"]
[grid]
"ships.a.attack" = [2, 3]
"attacks[0].obstructed" = [false, true]
)",
                                           "test.toml");
  CHECK(report::attacked_ships(grid) == std::vector<std::string>{"d", "e"});
  const report::SweepColumns columns(grid, true);
  const std::string all = report::SweepColumns(grid).csv_head();
  const std::string head = columns.csv_head();
  CHECK(head.find(",d.mean,") != std::string::npos);
  CHECK(head.find(",e.mean,") != std::string::npos);
  CHECK(all == head.substr(0, head.size() - 1) + ",a.cost,d.cost,e.cost\n");

  const study::Sweep sweep(tests::catalogue(), grid, {});
  std::vector<study::SweepRow> rows;
  sweep.play(0, 2, rows);
  for (const study::SweepRow& row : rows) {
    REQUIRE(row.ships.size() == 2);
    CHECK(row.ships[0].mean + row.ships[1].mean > 0);
    std::string line;
    columns.add_csv_line(row, line);
    CHECK(separators(line) == separators(head));
    CHECK(line.starts_with(row.cell == 0 ? "0,2,false,exact," : "1,2,true,exact,"));
  }
}
