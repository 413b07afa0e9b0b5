// A scenario with axes along which some of its keys vary. Each combination of values is a cell.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::load {

/// Cells are numbered from 0 in grid order: the last axis varies fastest.
class Grid {
 public:
  /// A column of the output for an axis. An axis of several zipped lists has one for each list.
  struct Column {
    std::string name;
    std::vector<std::string> labels;  ///< by value: its label as JSON
  };
  struct Axis {
    std::string name;
    std::vector<Column> columns;                  ///< at least one
    std::vector<std::vector<std::string>> paths;  ///< by value: the keys it sets
    std::size_t size() const { return paths.size(); }
  };
  struct Content;

  explicit Grid(std::unique_ptr<const Content> content);
  ~Grid();
  Grid(Grid&&) noexcept;
  Grid& operator=(Grid&&) noexcept;

  const std::vector<Axis>& axes() const;
  /// Names of the ships in the first cell, sorted. Throws LoadError if that is not a valid scenario.
  std::vector<std::string> ships() const;
  /// Number of cells.
  std::uint64_t size() const;
  /// The index of the value on each axis in a cell.
  std::vector<std::size_t> coordinates(std::uint64_t cell) const;
  /// The scenario at these coordinates. Throws LoadError if it is not valid.
  Scenario scenario(const std::vector<std::size_t>& coordinates) const;

 private:
  std::unique_ptr<const Content> content_;
};

/// Parses a grid file. Throws LoadError. It is a scenario plus a table [grid] of keys with their values, in order:
/// "ships.red.tokens.focus" = [0, 1], or { from = 1, to = 6, step = 1 }; "attacks[*].range" means all attacks.
/// Several keys that vary together are an [[axis]] with a name and variant = [{ name = "...", set = { "key" = value }
/// }], or zip = { "key" = [...], "other key" = [...] }. "all" instead of a list means the ships, pilots or legal
/// upgrades of the card set. `catalogue`: needed for "all", else null. `cards`: the card set; empty: that of the grid.
Grid parse_grid(std::string_view text, const std::string& source, const Catalogue* catalogue = nullptr,
                const std::optional<std::string>& cards = std::nullopt);

}  // namespace salvo::load
