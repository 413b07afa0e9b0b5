// Advice: what each legal play at a point of a scenario is worth, against everything that is still to come.
// In: a scenario and where it stands. Out: numbers and plays in a player's words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/provenance.h"
#include "salvo/scenario.h"

namespace salvo {

/// Tokens of a ship as told.
struct ReportedTokens {
  std::map<std::string, int> tokens = {};  ///< every kind but lock
  std::vector<std::string> locks = {};     ///< names of ships that it has locked
  bool no_other_locks = false;             ///< it has these alone; else those, too, that it would have
};

/// A point of a scenario as players tell it. Texts are words separated by spaces or commas. What is not given has not
/// happened yet.
struct DecisionSpec {
  int attack = 1;  ///< number of the attack at hand, from 1; those before it are over
  std::optional<std::string> rolled = {}, defense_rolled = {};  ///< faces of the first roll: "hit focus focus blank"
  std::optional<std::string> rerolled = {},
                             defense_rerolled = {};  ///< dice rolled again, before=after: "blank=hit focus=blank"
  /// What attacker and defender spent or used in this attack so far: ids of tokens and cards.
  std::optional<std::string> spent = {}, defense_spent = {};
  std::optional<bool> attacker_moves = {};  ///< whose decision is wanted; empty: the one that comes first
  std::map<std::string, int> damage = {};   ///< by ship: suffered before this attack
  /// By ship: before this attack. What is not told the ship has as the scenario says; in a later round what it would
  /// have if nothing had been spent, after the End Phases and what the rounds give.
  std::map<std::string, ReportedTokens> tokens = {};
  /// Ships that `damage` destroys are still there, as those that share an initiative with who destroyed them
  /// (docs/format.md: Destruction); else such damage is refused.
  bool destroyed_stay = false;
};

/// A point that cannot be reached, or is not one. `path` is the member of DecisionSpec ("defense_rolled").
struct DecisionError : ScenarioError {
  using ScenarioError::ScenarioError;
};

/// What may still happen to one ship.
struct ShipChance {
  std::string ship;
  bool destructible = false;
  double destroyed = 0;          ///< probability at the end, with the damage it has suffered before
  double mean_damage = 0;        ///< still to come
  std::vector<double> at_least;  ///< probability that k damage or more are still to come, from k = 0
};

/// A play that follows, for some dice, and how likely it comes to it.
struct FollowUp {
  bool attacker = false;
  std::string play;
  double probability = 0;
};

/// A play as data: what is to be told of it as the next point (DecisionSpec).
struct PlayParts {
  std::vector<std::string> spends;   ///< what it spends and uses, once for each time: words of DecisionSpec::spent
  std::vector<std::string> rerolls;  ///< faces of the dice that it rolls again
  std::string target;                ///< a choice of target: the ship; else empty
};

/// One legal play.
struct PlayOption {
  std::string play;
  PlayParts parts;
  double value = 0;                 ///< of everything still to come, mine minus theirs
  double loss = 0;                  ///< against the best play, for the side that decides; never below 0
  double damage_loss = 0;           ///< Objective kill: expected damage given up where the values are equal; else 0
  double now = 0;                   ///< part of `value` that this attack gains
  double later = 0;                 ///< part that later attacks gain
  std::vector<ShipChance> chances;  ///< ships that can still be damaged
  std::vector<FollowUp> then;       ///< the next decision in this attack: plays with their probabilities
  double then_nothing = 0;          ///< probability that nothing more is decided in this attack: the rest of `then`
};

/// One roll before a decision: the dice on the table and the best play.
struct RollAdvice {
  std::string roll, play;
  double probability = 0;
  double value = 0;
  double margin = 0;  ///< what the second best play loses; 0 where there is one play
};

struct Advice : Provenance {
  int attack = 1;
  int round = 0;  ///< of this attack, from 1; 0 where the scenario has no rounds
  std::string by, on;
  std::optional<bool> attacker_moves;  ///< empty: nobody has anything to decide any more in this attack
  std::string mover;                   ///< the ship of the player to move
  std::string situation;               ///< dice and tokens, in words
  double value = 0;                    ///< when both roles follow their policies from here on
  std::string policy_play;             ///< what the policy of the player to move does
  std::vector<PlayOption> options;     ///< best first; empty before a roll
  std::vector<RollAdvice> rolls;       ///< before a roll: most likely first
  std::vector<FollowUp> plays;         ///< before a roll: how often each play is the best one
  double no_decision = 0;              ///< before a roll: probability that nothing is to be decided
  std::vector<std::string> who;  ///< ships with a name besides that of the scenario: "a1 Wedge Antilles (T-65 X-wing)"
};

/// Advises the player who decides next at a point of the scenario. The exact engine answers: of the options its
/// overrides and its budget count, and the others have to be valid.
///
/// Safe to call from several threads at once with one catalogue. Throws ScenarioError when an option cannot be (path:
/// its field), DecisionError when the point cannot be, LoadError when the
/// scenario cannot be played, and PlanTooLarge.
Advice advise(const Catalogue& catalogue, const Scenario& scenario, const DecisionSpec& point,
              const AnswerOptions& options = {});

/// One JSON object (docs/schemas/advise.json), ending in a newline.
std::string to_json(const Advice& advice);
/// A table for a terminal of `width` columns; `colour`: ANSI colours allowed.
std::string to_table(const Advice& advice, int width = 80, bool colour = false);

}  // namespace salvo
