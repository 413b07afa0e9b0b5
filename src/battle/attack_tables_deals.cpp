// Book, what is dealt: damage to a ship as damage cards, from the Damage step of an attack on it, by the rules of play.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "answers/answer.h"
#include "battle/slots.h"
#include "game/damage.h"
#include "game/play.h"
#include "game/reads.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

std::size_t damage_step(const game::AttackPlan& attack) {
  const auto at = std::find_if(attack.steps.begin(), attack.steps.end(),
                               [](const game::Step& step) { return step.kind == game::Step::Kind::Damage; });
  return static_cast<std::size_t>(at - attack.steps.begin());
}

/// What tells positions apart while damage is suffered, when nobody decides anything.
using DealName = std::tuple<std::array<std::uint64_t, 2>, std::uint32_t, std::uint32_t, int, int, int, int, int>;
DealName name_of_deal(const game::Position& position) {
  return {position.resources.words,
          position.used,
          position.due,
          position.past,
          position.pending,
          position.extra[game::kDefender],
          position.resume,
          static_cast<int>(position.side_pool.bits())};
}

/// Positions on the way, those that are alike as one: cards that come in another order leave the same.
class Deals {
 public:
  Deals(const game::Plan& plan, const game::AttackPlan& attack) : plan_(plan), attack_(attack) {}

  /// Every way in which cards can fall: visit(Position, probability).
  template <typename Visit>
  void follow(const game::Position& begin, const Visit& visit) {
    add(begin, 1);
    while (!next_.empty()) {
      const auto now = std::exchange(next_, {});
      for (const auto& [name, one] : now) go_on(one.first, one.second, visit);
    }
  }

 private:
  void add(game::Position position, double chance) {
    const game::NextEvent need = game::advance(plan_, attack_, position);
    const auto place = next_.try_emplace({need, name_of_deal(position)}, position, 0.0).first;
    place->second.second += chance;
  }

  template <typename Visit>
  void go_on(game::Position position, double chance, const Visit& visit) {
    switch (game::advance(plan_, attack_, position)) {
      case game::NextEvent::Finished:
        return visit(position, chance);
      case game::NextEvent::Draw:
        return draw(position, chance);
      case game::NextEvent::Reroll:
        return roll(position, chance);
      default:
        throw std::logic_error("damage cards that are dealt after the dice wait for a player");
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
      const double sides = die.sides_of_face[static_cast<std::size_t>(face)];
      if (sides > 0) add(game::after_reroll(position, face), chance * sides / die.sides);
    }
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  std::map<std::pair<game::NextEvent, DealName>, std::pair<game::Position, double>> next_;
};

}  // namespace

/// The ship under fire by another that has no cards.
compile::CompiledScenario AttackTables::dealing_question(int t) const {
  const ScenarioShip other{.attack = 1, .agility = 0, .hull = 1};
  ScenarioShip ship = type(t).ship;
  ship.tokens.clear();
  Scenario asked = study::duel({options_.rules, options_.cards}, other, false, ship, "primary", 2);
  asked.attacker_policy = asked.defender_policy = "greedy";
  asked.damage_deck = options_.damage_deck;
  return compiled(asked);
}

void AttackTables::note_deals(int t) {
  auto dealing = std::make_unique<Dealing>();
  compile::CompiledScenario question = dealing_question(t);
  CompiledAttack& asked = dealing->asked;
  asked.plan = std::move(question.plan);
  asked.labels = std::move(question.labels);
  std::erase_if(asked.plan.attacks, [](const game::AttackPlan& attack) { return attack.engagement; });
  asked.plan.attacks.resize(1);
  // What follows the damage is told by the table of the attack.
  auto& steps = asked.plan.attacks[0].steps;
  for (std::size_t s = damage_step(asked.plan.attacks[0]); s < steps.size(); ++s) steps[s].effects.clear();
  const game::AttackPlan& attack = asked.plan.attacks[0];
  asked.attacker = attack.attacker;
  asked.defender = attack.defender;
  const game::DealPlan deal = attack.deals.empty() ? game::DealPlan() : attack.deals[game::kDefender];
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const game::Resource& resource = asked.plan.resources[r];
    if (resource.kind != game::Resource::Kind::Card || resource.ship != asked.defender) continue;
    const auto index = static_cast<int>(r);
    const std::uint64_t field = CardFields::all_of(*cards_->hand.find(resource.kind, resource.token));
    if (game::reads_after_damage(attack, deal, index)) cards_->deals |= field;
    const auto& when = deal.hits_are_crits;
    if (std::any_of(when.begin(), when.end(), [&](const game::ExpressionOp& op) {
          return op.code == game::ExpressionOp::Code::Resource && op.value == index;
        }))
      cards_->criticals |= field;
  }
  dealing->gained.emplace_back();
  dealing_[static_cast<std::size_t>(t)] = std::move(dealing);
}

Outcomes AttackTables::solved_deals(int t, std::uint64_t hand, int shields, int hits, int crits) {
  Dealing& dealing = *dealing_[static_cast<std::size_t>(t)];
  CompiledAttack asked = dealing.asked;
  game::Plan& plan = asked.plan;
  for (game::Resource& r : plan.resources) {
    if (r.ship != asked.defender) continue;
    const auto* field = cards_->hand.find(r.kind, r.token);
    const int hull = plan.ships[static_cast<std::size_t>(asked.defender)].counted_hull;
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
  const ShipType& kind = type(t);
  Deals(plan, attack).follow(begin, [&](const game::Position& end, double p) {
    std::vector<int> left;
    for (const game::Resource& r : plan.resources) left.push_back(end.resources.get(r));
    const CardChange change = card_change(asked, plan.start, left);
    Counts gained(kind.slots.size(), 0);
    for (std::size_t r = 0; r < left.size(); ++r) {
      const game::Resource& one = plan.resources[r];
      if (one.kind != game::Resource::Kind::Token || one.ship != asked.defender) continue;
      const int slot = slot_of(kind, slot_label(plan, asked.labels, r));
      if (slot >= 0) gained[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(left[r] - plan.start.get(one));
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

const Outcomes* AttackTables::dealt(const AttackKey& key, const Outcome& outcome, const DeckState& cards) {
  if (outcome.damage == 0) return nullptr;
  const std::uint64_t hand = cards.defender_hand & cards_->deals;
  const int shields = std::max(0, cards.defender_health - type(key.defender).hull);
  const bool hits_alone = outcome.crits == 0 && (cards.defender_hand & cards_->criticals) == 0;
  if (hits_alone || (hand == 0 && outcome.damage <= shields)) return nullptr;
  const int hits = outcome.damage - outcome.crits;
  Dealing& dealing = *dealing_[static_cast<std::size_t>(key.defender)];
  const std::lock_guard lock(dealing.mutex);
  const std::array<std::uint64_t, 4> name{hand, static_cast<std::uint64_t>(shields), static_cast<std::uint64_t>(hits),
                                          outcome.crits};
  auto& place = dealing.known[name];
  if (!place) place = std::make_unique<const Outcomes>(solved_deals(key.defender, hand, shields, hits, outcome.crits));
  return place.get();
}

CardOutcome AttackTables::with_dealt(const AttackKey& key, Outcome dice, const Outcomes& dealt, std::size_t number) {
  const Outcome& after = dealt.list[number];
  dice.damage = after.damage;
  if (after.defender != 0) {
    Dealing& dealing = *dealing_[static_cast<std::size_t>(key.defender)];
    const std::lock_guard lock(dealing.mutex);
    const auto [place, added] = dealing.states.try_emplace({dice.defender, after.defender}, std::uint16_t{0});
    if (added) {
      Counts counts = this->counts(key.defender, dice.defender);
      const Counts& gained = dealing.gained[after.defender];
      for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = static_cast<std::uint8_t>(std::min(counts[i] + gained[i], 255));
      place->second = static_cast<std::uint16_t>(state_of(key.defender, counts));
    }
    dice.defender = place->second;
  }
  return {dice, dealt.cards[number]};
}

}  // namespace salvo::battle
