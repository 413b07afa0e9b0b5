// Rows of a sweep as lines of JSON or CSV.
#pragma once

#include <string>
#include <vector>

#include "load/grid.h"
#include "study/sweep.h"

namespace salvo::report {

inline constexpr std::size_t kCsvTails = 6;  ///< columns at_least_1 to at_least_6 of each ship

/// Writes rows as lines, each ending in a newline. Thread-safe.
class RowWriter {
 public:
  /// `csv`: whether it writes CSV, which has the columns of attacked_ships(). `status`: the exit status of `salvo run`
  /// for a kind of error.
  RowWriter(const load::Grid& grid, bool csv, int (*status)(ErrorKind));

  void add_json_line(const study::SweepRow& row, std::string& out) const;
  std::string csv_head() const;
  void add_csv_line(const study::SweepRow& row, std::string& out) const;

 private:
  const load::Grid& grid_;
  std::vector<std::string> ships_;  ///< of CSV
  int (*status_)(ErrorKind);
  /// A column of an axis.
  struct AxisColumn {
    const load::Grid::Column* of = nullptr;
    std::size_t axis = 0;
    std::string name;                 ///< JSON text with a colon
    std::vector<std::string> fields;  ///< by value: a field of CSV
  };
  std::vector<AxisColumn> columns_;
};

}  // namespace salvo::report
