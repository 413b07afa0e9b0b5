// Segments: an attack cut where what one part does cannot be read by the next, so that each part is a small graph over
// what it touches, solved at once for everything that only passes through (its contexts).
// In: a Plan. Out: the cuts of each attack.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "game/plan.h"

namespace salvo::exact {

/// The steps from `begin` up to `end` of an attack.
struct Segment {
  int begin = 0, end = 0;
  bool last = false;              ///< of its attack
  bool reads_attack_dice = true;  ///< the pool of attack dice is part of its positions; false: it passes through
  bool results_only = false;      ///< when it begins, hits and critical hits are all that is still read of attack dice
  bool has_defense_dice = false;  ///< they are rolled in it or before it
  bool neutralizes = false;       ///< its first step compares the dice
  bool deals = false;             ///< damage cards can be dealt in it
  game::Resources active;         ///< mask: resources that it can read or change
  game::Resources readable;       ///< mask: resources that it or something later can read
  game::Resources counted;  ///< mask: counts of damage cards that nothing asks for but the cards that are dealt in it

  /// What of a position it can read or change, and what passes through.
  game::Position active_part(const game::Position& position) const;
  game::Position passive_part(const game::Position& position) const;
};

/// What of a is not in the mask b.
game::Resources without(const game::Resources& a, const game::Resources& b);

/// A position from its two parts.
game::Position joined(const game::Position& active, const game::Position& passive);

/// The segments of attack `attack`; a single one where no cut is safe.
/// `read_after`: mask: resources that are still read when all attacks are over.
std::vector<Segment> cut(const game::Plan& plan, std::size_t attack, const game::Resources& read_after = {});

/// Whether an effect damages a ship, or turns or deals damage cards.
bool turns_cards(const game::Effect& effect);

/// Effects that are in no step: those of damage cards that are dealt, and those after a critical damage.
std::vector<int> dealt_effects(const game::AttackPlan& attack);

/// Whether attacks can be cut: nobody plays by rules, nobody is asked about a damage card, and damage cards touch no
/// dice on the table.
bool has_segments(const game::Plan& plan);

/// A segment, the attack that it is part of, and the segment after it, or nullptr.
struct SegmentRef {
  const game::AttackPlan& attack;
  const Segment& segment;
  const Segment* next = nullptr;
};

/// Segment i of an attack.
SegmentRef segment_ref(const game::AttackPlan& attack, const std::vector<Segment>& segments, std::size_t i);

/// Whether what happens in the segments is the same, number by number, so that they can share a graph.
bool same_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b);

/// Resources of one segment in segment_ref of those that play the same part in another.
class Relabeling {
 public:
  game::Resources operator()(const game::Resources& resources) const;
  game::Position operator()(const game::Position& position) const;
  /// The other way round; only what `mask` holds.
  game::Resources back(const game::Resources& resources, const game::Resources& mask) const;
  bool relabels() const;  ///< a resource is called otherwise
  /// The name of a resource, which is its own where there is no other.
  const game::Resource& relabeled(const game::Resource& r) const;

 private:
  friend std::optional<Relabeling> isomorphic_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b);
  friend std::optional<Relabeling> isomorphic_attack(const game::Plan& plan, std::size_t a,
                                                     const std::vector<Segment>& of_a, std::size_t b,
                                                     const std::vector<Segment>& of_b,
                                                     const game::Resources& read_after);
  /// Takes up a pair; false when it contradicts another.
  bool add(const game::Resource& from, const game::Resource& to);
  std::vector<std::pair<game::Resource, game::Resource>> pairs_;  ///< from, to
};

/// The same, but for the names of resources and who attacks: wings of fighters attack alike, each with tokens of its
/// own. Gives what turns active parts of positions of `b` into those of `a`; nothing when they differ in more than
/// names.
std::optional<Relabeling> isomorphic_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b);

/// The same of all segments of attacks a and b, and of what is left for the attacks after them: gives what turns states
/// of `b`, a later attack of another ship, into those of `a`. Of the keys for ties nothing is said. `read_after`: as in
/// cut.
std::optional<Relabeling> isomorphic_attack(const game::Plan& plan, std::size_t a, const std::vector<Segment>& of_a,
                                            std::size_t b, const std::vector<Segment>& of_b,
                                            const game::Resources& read_after);

/// Whether two effects do the same under the same conditions, their limits to once per attack aside.
bool same_but_limit(const game::Effect& a, const game::Effect& b);

/// Drops the dice that nothing can read any more when `segment` begins.
void forget_dice(const game::Plan& plan, const Segment& segment, game::Position& position);

}  // namespace salvo::exact
