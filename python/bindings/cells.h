// Cells: rows of a sweep as columns of NumPy arrays, filled on all cores.
// In: a grid and numbers of cells. Out: arrays, a column each; words as numbers of a list of words.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "salvo/catalogue.h"

namespace salvo::python {

/// A grid being swept. `columns`: as `salvo sweep --columns`; empty: all.
class Cells {
 public:
  Cells(std::shared_ptr<const Catalogue> catalogue, const std::string& grid, const std::vector<std::string>& columns,
        const std::string& options, int threads);
  ~Cells();

  std::uint64_t size() const;
  /// A dictionary of the cells from `first` on, `count` of them: by column a float64 or int64 array, or a pair of an
  /// int32 array and the list of words that it numbers (-1: none).
  pybind11::dict read(std::uint64_t first, std::size_t count);
  /// The same of the cells with these numbers, in this order.
  pybind11::dict read_these(std::vector<std::uint64_t> cells);

 private:
  struct Content;
  pybind11::dict read(std::shared_ptr<const std::vector<std::uint64_t>> cells, std::uint64_t first, std::size_t count);
  std::shared_ptr<Content> content_;
};

/// The questions of a list, objects of scenarios, as cells of a grid: (its text as JSON, the number of each one's
/// cell). What they differ in are its axes, so that they share work. `plain` makes values that JSON knows of others,
/// `json` the text of a value.
pybind11::tuple grid_of(const pybind11::list& questions, const pybind11::function& plain,
                        const pybind11::function& json);

}  // namespace salvo::python
