// Rows of a sweep as columns of NumPy arrays, filled on all cores. Columns of words hold indices into a list of words.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "salvo/catalogue.h"

namespace salvo::python {

/// The cells of a grid. `columns`: as for `salvo sweep --columns`; empty: all.
class Cells {
 public:
  Cells(std::shared_ptr<const Catalogue> catalogue, const std::string& grid, const std::vector<std::string>& columns,
        const std::string& options, int threads);
  ~Cells();

  std::uint64_t size() const;
  /// `count` cells from `first` on, as a dictionary: for each column a float64 or int64 array, or a pair of an int32
  /// array and the list of words that it indexes (-1: none).
  pybind11::dict read(std::uint64_t first, std::size_t count);
  /// The cells with these numbers, in this order.
  pybind11::dict read_these(std::vector<std::uint64_t> cells);

 private:
  struct Content;
  pybind11::dict read(std::shared_ptr<const std::vector<std::uint64_t>> cells, std::uint64_t first, std::size_t count);
  std::shared_ptr<Content> content_;
};

/// Turns a list of scenarios into cells of a grid, so that they share work: the keys in which they differ become its
/// axes. Returns the grid as JSON and the cell number of each question. `plain` converts a value to one that JSON can
/// represent, `json` serializes a value.
pybind11::tuple grid_of(const pybind11::list& questions, const pybind11::function& plain,
                        const pybind11::function& json);

}  // namespace salvo::python
