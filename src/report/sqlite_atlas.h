// The atlas as an SQLite database (docs/atlas.md describes its tables).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "load/catalogue.h"
#include "report/atlas.h"

namespace salvo::report {

/// A database that is written page by page; it can be interrupted at any moment and resumed.
class AtlasDatabase {
 public:
  /// Creates the database at `path` or resumes it. Throws LoadError: the file is no database, or belongs to work other
  /// than `head` describes.
  AtlasDatabase(const std::string& path, const Catalogue& catalogue, const AtlasHead& head);
  ~AtlasDatabase();

  /// Pages already written.
  std::size_t done() const;
  /// Whether it is complete.
  bool complete() const;
  void add(const AtlasAnswer& answer);
  /// Creates the indices and marks the database complete.
  void finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace salvo::report
