// Rows of a sweep as lines of JSON with all figures.
#pragma once

#include <string>
#include <vector>

#include "load/grid.h"
#include "study/sweep.h"

namespace salvo::report {

/// Writes rows as lines, each ending in a newline. Thread-safe.
class RowWriter {
 public:
  /// `status`: the exit status of `salvo run` for a kind of error.
  RowWriter(const load::Grid& grid, int (*status)(ErrorKind));

  void add_json_line(const study::SweepRow& row, std::string& out) const;

 private:
  const load::Grid& grid_;
  int (*status_)(ErrorKind);
  /// A column of an axis.
  struct AxisColumn {
    const load::Grid::Column* of = nullptr;
    std::size_t axis = 0;
    std::string name;  ///< JSON text with a colon
  };
  std::vector<AxisColumn> columns_;
};

}  // namespace salvo::report
