#include "load/verb_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "data/message.h"

namespace salvo::load {

namespace {

constexpr std::array kPlayed{
    Window::Always,      Window::EngagementStart, Window::Engage,       Window::Declare,          Window::AttackValue,
    Window::AttackPool,  Window::AttackRolled,    Window::AttackMod,    Window::AttackSet,        Window::DefenseValue,
    Window::DefensePool, Window::DefenseRolled,   Window::DefenseMod,   Window::BeforeNeutralize, Window::Neutralize,
    Window::Outcome,     Window::Damage,          Window::DamageDue,    Window::Suffered,         Window::Aftermath,
    Window::AttackEnd,   Window::Dealt,           Window::CritSuffered, Window::Opportunity,      Window::RoundEnd};

bool between(Window at, Window first, Window last) { return at >= first && at <= last; }

bool is_dice_verb(Verb verb) {
  return verb == Verb::Change || verb == Verb::Reroll || verb == Verb::Add || verb == Verb::Cancel ||
         verb == Verb::Spend;
}

/// Whether the verb can do something in the window; for verbs about dice, to attack or defense dice.
bool can_act(Verb verb, bool attack_dice, Window at) {
  if (verb == Verb::Neutralize || verb == Verb::Stat) return true;  // allowed everywhere
  if (verb == Verb::Treat || verb == Verb::Deal) return true;       // effects.cpp checks these
  if (verb == Verb::Forbid || verb == Verb::Waive || verb == Verb::Convert || verb == Verb::Lend ||
      verb == Verb::Reach || verb == Verb::Pick)
    return at == Window::Always;
  if (verb == Verb::Prevent) return at == Window::DamageDue;
  if (verb == Verb::Bonus) return at == Window::Aftermath || at == Window::AttackEnd || at == Window::EngagementStart;
  if (verb == Verb::Pool && attack_dice) return at == Window::AttackValue || at == Window::AttackPool;
  if (verb == Verb::Pool) return at == Window::DefenseValue || at == Window::DefensePool;
  // Dice exist from their roll until they are compared, and uncancelled attack dice until damage is dealt.
  if (is_dice_verb(verb) && attack_dice) return between(at, Window::AttackRolled, Window::Damage);
  if (is_dice_verb(verb)) return between(at, Window::DefenseRolled, Window::BeforeNeutralize);
  return at != Window::Always;
}

/// Whether the operation needs faces that no longer exist after the dice were compared, when only hits and critical
/// hits are left.
bool needs_lost_faces(const OperationSpec& operation, bool attack_dice, Window at) {
  if (!is_dice_verb(operation.verb) || !attack_dice || at < Window::Neutralize || operation.from.empty()) return false;
  return std::none_of(operation.from.begin(), operation.from.end(),
                      [](const std::string& face) { return face == "hit" || face == "crit" || face == "any"; });
}

/// Whether the operation can do something in one of the roles of the effect.
bool can_act(const OperationSpec& operation, const EffectSpec& effect, Window at) {
  for (const bool attacks : {true, false}) {
    if (effect.side == (attacks ? "defender" : "attacker")) continue;
    const Window window = at != Window::OwnMod ? at : attacks ? Window::AttackMod : Window::DefenseMod;
    const bool attack_dice = operation.dice == "own" ? attacks : operation.dice == "attack";
    if (can_act(operation.verb, attack_dice, window) && !needs_lost_faces(operation, attack_dice, window)) return true;
  }
  return false;
}

/// A change of 0 dice. Options use it if later effects only depend on whether they were used.
bool only_records_use(const OperationSpec& operation) {
  return operation.verb == Verb::Pool && operation.amount == "0";
}

}  // namespace

void check_window(const data::Node& node, std::string_view verb, const OperationSpec& operation,
                  const EffectSpec& effect) {
  if (only_records_use(operation) || can_act(operation, effect, effect.at)) return;
  if (operation.token == "condition") return;  // effects.cpp checks it
  const bool lends = std::any_of(effect.operations.begin(), effect.operations.end(),
                                 [](const OperationSpec& other) { return other.verb == Verb::Lend; });
  if (lends && (operation.verb == Verb::Gain || operation.verb == Verb::Lose))
    return;  // allowed whenever a token is lent
  std::vector<std::string> windows;
  for (const Window at : kPlayed) {
    if (can_act(operation, effect, at)) windows.emplace_back(window_name(at));
  }
  const std::string dice = operation.dice.empty() ? "" : fmt::format(" with dice = \"{}\"", operation.dice);
  node.fail(fmt::format("the verb {}{} can do nothing at {}; it belongs to {}", verb, dice, window_name(effect.at),
                        base::listed(windows, kPlayed.size())));
}

}  // namespace salvo::load
