#include "battle/dealt_tables.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "game/plan_resources.h"
#include "game/play.h"

namespace salvo::battle {
namespace {

std::size_t damage_step(const game::AttackPlan& attack) {
  const auto at = std::find_if(attack.steps.begin(), attack.steps.end(),
                               [](const game::Step& step) { return step.kind == game::Step::Kind::Damage; });
  return static_cast<std::size_t>(at - attack.steps.begin());
}

/// The key of a position while damage is suffered and no player decides anything.
using DealKey = std::tuple<std::array<std::uint64_t, 2>, std::uint32_t, std::uint32_t, int, int, int, int, int>;
DealKey key_of(const game::Position& position) {
  return {position.resources.words,
          position.used,
          position.due,
          position.past_shields,
          position.pending,
          position.extra[game::kDefender],
          position.resume,
          static_cast<int>(position.side_pool.bits())};
}

/// Enumerates the sequences of cards that can be drawn. Merges equal positions, which the same cards in another order
/// lead to.
class Deals {
 public:
  Deals(const game::Plan& plan, const game::AttackPlan& attack) : plan_(plan), attack_(attack) {}

  /// Calls visit(Position, probability) for every position at the end of the draws.
  template <typename Visit>
  void follow(const game::Position& begin, const Visit& visit) {
    add(begin, 1);
    while (!next_.empty()) {
      const auto positions = std::exchange(next_, {});
      for (const auto& [name, one] : positions) step(one.first, one.second, visit);
    }
  }

 private:
  void add(game::Position position, double chance) {
    const game::NextEvent event = game::advance(plan_, attack_, position);
    const auto place = next_.try_emplace({event, key_of(position)}, position, 0.0).first;
    place->second.second += chance;
  }

  template <typename Visit>
  void step(game::Position position, double chance, const Visit& visit) {
    switch (game::advance(plan_, attack_, position)) {
      case game::NextEvent::Finished:
        return visit(position, chance);
      case game::NextEvent::Draw:
        return draw(position, chance);
      case game::NextEvent::Reroll:
        return roll(position, chance);
      default:
        throw std::logic_error("damage cards dealt after the dice ask for a decision");
    }
  }

  void draw(const game::Position& position, double chance) {
    std::vector<int> left;
    game::cards_left(plan_, attack_, position, left);
    const double all = std::accumulate(left.begin(), left.end(), 0);
    for (std::size_t kind = 0; kind < left.size(); ++kind) {
      if (left[kind] > 0) add(game::after_draw(plan_, attack_, position, kind), chance * left[kind] / all);
    }
  }

  void roll(const game::Position& position, double chance) {
    const game::Die& die = position.pending_attack ? plan_.attack_die : plan_.defense_die;
    for (int face = 0; face < die.faces; ++face) {
      const double sides = base::nth(die.sides_of_face, face);
      if (sides > 0) add(game::after_reroll(position, face), chance * sides / die.sides);
    }
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  std::map<std::pair<game::NextEvent, DealKey>, std::pair<game::Position, double>> next_;
};

}  // namespace

DealtTables::DealtTables(const AttackModel& model, TokenStates& states)
    : model_(model), states_(states), of_type_(static_cast<std::size_t>(model.types())) {
  for (int d = 0; d < model.types(); ++d) {
    bool needed = false;
    for (int a = 0; a < model.types(); ++a) needed = needed || model.deals_separately(a, d);
    if (needed) prepare(d);
  }
}

void DealtTables::prepare(int t) {
  auto dealing = std::make_unique<OfType>();
  CompiledAttack& asked = dealing->asked = model_.compile_dealing(t);
  // Effects after the damage belong to the table of the attack.
  auto& steps = asked.plan.attacks[0].steps;
  for (std::size_t s = damage_step(asked.plan.attacks[0]); s < steps.size(); ++s) steps[s].effects.clear();
  const game::AttackPlan& attack = asked.plan.attacks[0];
  const game::DealPlan deal = attack.deals.empty() ? game::DealPlan() : attack.deals[game::kDefender];
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const game::Resource& resource = asked.plan.resources[r];
    if (resource.kind != game::Resource::Kind::Card || resource.ship != asked.defender) continue;
    const auto index = static_cast<int>(r);
    const std::uint64_t field = CardFields::all_of(*model_.deck()->hand.find(resource.kind, resource.token));
    if (game::reads_after_damage(attack, deal, index)) deals_ |= field;
    if (game::reads(deal.hits_are_crits, index)) criticals_ |= field;
  }
  base::nth(of_type_, t) = std::move(dealing);
}

Outcomes DealtTables::solve(int t, std::uint64_t hand, int shields, int hits, int crits) {
  OfType& dealing = *base::nth(of_type_, t);
  CompiledAttack asked = dealing.asked;
  game::Plan& plan = asked.plan;
  for (game::Resource& r : plan.resources) {
    if (r.ship != asked.defender) continue;
    const auto* field = model_.deck()->hand.find(r.kind, r.token);
    const int hull = base::nth(plan.ships, asked.defender).counted_hull;
    if (field != nullptr) r.initial = CardFields::get(hand, *field);
    if (r.kind == game::Resource::Kind::Health) r.initial = game::kHealthZero + hull + shields;
    if (r.dynamic) plan.start.set(r, r.initial);
  }
  const game::AttackPlan& attack = plan.attacks[0];
  game::Position begin;
  begin.resources = plan.start;
  begin.step = static_cast<std::uint8_t>(damage_step(attack));
  begin.hit = true;
  begin.attack_pool.add(plan.attack_die.hit, false, hits);
  begin.attack_pool.add(plan.attack_die.crit, false, crits);
  using Name = std::tuple<std::uint64_t, std::uint64_t, int, Counts>;
  std::map<Name, double> merged;
  const ShipType& kind = model_.type(t);
  Deals(plan, attack).follow(begin, [&](const game::Position& end, double p) {
    std::vector<int> left;
    for (const game::Resource& r : plan.resources) left.push_back(end.resources.get(r));
    const CardChange change = model_.card_change(asked, plan.start, left);
    Counts gained(kind.slots.size(), 0);
    for (std::size_t r = 0; r < left.size(); ++r) {
      const game::Resource& one = plan.resources[r];
      if (one.kind != game::Resource::Kind::Token || one.ship != asked.defender) continue;
      const int slot = slot_of(kind, slot_label(plan, asked.labels, r));
      if (slot >= 0) base::nth(gained, slot) = static_cast<std::uint8_t>(left[r] - plan.start.get(one));
    }
    merged[{change.foe_deck, change.defender, end.hits + end.crits + end.extra[game::kDefender], gained}] += p;
  });
  Outcomes out;
  for (const auto& [name, p] : merged) {
    const auto& [seen, turned, damage, gained] = name;
    const auto known = std::find(dealing.gained.begin() + 1, dealing.gained.end(), gained);
    const auto number = known - dealing.gained.begin();
    const bool nothing = std::all_of(gained.begin(), gained.end(), [](int n) { return n == 0; });
    if (!nothing && known == dealing.gained.end()) dealing.gained.push_back(gained);
    Outcome one;
    one.damage = static_cast<std::uint8_t>(std::clamp(damage, 0, kMaxHealth));
    one.defender = static_cast<std::uint16_t>(nothing ? 0 : number);
    out.list.push_back(one);
    out.chance.push_back(p);
    out.cards.push_back({0, turned, 0, seen});
  }
  group_outcomes(out);
  return out;
}

const Outcomes* DealtTables::dealt(const AttackKey& key, const Outcome& outcome, const DeckState& decks) {
  if (outcome.damage == 0) return nullptr;
  const std::uint64_t hand = decks.defender_hand & deals_;
  const int shields = std::max(0, decks.defender_health - model_.type(key.defender).hull);
  const bool hits_alone = outcome.crits == 0 && (decks.defender_hand & criticals_) == 0;
  if (hits_alone || (hand == 0 && outcome.damage <= shields)) return nullptr;
  const int hits = outcome.damage - outcome.crits;
  OfType& dealing = *base::nth(of_type_, key.defender);
  const std::lock_guard lock(dealing.mutex);
  const std::array<std::uint64_t, 4> name{hand, static_cast<std::uint64_t>(shields), static_cast<std::uint64_t>(hits),
                                          outcome.crits};
  auto& place = dealing.known[name];
  if (!place) place = std::make_unique<const Outcomes>(solve(key.defender, hand, shields, hits, outcome.crits));
  return place.get();
}

CardOutcome DealtTables::with_dealt(const AttackKey& key, Outcome dice, const Outcomes& dealt, std::size_t index) {
  const Outcome& after = dealt.list[index];
  dice.damage = after.damage;
  if (after.defender != 0) {
    OfType& dealing = *base::nth(of_type_, key.defender);
    const std::lock_guard lock(dealing.mutex);
    const auto [place, added] = dealing.states.try_emplace({dice.defender, after.defender}, std::uint16_t{0});
    if (added) {
      Counts counts = states_.counts(key.defender, dice.defender);
      const Counts& gained = dealing.gained[after.defender];
      for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = static_cast<std::uint8_t>(std::min(counts[i] + gained[i], 255));
      place->second = static_cast<std::uint16_t>(states_.state_of(key.defender, counts));
    }
    dice.defender = place->second;
  }
  return {dice, dealt.cards[index]};
}

}  // namespace salvo::battle
