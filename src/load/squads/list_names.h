// The cards that the names in a list of ships may mean.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "load/catalogue.h"
#include "load/index_file.h"
#include "load/name_index.h"
#include "load/namesakes.h"
#include "load/slot_rules.h"

namespace salvo::load {

/// A pilot that a name may mean.
struct PilotChoice {
  const NameEntry* entry;
  std::string ship;
  const PilotSpec* spec;
};

/// The text of a name, and the rest if that is in parentheses, as in "Poe Dameron (PS9 Version)".
std::pair<std::string, std::string> without_hint(const std::string& text);

/// The names of one card set.
class ListNames {
 public:
  using Upgrades = std::vector<const NameEntry*>;

  /// `catalogue` must outlive the object.
  ListNames(const Catalogue& catalogue, const std::string& cards)
      : catalogue_(catalogue),
        cards_(cards),
        index_(catalogue.names(cards)),
        slots_(catalogue, cards),
        translations_(catalogue.optional_index("translations.tsv")) {}

  const std::string& cards() const { return cards_; }
  /// Whether a pilot or an upgrade has the name, or a nickname or id like it.
  bool is_card(const std::string& text) const { return !whole("pilot", text).empty() || is_upgrade(text); }
  bool is_upgrade(const std::string& text) const { return !whole("upgrade", text).empty(); }
  /// Whether these are all letters of a card's name.
  bool is_name(const std::string& text) const;
  /// The upgrades of that name; of several, those that the hint after it fits.
  Upgrades upgrades(const std::string& text) const { return known("upgrade", text); }
  /// The pilots of that name as each ship has them. A faction behind it leaves all of the faction: some ships have it
  /// in a nickname, such as "Resistance Falcon".
  std::vector<PilotChoice> pilots(const std::string& text) const;
  /// Whether words after the name of a pilot fit this one: its initiative, ship, faction or variant. No words fit all.
  bool fits_hint(const PilotChoice& pilot, const std::string& words) const;
  /// The ship of this name. After a pilot, a part of the name is enough if it distinguishes the ships of the pilot.
  std::string ship_id(const std::string& text, const std::vector<PilotChoice>& pilots) const;
  ShipFit fit(const std::string& text, std::string_view ship) const;
  /// The ships that have this whole name or nickname.
  std::vector<std::string> ships_named(const std::string& text) const;
  /// Whether it is the whole name or nickname of a ship in any card set.
  bool is_ship_anywhere(const std::string& text) const;
  std::string no_namesake(const NameEntry& pilot, const std::string& faction) const {
    return load::no_namesake(catalogue_, cards_, std::string(pilot.id), faction);
  }
  /// The card that a part of its name or a misspelling means, if it can only be one.
  const NameEntry* guess_upgrade(const std::string& text) const { return guess("upgrade", text); }
  /// The cards of one name that a part of it, or if `initials` its initials, mean, among those that one of the pilots
  /// may have.
  Upgrades guess_upgrade_of(const std::vector<PilotChoice>& pilots, const std::string& text, bool initials) const;
  std::vector<PilotChoice> guess_pilot(const std::string& text) const;

  bool can_equip(const std::vector<PilotChoice>& pilots, std::string_view upgrade) const;
  /// Whether the upgrade takes the slot that the words name.
  bool has_slot(const NameEntry& upgrade, const std::string& words) const;
  std::optional<UpgradeCost> upgrade_cost(const NameEntry& upgrade) const {
    return catalogue_.upgrade_cost(upgrade.id, cards_);
  }
  /// The upgrade that the words mean on the ship of the pilot, in place of one of another ship.
  const NameEntry* on_ship(const NameEntry& upgrade, const std::string& words, const PilotChoice& pilot) const;
  std::optional<int> cost_on(const NameEntry& upgrade, const PilotChoice& pilot) const;

 private:
  const Upgrades& whole(const char* kind, const std::string& text) const;
  Upgrades look_up(const char* kind, const std::string& text) const;
  Upgrades translated(const char* kind, const std::string& key) const;
  std::vector<PilotChoice> pilots_named(const std::string& text) const;
  Upgrades known(const char* kind, const std::string& text) const;
  bool may_be_of_faction(const NameEntry& upgrade, const std::string& words) const;
  const NameEntry* guess(const char* kind, const std::string& text) const;
  Upgrades with_part(const std::string& text) const;
  Upgrades with_initials(const std::string& text) const;
  const NameEntry* search(const char* kind, const std::string& words) const;

  const Catalogue& catalogue_;
  const std::string cards_;
  const NameIndex& index_;
  SlotRules slots_;
  const IndexFile& translations_;  ///< ids by name_key of names in other languages
  // By kind and words.
  mutable std::map<std::pair<std::string, std::string>, const NameEntry*> guesses_;
  mutable std::map<std::pair<std::string, std::string>, Upgrades> found_;
  mutable std::map<std::string, Upgrades> with_part_, with_initials_;
};

}  // namespace salvo::load
