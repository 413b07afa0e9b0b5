#include "battle/table_cache.h"

#include <utility>

#include "battle/fight.h"

namespace salvo::battle {

std::shared_ptr<AttackTables> TableCache::find(const TablesKey& key) const {
  const std::lock_guard lock(mutex_);
  return tables_ != nullptr && key_ == key ? tables_ : nullptr;
}

void TableCache::keep(const TablesKey& key, const std::shared_ptr<AttackTables>& tables) const {
  std::shared_ptr<AttackTables> before;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  const bool small = tables != nullptr && tables->solved() <= kMostSolved;
  before = std::exchange(tables_, small ? tables : nullptr);
  key_ = small ? key : TablesKey();
}

const TableCache& table_cache(const Catalogue& catalogue) {
  return catalogue.prepared().get<TableCache>([] { return std::make_unique<const TableCache>(); });
}

std::shared_ptr<AttackTables> tables_of(const TableCache& kept, const TablesKey& key) {
  if (auto found = kept.find(key)) return found;
  try {
    return shared_tables(*key.catalogue, key.cards, key.damage_deck, key.ships, 1);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace salvo::battle
