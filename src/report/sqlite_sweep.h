// A sweep as an SQLite database: its table `cells` has one row for each cell (docs/format.md: Sweeps).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/columns.h"
#include "report/sqlite.h"

namespace salvo::report {

/// A database that is written in order; it can be interrupted and resumed.
class SweepDatabase {
 public:
  /// `id` identifies the work. Throws LoadError: the file is no database, or belongs to other work.
  SweepDatabase(const std::string& path, const std::string& id, const load::Grid& grid, const SweepColumns& columns);

  /// Cells already written.
  std::uint64_t done() const { return done_; }
  void add(const std::vector<study::SweepRow>& rows);

 private:
  const load::Grid& grid_;
  const SweepColumns& columns_;
  Database file_;
  std::optional<Statement> insert_;
  std::uint64_t done_ = 0;
};

}  // namespace salvo::report
