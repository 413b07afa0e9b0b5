// play: the attack sequence as transitions between positions with counted dice. It asks for dice and offers options;
// it draws no random number and loops over no outcome. Source of the order of steps: 000: Attack.
#pragma once

#include <vector>

#include "salvo/plan.h"

namespace salvo::rules {

/// What a position needs before play can go on.
enum class Need : std::uint8_t {
  Decision,    ///< an option of the role that decides in the current window
  AttackRoll,  ///< `roll_size` attack dice are rolled
  DefenseRoll,
  Reroll,    ///< position.pending dice that were picked up are rolled
  Draw,      ///< a damage card is dealt faceup to the ship that draws
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
Need advance(const Plan& plan, const AttackPlan& attack, Position& position, int until = 256);

/// Dice of the roll that is needed at an AttackRoll or DefenseRoll.
int roll_size(const Position& position);

/// The position after the first roll of a pool came up as `rolled`.
Position after_roll(const AttackPlan& attack, const Position& position, Pool rolled);

/// The position after one of the pending dice came up as `face`.
Position after_reroll(const Position& position, int face);

/// Number of the victim that is dealt a card at a Draw.
std::size_t drawing_victim(const Position& position);

/// How many of each of the victim's DealPlan::kinds may be the next card; the card is one of them with equal
/// probability. `left` is cleared.
void cards_left(const Plan& plan, const DealPlan& deal, const Resources& resources, std::vector<int>& left);

/// The position after the victim was dealt a faceup card of kind `kind` (of DealPlan::kinds).
Position after_draw(const Plan& plan, const AttackPlan& attack, const Position& position, std::size_t kind);

/// Most dice that a pool of the attack can have: all positive modifiers at once, within the limits, and all dice that
/// are added.
int most_dice(const AttackPlan& attack, bool attack_dice);

/// True when the role that decides in the current window has an option besides "no more".
bool has_options(const Plan& plan, const AttackPlan& attack, const Position& position);

/// All legal options of the role that decides, "no more" first; where something has to be done, that first. `options`
/// is cleared.
void legal_options(const Plan& plan, const AttackPlan& attack, const Position& position, std::vector<Option>& options);

/// The operation of an effect for which the player chooses dice, or nullptr.
const Operation* choosing(const Effect& effect);

/// The position after `option` was taken. Dice picked up for a reroll are pending.
Position take(const Plan& plan, const AttackPlan& attack, const Position& position, const Option& option);

/// True when a later reroll could still tell rerolled dice of the pool from others.
bool marks_matter(const Plan& plan, const AttackPlan& attack, const Position& position, bool attack_dice);

/// Merges what nothing can read any more: marks of rerolls, dice after their last use.
void merge_unread(const Plan& plan, const AttackPlan& attack, Position& position);

/// Gain of the objective for the side that attacks.
struct Gain {
  double value = 0;
  double damage = 0;  ///< compared when values tie (Objective::Kill)
};
/// From the attack that ends at `position`.
Gain gain(const Plan& plan, const AttackPlan& attack, const Position& position);
/// From `damage` to one ship that removes `removed` of its health; `destroyed`: by this damage.
Gain gain_from_damage(const Plan& plan, const ShipPlan& ship, int damage, int removed, bool destroyed);

}  // namespace salvo::rules
