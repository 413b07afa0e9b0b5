// The outcomes of an attack with their probabilities, and the key under which tables store them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "battle/alias.h"
#include "battle/cards.h"
#include "battle/huge_pages.h"
#include "battle/ship_type.h"

namespace salvo::battle {

/// One outcome of an attack.
struct Outcome {
  std::uint8_t damage = 0, own_damage = 0;   ///< of the defender; of the attacker
  std::uint16_t attacker = 0, defender = 0;  ///< token states afterwards
  bool lock : 1 = false;                     ///< the attacker has a lock on the defender
  bool lock_back : 1 = false;                ///< the defender gained a lock on the attacker
  std::uint8_t crits : 6 = 0;                ///< part of the damage, where damage cards are dealt afterwards
};
static_assert(sizeof(Outcome) == 8);

/// Draws one of the outcomes of an attack: a view of the cells of an OutcomeTable. Each outcome lies in its cell of the
/// alias table, so that most draws read a single cache line.
class OutcomeDraw {
 public:
  struct Cell {
    AliasTable::Cell alias;
    Outcome outcome;
  };
  OutcomeDraw() = default;
  /// `cells` must outlive this view.
  OutcomeDraw(const Cell* cells, std::size_t size) : cells_(cells), size_(static_cast<std::uint32_t>(size)) {}
  const Outcome& pick(std::uint64_t bits) const {
    const std::size_t at = AliasTable::cell_of(bits, size_);
    return cells_[cells_[at].alias.picks(bits, at)].outcome;
  }
  /// Prefetches the cell that the bits select.
  void fetch(std::uint64_t bits) const { __builtin_prefetch(&cells_[AliasTable::cell_of(bits, size_)]); }

 private:
  const Cell* cells_ = nullptr;
  std::uint32_t size_ = 0;
};

class OutcomeTable {
 public:
  OutcomeTable() = default;
  /// The cells are allocated from `pool`, which must outlive all copies of the table.
  OutcomeTable(const std::vector<Outcome>& list, const std::vector<double>& chance, TablePool& pool)
      : size_(list.size()) {
    const AliasTable alias(chance);
    const auto cells = pool.make_array<OutcomeDraw::Cell>(size_);
    for (std::size_t i = 0; i < size_; ++i) cells[static_cast<std::ptrdiff_t>(i)] = {alias[i], list[i]};
    cells_ = cells;
  }
  OutcomeDraw draw() const { return {cells_.get(), size_}; }
  const Outcome& pick(std::uint64_t bits) const { return draw().pick(bits); }

 private:
  std::shared_ptr<const OutcomeDraw::Cell[]> cells_;
  std::size_t size_ = 0;
};

/// An outcome and the damage cards it moves.
struct CardOutcome {
  Outcome outcome;
  CardChange cards;
};

/// Outcomes that draw the same damage cards: their joint probability depends on the decks.
struct CardGroup {
  CardChange change;    ///< of the decks only
  double chance = 0;    ///< with whole decks
  std::size_t end = 0;  ///< one past its last outcome; its first one is the end of the group before
};

/// Everything an attack can do.
struct Outcomes {
  bool possible = false;  ///< the attack can be made
  OutcomeTable draw;
  std::vector<Outcome> list;
  std::vector<double> chance;                     ///< by outcome
  std::array<double, kMaxHealth + 1> at_least{};  ///< probability of at least this much damage to the defender
  std::array<double, kMaxHealth + 1> counted{};   ///< mean damage, capped at this much health
  std::vector<CardChange> cards;                  ///< by outcome, where outcomes include damage cards
  std::vector<CardGroup> groups;                  ///< of all outcomes, where `cards` is filled
};

/// Puts outcomes that draw the same cards, which must be adjacent, into groups, the likeliest first in each.
void group_outcomes(Outcomes& outcomes);
/// The index of the outcome that `uniform`, at least 0 and below 1, selects with what is left of the decks.
std::size_t pick_outcome(const DeckModel& model, const Outcomes& outcomes, const DeckState& decks, double uniform);

/// Identifies an attack and its position.
struct AttackKey {
  int attacker = 0, defender = 0;  ///< types
  int weapon = 0;
  int shot = 0;
  int attacker_state = 0, defender_state = 0;
  bool lock = false;
  /// With a damage deck: the faceup cards that matter (CardFields), and the health where something reads it.
  std::uint64_t attacker_hand = 0, defender_hand = 0;
  int attacker_health = 0, defender_health = 0;
  bool dice_only = false;   ///< damage cards are dealt by a second table (DealtTables)
  bool keeps_lock = false;  ///< the attacker has decided not to spend its lock; cards still see it
  bool operator==(const AttackKey&) const = default;

  /// As `weapon`: the key stands for what damage cards do when the attacker engages, not for an attack.
  static constexpr int kEngages = -1;
  bool engages() const { return weapon == kEngages; }
  struct Hash {
    std::size_t operator()(const AttackKey& key) const;
  };
};

/// The plan of one attack in its position.
struct CompiledAttack {
  game::Plan plan;
  compile::Labels labels;
  int attacker = 0, defender = 0;  ///< ships of the plan
};

/// The plan with critical damage as plain damage: no damage cards are dealt.
game::Plan without_deals(game::Plan plan);

/// Whether an attack can damage either ship for any roll.
struct DamagePotential {
  bool possible = false;
  int slot = -1, n = 0;  ///< the part of its cost that never recovers: n of this slot of the attacker; -1: none
  bool operator==(const DamagePotential&) const = default;
};

}  // namespace salvo::battle
