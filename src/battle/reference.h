// The plain mode of battles: no tables of outcomes, every die is rolled. The specification of the sampled battle.
// In: an attack and its position. Out: what it did in one battle.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "battle/attack_tables.h"
#include "battle/game.h"
#include "game/policy.h"
#include "sample/reference/kernel.h"

namespace salvo::battle {

/// Attacks played die by die, with the tokens spent as the greedy policy does. Safe to use from several threads.
class ReferenceDice {
 public:
  ReferenceDice(AttackTables& tables, double budget) : tables_(tables), budget_(budget) {}

  /// The attack of a slot of a round in a battle; `stream` tells the slot from all others of that battle.
  Outcome play(const AttackKey& key, std::uint64_t seed, std::uint64_t battle, std::uint64_t stream) {
    return play(key, seed, battle, stream, DeckState()).outcome;
  }
  /// The same with damage cards. Players take decks to be whole, as those of tables do.
  CardOutcome play(const AttackKey& key, std::uint64_t seed, std::uint64_t battle, std::uint64_t stream,
                   const DeckState& cards);

 private:
  struct Prepared;
  const Prepared& prepared(const AttackKey& key);

  AttackTables& tables_;
  double budget_;
  std::mutex mutex_;
  std::unordered_map<AttackKey, std::shared_ptr<const Prepared>, AttackKey::Hash> known_;
};

/// The Chance of the plain mode: each case by adding up chances, each attack by its dice.
class ReferenceChance {
 public:
  ReferenceChance(const Game& game, ReferenceDice& dice, std::uint64_t seed, std::uint64_t battle);
  void begin_round(int round) { base_ = static_cast<std::uint64_t>(round) * slots_; }
  bool percent(int slot, int of_hundred) { return uniform(slot) * 100 < of_hundred; }
  std::size_t pick(int slot, const GeometryDistribution& cases);
  Outcome attack(int slot, const AttackKey& key, const Outcomes& outcomes);
  CardOutcome dealt(int slot, const AttackKey& key, const Outcomes& outcomes, const DeckState& cards);

 private:
  double uniform(int slot) const;

  ReferenceDice& dice_;
  std::uint64_t slots_, seed_, battle_, base_ = 0;
};

}  // namespace salvo::battle
