// Prepared: what of compiling does not depend on the scenario. Texts of effects are read once, their names recognized,
// and what a card can do at all is noted.
// In: the effects of an edition or a card. Out: kept with the edition or the card for every question that uses it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compile/expression.h"
#include "compile/plan_cache.h"
#include "load/catalogue.h"

namespace salvo::compile {

/// Whose fact a name asks, seen from the owner of the effect.
enum class Who : std::uint8_t { Self, Foe, Friend, Ally, Enemy };

/// What a name in a text of an effect asks.
struct Fact {
  enum class Kind : std::uint8_t {
    Count,  ///< count(attack.hit)
    Ship,
    Used,
    Done,  ///< a use of the round is over
    Spent,
    Gained,
    Declared,
    Chosen,  ///< an option of a choice was used for the ship that the effect speaks of
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
    BonusAttack,
    Board  ///< whatever is none of these has to be a board fact
  };
  /// Of a ship, where the name is no token.
  enum class OfShip : std::uint8_t {
    Lock,
    Size,
    Ship,
    Limited,
    Agility,
    Attack,
    Shields,
    Hull,
    Suffered,
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
    Inactive,  ///< Force charges that are not active
    Other      ///< the state of a token, or unknown
  };
  Kind kind = Kind::Board;
  Who who = Who::Self;
  OfShip of_ship = OfShip::Other;
  static constexpr int kNotLooked = -2;
  int token = kNotLooked;  ///< index of what it speaks of in the edition's own data, -1 where that is no token
  std::string whole;       ///< the name
  std::string rest;        ///< behind its first dot
  std::string last;        ///< of what a ship did: the token or trait
};

/// A condition or count of an effect, read.
struct PreparedText {
  ExpressionText text;
  std::vector<Fact> facts;  ///< by name of the text
  bool empty() const { return text.empty(); }
};

struct PreparedOffer {
  PreparedText when;
  std::vector<PreparedText> amounts;  ///< by operation
};

/// An effect with its texts.
struct PreparedEffect {
  const load::EffectSpec* spec = nullptr;
  PreparedText when, times;
  std::vector<PreparedText> amounts;  ///< by operation
  std::vector<PreparedOffer> offers;
  bool on_attack = true, on_defense = true;   ///< data key side: for which side of the attack it is
  bool for_self = true, for_friends = false;  ///< data key for
  bool ally = false;                          ///< its texts or prices speak of another friendly ship
  bool enemy = false;                         ///< or of another ship of the other side
  bool works_docked = false;                  ///< it says what a docked ship does (000: Dock)
  /// Tokens without which a ship has nothing of it, so that it need not be looked at unless the ship can gain one of
  /// `gained`, which has to be noted. Of an edition's effects whose texts ask nothing else that has to be; else empty.
  std::vector<int> needs;
  static constexpr int kLock = -1;
  std::vector<int> gained;  ///< tokens that its texts ask about as gained; kLock: a lock
};

/// Of one owner, in the order of the data.
struct PreparedEffects {
  std::vector<PreparedEffect> all;
  std::vector<const PreparedEffect*> treating, always, playing;  ///< those that each pass over an attack is about
};

/// A card.
struct PreparedCard : load::Attachment::Base {
  PreparedEffects effects;
  std::uint64_t number = 0;    ///< no other card has had it
  bool stats = false;          ///< it changes the stat line
  bool gains = false;          ///< it gives tokens
  bool repeats = false;        ///< an effect may be used several times in an attack
  bool per_round = false;      ///< an effect may be used once a round
  bool other_charges = false;  ///< it speaks of charges of other cards (docs/cards.md: Charges)
  bool costs_shield = false;   ///< a shield is the price of an effect
  bool loses_shield = false;   ///< an effect takes a shield
  bool parts_health = false;   ///< damage passes shields, or shields come back: hull and shields are two numbers
  bool reads_health = false, reads_faceup = false, reads_facedown = false;  ///< its texts ask about these of a ship
};

/// An edition.
struct PreparedEdition : load::Attachment::Base {
  PreparedEffects effects;
  game::Die attack_die, defense_die;
  std::vector<std::uint32_t> token_keys;  ///< by token: its length and ends, to find it fast
  mutable PlanCache kept;
  load::Attachment above;  ///< of the rooms above
};

const PreparedCard& prepared(const load::CardSpec& card);
const PreparedEdition& prepared(const load::Edition& edition);

/// Whether an effect has an operation of that verb.
inline bool has_verb(const load::EffectSpec& effect, load::Verb verb) {
  return std::any_of(effect.operations.begin(), effect.operations.end(),
                     [verb](const load::OperationSpec& operation) { return operation.verb == verb; });
}

/// Visits all texts of an effect, those of its operations and offers too.
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
