// Battles that share tables.
#pragma once

#include <memory>
#include <vector>

#include "battle/attack_tables.h"
#include "battle/game.h"
#include "salvo/battle.h"

namespace salvo::battle {

/// How the policy `sound` plays a battle that can be solved.
enum class SoundPlay {
  SolvedIfCheap,  ///< by its rule where solving takes much work
  Rule,
  Solved
};
inline constexpr const char* kSolvedBySound =
    "the policy sound solved the battle: it plays as the policy optimal does against optimal play, whatever the "
    "policy of the other side";

/// salvo::play_battle() with tables from this source. The answer is the same, except that its provenance covers all
/// ships of the tables. Also throws TablesFull.
BattleReport fight_with(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options,
                        const TablesSource& source, SoundPlay sound = SoundPlay::SolvedIfCheap);
/// salvo::play_battle(). Throws PlanTooLarge, too, where `sound` has to solve a battle that does not fit.
BattleReport fight(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options,
                   SoundPlay sound);

/// Tables of all these ships, for battles of some of them each.
std::shared_ptr<AttackTables> shared_tables(const Catalogue& catalogue, const GameCards& cards,
                                            const std::string& damage_deck, const std::vector<NamedShip>& ships,
                                            int threads);

/// play(source), or if those tables are full play({}), so that the battle makes its own.
template <typename Play>
auto with_tables(const TablesSource& source, const Play& play) {
  try {
    return play(source);
  } catch (const TablesFull&) {
    return play(TablesSource());
  }
}

}  // namespace salvo::battle
