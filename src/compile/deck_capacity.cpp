// Checks that a damage deck has enough cards for the scenario.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/index.h"
#include "compile/compile_parts.h"
#include "game/play.h"

namespace salvo::compile {
namespace {

bool is_due(const game::Plan& plan, int resource) {
  return resource >= 0 && base::nth(plan.resources, resource).kind == game::Resource::Kind::Damage;
}

/// Whether the effect prevents damage that is due, or deals what is left of it.
bool prevents(const game::Plan& plan, const game::Effect& effect) {
  return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
    return operation.kind == game::Operation::Kind::Lose && is_due(plan, operation.resource);
  });
}

/// Whether the operation deals damage, now or once the options at damage-due are over. What these leave is not counted
/// again.
bool deals_damage(const game::Plan& plan, const game::Operation& operation) {
  if (operation.kind == game::Operation::Kind::Gain) return is_due(plan, operation.resource);
  const bool left = !operation.amount.empty() && operation.amount.front().code == game::ExpressionOp::Code::Resource &&
                    is_due(plan, operation.amount.front().value);
  return operation.kind == game::Operation::Kind::Damage && !left;
}

/// Upper bound of the damage that an attack deals to a victim, without effects of damage cards.
int max_damage(const game::Plan& plan, const game::AttackPlan& attack, std::size_t victim,
               const std::set<int>& of_deck) {
  int out = victim == game::kDefender && !attack.engagement ? game::most_dice(attack, true) : 0;
  for (std::size_t e = 0; e < attack.effects.size(); ++e) {
    const bool replaces = prevents(plan, attack.effects[e]);  // damage that is counted already
    if (replaces || of_deck.contains(static_cast<int>(e))) continue;
    for (const game::Operation& operation : attack.effects[e].operations) {
      if (operation.kind == game::Operation::Kind::Deal && operation.exact) ++out;  // one more card is drawn
      if (!deals_damage(plan, operation) || operation.victim != victim) continue;
      out += (operation.amount.empty() ? operation.n : base::kMaxPool) *
             (attack.effects[e].times.empty() ? 1 : base::kMaxPool);
    }
  }
  return out;
}

/// Upper bound of the damage cards dealt to a ship, or drawn for it, without effects of damage cards. A destroyed ship
/// is gone after the attacks of its group.
int max_cards(const Draft& draft, int ship) {
  const game::Plan& plan = draft.out.plan;
  const game::ShipPlan& target = base::nth(plan.ships, ship);
  int all = 0, group = 0, largest = 0, draws = 1;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const game::AttackPlan& attack = plan.attacks[k];
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (attack.victim(v) == ship) group += max_damage(plan, attack, v, draft.deck_effects[k]);
      if (attack.victim(v) == ship && !attack.deals.empty()) draws = std::max(draws, attack.deals[v].draws);
    }
    const auto& removed = attack.removed_after;
    if (k + 1 < plan.attacks.size() && !base::contains(removed, ship)) continue;
    all += group;
    largest = std::max(largest, std::exchange(group, 0));
  }
  const int dealt = std::max(0, all - target.shields);
  return draws * (plan.objective == game::Objective::Damage ? dealt : std::min(dealt, target.hull - 1 + largest));
}

/// Upper bound of the damage by one use of an effect of a damage card with `copies` copies.
int max_from_card(const load::EffectSpec& effect, int copies) {
  int rolled = copies;
  int out = 0;
  for (const load::OperationSpec& operation : effect.operations) {
    if (operation.verb == load::Verb::Roll) rolled = operation.amount.empty() ? operation.n : copies;
    if (operation.verb == load::Verb::Damage) out += operation.amount.empty() ? operation.n : rolled;
  }
  return out;
}

/// How often at most an effect of a damage card is used by all copies of the card. One with an amount counts the
/// copies.
int most_uses(const load::EffectSpec& effect, int copies, const Draft& draft) {
  const int rounds = draft.scenario.attacks.back().round + 1;
  if (effect.at == load::Window::Engage) return static_cast<int>(draft.ships.size());
  if (effect.at != load::Window::EngagementStart) return copies * static_cast<int>(draft.attacks.size());
  const bool counts = std::any_of(effect.operations.begin(), effect.operations.end(),
                                  [](const load::OperationSpec& operation) { return !operation.amount.empty(); });
  return counts ? rounds : copies * rounds;
}

/// Upper bound of the damage by all damage cards of one side. Effects of dealt or flipped cards apply once, and again
/// if the card is exposed.
int max_from_deck(const Draft& draft) {
  int out = 0;
  int most_again = 0;
  for (const load::DamageCardSpec& card : draft.deck->cards) {
    for (const load::EffectSpec& effect : card.card.effects) {
      const bool once = effect.at == load::Window::Dealt || has_verb(effect, load::Verb::Flip);
      out += max_from_card(effect, card.copies) * (once ? card.copies : most_uses(effect, card.copies, draft));
      if (once) most_again = std::max(most_again, max_from_card(effect, card.copies));
    }
  }
  for (const ShipDraft& ship : draft.ships) out += most_again * ship.exposures;
  return out;
}

}  // namespace

void check_deck_capacity(const Draft& draft) {
  if (!draft.out.plan.damage_deck) return;
  for (const bool mine : {true, false}) {
    int most = 0;
    for (std::size_t s = 0; s < draft.ships.size(); ++s) {
      if (draft.ships[s].dealt_cards && draft.out.plan.ships[s].mine == mine)
        most += max_cards(draft, static_cast<int>(s));
    }
    if (most > 0) most += max_from_deck(draft);
    for (const ShipDraft& ship : draft.ships) {
      if (*ship.mine == mine) most += ship.facedown + static_cast<int>(ship.given->faceup.size());
    }
    if (most <= draft.deck->size()) continue;
    throw ScenarioError("damage_deck",
                        fmt::format("up to {} damage cards could be dealt to {} side, and the deck '{}' has {}; make "
                                    "the scenario shorter, or write damage_deck = \"none\"",
                                    most, mine ? "my" : "their", draft.deck->id, draft.deck->size()));
  }
}

}  // namespace salvo::compile
