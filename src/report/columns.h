// The columns of a sweep: each figure of a row by name, for CSV and JSON with chosen columns and for databases.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "load/grid.h"
#include "study/sweep.h"

namespace salvo::report {

/// Null, a number or a text.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

inline constexpr std::size_t kCsvTails = 6;  ///< columns at_least_1 to at_least_6 of each ship

/// The columns of a grid's rows. Const members are thread-safe.
class SweepColumns {
 public:
  enum class Kind { Integer, Real, Text };

  /// All columns: those of CSV in its order, then `SHIP.cost` of each ship. `csv`: only those of CSV, where true and
  /// false are words.
  explicit SweepColumns(const load::Grid& grid, bool csv = false);

  /// Selects columns, in this order: a column name, `axes`, a figure of all attacked ships (`mean`, `at_least`),
  /// `cost`, `caveats`, or `SHIP.at_least_K` with any K. Throws ScenarioError (path "columns").
  void choose(const std::vector<std::string>& names);

  std::size_t size() const { return chosen_.size(); }
  const std::string& name(std::size_t column) const { return chosen_[column].name; }
  Kind kind(std::size_t column) const { return chosen_[column].kind; }
  /// Whether the rows need costs (study::SweepOptions::costs).
  bool has_costs() const;
  /// The value in a row; `at`: the coordinates of its cell.
  Cell value(std::size_t column, const study::SweepRow& row, const std::vector<std::size_t>& at) const;

  /// As CSV: a line of column names, and a line of a row. Also a row as a flat JSON object on one line.
  std::string csv_head() const;
  void add_csv_line(const study::SweepRow& row, std::string& out) const;
  void add_json_line(const study::SweepRow& row, std::string& out) const;

 private:
  enum class Estimate { Number, Axis, Engine, Value, Mean, Destroyed, Tail, Error, Caveat, Cost };
  struct Column {
    std::string name;
    Kind kind = Kind::Real;
    Estimate figure = Estimate::Number;
    std::string ship = {};                 ///< of a ship's figure
    std::size_t k = 0;                     ///< of a tail; the index of a list of caveats
    bool se = false;                       ///< the standard error of an estimate instead
    std::size_t axis = 0;                  ///< of an axis
    std::vector<Cell> values = {};         ///< of an axis: by index of its value
    std::vector<std::string> fields = {};  ///< the same as fields of CSV
  };

  static Column axis_column(const load::Grid::Column& column, std::size_t axis, bool csv);
  static Column tail(const std::string& ship, std::size_t k, bool se);
  void add_named(const std::string& name, std::vector<Column>& out) const;
  Cell of_ship(const Column& column, const study::SweepShip& ship) const;

  const load::Grid& grid_;
  std::vector<std::string> attacked_;
  std::vector<Column> all_, chosen_;
};

/// The ships that are the target of some attack, by name.
std::vector<std::string> attacked_ships(const load::Grid& grid);

}  // namespace salvo::report
