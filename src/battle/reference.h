// The reference mode of battles: no tables of outcomes, every die is rolled. It specifies the sampled battle.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "battle/attack_tables.h"
#include "battle/game.h"
#include "game/policy.h"
#include "sample/kernel.h"

namespace salvo::battle {

/// Plays attacks die by die; tokens are spent by the greedy policy. Safe to use from several threads at once.
class ReferenceDice {
 public:
  ReferenceDice(AttackTables& tables, double budget) : tables_(tables), budget_(budget) {}

  /// The attack of a slot of a round in a battle; `stream` identifies the slot within the battle.
  Outcome play(const AttackKey& key, std::uint64_t seed, std::uint64_t battle, std::uint64_t stream) {
    return play(key, seed, battle, stream, DeckState()).outcome;
  }
  /// The same with damage cards. As in the tables, players decide as if decks were whole.
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

/// The Chance of the reference mode: picks geometries by cumulative probability and rolls the dice of attacks.
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
