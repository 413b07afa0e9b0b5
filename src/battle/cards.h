// Damage cards in battles: the faceup cards of a ship (its hand) and the cards seen of a deck, each packed into one
// number, so that an attack changes them by addition.
#pragma once

#include <cstdint>
#include <vector>

#include "game/plan.h"
#include "load/catalogue.h"

namespace salvo::battle {

/// The layout of counts of damage cards in one number.
class CardFields {
 public:
  struct Field {
    game::Resource::Kind kind = game::Resource::Kind::Card;
    int token = -1;  ///< as Resource::token
    int max = 0;     ///< for a deck: how many it has
    int shift = 0;
    std::uint64_t mask = 0;  ///< before shifting
  };
  static constexpr int kMaxBits = 63;

  /// Adds a field unless it exists. The order of the calls does not matter.
  void add(game::Resource::Kind kind, int token, int max);
  const std::vector<Field>& fields() const { return fields_; }
  /// The field of a resource, or nullptr.
  const Field* find(game::Resource::Kind kind, int token) const;
  int bits() const { return bits_; }
  static int get(std::uint64_t counts, const Field& field) {
    return static_cast<int>(counts >> field.shift & field.mask);
  }
  /// The number to add for a change by n, which may be negative.
  static std::uint64_t change(const Field& field, int n) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(n)) << field.shift;
  }
  static std::uint64_t all_of(const Field& field) { return field.mask << field.shift; }

 private:
  void place();
  std::vector<Field> fields_;
  int bits_ = 0;
};

/// What an outcome adds to hands and to the cards seen (CardFields).
struct CardChange {
  std::uint64_t attacker = 0, defender = 0;  ///< hands
  std::uint64_t own_deck = 0, foe_deck = 0;  ///< seen of the deck of the attacker's side, and of the defender's
  bool operator==(const CardChange&) const = default;
};

/// What an attack depends on: the cards seen of the decks of the attacker's side (`own`) and of the other (`foe`), and
/// the hands and health of both ships.
struct DeckState {
  std::uint64_t own = 0, foe = 0;
  std::uint64_t attacker_hand = 0, defender_hand = 0;
  int attacker_health = 0, defender_health = 0;
};

/// Counts of the cards of a damage deck.
class DeckCounts {
 public:
  CardFields seen;  ///< fields of the kind Seen
  int size() const;
  int left(std::uint64_t seen) const;
  /// The probability of drawing these cards from what is left of the deck, divided by that with the whole deck: draws
  /// without replacement, in any order.
  double ratio(std::uint64_t drawn, std::uint64_t seen) const;
  double ratio(const CardChange& change, const DeckState& cards) const {
    return ratio(change.own_deck, cards.own) * ratio(change.foe_deck, cards.foe);
  }
};

/// The damage cards of a battle that matter, and where. Masks select fields of a hand.
struct DeckModel {
  const load::DeckSpec* deck = nullptr;
  CardFields hand;                                         ///< of a ship
  DeckCounts counts;                                       ///< of a side
  std::uint64_t all_attacks = 0, all_defends = 0;          ///< read by attacks of the ship, and on it, with their deals
  std::uint64_t attacks = 0, defends = 0, engages = 0;     ///< read by tables of attacks, and by engaging ships
  std::uint64_t dice_of_attacks = 0, dice_of_defends = 0;  ///< read before damage is dealt
  std::uint64_t acts = 0;                                  ///< cards that act when their ship engages
  bool forgets = false;  ///< a card counts or exposes damage cards: it knows only those dealt in its attack
  std::vector<const CardFields::Field*> until_opportunity;  ///< cards that a chance to attack turns facedown
};

}  // namespace salvo::battle
