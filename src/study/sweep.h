// Sweep: the answers of the cells of a grid, with work shared between cells that have a side in common.
// In: a Grid, and how a scenario is answered. Out: rows of figures.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "load/catalogue.h"
#include "load/grid.h"
#include "salvo/answer.h"
#include "salvo/failure.h"
#include "salvo/report.h"

namespace salvo::study {

/// What a cell does to one attacked ship.
struct SweepShip {
  std::string name;
  double mean = 0, mean_se = 0;
  std::vector<double> at_least;  ///< k damage or more
  bool destructible = false;
  double destroyed = 0;
  std::vector<double> at_least_se;  ///< as long as at_least where it was sampled, else empty
  double destroyed_se = 0;
};

struct SweepRow {
  std::uint64_t cell = 0;
  const char* engine = "exact";
  double value = 0, value_se = 0;
  std::vector<SweepShip> ships;
  std::vector<std::string> assumed_facts, unmodelled, no_effect, partly, notes;  ///< as in Provenance
  std::vector<std::pair<std::string, int>> costs;  ///< points by ship, where asked for and known
  std::optional<Failure> error;                    ///< why the cell cannot be answered; then the figures are empty
};

struct SweepOptions {
  AnswerOptions answer;  ///< of each cell, in one thread; its overrides win over the keys of the axes, too
  bool share = true;     ///< false: each cell is answered for itself
  bool costs = false;    ///< also what the ships cost
};

/// Answers cells; may be asked from several threads at once.
class Sweep {
 public:
  Sweep(const Catalogue& catalogue, const load::Grid& grid, SweepOptions options);
  ~Sweep();
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Rows of the cells from `first` on, `count` of them.
  void play(std::uint64_t first, std::size_t count, std::vector<SweepRow>& rows) const;
  /// Cells answered from shared work so far.
  std::uint64_t shared() const;

 private:
  struct Shared;
  void add_costs(const std::vector<std::size_t>& at, SweepRow& row) const;
  const Catalogue& catalogue_;
  const load::Grid& grid_;
  SweepOptions options_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace salvo::study
