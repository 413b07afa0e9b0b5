// The state of one ship in a game log: tokens, Force and charges, damage, and how it was destroyed.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "game/plan.h"
#include "load/catalogue.h"
#include "salvo/review.h"

namespace salvo::review {

/// Force, energy, or the charges of a card (of all copies together).
struct Charges {
  int max = 0, left = 0;
  game::EndPhase end;
  int unreported = 0;                  ///< of those that are gone: spent by plays that were not reported
  bool stated = false, noted = false;  ///< in the log; in filled_in
  std::vector<int> lines;              ///< lines that spent some since the ship last had all of them
};

/// How a ship was destroyed.
struct Destroyed {
  int line = 0, attack = 0, round = 0;  ///< `attack`: the number of the last attack at that time
  bool in_attack = false;
  std::optional<int> initiative;
  bool had_shot = false;  ///< earlier in that round
};

struct ShipState {
  bool known = false;  ///< its tokens were reported
  std::map<std::string, int> tokens;
  std::set<std::string> locks;
  std::map<std::string, Charges> charges;  ///< by label (Labels::resources)
  int damage = 0;
  int health = 0;  ///< at the start; 0: nothing can destroy it
  std::optional<int> initiative;
  int shot = 0, shot_round = 0;  ///< the number of its last attack, from 1, and its round
  std::optional<Destroyed> destroyed;
};

/// The last attack of the round.
struct Shot {
  std::string by, on;
  std::optional<int> initiative;
};

/// Whether a word names a token that stays on a ship between rounds, such as Force or energy; `edition` may be null.
bool is_charge(const load::Edition* edition, const std::string& word);
/// Whether a word names any other token.
bool is_round_token(const load::Edition* edition, const std::string& word);

/// Adds the state of a ship at the start of the game to `now`. `base`: the scenario of the log, without ships. Throws
/// LoadError for an invalid ship.
void add_starting_state(const Catalogue& catalogue, const GameLog& log, const Scenario& base, const std::string& name,
                        const LoggedShip& logged, ShipState& now);

}  // namespace salvo::review
