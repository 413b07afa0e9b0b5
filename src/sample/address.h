// address: which random bits each die of a plan reads. This is the specification of the reproducible stream.
//
// Each trial has one bit in each plane; where a generator has it is in random_words.h. Planes are given out attack
// by attack; in each, for every slot of the attack dice and then of the defense dice: the bits of its first roll,
// highest first, and, where the attack can reroll such dice, all but the lowest bit of its reroll; then the bits of the
// dice that effects of the attack roll outside both pools, in the order in which they are rolled. The lowest bits of
// rerolls come last, after all attacks: a rerolled die reads one only if its first value's face depends on the lowest
// bit; otherwise that bit is still unread and is used again. A die whose number of sides is no power of two rejects
// values that are too large and draws from philox({s low, s high, plane, 2^31 + try}, seed), words in order, modulo
// bias rejected. Dice that effects roll beyond their places (address.cpp), numbered in the order in which trial s
// rolls them, draw from philox({s low, s high, number, 2^30 + try}, seed) in the same way. Damage cards, numbered in
// the order in which trial s draws them, draw from philox({s low, s high, number, 2^29 + try}, seed) a place among
// the cards that are left, in the order of DealPlan::kinds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game/plan.h"

namespace salvo::sample {

/// How the values of a die's bits map to faces.
struct DieCode {
  int bits = 0;  ///< bits of one roll
  int sides = 0;
  std::vector<std::uint8_t> face;  ///< by value below `sides`
  /// True when the faces of value and value^1 differ, so that the lowest bit of the value was read.
  std::vector<bool> low_bit_read;  ///< by value below 2^bits
};

/// Blanks and focuses take pairs of values from 0 up, then single values in the same order; hits or evades take the
/// rest. Eight-sided attack die: blank 0-1, focus 2-3, crit 4, hit 5-7; defense die: blank 0-1 and 4, focus 2-3, evade
/// 5-7.
DieCode encode(const game::Die& die);

/// Planes of one pool of one attack.
struct PoolAddress {
  int slots = 0;   ///< most dice that this pool can hold by rolling
  int first = 0;   ///< plane of the first bit of slot 0
  int stride = 0;  ///< planes per slot
  int low = -1;    ///< plane of the lowest reroll bit of slot 0, one per slot; -1: no rerolls
};

struct AttackAddress {
  PoolAddress attack, defense;
  PoolAddress side;  ///< of dice rolled outside both pools
};

/// The addresses of a plan.
struct Addresses {
  std::vector<AttackAddress> attacks;
  int planes = 0;
  int main_planes = 0;  ///< planes before the lowest bits of rerolls
};

Addresses assign_addresses(const game::Plan& plan, const DieCode& attack_code, const DieCode& defense_code);

}  // namespace salvo::sample
