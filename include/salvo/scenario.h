// Scenario: the question in the user's words: ships with tokens and cards, the ordered attacks, the objective.
// In: a TOML or JSON file, or flags. Out: what rules/compile turns into a Plan.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/errors.h"

namespace salvo {

// Each member has an initializer, so that gcc does not warn of those that an initializer with names leaves out:
//     scenario.ships["red"] = {.ship = "t65xwing", .tokens = {{"focus", 1}}};

/// A ship of the scenario; optional keys override the stat line of `ship` and `pilot`.
struct ScenarioShip {
  std::optional<std::string> side = {};  ///< "mine" or "theirs"
  std::optional<std::string> ship = {}, pilot = {};
  std::vector<std::string> upgrades = {};
  std::vector<std::string> conditions = {};  ///< condition cards that were given to it
  std::optional<int> attack = {}, agility = {}, hull = {}, shields = {};
  std::optional<std::string> size = {};
  std::map<std::string, int> tokens = {};  ///< every kind but lock
  std::vector<std::string> locks = {};     ///< names of the ships it has locked
  std::optional<std::string> docked = {};  ///< the ship of the scenario that is docked with it
  std::vector<std::string> aids = {};  ///< effects that are no cards (profiles/cards/aid); not a key of scenario files
  bool operator==(const ScenarioShip&) const = default;
};

/// One attack, in the order they happen.
struct ScenarioAttack {
  std::string by = {}, on = {};
  std::string weapon = "primary";
  int range = 2;
  bool obstructed = false;
  bool reinforced = true;
  std::vector<std::string> facts = {};
  std::optional<int> initiative = {};
  std::string bonus = {};  ///< the card that grants this attack as a bonus attack; empty: none
  /// Further ships that it may be on: when the attack comes, the attacker chooses among `on` and these. With the weapon
  /// "best" it chooses the weapon, too.
  std::vector<std::string> targets = {};
  int round = 0;  ///< its place among Scenario::rounds; never falls along the list of attacks
  bool operator==(const ScenarioAttack&) const = default;
};

/// What a ship gains at the start of a round, before anybody engages.
struct GainedTokens {
  std::map<std::string, int> tokens = {};  ///< every kind but lock; negative: are lost, as far as they are there
  std::vector<std::string> locks = {};     ///< names of ships
  bool operator==(const GainedTokens&) const = default;
};

/// A round of attacks. The End Phase comes between two rounds.
struct ScenarioRound {
  bool again = false;  ///< every ship gains the green tokens again that it began the scenario with
  std::map<std::string, GainedTokens> gains = {};  ///< by ship
  bool operator==(const ScenarioRound&) const = default;
};

inline constexpr const char* kBestWeapon = "best";  ///< ScenarioAttack::weapon: the attacker chooses

/// One rule of a policy file: when it is the first that holds, what a play may spend and reroll at most.
struct RuleSpec {
  std::string when;                                ///< condition over what the player sees; empty: always
  std::optional<int> spend;                        ///< tokens in all
  std::map<std::string, int> tokens;               ///< by kind: focus, lock, ...
  std::optional<std::vector<std::string>> reroll;  ///< only dice that show one of these faces
  std::optional<int> rerolls;                      ///< dice in all
  bool unanswered = false;                         ///< measures plays as if the opponent spent nothing in this attack
  int line = 0;                                    ///< in the file; 0: unknown
  bool operator==(const RuleSpec&) const = default;
};

/// A decision list: the first rule that holds limits the play; among the plays it allows, the player takes the best
/// for the current attack alone (as the policy greedy measures it, or as if the opponent spent nothing).
struct PolicySpec {
  std::string name, source;
  std::vector<RuleSpec> rules;
};

/// The question. Plain data: `load` checks its form, `compile` its meaning.
struct Scenario {
  std::string rules = "second-edition";
  std::string cards;  ///< card set; empty: the usual one of the rules
  std::string objective = "damage";
  std::string damage_deck = "none";                                  ///< "none", or a damage deck of the edition
  std::optional<std::string> attacker_policy, defender_policy;       ///< optimal, greedy, hold, or the name of a file
  std::shared_ptr<const PolicySpec> attacker_rules, defender_rules;  ///< of a policy that is a file, once it is read
  std::map<std::string, ScenarioShip> ships;
  std::vector<ScenarioAttack> attacks;
  std::vector<ScenarioRound> rounds;  ///< empty: all attacks are in one round
  bool repeats = false;               ///< `attacks` of the source are those of the first round, and of each other one

  std::string source;                ///< file name, "-" or "flags"; for messages
  std::map<std::string, int> lines;  ///< key path -> line in the source; without those in the line of what they lie in
  std::vector<std::string> notes;    ///< how names were understood that were no ids; part of the answer
  /// Key path -> what gave it: an option ("--objective") in the place of the key, a SPEC ("--attack 2") with all below
  /// it; empty: the SPEC above it did not.
  std::map<std::string, std::string> given_by;
};

inline constexpr int kMaxRounds = 50;

/// Where attack number `attack` stands in the scenario: "attacks[0]", "rounds[1].attacks[0]".
std::string attack_path(const Scenario& scenario, std::size_t attack);

/// Has the attacks of a scenario happen in each of so many rounds, before each of which but the first ships gain their
/// green tokens again. Throws ScenarioError for a scenario that has several rounds of its own, and for a number that is
/// not from 1 to kMaxRounds.
void repeat_attacks(Scenario& scenario, int rounds);

/// The message for a ScenarioError: `file:line: path: what`, or `--option: what` for a key that an option replaced.
std::string describe(const Scenario& scenario, const ScenarioError& error);

}  // namespace salvo
