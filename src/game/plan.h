// A scenario compiled for the engines (Plan), and a state of its play (Position). A plan is flat, immutable and holds
// no names.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/limits.h"
#include "salvo/errors.h"

namespace salvo::game {

inline constexpr int kCountBits = 5;  ///< bits per count in a packed pool
static_assert(base::kMaxPool < 1 << kCountBits);

/// A die: sides per face, and the indices of the faces that the rules name (-1: the die has none).
struct Die {
  int faces = 0;
  int sides = 0;
  std::array<int, base::kMaxFaces> sides_of_face{};
  int hit = -1, crit = -1, focus = -1, evade = -1, blank = -1;
  bool operator==(const Die&) const = default;
};

/// Counts of the dice of one pool by face and by whether they were rerolled: 12 fields of 5 bits.
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
  /// The same dice without the reroll marks.
  constexpr Pool unmarked() const {
    constexpr std::uint64_t kLow = (std::uint64_t{1} << kCountBits * base::kMaxFaces) - 1;
    return Pool((bits_ & kLow) + (bits_ >> kCountBits * base::kMaxFaces));
  }
  constexpr bool operator==(const Pool&) const = default;
  /// Adds or subtracts all counts. `minus` requires that this pool contains `other`.
  constexpr Pool plus(Pool other) const { return Pool(bits_ + other.bits_); }
  constexpr Pool minus(Pool other) const { return Pool(bits_ - other.bits_); }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << kCountBits) - 1;
  static constexpr int shift(int face, bool rerolled) { return kCountBits * (face + (rerolled ? base::kMaxFaces : 0)); }
  std::uint64_t bits_ = 0;
};

/// Dice rolled for an effect, outside both pools: counts by face, without reroll marks.
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

/// Token kinds of the tie rule, in the order in which players prefer to spend them (docs/format.md: Ties).
enum class SpendRank : std::uint8_t { Calculate, Focus, Evade, Force, Charge, Lock, None };
inline constexpr int kSpendRanks = 6;

/// What the End Phase does to a resource (000: End_Phase, Charges).
struct EndPhase {
  bool leaves = false;  ///< removes all of them: circular tokens
  bool renews = false;  ///< resets to the initial number: uses per round
  int recover = 0;      ///< Force and charges: how many are recovered, up to the maximum; negative: lost
  bool operator==(const EndPhase&) const = default;

  /// The number left of `n` after the End Phase.
  int after(int n, int initial, int max) const {
    if (leaves) return 0;
    if (renews) return initial;
    return recover == 0 ? n : std::clamp(n + recover, 0, max);
  }
};

/// Anything countable of a ship: tokens of a kind, a lock on a ship, charges of a card, remaining health, flags.
struct Resource {
  enum class Kind : std::uint8_t {
    Token,
    Lock,
    Charge,  ///< of a card: `token` is the index among the ship's cards
    Health,
    Hull,
    Shields,     ///< the two parts of the remaining health, for ships with ShipPlan::hull_left
    Use,         ///< remaining uses of a card's effects in this round: `token` is use_number()
    BonusUse,    ///< bonus attacks that the ship may still make this round
    MoreBonus,   ///< 1 until the ship makes a bonus attack that must be its last of the round (OperationSpec::last)
    Granted,     ///< 1 once the bonus attack at index `token` of the attack sequence is granted
    FirstOfTwo,  ///< for the second of two attacks, at index `token` of the sequence: 1 if the first happened, 2 if it
                 ///< hit
    Due,         ///< tokens that the ship spent or gained in this attack, for effects that act once for each of them
    Damage,      ///< damage that an effect deals the ship once the options before it are over; `token`: 1 if critical
    Card,        ///< faceup damage cards of kind `token` on the ship
    Seen,        ///< cards of kind `token` seen by the side of `ship`; negative: of several merged kinds
    Faceup,      ///< faceup damage cards of all kinds on the ship
    Facedown,    ///< facedown damage cards on the ship: of kind `token`, kUnseen or kOthers
    Drawn        ///< cards of kind `token` drawn for the ship, one of which a player picks
  };
  Kind kind = Kind::Token;
  int ship = 0;
  /// For Facedown: cards never seen, and cards that were faceup before, of merged kinds.
  static constexpr int kUnseen = -1, kOthers = -2;
  int token = -1;  ///< index into the edition's tokens; for a lock the locked ship; otherwise see `kind`
  int initial = 0;
  int max = 0;  ///< largest value it can reach in this plan
  EndPhase end = {};
  bool charge = false;  ///< any charge (Force, energy, of a card), which the End Phase does not remove
  SpendRank rank = SpendRank::None;
  bool dynamic = false;  ///< false: constant in this plan, not part of a position
  int word = 0, shift = 0;
  std::uint64_t mask = 0;  ///< of its bit field, unshifted; 0 if not dynamic
  bool operator==(const Resource&) const = default;
};

/// Whether the resource limits uses instead of being a token: a use, or the grant of a bonus attack.
inline bool is_permission(const Resource& r) {
  using Kind = Resource::Kind;
  return r.kind == Kind::Use || r.kind == Kind::BonusUse || r.kind == Kind::MoreBonus || r.kind == Kind::Granted ||
         r.kind == Kind::FirstOfTwo || r.kind == Kind::Due || r.kind == Kind::Damage;
}

/// Whether the resource is hull or shields as a separate part of the remaining health.
inline bool is_health_part(const Resource& r) {
  return r.kind == Resource::Kind::Hull || r.kind == Resource::Kind::Shields;
}

/// Whether answers report the distribution of a resource, not only its mean: tokens that effects of the scenario can
/// give a ship, for instance ion and tractor tokens.
inline bool has_distribution(const Resource& r) {
  constexpr int kMost = 31;
  if (is_health_part(r)) return true;
  return r.kind == Resource::Kind::Token && r.dynamic && r.max > r.initial && r.max <= kMost;
}

/// Packed values of all dynamic resources of a plan.
struct Resources {
  std::array<std::uint64_t, 2> words{};
  bool operator==(const Resources&) const = default;
  Resources masked(const Resources& mask) const { return {{words[0] & mask.words[0], words[1] & mask.words[1]}}; }
  int get(const Resource& r) const {
    return r.dynamic ? static_cast<int>(base::nth(words, r.word) >> r.shift & r.mask) : r.initial;
  }
  void set(const Resource& r, int value) {
    auto& word = base::nth(words, r.word);
    word = (word & ~(r.mask << r.shift)) | static_cast<std::uint64_t>(value) << r.shift;
  }
  /// For a mask: selects all values of a resource that is packed.
  void select(const Resource& r) {
    if (r.dynamic) base::nth(words, r.word) |= r.mask << r.shift;
  }
};

/// Ships that one attack can damage, its "victims": the defender, the attacker and up to two others.
inline constexpr std::size_t kVictims = 4;
enum Victim : std::uint8_t { kDefender, kAttacker, kFirstOther };
inline constexpr int kDueBits = 6;                   ///< bits of Position::due per victim
inline constexpr int kMaxDue = (1 << kDueBits) - 1;  ///< most damage cards that can be due to one victim at once
static_assert(base::kMaxCards == kMaxDue);
inline constexpr int kExposureBits = 2;  ///< bits of Position::exposures per victim
static_assert(base::kMaxExposures == (1 << kExposureBits) - 1);
inline constexpr int kCardBits =
    6;  ///< low bits of Position::drawn: 1 + the kind of the card; the trait lies above them

/// A state of play within an attack (or between attacks: no dice, step 0).
struct Position {
  Resources resources;
  Pool attack_pool, defense_pool;
  std::uint32_t used = 0;    ///< bits for what happened in this attack and is read later: effects used, tokens spent
  std::int8_t dice = 0;      ///< in the windows of the dice pools: number of dice to roll so far, before limits
  std::uint8_t pending = 0;  ///< dice picked up for a reroll, not yet rolled
  std::uint8_t step = 0;
  std::int8_t min_dice = 0;  ///< limits of the next roll, from the edition and from effects
  std::int8_t max_dice = 0;
  std::uint8_t hits = 0, crits = 0;    ///< uncancelled results, from step Damage on
  std::uint8_t resume = 0;             ///< 1 + the effect that resumes after the pending dice are rolled
  std::uint32_t due : 24 = 0;          ///< critical damage not yet suffered, kDueBits per victim
  bool hit : 1 = false;                ///< the attack hit; valid from step Outcome on
  bool pending_attack : 1 = false;     ///< whether the pending dice are attack dice
  bool pending_side : 1 = false;       ///< the pending dice go into the side pool
  bool card_decided : 1 = false;       ///< the owner has already decided about the next faceup card
  std::uint32_t past_shields : 4 = 0;  ///< bit per victim: its due critical damage bypasses shields
  SidePool side_pool;                  ///< dice rolled for an effect, outside the attack and the defense pool
  std::uint8_t exposures = 0;          ///< facedown damage cards to expose, kExposureBits per victim
  std::uint8_t drawn = 0;  ///< a damage card that was drawn but not yet dealt: kind and trait (kCardBits), or 0
  std::uint8_t return_step =
      0;  ///< 1 + the step to return to after a decision about a damage card; 0: no such decision
  /// Damage by other effects in this attack, less prevented damage, by victim.
  std::array<std::int8_t, kVictims> extra{};
  /// Health that this attack removed minus health that it restored, by victim (see removed_from).
  std::array<std::uint8_t, kVictims> removed{};
  bool operator==(const Position&) const = default;
};
static_assert(sizeof(Position) == 64);

/// Health that this attack removed from a victim; negative if it restored more. Bytes above the largest possible health
/// encode negative numbers.
inline int removed_from(const Position& position, std::size_t victim) {
  const int n = position.removed[victim];
  return n > base::kMaxShipHealth ? n - 256 : n;
}

/// One instruction of a postfix program for a condition or a count, which leaves one integer on the stack.
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
    Rolling,   ///< number of dice about to be rolled, in the windows before a roll
    Suffered,  ///< damage suffered by victim `value` in this attack
    Removed,   ///< health removed from victim `value` in this attack
    Trait,     ///< trait of the card that was drawn but not yet dealt; 0: none
    Used,      ///< bit `value` of Position::used
    SideFace,  ///< dice of the side pool (Position) that show face `value`
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
inline constexpr std::size_t kExpressionStack = 16;  ///< stack depth: most values pending at once

/// Counts to update when damage cards of one kind on a ship are flipped; -1: not counted.
struct CardCounts {
  int kind = -1;      ///< faceup cards of the kind
  int faceup = -1;    ///< all faceup cards
  int facedown = -1;  ///< facedown cards of the kind that were faceup before
  bool operator==(const CardCounts&) const = default;
};

/// Indices of faces of a die. Like the lists of prices below, it holds the usual number without an allocation of its
/// own: compiling a question makes several of them for each effect.
using FaceList = boost::container::small_vector<int, 4>;

/// One operation of an effect, with everything resolved that does not depend on the position.
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
    Roll,    ///< rolls dice for the effect itself; later operations wait for the result
    Hit,     ///< the attack hits; with `all` the dice steps are skipped
    Expose,  ///< turns random facedown damage cards of the victim faceup
    Flip,    ///< turns faceup damage cards `cards` facedown
    Deal,    ///< deals the pending faceup damage card facedown, or with `all` discards it; `exact`: another is drawn
    Pick     ///< deals a drawn card of DealPlan::kinds[to] faceup and discards the others, or exposes a facedown one
  };
  Kind kind = Kind::Change;
  bool attack_dice = true;
  FaceList from;  ///< in order of preference
  int to = -1;
  int n = 1;
  bool all = false;
  bool exact = false;               ///< reroll: exactly n dice instead of up to n; cancel: only if there are n dice
  bool choose = false;              ///< cancel: the player chooses which dice
  bool if_none = false;             ///< usable even if it changes no die (first-edition focus, lock)
  bool crit = false;                ///< damage: it is critical damage
  bool shield = false;              ///< damage: a shield is lost, which is not suffered damage
  bool paid = false;                ///< damage: the lost shield is a price and no damage in the figures
  bool recover = false;             ///< damage: a shield is recovered
  bool past_shields = false;        ///< damage: damage cards are dealt regardless of shields
  std::uint32_t sets = 0;           ///< gain, damage, reroll: bits of Position::used to set unless the amount is 0
  bool aside = false;               ///< gain: no reason to use the effect, since it only counts what the effect does
  int resource = -1;                ///< gain, lose
  std::vector<int> displaces;       ///< gaining a lock: the ship's other locks, which it loses
  int spares = 0;                   ///< how many of these it keeps, the last of them
  std::uint8_t victim = kDefender;  ///< damage: the ship that suffers it
  Expression amount;     ///< replaces n (for limit: max) if not empty; evaluated before the effect does anything
  int min = 0, max = 0;  ///< limit
  CardCounts cards;      ///< flip
  bool operator==(const Operation&) const = default;
};

inline constexpr std::size_t kMaxOperations = 8;  ///< of one effect

/// A price: `n` of a resource.
struct Cost {
  int resource = -1;
  int n = 1;
  bool operator==(const Cost&) const = default;
};
using Costs = boost::container::small_vector<Cost, 2>;

/// An effect available in one attack.
struct Effect {
  Expression when;  ///< empty: always
  bool may = false;
  Costs cost;
  std::vector<Operation> operations;
  Expression times;                    ///< empty: once
  int used_bit = -1;                   ///< bit of Position::used if it is limited to once per attack, else -1
  std::uint32_t sets = 0, clears = 0;  ///< bits of Position::used changed by using it
  bool forced = false;                 ///< in a Window: the role may not pass while this is usable
  int jump = -1;                       ///< step at which play continues afterwards, or -1
  bool operator==(const Effect&) const = default;
};

/// Bits of Position::used that the effect can set besides its own.
inline std::uint32_t bits_set(const Effect& effect) {
  std::uint32_t out = effect.sets;
  for (const Operation& operation : effect.operations) out |= operation.sets;
  return out;
}

/// An alternative to the tokens that a weapon requires: its price, usable while `when` holds.
struct Waiver {
  Costs price;
  Expression when;  ///< empty: always
  bool operator==(const Waiver&) const = default;
};

/// Limit of a policy rule: at most `most` of these resources are spent per decision.
struct SpendLimit {
  std::vector<int> resources;
  int most = 0;
  bool operator==(const SpendLimit&) const = default;
};

/// One rule of a decision list. The first rule whose condition holds limits what a decision spends and rerolls.
struct PolicyRule {
  Expression when;  ///< empty: always
  std::vector<SpendLimit> limits;
  std::uint32_t reroll_faces = ~std::uint32_t{0};  ///< bit per face that may be rerolled
  int most_rerolled = base::kMaxPool;
  bool unanswered = false;  ///< choose as if the opponent spent nothing in this attack
  bool operator==(const PolicyRule&) const = default;
};

/// A step of an attack, in order of play. Windows hold effects; the other steps follow the rules.
struct Step {
  enum class Kind : std::uint8_t {
    Apply,   ///< mandatory effects in order
    Window,  ///< optional effects of one role, until it passes
    Deal,    ///< optional effects before a damage card is dealt faceup; entered only through DealPlan
    StartAttackDice,
    RollAttack,
    StartDefenseDice,
    Floor,  ///< raises the number of dice to 0, after the changes of a value
    RollDefense,
    Neutralize,
    Outcome,  ///< records whether the attack hit
    Damage,
    End
  };
  Kind kind = Kind::Window;
  bool attacker_decides = true;       ///< Window: the role that decides
  std::vector<int> effects;           ///< Apply, Window, Deal: indices into AttackPlan::effects
  int base = 0;                       ///< Start*: number of dice before modifiers
  int min = 0, max = base::kMaxPool;  ///< Start*: limits of the edition
  std::uint32_t read_later = ~0u;     ///< bits of Position::used read by this or a later step
  int earliest = 0;  ///< first step that play can still reach: this one, or one that a later step jumps back to
  bool operator==(const Step&) const = default;
};

/// Damage cards that a draw distinguishes because something in this attack or a later one reads them.
struct DrawKind {
  int cards = 0;             ///< number in the whole deck
  int seen = -1;             ///< resource: cards of this kind already seen; -1: not counted
  int faceup = -1;           ///< resource: faceup ones on the ship if something reads them later, else -1
  std::vector<int> effects;  ///< effects when it is dealt: indices into AttackPlan::effects
  int kind = -1;             ///< index in the deck; negative: all merged kinds (of one trait)
  int facedown = -1;       ///< resource: those on the ship that are facedown after having been faceup; -1: not counted
  int trait = 0;           ///< trait of the cards if something reads it, else 0
  std::uint32_t sets = 0;  ///< bits of Position::used to set when it is dealt faceup
  int drawn = -1;          ///< resource: those drawn for a pick (DealPlan::draws); -1: no pick
  bool operator==(const DrawKind&) const = default;
};

inline constexpr std::size_t kMaxAfterCrit = 8;  ///< most effects per victim after a critical damage

/// How damage to one victim is dealt as damage cards. Facedown cards are unknown and the rest of the deck is in random
/// order, so only cards dealt faceup affect the probabilities of the next draw.
struct DealPlan {
  std::vector<DrawKind> kinds;  ///< the last: all merged kinds; empty: the ship gets no damage cards
  std::vector<int> after_crit;  ///< effects after each critical damage
  Expression hits_are_crits;    ///< while it holds, all damage is critical; empty: never
  int faceup = -1;              ///< resource: all faceup cards of the ship if something reads them later, else -1
  int facedown = -1;            ///< resource: its never seen facedown cards if something reads them later, else -1
  int others = -1;              ///< resource: its facedown cards of merged kinds that were faceup before
  int before = -1;              ///< Deal step before the draw of a card that would be dealt faceup, or -1
  int seen = -1;                ///< Deal step after that draw, when the card is known, or -1
  int draws = 1;                ///< cards drawn in place of one that would be dealt faceup
  int pick = -1;                ///< Deal step where one of the drawn cards is picked; -1: one card is drawn
  int reveal = -1;              ///< Deal step where the facedown card to expose is picked, or -1
  int prevent = -1;             ///< Deal step before the ship suffers damage of its damage cards, or -1
  int suffer = -1;              ///< the effect that deals this damage
  Expression looks;             ///< while it holds, a player looks at the facedown cards and picks; empty: always
  bool operator==(const DealPlan&) const = default;
};

/// One attack of the scenario, or effects outside any attack (`engagement`).
struct AttackPlan {
  int attacker = 0, defender = 0;
  Costs cost;                ///< price of the weapon
  Costs required;            ///< the attacker needs one of these to attack, but does not pay it; empty: nothing needed
  bool crits_first = false;  ///< evades cancel critical hits before hits
  bool uncancellable_hits = false, uncancellable_crits = false;
  std::vector<Waiver> waivers;  ///< the first usable one replaces `required`
  using Others = std::array<int, kVictims - kFirstOther>;
  Others others{-1, -1};    ///< other ships that effects of this attack can damage; -1: unused
  bool engagement = false;  ///< only effects before an attack: no dice, not reported
  int after_dice = -1;      ///< first step after the comparison of dice, for Operation::Kind::Hit
  std::vector<Effect> effects;
  std::vector<Step> steps;
  std::vector<int> removed_after;  ///< ships that leave play after this attack if destroyed
  Resources readable;              ///< mask: resources that this or a later attack can still read
  Resources reads;                 ///< mask: resources that this attack can read or change
  std::vector<DealPlan> deals;     ///< by victim; empty without a damage deck
  Expression prevented;            ///< while it holds, the attack does not take place; empty: never
  std::vector<CardCounts>
      flipped_after;  ///< damage cards that turn facedown after this attack, whether or not it took place
  /// Pairs of counts of dealt cards that become indistinguishable after this attack: the first is added to the second
  /// and set to 0.
  std::vector<std::pair<int, int>> merged_after;
  /// Decision lists of the roles with PolicyKind::Rules: the first rule that holds limits the decision.
  std::vector<PolicyRule> attacker_rules, defender_rules;

  /// The ship with this victim number, or -1.
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
  int health = -1;       ///< resource index of the remaining health, or -1 if nothing reads it
  int counted_hull = 0;  ///< hull included in `health`: all of it, or 0 if only the shields matter
  /// Resource indices of hull and shields, if damage can bypass shields or shields are recovered, so that the sum alone
  /// does not determine them; else -1.
  int hull_left = -1, shields_left = -1;
  /// Shields recovered at the end of a round (000: Charges, Shield), and their maximum.
  int shields_recover = 0, most_shields = 0;
  bool attacked = false;
  bool effect_damage = false;  ///< effects can damage it, so that damage is not just hits plus crits
  bool operator==(const ShipPlan&) const = default;
};

enum class Objective : std::uint8_t { Damage, Kill, Health, Exchange };
enum class PolicyKind : std::uint8_t { Optimal, Greedy, Hold, Rules };

/// Values of a Health resource: kGone for a ship that left play, else kHealthZero + remaining health.
inline constexpr int kGone = 0;
inline constexpr int kHealthZero = 1;

/// A compiled scenario without its names.
struct Plan {
  Die attack_die, defense_die;
  std::vector<ShipPlan> ships;
  std::vector<Resource> resources;
  std::vector<AttackPlan> attacks;
  Resources start;
  Objective objective = Objective::Damage;
  PolicyKind attacker_policy = PolicyKind::Optimal, defender_policy = PolicyKind::Optimal;
  /// The number, from 1, of the reported attack at index k; for an engagement the number of the attack that follows it.
  int attack_number(std::size_t k) const {
    int out = 1;
    for (std::size_t i = 0; i < k; ++i) out += attacks[i].engagement ? 0 : 1;
    return out;
  }
  /// The index of the reported attack with number n, from 1; attacks.size() if there is none.
  std::size_t place_of_attack(int n) const {
    for (std::size_t k = 0; k < attacks.size(); ++k) {
      if (!attacks[k].engagement && --n == 0) return k;
    }
    return attacks.size();
  }
  /// For a scenario of several rounds: by round, the number of attacks completed at its end.
  std::vector<std::size_t> round_ends;
  bool damage_deck = false;                 ///< damage is dealt as cards of a damage deck
  double mine_total = 0, theirs_total = 0;  ///< starting hull plus shields of each side, for Objective::Exchange
  bool operator==(const Plan&) const = default;
};

/// Equal for equal plans, almost never for others.
std::uint64_t hash_of(const Plan& plan);

/// The plan restricted to its first attacks. Resources that later attacks read stay, so positions remain comparable.
inline Plan first_attacks(const Plan& plan, std::size_t attacks) {
  Plan out = plan;
  out.attacks.resize(attacks);
  out.round_ends.clear();
  return out;
}

/// A decision: pass (effect < 0), or use one effect on the chosen dice.
struct Option {
  std::int16_t effect = -1;  ///< index into AttackPlan::effects
  Pool dice;                 ///< the chosen dice, if there is a choice
  bool operator==(const Option&) const = default;
};

}  // namespace salvo::game
