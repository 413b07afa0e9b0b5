// Cuts an attack into segments at steps that no effect jumps over. Each segment is a small graph over the part of a
// position that it can read or change, solved once for all values of the rest (its contexts).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "game/plan.h"

namespace salvo::exact {

/// The steps from `begin` up to `end` of an attack. Resources are masks.
struct Segment {
  int begin = 0, end = 0;
  bool last = false;              ///< of its attack
  bool reads_attack_dice = true;  ///< attack dice belong to its positions; false: they belong to its contexts
  bool results_only = false;      ///< at its beginning only the hits and crits of the attack dice are still read
  bool has_defense_dice = false;  ///< defense dice are rolled in it or before it
  bool neutralizes = false;       ///< its first step compares the dice
  bool deals = false;             ///< damage cards can be dealt in it
  game::Resources active;         ///< that it can read or change
  game::Resources readable;       ///< that it or something later can read
  game::Resources counted;        ///< counts of damage cards that only the dealing of cards in it reads

  /// The part of a position that the segment can read or change.
  game::Position active_part(const game::Position& position) const;
  /// The part of a position that passes through the segment unchanged and is read later.
  game::Position passive_part(const game::Position& position) const;
};

inline constexpr game::Resources kAllResources{{~std::uint64_t{0}, ~std::uint64_t{0}}};

/// The bits of a that are not in b.
game::Resources difference(const game::Resources& a, const game::Resources& b);
/// The bits of a or b.
game::Resources union_of(const game::Resources& a, const game::Resources& b);

/// A position from its active and its passive part.
game::Position joined(const game::Position& active, const game::Position& passive);

/// The segments of an attack; a single one where no cut is safe. `read_after`: mask of the resources that are read when
/// all attacks are over.
std::vector<Segment> split_into_segments(const game::Plan& plan, std::size_t attack,
                                         const game::Resources& read_after = {});

/// Whether an effect damages a ship, or turns or deals damage cards.
bool turns_cards(const game::Effect& effect);

/// Effects that no step lists: those of damage cards that are dealt, and those that follow critical damage.
std::vector<int> dealt_effects(const game::AttackPlan& attack);

/// Whether attacks of the plan can be cut: no role plays by rules, no player has a choice about a damage card before it
/// is dealt, and damage cards do not touch dice on the table.
bool has_segments(const game::Plan& plan);

/// A segment with its attack and the segment after it (or nullptr).
struct SegmentRef {
  const game::AttackPlan& attack;
  const Segment& segment;
  const Segment* next = nullptr;
};

/// Segment i of an attack.
SegmentRef segment_ref(const game::AttackPlan& attack, const std::vector<Segment>& segments, std::size_t i);

/// Whether the two segments do the same to the same resources, so that they can share a graph.
bool same_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b);

/// An isomorphism between two attacks: maps resources of one to those with the same role in the other.
class Relabeling {
 public:
  game::Resources operator()(const game::Resources& resources) const;
  game::Position operator()(const game::Position& position) const;
  /// The inverse, for the resources in `mask`.
  game::Resources back(const game::Resources& resources, const game::Resources& mask) const;
  bool relabels() const;  ///< whether it is not the identity
  /// The image of a resource; the resource itself if it is not mapped.
  const game::Resource& relabeled(const game::Resource& r) const;

 private:
  friend std::optional<Relabeling> isomorphic_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b);
  friend std::optional<Relabeling> isomorphic_attack(const game::Plan& plan, std::size_t a,
                                                     const std::vector<Segment>& of_a, std::size_t b,
                                                     const std::vector<Segment>& of_b,
                                                     const game::Resources& read_after);
  /// Adds a pair; false if it contradicts another.
  bool add(const game::Resource& from, const game::Resource& to);
  std::vector<std::pair<game::Resource, game::Resource>> pairs_;  ///< from, to
};

/// Like same_play, except that attackers and labels of resources may differ: fighters of a wing attack alike, each with
/// its own tokens. Returns the map from active parts of positions of `b` to those of `a`; nothing if more differs.
std::optional<Relabeling> isomorphic_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b);

/// The same for all segments of attacks a and b, and for the resources that later attacks read. `b` is a later attack
/// by another ship. Returns the map from states of `b` to those of `a`. Does not compare tie keys. `read_after`: see
/// split_into_segments().
std::optional<Relabeling> isomorphic_attack(const game::Plan& plan, std::size_t a, const std::vector<Segment>& of_a,
                                            std::size_t b, const std::vector<Segment>& of_b,
                                            const game::Resources& read_after);

/// Whether two effects do the same under the same conditions, apart from their limits to once per attack.
bool same_but_limit(const game::Effect& a, const game::Effect& b);

/// Clears the dice that nothing reads from the beginning of `segment` on.
void forget_dice(const game::Plan& plan, const Segment& segment, game::Position& position);

}  // namespace salvo::exact
