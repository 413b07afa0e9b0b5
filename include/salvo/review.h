// Review: a whole game from its log: who was lucky, and which decisions lost what. In: a log (docs/review.md). Out:
// every attack analysed, and the game as a whole.
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

/// Tokens of a ship in a log; charges by the ids of their cards. Locks name ships of the log.
struct LoggedTokens {
  std::map<std::string, int> tokens;
  std::vector<std::string> locks;
  bool locks_complete = false;  ///< `locks` is complete; false: earlier locks remain
};

/// A ship of a log.
struct LoggedShip {
  int player = 0;
  std::string words;                   ///< its pilot and ship, as further names
  ScenarioShip ship;                   ///< without tokens, except those of its SPEC, with which it begins each round
  bool tokens = false;                 ///< whether the SPEC has tokens
  std::optional<int> initiative = {};  ///< if given; else that of the pilot's card applies
  int line = 0;
};

/// A line of a log after the head.
struct LoggedLine {
  int line = 0;
  int round = 0;                               ///< 0: not given
  bool attack = false;                         ///< false: the line only reports tokens or damage
  std::map<std::string, LoggedTokens> tokens;  ///< by ship: before the attack, or in this round
  std::map<std::string, int> damage;           ///< by ship: suffered so far; replaces the sum of the log
  ScenarioAttack shot;
  PlayedAttack spec;
};

struct GameLog {
  std::string source;
  std::string rules = "second-edition", cards, objective = "damage", damage_deck = kNoDeck;
  std::vector<std::string> players;  ///< one or two
  std::map<std::string, LoggedShip> ships;
  std::vector<LoggedLine> lines;
  std::vector<std::string> notes;  ///< how names were interpreted
};

/// Squads from outside the log, the first player's first.
using LogSquads = std::vector<Squad>;

/// Reads a log: JSON lines if it begins with `{`, else the text form. `overrides`: the rules and cards of the review,
/// which replace those of the log when names are looked up. Throws LoadError with line and remedy.
GameLog parse_log(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const LogSquads& squads = {}, const Overrides& overrides = {});

/// An attack of a game.
struct ReviewedAttack {
  int line = 0, round = 0;
  int player = 0;  ///< the attacker's player
  Luck luck;
  double so_far = 0;  ///< luck of the first player in damage, up to and including this attack
};

/// What a player gained by luck and lost by decisions, from the player's point of view: above 0 is good.
struct PlayerReview {
  std::string name;
  int attacks = 0;
  double dealt = 0, expected_dealt = 0, taken = 0, expected_taken = 0;  ///< damage
  double luck = 0;                                                      ///< in damage
  double attacking = 0, defending = 0;  ///< parts of it: in the player's own attacks, in the opponent's
  /// The same by source of chance and by who rolled.
  std::array<double, kChanceKinds> own{}, enemy{};
  double percentile = 0.5;  ///< share of games with less luck, plus half of those with equal luck
  int errors = 0;
  double loss = 0;         ///< of all decisions, by the objective
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
  /// Damage dealt minus damage taken by the first player, with optimal play in the situations of the game: probability
  /// of `least` and the numbers after it.
  int least = 0;
  std::vector<double> pmf;
  double expected = 0;         ///< its mean
  double reached = 0;          ///< its mean plus the first player's luck
  double below = 0, tied = 0;  ///< chance of less than `reached`, and of exactly that
  std::string sentence;        ///< who was lucky
  std::vector<std::string> filled_in;
};

/// Reviews a game. Ignores the policies of `options`. Throws LoadError (path: of a line, "line 12") and PlanTooLarge.
Review review_game(const Catalogue& catalogue, const GameLog& log, const AnswerOptions& options = {});

/// One JSON object (docs/schemas/review.schema.json), ending in a newline.
std::string to_json(const Review& review);
std::string to_table(const Review& review, int width = 80, bool colour = false);
/// Luck over the attacks of the game, as an SVG file.
std::string plot_luck(const Review& review);

}  // namespace salvo
