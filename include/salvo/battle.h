// Battle: two squads fight round after round, until one is gone. Who wins, with which points, and which ship lives.
// In: two sides, a flight (who can shoot whom), policies. Out: chances, exact or sampled. How: docs/battles.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/estimates.h"
#include "salvo/provenance.h"
#include "salvo/scenario.h"
#include "salvo/squad.h"

namespace salvo {

inline constexpr int kMaxBattleShips = 8;  ///< of a side
inline constexpr int kMaxBattleRounds = 100;

/// A ship of a battle.
struct BattleShip {
  std::string name;                    ///< unlike all others of the battle
  ScenarioShip ship;                   ///< its cards, and the tokens with which it begins
  std::optional<int> initiative = {};  ///< empty: the pilot's, else 0
  std::optional<int> points = {};      ///< what it is worth; empty: what the card set says
};

/// The ships of a player.
struct BattleSide {
  std::string name;          ///< empty: it has none, and answers call it "my ships", "their ships" or "squad 2"
  std::string rules, cards;  ///< edition and card set of its ids; empty: whatever the other side says, or the usual
  std::vector<BattleShip> ships;
  std::vector<std::string> notes;  ///< how it was read
  std::string ruleset = {};        ///< by which points its ships were built (Squad::ruleset); empty: not known
};

/// A side from a squad, from SPECs (docs/format.md), or from text in TOML or JSON: a table `ships` by name with the
/// keys of a scenario's ships, and `initiative` and `points`. Throw LoadError.
BattleSide battle_side(const Squad& squad);
BattleSide battle_side(const Catalogue& catalogue, const std::vector<std::string>& specs, const std::string& rules,
                       const std::string& cards);
BattleSide parse_battle_side(std::string_view text, const std::string& source);

/// How a player chooses targets and weapons; actions follow the same measure (docs/battles.md: Policies).
/// Best and Optimal are solved by the exact engine: the one for the engagement at hand, the other for the whole battle.
enum class BattlePolicy { Greedy, FocusFire, LikeliestKill, Points, Best, Optimal };
std::string_view name_of(BattlePolicy policy);
std::optional<BattlePolicy> battle_policy_of(std::string_view name);
std::vector<std::string> battle_policy_names();

/// Who is the first player: drawn anew in each round (000: Planning Phase), or always the same.
enum class FirstPlayer { Random, Mine, Theirs };

/// The question.
struct BattleQuestion {
  BattleSide mine, theirs;
  std::string flight = "joust";  ///< id of the profiles, or the name of a file
  std::string flight_text = {};  ///< a flight of one's own in TOML or JSON; wins over `flight` where not empty
  int rounds = 12;               ///< most rounds, 1 to kMaxBattleRounds
  FirstPlayer first = FirstPlayer::Random;
  BattlePolicy my_policy = BattlePolicy::Greedy, their_policy = BattlePolicy::Greedy;
  std::string damage_deck = "none";  ///< "none", or a damage deck of the edition: each side has one of its own
};

inline constexpr std::uint64_t kDefaultBattles = 200'000;
inline constexpr std::uint64_t kDefaultWorthBattles = 50'000;  ///< of each change (battle_worth)

struct BattleOptions {
  std::optional<EngineChoice> engine = {};  ///< empty: exact where it fits (three ships at most), else sampled
  std::optional<double> budget = {};        ///< outcomes that the exact engine may follow; empty: 2e7
  std::optional<std::uint64_t> trials = {};
  std::optional<double> precision = {};  ///< sample until the 95 % half-width of the win chance is at most this
  std::uint64_t seed = 1;
  int threads = 0;     ///< 0: all cores. Never changes the answer.
  bool plain = false;  ///< roll every die, without tables of outcomes: slow, the specification of sampling
  std::function<bool(std::uint64_t done, std::uint64_t planned)> progress = {};  ///< as in AnswerOptions
};

/// What became of one ship.
struct BattleShipEstimates {
  std::string name, title;
  bool mine = true;
  int initiative = 0, points = 0, hull = 0, shields = 0;
  std::vector<std::string> kinds;  ///< as flights call it: "jouster", "ace", "turret", "large"
  std::vector<Estimate> alive;     ///< after each round; the first entry: at the start
  Estimate survives, last;         ///< is there at the end; is the only ship there
  Estimate shots, damage_done, damage_taken, points_earned;
};

/// What a ship does in the round that begins in a position, in the play that was solved.
struct BattleTactic {
  struct Often {
    std::string what;
    double share = 0;  ///< how often, or how many
  };
  int health = 0;
  std::string has;             ///< tokens, charges and lock at the start of the round; may be empty
  std::vector<Often> actions;  ///< most often first
  std::vector<Often> weapons;
  std::vector<Often> attack_spends, defense_spends;  ///< means in the round
};

/// A position of a battle at the start of a round, and the play in it.
struct BattlePosition {
  int round = 1;
  double probability = 0;           ///< that the battle comes to it
  double value = 0;                 ///< chance to win, a draw counted half
  std::vector<BattleTactic> ships;  ///< as BattleReport::ships; those that are gone have no health
};

/// What play that was solved comes to when it goes on without a limit of rounds: bounds that were proven.
struct BattleBounds {
  double lower = 0, upper = 1;  ///< of the chance to win, a draw counted half
  int rounds = 0;               ///< that were followed
};

/// The answer.
struct BattleReport : Provenance {
  std::string engine;         ///< "exact", "sample" or "both"
  std::string engine_reason;  ///< why that engine, when the choice was left to salvo; may be empty
  std::string flight, flight_name;
  int most_rounds = 0;
  std::string first, my_policy, their_policy;
  std::string damage_deck;  ///< its id; empty: none
  std::string my_name, their_name;
  std::vector<std::string> assumptions;  ///< of the flight and of battles, in sentences
  Estimate win, draw, loss;
  Estimate my_points, their_points;                  ///< earned
  std::vector<std::pair<int, Estimate>> difference;  ///< of points, mine minus theirs: its distribution
  std::vector<Estimate> rounds;                      ///< the battle has exactly k rounds
  Estimate mean_rounds;
  std::vector<BattleShipEstimates> ships;
  std::uint64_t trials = 0, seed = 0;  ///< 0 trials: exact
  bool interrupted = false;
  double g_test = 1;                      ///< engine "both": p of the G-test of rounds, result and points
  std::optional<BattleBounds> bounds;     ///< where a side's play was solved (BattlePolicy::Best, Optimal)
  std::vector<BattlePosition> positions;  ///< then: the likeliest ones, by round
};

/// Answers. The same catalogue, question and options (but for threads) give the same answer, bit for bit. Throws
/// ScenarioError, LoadError, and PlanTooLarge where the exact engine was asked for and does not fit.
BattleReport fight(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options = {});

/// Of a report of both engines: whether its G-test lets them be right (p >= 1e-6, as CrossCheck::agree); else true.
bool engines_agree(const BattleReport& report);

/// What something of my side is worth: the change of the chance to win, a draw counted half.
struct BattleWorthEntry {
  std::string ship;           ///< empty: of the whole side
  std::string what;           ///< "upgrade predator", "pilot", "one more hull", "initiative 4 instead of 3", ...
  std::optional<int> points;  ///< what it costs, where the card set says so
  Estimate gain;              ///< with it less without it
};

/// A change that was not tried.
struct BattleWorthSkipped {
  std::string ship, what, why;
};

struct BattleWorth {
  BattleReport now;
  Estimate value;                         ///< chance to win, a draw counted half
  std::vector<BattleWorthEntry> entries;  ///< by gain, largest first
  std::vector<BattleWorthSkipped> skipped;
  bool interrupted = false;
};

/// Tries each upgrade of my ships, each pilot (against the cheapest of the same ship), one more hull, one more
/// initiative, and being the first player. Sampled battles are played with the same random numbers, and errors are
/// those of the differences. `progress` counts battles of all changes. Throws as fight does, and ScenarioError for a
/// precision and plain dice.
BattleWorth battle_worth(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options = {});

std::string to_json(const BattleWorth& worth);
std::string to_csv(const BattleWorth& worth);
std::string to_table(const BattleWorth& worth, int width = 80, bool colour = false);

std::string to_json(const BattleReport& report);
std::string to_csv(const BattleReport& report);
std::string to_table(const BattleReport& report, int width = 80, bool colour = false);

}  // namespace salvo
