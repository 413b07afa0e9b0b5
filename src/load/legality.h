// Legality: which upgrades a pilot may carry, as far as the profiles know what a card asks.
// In: ids of a card set. Out: yes or no.
#pragma once

#include <string>

#include "load/catalogue.h"

namespace salvo::load {

/// Whether the upgrade may be the only one of `pilot` (empty: of any) on `ship` (empty: any ship). Its slots have to be
/// there, `slot` (empty: any) among them.
bool may_carry(const Catalogue& catalogue, const std::string& cards, const std::string& ship, const std::string& pilot,
               const std::string& upgrade, const std::string& slot);

}  // namespace salvo::load
