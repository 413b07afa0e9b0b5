// Review: a game that was played, from its log: who was lucky, and who lost what by which decision.
// In: a log (docs/review.md). Out: every attack taken apart, and the game as a whole.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/luck.h"
#include "salvo/squad.h"

namespace salvo {

/// Tokens of a ship as a log tells them, charges of cards by the ids of the cards. Locks name ships of the log.
struct LoggedTokens {
  std::map<std::string, int> tokens;
  std::vector<std::string> locks;
  bool locks_told = false;  ///< these are all; else there are those that there were
};

/// A ship of a log.
struct LoggedShip {
  int player = 0;
  std::string words;                   ///< what else it is called: pilot and ship
  ScenarioShip ship;                   ///< without tokens, but for those of its SPEC, with which it begins each round
  bool tokens = false;                 ///< whether the SPEC tells tokens
  std::optional<int> initiative = {};  ///< where it is told: else that of the pilot's card
  int line = 0;
};

/// A line of a log after its head.
struct LoggedLine {
  int line = 0;
  int round = 0;                               ///< 0: not told
  bool attack = false;                         ///< else only what it tells of ships
  std::map<std::string, LoggedTokens> tokens;  ///< by ship: before the attack, or in this round
  std::map<std::string, int> damage;           ///< by ship: suffered so far, in place of what the log adds up to
  ScenarioAttack shot;
  PlayedAttack spec;
};

struct GameLog {
  std::string source;
  std::string rules = "second-edition", cards, objective = "damage", damage_deck = "none";
  std::vector<std::string> players;  ///< one or two
  std::map<std::string, LoggedShip> ships;
  std::vector<LoggedLine> lines;
  std::vector<std::string> notes;  ///< how names were understood
};

/// Squads from outside the log, by player: the first is the first player's.
using LogSquads = std::vector<Squad>;

/// Reads a log: JSON lines when it begins with `{`, else the text form. `overrides`: rules and cards by which its names
/// are understood in place of what it says, those of the review. Throws LoadError with line and remedy.
GameLog parse_log(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const LogSquads& squads = {}, const Overrides& overrides = {});

/// An attack of a game.
struct ReviewedAttack {
  int line = 0, round = 0;
  int player = 0;  ///< who attacks
  Luck luck;
  double so_far = 0;  ///< luck of the first player in damage, up to and with this attack
};

/// What a player has got from chance and lost by decisions. All signs are the player's: above 0 is good.
struct PlayerReview {
  std::string name;
  int attacks = 0;
  double dealt = 0, expected_dealt = 0, taken = 0, expected_taken = 0;  ///< damage
  double luck = 0;                                                      ///< in damage
  double attacking = 0, defending = 0;                                  ///< parts of it: in own attacks, in the others'
  /// The same by kind of chance, whoever rolled.
  std::array<double, kChanceKinds> own{}, enemy{};
  double percentile = 0.5;  ///< share of games with less luck, half of those with as much
  int errors = 0;
  double loss = 0;         ///< by the objective, of all decisions
  double damage_lost = 0;  ///< the same in damage
};

/// A decision that lost something.
struct GameError {
  std::size_t attack = 0, decision = 0;  ///< indices
  int player = 0;
};

struct Review : Provenance {
  std::vector<PlayerReview> players;
  std::vector<ReviewedAttack> attacks;
  std::vector<GameError> errors;  ///< largest loss first
  /// Damage dealt less damage taken of the first player, with best play in the situations of the game: probability of
  /// `least` and the numbers after it.
  int least = 0;
  std::vector<double> pmf;
  double expected = 0;         ///< its mean
  double reached = 0;          ///< its mean and the first player's luck
  double below = 0, tied = 0;  ///< chance of less than `reached`, and of just as much
  std::string sentence;        ///< who was lucky
  std::vector<std::string> filled_in;
};

/// Reviews a game. Policies of `options` are not read. Throws LoadError (path: of a line, "line 12"), PlanTooLarge.
Review review_game(const Catalogue& catalogue, const GameLog& log, const AnswerOptions& options = {});

/// One JSON object (docs/schemas/review.schema.json), ending in a newline.
std::string to_json(const Review& review);
std::string to_table(const Review& review, int width = 80, bool colour = false);
/// Luck over the attacks of the game, as an SVG file.
std::string plot_luck(const Review& review);

}  // namespace salvo
