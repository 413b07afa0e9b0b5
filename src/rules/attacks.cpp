// Attacks of a scenario: the steps in which effects apply, in order, and what follows from the initiatives.
#include <fmt/format.h>

#include <algorithm>

#include "rules/attack_draft.h"

namespace salvo::rules {
namespace {

/// Steps of one window: mandatory effects first, then each role's options, the first role first.
void add_window(AttackDraft& attack, Window window, bool attacker_first) {
  for (const bool attacker : {attacker_first, !attacker_first}) {
    for (const bool may : {false, true}) {
      const auto at = attack.by_window.find({window, may});
      if (at == attack.by_window.end() || at->second[attacker].empty()) continue;
      attack.plan.steps.push_back({.kind = may ? Step::Kind::Window : Step::Kind::Apply,
                                   .attacker_decides = attacker,
                                   .effects = at->second[attacker]});
    }
  }
}

bool reads_hit(const AttackPlan& attack) {
  const auto in = [](const Expression& expression) {
    return std::any_of(expression.begin(), expression.end(),
                       [](const ExpressionOp& op) { return op.code == ExpressionOp::Code::Hit; });
  };
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const Effect& effect) {
    return in(effect.when) || in(effect.times) ||
           std::any_of(effect.operations.begin(), effect.operations.end(),
                       [&](const Operation& operation) { return in(operation.amount); });
  });
}

/// The order of an attack (000: Attack). In each modify step the other player's effects come first.
void add_steps(AttackDraft& attack) {
  const Edition& edition = attack.draft.edition;
  const int agility = attack.draft.ships[static_cast<std::size_t>(attack.plan.defender)].agility;
  auto& steps = attack.plan.steps;
  using Kind = Step::Kind;
  add_window(attack, Window::Declare, true);
  steps.push_back(
      {.kind = Kind::StartAttackDice, .base = attack.weapon.attack, .min = edition.min_dice, .max = edition.max_dice});
  add_window(attack, Window::AttackPool, false);
  steps.push_back({.kind = Kind::RollAttack});
  add_window(attack, Window::AttackRolled, false);
  add_window(attack, Window::AttackMod, false);
  add_window(attack, Window::AttackSet, false);
  steps.push_back({.kind = Kind::StartDefenseDice, .base = agility, .min = edition.min_dice, .max = edition.max_dice});
  add_window(attack, Window::DefensePool, true);
  steps.push_back({.kind = Kind::RollDefense});
  add_window(attack, Window::DefenseRolled, true);
  add_window(attack, Window::DefenseMod, true);
  add_window(attack, Window::BeforeNeutralize, true);
  steps.push_back({.kind = Kind::Neutralize});
  add_window(attack, Window::Neutralize, true);
  if (reads_hit(attack.plan)) steps.push_back({.kind = Kind::Outcome});
  add_window(attack, Window::Outcome, false);
  add_window(attack, Window::Damage, false);
  steps.push_back({.kind = Kind::Damage});
  add_window(attack, Window::Aftermath, false);
  steps.push_back({.kind = Kind::End});
}

void mark_dynamic(Draft& draft, const AttackPlan& attack) {
  auto& resources = draft.out.plan.resources;
  const auto mark = [&](int index) { resources[static_cast<std::size_t>(index)].dynamic = true; };
  for (const Cost& cost : attack.cost) mark(cost.resource);
  for (const Effect& effect : attack.effects) {
    for (const Cost& cost : effect.cost) mark(cost.resource);
    for (const Operation& operation : effect.operations) {
      if (operation.resource >= 0) mark(operation.resource);
    }
  }
}

AttackPlan compile_attack(Draft& draft, std::size_t index) {
  const ScenarioAttack& given = draft.scenario.attacks[index];
  AttackDraft attack{.draft = draft,
                     .given = given,
                     .path = fmt::format("attacks[{}]", index),
                     .plan = {},
                     .weapon = {},
                     .forbidden = {},
                     .by_window = {}};
  attack.plan.attacker = draft.ship_index(given.by, attack.path + ".by");
  attack.plan.defender = draft.ship_index(given.on, attack.path + ".on");
  check_attack(attack);
  check_facts(attack);
  choose_weapon(attack);
  Owner weapon_card{.attacks = true};
  if (!attack.primary) {
    const auto& cards = draft.ships[static_cast<std::size_t>(attack.plan.attacker)].cards;
    const auto at = std::find_if(cards.begin(), cards.end(),
                                 [&](const CardSpec* card) { return card->id == given.weapon && card->weapon; });
    weapon_card.card_number = static_cast<int>(at - cards.begin());
  }
  require_tokens(attack);
  if (!compile_costs(attack, attack.weapon.cost, weapon_card, attack.plan.cost)) {
    throw ScenarioError(attack.path + ".weapon",
                        fmt::format("'{}' cannot pay the cost of '{}'", given.by, given.weapon));
  }
  add_effects(attack);
  note_facts(attack);
  add_steps(attack);
  mark_dynamic(draft, attack.plan);
  draft.out.labels.attacks.emplace_back(attack.plan.attacker, attack.plan.defender);
  draft.out.labels.weapons.push_back(attack.primary &&
                                             draft.ships[static_cast<std::size_t>(attack.plan.attacker)].ship != nullptr
                                         ? fmt::format("{} ({})", "primary", attack.weapon.arc)
                                         : given.weapon);
  draft.out.labels.ranges.push_back(given.range);
  return attack.plan;
}

void check_initiatives(const Scenario& scenario) {
  const auto& attacks = scenario.attacks;
  for (std::size_t i = 1; i < attacks.size(); ++i) {
    const std::string path = fmt::format("attacks[{}].initiative", i);
    if (attacks[i].initiative.has_value() != attacks[0].initiative.has_value()) {
      throw ScenarioError(path, "either all attacks have an initiative or none; add or remove it");
    }
    if (attacks[i].initiative > attacks[i - 1].initiative) {
      throw ScenarioError(
          path,
          fmt::format("initiative {} follows {}; ships engage from the highest initiative down, so reorder the attacks",
                      *attacks[i].initiative, *attacks[i - 1].initiative));
    }
  }
}

/// Ships that leave play after attack i if they are destroyed (contract: Destruction).
std::vector<int> removed_after(const Draft& draft, std::size_t i) {
  const auto& attacks = draft.scenario.attacks;
  const bool step_ends =
      i + 1 == attacks.size() || !attacks[i].initiative || attacks[i + 1].initiative != attacks[i].initiative;
  std::vector<int> out;
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    bool stays = !step_ends;
    if (stays && draft.edition.destroyed_stays == DestroyedStays::OwnAttack) {
      // 002: Simultaneous attack rule: it stays only until it has made its own attack of this pilot skill.
      bool attacked = false;
      bool will_attack = false;
      for (std::size_t k = 0; k < attacks.size(); ++k) {
        if (attacks[k].initiative != attacks[i].initiative || attacks[k].by != draft.ships[s].name) continue;
        (k <= i ? attacked : will_attack) = true;
      }
      stays = will_attack && !attacked;
    }
    if (!stays) out.push_back(static_cast<int>(s));
  }
  return out;
}

}  // namespace

void compile_attacks(Draft& draft) {
  check_initiatives(draft.scenario);
  for (std::size_t i = 0; i < draft.scenario.attacks.size(); ++i) {
    AttackPlan attack = compile_attack(draft, i);
    attack.removed_after = removed_after(draft, i);
    draft.out.plan.attacks.push_back(std::move(attack));
  }
}

void find_readable(Plan& plan) {
  Resources later;
  for (auto attack = plan.attacks.rbegin(); attack != plan.attacks.rend(); ++attack) {
    Resources reads;
    const auto read = [&](int index) {
      const Resource& r = plan.resources[static_cast<std::size_t>(index)];
      if (r.dynamic) reads.words[static_cast<std::size_t>(r.word)] |= r.mask << r.shift;
    };
    const auto read_expression = [&](const Expression& expression) {
      for (const ExpressionOp& op : expression) {
        if (op.code == ExpressionOp::Code::Resource) read(op.value);
      }
    };
    for (const Cost& cost : attack->cost) read(cost.resource);
    for (const Cost& cost : attack->required) read(cost.resource);
    for (const Effect& effect : attack->effects) {
      read_expression(effect.when);
      read_expression(effect.times);
      for (const Cost& cost : effect.cost) read(cost.resource);
      for (const Operation& operation : effect.operations) {
        if (operation.resource >= 0) read(operation.resource);
        read_expression(operation.amount);
      }
    }
    for (const int ship : {attack->attacker, attack->defender}) {
      const int health = plan.ships[static_cast<std::size_t>(ship)].health;
      if (health >= 0) read(health);
    }
    attack->reads = reads;
    for (std::size_t w = 0; w < 2; ++w) later.words[w] |= reads.words[w];
    attack->readable = later;
  }
}

}  // namespace salvo::rules
