#include "battle/attack_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/hash.h"
#include "base/index.h"
#include "battle/interim_state.h"

namespace salvo::battle {
namespace {

using Mass = std::map<InterimState, double>;

/// Plays one attack of the plan from one state. True where it happens.
bool play(const CompiledAttack& asked, std::size_t k, SolvedAttacks& attacks, double budget, bool with_crits,
          const InterimState& from, double weight, Mass& to) {
  const auto ends = attacks.ends(asked.plan, k, game::Resources{from.words}, budget);
  if (!ends) {
    to[from] += weight;
    return false;
  }
  const game::AttackPlan& attack = asked.plan.attacks[k];
  for (const exact::AttackEnd& end : *ends) {
    to[{end.resources.words, from.damage + damage_of(attack, end, asked.defender),
        from.own + damage_of(attack, end, asked.attacker), with_crits ? end.crits : 0}] += weight * end.probability;
  }
  return true;
}

}  // namespace

std::size_t AttackKey::Hash::operator()(const AttackKey& key) const {
  base::Hasher out;
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  out.add(put(key.weapon + 1, 0) | put(key.shot, 8) | put(key.attacker_state, 16) | put(key.defender_state, 32) |
          put(key.lock ? 1 : 0, 48) | put(key.dice_only ? 1 : 0, 49) | put(key.keeps_lock ? 1 : 0, 50));
  out.add(put(key.attacker, 0) | put(key.defender, 16) | put(key.attacker_health, 32) | put(key.defender_health, 40));
  out.add(key.attacker_hand);
  out.add(key.defender_hand);
  return static_cast<std::size_t>(out.value());
}

void group_outcomes(Outcomes& outcomes) {
  const std::size_t n = outcomes.list.size();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < n; ++i) {
    const CardChange decks{0, 0, outcomes.cards[i].own_deck, outcomes.cards[i].foe_deck};
    if (outcomes.groups.empty() || outcomes.groups.back().change != decks) outcomes.groups.push_back({decks, 0, i});
    outcomes.groups.back().chance += outcomes.chance[i];
    outcomes.groups.back().end = i + 1;
    order.push_back(i);
  }
  std::size_t first = 0;
  const auto place = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  for (const CardGroup& group : outcomes.groups) {
    std::stable_sort(place(first), place(group.end),
                     [&](std::size_t a, std::size_t b) { return outcomes.chance[a] > outcomes.chance[b]; });
    first = group.end;
  }
  const auto sort = [&](auto& list) {
    auto sorted = list;
    for (std::size_t i = 0; i < n; ++i) sorted[i] = list[order[i]];
    list = std::move(sorted);
  };
  sort(outcomes.list);
  sort(outcomes.chance);
  sort(outcomes.cards);
}

std::size_t pick_outcome(const DeckModel& model, const Outcomes& outcomes, const DeckState& decks, double uniform) {
  std::size_t first = 0, possible = 0;
  for (const CardGroup& group : outcomes.groups) {
    const double ratio = model.counts.ratio(group.change, decks);
    const double chance = group.chance * ratio;
    if (uniform < chance) {
      for (std::size_t i = first; i + 1 < group.end; ++i) {
        uniform -= outcomes.chance[i] * ratio;
        if (uniform < 0) return i;
      }
      return group.end - 1;
    }
    if (chance > 0) possible = group.end - 1;
    uniform -= chance;
    first = group.end;
  }
  return possible;
}

AttackTables::AttackTables(const Catalogue& catalogue, const AttackTablesOptions& options,
                           const std::vector<NamedShip>& ships)
    : AttackModel(catalogue, options, ships),
      states_(type_list(), options.shared),
      dealt_(*this, states_),
      pairs_(type_list().size() * type_list().size()) {
  for (int a = 0; a < types(); ++a) {
    for (int d = 0; d < types(); ++d)
      pairs_[pair_of(a, d)].cells = std::vector<Cell>(2 * type(a).weapons.size() * kShots);
  }
}

Outcomes AttackTables::solved_outcomes(const AttackKey& key) try {
  Outcomes out;
  std::optional<CompiledAttack> asked = compile(key);
  if (!asked) return out;
  Mass now{{{asked->plan.start.words, 0, 0}, 1.0}};
  for (std::size_t k = 0; k < asked->plan.attacks.size(); ++k) {
    Mass next;
    for (const auto& [at, p] : now) {
      const bool happens = play(*asked, k, attacks_, options().budget, key.dice_only, at, p, next);
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
    if (deck() != nullptr && !key.dice_only) {
      const CardChange change = card_change(*asked, asked->plan.start, left);
      cards = {change.own_deck, change.foe_deck, change.attacker, change.defender};
    }
    const auto name = std::tuple(cards, static_cast<int>(one.damage), at.crits, static_cast<int>(one.own_damage),
                                 states_.counts(key.attacker, one.attacker), states_.counts(key.defender, one.defender),
                                 bool{one.lock}, bool{one.lock_back});
    const auto place = merged.try_emplace(name, Merged{one, 0}).first;
    place->second.chance += p;
  }
  for (const auto& [name, one] : merged) {
    out.list.push_back(one.outcome);
    out.chance.push_back(one.chance);
    const Deltas& cards = std::get<0>(name);
    if (deck() != nullptr && !key.dice_only) out.cards.push_back({cards[2], cards[3], cards[0], cards[1]});
    for (int d = 1; d <= one.outcome.damage; ++d) base::nth(out.at_least, d) += one.chance;
  }
  for (std::size_t h = 1; h < out.counted.size(); ++h) out.counted[h] = out.counted[h - 1] + out.at_least[h];
  if (deck() != nullptr && !key.dice_only) {
    group_outcomes(out);
  } else {
    out.draw = OutcomeTable(out.list, out.chance, pool_);
  }
  return out;
} catch (const PlanTooLarge& error) {
  const char* remedy = deck() == nullptr ? "" : "the damage deck, or ";
  throw PlanTooLarge(fmt::format("an attack of {} on {} has more than {:.3g} transitions, and a battle needs all its "
                                 "outcomes; leave out {}some of their cards",
                                 type(key.attacker).title, type(key.defender).title, error.budget, remedy),
                     error.found, error.budget);
}

const Outcomes& AttackTables::solve(const AttackKey& key) {
  PairTables& tables = pairs_[pair_of(key.attacker, key.defender)];
  const std::lock_guard lock(tables.mutex);
  Cell& cell = cell_of(key);
  std::atomic<Row*>* rows = cell.rows.load();
  if (rows == nullptr) {
    tables.rows.push_back(std::make_unique<std::atomic<Row*>[]>(2 * kMaxStates));
    rows = tables.rows.back().get();
    cell.rows.store(rows, std::memory_order_release);
  }
  Row* row = rows[row_of(key)].load();
  if (row == nullptr) {
    tables.row.push_back(pool_.make<Row>());
    row = tables.row.back().get();
    rows[row_of(key)].store(row, std::memory_order_release);
  }
  auto& place = base::nth(row->column, key.defender_state);
  if (const Outcomes* found = place.load()) return *found;
  tables.outcomes.push_back(pool_.make<const Outcomes>(solved_outcomes(key)));
  place.store(tables.outcomes.back().get(), std::memory_order_release);
  ++solved_;
  return *tables.outcomes.back();
}

const Outcomes& AttackTables::attack_with_cards(const AttackKey& key) {
  PairTables& tables = pairs_[pair_of(key.attacker, key.defender)];
  const std::lock_guard lock(tables.mutex);
  auto& place = tables.with_cards[key];
  if (!place) {
    place = std::make_unique<const Outcomes>(solved_outcomes(key));
    ++solved_;
  }
  return *place;
}

Outcome AttackTables::outcome_of(const AttackKey& key, const CompiledAttack& asked, const std::vector<int>& left,
                                 int damage, int own_damage) {
  using Kind = game::Resource::Kind;
  Counts attacker = states_.counts(key.attacker, key.attacker_state);
  Counts defender = states_.counts(key.defender, key.defender_state);
  Outcome out;
  out.damage = static_cast<std::uint8_t>(std::clamp(damage, 0, kMaxHealth));
  out.own_damage = static_cast<std::uint8_t>(std::clamp(own_damage, 0, kMaxHealth));
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const game::Resource& resource = asked.plan.resources[r];
    const bool by = resource.ship == asked.attacker;
    if (!by && resource.ship != asked.defender) continue;  // of a helper
    if (resource.kind == Kind::Lock) {
      // One of two fields of bits is no lvalue for clang 14.
      if (by)
        out.lock = left[r] > 0;
      else
        out.lock_back = left[r] > 0;
      continue;
    }
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    const std::string label = slot_label(asked.plan, asked.labels, r);
    const int slot = label.empty() ? -1 : slot_of(type, label);
    if (slot >= 0) base::nth(by ? attacker : defender, slot) = static_cast<std::uint8_t>(std::clamp(left[r], 0, 255));
  }
  for (const bool by : {true, false}) {
    const ShipType& type = this->type(by ? key.attacker : key.defender);
    Counts& counts = by ? attacker : defender;
    if (type.engaged >= 0) base::nth(counts, type.engaged) = 0;
    if (type.health_slot >= 0) base::nth(counts, type.health_slot) = 0;
  }
  out.attacker = static_cast<std::uint16_t>(states_.state_of(key.attacker, attacker));
  out.defender = static_cast<std::uint16_t>(states_.state_of(key.defender, defender));
  return out;
}

std::uint8_t AttackTables::hand_id(bool attacks, std::uint64_t hand) {
  const std::uint64_t read = hand & (attacks ? deck()->attacks : deck()->defends);
  if (read == 0) return 0;
  const std::lock_guard lock(hands_mutex_);
  auto& names = hand_ids_[attacks ? 0 : 1];
  if (const auto known = names.find(read); known != names.end()) return known->second;
  if (names.size() + 1 >= kNoHandId) return kNoHandId;
  return names.try_emplace(read, static_cast<std::uint8_t>(names.size() + 1)).first->second;
}

void AttackTables::forget(int attacker, int defender) {
  PairTables& tables = pairs_[pair_of(attacker, defender)];
  const std::lock_guard lock(tables.mutex);
  for (Cell& cell : tables.cells) cell.rows.store(nullptr);
  tables.rows.clear();
  tables.row.clear();
  tables.outcomes.clear();
  tables.with_cards.clear();
}

}  // namespace salvo::battle
