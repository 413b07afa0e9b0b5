// Damage in play: shields, damage cards, and what a position notes until cards are drawn and dealt. Inside the rules.
#pragma once

#include <optional>

#include "game/play.h"

namespace salvo::game {

// ---------------------------------------------------------------- of perform.cpp

/// Adds to a resource, within 0 and its most.
void change_resource(const Plan& plan, Position& position, int index, int delta);
/// Pays for an effect and does it. How much it gains, loses or damages is read before it is paid for.
void perform(const Plan& plan, const AttackPlan& attack, int index, const Pool* chosen, Position& position);

// ---------------------------------------------------------------- of damage.cpp

/// Damage to a ship. With a damage deck critical damage becomes due: it is suffered one at a time.
void suffer(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int hits, int crits,
            bool past_shields = false);
/// Damage that is not the attack's own results.
void deal_extra(const Plan& plan, const AttackPlan& attack, Position& position, const Operation& operation, int n);
/// Shields that a victim gets back, up to its shield value; a destroyed ship gets none.
void recover_shields(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int n);
/// Shields that a victim loses, as many as it has at most; no damage is suffered.
void lose_shields(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int n);
/// Facedown cards of a victim that have to be exposed.
void add_exposures(Position& position, std::size_t victim, int n);
/// Turns up to n faceup cards of a kind facedown.
void turn_facedown(const Plan& plan, const CardCounts& cards, int n, Resources& resources);
void flip(const Plan& plan, const Operation& operation, int n, Position& position);
/// The card that would be dealt faceup is dealt facedown, or discarded. Play goes on where it was interrupted.
void deal_otherwise(const Plan& plan, const AttackPlan& attack, bool discard, Position& position);
/// The card that was drawn is dealt as it is: its owner leaves it.
void deal_as_drawn(const Plan& plan, const AttackPlan& attack, Position& position);
/// Damage and exposed cards as far as no card has to be drawn and nobody decides; what is needed to go on, if anything.
std::optional<NextEvent> settle_cards(const Plan& plan, const AttackPlan& attack, Position& position);

}  // namespace salvo::game
