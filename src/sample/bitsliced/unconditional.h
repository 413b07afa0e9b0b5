// Unconditional attacks: one attack in which the players do the same whatever is rolled, as far as hits and crits go.
// In: a Setup. Out: the attack as logic, with fewer gates than a player needs who looks before each choice.
#pragma once

#include <optional>

#include "sample/bitsliced/logic.h"
#include "sample/reference/kernel.h"

namespace salvo::sample {

/// All dice are rolled; the attacker rerolls all blanks, and may be all focus results, then turns all focus results to
/// hits or none; the defender turns all focus results to evades or none, then one other die; after the dice cancelled
/// each other one result more goes while more than one is left. Players who keep a token because spending it would
/// change nothing are unconditional as well: nobody counts tokens here.
struct Unconditional {
  enum class Reroll : std::uint8_t { None, Blanks, BlanksAndFocuses };
  int attack_dice = 0, defense_dice = 0;
  Reroll reroll = Reroll::None;
  bool attack_focus = false, defense_focus = false, evade = false, reinforce = false;
};

inline constexpr int kMaxUnconditionalDice = 6;

/// The unconditional attack that gives the same hits and crits as the policy for all dice, if there is one.
std::optional<Unconditional> find_unconditional(const Setup& setup);

struct UnconditionalResults {
  Number hits, crits;
};

/// Plays it on logic.
UnconditionalResults play_unconditional(const Unconditional& unconditional, const AttackAddress& address, Logic& logic);

}  // namespace salvo::sample
