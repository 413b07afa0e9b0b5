// play: the attack sequence as transitions between positions with counted dice. It asks for dice and offers options;
// it draws no random number and loops over no outcome. Source of the order of steps: 000: Attack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/plan.h"

namespace salvo::game {

/// What a position needs before play can go on.
enum class NextEvent : std::uint8_t {
  Decision,    ///< an option of the role that decides in the current window
  AttackRoll,  ///< `roll_size` attack dice are rolled
  DefenseRoll,
  Reroll,    ///< position.pending dice that were picked up are rolled
  Draw,      ///< a damage card is turned faceup: the next one of the deck, or one that lies facedown (cards_left)
  Finished,  ///< the attack is over
};

/// Value of a condition or count at a position; an empty expression is `if_empty`.
int evaluate(const Plan& plan, const Expression& expression, const Position& position, int if_empty = 1);

/// True when the health resource of `ship` says that it has left play.
bool is_gone(const Plan& plan, const Resources& resources, int ship);

/// True when attacker and defender are still in play.
bool attack_happens(const Plan& plan, const AttackPlan& attack, const Resources& resources);

/// The position in which attack `attack` begins, the cost of its weapon paid.
Position begin_attack(const Plan& plan, const AttackPlan& attack, const Resources& resources);

/// What remains when the attack is over: destroyed ships that must leave play do.
Resources end_attack(const Plan& plan, const AttackPlan& attack, const Resources& resources);

/// Plays on without dice or decisions as far as possible, at most to the beginning of step `until` (Finished).
NextEvent advance(const Plan& plan, const AttackPlan& attack, Position& position, int until = 256);

/// Dice of the roll that is needed at an AttackRoll or DefenseRoll.
int roll_size(const Position& position);

/// The position after the first roll of a pool came up as `rolled`.
Position after_roll(const AttackPlan& attack, const Position& position, Pool rolled);

/// The position after one of the pending dice came up as `face`.
Position after_reroll(const Position& position, int face);

/// Dice have to be rolled, or damage cards dealt or exposed, before the player who just acted can go on.
bool interrupted(const Position& position);

/// Number of the victim whose damage card is drawn, decided about, or exposed.
std::size_t drawing_victim(const Position& position);

/// At a Draw the weight of each kind of card that may be turned faceup: of the next card of the deck by the victim's
/// DealPlan::kinds; of an exposed card by these for cards that nobody has seen, then by these for cards that were
/// faceup before, then the others of these. `left` is cleared.
void cards_left(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<int>& left);

/// The position after a card of kind `kind` (of cards_left) was drawn. It is dealt and resolved, unless its owner has
/// options about it: then it is drawn only.
Position after_draw(const Plan& plan, const AttackPlan& attack, const Position& position, std::size_t kind);

/// Most dice that a pool of the attack can have: all positive modifiers at once, within the limits, and all dice that
/// are added.
int most_dice(const AttackPlan& attack, bool attack_dice);

/// True when the role that decides in the current window has an option besides "no more".
bool has_options(const Plan& plan, const AttackPlan& attack, const Position& position);

/// All legal options of the role that decides, "no more" first; where something has to be done, that first. `options`
/// is cleared.
void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<Option>& options);

/// An effect of a window that may be used as far as all but the dice go.
struct OpenEffect {
  int effect = -1;
  bool asks_dice = false;  ///< its condition does
  /// The only operation on dice is one in which they are chosen, `most` of those that `eligible` picks from the pool.
  bool simple = false;
  bool attack_dice = false;
  bool up_to = false;  ///< fewer, too
  int most = 0;
  std::uint64_t eligible = 0;  ///< mask of counts
};

/// Adds those of the current window: the same in all positions that differ in dice alone.
void open_effects(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<OpenEffect>& out);

/// The same options as above from what is open at the position.
void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position,
                   std::span<const OpenEffect> open, std::vector<Option>& options);

/// The operation of an effect for which the player chooses dice, or nullptr.
const Operation* choosing(const Effect& effect);

/// The position after `option` was taken. Dice picked up for a reroll are pending.
Position take(const Plan& plan, const AttackPlan& attack, const Position& position, const Option& option);

/// The dice of a pool after an operation was applied to `chosen` of them; those of a reroll are picked up.
Pool after_choice(const Operation& operation, Pool pool, Pool chosen);

/// True when a later reroll could still tell rerolled dice of the pool from others.
bool marks_matter(const Plan& plan, const AttackPlan& attack, const Position& position, bool attack_dice);

/// Merges what nothing can read any more: marks of rerolls, dice after their last use.
void merge_unread(const Plan& plan, const AttackPlan& attack, Position& position);

/// The payoff of an attack under the objective, for the side that attacks.
struct Payoff {
  double value = 0;
  double damage = 0;  ///< compared when values tie (Objective::Kill)
};
/// From the attack that ends at `position`.
Payoff payoff(const Plan& plan, const AttackPlan& attack, const Position& position);
/// From `damage` to one ship that removes `removed` of its health; `destroyed`: by this damage.
Payoff payoff_from_damage(const Plan& plan, const ShipPlan& ship, int damage, int removed, bool destroyed);

}  // namespace salvo::game
