// Links the ends of a segment to what follows it: the next segment, or the states after the attack.
#pragma once

#include <functional>
#include <utility>

#include "exact/segments/segment_game.h"

namespace salvo::exact {

inline constexpr std::pair<int, int> kNeverBegins{-1, -1};

/// The positions in which a segment begins, in two parts that are numbered separately.
struct Entrances {
  Positions starts;                  ///< active parts
  Positions contexts;                ///< passive parts
  List<std::pair<int, int>> states;  ///< by state: start and context, or kNeverBegins

  std::pair<int, int> add(const Segment& segment, const game::Position& position) {
    return {starts.number(segment.active_part(position)), contexts.number(segment.passive_part(position))};
  }
};

/// Sets table.next of the last segment of an attack. `state_after`: the state after the attack by the resources at its
/// end.
void link_to_states(SegmentTable& table, const std::function<int(const game::Resources&)>& state_after);

/// Sets table.next of a segment that `next` follows. Returns where `next` begins.
Entrances link_to_segment(const game::Plan& plan, const Segment& next, SegmentTable& table);

}  // namespace salvo::exact
