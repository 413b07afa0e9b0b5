// Sweep: the answers of the cells of a grid, with work shared between cells that have a side in common.
// In: a Grid, and how a scenario is answered. Out: rows of figures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "load/grid.h"
#include "salvo/report.h"

namespace salvo::study {

/// A cell that cannot be answered.
struct CellError {
  int status = 0;  ///< exit status that `salvo run` would have had; 0: no error
  std::string place, message;
};

/// What a cell does to one attacked ship.
struct SweepShip {
  std::string name;
  double mean = 0, mean_se = 0;
  std::vector<double> at_least;  ///< k damage or more
  bool destructible = false;
  double destroyed = 0;
};

struct SweepRow {
  std::uint64_t cell = 0;
  const char* engine = "exact";
  double value = 0, value_se = 0;
  std::vector<SweepShip> ships;
  std::vector<std::string> unmodelled;
  CellError error;
};

/// Answers one scenario, and says what the failure is that is being handled.
struct CellAnswer {
  std::function<Report(const Scenario&)> report;
  std::function<CellError()> failure;
  bool exact = true;  ///< the engine is not bound to sample, so that shared work may answer
};

/// Plays cells; may be asked from several threads at once.
class Sweep {
 public:
  Sweep(const Catalogue& catalogue, const Grid& grid, CellAnswer answer);
  ~Sweep();
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Rows of the cells from `first` on, `count` of them.
  void play(std::uint64_t first, std::size_t count, std::vector<SweepRow>& rows) const;
  /// Cells answered from shared work so far.
  std::uint64_t shared() const;

 private:
  struct Shared;
  const Catalogue& catalogue_;
  const Grid& grid_;
  CellAnswer answer_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace salvo::study
