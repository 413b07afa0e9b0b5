// Damage during play: shields, damage cards, and the bookkeeping until cards are drawn and dealt. Private to game/.
#pragma once

#include <optional>

#include "game/play.h"

namespace salvo::game {

// ---------------------------------------------------------------- in perform.cpp

/// Adds `delta` to a resource, clamped to 0 and its maximum.
void change_resource(const Plan& plan, Position& position, int index, int delta);
/// Pays for an effect and applies it. Amounts are evaluated before the price is paid.
void apply_effect(const Plan& plan, const AttackPlan& attack, int index, const Pool* chosen, Position& position);

// ---------------------------------------------------------------- in damage.cpp

/// Damages a ship. With a damage deck, critical damage becomes due and is suffered one at a time.
void suffer(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int hits, int crits,
            bool past_shields = false);
/// Damage that does not come from the attack's own results.
void deal_extra(const Plan& plan, const AttackPlan& attack, Position& position, const Operation& operation, int n);
/// Restores up to n shields of a victim, not above its maximum; a destroyed ship gets none.
void recover_shields(const Plan& plan, const AttackPlan& attack, Position& position, std::size_t victim, int n);
/// Removes up to n shields of the operation's victim without any suffered damage.
void lose_shields(const Plan& plan, const AttackPlan& attack, Position& position, const Operation& operation, int n);
/// Adds n to the facedown cards that the victim has to expose.
void add_exposures(Position& position, std::size_t victim, int n);
/// Turns up to n faceup cards of one kind facedown.
void turn_facedown(const Plan& plan, const CardCounts& cards, int n, Resources& resources);
void flip(const Plan& plan, const Operation& operation, int n, Position& position);
/// Deals the card facedown that would be dealt faceup, or discards it, and returns to the interrupted step.
void divert_card(const Plan& plan, const AttackPlan& attack, const Operation& operation, Position& position);
/// A player picks one of the cards that were drawn, or of the facedown cards of a ship that exposes one.
void pick_card(const Plan& plan, const AttackPlan& attack, std::size_t kind, Position& position);
/// The owner passes: the card is drawn or, if it is known already, dealt faceup.
void keep_card(const Plan& plan, const AttackPlan& attack, Position& position);
/// Resolves due damage and exposures until a card must be drawn or a player must decide. Returns what is needed next,
/// or nothing.
std::optional<NextEvent> resolve_damage_cards(const Plan& plan, const AttackPlan& attack, Position& position);

}  // namespace salvo::game
