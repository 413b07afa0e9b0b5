// Caches the tables of the last battle for the next question about the same ships. The page asks about a battle again
// and again, with more trials, other policies and other flights, and would spend most of the time on the same tables.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "battle/attack_tables.h"
#include "battle/battle_setup.h"
#include "load/derived_data.h"

namespace salvo::battle {

/// Safe to use from several threads at once.
class TableCache : public load::DerivedData::Base {
 public:
  /// The cached tables, or null if they belong to another key.
  std::shared_ptr<AttackTables> find(const TablesKey& key) const;
  /// Replaces the cached tables with these; with none if they are null or too large to cache.
  void keep(const TablesKey& key, const std::shared_ptr<AttackTables>& tables) const;

  static constexpr std::size_t kMostSolved = 16'384;  ///< tables, of some 8 KB

 private:
  mutable std::mutex mutex_;
  mutable TablesKey key_;
  mutable std::shared_ptr<AttackTables> tables_;
};

const TableCache& table_cache(const Catalogue& catalogue);
/// The cached tables, or new ones; null where an attack cannot be compiled, which BattleSetup reports.
std::shared_ptr<AttackTables> tables_of(const TableCache& kept, const TablesKey& key);

}  // namespace salvo::battle
