// An attack of a scenario while it is compiled: what weapons, facts, effects and offers share.
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

/// What names a bit of Position::used: an effect of a card of a ship, or what a ship did with a token or damage card.
struct UsedName {
  enum class Kind : std::uint8_t { None, Effect, Spent, Gained, Dealt, Lost, Modified, Choice };
  Kind kind = Kind::None;
  int ship = -1, card = -1;
  std::string_view id = {};  ///< of the effect, the token, or what was dealt
  int deck_card = -1;
  int ally = -1;  ///< of a choice: the ship that the effect speaks of
  bool operator==(const UsedName&) const = default;
};

/// Whose effect it is: a ship's card, a damage card of it, or the edition's rule for a ship.
struct Owner {
  bool attacks = false;  ///< the owner is on the attacker's side
  int ship = -1;         ///< the owner: attacker, defender, or another ship of that side
  const load::CardSpec* card = nullptr;
  int card_number = -1;            ///< among the ship's cards; -1: none of them
  int deck_card = -1;              ///< number of a damage card in the deck; -1: it is none
  int of_ship = -1, of_card = -1;  ///< the card that `of` of a price means, where it is neither this nor the weapon
  int ally = -1;                   ///< the ship that the word "ally" means, or "enemy" where the effect has only that
  int enemy = -1;                  ///< the ship that the word "enemy" means, where the effect has it

  /// What names a bit about an effect of the owner.
  UsedName named(std::string_view id) const { return {UsedName::Kind::Effect, ship, card_number, id, deck_card}; }
};

/// Something that is forbidden in an attack (verb forbid), while `when` holds.
struct Forbidden {
  std::string what;
  int ship = -1;                    ///< whose effects: this ship's; -1: those of a side
  std::optional<bool> attackers;    ///< the attacker's side or the defender's; nothing: both
  std::optional<bool> attack_dice;  ///< to which dice; nothing: any
  std::vector<std::string> source;  ///< only effects paid with one of these tokens
  std::vector<std::string> except;
  const load::CardSpec* card = nullptr;  ///< the card that forbids it
  game::Expression when;
  bool beyond_one = false;  ///< of rerolls: those of a second die in the attack; of modifications: of a second `face`
  std::string face = {};
};

/// A ship that lends tokens: an effect of the borrower can be paid with them (verb lend).
struct Lender {
  int ship = -1, borrower = -1;
  std::string token;
  std::string pays;  ///< of the price of a weapon: what is paid in place of `token`; empty: `token`, of effects too
  game::Expression when;  ///< empty: always
  Owner owner;
  const PreparedEffect* effect = nullptr;  ///< its other operations happen when a token is lent
};

/// An effect with offers: what the other player may do, and what happens if he does not.
struct OfferDraft {
  std::vector<int> taken;  ///< indices of effects
  int declined = -1;
};

/// How people call an effect (Labels::effects). The words are those of the data and of the draft.
struct EffectLabel {
  std::string_view id;      ///< of the edition's rule or the card
  std::string_view detail;  ///< what tells it from other effects of the same card, as far as there is something
  bool attackers = false;
  bool chosen = false;  ///< a player decides about it
  bool answer = false;  ///< to an offer: it always has its detail
};

/// An effect of a window: of the role that decides, mandatory or optional.
struct WindowEffect {
  load::Window window;
  bool may = false, attacker = false;
  int effect = -1;
};

/// One attack while it is compiled.
struct AttackDraft {
  Draft& draft;
  const ListedAttack& listed;
  const ScenarioAttack& given;
  const std::string& path;
  std::size_t number = 0;  ///< among the draft's attacks
  game::AttackPlan plan;
  load::WeaponSpec weapon;
  bool primary = true;
  int weapon_card = -1;  ///< number of the attacker's card that is the weapon
  std::vector<Forbidden> forbidden;
  std::vector<Lender> lenders;
  std::map<int, const Lender*> lent;     ///< effects that are paid with a lent token
  std::vector<WindowEffect> in_windows;  ///< in the order in which they apply within a window
  std::uint32_t windows = 0;             ///< a bit for each that has effects
  std::map<int, OfferDraft> offers;      ///< by effect
  /// Effects of damage cards by window (dealt, crit-suffered), ship and number of the card.
  std::map<std::tuple<load::Window, int, int>, std::vector<int>> of_damage;
  std::map<std::pair<load::Window, int>, std::vector<int>> of_cards;  ///< effects at card-due and card-seen, by ship
  std::set<int> deck_effects;
  std::map<std::string, int, std::less<>> treated;  ///< facts that are taken to be another than they are
  /// Board facts that are taken to hold, or not to, while a number of tokens says so.
  std::map<std::string, std::vector<std::pair<game::Expression, bool>>, std::less<>> treated_while;
  std::vector<std::pair<int, int>> modifiers;          ///< effects that modify dice, and the ship that does
  std::map<int, game::Expression> hits_are_crits;      ///< by ship: while it holds, damage is critical damage
  std::vector<UsedName> effect_names;                  ///< by effect
  std::vector<EffectLabel> labels;                     ///< by effect
  mutable std::vector<std::pair<UsedName, int>> bits;  ///< of Position::used
  mutable int next_bit = 0;
  mutable std::set<int> asked_unharmed;  ///< ships of which damage was asked while no effect was known to damage them
  /// How effects are compiled where of some results no more than one may be modified (verb forbid): with at most one of
  /// them, without any, or as where nothing forbids it.
  enum class Modified { One, None, Any } modified = Modified::One;

  int ship_of_role(bool attacker) const { return attacker ? plan.attacker : plan.defender; }
  const ShipDraft& ship(int index) const { return base::nth(draft.ships, index); }
  /// The ship that "self", "foe", "friend", "ally" or "enemy" means to an owner.
  int ship_of(std::string_view who, const Owner& owner) const;
  int ship_of(Who who, const Owner& owner) const;
  /// A free bit of Position::used; throws LoadError when all are taken. `place`: for the message.
  int new_bit(const std::string& place) const;
  int bit(const UsedName& name, const std::string& place) const;
  /// The bits of a name, where something asks about it; else none.
  std::uint32_t bits_of(const UsedName& name) const;
};

/// A copy of the owner for each other card whose charges a price or operation may mean (`of` neither "card" nor
/// "weapon"); the owner itself where none is meant, or there is no such card.
std::vector<Owner> with_charges_of(const AttackDraft& attack, const std::vector<load::CostSpec>& costs,
                                   const std::vector<load::OperationSpec>& operations, const Owner& owner);
/// Finds the weapon of the attack and checks its range.
void choose_weapon(AttackDraft& attack);
/// Whether a card of the attacker lets it use the weapon at the range of the attack (verb reach); its price is added.
bool reach(AttackDraft& attack);
/// A disarmed or cloaked ship cannot attack (000: Disarmed, Cloak); an edition knows some ranges.
void check_attack(const AttackDraft& attack);
/// Tokens in the header of a weapon ("Attack (lock)") must be there, but are not paid (000: Special_Weapon), unless an
/// effect waives them.
void require_tokens(AttackDraft& attack);

/// The resource of a token word of a ship, or -1 when it has none. A lock is the one on the other side's ship of the
/// attack; `charge` is of the owner's card, or of the weapon.
int resource_of(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner,
                std::string_view of = "card");
/// Index of a face of a die, or -1.
int face_of(const load::DieSpec& die, std::string_view name);
/// The condition or count `text` of an effect; empty for an empty text. Good until the next one is compiled. Throws
/// LoadError.
const game::Expression& compile_expression(const AttackDraft& attack, const load::EffectSpec& spec,
                                           const PreparedText& text, const Owner& owner);
/// How many copies of the owner's damage card its ship has faceup.
game::Expression copies_of(const AttackDraft& attack, const Owner& owner);
/// At least one; empty when the owner is no damage card.
game::Expression has_card(const AttackDraft& attack, const Owner& owner);
/// The number of damage cards that a ship with hull has, from before the scenario and of it.
game::Expression damage_cards_of(const AttackDraft& attack, int ship);
/// The number of facedown damage cards of a ship; 0 without a damage deck.
game::Expression facedown_cards(const AttackDraft& attack, int ship);
/// The ship has not left play; empty when it cannot have.
game::Expression in_play(const AttackDraft& attack, int ship);
/// The same for any ship.
game::Expression not_gone(const Draft& draft, int ship);
/// At least one active shield.
game::Expression has_shields(const AttackDraft& attack, int ship, int n);
/// Every stated fact has to be one that is known.
void check_facts(const AttackDraft& attack);
/// A stated fact that nothing reads is no error, but the user should know.
void note_facts(Draft& draft);

/// The operation, or nothing when it is forbidden or touches a resource that the ship cannot have.
/// `amount`: the text of the operation.
std::optional<game::Operation> compile_operation(AttackDraft& attack, const load::EffectSpec& effect,
                                                 const load::OperationSpec& spec, const PreparedText& amount,
                                                 const Owner& owner);
/// Costs of an effect or weapon; false when the ship can never pay them. `lender`: who pays in place of a ship.
bool compile_costs(const AttackDraft& attack, const std::vector<load::CostSpec>& specs, const Owner& owner,
                   std::vector<game::Cost>& out, const Lender* lender = nullptr);
/// Whether a price of an effect is one that the lender can pay in place of the borrower.
bool pays(const AttackDraft& attack, const Lender& lender, const load::CostSpec& cost, const Owner& owner);
/// Whether the attacker can pay the price of its weapon in more than one way: with tokens of others, or other tokens.
bool has_other_price(const AttackDraft& attack, const load::CostSpec& price);
/// A price of the weapon that can be paid in more than one way: the attacker chooses, before anything else. Without any
/// of them there is no attack. False when there can be none.
bool add_prices(AttackDraft& attack, const load::CostSpec& price, const Owner& owner);
/// Compiles the effects of the edition and of the cards of all ships into the plan and its windows.
void add_effects(AttackDraft& attack);
/// The labels of the compiled effects. Those that one player chooses differ, where they are not the edition's.
std::vector<std::string> effect_labels(const AttackDraft& attack);

/// The resources that count damage cards of a kind of a ship.
game::CardCounts card_counts(const Draft& draft, int ship, int card);
/// Notes with each damage card what conditions ask about it (dealt.faceup, dealt.<trait>).
void note_dealt(AttackDraft& attack);
/// Operations that are allowed; those that are forbidden only sometimes make a condition of the effect. `amounts`: the
/// texts of the operations.
void compile_operations(AttackDraft& attack, const load::EffectSpec& spec,
                        const std::vector<load::OperationSpec>& operations, const std::vector<PreparedText>& amounts,
                        const Owner& owner, game::Effect& effect);
/// Adds an effect to the plan, with what conditions and players call it. Returns its index.
int store_effect(AttackDraft& attack, game::Effect effect, const UsedName& name, const EffectLabel& label);
/// Compiles one effect, where it applies in this attack.
void add_effect(AttackDraft& attack, const PreparedEffect& effect, const Owner& owner);
/// The damage cards of the ships of the scenario as owners of effects.
std::vector<Owner> damage_cards(const AttackDraft& attack);
/// How damage to each victim of the attack is dealt as cards (AttackPlan::deals), with what the cards do.
void add_deals(AttackDraft& attack);

/// Puts the compiled effects in their order (AttackPlan::steps).
void add_steps(AttackDraft& attack);

/// Notes the facts that an effect takes to be another than they are (verb treat). Throws LoadError where that would
/// depend on dice.
void collect_treated(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner);
/// Collects what an effect forbids or waives in this attack, and how it changes neutralizing.
void collect_always(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner);
/// What forbids an operation (nullptr: the effect as a whole): `never` when it always does, else the condition under
/// which it is allowed.
struct Allowed {
  bool never = false;
  game::Expression when;
  std::string one_of = {};  ///< of the results of this face the first that is modified in the attack, and no other
  game::Expression one_of_while = {};  ///< while it holds; empty: always
  bool one_die = false;                ///< a reroll: of one die, and only the first of the attack
  game::Expression one_die_while;      ///< while it holds; empty: always
};
Allowed allowed(const AttackDraft& attack, const load::EffectSpec& effect, const load::OperationSpec* operation,
                const Owner& owner);

}  // namespace salvo::compile
