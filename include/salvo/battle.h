// Battles: two squads fight round after round until one is gone. Estimates who wins, by how many points, and which
// ships survive. docs/battles.md describes the model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/engine.h"
#include "salvo/estimates.h"
#include "salvo/provenance.h"
#include "salvo/scenario.h"
#include "salvo/squad.h"

namespace salvo {

inline constexpr int kMaxBattleShips = 8;  ///< of a side
inline constexpr int kMaxBattleRounds = 100;

/// A ship of a battle.
struct BattleShip {
  std::string name;                    ///< unique in the battle
  ScenarioShip ship;                   ///< its cards and initial tokens
  std::optional<int> initiative = {};  ///< empty: that of the pilot, else 0
  std::optional<int> points = {};      ///< empty: those of the card set
};

/// The ships of a player.
struct BattleSide {
  std::string name;          ///< may be empty: answers then say "my ships", "their ships" or "squad 2"
  std::string rules, cards;  ///< edition and card set of its ids; empty: as the other side, or the default
  std::vector<BattleShip> ships;
  std::vector<std::string> notes;  ///< how its text was interpreted
  std::string ruleset = {};        ///< whose points its ships were built with (Squad::ruleset); empty: unknown
};

/// Makes a side of a squad, of SPECs (docs/format.md), or of text in TOML or JSON: a table `ships` by name with the
/// keys of the ships of a scenario, and `initiative` and `points`. They throw LoadError.
BattleSide battle_side(const Squad& squad);
BattleSide battle_side(const Catalogue& catalogue, const std::vector<std::string>& specs, const std::string& rules,
                       const std::string& cards);
BattleSide parse_battle_side(std::string_view text, const std::string& source);

/// How a player chooses targets and weapons; actions follow the same measure (docs/battles.md: Policies).
/// The exact engine solves Best (for the current engagement) and Optimal (for the whole battle).
enum class BattlePolicy { Greedy, FocusFire, LikeliestKill, Points, Best, Optimal, Value, Sound };
inline constexpr BattlePolicy kDefaultPolicy = BattlePolicy::Sound;
std::string_view to_string(BattlePolicy policy);
std::vector<std::string> battle_policy_names();

/// The first player: drawn at random in each round (000: Planning Phase), or always the same.
enum class FirstPlayer { Random, Mine, Theirs };

/// Who wins when the battle is over. LastStanding: the only side with ships left, else the one with more points.
/// Points: the one with more points, even if only the other has ships left (000: Winning The Game).
enum class BattleWin { LastStanding, Points };

/// Which ships give half of their points once they lost half of their hull and shields.
enum class HalfPoints { All, Large, None };
inline constexpr std::array kBattleWinNames{"last-standing", "points"};
inline constexpr std::array kHalfPointsNames{"all", "large", "none"};
constexpr const char* to_string(BattleWin win) { return kBattleWinNames[static_cast<std::size_t>(win)]; }
constexpr const char* to_string(HalfPoints which) { return kHalfPointsNames[static_cast<std::size_t>(which)]; }

/// How a battle is scored (docs/battles.md: Points).
struct BattleScore {
  BattleWin win = BattleWin::LastStanding;
  HalfPoints half_points = HalfPoints::All;
  int squad_points = 0;  ///< limit of a squad: each side earns the other's deficit; 0: deficits do not count
  int end_points = 0;    ///< the battle ends after a round in which a side has this many; 0: no limit
  bool operator==(const BattleScore&) const = default;
};

/// A battle to estimate.
struct BattleQuestion {
  BattleSide mine, theirs;
  std::string flight = "joust";  ///< id in the profiles, or the path of a file
  std::string flight_text = {};  ///< a flight in TOML or JSON; overrides `flight` unless empty
  int rounds = 12;               ///< maximum number of rounds, 1 to kMaxBattleRounds
  FirstPlayer first = FirstPlayer::Random;
  BattlePolicy my_policy = kDefaultPolicy, their_policy = kDefaultPolicy;
  std::string damage_deck = kNoDeck;  ///< or the id of a damage deck of the edition; each side has its own copy
  BattleScore score = {};
  /// Names of enemy ships, first target first. A ship that can attack one of them attacks the first that it can; the
  /// policy chooses the weapon, and the target otherwise.
  std::vector<std::string> my_target_order = {}, their_target_order = {};
};

inline constexpr std::uint64_t kDefaultBattles = 200'000;
inline constexpr std::uint64_t kDefaultWorthBattles = 50'000;  ///< for each change (battle_worth)

struct BattleOptions {
  std::optional<EngineChoice> engine = {};  ///< empty: exact if it fits (three ships at most), else sampled
  std::optional<double> budget = {};        ///< maximum outcomes of the exact engine; empty: 2e7
  std::optional<std::uint64_t> trials = {};
  std::optional<double> precision = {};  ///< sample until the 95 % half-width of the win chance is at most this
  std::uint64_t seed = 1;
  int threads = 0;           ///< 0: all cores. Never changes the answer.
  bool sensitivity = false;  ///< also play some battles with other policies and flights; not for solved play
  bool reference = false;    ///< roll every die instead of using tables: slow, specifies the sampling
  std::function<bool(std::uint64_t done, std::uint64_t planned)> progress = {};  ///< as in AnswerOptions
};

/// Estimates of one ship.
struct BattleShipEstimates {
  std::string name, title;
  bool mine = true;
  int initiative = 0, points = 0, hull = 0, shields = 0;
  std::vector<std::string> kinds;  ///< in flights: "jouster", "ace", "turret", "large"
  std::vector<Estimate> alive;     ///< after each round, beginning with round 0
  Estimate survives, last;         ///< present at the end; the only ship then
  Estimate shots, damage_done, damage_taken, points_earned;
};

/// What solved play does with a ship in the round that begins in a position.
struct BattleTactic {
  struct Frequency {
    std::string what;
    double share = 0;  ///< probability, or mean number
  };
  int health = 0;
  std::string has;                 ///< tokens, charges and lock at the start of the round; may be empty
  std::vector<Frequency> actions;  ///< most frequent first
  std::vector<Frequency> weapons;
  std::vector<Frequency> attack_spends, defense_spends;  ///< means in the round
};

/// A position at the start of a round, and the play in it.
struct BattlePosition {
  int round = 1;
  double probability = 0;           ///< of reaching it
  double value = 0;                 ///< chance to win, a draw counted half
  std::vector<BattleTactic> ships;  ///< as BattleReport::ships; health 0: gone
};

/// Proven bounds of solved play without a limit of rounds.
struct BattleBounds {
  double lower = 0, upper = 1;  ///< of the chance to win, a draw counted half
  int rounds = 0;               ///< examined
};

/// The chance to win under another choice: the policy of both sides, or the flight.
struct BattleVariant {
  std::string choice;
  Estimate value;  ///< a draw counted half
};

/// How the result depends on choices that are not part of a list.
struct BattleSensitivity {
  std::uint64_t battles = 0;  ///< of each variant
  std::vector<BattleVariant> policies, flights;
  std::string summary;  ///< a sentence, where a choice moves the chance by more than five points; else empty
};

/// The answer to a BattleQuestion.
struct BattleReport : Provenance {
  Engine engine = Engine::Exact;  ///< Exact, Sample or Both
  std::string engine_reason;      ///< why, where salvo chose the engine; may be empty
  bool solved_by_sound = false;   ///< the policy sound solved the play (docs/battles.md: The policy sound)
  std::string flight, flight_name;
  int max_rounds = 0;
  std::string first, my_policy, their_policy;
  std::string damage_deck;  ///< its id; empty: none
  BattleScore score = {};
  std::string my_name, their_name;
  std::vector<std::string> assumptions;  ///< of the model, in sentences
  Estimate win, draw, loss;
  Estimate my_points, their_points;                  ///< earned
  std::vector<std::pair<int, Estimate>> difference;  ///< distribution of my points minus theirs
  std::vector<Estimate> rounds;                      ///< probability of exactly k rounds
  Estimate mean_rounds;
  std::vector<BattleShipEstimates> ships;
  std::uint64_t trials = 0, seed = 0;  ///< 0 trials: exact
  bool interrupted = false;
  double g_test = 1;                             ///< engine Both: p of the G-test of result, rounds and points
  std::optional<BattleBounds> bounds;            ///< for solved play (BattlePolicy::Best, Optimal)
  std::optional<BattleSensitivity> sensitivity;  ///< where requested, not for solved play
  std::vector<BattlePosition> positions;         ///< for solved play: the likeliest ones, by round
};

/// Estimates a battle. The same catalogue, question and options give the same answer, bit for bit, for any number of
/// threads. Throws ScenarioError, LoadError, and PlanTooLarge where the exact engine was requested and does not fit.
BattleReport play_battle(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options = {});

/// For a report of both engines, whether its G-test passes (p >= 1e-6, as CrossCheck::agree); else true.
bool engines_agree(const BattleReport& report);

/// The worth of a part of my side: how it changes the chance to win, a draw counted half.
struct BattleWorthEntry {
  std::string ship;           ///< empty: the whole side
  std::string what;           ///< "upgrade predator", "pilot", "one more hull", "initiative 4 instead of 3", ...
  std::optional<int> points;  ///< its cost, where the card set has one
  Estimate gain;              ///< with it minus without it
};

/// A change that could not be evaluated.
struct BattleWorthSkipped {
  std::string ship, what, why;
};

struct BattleWorth {
  BattleReport baseline;
  Estimate value;                         ///< chance to win, a draw counted half
  std::vector<BattleWorthEntry> entries;  ///< by gain, largest first
  std::vector<BattleWorthSkipped> skipped;
  bool interrupted = false;
};

/// Evaluates each upgrade of my ships, each pilot (against the cheapest of the same ship), one more hull, one more
/// initiative, and being the first player. Sampled battles share random numbers, and standard errors are those of the
/// differences. `progress` counts the battles of all changes. Throws as play_battle() does, and ScenarioError for a
/// precision or for reference dice.
BattleWorth battle_worth(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options = {});

std::string to_json(const BattleWorth& worth);
std::string to_csv(const BattleWorth& worth);
std::string to_table(const BattleWorth& worth, int width = 80, bool colour = false);
std::string to_html(const BattleWorth& worth);  ///< the report on worth.baseline, with the worth

std::string to_json(const BattleReport& report);
std::string to_csv(const BattleReport& report);
std::string to_table(const BattleReport& report, int width = 80, bool colour = false);
/// A self-contained HTML report without scripts.
std::string to_html(const BattleReport& report);

}  // namespace salvo
