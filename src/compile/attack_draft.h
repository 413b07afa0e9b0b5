// The state of one attack during compilation, and the functions of its files: weapons, facts, effects, steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/index.h"
#include "compile/compile_parts.h"
#include "compile/expression.h"

namespace salvo::compile {

/// The event that a bit of Position::used records: a ship used an effect of a card, spent, gained or lost tokens, was
/// dealt a damage card, and so on.
struct UsedName {
  enum class Kind : std::uint8_t { None, Effect, Spent, Gained, Dealt, Lost, Modified, Rerolled, Choice };
  Kind kind = Kind::None;
  int ship = -1, card = -1;
  static constexpr std::string_view kAnyToken = "any token";
  std::string_view id = {};  ///< of the effect, the token, or the kind of card dealt
  int deck_card = -1;
  int ally = -1;  ///< for a choice: the ship that the effect is about
  bool operator==(const UsedName&) const = default;
};

/// The owner of an effect: a ship's card, its damage card, or a ship under a rule of the edition.
struct Owner {
  bool attacks = false;  ///< on the attacker's side
  int ship = -1;         ///< the ship: attacker, defender, or another ship of that side
  const load::CardSpec* card = nullptr;
  int card_number = -1;            ///< index among the ship's cards; -1: none of them
  int deck_card = -1;              ///< index of a damage card in the deck; -1: no damage card
  int of_ship = -1, of_card = -1;  ///< the card that a price's `of` refers to, if neither this card nor the weapon
  int ally = -1;                   ///< the ship that "ally" refers to; "enemy" if the effect has only that
  int enemy = -1;                  ///< the ship that "enemy" refers to, if the effect uses both words
  int repaired = -1;               ///< index of the damage card in the deck that the effect repairs; -1: none

  /// The name of the bit for an effect of this owner.
  UsedName named(std::string_view id) const { return {UsedName::Kind::Effect, ship, card_number, id, deck_card}; }
};

/// What an effect with the verb forbid rules out in this attack while `when` holds.
struct Forbidden {
  std::string what;
  int ship = -1;                    ///< whose effects; -1: those of a side
  std::optional<bool> attackers;    ///< the attacker's or the defender's side; empty: both
  std::optional<bool> attack_dice;  ///< which dice; empty: any
  std::vector<std::string> source;  ///< only effects paid with one of these tokens; empty: all
  std::vector<std::string> except;
  const load::CardSpec* card = nullptr;  ///< the card with the verb
  game::Expression when;
  bool beyond_one = false;  ///< reroll: only a second die per attack; modify: only a second result `face`
  std::string face = {};
  int locked = -1;  ///< lock: the ship on which no lock is acquired
};

/// A ship that lends tokens (verb lend): the borrower can pay for its effects with them.
struct Lender {
  int ship = -1, borrower = -1;
  std::string token;
  std::string pays;  ///< for prices of weapons: the token paid instead of `token`; empty: `token`, for effects as well
  game::Expression when;  ///< empty: always
  Owner owner;
  const PreparedEffect* effect = nullptr;  ///< the lending effect; its other operations happen with each loan
};

/// A player picks which damage card a ship is dealt faceup, or exposes (verbs pick, expose).
struct CardPick {
  int ship = -1;           ///< the ship that has or is dealt the card
  bool attackers = false;  ///< the side that picks
  bool facedown = false;   ///< the card to expose; otherwise one of `n` drawn cards
  int n = 1;
  game::Expression when;     ///< for a card to expose; empty: always
  std::uint32_t clears = 0;  ///< bits of Position::used to clear after the pick
  std::string_view card;     ///< id of the card with the verb
  std::vector<int> effects;  ///< its options, by card of the deck; empty: another pick replaces the card
};

/// Damage that a player may prevent before a ship suffers it.
struct DueDamage {
  int ship = -1;
  std::vector<int> options;   ///< indices of the effects that prevent it
  std::vector<int> suffered;  ///< and of those that deal what is left
};

/// What follows an effect: the other player's answers to its offers, and damage that is due.
struct OfferEffects {
  std::vector<int> taken;  ///< indices of the answers' effects
  int declined = -1;       ///< and of the one if the other player accepts none; -1: no offers
  std::vector<DueDamage> due;
};

/// The parts of an effect's label (Labels::effects). Views of strings in the data and the draft.
struct EffectLabel {
  std::string_view id;      ///< id of the edition's rule or of the card
  std::string_view detail;  ///< distinguishes effects of the same card; may be empty
  bool attackers = false;
  bool chosen = false;  ///< a player decides about it
  bool answer = false;  ///< the answer to an offer, which always shows its detail
};

/// Tokens that a ship spends or gains in an attack, counted for a card with an effect that acts once for each of them.
struct DueTokens {
  UsedName::Kind event = UsedName::Kind::Spent;  ///< or Gained
  int token = -1;                                ///< their resource
  int due = -1;                                  ///< the resource that counts them
  bool operator==(const DueTokens&) const = default;
};

/// An effect in a window, with the role that decides about it and whether it is optional.
struct WindowEffect {
  load::Window window;
  bool may = false, attacker = false;
  int effect = -1;
};

/// One attack while it is compiled.
struct AttackDraft {
  Draft& draft;
  const SequenceEntry& entry;
  const ScenarioAttack& given;
  const std::string& path;
  std::size_t number = 0;  ///< index in the attack sequence
  game::AttackPlan plan;
  load::WeaponSpec weapon;
  bool primary = true;
  int weapon_card = -1;  ///< index of the weapon among the attacker's cards; -1: a primary weapon
  std::vector<Forbidden> forbidden;
  std::vector<Lender> lenders;
  std::map<int, const Lender*> lent;     ///< by effect: the lender whose token pays for it
  std::vector<WindowEffect> in_windows;  ///< in the order in which they apply within a window
  std::uint32_t windows = 0;             ///< bit per window that has effects
  std::map<int, OfferEffects> offers;    ///< by effect
  /// Effects of damage cards by window (dealt, crit-suffered), ship and index of the card.
  std::map<std::tuple<load::Window, int, int>, std::vector<int>> of_damage;
  std::map<std::pair<load::Window, int>, std::vector<int>> of_cards;  ///< effects at card-due and card-seen, by ship
  std::map<int, std::vector<int>> of_due;  ///< effects at damage-due, by the ship whose damage they prevent
  std::vector<CardPick> card_picks;
  std::vector<DueTokens> due;
  std::vector<int> before_damage, at_end;  ///< effects directly before damage is dealt, and after all windows
  std::set<int> deck_effects;
  std::map<std::string, int, std::less<>> overrides;  ///< values of facts that an effect overrides (verb treat)
  /// Board facts overridden to true or false while a condition over tokens holds.
  std::map<std::string, std::vector<std::pair<game::Expression, bool>>, std::less<>> conditional_overrides;
  std::vector<std::pair<int, int>> modifiers;          ///< effects that modify dice, with the ship that does so
  std::map<int, game::Expression> hits_are_crits;      ///< by ship: condition under which all damage is critical
  std::vector<UsedName> effect_names;                  ///< by effect
  std::vector<EffectLabel> labels;                     ///< by effect
  mutable std::vector<std::pair<UsedName, int>> bits;  ///< assigned bits of Position::used
  mutable int next_bit = 0;
  /// Board facts taken at their usual case in the expression at hand, and values to try instead of it.
  mutable std::map<std::string, bool> asked;
  mutable std::map<std::string, int> tried;
  mutable std::set<int>
      read_as_unharmed;  ///< ships whose damage a condition read as 0, before any effect was known to damage them
  /// Which variant of an effect is being compiled where at most one result of a face may be modified (verb forbid):
  /// modify one such result, none, or any number while the rule does not apply.
  enum class Modified { One, None, Any } modified = Modified::One;
  int skipped_bonus_attacks = 0;  ///< of those that an effect can grant: how many come before the one to compile

  int ship_of_role(bool attacker) const { return attacker ? plan.attacker : plan.defender; }
  const ShipDraft& ship(int index) const { return base::nth(draft.ships, index); }
  /// The ship that "self", "foe", "friend", "ally" or "enemy" refers to for an owner; -1: none.
  int ship_of(std::string_view who, const Owner& owner) const;
  int ship_of(Who who, const Owner& owner) const;
  /// Allocates a bit of Position::used. Throws ScenarioError if all are taken. `place`: for the message.
  int new_bit(const std::string& place) const;
  int bit(const UsedName& name, const std::string& place) const;
  /// The bits with this name if a condition reads them, else 0.
  std::uint32_t bits_of(const UsedName& name) const;
};

/// If a price or operation refers to charges of another card (`of` is neither "card" nor "weapon"): one copy of the
/// owner for each card that it can refer to. Otherwise, or without such a card, just the owner.
std::vector<Owner> with_charges_of(const AttackDraft& attack, const std::vector<load::CostSpec>& costs,
                                   const std::vector<load::OperationSpec>& operations, const Owner& owner);
/// Selects the weapon of the attack and checks its range.
void choose_weapon(AttackDraft& attack);
/// Whether a card allows the attacker to use the weapon at this range (verb reach); adds the card's price.
bool reach(AttackDraft& attack);
/// Checks that the ship may attack (000: Disarmed, Cloak) and that the edition has this range.
void check_attack(const AttackDraft& attack);
/// Adds the tokens that a weapon requires but does not spend ("Attack (lock)", 000: Special_Weapon), unless an effect
/// waives them.
void require_tokens(AttackDraft& attack);

/// The resource of a token of a ship, or -1 if it has none. "lock" is the lock on the opposing ship of this attack;
/// "charge" belongs to the owner's card or, with `of`, to the weapon or another card.
int resource_of(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner,
                std::string_view of = "card");
/// The ship on which an operation acquires a lock: the opposing ship of this attack, unless `on` names another one.
int locked_ship(const AttackDraft& attack, const load::OperationSpec& operation, int ship, const Owner& owner);
/// Index of a face of a die, or -1.
int face_of(const load::DieSpec& die, std::string_view name);
/// Compiles a condition or count of an effect; empty for an empty text. The reference is valid until the next call.
/// Throws LoadError.
const game::Expression& compile_expression(const AttackDraft& attack, const load::EffectSpec& spec,
                                           const PreparedText& text, const Owner& owner);
/// Number of faceup copies of the owner's damage card on its ship.
game::Expression copies_of(const AttackDraft& attack, const Owner& owner);
/// Condition: at least one faceup copy. Empty if the owner is no damage card.
game::Expression has_card(const AttackDraft& attack, const Owner& owner);
/// Number of damage cards on a ship with hull, including those from before the scenario.
game::Expression damage_cards_of(const AttackDraft& attack, int ship);
/// Number of facedown damage cards on a ship; 0 without a damage deck.
game::Expression facedown_cards(const AttackDraft& attack, int ship);
/// Condition: the ship has not left play. Empty if it cannot have left during this attack.
game::Expression in_play(const AttackDraft& attack, int ship);
/// The same at any time.
game::Expression not_gone(const Draft& draft, int ship);
/// Condition: at least n active shields.
game::Expression has_shields(const AttackDraft& attack, int ship, int n);
/// Checks that every stated fact is known.
void check_facts(const AttackDraft& attack);
/// Adds a note for every stated fact that nothing reads.
void note_facts(Draft& draft);

/// Compiles an operation. Returns nothing if it needs a resource that the ship cannot have. `amount`: its text.
std::optional<game::Operation> compile_operation(AttackDraft& attack, const load::EffectSpec& effect,
                                                 const load::OperationSpec& spec, const PreparedText& amount,
                                                 const Owner& owner);
/// Compiles prices; false if they can never be paid. `lender`: pays in place of its borrower.
bool compile_costs(const AttackDraft& attack, const std::vector<load::CostSpec>& specs, const Owner& owner,
                   game::Costs& out, const Lender* lender = nullptr);
/// Whether the lender can pay this price in place of the borrower.
bool pays(const AttackDraft& attack, const Lender& lender, const load::CostSpec& cost, const Owner& owner);
/// Whether the attacker has alternatives for this price of its weapon: borrowed tokens or other kinds of tokens.
bool has_other_price(const AttackDraft& attack, const load::CostSpec& price);
/// Adds the alternatives for a price of the weapon as options before the attack. If the attacker can pay none of them,
/// the attack does not take place. False if the price has no alternatives.
bool add_prices(AttackDraft& attack, const load::CostSpec& price, const Owner& owner);
/// Compiles the effects of the edition and of all cards into the plan and its windows.
void add_effects(AttackDraft& attack);
/// Makes effects, and the price of the weapon, count the tokens that they spend and give for effects that act once for
/// each. Follows when all of them are known.
void count_due_tokens(AttackDraft& attack);
/// The labels of the compiled effects. Two options of one player have different labels, unless both are rules of the
/// edition.
std::vector<std::string> effect_labels(const AttackDraft& attack);

/// The resources that count damage cards of a kind on a ship.
game::CardCounts card_counts(const Draft& draft, int ship, int card);
/// Sets in each draw the bits that conditions read about it (dealt.faceup, dealt.<trait>).
void set_dealt_bits(AttackDraft& attack);
/// Compiles the allowed operations. An operation that is only sometimes forbidden adds to the condition of the effect.
/// `amounts`: by operation.
void compile_operations(AttackDraft& attack, const load::EffectSpec& spec,
                        const std::vector<load::OperationSpec>& operations, const std::vector<PreparedText>& amounts,
                        const Owner& owner, game::Effect& effect);
/// Adds an effect with its name and label to the plan. Returns its index.
int store_effect(AttackDraft& attack, game::Effect effect, const UsedName& name, const EffectLabel& label);
/// Compiles one effect if it applies to this attack.
void add_effect(AttackDraft& attack, const PreparedEffect& effect, const Owner& owner);
/// Damage that the ship would suffer now, at damage-due.
game::Expression damage_due(const AttackDraft& attack, int ship);
/// All damage cards that ships of the scenario can have, as owners of effects.
std::vector<Owner> damage_cards(const AttackDraft& attack);
/// Fills AttackPlan::deals: how damage to each victim is dealt as cards, and what the cards do.
void add_deals(AttackDraft& attack);

/// Replaces the rolls whose faces the scenario states: by effects that add these faces.
void place_given_rolls(AttackDraft& attack);

/// Fills AttackPlan::steps from the compiled effects.
void add_steps(AttackDraft& attack);

/// Collects the facts that an effect overrides (verb treat). Throws LoadError if that depends on dice.
void collect_overrides(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner);
/// Collects what a passive effect forbids, waives, lends, converts, or changes about neutralizing.
void collect_passive(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner);
/// Whether the rules of Forbidden allow an operation (nullptr: the effect as a whole): never, or while `when` holds.
struct Allowed {
  bool never = false;
  game::Expression when;
  std::string one_of =
      {};  ///< if not empty: only the first result of this face modified in the attack, and one at most
  game::Expression one_of_while = {};  ///< while it holds; empty: always
  bool one_die = false;                ///< for rerolls: only the first die rerolled in the attack
  game::Expression one_die_while;      ///< while it holds; empty: always
};
Allowed allowed(const AttackDraft& attack, const load::EffectSpec& effect, const load::OperationSpec* operation,
                const Owner& owner);

}  // namespace salvo::compile
