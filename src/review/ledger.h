// Ledger: what a log has told so far of each ship: tokens, Force and charges, damage, and whether it is still in play.
// In: the lines of a log in order, and what its attacks left. Out: the ships as they go into the next attack.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "load/catalogue.h"
#include "review/ship_state.h"
#include "salvo/answer.h"
#include "salvo/review.h"

namespace salvo::review {

/// Throws LoadError: the line of the log, then `why`.
[[noreturn]] void fail_at(const GameLog& log, int line, const std::string& why);

/// The scenario of a log, without ships and attacks.
Scenario scenario_of(const GameLog& log, const Overrides& overrides);

class Ledger {
 public:
  /// Every ship as at the start of the game. Throws LoadError for one that cannot be.
  Ledger(const Catalogue& catalogue, const GameLog& log, const Overrides& overrides);

  /// A line begins: its round, and what it tells of tokens and damage.
  void begin(const LoggedLine& line);

  /// Puts the two ships of an attack into its scenario. `filled_in` receives what nobody told.
  void add_ships(const LoggedLine& line, Scenario& scenario, std::vector<std::string>& filled_in);
  /// What they have suffered.
  std::map<std::string, int> damage(const LoggedLine& line) const;
  /// Charges of cards, for which a scenario has no words.
  void set_charges(const LoggedLine& line, compile::CompiledScenario& question, std::vector<std::string>& filled_in);
  /// Throws LoadError when one of the two has left play. `twice`: the attack may be the second of an attack that is
  /// performed twice, which happens whatever the first one did.
  void require_in_play(const LoggedLine& line, bool twice, std::vector<std::string>& filled_in) const;

  /// For a log that cannot be: tokens that a ship spends and was told not to have, as the end of a message; or empty.
  std::string missing_tokens_hint(const LoggedLine& line) const;

  /// What an attack left.
  void apply_result(const LoggedLine& line, const Luck& luck);

  /// Gives the two ships all their Force and charges; false where they have them.
  bool refill(const LoggedLine& line);
  /// An attack that spends more Force or charges than there are: `luck` is of refilled ships. Where the log leaves it
  /// open whether they are there, they are; says so in what it returns. Throws LoadError where they cannot be.
  std::vector<std::string> assume_charges(const LoggedLine& line, const Luck& luck);

 private:
  /// Why a ship is gone; `why` is empty where it is not.
  struct Absence {
    std::string why;
    bool by_initiative = false;  ///< another initiative would change that
    bool assumed = false;        ///< initiatives are not told, and taken to be the same
  };

  void begin_round(int number);
  void report_tokens(int line, const std::string& name, const LoggedTokens& told);
  [[noreturn]] void refuse_token(int line, const std::string& name, const std::string& token) const;
  void report_damage(int line, ShipState& now, int damage);
  void note_destruction(int line, ShipState& now, int attack, const std::optional<Shot>& shot);

  std::optional<int> initiative_of(const LoggedLine& line) const;
  std::string when_destroyed(const Destroyed& how) const;
  bool stays_for_own_attack() const;  ///< and no longer (002: Simultaneous attack rule)
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
  int number_ = 0;  ///< of the round, as told
  int round_ = 0;   ///< rounds that began
  int attacks_ = 0;
  std::optional<Shot> last_;
};

}  // namespace salvo::review
