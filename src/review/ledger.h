// Tracks each ship through a log: tokens, Force and charges, damage, and whether it is still in play. In: the lines of
// a log in order, and the results of its attacks. Out: the ships at the start of the next attack.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "load/catalogue.h"
#include "review/ship_state.h"
#include "salvo/answer.h"
#include "salvo/review.h"

namespace salvo::review {

/// Throws LoadError with the line of the log and `why`.
[[noreturn]] void fail_at(const GameLog& log, int line, const std::string& why);

/// The scenario of a log, without ships and attacks.
Scenario scenario_of(const GameLog& log, const Overrides& overrides);

/// One class of over 250 lines, since all of it reads and changes the same few ships.
class Ledger {
 public:
  /// Every ship at the start of the game. Throws LoadError for an invalid ship.
  Ledger(const Catalogue& catalogue, const GameLog& log, const Overrides& overrides);

  /// Applies a line: its round, and the tokens and damage that it reports.
  void begin(const LoggedLine& line);

  /// Adds the two ships of an attack to its scenario. `filled_in` receives assumptions about what was not reported.
  void add_ships(const LoggedLine& line, Scenario& scenario, std::vector<std::string>& filled_in);
  /// The damage suffered by the two ships of an attack.
  std::map<std::string, int> damage(const LoggedLine& line) const;
  /// Sets the charges of cards, which a scenario cannot express.
  void set_charges(const LoggedLine& line, compile::CompiledScenario& compiled, std::vector<std::string>& filled_in);
  /// Throws LoadError if one of the two ships has left play. `twice`: the attack may be the second of an attack that
  /// is performed twice; it happens regardless of what the first one did.
  void require_in_play(const LoggedLine& line, bool twice, std::vector<std::string>& filled_in) const;

  /// For error messages: names tokens that a ship spends although the log says it has none; or empty.
  std::string missing_tokens_hint(const LoggedLine& line) const;

  /// Applies the result of an attack.
  void apply_result(const LoggedLine& line, const Luck& luck);

  /// Restores all Force and charges of the two ships; false if none was missing.
  bool refill(const LoggedLine& line);
  /// Handles an attack that spends more Force or charges than are left; `luck` is that of refilled ships. If the log
  /// does not rule it out, assumes that the ships had enough and returns notes that say so; otherwise throws LoadError.
  std::vector<std::string> assume_charges(const LoggedLine& line, const Luck& luck);

 private:
  /// Why a ship has left play; an empty `why` means it has not.
  struct Absence {
    std::string why;
    bool by_initiative = false;  ///< another initiative would change that
    bool assumed = false;        ///< unknown initiatives are assumed to be equal
  };

  void begin_round(int number);
  void report_tokens(int line, const std::string& name, const LoggedTokens& reported);
  [[noreturn]] void refuse_token(int line, const std::string& name, const std::string& token) const;
  void report_damage(int line, ShipState& now, int damage);
  void note_destruction(int line, ShipState& now, int attack, const std::optional<Shot>& shot);

  std::optional<int> initiative_of(const LoggedLine& line) const;
  std::string when_destroyed(const Destroyed& how) const;
  bool stays_for_own_attack() const;  ///< and leaves after it (002: Simultaneous attack rule)
  Absence as_shooter(const LoggedLine& line, const ShipState& now) const;
  Absence as_target(const LoggedLine& line, const ShipState& now, bool twice) const;

  ScenarioShip ship_in(const std::string& name, const std::string& enemy, const std::optional<std::string>& spent,
                       std::vector<std::string>& filled_in);
  static void spend(int line, Charges& charges, int spent, int unreported);
  std::string assume_charges(const LoggedLine& line, const std::string& name, const std::string& label,
                             Charges& charges, int spent) const;

  const Catalogue* catalogue_;
  const GameLog* log_;
  const load::Edition* edition_ = nullptr;
  Scenario base_;
  std::map<std::string, ShipState> ships_;
  bool rounds_reported_ = false;
  int number_ = 0;  ///< of the round in the log
  int round_ = 0;   ///< number of rounds begun
  int attacks_ = 0;
  std::optional<Shot> last_;
};

}  // namespace salvo::review
