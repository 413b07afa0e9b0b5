// Orders the effects of an attack into steps, including the answers to offers.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/index.h"
#include "compile/attack_draft.h"
#include "game/plan_resources.h"

namespace salvo::compile {
namespace {

/// Whether the attack must record that it hit: something reads it, so Outcome is needed.
bool reads_hit(const game::AttackPlan& attack) {
  bool out = false;
  for (const game::Effect& effect : attack.effects) {
    game::each_expression(effect, [&](const game::Expression& expression) {
      out = out || std::any_of(expression.begin(), expression.end(),
                               [](const game::ExpressionOp& op) { return op.code == Code::Hit; });
    });
  }
  return out;
}

/// Bits of Position::used that an effect reads.
std::uint32_t bits_read(const game::Effect& effect) {
  std::uint32_t out = effect.used_bit >= 0 ? 1u << effect.used_bit : 0u;
  game::each_expression(effect, [&](const game::Expression& expression) {
    for (const game::ExpressionOp& op : expression) {
      if (op.code == Code::Used) out |= 1u << op.value;
    }
  });
  return out;
}

/// Fills Step::read_later. Iterates, since effects can jump to earlier steps (Effect::jump).
void find_read_later(game::AttackPlan& attack) {
  for (game::Step& step : attack.steps) step.read_later = 0;
  std::uint32_t cards = 0;  // effects of damage cards belong to no step
  for (const game::Step& step : attack.steps) {
    if (step.kind != game::Step::Kind::Deal) continue;
    for (const int e : step.effects) cards |= bits_read(base::nth(attack.effects, e));
  }
  for (const game::DealPlan& deal : attack.deals) {
    for (const game::ExpressionOp& op : deal.looks) {
      if (op.code == Code::Used) cards |= 1u << op.value;
    }
    for (const int e : deal.after_crit) cards |= bits_read(base::nth(attack.effects, e));
    for (const game::DrawKind& kind : deal.kinds) {
      for (const int e : kind.effects) cards |= bits_read(base::nth(attack.effects, e));
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    std::uint32_t later = cards;
    for (auto step = attack.steps.rbegin(); step != attack.steps.rend(); ++step) {
      for (const int e : step->effects) {
        const game::Effect& effect = base::nth(attack.effects, e);
        later |= bits_read(effect);
        if (effect.jump >= 0) later |= base::nth(attack.steps, effect.jump).read_later;
      }
      changed = changed || step->read_later != later;
      step->read_later = later;
    }
  }
}

/// Fills Step::earliest.
void find_earliest(game::AttackPlan& attack) {
  auto earliest = static_cast<int>(attack.steps.size());
  for (std::size_t s = attack.steps.size(); s-- > 0;) {
    for (const int e : attack.steps[s].effects) {
      const int jump = base::nth(attack.effects, e).jump;
      if (jump >= 0) earliest = std::min(earliest, jump);
    }
    attack.steps[s].earliest = std::min(earliest, static_cast<int>(s));
  }
}

/// Whether play can stop in or after the effect: for dice, damage cards or the other player's answer.
bool interrupts(const AttackDraft& attack, int effect) {
  const auto& operations = base::nth(attack.plan.effects, effect).operations;
  return attack.offers.contains(effect) ||
         std::any_of(operations.begin(), operations.end(), [&](const game::Operation& operation) {
           const bool deals = operation.kind == game::Operation::Kind::Damage && !attack.plan.deals.empty();
           return deals || operation.kind == game::Operation::Kind::Expose ||
                  operation.kind == game::Operation::Kind::Roll || operation.kind == game::Operation::Kind::Hit;
         });
}

void push_step(AttackDraft& attack, bool may, bool attacker, std::vector<int> effects) {
  attack.plan.steps.push_back({.kind = may ? game::Step::Kind::Window : game::Step::Kind::Apply,
                               .attacker_decides = attacker,
                               .effects = std::move(effects)});
}

/// Adds the steps of what follows an effect: the other player's answers to its offers, and damage that is due. After an
/// optional effect of step `back`, play returns to that step.
void add_answers(AttackDraft& attack, int effect, std::optional<int> back, bool attacker) {
  const auto found = attack.offers.find(effect);
  if (found == attack.offers.end()) return;
  const OfferEffects& offer = found->second;
  const auto jump = [&](int e, int to) { base::nth(attack.plan.effects, e).jump = to; };
  if (back) jump(effect, static_cast<int>(attack.plan.steps.size()));
  if (!offer.taken.empty()) push_step(attack, true, !attacker, offer.taken);
  if (offer.declined >= 0) push_step(attack, false, attacker, {offer.declined});
  for (const DueDamage& due : offer.due) {
    const bool attackers = attack.ship(due.ship).mine == attack.ship(attack.plan.attacker).mine;
    push_step(attack, true, attackers, due.options);
    push_step(attack, false, attackers, due.suffered);
  }
  if (!back) return;
  if (!offer.due.empty()) return jump(offer.due.back().suffered.back(), *back);
  jump(offer.declined, *back);
  for (const int taken : offer.taken) jump(taken, *back);
}

bool grants_bonus(const AttackDraft& attack, int effect) {
  const auto& resources = attack.draft.out.plan.resources;
  const auto& operations = base::nth(attack.plan.effects, effect).operations;
  return std::any_of(operations.begin(), operations.end(), [&](const game::Operation& operation) {
    return operation.kind == game::Operation::Kind::Gain &&
           base::nth(resources, operation.resource).kind == game::Resource::Kind::Granted;
  });
}

/// Whether the effect asks what a ship gained in this attack.
bool follows_gain(const AttackDraft& attack, int effect) {
  std::uint32_t gained = 0;
  for (const auto& [name, bit] : attack.bits) {
    if (name.kind == UsedName::Kind::Gained) gained |= 1u << bit;
  }
  const game::Effect& follows = base::nth(attack.plan.effects, effect);
  if ((bits_read(follows) & gained) != 0) return true;
  return std::any_of(attack.due.begin(), attack.due.end(), [&](const DueTokens& due) {
    return due.event == UsedName::Kind::Gained &&
           std::any_of(follows.cost.begin(), follows.cost.end(),
                       [&](const game::Cost& cost) { return cost.resource == due.due; });
  });
}

/// Which effects of a window.
enum class Part {
  All,
  NoBonus,    ///< those that grant no bonus attack
  Reactions,  ///< of these the options that follow what was gained
  Bonus,      ///< those that grant a bonus attack
};

bool is_of(const AttackDraft& attack, Part part, const WindowEffect& of) {
  if (part == Part::All) return true;
  if (grants_bonus(attack, of.effect) != (part == Part::Bonus)) return false;
  return part != Part::Reactions || (of.may && follows_gain(attack, of.effect));
}

/// Adds the steps of one window: for each role its mandatory effects, then its options.
void add_window(AttackDraft& attack, load::Window window, bool attacker_first, Part part = Part::All) {
  if ((attack.windows >> static_cast<unsigned>(window) & 1u) == 0) return;
  for (const bool attacker : {attacker_first, !attacker_first}) {
    for (const bool may : {false, true}) {
      std::vector<int> together;
      for (const WindowEffect& of : attack.in_windows) {
        if (of.window != window || of.may != may || of.attacker != attacker || !is_of(attack, part, of)) continue;
        const int effect = of.effect;
        if (may || !interrupts(attack, effect)) {
          together.push_back(effect);
          continue;
        }
        if (!together.empty()) push_step(attack, may, attacker, std::exchange(together, {}));
        push_step(attack, may, attacker, {effect});
        add_answers(attack, effect, std::nullopt, attacker);
      }
      if (together.empty()) continue;
      push_step(attack, may, attacker, std::move(together));
      if (!may || attack.offers.empty()) continue;
      const std::size_t back = attack.plan.steps.size() - 1;
      const std::vector<int> options = attack.plan.steps[back].effects;
      for (const int effect : options) add_answers(attack, effect, static_cast<int>(back), attacker);
    }
  }
}

/// Adds a window that changes a value, which is at least 0 (002: Agility, Primary weapon) before dice are added.
void add_value_window(AttackDraft& attack, load::Window window, bool attacker_first) {
  const std::size_t before = attack.plan.steps.size();
  add_window(attack, window, attacker_first);
  if (attack.plan.steps.size() > before) attack.plan.steps.push_back({.kind = game::Step::Kind::Floor});
}

/// Whether an effect after the attack can damage a ship.
bool damages_afterwards(const AttackDraft& attack) {
  return std::any_of(attack.in_windows.begin(), attack.in_windows.end(), [&](const WindowEffect& effect) {
    const auto& operations = base::nth(attack.plan.effects, effect.effect).operations;
    return effect.window == load::Window::Aftermath &&
           (std::any_of(operations.begin(), operations.end(), deals_cards) || attack.offers.contains(effect.effect));
  });
}

/// Adds the window after the attack. Bonus attacks come last in it, also after what follows a token gained in it (000:
/// Attack, Aftermath; 003: timing chart, steps 8 and 9).
void add_aftermath(AttackDraft& attack) {
  add_window(attack, load::Window::Aftermath, false, Part::NoBonus);
  const bool bonus = std::any_of(attack.in_windows.begin(), attack.in_windows.end(), [&](const WindowEffect& of) {
    return of.window == load::Window::Aftermath && grants_bonus(attack, of.effect);
  });
  if (!bonus) return;
  add_window(attack, load::Window::Aftermath, false, Part::Reactions);
  add_window(attack, load::Window::Aftermath, false, Part::Bonus);
}

/// The order of an attack (000: Attack). In each modify step the other player's effects come first.
void add_attack_steps(AttackDraft& attack) {
  const load::Edition& edition = attack.draft.edition;
  const int agility = base::nth(attack.draft.ships, attack.plan.defender).agility;
  auto& steps = attack.plan.steps;
  using Kind = game::Step::Kind;
  add_window(attack, load::Window::Always,
             true);  // choice of payment for the weapon, see add_prices()
  add_window(attack, load::Window::Declare, true);
  steps.push_back(
      {.kind = Kind::StartAttackDice, .base = attack.weapon.attack, .min = edition.min_dice, .max = edition.max_dice});
  add_value_window(attack, load::Window::AttackValue, false);
  add_window(attack, load::Window::AttackPool, false);
  steps.push_back({.kind = Kind::RollAttack});
  add_window(attack, load::Window::AttackRolled, false);
  add_window(attack, load::Window::AttackMod, false);
  add_window(attack, load::Window::AttackSet, false);
  steps.push_back({.kind = Kind::StartDefenseDice, .base = agility, .min = edition.min_dice, .max = edition.max_dice});
  add_value_window(attack, load::Window::DefenseValue, true);
  add_window(attack, load::Window::DefensePool, true);
  steps.push_back({.kind = Kind::RollDefense});
  add_window(attack, load::Window::DefenseRolled, true);
  add_window(attack, load::Window::DefenseMod, true);
  add_window(attack, load::Window::BeforeNeutralize, true);
  steps.push_back({.kind = Kind::Neutralize});
  attack.plan.after_dice = static_cast<int>(steps.size());
  add_window(attack, load::Window::Neutralize, false);
  if (reads_hit(attack.plan)) steps.push_back({.kind = Kind::Outcome});
  add_window(attack, load::Window::Outcome, false);
  add_window(attack, load::Window::Damage, false);
  if (!attack.before_damage.empty()) push_step(attack, false, true, attack.before_damage);
  steps.push_back({.kind = Kind::Damage});
  add_window(attack, load::Window::Suffered, false);
  add_aftermath(attack);
  if (damages_afterwards(attack)) add_window(attack, load::Window::Suffered, false);
  add_window(attack, load::Window::AttackEnd, false);
}

/// Adds the options about damage cards that would be dealt faceup. Play can enter these steps from anywhere.
void add_card_windows(AttackDraft& attack) {
  for (std::size_t v = 0; v < attack.plan.deals.size(); ++v) {
    game::DealPlan& deal = attack.plan.deals[v];
    if (deal.kinds.empty()) continue;
    const int ship = attack.plan.victim(v);
    const bool attackers = attack.ship(ship).mine == attack.ship(attack.plan.attacker).mine;
    for (const CardPick& pick : attack.card_picks) {
      if (pick.ship != ship || pick.effects.empty()) continue;
      (pick.facedown ? deal.reveal : deal.pick) = static_cast<int>(attack.plan.steps.size());
      attack.plan.steps.push_back(
          {.kind = game::Step::Kind::Deal, .attacker_decides = pick.attackers, .effects = pick.effects});
    }
    if (deal.suffer >= 0) {
      deal.prevent = static_cast<int>(attack.plan.steps.size());
      attack.plan.steps.push_back(
          {.kind = game::Step::Kind::Deal, .attacker_decides = attackers, .effects = attack.of_due.at(ship)});
    }
    for (const load::Window window : {load::Window::CardDue, load::Window::CardSeen}) {
      const auto effects = attack.of_cards.find({window, ship});
      if (effects == attack.of_cards.end()) continue;
      (window == load::Window::CardDue ? deal.before : deal.seen) = static_cast<int>(attack.plan.steps.size());
      attack.plan.steps.push_back(
          {.kind = game::Step::Kind::Deal, .attacker_decides = attackers, .effects = effects->second});
    }
  }
}

}  // namespace

void add_steps(AttackDraft& attack) {
  for (const WindowEffect& effect : attack.in_windows) attack.windows |= 1u << static_cast<unsigned>(effect.window);
  constexpr std::size_t kUsual = 16;  // expected steps per attack
  attack.plan.steps.reserve(kUsual);
  add_card_windows(attack);
  if (attack.entry.engagement) {
    add_window(attack, *attack.entry.engagement, true);
    add_window(attack, load::Window::Suffered, true);
    add_window(attack, load::Window::AttackEnd, false);
  } else {
    add_attack_steps(attack);
  }
  if (!attack.at_end.empty()) push_step(attack, false, true, attack.at_end);
  attack.plan.steps.push_back({.kind = game::Step::Kind::End});
  find_read_later(attack.plan);
  find_earliest(attack.plan);
}

}  // namespace salvo::compile
