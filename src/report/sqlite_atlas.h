// The atlas as an SQLite database (docs/atlas.md describes its tables).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "load/catalogue.h"
#include "report/atlas.h"
#include "report/sqlite.h"

namespace salvo::report {

class AtlasDatabase : public AtlasSink {
 public:
  /// Creates the database at `path` or resumes it. Throws LoadError: the file is no database, or belongs to work other
  /// than `head` describes. `catalogue` and `head` must outlive it.
  AtlasDatabase(const std::string& path, const Catalogue& catalogue, const AtlasHead& head);

  bool complete() const override { return complete_; }
  std::size_t done() const override { return done_; }
  void add(const AtlasAnswer& answer) override;
  /// Creates the indices and marks the database complete.
  void finish() override;

 private:
  void begin(const std::string& path);
  void add_loadout(std::int64_t page, const study::AtlasPage& of, const PilotReport& report);
  void add_attacks(std::int64_t loadout, const PilotReport& report);
  void add_endurance(std::int64_t loadout, const PilotReport& report);
  void add_worth(std::int64_t loadout, const PilotReport& report);
  void end_transaction();

  const Catalogue& catalogue_;
  const AtlasHead& head_;
  Database file_;
  std::size_t done_ = 0, pending_ = 0;
  bool complete_ = false;
  /// Prepared once the tables exist.
  struct Inserts {
    explicit Inserts(Database& file);
    Statement page, loadout, upgrade, weapon, attack, tail, endurance, survival, worth_of_attack, worth_of_defense,
        caveat, unknown;
  };
  std::optional<Inserts> inserts_;
};

}  // namespace salvo::report
