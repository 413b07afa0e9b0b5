// Segments: an attack cut where what one part does cannot be read by the next, so that each part is a small graph over
// what it touches, solved at once for everything that only passes through (its contexts).
// In: a Plan. Out: the cuts of each attack.
#pragma once

#include <vector>

#include "rules/plan.h"

namespace salvo::exact {

/// The steps from `begin` up to `end` of an attack.
struct Segment {
  int begin = 0, end = 0;
  bool last = false;              ///< of its attack
  bool reads_attack_dice = true;  ///< the pool of attack dice is part of its positions; false: it passes through
  bool results_only = false;      ///< when it begins, hits and critical hits are all that is still read of attack dice
  bool has_defense_dice = false;  ///< they are rolled in it or before it
  bool neutralizes = false;       ///< its first step compares the dice
  Resources active;               ///< mask: resources that it can read or change
  Resources readable;             ///< mask: resources that it or something later can read

  /// What of a position it can read or change, and what passes through.
  Position active_part(const Position& position) const;
  Position passive_part(const Position& position) const;
};

/// A position from its two parts.
Position joined(const Position& active, const Position& passive);

/// The segments of attack `attack`; a single one where no cut is safe.
std::vector<Segment> cut(const Plan& plan, std::size_t attack);

/// Whether what happens in the segments is the same, number by number, so that they can share a graph. Each comes with
/// the one after it, or nullptr.
bool same_play(const Plan& plan, const AttackPlan& attack, const Segment& segment, const Segment* next,
               const AttackPlan& other, const Segment& other_segment, const Segment* other_next);

/// Whether two effects do the same under the same conditions, their limits to once per attack aside.
bool same_but_limit(const Effect& a, const Effect& b);

/// Drops the dice that nothing can read any more when `segment` begins.
void forget_dice(const Plan& plan, const Segment& segment, Position& position);

}  // namespace salvo::exact
