// The exceptions that salvo throws. Catch salvo::Error for all of them.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace salvo {

/// The base class. The message is a sentence for the user that names the place and the remedy. salvo throws the classes
/// below; other exceptions come from the system (std::bad_alloc, std::system_error) or are bugs (std::logic_error).
struct Error : std::runtime_error {
  explicit Error(const std::string& message, std::string path_ = {})
      : std::runtime_error(message), path(std::move(path_)) {}
  std::string path;  ///< the offending key ("ships.red.tokens.focus"); empty: unknown
};

/// A profile, scenario or squad file that cannot be used. what() is one complete sentence: `file:line: key: why;
/// remedy`.
struct LoadError : Error {
  explicit LoadError(const std::string& message) : Error(message) {}
  LoadError(const std::string& message, std::string path_, std::string why_)
      : Error(message, std::move(path_)), why(std::move(why_)) {}
  std::string why;  ///< the message without its place; empty: use what()
};

/// A scenario that cannot be played. `path` is the offending key ("ships.red.tokens.focus", "attacks[1].range"; empty
/// for the scenario as a whole); what() says what is wrong and what would be right.
struct ScenarioError : Error {
  ScenarioError(std::string path_, const std::string& message) : Error(message, std::move(path_)) {}
};

/// A scenario that exceeds the budget of the exact engine. `path` names the attack that does not fit, if it is a single
/// one.
struct PlanTooLarge : Error {
  PlanTooLarge(const std::string& message, double found_, double budget_, int attack_ = -1)
      : Error(message), found(found_), budget(budget_), attack(attack_) {}
  double found;   ///< transitions counted when the engine gave up
  double budget;  ///< transitions allowed
  int attack;     ///< index in the plan of the attack that does not fit; -1: no single one
};

}  // namespace salvo
