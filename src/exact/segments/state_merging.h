// Liveness analysis of a segment: merges positions that nothing in it distinguishes. In short (docs/exact.md has the
// argument for each):
// - dice lose the mark of a reroll once no remaining effect skips rerolled dice;
// - faces become one once no remaining effect distinguishes them: without a focus token, a focus result is a blank;
// - an effect that can never be paid again, or will never find its dice again, counts as used;
// - equivalent effects are used in listed order;
// - counts of damage cards are dropped once no more cards are dealt and nothing else reads the counts.
#pragma once

#include <array>
#include <cstdint>

#include "exact/segments/arena.h"
#include "game/plan.h"

namespace salvo::exact {

struct Segment;

class StateMerging {
 public:
  /// `next`: the segment after `segment`, or nullptr.
  StateMerging(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment, const Segment* next);

  /// Replaces the position by the representative of all that it is merged with.
  void merge(const game::Plan& plan, const game::AttackPlan& attack, game::Position& position) const;

  /// How `merge` treats a position in which no effect waits (Position::resume). Positions that differ only in how many
  /// dice show each face have the same rule if the same faces are present.
  struct Rule;
  Rule rule(const game::AttackPlan& attack, const game::Position& position) const;
  /// One pool of a position with that rule, merged.
  game::Pool merged(const Rule& rule, bool attack_dice, game::Pool pool) const;

  /// The option at `position` that corresponds to `option` of the merged position. Among dice that were merged it takes
  /// those that legal_options lists first; among equivalent effects, an unused one.
  game::Option unmerged(const game::AttackPlan& attack, const game::Position& position,
                        const game::Option& option) const;

 private:
  /// What a pool still distinguishes: a bit for each face that is not merged into the plain one, and kMarks.
  using Distinctions = std::uint8_t;
  static constexpr Distinctions kMarks = 1u << base::kMaxFaces;

  struct Dice {
    bool merges = false;       ///< later segments read only the results in the pool
    int plain = -1;            ///< the first face that is no result; others are merged into it
    Distinctions others = 0;   ///< the other faces that are not results
    std::uint64_t merged = 0;  ///< fields of the pool that must not all be 0 for anything to merge
  };

  /// A price that cannot be paid again once the resource is below `least`, since nothing gains it.
  struct Price {
    std::size_t word = 0;
    std::uint64_t mask = 0, least = 0;  ///< shifted to the resource's field
  };
  static constexpr std::size_t kPrices = 2;

  /// What an effect of the segment distinguishes while it is live.
  struct Consumer {
    std::array<Distinctions, 2> distinctions{};  ///< of defense dice, of attack dice
    std::uint32_t ruled_out = 0;  ///< bits of Position::used, each of which makes the effect unusable for good
    std::array<Price, kPrices> prices{};

    bool alive(const game::Position& position) const;
  };

  /// An effect limited to once per attack by a bit of Position::used that nothing else reads.
  struct Limit {
    int effect = -1;
    std::uint32_t used = 0;  ///< its bit
    std::array<Price, kPrices> prices{};
  };

  /// Effects that do the same in the same steps, each with a Limit.
  struct Equivalent {
    std::uint32_t used = 0;  ///< their bits
    List<Limit> effects;     ///< as listed in the steps
  };

  /// What an effect of the segment does to dice, as far as it matters for which faces others can still find.
  struct Producer {
    int last_step = 0;            ///< the last step that lists it
    std::uint32_t ruled_out = 0;  ///< as in Consumer
    std::array<Price, kPrices> prices{};
    std::array<Distinctions, 2> needs{};     ///< does nothing without a die of one of these faces; 0: needs no dice
    std::array<Distinctions, 2> makes{};     ///< faces that it can turn dice to or add
    std::array<Distinctions, 2> turns_to{};  ///< faces that it can turn dice on the table to
    std::array<bool, 2> removes{};           ///< whether it removes dice
    int all_face = -1;                       ///< it requires all dice of a pool to show this face; -1: it does not
    bool all_attack = false;                 ///< the pool is that of attack dice
    std::uint32_t used = 0;                  ///< the bit of its Limit, if it has one
  };

  /// An effect of the attack that rerolls dice, and skips those that were rerolled before.
  struct Reroller {
    int step = 0;
    bool attack_dice = false;
    std::uint32_t used = 0;
    std::array<Price, kPrices> prices{};
  };

  static std::array<Price, kPrices> prices_of(const game::Plan& plan, const game::Effect& effect,
                                              const game::Resources& gained);
  static bool payable(const std::array<Price, kPrices>& prices, const game::Position& position);
  void add_limits(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment, std::uint32_t lasting,
                  const game::Resources& gained);
  void add_rerollers(const game::Plan& plan, const game::AttackPlan& attack);
  void add_producers(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment,
                     std::uint32_t lasting, const game::Resources& gained);
  std::uint32_t without_dice(const game::AttackPlan& attack, const game::Position& position) const;
  void canonicalize_used(const game::AttackPlan& attack, game::Position& position) const;
  bool deals_no_more(const game::AttackPlan& attack, const game::Position& position) const;
  bool marks_matter(const game::AttackPlan& attack, const game::Position& position, bool attack_dice) const;
  static Dice plain_dice(const game::Die& die, Distinctions results);
  void add_consumer(const game::Plan& plan, const game::Step& step, const game::Effect& effect, std::uint32_t lasting,
                    const game::Resources& gained);
  Distinctions distinctions_of(const game::Step& step, const game::Effect& effect, bool attack_dice) const;
  std::array<Distinctions, 2> distinctions(const game::Position& position) const;
  static game::Pool merged(game::Pool pool, const Dice& dice, Distinctions distinctions);

  std::array<Dice, 2> dice_;  ///< defense dice, attack dice
  int begin_ = 0;
  List<Consumer> consumers_;
  List<Limit> limits_;
  List<Producer> producers_;
  int settled_from_ = 0;          ///< from this step on only effects change dice
  int dealt_before_ = 0;          ///< from this step on no damage card is dealt
  game::Resources counted_;       ///< Segment::counted
  List<Equivalent> equivalents_;  ///< two or more each
  List<Reroller> rerollers_;
  List<std::size_t> first_;  ///< by step of the segment: the first consumer that can still follow
};

struct StateMerging::Rule {
  struct PoolRule {
    bool unmarks = false;  ///< drops the marks of rerolls
    bool merges = false;   ///< merges the faces and drops the marks that `distinctions` lacks
    Distinctions distinctions = 0;
    bool operator==(const PoolRule&) const = default;
  };
  std::uint32_t used = 0;           ///< Position::used afterwards
  game::Resources forgotten;        ///< mask
  std::array<PoolRule, 2> pools{};  ///< defense dice, attack dice
};

}  // namespace salvo::exact
