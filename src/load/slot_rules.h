// Which upgrades a pilot may equip, as far as the profiles state the restrictions of cards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "load/catalogue.h"
#include "load/index_file.h"
#include "load/name_index.h"

namespace salvo::load {

/// The upgrades of one card set.
class SlotRules {
 public:
  /// `catalogue` must outlive the object. Throws LoadError for malformed profiles.
  SlotRules(const Catalogue& catalogue, std::string cards);

  /// Whether `pilot` (empty: any) on `ship` (empty: any) may equip the upgrade as its only one. The pilot must have its
  /// slots, which include `slot` (empty: any), and meet its restrictions on faction, ship and size
  /// (profiles/cards/restrictions.tsv). Upgrades that exist only in standard loadouts are excluded.
  bool can_equip(const std::string& ship, const std::string& pilot, const std::string& upgrade,
                 const std::string& slot) const;

  /// The restrictions of an upgrade in the card set, such as "faction=rebelalliance;size=small|size=medium"; empty:
  /// none.
  std::string restriction(const std::string& upgrade) const;
  /// The first restriction that the pilot (null: any) on the ship does not meet; empty: it meets all.
  std::string unmet(const std::string& upgrade, const ShipSpec& ship, const PilotSpec* pilot) const;
  /// Why the ship cannot have a card of other ships, such as a title: "belongs to the ship YT-2400 Light Freighter, and
  /// this is T-65 X-wing"; empty: it can.
  std::string of_other_ship(const std::string& upgrade, const ShipSpec& ship) const;
  /// A sentence for each of the upgrades that the ship has though it cannot.
  std::vector<std::string> notes_on_others(const std::vector<std::string>& upgrades, const ShipSpec& ship) const;
  /// The card of this ship whose name ends with the words, since each ship has "S-foils" of its own; nullptr: none.
  const NameEntry* card_of_ship(std::string_view words, const ShipSpec& ship) const;

 private:
  const Catalogue& catalogue_;
  const std::string cards_;
  const IndexFile& restrictions_;
};

}  // namespace salvo::load
