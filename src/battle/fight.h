// Battles that share tables.
#pragma once

#include <memory>
#include <vector>

#include "battle/attack_tables.h"
#include "battle/game.h"
#include "salvo/battle.h"

namespace salvo::battle {

/// salvo::play_battle() with tables that have the ships of both sides; null: the battle makes its own. The answer is
/// the same, except that its provenance covers all ships of the tables. Also throws TablesFull.
BattleReport fight_with(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options,
                        std::shared_ptr<AttackTables> shared);

/// Tables of all these ships, for battles of some of them each.
std::shared_ptr<AttackTables> shared_tables(const Catalogue& catalogue, const GameCards& cards,
                                            const std::string& damage_deck, const std::vector<NamedShip>& ships,
                                            int threads);

/// play(shared), or play(null), so that the battle makes its own tables, if the shared ones are full.
template <typename Play>
auto with_tables(const std::shared_ptr<AttackTables>& shared, const Play& play) {
  try {
    return play(shared);
  } catch (const TablesFull&) {
    return play(std::shared_ptr<AttackTables>());
  }
}

}  // namespace salvo::battle
