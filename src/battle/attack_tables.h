// Tables of the outcomes of attacks in a battle, solved once for each position of tokens that matters.
// In: the types of the ships. Out: by attack, shot and token states, the outcomes with their probabilities.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/index.h"
#include "battle/attack_model.h"
#include "battle/dealt_tables.h"
#include "battle/huge_pages.h"
#include "battle/solved_attacks.h"
#include "battle/token_states.h"

namespace salvo::battle {

/// Safe to use from several threads at once: solved tables are read without a lock, missing ones are solved under a
/// lock for each pair of types. The content of a table does not depend on which thread needed it first, nor on the
/// other types. The numbers of states do, but nothing is computed from them.
class AttackTables : public AttackModel {
 public:
  /// Throws LoadError, ScenarioError as AttackModel does.
  AttackTables(const Catalogue& catalogue, const AttackTablesOptions& options, const std::vector<NamedShip>& ships);

  TokenStates& states() { return states_; }
  const TokenStates& states() const { return states_; }
  DealtTables& dealt() { return dealt_; }

  /// The state of a ship of type t in an attack against one of type `other`: with its health, where something reads it.
  int with_health(int t, int other, int state, int health) {
    return reads_health(t, other) && deck() == nullptr ? states_.with_health(t, state, health) : state;
  }
  /// The outcomes of an attack, solved on first use. Throws PlanTooLarge.
  const Outcomes& attack(const AttackKey& key) {
    if (deck() != nullptr) return attack_with_cards(key);
    std::atomic<Row*>* rows = cell_of(key).rows.load(std::memory_order_acquire);
    if (rows != nullptr) {
      Row* row = rows[row_of(key)].load(std::memory_order_acquire);
      if (row != nullptr) {
        const Outcomes* found = base::nth(row->column, key.defender_state).load(std::memory_order_acquire);
        if (found != nullptr) return *found;
      }
    }
    return solve(key);
  }
  /// The plan of an attack, for simulators that roll its dice; empty if the attack is impossible.
  std::optional<CompiledAttack> compile(const AttackKey& key) const {
    return AttackModel::compile(key, states_.counts(key.attacker, key.attacker_state),
                                states_.counts(key.defender, key.defender_state));
  }
  /// Calls visit(CardOutcome, probability) for all outcomes of an attack with what is left of the decks.
  template <typename Visit>
  void each_outcome(const AttackKey& key, const Outcomes& outcomes, const DeckState& decks, const Visit& visit) {
    if (!outcomes.groups.empty())
      return each_dealt(outcomes, 1, decks, [&](std::size_t o, double p) {
        visit(CardOutcome{outcomes.list[o], outcomes.cards[o]}, p);
      });
    for (std::size_t o = 0; o < outcomes.list.size(); ++o) {
      if (const Outcomes* after = dealt_.dealt(key, outcomes.list[o], decks)) {
        each_dealt(*after, outcomes.chance[o], decks,
                   [&](std::size_t i, double p) { visit(dealt_.with_dealt(key, outcomes.list[o], *after, i), p); });
      } else {
        visit(CardOutcome{outcomes.list[o], {}}, outcomes.chance[o]);
      }
    }
  }
  /// The outcome of an attack that ended with these resources.
  Outcome outcome_of(const AttackKey& key, const CompiledAttack& asked, const std::vector<int>& left, int damage,
                     int own_damage);

  /// A small id for the cards of a ship's hand that attacks by it (`attacks`) or on it read; kNoHandId when there are
  /// too many.
  static constexpr std::uint8_t kNoHandId = 255;
  std::uint8_t hand_id(bool attacks, std::uint64_t hand);

  std::size_t solved() const { return solved_.load(); }  ///< tables
  /// Frees the tables of one type against another. No thread may be using them.
  void forget(int attacker, int defender);

 private:
  struct Row {
    std::array<std::atomic<const Outcomes*>, kMaxStates> column{};  ///< by state of the defender
  };
  struct Cell {
    std::atomic<std::atomic<Row*>*> rows{nullptr};
  };
  /// The tables of one type against another.
  struct PairTables {
    std::mutex mutex;
    std::vector<Cell> cells;  ///< by weapon, shot and whether a lock is kept
    std::vector<std::shared_ptr<std::atomic<Row*>[]>> rows;
    std::vector<std::shared_ptr<Row>> row;
    std::vector<std::shared_ptr<const Outcomes>> outcomes;
    std::unordered_map<AttackKey, std::unique_ptr<const Outcomes>, AttackKey::Hash> with_cards;
  };

  /// Calls visit(index, probability) for the possible outcomes of a table with damage cards, group by group.
  template <typename Visit>
  void each_dealt(const Outcomes& outcomes, double chance, const DeckState& decks, const Visit& visit) const {
    std::size_t o = 0;
    for (const CardGroup& group : outcomes.groups) {
      const double ratio = deck()->counts.ratio(group.change, decks);
      for (; o < group.end; ++o) {
        const double p = chance * outcomes.chance[o] * ratio;
        if (p > 0) visit(o, p);
      }
    }
  }

  Cell& cell_of(const AttackKey& key) {
    return base::nth(pairs_[pair_of(key.attacker, key.defender)].cells,
                     (key.weapon * kShots + key.shot) * 2 + (key.keeps_lock ? 1 : 0));
  }
  static std::size_t row_of(const AttackKey& key) {
    return static_cast<std::size_t>(key.attacker_state * 2 + (key.lock ? 1 : 0));
  }
  const Outcomes& attack_with_cards(const AttackKey& key);
  const Outcomes& solve(const AttackKey& key);
  Outcomes solved_outcomes(const AttackKey& key);

  TokenStates states_;
  DealtTables dealt_;
  TablePool pool_;                 ///< memory of the tables in pairs_
  std::vector<PairTables> pairs_;  ///< by pair of types
  std::mutex hands_mutex_;
  std::array<std::map<std::uint64_t, std::uint8_t>, 2> hand_ids_;
  std::atomic<std::size_t> solved_{0};
  SolvedAttacks attacks_;  ///< shared by all tables
};

}  // namespace salvo::battle
