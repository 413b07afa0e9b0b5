// Table: columns of text under a heading, which take the width that they need. What a page is too narrow for goes
// below, nothing is cut. In: cells. Out: lines of a page.
#pragma once

#include <string>
#include <vector>

#include "report/page.h"

namespace salvo::report {

/// The first column stands on the left, the others on the right. Where a row is too long, a name in the first column
/// gets lines of its own; columns that still find no room follow in a second table with the same names.
class Table {
 public:
  /// A cell, and one character behind it, in a colour: a block of a heat map. A column has marks in all cells or in
  /// none.
  struct Cell {
    Cell(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor): cells are mostly texts
    Cell(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
    Cell(std::string words, std::string behind) : text(std::move(words)), mark(std::move(behind)) {}
    std::string text, mark = {};
  };

  /// The first row is the heading.
  void row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// Columns between two of which there are `gap` spaces at least; the first is not narrower than `first`, the others,
  /// with their gap, not than what `least` says (the last of it counts for all that follow).
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
