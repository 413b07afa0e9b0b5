// An attack of a scenario while it is compiled: what weapons, facts and effects share.
#pragma once

#include <array>
#include <map>
#include <set>

#include "rules/compile_parts.h"
#include "rules/expression.h"

namespace salvo::rules {

/// What is forbidden in an attack (verb forbid).
struct Forbidden {
  bool add_attack_dice = false;
  bool reduce_defense_dice[2] = {false, false};          ///< by role of the owner: 0 defender, 1 attacker
  bool modify[2][2] = {{false, false}, {false, false}};  ///< [owner is attacker][attack dice]
  bool cancel[2][2] = {{false, false}, {false, false}};
};

/// One attack while it is compiled.
struct AttackDraft {
  Draft& draft;
  const ScenarioAttack& given;
  std::string path;
  AttackPlan plan;
  WeaponSpec weapon;
  bool primary = true;
  Forbidden forbidden;
  /// Effects by window, role of the owner (0 defender, 1 attacker) and whether they are optional.
  std::map<std::pair<Window, bool>, std::array<std::vector<int>, 2>> by_window;
  /// Board facts that an effect asked about.
  mutable std::set<std::string, std::less<>> facts_read;
};

/// Finds the weapon of the attack and checks its range.
void choose_weapon(AttackDraft& attack);
/// A disarmed or cloaked ship cannot attack (000: Disarmed, Cloak); an edition knows some ranges.
void check_attack(const AttackDraft& attack);
/// Tokens in the header of a weapon ("Attack (lock)") must be there, but are not paid (000: Special_Weapon).
void require_tokens(AttackDraft& attack);

/// The resource of a token word of one of the two ships, or -1 when it has none. `charge` needs the owner's card.
int resource_of(const AttackDraft& attack, std::string_view token, bool of_attacker, const Owner* owner = nullptr);
/// Index of a face of a die, or -1.
int face_of(const DieSpec& die, std::string_view name);
/// The condition or count `text` of an effect; empty for an empty text. Throws LoadError.
Expression compile_expression(const AttackDraft& attack, const EffectSpec& spec, const std::string& text,
                              const Owner& owner);
/// Every stated fact has to be one that is known.
void check_facts(const AttackDraft& attack);
/// A stated fact that nothing reads is no error, but the user should know.
void note_facts(const AttackDraft& attack);

/// Costs of an effect or weapon; false when the ship can never pay them.
bool compile_costs(const AttackDraft& attack, const std::vector<CostSpec>& specs, const Owner& owner,
                   std::vector<Cost>& out);
/// Compiles the effects of the edition and of the cards of both ships into the plan and its windows.
void add_effects(AttackDraft& attack);

}  // namespace salvo::rules
