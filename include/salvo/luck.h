// Luck: an attack that was played, taken apart: what was to be expected, what the dice gave, what each decision lost.
// In: a scenario and what happened in one of its attacks. Out: parts that add up to the result, exactly.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "salvo/advise.h"

namespace salvo {

/// What happened. What is not told is filled in (Luck::filled_in).
struct PlayedAttack {
  /// The attack and how it went; of a role of which `spent` is empty nobody told, and "nothing" is told as an empty
  /// text. `attacker_moves` is not read.
  DecisionSpec point;
  std::optional<int> damage = {};  ///< that the defender suffered: results left over, and effects
};

/// The same thing in the two units. Both are seen from the attacker: what is above 0 is good for it.
struct Amount {
  double damage = 0;  ///< of this attack to its defender
  double value = 0;   ///< by the objective, of this attack and all that comes after it
};

/// Where chance comes in.
enum class ChanceKind { AttackRoll, AttackRerolls, DefenseRoll, DefenseRerolls, OtherDice, DamageCards };
inline constexpr int kChanceKinds = 6;
/// "attack_roll", ... as in JSON; "attack roll", ... for people.
const char* key_of(ChanceKind kind);
const char* words_of(ChanceKind kind);

/// The luck in one kind of chance.
struct LuckPart {
  ChanceKind kind = ChanceKind::AttackRoll;
  Amount luck;
  bool happened = false;  ///< dice of this kind were rolled, or cards dealt
  bool told = false;      ///< which; else the mean of all that fits what was told
};

/// A decision and what it cost.
struct DecisionMade {
  bool attacker = false;
  std::string ship, situation;  ///< dice on the table
  std::string play, better;     ///< `better` is the best play, which may be `play`
  bool told = false;            ///< else the best play that fits what was told
  double probability = 1;       ///< that it came to this, given what was told; below 1 where something was not
  /// By this decision, times `probability`, seen from the attacker. By the objective never good for who decides.
  Amount change;
  double loss = 0;  ///< of the value for the side that decides, times `probability`; never below 0 but for rounding
  /// The same in damage: below 0 where the objective wants something else than damage.
  double damage_lost() const { return attacker ? -change.damage : change.damage; }
};

/// expected + luck + skill = result, in both units.
struct Luck : Provenance {
  int attack = 1;
  int round = 0;  ///< of this attack, from 1; 0 where the scenario has no rounds
  std::string by, on;
  Amount expected, luck, skill, result;
  std::vector<LuckPart> parts;          ///< one of each kind, in order; their sum is `luck`
  std::vector<DecisionMade> decisions;  ///< in order; the sum of their changes is `skill`
  std::vector<double> pmf;              ///< with best play, before the first die: probability of each damage
  double at_least = 0, at_most = 0;     ///< chance of the result's damage or more, or less, with best play
  double destroyed = 0;                 ///< chance that this attack destroys its defender; 0 for ships without a hull
  double likelihood = 0;                ///< of what was told, with the decisions as they were
  /// By ship and token (or "lock", "charge:<card>"): how many fewer there are after the attack than before it, or the
  /// mean; below 0: more. The price of the weapon counts.
  std::map<std::pair<std::string, std::string>, double> spent;
  /// The part of `spent` that goes back to plays which nobody told.
  std::map<std::pair<std::string, std::string>, double> spent_untold;
  std::vector<std::string> filled_in;  ///< what was not told, and what was taken for it
};

/// Takes an attack apart. Both players are measured by best play, whatever policies the scenario names. The exact
/// engine answers. Safe to call from several threads at once with one catalogue.
///
/// Throws ScenarioError when an option cannot be, DecisionError when it cannot have happened so (path: the member of
/// DecisionSpec; "damaged" for DecisionSpec::damage, "damage" for PlayedAttack::damage), LoadError when the scenario
/// cannot be played, and PlanTooLarge.
Luck luck(const Catalogue& catalogue, const Scenario& scenario, const PlayedAttack& spec,
          const AnswerOptions& options = {});

/// One JSON object (docs/schemas/luck.schema.json), ending in a newline.
std::string to_json(const Luck& luck);
/// A table for a terminal of `width` columns; `colour`: ANSI colours allowed.
std::string to_table(const Luck& luck, int width = 80, bool colour = false);

}  // namespace salvo
