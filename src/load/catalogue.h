// The entries of the catalogue (salvo/catalogue.h): editions, decks, ships and cards as the profiles state them, with
// names as strings. The readers are in load/profile.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/derived_data.h"
#include "salvo/catalogue.h"

namespace salvo::load {

/// A face of a die, and the number of sides that show it.
struct FaceSpec {
  std::string name;
  int sides = 0;
};

/// A die with at most kMaxFaces distinct faces.
struct DieSpec {
  std::vector<FaceSpec> faces;
};

/// The moments of an attack at which effects apply, in order of play (000: Attack; 003: timing chart).
enum class Window {
  Always,
  EngagementStart,  ///< before the first attack of the scenario
  Engage,           ///< before the ship's first attack
  RoundEnd,         ///< after every round but the last, before its End Phase removes tokens
  Declare,
  AttackValue,  ///< changes of the attack value, which then is at least 0
  AttackPool,
  AttackRolled,
  AttackMod,
  AttackSet,
  DefenseValue,  ///< changes of the agility, which then is at least 0
  DefensePool,
  DefenseRolled,
  DefenseMod,
  BeforeNeutralize,
  Neutralize,
  Outcome,
  Damage,
  DamageDue,  ///< before a ship suffers damage other than the attack's results
  Suffered,   ///< after any ship suffered damage, from the attack or otherwise
  Aftermath,
  AttackEnd,     ///< after all abilities: what the rules do with gained tokens
  CardDue,       ///< before drawing a damage card that would be dealt faceup
  CardSeen,      ///< after drawing that card, known to both players, before it is dealt
  Dealt,         ///< for damage cards: when the card is dealt faceup
  CritSuffered,  ///< for damage cards already faceup: after the ship suffered one critical damage
  Opportunity,   ///< for damage cards: after the ship attacked or could have attacked
  OwnMod,        ///< shorthand in data: AttackMod when attacking, DefenseMod when defending
};

/// What an effect does. One implementation per verb and engine.
enum class Verb {
  Pool,
  Change,
  Reroll,
  Add,
  Cancel,
  Spend,  ///< cancels dice as a cost; all of them are required
  Gain,
  Lose,
  Limit,
  Forbid,
  Damage,
  Prevent,  ///< damage that is due (Window::DamageDue) is not suffered
  Neutralize,
  Stat,
  Bonus,    ///< grants a bonus attack
  Roll,     ///< rolls dice outside both pools, for later operations to count
  Hit,      ///< the attack counts as hitting
  Waive,    ///< the weapon can be used without the tokens it requires
  Treat,    ///< a fact of the attack counts as another value
  Flip,     ///< turns damage cards of this kind facedown
  Convert,  ///< hit damage becomes critical damage
  Expose,   ///< turns random facedown damage cards faceup and resolves them
  Deal,     ///< deals facedown, or discards, a damage card that would be dealt faceup
  Lend,     ///< the other ship may pay for its effects with tokens of this one
  Reach,    ///< the weapon can be used at additional ranges
  Repair,   ///< turns a faceup damage card that the player chooses facedown
  Pick      ///< of several damage cards the player chooses the one that is dealt faceup, or exposed
};

/// One operation of an effect, as its file states it.
struct OperationSpec {
  Verb verb = Verb::Change;
  std::string dice;               ///< "attack", "defense" or "own"
  std::vector<std::string> from;  ///< faces it applies to; the order decides where the player has no choice
  std::string to;                 ///< resulting face; "success" is hit for attack dice, evade for defense dice
  int n = 1;                      ///< number of dice, tokens or results
  bool all = false;               ///< n = "all"
  bool exact = false;             ///< exactly n, or as many as possible; else up to n
  bool if_none = false;           ///< may be used even if it changes no die
  bool crit = false;              ///< for damage: critical damage
  bool past_shields = false;      ///< for damage: dealt as damage cards even if the ship has shields
  bool modifies = true;           ///< for change and add: counts as a modification, which can be forbidden
  std::string token;              ///< for gain and lose
  /// "self", "foe", "friend" (the friendly ship that attacks or defends) or "ally"; for forbid also "foes", "friends"
  /// and "all": the ships of one side or both.
  std::string who = "self";
  /// Whose charges: "card", "weapon", or another card's (docs/cards.md: Charges). For repair: the trait of the damage
  /// card, if not "card". For pick: "drawn" or "facedown" cards.
  std::string of = "card";
  std::string on;    ///< for locks: "self", "ally" or "enemy" if it is not on the other ship of the attack
  std::string what;  ///< for forbid: "modify", "reroll", "add-dice", "reduce-dice", "cancel", "spend", "attack", "lock"
  /// For forbid: only effects paid with one of these tokens. For lend: the tokens paid instead of `token`.
  std::vector<std::string> source;
  std::vector<std::string> except;  ///< for forbid: exempt effects of the edition, or "card" for those of this card
  std::string weapon;               ///< for bonus: "primary", "primary:<arc>", "turret", or an upgrade's id
  bool another = false;             ///< for bonus: with another weapon than that of this attack
  std::string target;     ///< for bonus: "foe" (the other ship of this attack), "other" (any but that), or empty: any
  bool last = false;      ///< for bonus: the ship gets no further bonus attack this round
  std::string fact;       ///< for treat: "range", "initiative", "obstructed" or a board fact; `amount` is its value
  bool as_evade = false;  ///< for cancel at neutralize: cancels like an evade result
  bool skip = false;      ///< for hit: the dice are skipped
  std::string amount;     ///< an expression that replaces n
  std::string stat;       ///< for stat: "hull", "shields", "agility" or "attack"
  std::string order;      ///< for neutralize: "crit-first"
  bool discard = false;   ///< for deal: the card is discarded, not dealt facedown; `exact`: another is drawn
  bool pick = false;      ///< for expose: the player looks at the facedown cards and picks one
  std::optional<int> min, max;  ///< for limit, whose max may be an expression (`amount`), and for reach
};

/// A cost in tokens. `lock` is the lock on the other ship of the attack, `charge` a charge of the card or weapon,
/// `shield` an active shield.
struct CostSpec {
  std::string token;
  int n = 1;
  std::string who = "self";
  std::string of = "card";
};

/// An alternative that the other player may choose instead of the operations of an effect.
struct OfferSpec {
  std::string when;
  std::vector<CostSpec> cost;
  std::vector<OperationSpec> operations;
};

/// What happens to tokens of a ship: it spends or gains them (data key each).
struct TokenEvent {
  std::string who = "self";  ///< "self", "foe", "friend", "ally" or "enemy"
  bool gained = false;       ///< or spent
  std::string token;
  bool operator==(const TokenEvent&) const = default;
  /// As conditions name it: "friend.spent.focus".
  std::string fact() const { return who + (gained ? ".gained." : ".spent.") + token; }
};

/// Which ships can have a condition that a card assigns (data: `when` of its effect).
struct Recipients {
  bool limited = false;        ///< only ships with a limited pilot
  std::string faction;         ///< only ships of this faction or an unknown one; empty: any
  std::optional<int> shields;  ///< only ships with at most so many shields
  std::string except_pilot;    ///< id of the pilot whose ships cannot have it; empty: none
};

/// One rule of an edition or a card: when it applies, to whom, at what cost, and what it does.
struct EffectSpec {
  std::string id;
  std::string side = "any";  ///< role of its owner in the attack: "attacker", "defender" or "any"
  std::string whose =
      "self";  ///< whose attack or defense (data key `for`): "self", "ally" (another friendly ship), "friend" (both)
  Window at = Window::OwnMod;
  std::string when;               ///< condition over facts; empty: always
  bool may = false;               ///< the owner decides
  bool must = false;              ///< an option that must be used while it can be
  bool foe_decides = false;       ///< an option of the other player (data: by = "foe")
  std::vector<OfferSpec> offers;  ///< alternatives for the other player (data: unless)
  std::vector<CostSpec> cost;
  std::vector<OperationSpec> operations;
  std::string times;               ///< expression: how often a mandatory effect is applied in a row; empty: once
  std::optional<TokenEvent> each;  ///< set: the effect acts once for each such token
  Recipients recipients;           ///< of the condition that it assigns
  bool once_per_attack = false;
  bool once_per_round = false;
  std::string use;       ///< name of a once-per-round use shared by several effects; empty: the card's
  std::string choice;    ///< options of the card with the same choice exclude each other, per ally or enemy
  bool repeats = false;  ///< an optional effect that may be used several times per attack
  /// In the attack or defense of another friendly ship: the ship with the card acts, not that ship (acts = "self"), so
  /// what is forbidden to that ship does not matter.
  bool card_acts = false;
  std::string source;  ///< document and page of the rule: "000: Reinforce"
  std::string place;   ///< file:line, for messages
};

/// A kind of token of an edition.
struct TokenSpec {
  std::string id;
  bool green = false;            ///< circular green token (000: Tokens)
  bool leaves = false;           ///< removed in the End Phase (000: End_Phase); implied by `green`
  bool charge = false;           ///< a charge on the ship card (force)
  bool prevents_attack = false;  ///< disarm, cloak
  int max = 99;
  std::map<std::string, int> threshold;  ///< by ship size: number of tokens that puts the ship into the token's state
  std::string state;                     ///< that state as a fact: "tractored", "ionized"
  bool blue = false;                     ///< in that state a ship executes a blue maneuver (000: Ion); used by battles
  bool focus_only = false;               ///< in that state a ship may only perform the focus action
};

/// How long a destroyed ship stays in play (000: Simultaneous_Fire; 002: Simultaneous attack rule).
enum class DestroyedStays { Initiative, OwnAttack };

/// An edition of the rules: dice, limits, tokens, and the effects that every ship has.
struct Edition {
  std::string id;
  std::string name;
  DieSpec attack_die;
  DieSpec defense_die;
  int min_dice = 0;
  int max_dice = 31;  ///< kMaxPool if the edition has no limit
  int min_range = 0;  ///< smallest possible attack range
  int max_range = 5;
  DestroyedStays destroyed_stays = DestroyedStays::Initiative;
  std::map<std::string, int> bonus_attacks;  ///< by ship size: bonus attacks per round; absent: unlimited
  std::vector<std::string> card_sets;        ///< card sets of this edition, the default first; empty: any
  std::vector<std::string> sizes;
  std::vector<std::string> remotes;  ///< the `sizes` of remotes, which have no tokens (000: Remotes)
  std::vector<TokenSpec> tokens;
  std::vector<EffectSpec> effects;
  DerivedData derived;  ///< what compile prepares from it
};

/// A weapon of a ship or a card.
struct WeaponSpec {
  std::string arc;
  int attack = 0;
  int min_range = 0;
  int max_range = 5;
  bool ordnance = false;
  std::vector<std::string> requires_tokens;
  std::vector<CostSpec> cost;
  bool twice = false;  ///< "perform this attack twice" (003: Timing Chart)
  bool bonus = false;  ///< its attacks are bonus attacks, which its card lists (000: Huge_Ships)
  /// A primary weapon that the ship has only while it carries a docked ship, with the attack value of that ship's front
  /// primary weapon (attack = "docked").
  bool of_docked = false;
};

/// A pilot, and what differs from the ship's stat line.
struct PilotSpec {
  std::string id, name, faction, ship_ability;
  int initiative = 0;
  int limited = 0;  ///< 0: a generic pilot without an ability
  int cost = 0;
  std::optional<int> loadout;
  int charges = 0, charges_recover = 0;
  int force = 0, force_recover = 0;
  std::optional<int> agility, hull, shields;
  std::optional<std::string> size;
  std::vector<WeaponSpec> weapons;  ///< replaces the ship's weapons if not empty
  bool own_weapons = false;         ///< `weapons` replaces the ship's even if empty: a pilot without weapons
  std::vector<std::string> standard_loadout;
  std::vector<std::string> slots;  ///< upgrade slots, repeated if there are several of a kind
  std::string card;                ///< id of the card file: `id`, unless two pilots share it
};

/// A ship type with its stat line, weapons and pilots.
struct ShipSpec {
  std::string id, name, size;
  int agility = 0, hull = 0, shields = 0;
  int energy = 0;                               ///< huge ships only
  int shields_recover = 0, energy_recover = 0;  ///< recovered in the End Phase (000: Charges)
  std::vector<WeaponSpec> weapons;
  std::vector<PilotSpec> pilots;
};

/// A card (upgrade, pilot ability, ship ability, condition) as effects.
struct CardSpec {
  std::string id, kind, name;
  int charges = 0;
  int charges_recover = 0;  ///< per round; negative: charges are lost (000: Charges)
  int force_recover = 1;    ///< for a card that adds Force capacity: its recurring symbols
  int facedown = 0;         ///< damage cards that its ship is dealt facedown in the setup
  int locks = 1;            ///< how many locks its ship can have
  bool markers = false;     ///< other cards neither spend nor recover its charges
  bool recoverable = true;  ///< whether other cards can recover its charges
  std::optional<WeaponSpec> weapon;
  std::vector<EffectSpec> effects;
  std::map<std::string, int> tokens;  ///< added to those the ship starts with (000: Charges)
  std::map<std::string, bool> facts;  ///< board facts it refers to, with their default
  std::vector<std::string> omits;     ///< parts left out because they affect no dice, tokens or damage
  std::vector<std::string> partly;    ///< parts left out although they matter: the card is only partly modelled
  DerivedData derived;                ///< what compile prepares from it
};

/// A damage card, and its number of copies in the deck.
struct DamageCardSpec {
  CardSpec card;  ///< of kind "damage"
  int copies = 1;
  std::string trait;  ///< "ship", "pilot", "crew"; empty: not stated
};

/// A damage deck: profiles/decks/<edition>/<id>.toml.
struct DeckSpec {
  std::string id, name;
  std::vector<std::string> also;   ///< other names
  std::vector<std::string> sizes;  ///< sizes of the ships that use it; empty: all
  std::vector<DamageCardSpec> cards;
  std::vector<std::string> partly;  ///< parts of its cards left out although they matter
  std::vector<std::string> traits;  ///< of its cards, at most kMaxTraits; a plan numbers them from 1
  int size() const {
    int n = 0;
    for (const DamageCardSpec& card : cards) n += card.copies;
    return n;
  }
};

/// The cost of an upgrade, which may depend on size ("small"), agility or initiative of the ship.
struct UpgradeCost {
  std::vector<std::string> slots;
  std::optional<int> fixed;  ///< empty: it depends on `by`, or the upgrade has no cost
  std::string by;            ///< "size", "agility", "initiative" or empty
  std::map<std::string, int> table;
};

}  // namespace salvo::load
