// Plan: a scenario compiled for the engines: flat, immutable, without names. And Position: a point of its play.
// In: rules/compile. Out: what both engines play; what a Policy decides about.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "salvo/errors.h"

namespace salvo::game {

inline constexpr int kCountBits = 5;  ///< bits per count in a packed pool
static_assert(base::kMaxPool < 1 << kCountBits);

/// A die as the engines need it: sides per face and the faces the rules name (-1 where the die has none).
struct Die {
  int faces = 0;
  int sides = 0;
  std::array<int, base::kMaxFaces> sides_of_face{};
  int hit = -1, crit = -1, focus = -1, evade = -1, blank = -1;
  bool operator==(const Die&) const = default;
};

/// Dice of one pool, counted by face and by the mark "was rerolled": 12 fields of 5 bits.
class Pool {
 public:
  constexpr Pool() = default;
  constexpr explicit Pool(std::uint64_t bits) : bits_(bits) {}
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr int count(int face, bool rerolled) const {
    return static_cast<int>(bits_ >> shift(face, rerolled) & kMask);
  }
  constexpr int count(int face) const { return count(face, false) + count(face, true); }
  constexpr void add(int face, bool rerolled, int n) {
    bits_ += static_cast<std::uint64_t>(static_cast<std::int64_t>(n)) << shift(face, rerolled);
  }
  constexpr int size() const {
    int n = 0;
    for (std::uint64_t rest = bits_; rest != 0; rest >>= kCountBits) n += static_cast<int>(rest & kMask);
    return n;
  }
  /// The same dice with no mark of a reroll.
  constexpr Pool unmarked() const {
    constexpr std::uint64_t kLow = (std::uint64_t{1} << kCountBits * base::kMaxFaces) - 1;
    return Pool((bits_ & kLow) + (bits_ >> kCountBits * base::kMaxFaces));
  }
  constexpr bool operator==(const Pool&) const = default;
  /// All dice of both, field by field. `minus` needs other to be contained in this.
  constexpr Pool plus(Pool other) const { return Pool(bits_ + other.bits_); }
  constexpr Pool minus(Pool other) const { return Pool(bits_ - other.bits_); }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << kCountBits) - 1;
  static constexpr int shift(int face, bool rerolled) { return kCountBits * (face + (rerolled ? base::kMaxFaces : 0)); }
  std::uint64_t bits_ = 0;
};

/// Dice rolled for an effect, outside both pools: counted by face, without marks of rerolls.
class SidePool {
 public:
  constexpr SidePool() = default;
  constexpr std::uint32_t bits() const { return bits_; }
  constexpr int count(int face) const { return static_cast<int>(bits_ >> kCountBits * face & kMask); }
  constexpr void add(int face, int n) { bits_ += static_cast<std::uint32_t>(n) << kCountBits * face; }
  constexpr bool operator==(const SidePool&) const = default;

 private:
  static constexpr std::uint32_t kMask = (std::uint32_t{1} << kCountBits) - 1;
  std::uint32_t bits_ = 0;
};

/// Token kinds that the tie rule knows, in the order in which they are rather spent (docs/format.md: Ties).
enum class SpendRank : std::uint8_t { Calculate, Focus, Evade, Force, Charge, Lock, None };
inline constexpr int kSpendRanks = 6;

/// What happens to something countable in the End Phase (000: End_Phase, Charges).
struct EndPhase {
  bool leaves = false;  ///< all of them go: circular tokens
  bool renews = false;  ///< as at the start: uses in the round
  int recover = 0;      ///< Force and charges: how many come back, up to the most there can be; negative: are lost
  bool operator==(const EndPhase&) const = default;

  /// How many there are afterwards of n. `initial`: at the start; `max`: at most.
  int after(int n, int initial, int max) const {
    if (leaves) return 0;
    if (renews) return initial;
    return recover == 0 ? n : std::clamp(n + recover, 0, max);
  }
};

/// Something countable that a ship has: tokens of a kind, a lock on a ship, charges of a card, remaining health.
struct Resource {
  enum class Kind : std::uint8_t {
    Token,
    Lock,
    Charge,  ///< of a card: `token` numbers the ship's cards
    Health,
    Hull,
    Shields,     ///< parts of the remaining health, of ships with ShipPlan::hull_left
    Use,         ///< of a card's effects in this round: `token` numbers the ship's cards
    BonusUse,    ///< bonus attacks of the round that the ship still has
    MoreBonus,   ///< no bonus attack of the round was the ship's last (OperationSpec::last)
    Granted,     ///< the bonus attack that is listed with the number `token` was granted
    FirstOfTwo,  ///< of the second of two attacks, listed with the number `token`: 1 the first happened, 2 and hit
    Card,        ///< faceup damage cards of the kind `token` that the ship has
    Seen,        ///< cards of the kind `token` that the side of `ship` has seen; negative: of several kinds merged
    Faceup,      ///< faceup damage cards of the ship, of all kinds
    Facedown     ///< facedown damage cards of the ship: of the kind `token` (kUnseen: nobody knows which; kOthers)
  };
  Kind kind = Kind::Token;
  int ship = 0;
  /// Facedown: cards that nobody has seen, and cards that were faceup before, of kinds that nothing tells apart.
  static constexpr int kUnseen = -1, kOthers = -2;
  int token = -1;  ///< index into the edition's tokens; for a lock the ship it is on; else as `kind` says
  int initial = 0;
  int max = 0;  ///< largest value it can reach
  EndPhase end = {};
  bool charge = false;  ///< a charge of any type (Force, energy, of a card), which the End Phase does not remove
  SpendRank rank = SpendRank::None;
  bool dynamic = false;  ///< false: never changes in this plan and is not part of a position
  int word = 0, shift = 0;
  std::uint64_t mask = 0;  ///< of its field, before shifting; 0 where not dynamic
  bool operator==(const Resource&) const = default;
};

/// Whether it is part of a price that is no token: a use, or the grant of a bonus attack.
inline bool is_permission(const Resource& r) {
  using Kind = Resource::Kind;
  return r.kind == Kind::Use || r.kind == Kind::BonusUse || r.kind == Kind::MoreBonus || r.kind == Kind::Granted ||
         r.kind == Kind::FirstOfTwo;
}

/// Whether it is a part of the remaining health: hull or shields.
inline bool is_health_part(const Resource& r) {
  return r.kind == Resource::Kind::Hull || r.kind == Resource::Kind::Shields;
}

/// Whether answers tell how likely each number of a resource is, not only its mean: tokens that effects of the scenario
/// can give a ship, such as those of ion and tractor weapons.
inline bool has_distribution(const Resource& r) {
  constexpr int kMost = 31;
  if (is_health_part(r)) return true;
  return r.kind == Resource::Kind::Token && r.dynamic && r.max > r.initial && r.max <= kMost;
}

/// Values of all dynamic resources of a plan, packed.
struct Resources {
  std::array<std::uint64_t, 2> words{};
  bool operator==(const Resources&) const = default;
  Resources masked(const Resources& mask) const { return {{words[0] & mask.words[0], words[1] & mask.words[1]}}; }
  int get(const Resource& r) const {
    return r.dynamic ? static_cast<int>(words[static_cast<std::size_t>(r.word)] >> r.shift & r.mask) : r.initial;
  }
  void set(const Resource& r, int value) {
    auto& word = words[static_cast<std::size_t>(r.word)];
    word = (word & ~(r.mask << r.shift)) | static_cast<std::uint64_t>(value) << r.shift;
  }
};

/// Ships that can suffer damage in one attack: its defender, its attacker, and up to two others.
inline constexpr std::size_t kVictims = 4;
enum Victim : std::uint8_t { kDefender, kAttacker, kFirstOther };
inline constexpr int kDueBits = 6;                   ///< of Position::due, for each victim
inline constexpr int kMaxDue = (1 << kDueBits) - 1;  ///< damage cards that can be due to one victim at once
static_assert(base::kMaxCards == kMaxDue);
inline constexpr int kExposureBits = 2;  ///< of Position::exposures, for each victim
static_assert(base::kMaxExposures == (1 << kExposureBits) - 1);
inline constexpr int kCardBits = 6;  ///< of Position::drawn: 1 + the kind of the card; above them its trait

/// A point of play inside an attack (or between attacks: no dice, step 0).
struct Position {
  Resources resources;
  Pool attack_pool, defense_pool;
  std::uint32_t used = 0;    ///< what happened in this attack and matters later: effects used, tokens spent
  std::int8_t dice = 0;      ///< attack- and defense-pool windows: dice to roll so far, before limits
  std::uint8_t pending = 0;  ///< dice picked up for a reroll and not yet rolled
  std::uint8_t step = 0;
  std::int8_t min_dice = 0;  ///< limits on the next roll, of the edition and of effects
  std::int8_t max_dice = 0;
  std::uint8_t hits = 0, crits = 0;  ///< after Damage: uncancelled results
  std::uint8_t resume = 0;           ///< 1 + the effect that goes on when the pending dice are rolled
  std::uint32_t due : 24 = 0;        ///< critical damage still to be suffered, kDueBits for each victim
  bool hit : 1 = false;              ///< after Outcome: the attack hit
  bool pending_attack : 1 = false;   ///< whether the pending dice are attack dice
  bool pending_side : 1 = false;     ///< they go into the side pool
  bool asked : 1 = false;            ///< the owner has decided about the faceup card that is due
  std::uint32_t past : 4 = 0;        ///< a bit for each victim: critical damage that is due to it passes its shields
  SidePool side_pool;                ///< dice rolled for an effect, outside both pools
  std::uint8_t exposures = 0;        ///< facedown damage cards still to be exposed, kExposureBits for each victim
  std::uint8_t drawn = 0;            ///< a damage card that is seen and not yet dealt: kind and trait (kCardBits), or 0
  std::uint8_t back = 0;  ///< while a player decides about a damage card: 1 + the step that goes on afterwards
  /// Damage from other effects in this attack, by victim, less the damage that was prevented.
  std::array<std::int8_t, kVictims> extra{};
  /// Health that this attack removed, by victim, less what it gave back (removed_from).
  std::array<std::uint8_t, kVictims> removed{};
  bool operator==(const Position&) const = default;
};
static_assert(sizeof(Position) == 64);

/// Health that this attack removed from a victim; negative where it gave back more. A byte that is more than any ship
/// has stands for a negative number.
inline int removed_from(const Position& position, std::size_t victim) {
  const int n = position.removed[victim];
  return n > base::kMostHealth ? n - 256 : n;
}

/// One instruction of a condition or count; a program is postfix and leaves one integer.
struct ExpressionOp {
  enum class Code : std::uint8_t {
    Constant,
    Resource,
    AttackFace,
    DefenseFace,
    AttackDice,
    DefenseDice,
    Remaining,
    Hit,
    Rolling,   ///< dice about to be rolled so far, in the windows before a roll
    Suffered,  ///< damage that victim `value` suffered in this attack
    Removed,   ///< health that this attack removed from victim `value`
    Trait,     ///< trait of the damage card that is drawn and not yet dealt; 0: none
    Used,      ///< bit `value` of Position::used
    SideFace,  ///< results of face `value` among the dice rolled for the effect
    Add,
    Subtract,
    Minimum,
    Maximum,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not
  };
  Code code = Code::Constant;
  int value = 0;
  bool operator==(const ExpressionOp&) const = default;
};
using Expression = std::vector<ExpressionOp>;
inline constexpr std::size_t kExpressionStack = 16;  ///< most values an expression may hold at once

/// Resources that change when damage cards of one kind of a ship are turned; -1: nothing counts them.
struct CardCounts {
  int kind = -1;      ///< those of the kind that are faceup
  int faceup = -1;    ///< all that are faceup
  int facedown = -1;  ///< those of the kind that were faceup before and are facedown now
  bool operator==(const CardCounts&) const = default;
};

/// What an effect of the plan does, with everything that does not depend on the position resolved.
struct Operation {
  enum class Kind : std::uint8_t {
    Pool,
    Change,
    Reroll,
    Add,
    Cancel,
    Gain,
    Lose,
    Limit,
    Damage,
    Roll,    ///< dice for the effect itself; the operations after it wait for them
    Hit,     ///< the attack counts as hitting; with `all` the dice are skipped
    Expose,  ///< facedown damage cards of the victim are turned faceup, each chosen at random
    Flip,    ///< faceup damage cards of the kind `cards` are turned facedown
    Deal     ///< the damage card that would be dealt faceup is dealt facedown; with `all` it is discarded
  };
  Kind kind = Kind::Change;
  bool attack_dice = true;
  std::vector<int> from;  ///< face indices, in order
  int to = -1;
  int n = 1;
  bool all = false;
  bool exact = false;               ///< reroll: exactly n dice, not up to n; cancel: not without n dice
  bool choose = false;              ///< cancel: the player chooses the dice
  bool if_none = false;             ///< may be used although no die is changed (first-edition focus, lock)
  bool crit = false;                ///< for damage: critical damage
  bool shield = false;              ///< for damage: a shield that is lost or paid, which is no damage suffered
  bool recover = false;             ///< for damage: a shield that the ship gets back
  bool past_shields = false;        ///< for damage: damage cards, whatever shields the ship has
  int resource = -1;                ///< for gain and lose
  std::vector<int> displaces;       ///< for gain of a lock: the ship's other locks, which it loses
  std::uint8_t victim = kDefender;  ///< for damage: who suffers it
  Expression amount;                ///< how much, in place of n (limit: of max); read before the effect does anything
  int min = 0, max = 0;             ///< for limit
  CardCounts cards;                 ///< for flip
  bool operator==(const Operation&) const = default;
};

inline constexpr std::size_t kMaxOperations = 8;  ///< of one effect

/// A price of an effect: n of a resource.
struct Cost {
  int resource = -1;
  int n = 1;
  bool operator==(const Cost&) const = default;
};

/// An effect of one attack of the plan.
struct Effect {
  Expression when;  ///< empty: always
  bool may = false;
  std::vector<Cost> cost;
  std::vector<Operation> operations;
  Expression times;                    ///< empty: once
  int used_bit = -1;                   ///< bit of Position::used when it is limited to once per attack
  std::uint32_t sets = 0, clears = 0;  ///< bits of Position::used that change when it is used
  bool forced = false;                 ///< in a Window: the role may not stop while this can be used
  int jump = -1;                       ///< the step at which play goes on afterwards
  bool operator==(const Effect&) const = default;
};

/// A way to do without the tokens that a weapon requires: while `when` holds, at a price.
struct Waiver {
  std::vector<Cost> price;
  Expression when;  ///< empty: always
  bool operator==(const Waiver&) const = default;
};

/// A limit of a policy rule: at most so many of these resources are spent in one play.
struct SpendLimit {
  std::vector<int> resources;
  int most = 0;
  bool operator==(const SpendLimit&) const = default;
};

/// One rule of a decision list: when it is the first that holds, what a play may spend and reroll at most.
struct PolicyRule {
  Expression when;  ///< empty: always
  std::vector<SpendLimit> limits;
  std::uint32_t reroll_faces = ~std::uint32_t{0};  ///< a bit for each face that may be rerolled
  int most_rerolled = base::kMaxPool;
  bool unanswered = false;  ///< the play is the best as if the foe spent nothing in this attack
  bool operator==(const PolicyRule&) const = default;
};

/// Steps of an attack in order. Windows hold effects; the other steps are the rules' own.
struct Step {
  enum class Kind : std::uint8_t {
    Apply,   ///< mandatory effects, in order
    Window,  ///< optional effects of one role, until it wants no more
    Deal,    ///< optional effects before a damage card is dealt faceup: play comes here only from DealPlan
    StartAttackDice,
    RollAttack,
    StartDefenseDice,
    Floor,  ///< the dice so far are at least 0: the end of changes of a value
    RollDefense,
    Neutralize,
    Outcome,  ///< notes whether the attack hit
    Damage,
    End
  };
  Kind kind = Kind::Window;
  bool attacker_decides = true;       ///< Window: the role whose effects these are
  std::vector<int> effects;           ///< Apply, Window: indices into AttackPlan::effects
  int base = 0;                       ///< Start*: dice before modifiers
  int min = 0, max = base::kMaxPool;  ///< Start*: the edition's limits
  std::uint32_t read_later = ~0u;     ///< bits of Position::used that this step or a later one reads
  int earliest = 0;  ///< the first step that can still be played: this one, or one that play goes back to
  bool operator==(const Step&) const = default;
};

/// Cards of a damage deck that a draw tells from the others: those that something in this attack or a later one reads.
struct DrawKind {
  int cards = 0;             ///< in the whole deck
  int seen = -1;             ///< resource: how many of them are known, dealt or drawn; -1: nothing counts them
  int faceup = -1;           ///< resource: those that the ship has, where something reads it later; else -1
  std::vector<int> effects;  ///< what is resolved when it is dealt: indices into AttackPlan::effects
  int kind = -1;             ///< number among the cards of the deck; negative: all the others (of the trait) together
  int facedown = -1;         ///< resource: those that the ship has facedown after they were faceup; -1: not counted
  int trait = 0;             ///< of all its cards, where something asks; else 0
  std::uint32_t sets = 0;    ///< bits of Position::used that are set when it is dealt faceup
  bool operator==(const DrawKind&) const = default;
};

inline constexpr std::size_t kMaxAfterCrit = 8;  ///< effects after a critical damage, of one victim

/// How damage to one victim of an attack is dealt as damage cards. Facedown cards are unknown, and what is left of the
/// deck is in random order, so only cards that were dealt faceup change what the next one can be.
struct DealPlan {
  std::vector<DrawKind> kinds;  ///< the last: all others; empty: the ship is dealt no cards
  std::vector<int> after_crit;  ///< effects after each critical damage
  Expression hits_are_crits;    ///< while it holds, damage is critical damage; empty: never
  int faceup = -1;              ///< resource: all faceup cards of the ship, where something reads it later; else -1
  int facedown = -1;  ///< resource: its facedown cards that nobody has seen, where something reads it later; else -1
  int others = -1;    ///< resource: its facedown cards that were faceup, of kinds that nothing tells apart
  int before = -1;    ///< the step of options before a card is drawn that would be dealt faceup
  int seen = -1;      ///< the step of options when it is drawn, and seen
  bool operator==(const DealPlan&) const = default;
};

/// One attack of the scenario.
struct AttackPlan {
  int attacker = 0, defender = 0;
  std::vector<Cost> cost;      ///< of the weapon
  std::vector<Cost> required;  ///< one of these the attacker must have, but does not pay; else there is no attack
  bool crits_first = false;    ///< evades cancel critical hits before hits
  bool uncancellable_hits = false, uncancellable_crits = false;
  std::vector<Waiver> waivers;  ///< the first that holds and whose price can be paid replaces `required`
  using Others = std::array<int, kVictims - kFirstOther>;
  Others others{-1, -1};    ///< further ships that effects of this attack can damage
  bool engagement = false;  ///< no attack, but effects before one: no dice, not reported
  int after_dice = -1;      ///< the step after the dice were compared, for Operation::Kind::Hit
  std::vector<Effect> effects;
  std::vector<Step> steps;
  std::vector<int> removed_after;      ///< ships that leave play after this attack if they are destroyed
  Resources readable;                  ///< mask: resources that this attack or a later one can still read
  Resources reads;                     ///< mask: resources that this attack itself can read or change
  std::vector<DealPlan> deals;         ///< by victim; empty: without damage deck
  Expression prevented;                ///< while it holds there is no attack; empty: never
  std::vector<CardCounts> lost_after;  ///< damage cards that are turned facedown after this attack, or the chance to
  /// Counts of dealt cards that nothing tells apart after this attack: added to the second and set to 0.
  std::vector<std::pair<int, int>> merged_after;
  /// Decision lists of roles that play by rules (PolicyKind::Rules): the first rule that holds limits the play.
  std::vector<PolicyRule> attacker_rules, defender_rules;

  /// The ship behind a victim's number, or -1.
  int victim(std::size_t i) const {
    return i == kDefender ? defender : i == kAttacker ? attacker : others[i - kFirstOther];
  }
  bool operator==(const AttackPlan&) const = default;
};

/// A ship of the scenario.
struct ShipPlan {
  bool mine = true;
  bool destructible = false;
  int hull = 0, shields = 0;
  int health = -1;       ///< resource index of its remaining health, or -1 when nothing reads it
  int counted_hull = 0;  ///< hull that `health` counts: `hull`, or 0 where only the shields matter
  /// Resources: the parts of the remaining health, where damage can pass the shields or shields come back, so that
  /// their sum does not tell them; else -1.
  int hull_left = -1, shields_left = -1;
  /// Shields that come back at the end of a round (000: Charges, Shield), up to this many.
  int shields_recover = 0, most_shields = 0;
  bool attacked = false;
  bool effect_damage = false;  ///< other effects than attacks can damage it, so that damage is more than hits and crits
  bool operator==(const ShipPlan&) const = default;
};

enum class Objective : std::uint8_t { Damage, Kill, Health, Exchange };
enum class PolicyKind : std::uint8_t { Optimal, Greedy, Hold, Rules };

/// Health values in Resource::Kind::Health: kGone for a ship that left play, else kHealthZero + remaining health.
inline constexpr int kGone = 0;
inline constexpr int kHealthZero = 1;

/// The question compiled for the engines.
struct Plan {
  Die attack_die, defense_die;
  std::vector<ShipPlan> ships;
  std::vector<Resource> resources;
  std::vector<AttackPlan> attacks;
  Resources start;
  Objective objective = Objective::Damage;
  PolicyKind attacker_policy = PolicyKind::Optimal, defender_policy = PolicyKind::Optimal;
  /// The number, from 1, of the attack at place k among those that are reported; of effects before an engagement the
  /// number of the attack that follows them.
  int attack_number(std::size_t k) const {
    int out = 1;
    for (std::size_t i = 0; i < k; ++i) out += attacks[i].engagement ? 0 : 1;
    return out;
  }
  /// The place of the reported attack of number n, from 1; attacks.size() when there is none.
  std::size_t place_of_attack(int n) const {
    for (std::size_t k = 0; k < attacks.size(); ++k) {
      if (!attacks[k].engagement && --n == 0) return k;
    }
    return attacks.size();
  }
  /// Of a scenario of several rounds: how many of the attacks are over at the end of each round.
  std::vector<std::size_t> round_ends;
  bool damage_deck = false;                 ///< damage is dealt as cards of a damage deck
  double mine_total = 0, theirs_total = 0;  ///< starting hull plus shields of each side, for Objective::Exchange
  bool operator==(const Plan&) const = default;
};

/// The plan of its first attacks, as they are played in the whole plan: what a later one reads is kept.
inline Plan first_attacks(const Plan& plan, std::size_t attacks) {
  Plan out = plan;
  out.attacks.resize(attacks);
  out.round_ends.clear();
  return out;
}

/// What a player does at one point: nothing more in this window (effect < 0), or one effect on the chosen dice.
struct Option {
  std::int16_t effect = -1;  ///< index into AttackPlan::effects
  Pool dice;                 ///< the dice it is applied to, where there is a choice
  bool operator==(const Option&) const = default;
};

}  // namespace salvo::game
