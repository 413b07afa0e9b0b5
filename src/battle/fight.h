// One battle of several that share a book.
#pragma once

#include <memory>
#include <vector>

#include "battle/attack_tables.h"
#include "battle/game.h"
#include "salvo/battle.h"

namespace salvo::battle {

/// As salvo::fight, with a book that has the ships of both sides; without one the battle makes its own. The answer is
/// the same, but that what it rests on is that of all ships of the book. Throws BookFull besides.
BattleReport fight_with(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options,
                        std::shared_ptr<AttackTables> shared);

/// A book of all these ships, for battles of some of them each.
std::shared_ptr<AttackTables> shared_tables(const Catalogue& catalogue, const GameCards& cards, const std::string& damage_deck,
                                  const std::vector<ScenarioShip>& ships, int threads);

/// What play(book) gives with a shared book; with null, so that the battle makes its own, where that is full.
template <typename Play>
auto with_tables(const std::shared_ptr<AttackTables>& shared, const Play& play) {
  try {
    return play(shared);
  } catch (const TablesFull&) {
    return play(std::shared_ptr<AttackTables>());
  }
}

}  // namespace salvo::battle
