// The parts of compiling effects: which apply, how often, and what they are called.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "compile/attack_draft.h"

namespace salvo::compile {

// ---- which apply (applicable_effects.cpp) ----

/// Whether it is an option about a damage card that the ship would be dealt faceup, in any attack.
bool decides_about_card(const load::EffectSpec& spec);
/// Whether effects of the window belong to entries of their own, before or after attacks.
bool is_between_attacks(load::Window window);
/// Whether the effect reacts to what happens to ships in the same window before or after attacks. Cards of both sides
/// then react, since what a ship gained, or that it was destroyed, is known within one entry only.
bool reacts_here(const AttackDraft& attack, const PreparedEffect& effect);
/// Whether an effect belongs to this entry. Effects before an engagement apply only there; damage cards apply wherever
/// damage is suffered. A weapon that attacks twice declares its target once, and effects after an attack follow the
/// second one.
bool applies_here(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner);
/// Whether effects of the scenario can give a ship one of the tokens.
bool may_gain(const Draft& draft, int ship, const std::vector<int>& tokens);

using EffectList = std::vector<const PreparedEffect*> PreparedEffects::*;
using EffectVisit = std::function<void(const PreparedEffect&, const Owner&)>;
/// Visits all effects of a list: of the edition, of the cards of both ships and of their friends, and of damage cards.
void visit_effects(const AttackDraft& attack, EffectList list, const EffectVisit& visit);
/// For an effect that repairs damage cards: one copy of the owner for each kind of card that it can repair.
std::vector<Owner> each_repaired(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner);

// ---- how often (effect_uses.cpp) ----

/// Limits a reroll to one die if at most one die may be rerolled in the attack, and disables it after another such
/// reroll.
void limit_reroll(const AttackDraft& attack, const load::EffectSpec& spec, const Allowed& may, const Owner& owner,
                  game::Operation& reroll, game::Effect& effect);
/// Restricts a modification if at most one result of a face may be modified in the attack. The effect is compiled in
/// three variants (AttackDraft::Modified). False if this variant does not exist.
bool limit_modified(const AttackDraft& attack, const load::EffectSpec& spec, const Allowed& may, const Owner& owner,
                    game::Operation& change, game::Effect& effect);
/// Adds the limits on uses of the effect: per attack, per round, one bonus attack per round (000: Bonus Attack). `bit`:
/// of Position::used, shared by all ways to pay for the effect; -1: none yet.
void limit_uses(AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner, game::Effect& effect, int& bit);
/// Limits the ships that a card reaches in an attack to the number that a fact states: of three friends, only two under
/// "defender-friend-within-1 = 2". Its ship's player chooses them, except for mandatory effects, which take the first.
void limit_reached(const AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner, game::Effect& effect);
/// Lets the effect act once for each token of its `each`. Returns what is to be counted for it; nothing if the ship
/// cannot have such tokens.
std::optional<DueTokens> act_on_each(AttackDraft& attack, const PreparedEffect& prepared, const Owner& owner,
                                     game::Effect& effect);
/// Makes effects set the bits that conditions read (used.<id>, spent.<token>, gained.<token>).
void set_use_bits(AttackDraft& attack);

// ---- damage that is due (due_damage.cpp) ----

/// Whether effects of the attack can damage the ship whose damage an effect at damage-due prevents. Adds what counts
/// that damage.
bool may_suffer(AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner);
/// Compiles the verb prevent. `n`: its amount; empty: the number of `spec`. Critical damage comes first.
void prevent_damage(AttackDraft& attack, const load::OperationSpec& spec, int ship, game::Expression n,
                    game::Effect& effect);
/// Makes the first `effects` of the attack wait for the options at damage-due before they damage a ship.
void put_damage_aside(AttackDraft& attack, std::size_t effects);

// ---- what they are called (effect_labels.cpp) ----

/// The id of the card, or of the rule of the edition.
std::string_view label_id(const load::EffectSpec& spec, const Owner& owner);
/// Distinguishes effects of a card: the id, or the ship that the effect is about, or the ship that has the card.
std::string_view label_detail(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner);
/// What an answer costs or does: "focus", "damage".
std::string_view answer_detail(const load::OfferSpec& offer);

}  // namespace salvo::compile
