// Advice: the value of each legal play at a decision point of a scenario, including everything still to come. In: a
// scenario and the point that play has reached. Out: values, and plays in a player's words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/provenance.h"
#include "salvo/scenario.h"

namespace salvo {

/// The roles of an attack.
enum class Role { Attacker, Defender };
constexpr const char* to_string(Role role) { return role == Role::Attacker ? "attacker" : "defender"; }

/// Reported tokens of a ship.
struct ReportedTokens {
  std::map<std::string, int> tokens = {};  ///< every kind except lock
  std::vector<std::string> locks = {};     ///< names of the ships that it has locked
  bool locks_complete = false;             ///< `locks` is complete; false: locks of the scenario remain
};

/// A decision point as players report it. Texts are words separated by spaces or commas. Unset members have not
/// happened yet.
struct DecisionSpec {
  int attack = 1;  ///< number of the attack at hand, from 1; the attacks before it are over
  std::optional<std::string> rolled = {}, defense_rolled = {};  ///< faces of the first roll: "hit focus focus blank"
  std::optional<std::string> rerolled = {},
                             defense_rerolled = {};  ///< rerolled dice, before=after: "blank=hit focus=blank"
  /// What attacker and defender have spent or used in this attack: ids of tokens and cards.
  std::optional<std::string> spent = {}, defense_spent = {};
  std::optional<Role> to_move = {};        ///< whose decision to advise; empty: the next one
  std::map<std::string, int> damage = {};  ///< by ship: suffered before this attack
  /// By ship, before this attack. A ship that is not listed has its tokens of the scenario; in a later round those that
  /// it would have if nothing had been spent, after the End Phases and the gains of the rounds.
  std::map<std::string, ReportedTokens> tokens = {};
  /// Ships that `damage` destroys stay until their initiative is over (docs/format.md: Destruction); false: such damage
  /// is refused.
  bool destroyed_stay = false;
};

/// The decision point cannot be reached. `path` is the member of DecisionSpec ("defense_rolled").
struct DecisionError : ScenarioError {
  using ScenarioError::ScenarioError;
};

/// What may still happen to one ship.
struct ShipChance {
  std::string ship;
  bool destructible = false;
  double destroyed = 0;          ///< probability at the end, including the damage suffered before
  double mean_damage = 0;        ///< still to come
  std::vector<double> at_least;  ///< probability of k or more damage still to come, from k = 0
};

/// A later play, and the probability of reaching it.
struct FollowUp {
  Role role = Role::Attacker;
  std::string play;
  double probability = 0;
};

/// A play as data, as the next DecisionSpec reports it.
struct PlayParts {
  std::vector<std::string> spends;   ///< what it spends and uses, each time once: words of DecisionSpec::spent
  std::vector<std::string> rerolls;  ///< faces of the dice that it rerolls
  std::string target;                ///< for a choice of target: the ship; else empty
};

/// One legal play.
struct PlayOption {
  std::string play;
  PlayParts parts;
  double value = 0;                      ///< of everything still to come, mine minus theirs
  double loss = 0;                       ///< against the best play, for the side that decides; at least 0
  double damage_loss = 0;                ///< objective kill: expected damage lost among plays of equal value; else 0
  double now = 0;                        ///< the part of `value` that this attack gains
  double later = 0;                      ///< the part that later attacks gain
  std::vector<ShipChance> chances;       ///< ships that can still be damaged
  std::vector<FollowUp> next_decisions;  ///< the next decision in this attack: plays with their probabilities
  double no_next_decision = 0;           ///< probability that no decision follows in this attack
};

/// One roll before a decision: the dice on the table and the best play.
struct RollAdvice {
  std::string roll, play;
  double probability = 0;
  double value = 0;
  double margin = 0;  ///< loss of the second-best play; 0 if there is only one
};

struct Advice : Provenance {
  int attack = 1;
  int round = 0;  ///< of this attack, from 1; 0 if the scenario has no rounds
  std::string by, on;
  std::optional<Role> to_move;      ///< empty: no decision is left in this attack
  std::string mover;                ///< the ship of the player to move
  std::string situation;            ///< dice and tokens, in words
  double value = 0;                 ///< when both roles follow their policies from here
  std::string policy_play;          ///< the play by the policy of the player to move
  std::vector<PlayOption> options;  ///< best first; empty before a roll
  std::vector<RollAdvice> rolls;    ///< before a roll: most likely first
  std::vector<FollowUp> plays;      ///< before a roll: how often each play is the best one
  double no_decision = 0;           ///< before a roll: probability that no decision follows
  std::vector<std::string>
      ship_titles;  ///< ships whose title differs from their name: "a1 Wedge Antilles (T-65 X-wing)"
};

/// Advises the player who decides next at a decision point of the scenario, with the exact engine. Only the overrides
/// and the budget of the options matter, but all options must be valid.
///
/// Thread-safe for one catalogue. Throws ScenarioError for an invalid option (path: its field), DecisionError for an
/// impossible point, LoadError for an invalid scenario, and PlanTooLarge.
Advice advise(const Catalogue& catalogue, const Scenario& scenario, const DecisionSpec& reported,
              const AnswerOptions& options = {});

/// One JSON object (docs/schemas/advise.schema.json), ending in a newline.
std::string to_json(const Advice& advice);
/// A table for a terminal of `width` columns; `colour`: ANSI colours allowed.
std::string to_table(const Advice& advice, int width = 80, bool colour = false);

}  // namespace salvo
