// Resolves the facts in conditions to expressions. Shared by facts.cpp, ship_facts.cpp and stated_facts.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compile/attack_draft.h"

namespace salvo::compile {

/// A fact of a ship: "self.focus", "foe.tractored", "friend.size".
void add_ship_fact(const AttackDraft& attack, const Fact& fact, const Owner& owner, ExpressionBuilder& out);

/// Whether a ship spent a token in this attack. `token`: the part of the fact that names it.
void add_spent(const AttackDraft& attack, const Fact& fact, const std::string& token, int ship, const Owner& owner,
               ExpressionBuilder& out);

/// Whether a ship gained a token in this attack; constant 0 if no effect can give it one.
void add_gained(const AttackDraft& attack, const Fact& fact, const std::string& token, int ship, const Owner& owner,
                ExpressionBuilder& out);

/// Whether the damage card drawn and not yet dealt has the trait.
void add_drawn(const AttackDraft& attack, std::string_view trait, ExpressionBuilder& out);

/// Number of locks that ships of the owner's side have on the opposing ship of the attack; with `enemies`, that the
/// other side has on the owner's.
void add_locks(const AttackDraft& attack, const Owner& owner, bool enemies, ExpressionBuilder& out);

/// Number of other friendly ships in play; of those that have such a token unless `token` is "ships".
void add_allies(const AttackDraft& attack, std::string_view token, const Owner& owner, ExpressionBuilder& out);

/// Whether board facts with such names can follow from the scenario itself.
inline bool may_be_known(std::string_view name) {
  return name.starts_with("attack") || name.starts_with("defender-") || name.starts_with("friends-can-");
}
/// The value of a board fact that follows from the scenario itself: damage, initiatives, earlier attacks of the round.
/// Empty if the fact does not follow.
std::optional<game::Expression> known_fact(const AttackDraft& attack, std::string_view name);

/// The value to which an effect overrides a fact, if any (verb treat).
inline std::optional<int> overridden_value(const AttackDraft& attack, std::string_view fact) {
  if (attack.overrides.empty()) return std::nullopt;
  const auto at = attack.overrides.find(fact);
  return at == attack.overrides.end() ? std::nullopt : std::optional(at->second);
}

/// Whether any attack of the scenario states board facts.
bool states_facts(const Draft& draft);

/// Records that a card or a rule reads a board fact, if the scenario states any facts. Stated facts that nothing reads
/// get a note.
void note_read(const AttackDraft& attack, const std::string& name, const Owner& owner);

/// The value that the attack states for a fact, if any.
std::optional<int> stated(const AttackDraft& attack, std::string_view name);
/// The value that attacks of the round state for a fact about the distance of the ship with the card, which need not
/// attack, to ship `about`, which takes part in them. -1: to any ship that the fact describes. For effects that act
/// before or after attacks.
std::optional<int> stated_where_it_acts(const AttackDraft& attack, std::string_view name, int about);
/// Of the narrower facts of the attack ("attacker-friend-within-1 = 2") that no card reads and that tell whether ship
/// `about` (-1: any) is in the reach, "friends-in-reach" or the like, of the ship with the card: the one that states
/// the fewest ships; empty if there is none.
std::string narrower_fact(const AttackDraft& attack, std::string_view reach, const Owner& owner, int about);
/// Whether narrower facts of the attack, with `all` of any attack of the round, say that ships are in reach. Empty if
/// there are none.
std::optional<int> stated_narrower(const AttackDraft& attack, std::string_view reach, const Owner& owner, int about,
                                   bool all);
/// Whether the ship is limited as this attack states it, or else any attack by or on it.
bool stated_limited(const AttackDraft& attack, const std::string& ship);
/// The round that an attack belongs to. The effects at its end are entries of the round that follows.
int own_round(const AttackDraft& attack);
/// The number that the attack states for a counted fact ("enemy-near-attacker = 2"), or nothing.
std::optional<int> stated_number(const AttackDraft& attack, std::string_view name);

}  // namespace salvo::compile
