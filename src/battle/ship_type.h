// Types of ships: everything about a ship that affects its attacks, so that equal ships share tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "battle/action_cards.h"
#include "compile/compile.h"
#include "load/catalogue.h"
#include "salvo/scenario.h"

namespace salvo::battle {

inline constexpr int kMaxHealth = 63;   ///< hull and shields of a ship
inline constexpr int kMaxOptions = 15;  ///< actions of a ship type, "none" included
inline constexpr int kShots = 16;       ///< range 0 to 3, obstructed or not, in the bullseye arc or not

/// The circumstances of a shot.
struct Shot {
  int range = 2;
  bool obstructed = false, bullseye = false;
  int number() const { return range * 4 + (obstructed ? 2 : 0) + (bullseye ? 1 : 0); }
  static Shot of(int number) { return {number / 4, (number & 2) != 0, (number & 1) != 0}; }
};

/// A weapon of a ship type.
struct Weapon {
  std::string id;
  int min_range = 0, max_range = 3;
  bool bullseye = false;  ///< only in the bullseye arc
  bool fits(const Shot& shot) const {
    return shot.range >= min_range && shot.range <= max_range && (shot.bullseye || !bullseye);
  }
};

/// What a ship gets by what it does in its activation, and what that costs: an action of its bar, the one linked to it,
/// and what its cards add. A number of a slot counts tokens or charges.
struct ActionOption {
  using Amounts = std::vector<std::pair<int, int>>;  ///< slot and number, in order of slots
  std::string name;                                  ///< "focus", "barrel-roll, red focus"; "none"
  Amounts tokens;                                    ///< gained
  bool lock = false;                                 ///< a lock on an enemy ship
  Amounts spent;                                     ///< Force and charges, which must be there
  Amounts suffered;                                  ///< stress, strain, deplete; negative: removed
  int most_stress = 0;                               ///< stress with which the ship can still do it
  std::vector<int> without;                          ///< slots that must be empty
  bool focus_only = false;                           ///< the plain focus action, the only one an ionized ship may take
  bool gives() const { return !tokens.empty() || lock; }
  bool free() const { return spent.empty() && suffered.empty(); }
};

/// A countable resource of a ship: tokens of a kind, charges of a card, uses of a card in the round.
struct Slot {
  std::string label;  ///< id of the token; "charge:<card>#n", "use:<card>#n"
  int token = -1;     ///< index among the tokens of the edition; -1: not a token
  int initial = 0, max = 0;
  game::EndPhase end = {};
  bool gained = false;  ///< an attack can give it
};

/// A ship with the ids of its cards.
struct NamedShip {
  ScenarioShip ship;
  bool alone = false;                              ///< the only ship of its side: cards find no friend
  std::optional<ScenarioShip> helper = {};         ///< a friend whose cards help it while near (friend_help.h)
  ActionCards action_cards = {};                   ///< what its cards say about actions
  bool operator==(const NamedShip& other) const {  // the cards determine what they say
    return ship == other.ship && alone == other.alone && helper == other.helper;
  }
};

/// Ships of one type have the same tables.
struct ShipType {
  ScenarioShip ship;
  std::vector<int> faceup, known;      ///< damage cards from the start (compile::ShipStart)
  int hull_of_cards = 0;               ///< that they took
  bool alone = false;                  ///< NamedShip
  std::optional<ScenarioShip> helper;  ///< NamedShip
  std::string title, size;
  int hull = 0, shields = 0;
  int attack = 0;  ///< dice of its best primary weapon
  std::vector<Weapon> weapons;
  std::vector<ActionOption> options;
  int most_stress = 0;       ///< with which it can still act
  ActionCards action_cards;  ///< NamedShip
  std::vector<Slot> slots;
  int stress = -1, strain = -1, deplete = -1, ion = -1, force = -1;  ///< slots; -1: none
  int ionized = 99;                                                  ///< ion tokens that ionize it
  bool ion_is_blue = false, ion_focus_only = false;                  ///< TokenSpec
  int engaged = -1;      ///< slot: 1 until its effects at the start of an engagement have happened
  int helped = -1;       ///< slot: 1 while its helper is near
  int health_slot = -1;  ///< slot: its health, where an attack reads it
  int health() const { return hull + shields; }
  /// The ship with all damage cards facedown: in a battle its hand says which lie faceup.
  ScenarioShip without_faceup() const {
    ScenarioShip out = ship;
    out.faceup.clear();
    out.facedown += hull_of_cards;
    return out;
  }
};

using Counts = std::vector<std::uint8_t>;  ///< by slot

/// Actions that give a token of the same name.
inline constexpr std::array kTokenActions{"focus", "evade", "calculate", "reinforce"};

/// Labels of slots that stand for no token or card.
inline constexpr const char *kEngagementSlot = "engagement", *kHealthSlot = "health", *kHelpedSlot = "helped";

/// The slot with that label, or -1.
int slot_of(const ShipType& type, const std::string& label);

/// The label of the slot that a resource of a ship belongs to; empty for a lock or a flag of this attack.
std::string slot_label(const game::Plan& plan, const compile::Labels& labels, std::size_t r);

/// Where ships are looked up.
struct CardSource {
  const Catalogue& catalogue;
  const load::Edition& edition;
  std::string rules, cards;
  std::string damage_deck = kNoDeck;
};

/// Weapons and tokens of a ship; attacks add further slots later, and find_options() its actions. Throws LoadError, and
/// ScenarioError where it has no hull or more than kMaxHealth.
ShipType look_up_ship_type(const CardSource& source, const NamedShip& named);

/// The ship, its pilot and its upgrades as cards.
std::vector<OwnedCard> cards_of_ship(const CardSource& source, const ScenarioShip& ship);

/// What battles leave out or assume of cards of the ship, in sentences without their subject.
std::vector<std::string> notes_on_cards(const CardSource& source, const NamedShip& named);

/// The ship that a pilot flies, where the scenario names only the pilot; may be empty.
std::string ship_id_of(const CardSource& source, const ScenarioShip& ship);

}  // namespace salvo::battle
