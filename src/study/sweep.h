// Answers the cells of a grid and shares work between cells that have a side in common. In: a Grid and options. Out:
// rows of estimates.
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
#include "salvo/engine.h"
#include "salvo/failure.h"
#include "salvo/report.h"

namespace salvo::study {

/// The result of a cell for one attacked ship.
struct SweepShip {
  std::string name;
  double mean = 0, mean_se = 0;
  std::vector<double> at_least;  ///< probability of k damage or more
  bool destructible = false;
  double destroyed = 0;
  std::vector<double> at_least_se;  ///< as long as at_least if sampled, else empty
  double destroyed_se = 0;
};

struct SweepRow : Caveats {
  std::uint64_t cell = 0;
  Engine engine = Engine::Exact;
  double value = 0, value_se = 0;
  std::vector<SweepShip> ships;
  std::vector<std::pair<std::string, int>> costs;  ///< points by ship, if requested and known
  std::optional<Failure> error;                    ///< why the cell has no answer; the estimates are then empty
};

struct SweepOptions {
  AnswerOptions answer;  ///< of each cell, in one thread; its overrides take precedence over the axes
  bool share = true;     ///< false: each cell is answered separately
  bool costs = false;    ///< also list the costs of the ships
};

/// Thread-safe.
class Sweep {
 public:
  Sweep(const Catalogue& catalogue, const load::Grid& grid, SweepOptions options);
  ~Sweep();
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Computes what cells share on `threads` threads (0: all cores), if a sweep of `cells` cells needs it many times
  /// over. Without it play() gives the same rows, but threads that start with neighbouring cells repeat each other's
  /// work.
  void prepare(std::uint64_t cells, int threads) const;
  /// The rows of `count` cells, starting with `first`.
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
