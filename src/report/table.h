// Columns of text under a heading, as wide as their texts. What does not fit on the page goes below; nothing is cut.
#pragma once

#include <string>
#include <vector>

#include "report/page.h"

namespace salvo::report {

/// The first column is left-aligned, the others right-aligned. If a row is too long, its name gets lines of its own;
/// columns that still do not fit follow in a second table with the same names.
class Table {
 public:
  /// A text, and one coloured character after it: a block of a heat map. Either all cells of a column have marks or
  /// none.
  struct Cell {
    Cell(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor): cells are mostly texts
    Cell(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
    Cell(std::string words, std::string behind) : text(std::move(words)), mark(std::move(behind)) {}
    std::string text, mark = {};
  };

  /// Adds a row; the first is the heading.
  void row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// `gap`: least number of spaces between columns. `first`: least width of the first column. `least`: least widths of
  /// the others with their gaps; the last entry holds for all columns that follow.
  void widths(std::size_t gap, std::size_t first, std::vector<std::size_t> least);
  void write(Page& page) const;

 private:
  std::size_t columns() const;
  std::size_t width_of(std::size_t column, bool narrow) const;
  void write_part(Page& page, const std::vector<std::size_t>& widths, std::size_t begin, std::size_t end) const;
  void write_head(Page& page, const std::vector<std::size_t>& widths, std::size_t begin, std::size_t end) const;
  void write_row(Page& page, const std::vector<Cell>& row, const std::vector<std::size_t>& widths, std::size_t begin,
                 std::size_t end) const;

  std::vector<std::vector<Cell>> rows_;
  std::size_t gap_ = 2, first_ = 0;
  std::vector<std::size_t> least_{0};
};

}  // namespace salvo::report
