// Tables of the damage cards that are dealt after the dice of an attack.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "battle/attack_model.h"
#include "battle/token_states.h"

namespace salvo::battle {

/// Safe to use from several threads at once.
class DealtTables {
 public:
  /// Both must outlive this. Without a damage deck there are no tables.
  DealtTables(const AttackModel& model, TokenStates& states);

  /// The cards dealt after the dice gave `outcome`. `defender` of each entry is the index of the tokens that the
  /// defender gains. Null if no card is drawn that anything reads.
  const Outcomes* dealt(const AttackKey& key, const Outcome& outcome, const DeckState& decks);
  /// Combines the outcome of the dice with entry `index` of `dealt`, the cards dealt after them.
  CardOutcome with_dealt(const AttackKey& key, Outcome dice, const Outcomes& dealt, std::size_t index);

 private:
  /// Cards dealt to a type, in an attack on it from the Damage step on.
  struct OfType {
    CompiledAttack asked;
    std::mutex mutex;
    std::map<std::array<std::uint64_t, 4>, std::unique_ptr<const Outcomes>> known;  ///< by hand, shields, hits, crits
    std::vector<Counts> gained{{}};                                                 ///< by index: tokens; index 0: none
    std::map<std::pair<int, int>, std::uint16_t> states;  ///< by state and index of gained tokens
  };
  void prepare(int type);
  Outcomes solve(int type, std::uint64_t hand, int shields, int hits, int crits);

  const AttackModel& model_;
  TokenStates& states_;
  std::vector<std::unique_ptr<OfType>> of_type_;
  std::uint64_t deals_ = 0;      ///< mask of the cards that are read while damage is dealt
  std::uint64_t criticals_ = 0;  ///< mask of the cards that can turn hits into critical damage
};

}  // namespace salvo::battle
