// The attack as transitions between positions with counted dice. Requests dice and offers options; draws no random
// numbers and loops over no outcomes. The order of steps follows 000: Attack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/plan.h"

namespace salvo::game {

/// What a position needs before play can continue.
enum class NextEvent : std::uint8_t {
  Decision,    ///< the role that decides in the current window chooses an option
  AttackRoll,  ///< roll_size() attack dice are rolled
  DefenseRoll,
  Reroll,    ///< position.pending picked up dice are rolled
  Draw,      ///< a damage card turns faceup: the next of the deck, or a facedown one (cards_left)
  Finished,  ///< the attack is over
};

/// The value of a condition or count at a position; `if_empty` for an empty expression.
int evaluate(const Plan& plan, const Expression& expression, const Position& position, int if_empty = 1);

/// Whether `ship` has left play.
bool is_gone(const Plan& plan, const Resources& resources, int ship);

/// Whether the attack takes place: both ships are in play, its price and requirements are met, nothing prevents it.
bool attack_happens(const Plan& plan, const AttackPlan& attack, const Resources& resources);

/// The position at the beginning of the attack, with the price of its weapon paid.
Position begin_attack(const Plan& plan, const AttackPlan& attack, const Resources& resources);

/// The resources after the attack. Destroyed ships that must leave play have left it.
Resources end_attack(const Plan& plan, const AttackPlan& attack, const Resources& resources);

/// Advances until dice, a card or a decision is needed, at most to the beginning of step `until` (Finished).
NextEvent advance(const Plan& plan, const AttackPlan& attack, Position& position, int until = 256);

/// Number of dice to roll at an AttackRoll or DefenseRoll.
int roll_size(const Position& position);

/// The position after the first roll of a pool resulted in `rolled`.
Position after_roll(const AttackPlan& attack, const Position& position, Pool rolled);

/// The position after one of the pending dice resulted in `face`.
Position after_reroll(const Position& position, int face);

/// Whether dice must be rolled, or damage cards dealt or exposed, before the player who just acted can continue.
bool interrupted(const Position& position);

/// Number of the victim whose damage card is drawn, decided about or exposed.
std::size_t drawing_victim(const Position& position);

/// The weights of the possible cards at a Draw. For the next card of the deck: by index of the victim's
/// DealPlan::kinds. For an exposed card: first never seen cards by kind, then cards that were faceup before by kind,
/// then the merged ones of these. Clears `left` first.
void cards_left(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<int>& left);

/// Whether the next draw turns a card faceup, unless its owner decides otherwise. Otherwise a player picks from what is
/// drawn or looked at.
bool turns_faceup(const Plan& plan, const AttackPlan& attack, const Position& position);

/// Whether the option picks a damage card, which turns faceup.
bool picks_card(const AttackPlan& attack, const Option& option);

/// The position after the draw of a card with index `kind` in cards_left(). It is dealt and resolved, unless a player
/// has options about it: then it is only drawn.
Position after_draw(const Plan& plan, const AttackPlan& attack, const Position& position, std::size_t kind);

/// Upper bound of the size of a dice pool: all positive modifiers within the limits, plus all added dice.
int most_dice(const AttackPlan& attack, bool attack_dice);

/// Whether the role that decides in the current window has an option other than to pass.
bool has_options(const Plan& plan, const AttackPlan& attack, const Position& position);

/// All legal options of the role that decides, the pass first; if something is mandatory, mandatory options come first
/// and there is no pass. Clears `options` first.
void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<Option>& options);

/// An effect of a window that is usable as far as can be judged without the dice.
struct OpenEffect {
  int effect = -1;
  bool asks_dice = false;  ///< its condition depends on the dice
  /// Its only operation on dice lets the player choose `most` of the `eligible` dice.
  bool simple = false;
  bool attack_dice = false;
  bool up_to = false;  ///< fewer dice are allowed, too
  int most = 0;
  std::uint64_t eligible = 0;  ///< mask on the bits of the pool
};

/// Appends the open effects of the current window. They are equal for all positions that differ only in their dice.
void open_effects(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<OpenEffect>& out);

/// The same options, derived from the open effects of the position.
void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position,
                   std::span<const OpenEffect> open, std::vector<Option>& options);

/// The operation of an effect whose dice the player chooses, or nullptr.
const Operation* choosing(const Effect& effect);

/// The position after `option`. Dice picked up for a reroll are pending.
Position take(const Plan& plan, const AttackPlan& attack, const Position& position, const Option& option);

/// The pool after an operation was applied to the dice `chosen`; a reroll picks them up.
Pool after_choice(const Operation& operation, Pool pool, Pool chosen);

/// Whether a later reroll can still distinguish rerolled dice of the pool.
bool marks_matter(const Plan& plan, const AttackPlan& attack, const Position& position, bool attack_dice);

/// Replaces the position by the canonical one of its equivalence class: removes reroll marks and bits that nothing
/// reads later.
void canonicalize(const Plan& plan, const AttackPlan& attack, Position& position);

/// Payoff of an attack for the attacking side under the objective.
struct Payoff {
  double value = 0;
  double damage = 0;  ///< tie-breaker (Objective::Kill)
};
/// Of the attack that ends at `position`.
Payoff payoff(const Plan& plan, const AttackPlan& attack, const Position& position);
/// Of `damage` to one ship that removes `removed` of its health; `destroyed`: this damage destroys it.
Payoff payoff_from_damage(const Plan& plan, const ShipPlan& ship, int damage, int removed, bool destroyed);

}  // namespace salvo::game
