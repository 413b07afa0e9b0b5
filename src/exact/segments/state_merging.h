// StateMerging: positions of a segment that nothing in it can tell apart become one. Dice lose the mark of a reroll
// when no reroll is left that passes over rerolled dice, and faces become one when nothing left treats them
// differently: without a focus token a focus result is as good as a blank. An effect that can never be paid again is as
// good as used, and so is one that will find no dice; of effects that do the same it does not matter which is used.
// Counts of damage cards go once no more are dealt, if nothing else asks for them. In: a position, and what the effects
// of the segment read. Out: the position that stands for all like it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exact/segments/arena.h"
#include "game/plan.h"

namespace salvo::exact {

struct Segment;

class StateMerging {
 public:
  /// `next`: the segment after it, or nullptr.
  StateMerging(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment, const Segment* next);

  void merge(const game::Plan& plan, const game::AttackPlan& attack, game::Position& position) const;

  /// How `merge` treats a position, unless an effect waits in it (Position::resume): the same for all that differ in
  /// their numbers of dice alone, if each face is there in all of them or in none.
  struct Rule;
  Rule rule(const game::AttackPlan& attack, const game::Position& position) const;
  /// A pool of such a position, merged.
  game::Pool merged(const Rule& rule, bool attack_dice, game::Pool pool) const;

  /// The option at `position` that does what `option` does in the merged one: of dice that became equivalent it takes
  /// those that legal_options names first, of effects that do the same the one that is not used.
  game::Option unmerged(const game::AttackPlan& attack, const game::Position& position,
                        const game::Option& option) const;

 private:
  /// What is still told apart of a pool: a bit for each face that is not merged into the plain one, and kMarks.
  using Distinctions = std::uint8_t;
  static constexpr Distinctions kMarks = 1u << base::kMaxFaces;

  struct Dice {
    bool merges = false;       ///< no later segment reads more of the pool than its results
    int plain = -1;            ///< the first face that is no result, into which others are merged
    Distinctions others = 0;   ///< the other faces that are no results
    std::uint64_t merged = 0;  ///< counts in the pool without which there is nothing to merge
  };

  /// The consumer is ruled out while a resource is below `least`, since nothing gains it.
  struct Price {
    std::size_t word = 0;
    std::uint64_t mask = 0, least = 0;  ///< of its field, in place
  };
  static constexpr std::size_t kPrices = 2;

  /// What an effect of the segment tells apart while it can still be used.
  struct Consumer {
    std::array<Distinctions, 2> distinctions{};  ///< of defense dice, of attack dice
    std::uint32_t ruled_out = 0;                 ///< bits of Position::used of which each alone does so for good
    std::array<Price, kPrices> prices{};

    bool alive(const game::Position& position) const;
  };

  /// An effect that is limited to once per attack, by a bit of Position::used that nothing else reads.
  struct Limit {
    int effect = -1;
    std::uint32_t used = 0;  ///< its bit
    std::array<Price, kPrices> prices{};
  };

  /// Effects that do the same in the same steps, each limited to once per attack.
  struct Equivalent {
    std::uint32_t used = 0;  ///< their bits
    List<Limit> effects;     ///< in the order in which they are listed
  };

  /// What an effect of the segment does to dice, as far as it matters for what the others can still find.
  struct Producer {
    int last_step = 0;            ///< in which it is listed
    std::uint32_t ruled_out = 0;  ///< as in Consumer
    std::array<Price, kPrices> prices{};
    std::array<Distinctions, 2> needs{};     ///< faces without which it can do nothing; none: it needs no dice
    std::array<Distinctions, 2> makes{};     ///< faces that dice can get, or that are added
    std::array<Distinctions, 2> turns_to{};  ///< faces that dice on the table can get
    std::array<bool, 2> removes{};           ///< dice
    int all_face = -1;                       ///< it can be used only while all dice of a pool have this face
    bool all_attack = false;                 ///< that pool
    std::uint32_t used = 0;                  ///< bit of its limit, if nothing else reads that
  };

  /// An effect of this segment or a later one that passes over rerolled dice.
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
  int settled_from_ = 0;          ///< from this step on dice come and go by effects alone
  int dealt_before_ = 0;          ///< from this step on no damage card is dealt
  game::Resources counted_;       ///< Segment::counted
  List<Equivalent> equivalents_;  ///< two or more each
  List<Reroller> rerollers_;
  List<std::size_t> first_;  ///< by step of the segment: the first consumer that can still follow
};

struct StateMerging::Rule {
  struct PoolRule {
    bool unmarks = false;  ///< marks of rerolls go
    bool merges = false;   ///< faces and marks that are not distinctions go
    Distinctions distinctions = 0;
    bool operator==(const PoolRule&) const = default;
  };
  std::uint32_t used = 0;           ///< Position::used afterwards
  game::Resources forgotten;        ///< mask
  std::array<PoolRule, 2> pools{};  ///< defense dice, attack dice
};

}  // namespace salvo::exact
