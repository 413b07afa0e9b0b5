// Book, its tables: what each attack does, solved when it is first asked for.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "battle/attack_tables.h"
#include "battle/interim_state.h"

namespace salvo::battle {
namespace {

using Mass = std::map<InterimState, double>;

/// One attack of the plan from one standing. True where it happens.
bool play(const CompiledAttack& asked, std::size_t k, SolvedAttacks& attacks, double budget, bool tell_crits,
          const InterimState& from, double weight, Mass& to) {
  const auto ends = attacks.ends(asked.plan, k, game::Resources{from.words}, budget);
  if (!ends) {
    to[from] += weight;
    return false;
  }
  const game::AttackPlan& attack = asked.plan.attacks[k];
  for (const exact::AttackEnd& end : *ends) {
    to[{end.resources.words, from.damage + damage_of(attack, end, asked.defender),
        from.own + damage_of(attack, end, asked.attacker), tell_crits ? end.crits : 0}] += weight * end.probability;
  }
  return true;
}

}  // namespace

Outcomes AttackTables::solved_outcomes(const AttackKey& key) try {
  Outcomes out;
  std::optional<CompiledAttack> asked = question(key);
  if (!asked) return out;
  Mass now{{{asked->plan.start.words, 0, 0}, 1.0}};
  for (std::size_t k = 0; k < asked->plan.attacks.size(); ++k) {
    Mass next;
    for (const auto& [at, p] : now) {
      const bool happens = play(*asked, k, attacks_, options_.budget, key.parted, at, p, next);
      const game::AttackPlan& attack = asked->plan.attacks[k];
      if (happens && (!attack.engagement || key.engages()) && attack.attacker == asked->attacker) out.possible = true;
    }
    now = std::move(next);
  }
  if (!out.possible) return out;
  struct Merged {
    Outcome outcome;
    double chance = 0;
  };
  using Deltas = std::array<std::uint64_t, 4>;
  std::map<std::tuple<Deltas, int, int, int, Counts, Counts, bool, bool>, Merged> merged;
  for (const auto& [at, p] : now) {
    const std::vector<int> left = left_over(asked->plan, game::Resources{at.words});
    Outcome one = outcome_of(key, *asked, left, at.damage, at.own);
    one.crits = static_cast<std::uint8_t>(at.crits & 63);
    Deltas cards{};
    if (cards_ && !key.parted) {
      const CardChange change = card_change(*asked, asked->plan.start, left);
      cards = {change.own_deck, change.foe_deck, change.attacker, change.defender};
    }
    const auto name = std::tuple(cards, static_cast<int>(one.damage), at.crits, static_cast<int>(one.own_damage),
                                 info(key.attacker, one.attacker).counts, info(key.defender, one.defender).counts,
                                 bool{one.lock}, bool{one.lock_back});
    const auto place = merged.try_emplace(name, Merged{one, 0}).first;
    place->second.chance += p;
  }
  for (const auto& [name, one] : merged) {
    out.list.push_back(one.outcome);
    out.chance.push_back(one.chance);
    const Deltas& cards = std::get<0>(name);
    if (cards_ && !key.parted) out.cards.push_back({cards[2], cards[3], cards[0], cards[1]});
    for (int d = 1; d <= one.outcome.damage; ++d) out.at_least[static_cast<std::size_t>(d)] += one.chance;
  }
  for (std::size_t h = 1; h < out.counted.size(); ++h) out.counted[h] = out.counted[h - 1] + out.at_least[h];
  if (cards_ && !key.parted) {
    group_outcomes(out);
  } else {
    out.draw = OutcomeTable(out.list, out.chance, pool_.resource());
  }
  return out;
} catch (const PlanTooLarge& error) {
  const char* remedy = cards_ == nullptr ? "" : "the damage deck, or ";
  throw PlanTooLarge(fmt::format("an attack of {} on {} has more than {:.3g} transitions, and a battle needs all its "
                                 "outcomes; leave out {}some of their cards",
                                 type(key.attacker).title, type(key.defender).title, error.budget, remedy),
                     error.found, error.budget);
}

const Outcomes& AttackTables::solve(const AttackKey& key) {
  Against& against = against_[pair_of(key.attacker, key.defender)];
  const std::lock_guard lock(against.mutex);
  const std::pmr::polymorphic_allocator<> where(pool_.resource());
  Cell& cell = cell_of(key);
  std::atomic<Row*>* rows = cell.rows.load();
  if (rows == nullptr) {
    against.rows.push_back(std::make_unique<std::atomic<Row*>[]>(2 * kMaxStates));
    rows = against.rows.back().get();
    cell.rows.store(rows, std::memory_order_release);
  }
  Row* row = rows[row_of(key)].load();
  if (row == nullptr) {
    against.row.push_back(std::allocate_shared<Row>(where));
    row = against.row.back().get();
    rows[row_of(key)].store(row, std::memory_order_release);
  }
  auto& place = row->column[static_cast<std::size_t>(key.defender_state)];
  if (const Outcomes* found = place.load()) return *found;
  against.outcomes.push_back(std::allocate_shared<const Outcomes>(where, solved_outcomes(key)));
  place.store(against.outcomes.back().get(), std::memory_order_release);
  ++solved_;
  return *against.outcomes.back();
}

void AttackTables::forget(int attacker, int defender) {
  Against& against = against_[pair_of(attacker, defender)];
  const std::lock_guard lock(against.mutex);
  for (Cell& cell : against.cells) cell.rows.store(nullptr);
  against.rows.clear();
  against.row.clear();
  against.outcomes.clear();
  against.with_cards.clear();
}

}  // namespace salvo::battle
