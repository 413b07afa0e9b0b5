// Facts of ships and of the attack as parts of conditions: what the files that resolve a word share. Inside the rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compile/attack_draft.h"

namespace salvo::compile {

/// "self.focus", "foe.tractored", "friend.size": facts of a ship.
void add_ship_fact(const AttackDraft& attack, const Fact& fact, const Owner& owner, ExpressionBuilder& out);

/// Whether a ship spent a token of a kind in this attack. `token`: the part of the fact that names it.
void add_spent(const AttackDraft& attack, const Fact& fact, const std::string& token, int ship, const Owner& owner,
               ExpressionBuilder& out);

/// Whether a ship gained a token of a kind in this attack; never where no effect of the scenario can give it one.
void add_gained(const AttackDraft& attack, const Fact& fact, const std::string& token, int ship, const Owner& owner,
                ExpressionBuilder& out);

/// Whether the damage card that is drawn and not yet dealt has the trait.
void add_drawn(const AttackDraft& attack, std::string_view trait, ExpressionBuilder& out);

/// Locks of all ships of the owner's side on the other side's ship of the attack; `enemies`: those of the other side on
/// the ship of the owner's.
void add_locks(const AttackDraft& attack, const Owner& owner, bool enemies, ExpressionBuilder& out);

/// How many other friendly ships of the scenario have a token.
void add_allies(const AttackDraft& attack, std::string_view token, const Owner& owner, ExpressionBuilder& out);

/// What the scenario itself knows of a board fact: damage, and what happened earlier in the round. Nothing where it
/// says nothing, and for other facts.
std::optional<game::Expression> known_fact(const AttackDraft& attack, std::string_view name);

/// The number that an effect treats a fact as, where one does.
inline std::optional<int> treated(const AttackDraft& attack, std::string_view fact) {
  if (attack.treated.empty()) return std::nullopt;
  const auto at = attack.treated.find(fact);
  return at == attack.treated.end() ? std::nullopt : std::optional(at->second);
}

/// What the attack says about a fact, if anything.
std::optional<int> stated(const AttackDraft& attack, std::string_view name);

}  // namespace salvo::compile
