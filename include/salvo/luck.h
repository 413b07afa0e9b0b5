// Luck: an attack that was played, split into the expectation, the luck of the dice, and the loss of each decision. In:
// a scenario and what happened in one of its attacks. Out: parts that add up to the result exactly.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "salvo/advise.h"

namespace salvo {

/// What happened. Whatever was not reported is filled in (Luck::filled_in).
struct PlayedAttack {
  /// The attack and how it went. An unset `spent` means unknown; an empty string means that nothing was spent.
  /// `to_move` is ignored.
  DecisionSpec point;
  std::optional<int> damage = {};  ///< suffered by the defender: uncancelled results, and effects
};

/// A quantity in both units, from the attacker's point of view: above 0 is good for the attacker.
struct Amount {
  double damage = 0;  ///< of this attack to its defender
  double value = 0;   ///< by the objective, of this attack and everything after it
};

/// Sources of chance.
enum class ChanceKind { AttackRoll, AttackRerolls, DefenseRoll, DefenseRerolls, OtherDice, DamageCards };
inline constexpr int kChanceKinds = 6;
/// As in JSON ("attack_roll"), and for people ("attack roll").
const char* to_string(ChanceKind kind);
const char* words_of(ChanceKind kind);

/// The luck of one source of chance.
struct LuckPart {
  ChanceKind kind = ChanceKind::AttackRoll;
  Amount luck;
  bool happened = false;  ///< dice of this kind were rolled, or cards dealt
  bool observed = false;  ///< its outcomes were reported; false: the mean of all that agree with the report
};

/// A decision and what it cost.
struct DecisionMade {
  Role role = Role::Attacker;
  std::string ship, situation;  ///< the dice on the table
  std::string play, better;     ///< `better` is the best play, which may be `play`
  bool observed = false;        ///< the play was reported; false: the best play that agrees with the report
  double probability = 1;       ///< of reaching it, given the report; below 1 if something was not reported
  /// What this decision changed, times `probability`, from the attacker's point of view. By the objective it never
  /// favours the player who decides.
  Amount change;
  double loss = 0;  ///< of value for the side that decides, times `probability`; at least 0, except for rounding
  /// The same in damage; below 0 if the objective is not about damage.
  double damage_lost() const { return role == Role::Attacker ? -change.damage : change.damage; }
};

/// expected + luck + skill = result, in both units.
struct Luck : Provenance {
  int attack = 1;
  int round = 0;  ///< of this attack, from 1; 0 if the scenario has no rounds
  std::string by, on;
  Amount expected, luck, skill, result;
  std::vector<LuckPart> parts;          ///< one of each kind, in order; they add up to `luck`
  std::vector<DecisionMade> decisions;  ///< in order; their changes add up to `skill`
  std::vector<double> pmf;              ///< with optimal play, before the first die: probability of each damage
  double at_least = 0, at_most = 0;     ///< chance of at least and at most the result's damage with optimal play
  double destroyed = 0;                 ///< chance that this attack destroys its defender; 0 for ships without a hull
  double likelihood = 0;                ///< probability of what was reported, given the decisions
  /// By ship and token (or "lock", "charge:<card>"): how many fewer there are after the attack than before, or the
  /// mean; below 0: more. Includes the price of the weapon.
  std::map<std::pair<std::string, std::string>, double> spent;
  /// The part of `spent` due to plays that were not reported.
  std::map<std::pair<std::string, std::string>, double> spent_unreported;
  std::vector<std::string> filled_in;  ///< what was not reported, and what was assumed instead
};

/// Analyses an attack with the exact engine. Both players are measured against optimal play, whatever policies the
/// scenario names. Thread-safe for one catalogue.
///
/// Throws ScenarioError for an invalid option, DecisionError if the attack cannot have gone like this (path: the member
/// of DecisionSpec; "damaged" for DecisionSpec::damage, "damage" for PlayedAttack::damage), LoadError for an invalid
/// scenario, and PlanTooLarge.
Luck luck(const Catalogue& catalogue, const Scenario& scenario, const PlayedAttack& spec,
          const AnswerOptions& options = {});

/// One JSON object (docs/schemas/luck.schema.json), ending in a newline.
std::string to_json(const Luck& luck);
/// A table for a terminal of `width` columns; `colour`: ANSI colours allowed.
std::string to_table(const Luck& luck, int width = 80, bool colour = false);

}  // namespace salvo
