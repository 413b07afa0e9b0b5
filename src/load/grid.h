// Grid: a scenario with axes along which keys of it vary; each combination is a cell.
// In: a TOML or JSON file. Out: the scenario of any cell.
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
  /// What the output says of an axis. Axes of several lists that run together have a column for each.
  struct Column {
    std::string name;
    std::vector<std::string> labels;  ///< by value: JSON text of what it is called
  };
  struct Axis {
    std::string name;
    std::vector<Column> columns;                  ///< at least one
    std::vector<std::vector<std::string>> paths;  ///< by value: the keys that it sets
    std::size_t size() const { return paths.size(); }
  };
  struct Content;

  explicit Grid(std::unique_ptr<const Content> content);
  ~Grid();
  Grid(Grid&&) noexcept;
  Grid& operator=(Grid&&) noexcept;

  const std::vector<Axis>& axes() const;
  /// Names of all ships of the scenario at the first values, in order of name. Throws LoadError when it is not one.
  std::vector<std::string> ships() const;
  /// Number of cells.
  std::uint64_t size() const;
  /// By axis: the number of the value in a cell.
  std::vector<std::size_t> coordinates(std::uint64_t cell) const;
  /// The scenario at the values of these numbers. Throws LoadError when it is not one.
  Scenario scenario(const std::vector<std::size_t>& coordinates) const;

 private:
  std::unique_ptr<const Content> content_;
};

/// Throws LoadError. A grid file is a scenario and a table [grid] of keys with their values, in order:
/// "ships.red.tokens.focus" = [0, 1], or { from = 1, to = 6, step = 1 }; "attacks[*].range" stands for all attacks.
/// Several keys that vary together are an [[axis]] with a name and variant = [{ name = "...", set = { "key" = value }
/// }], or zip = { "key" = [...], "other key" = [...] }. "all" in place of a list stands for the ships, pilots or legal
/// upgrades of the card set.
/// `catalogue`: where "all" is looked up, null: nowhere; `cards`: the card set, empty: that of the grid.
Grid parse_grid(std::string_view text, const std::string& source, const Catalogue* catalogue = nullptr,
                const std::optional<std::string>& cards = std::nullopt);

}  // namespace salvo::load
