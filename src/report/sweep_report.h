// Rows of a sweep as lines of JSON or CSV.
// In: rows and the axes of the grid. Out: text, a line each.
#pragma once

#include <string>

#include "salvo/grid.h"
#include "study/sweep.h"

namespace salvo::study {

inline constexpr std::size_t kCsvTails = 6;  ///< columns at_least_1 to at_least_6 of each ship

/// The line of a cell, ending in a newline.
void add_json_line(const Grid& grid, const SweepRow& row, std::string& out);
/// The same as CSV: the columns of csv_head, ships in order of their names.
void add_csv_line(const Grid& grid, const std::vector<std::string>& ships, const SweepRow& row, std::string& out);
std::string csv_head(const Grid& grid, const std::vector<std::string>& ships);

}  // namespace salvo::study
