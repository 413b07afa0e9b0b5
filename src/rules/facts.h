// Facts of ships and of the attack as parts of conditions: what the files that resolve a word share. Inside the rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/attack_draft.h"

namespace salvo::rules {

/// "self.focus", "foe.tractored", "friend.size": facts of a ship.
Expression ship_fact(const AttackDraft& attack, std::string_view fact, int index, std::string_view whole,
                     const Owner& owner);

/// Whether a ship spent a token of a kind in this attack.
Expression spent(const AttackDraft& attack, std::string_view token, int ship);

/// Whether a ship gained a token of a kind in this attack; never where no effect of the scenario can give it one.
Expression gained(const AttackDraft& attack, std::string_view token, int ship, const Owner& owner);

/// Whether the damage card that is drawn and not yet dealt has the trait.
Expression drawn(const AttackDraft& attack, std::string_view trait);

/// Locks of all ships of the owner's side on the other side's ship of the attack; `enemies`: those of the other side on
/// the ship of the owner's.
Expression locks(const AttackDraft& attack, const Owner& owner, bool enemies);

/// How many other friendly ships of the scenario have a token.
Expression allies_with(const AttackDraft& attack, std::string_view token, const Owner& owner);

/// What the scenario itself knows of a board fact: damage, and what happened earlier in the round. Nothing where it
/// says nothing, and for other facts.
std::optional<Expression> known_fact(const AttackDraft& attack, std::string_view name);

/// The number that an effect treats a fact as, where one does.
std::optional<int> treated(const AttackDraft& attack, std::string_view fact);

/// What the attack says about a fact, if anything.
std::optional<int> stated(const AttackDraft& attack, std::string_view name);

}  // namespace salvo::rules
