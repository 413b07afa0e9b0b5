// The part of compilation that does not depend on the scenario: parsed texts of effects, recognized names, and what a
// card can do at all. Computed once per edition or card and attached to it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compile/expression.h"
#include "compile/labels.h"
#include "compile/plan_cache.h"
#include "load/catalogue.h"

namespace salvo::compile {

/// The ship a name refers to, relative to the owner of the effect.
enum class Who : std::uint8_t { Self, Foe, Friend, Ally, Enemy };

/// The meaning of a name in the text of an effect.
struct Fact {
  enum class Kind : std::uint8_t {
    Count,  ///< count(attack.hit)
    Ship,
    Used,
    Done,  ///< done.<use>: a use per round is spent
    Spent,
    Gained,
    Declared,
    Chosen,  ///< an option of a choice was used for the ship that the effect is about
    Drawn,
    FriendsLock,
    FoesLock,
    Allies,  ///< allies.calculate
    CardCharge,
    WeaponCharge,
    Copies,
    DamageDeck,
    WeaponAttack,
    Range,
    Obstructed,
    Reinforced,
    Ordnance,
    Primary,
    Weapon,
    Arc,
    Remaining,
    Rolling,
    Attacking,
    Hit,
    Special,
    GrantedBy,
    Stated,
    BonusAttack,
    Board  ///< any other name must be a board fact
  };
  /// The fact of a ship, unless it is the number of a token.
  enum class OfShip : std::uint8_t {
    Lock,
    Size,
    Ship,
    Limited,
    Faction,
    Agility,
    Attack,
    Shields,
    Hull,
    Suffered,
    Due,  ///< damage that it would suffer now
    SufferedCrit,
    Spent,
    Gained,
    Destroyed,
    Initiative,
    Docked,
    Carrier,
    Facedown,
    Faceup,
    Dealt,
    LostShields,
    Damage,
    InAttack,
    Modified,
    Pilot,
    LockOnAlly,
    LockOnEnemy,
    LockOnSelf,
    Rerolled,  ///< its dice were rerolled, and nothing changed them since
    Inactive,  ///< inactive Force charges
    Has,       ///< an upgrade, ship ability or condition
    Other      ///< the state of a token, or an unknown name
  };
  Kind kind = Kind::Board;
  Who who = Who::Self;
  OfShip of_ship = OfShip::Other;
  static constexpr int kNotLookedUp = -2;
  int token = kNotLookedUp;  ///< index of the token it names, for texts of the edition; -1: it names none
  std::string whole;         ///< the full name
  std::string rest;          ///< the part after the first dot
  std::string last;          ///< for what a ship did: the token or trait
};

/// Sets of what an effect may need: tokens of its ship by index, and circumstances of the attack.
namespace need {
inline constexpr std::size_t kTokens = 48;  ///< tokens beyond are not looked at
inline constexpr std::size_t kRanges = 8;
inline constexpr std::uint64_t token(std::size_t index) { return index < kTokens ? std::uint64_t{1} << index : 0; }
inline constexpr std::uint64_t range(std::size_t n) { return std::uint64_t{1} << (kTokens + n); }
inline constexpr std::uint64_t kObstructed = range(kRanges);
inline constexpr std::uint64_t kAnyRange = kObstructed - range(0);
inline constexpr std::uint64_t kStated = kObstructed << 1;  ///< the attack states board facts
}  // namespace need

/// A parsed condition or count of an effect.
struct PreparedText {
  ExpressionText text;
  std::vector<Fact> facts;  ///< by name of the text
  bool empty() const { return text.empty(); }
};

struct PreparedOffer {
  PreparedText when;
  std::vector<PreparedText> amounts;  ///< by operation
};

/// An effect with its parsed texts.
struct PreparedEffect {
  const load::EffectSpec* spec = nullptr;
  PreparedText when, times;
  std::vector<PreparedText> amounts;  ///< by operation
  std::vector<PreparedOffer> offers;
  bool on_attack = true, on_defense = true;   ///< data key side: the sides for which it applies
  bool for_self = true, for_friends = false;  ///< data key for
  bool ally = false;                          ///< it refers to another friendly ship ("ally")
  bool enemy = false;                         ///< it refers to another opposing ship ("enemy")
  bool works_docked = false;                  ///< it concerns docked ships (000: Dock)
  bool reacts = false;                        ///< to tokens that a ship gained, or to its destruction
  bool anywhere = false;       ///< it applies to any ship of a side, also where only the ship with the card is meant
  bool repairs = false;        ///< it repairs damage cards
  bool other_charges = false;  ///< it refers to charges of a card other than its own and the weapon
  /// Without one thing of each set, the effect does nothing: it is skipped, unless the ship can gain one of `gained`,
  /// whose bit must be recorded. Only for effects of the edition whose texts have no other side effects, else empty.
  std::vector<std::uint64_t> needs;
  static constexpr int kLock = -1;
  std::vector<int> gained;  ///< tokens that its texts read as gained; kLock: a lock
  /// Where none of `gained` can be gained, it counts as reading no token: a rule about gained tokens, unless it is
  /// about locks that the ship has.
  bool reads_gained_only = false;
};

/// Effects of one owner, in the order of the data.
struct PreparedEffects {
  std::vector<PreparedEffect> all;
  std::vector<const PreparedEffect*> overrides, passive, windowed;  ///< subsets for the three passes over an attack
  /// Those of `windowed` that follow what happened to any ship of a side: it gained tokens, or was destroyed.
  std::vector<const PreparedEffect*> after_events;
};

/// What is known about a card.
struct PreparedCard : load::DerivedData::Base {
  PreparedEffects effects;
  std::uint64_t number = 0;    ///< unique per card
  bool stats = false;          ///< it changes the stat line
  bool gains = false;          ///< it gives tokens
  bool repeats = false;        ///< an effect is usable several times per attack
  bool per_round = false;      ///< an effect is usable once per round
  bool other_charges = false;  ///< it refers to charges of other cards (docs/cards.md: Charges)
  bool costs_shield = false;   ///< an effect costs a shield
  bool loses_shield = false;   ///< an effect removes a shield
  bool past_shields = false;   ///< an effect deals damage cards, whatever shields there are
  bool parts_health =
      false;  ///< damage bypasses shields or shields are recovered, so hull and shields are separate numbers
  bool reads_health = false, reads_faceup = false, reads_facedown = false;  ///< its texts read these of a ship
  bool counts_without_deck = false;  ///< without a damage deck it uses the results of the attack
};

/// What is known about an edition.
struct PreparedEdition : load::DerivedData::Base {
  PreparedEffects effects;
  game::Die attack_die, defense_die;
  std::shared_ptr<const FaceNames> faces;
  std::vector<std::uint32_t> token_keys;  ///< by token: key_of() its id, for fast lookup
  mutable PlanCache plans;
  mutable std::atomic<bool> facts_checked = false;  ///< the catalogue has all board facts that its effects read
  load::DerivedData edition_cache;                  ///< data attached by higher layers
};

const PreparedCard& prepared(const load::CardSpec& card);
const PreparedEdition& prepared(const load::Edition& edition);

/// Whether a condition may hold at a range, whatever else it asks for. An empty one always holds.
bool may_hold_at(const PreparedText& condition, int range);

/// Whether an effect has an operation with that verb.
inline bool has_verb(const load::EffectSpec& effect, load::Verb verb) {
  return std::any_of(effect.operations.begin(), effect.operations.end(),
                     [verb](const load::OperationSpec& operation) { return operation.verb == verb; });
}

/// Whether an operation of the card, other than those of offers, satisfies the predicate.
template <typename Is>
bool has_operation(const load::CardSpec& card, const Is& is) {
  return std::any_of(card.effects.begin(), card.effects.end(), [&](const load::EffectSpec& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), is);
  });
}

/// Visits all operations of an effect, including those of its offers.
template <typename Visit>
void each_operation(const load::EffectSpec& effect, const Visit& visit) {
  for (const load::OperationSpec& operation : effect.operations) visit(operation);
  for (const load::OfferSpec& offer : effect.offers) {
    for (const load::OperationSpec& operation : offer.operations) visit(operation);
  }
}

/// Visits all texts of an effect, including those of its operations and offers.
template <typename Effect, typename Visit>
void each_text(Effect& effect, const Visit& visit) {
  visit(effect.when);
  visit(effect.times);
  for (auto& amount : effect.amounts) visit(amount);
  for (auto& offer : effect.offers) {
    visit(offer.when);
    for (auto& amount : offer.amounts) visit(amount);
  }
}

/// Index of a token of the edition, or -1.
int token_index(const load::Edition& edition, std::string_view id);

}  // namespace salvo::compile
