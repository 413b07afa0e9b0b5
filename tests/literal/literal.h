// The literal reference: attacks of both editions played die by die, straight from the rules text.
// In: ships, attacks in order, an objective and a policy for each role. Out: exact distributions and means.
// It is deliberately plain and slow, shares no code with the engines that it checks, and is meant for small scenarios.
// Rules are cited by document number and page, e.g. "000: Reinforce".
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace literal {

/// One ship as the scenario describes it, before the first attack.
struct Ship {
  std::string name;
  int side = 0;                       ///< +1 mine, -1 theirs, 0: derived from the attacks
  int attack = 0;                     ///< attack value, >= 0
  int agility = 0;                    ///< agility value, >= 0
  int hull = -1;                      ///< >= 1; -1: the ship cannot be destroyed
  int shields = 0;                    ///< active shields, >= 0
  std::string size = "small";         ///< small | medium | large | huge
  std::map<std::string, int> tokens;  ///< focus calculate evade force reinforce strain deplete tractor stress ion jam
                                      ///< cloak disarm; 0 when absent
  std::vector<std::string> locks;     ///< names of the ships it has locked, each once
};

/// One attack. Attacks happen in the order of the scenario.
struct Attack {
  std::string by, on;
  int range = 2;                  ///< attack range 0..5
  bool obstructed = false;        ///< by one or more obstacles
  bool reinforced = true;         ///< the attacker is in the arc of the defender's reinforce tokens
  std::optional<int> initiative;  ///< all attacks or none, never rising; equal values are simultaneous fire
  bool ordnance = false;          ///< the weapon has the ordnance icon: no range bonus for either player
};

/// A whole question. Objectives: damage, kill, health, exchange. Policies: optimal, greedy, hold.
struct Scenario {
  bool first_edition = false;  ///< the rules of the first edition: no attack range 0, tokens focus evade stress ion
                               ///< tractor cloak disarm; Attack::ordnance then means any secondary weapon
  bool deck = false;           ///< each side deals damage cards from its own second-edition damage deck
  std::string objective = "damage", attacker_policy = "optimal", defender_policy = "optimal";
  std::vector<Ship> ships;
  std::vector<Attack> attacks;
};

/// The outcome for one ship over all attacks.
struct ShipResult {
  std::map<std::pair<int, int>, double> joint;  ///< (uncancelled hits, uncancelled crits) taken -> probability
  double destroyed = 0.0;                       ///< probability that the damage reaches shields plus hull
  std::map<std::string, double> tokens_left;    ///< mean number of every kind of token, and "lock"
  std::map<int, double> damage;                 ///< with a deck: damage in all -> probability
  double faceup = 0.0;                          ///< mean number of damage cards dealt faceup
};

/// One attack's figures. The dice are means given that the attack happens (0 if it never does); the others are
/// unconditional.
struct AttackResult {
  double happens = 0.0, attack_dice = 0.0, defense_dice = 0.0;
  double hit_probability = 0.0, mean_hits = 0.0, mean_crits = 0.0;
};

/// The answer: value is mine minus theirs in the unit of the objective.
struct Result {
  double value = 0.0;
  std::map<std::string, ShipResult> ships;
  std::vector<AttackResult> attacks;
};

/// Plays the scenario over every chance event and every legal play. Mine maximises, theirs minimises; each role of
/// each attack follows its policy.
/// Throws std::invalid_argument when the scenario is wrong: unknown names or words, values out of range, sides that
/// contradict each other or cannot be found, rising or partly missing initiatives, an attack by a cloaked or disarmed
/// ship, a target without the hull that the objective needs.
/// Throws TooLarge if it would store more than `most` positions, each of 0.5 to 2 KB.
Result solve(const Scenario& scenario, std::size_t most = 10'000'000);

struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("the literal reference would remember too many positions") {}
};

}  // namespace literal
