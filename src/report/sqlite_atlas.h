// The atlas as an SQLite database: docs/atlas.md has its tables.
// In: pages with their reports. Out: rows.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "load/catalogue.h"
#include "report/atlas.h"

namespace salvo::report {

/// A database that is written page by page, and goes on where it was stopped, at whatever moment.
class AtlasDatabase {
 public:
  /// Begins the database at `path`, or goes on with it. Throws LoadError: it is none, or of other work than `head`
  /// says.
  AtlasDatabase(const std::string& path, const Catalogue& catalogue, const report::AtlasHead& head);
  ~AtlasDatabase();

  /// Pages that are in it.
  std::size_t done() const;
  /// Whether it is finished.
  bool complete() const;
  void add(const report::AtlasAnswer& answer);
  /// Makes the indices and marks it complete.
  void finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace salvo::report
