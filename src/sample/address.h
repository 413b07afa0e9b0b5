// Which random bits each die of a plan reads: the specification of the reproducible stream.
//
// Each trial has one bit in each plane; random_words.h defines how each generator produces them. Planes are assigned
// attack by attack. Within an attack, every slot of the attack dice, then of the defense dice, gets the bits of its
// first roll, highest first, and, where the attack can reroll such dice, all but the lowest bit of its reroll. Then
// come the bits of the dice that effects of the attack roll outside both pools, in rolling order. The lowest bits of
// rerolls come last, after all attacks: a rerolled die reads one only if the face of its first value depends on the
// lowest bit; otherwise that bit is still unread and is reused. A die whose number of sides is no power of two rejects
// values that are too large and draws from philox({s low, s high, plane, 2^31 + try}, seed), words in order, rejecting
// modulo bias. Dice that effects roll beyond their planes (address.cpp), numbered in the order in which trial s rolls
// them, draw from philox({s low, s high, number, 2^30 + try}, seed) in the same way. A damage card is drawn from
// philox({s low, s high, number, 2^29 + try}, seed), where `number` counts the draws of trial s; the value is a
// position among the remaining cards in the order of DealPlan::kinds.
#pragma once

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
  int slots = 0;   ///< upper bound of the dice rolled for this pool
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
