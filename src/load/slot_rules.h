// Legality: which upgrades a pilot may carry, as far as the profiles know what a card asks.
// In: ids of a card set. Out: yes or no.
#pragma once

#include <string>

#include "load/catalogue.h"
#include "load/index_file.h"

namespace salvo::load {

/// The upgrades of one card set.
class Legality {
 public:
  /// Throws LoadError when a file of the profiles is broken. `catalogue` has to outlive it.
  Legality(const Catalogue& catalogue, std::string cards);

  /// Whether the upgrade may be the only one of `pilot` (empty: of any) on `ship` (empty: any ship). Its slots have to
  /// be there, `slot` (empty: any) among them, and what it asks of faction, ship and size has to hold
  /// (profiles/cards/restrictions.tsv). An upgrade of standard loadouts only may not.
  bool may_carry(const std::string& ship, const std::string& pilot, const std::string& upgrade,
                 const std::string& slot) const;

 private:
  bool allowed(const std::string& upgrade, const ShipSpec& ship, const PilotSpec* pilot) const;

  const Catalogue& catalogue_;
  const std::string cards_;
  const Index restrictions_;
};

}  // namespace salvo::load
