// A scenario as the user states it: ships with tokens and cards, the ordered attacks, the objective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "salvo/errors.h"

namespace salvo {

// Every member has an initializer, so that gcc does not warn about members missing from a designated initializer:
//     scenario.ships["red"] = {.ship = "t65xwing", .tokens = {{"focus", 1}}};

/// A key whose value is not known, only how probable each value is. answer() weights the answers for all values
/// (docs/format.md: Chances).
struct Unknown {
  /// Of a ship: a kind of token, or "lock". Of an attack: "range", "obstructed", "reinforced", "fact" (it holds or not)
  /// or "count" (a fact with a number).
  std::string key = {};
  std::string name = {};                            ///< the locked ship, or the fact; else empty
  std::vector<std::pair<int, double>> values = {};  ///< with their probabilities, which sum to 1
  bool operator==(const Unknown&) const = default;
};

/// A ship of the scenario; optional keys override the stat line of `ship` and `pilot`.
struct ScenarioShip {
  std::optional<std::string> side = {};  ///< "mine" or "theirs"
  std::optional<std::string> ship = {}, pilot = {};
  std::vector<std::string> upgrades = {};
  std::vector<std::string> conditions = {};  ///< condition cards assigned to it
  std::optional<int> attack = {}, agility = {}, hull = {}, shields = {};
  std::optional<std::string> size = {};
  std::map<std::string, int> tokens = {};  ///< every kind but lock
  std::vector<std::string> locks = {};     ///< names of the locked ships
  std::optional<std::string> docked = {};  ///< name of the ship docked with it
  std::vector<std::string> aids = {};      ///< effects without a card (profiles/cards/aid); not a key of files
  /// Damage cards from before the scenario: ids or names of those that lie faceup, and the number of the others. Each
  /// takes one hull.
  std::vector<std::string> faceup = {};
  int facedown = 0;
  std::vector<Unknown> unknowns = {};  ///< tokens and locks that it has by chance, besides those above
  bool operator==(const ScenarioShip&) const = default;
};

/// Which weapon a ship with upgrades uses if its attack names none. Best: the one with the highest mean damage (SPECs).
/// Primary: the primary weapon, and a note names a better one (files).
enum class UnnamedWeapon : std::uint8_t { No, Primary, Best };

/// One attack. Attacks happen in the order of the list.
struct ScenarioAttack {
  std::string by = {}, on = {};
  std::string weapon = "primary";
  int range = 2;
  bool obstructed = false;
  bool reinforced = true;
  std::vector<std::string> facts = {};
  std::optional<int> initiative = {};
  std::string bonus = {};  ///< the card that grants this attack as a bonus attack; empty: none
  /// Further possible targets: the attacker chooses among `on` and these when it attacks. With the weapon "best" it
  /// also chooses the weapon.
  std::vector<std::string> targets = {};
  int round = 0;  ///< index into Scenario::rounds; never decreases along the list of attacks
  /// Faces in place of a roll: those that were rolled, or the results after all modifications of these dice.
  using Faces = std::optional<std::vector<std::string>>;
  Faces rolled = {}, results = {}, defense_rolled = {}, defense_results = {};
  bool states_faces() const { return rolled || results || defense_rolled || defense_results; }
  UnnamedWeapon unnamed = UnnamedWeapon::No;
  std::vector<Unknown> unknowns = {};  ///< decided for this attack alone
  bool operator==(const ScenarioAttack&) const = default;
};

/// What a ship gains at the start of a round, before any ship engages.
struct GainedTokens {
  std::map<std::string, int> tokens = {};  ///< every kind but lock; negative: lost, as far as present
  std::vector<std::string> locks = {};     ///< names of ships
  bool operator==(const GainedTokens&) const = default;
};

/// A round of attacks. The End Phase comes between two rounds.
struct ScenarioRound {
  bool again = false;  ///< every ship regains the green tokens that it started the scenario with
  std::map<std::string, GainedTokens> gains = {};  ///< by ship
  bool operator==(const ScenarioRound&) const = default;
};

inline constexpr const char* kBestWeapon = "best";  ///< ScenarioAttack::weapon: the attacker chooses

/// One rule of a policy file: if it is the first that applies, it limits what a play may spend and reroll.
struct RuleSpec {
  std::string when;                                ///< condition over what the player sees; empty: always
  std::optional<int> spend;                        ///< tokens in all
  std::map<std::string, int> tokens;               ///< by kind: focus, lock, ...
  std::optional<std::vector<std::string>> reroll;  ///< only dice showing one of these faces
  std::optional<int> rerolls;                      ///< dice in all
  bool unanswered = false;                         ///< evaluates plays as if the opponent spent nothing in this attack
  int line = 0;                                    ///< in the file; 0: unknown
  bool operator==(const RuleSpec&) const = default;
};

/// A decision list. The first rule that applies limits the plays; among those, the player chooses the best for the
/// current attack alone (like the policy greedy, or as if the opponent spent nothing).
struct PolicySpec {
  std::string name, source;
  std::vector<RuleSpec> rules;
};

/// The `damage_deck` of a game without one.
inline constexpr const char* kNoDeck = "none";

/// A scenario. Plain data: its form is checked when it is loaded, its meaning when it is compiled.
struct Scenario {
  std::string rules = "second-edition";
  std::string cards;  ///< card set; empty: the default of the edition
  std::string objective = "damage";
  std::string damage_deck = kNoDeck;                                 ///< or the id of a damage deck of the edition
  std::optional<std::string> attacker_policy, defender_policy;       ///< "optimal", "greedy", "hold" or a file
  std::shared_ptr<const PolicySpec> attacker_rules, defender_rules;  ///< contents of policy files, once read
  std::map<std::string, ScenarioShip> ships;
  std::vector<ScenarioAttack> attacks;
  std::vector<ScenarioRound> rounds;  ///< empty: all attacks are in one round
  std::string roll;                   ///< "attack", "defense": that roll of the only attack alone; empty: attacks
  bool repeats = false;               ///< the source states `attacks` once, for all rounds

  std::string source;                ///< file name, "-" or "flags"; for messages
  std::map<std::string, int> lines;  ///< key path -> line in the source; absent: line of the parent
  std::vector<std::string> notes;    ///< how names that are not ids were interpreted; part of the answer
  /// Key path -> its origin: an option ("--objective") that replaced the key, or a SPEC ("--attack 2") that gave the
  /// key and all below it; empty: the key is not from the SPEC of its parent.
  std::map<std::string, std::string> given_by;
};

inline constexpr int kMaxRounds = 50;

/// The key path of an attack: "attacks[0]", "rounds[1].attacks[0]".
std::string attack_path(const Scenario& scenario, std::size_t attack);

/// Repeats the attacks of a scenario in each of `rounds` rounds. Ships regain their green tokens before every round but
/// the first. Throws ScenarioError if the scenario has its own rounds, or `rounds` is not from 1 to kMaxRounds.
void repeat_attacks(Scenario& scenario, int rounds);

/// The message for a ScenarioError: `file:line: path: what`, or `--option: what` for a key that an option replaced.
std::string describe(const Scenario& scenario, const ScenarioError& error);

}  // namespace salvo
