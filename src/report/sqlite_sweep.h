// Rows of a sweep as an SQLite database: the table `cells` has a row a cell (docs/format.md: Sweeps).
// In: rows. Out: a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "report/columns.h"

namespace salvo::report {

/// A database that is written in order, and goes on where it was stopped.
class SweepDatabase {
 public:
  /// `id`: of the work. Throws LoadError: it is no database, or of other work.
  SweepDatabase(const std::string& path, const std::string& id, const load::Grid& grid,
                const report::SweepColumns& columns);
  ~SweepDatabase();

  /// Cells that are in it.
  std::uint64_t done() const;
  void add(const std::vector<study::SweepRow>& rows);

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace salvo::report
