// What the catalogue holds: editions, decks, ships and cards as read from profiles/, with names and strings.
// In: TOML files read by src/load. Out: what a scenario may refer to. The catalogue itself: salvo/catalogue.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/attachment.h"
#include "salvo/catalogue.h"

namespace salvo::load {

/// One distinct face of a die and on how many of its sides it stands.
struct FaceSpec {
  std::string name;
  int sides = 0;
};

/// A die of an edition: at most kMaxFaces distinct faces.
struct DieSpec {
  std::vector<FaceSpec> faces;
};

/// The moments of an attack at which effects apply, in order of play (000: Attack; 003: timing chart).
enum class Window {
  Always,
  EngagementStart,  ///< before the first attack of the scenario
  Engage,           ///< before the ship's first attack
  Declare,
  AttackValue,  ///< changes of the weapon's value, which is at least 0 afterwards
  AttackPool,
  AttackRolled,
  AttackMod,
  AttackSet,
  DefenseValue,  ///< changes of the agility, which is at least 0 afterwards
  DefensePool,
  DefenseRolled,
  DefenseMod,
  BeforeNeutralize,
  Neutralize,
  Outcome,
  Damage,
  Suffered,  ///< when the attack's damage was suffered, and other damage; whoever suffered it
  Aftermath,
  AttackEnd,     ///< after everybody's abilities: what the rules do with tokens gained
  CardDue,       ///< before a damage card is drawn that the ship would be dealt faceup
  CardSeen,      ///< when that card is drawn and everybody knows it, before it is dealt
  Dealt,         ///< of a damage card: when it is dealt faceup
  CritSuffered,  ///< of a damage card: after the ship suffered one critical damage, with the card faceup before
  Opportunity,   ///< of a damage card: after the ship attacked or could have attacked
  OwnMod,        ///< shorthand in data: AttackMod when attacking, DefenseMod when defending
};

/// What an effect does. One implementation per verb and engine.
enum class Verb {
  Pool,
  Change,
  Reroll,
  Add,
  Cancel,
  Spend,  ///< dice as a price: they are cancelled, and all of them have to be there
  Gain,
  Lose,
  Limit,
  Forbid,
  Damage,
  Neutralize,
  Stat,
  Bonus,    ///< grants a bonus attack
  Roll,     ///< dice outside both pools; later operations count them
  Hit,      ///< the attack counts as hitting
  Waive,    ///< the weapon's required tokens need not be there
  Treat,    ///< a fact of the attack is taken to be another than it is
  Flip,     ///< damage cards of this kind are turned facedown
  Convert,  ///< hit damage that the ship would suffer is critical damage
  Expose,   ///< facedown damage cards are turned faceup, chosen at random, and resolved
  Deal,     ///< the damage card that would be dealt faceup is dealt facedown or discarded
  Lend,     ///< the other ship can pay its effects with tokens of this one
  Reach     ///< the weapon can be used at other ranges too
};

/// One operation of an effect, in the words of its file.
struct OperationSpec {
  Verb verb = Verb::Change;
  std::string dice;               ///< "attack", "defense" or "own"
  std::vector<std::string> from;  ///< faces it applies to, in order of preference where the player has no choice
  std::string to;                 ///< face that results; "success" is hit for attack dice, evade for defense dice
  int n = 1;                      ///< how many dice, tokens or results
  bool all = false;               ///< n = "all"
  bool exact = false;             ///< exactly n (as many as possible), not up to n
  bool if_none = false;           ///< may be used although no die is changed (data key if_none)
  bool crit = false;              ///< for damage: critical damage
  bool past_shields = false;      ///< for damage: it is dealt as damage cards, whatever shields the ship has
  bool modifies = true;           ///< for change and add: it is a modification of dice, which can be forbidden
  std::string token;              ///< for gain and lose
  /// "self", "foe", "friend" (the ship that attacks or defends), "ally"; for forbid also "foes", "friends" and "all":
  /// the ships of a side, or of both.
  std::string who = "self";
  std::string of = "card";  ///< whose charges: "card", "weapon", or of another card (docs/cards.md: Charges)
  std::string on;           ///< for gain of a lock: "ally" or "enemy", where it is not on the ship of the attack
  std::string what;         ///< for forbid: "modify", "reroll", "add-dice", "reduce-dice", "cancel", "spend", "attack"
  /// For forbid: only effects paid with one of these tokens; for lend: the tokens that are paid in place of `token`.
  std::vector<std::string> source;
  std::vector<std::string> except;  ///< for forbid: effects of the edition, or "card" for this card's own
  std::string weapon;               ///< for bonus: "primary", "primary:<arc>", "turret", or an upgrade's id
  std::string target;     ///< for bonus: "foe" (the other ship of this attack), "other" (another), or empty: any
  bool last = false;      ///< for bonus: the ship gets no other bonus attack in this round
  std::string fact;       ///< for treat: "range", "initiative", "obstructed" or a board fact; `amount` is its value
  bool as_evade = false;  ///< for cancel at neutralize: like an evade result would
  bool skip = false;      ///< for hit: the dice are skipped
  std::string amount;     ///< an expression in place of n
  std::string stat;       ///< for stat: "hull", "shields", "agility" or "attack"
  std::string order;      ///< for neutralize: "crit-first"
  bool discard = false;   ///< for deal: the card is discarded (data: as = "discarded"), not dealt facedown
  std::optional<int> min, max;  ///< for limit, where a max may be an expression (amount); for reach
};

/// A price in tokens; `lock` is the lock on the other ship of the attack, `charge` the card's own (or the weapon's),
/// `shield` an active shield.
struct CostSpec {
  std::string token;
  int n = 1;
  std::string who = "self";
  std::string of = "card";
};

/// What the other player may do in place of what an effect does.
struct OfferSpec {
  std::string when;
  std::vector<CostSpec> cost;
  std::vector<OperationSpec> operations;
};

/// One rule of an edition or a card: when, for whom, at what price, what.
struct EffectSpec {
  std::string id;
  std::string side = "any";  ///< "attacker", "defender" or "any": whose effect it is, seen from the attack
  std::string whose =
      "self";  ///< whose attack or defense (data key `for`): "self", "ally" (another friendly ship), "friend" (both)
  Window at = Window::OwnMod;
  std::string when;               ///< condition over facts; empty: always
  bool may = false;               ///< the owner decides
  bool must = false;              ///< an option that has to be used: its owner may not stop while it can be
  bool foe_decides = false;       ///< an option of the other player (data: by = "foe")
  std::vector<OfferSpec> offers;  ///< the other player may choose one of them in place of the operations (data: unless)
  std::vector<CostSpec> cost;
  std::vector<OperationSpec> operations;
  std::string times;  ///< how often a mandatory effect is applied in a row: an expression; empty: once
  bool once_per_attack = false;
  bool once_per_round = false;
  std::string use;       ///< the use of the round that it shares with others of that name; empty: the card's
  std::string choice;    ///< options of the card that share it exclude each other, for each ally or enemy
  bool repeats = false;  ///< an optional effect of a card may be used several times in an attack
  /// In the attack or defense of another friendly ship: the ship with the card acts, not that ship (data:
  /// acts = "self"). What is forbidden to the one is not forbidden to the other.
  bool card_acts = false;
  std::string source;  ///< of the rule: "000: Reinforce" (document and page)
  std::string place;   ///< file:line, for messages
};

/// A kind of token of an edition.
struct TokenSpec {
  std::string id;
  bool green = false;   ///< circular green token (000: Tokens)
  bool leaves = false;  ///< it is removed in the End Phase (000: End_Phase): green tokens, and others that say so
  bool charge = false;  ///< a charge kept on the ship card (force)
  bool prevents_attack = false;  ///< disarm, cloak
  int max = 99;
  std::map<std::string, int> threshold;  ///< by ship size: number from which the ship is in the token's state
  std::string state;                     ///< the name of that state as a fact: "tractored", "ionized"
  bool blue = false;        ///< in that state a ship executes a blue maneuver (000: Ion), as far as battles know any
  bool focus_only = false;  ///< in that state it performs no action but focus
};

/// Until when a destroyed ship stays in play (000: Simultaneous_Fire; 002: Simultaneous attack rule).
enum class DestroyedStays { Initiative, OwnAttack };

/// A set of rules as data: dice, limits, tokens, and the effects that every ship has.
struct Edition {
  std::string id;
  std::string name;
  DieSpec attack_die;
  DieSpec defense_die;
  int min_dice = 0;
  int max_dice = 31;  ///< without a limit of the edition: kMaxPool
  int min_range = 0;  ///< smallest attack range at all
  int max_range = 5;
  DestroyedStays destroyed_stays = DestroyedStays::Initiative;
  std::map<std::string, int> bonus_attacks;  ///< by ship size: most bonus attacks a round; a size without: any number
  std::vector<std::string> card_sets;        ///< that belong to these rules, the usual one first; empty: any
  std::vector<std::string> sizes;
  std::vector<std::string> remotes;  ///< those of `sizes` that are remotes: they have no tokens (000: Remotes)
  std::vector<TokenSpec> tokens;
  std::vector<EffectSpec> effects;
  Attachment derived;  ///< of the rules
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
  /// A primary weapon that the ship has while it carries a docked ship, with the attack value of that ship's front
  /// primary weapon (data: attack = "docked").
  bool of_docked = false;
};

/// A pilot: what differs from the ship's stat line.
struct PilotSpec {
  std::string id, name, faction, ship_ability;
  int initiative = 0;
  int limited = 0;  ///< 0: a generic pilot without an ability of its own
  int cost = 0;
  std::optional<int> loadout;
  int charges = 0, charges_recover = 0;
  int force = 0, force_recover = 0;
  std::optional<int> agility, hull, shields;
  std::optional<std::string> size;
  std::vector<WeaponSpec> weapons;  ///< replaces the ship's weapons where not empty
  bool own_weapons = false;         ///< `weapons` replaces the ship's even where it is empty: a pilot without weapons
  std::vector<std::string> standard_loadout;
  std::vector<std::string> slots;  ///< of upgrades, one as often as there are
  std::string card;                ///< the id of the pilot's card file: `id`, but where two pilots share an id
};

/// A ship type with its stat line, weapons and pilots.
struct ShipSpec {
  std::string id, name, size;
  int agility = 0, hull = 0, shields = 0;
  int energy = 0;                               ///< of a huge ship
  int shields_recover = 0, energy_recover = 0;  ///< recurring symbols: what comes back in the End Phase (000: Charges)
  std::vector<WeaponSpec> weapons;
  std::vector<PilotSpec> pilots;
};

/// A card (upgrade, pilot ability, ship ability, condition) as effects.
struct CardSpec {
  std::string id, kind, name;
  int charges = 0;
  int charges_recover = 0;  ///< at the end of a round; negative: that are lost (000: Charges)
  int force_recover = 1;    ///< of a card that adds to the Force capacity: its recurring symbols
  std::optional<WeaponSpec> weapon;
  std::vector<EffectSpec> effects;
  std::map<std::string, int> tokens;  ///< that it adds to those the ship starts with (000: Charges)
  std::map<std::string, bool> facts;  ///< board facts it reads, with the usual case
  std::vector<std::string> omits;     ///< what is left out because no dice, tokens or damage depend on it
  std::vector<std::string> partly;    ///< what is left out although it matters: then it is only partly modelled
  Attachment derived;                 ///< of the rules
};

/// A damage card and how many of it are in the deck.
struct DamageCardSpec {
  CardSpec card;  ///< of kind "damage"
  int copies = 1;
  std::string trait;  ///< "ship", "pilot", "crew"; empty: not said
};

/// A damage deck: profiles/decks/<edition>/<id>.toml.
struct DeckSpec {
  std::string id, name;
  std::vector<std::string> also;   ///< other names for it
  std::vector<std::string> sizes;  ///< of ships that use it; empty: all
  std::vector<DamageCardSpec> cards;
  std::vector<std::string> partly;  ///< what is left out of its cards although it matters
  std::vector<std::string> traits;  ///< of its cards, at most kMaxTraits; their numbers in a plan begin with 1
  int size() const {
    int n = 0;
    for (const DamageCardSpec& card : cards) n += card.copies;
    return n;
  }
};

/// What an upgrade costs; in some card sets by size ("small"), agility or initiative of the ship that carries it.
struct UpgradeCost {
  std::vector<std::string> slots;
  std::optional<int> fixed;  ///< empty: by `by`, or without a cost of its own
  std::string by;            ///< "size", "agility", "initiative" or empty
  std::map<std::string, int> table;
};

}  // namespace salvo::load
