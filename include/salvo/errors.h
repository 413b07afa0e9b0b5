// Errors: what salvo throws, one family. Catch salvo::Error for all of it.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace salvo {

/// What cannot be done, in a sentence for the user that names the place and the remedy. Everything that salvo throws
/// on purpose is one of the classes below; other exceptions are those of the system (std::bad_alloc,
/// std::system_error) or our mistakes (std::logic_error).
struct Error : std::runtime_error {
  explicit Error(const std::string& message, std::string path_ = {})
      : std::runtime_error(message), path(std::move(path_)) {}
  std::string path;  ///< the key that is wrong ("ships.red.tokens.focus"), where it is known; else empty
};

/// A profile, scenario or squad file that cannot be used. what() is one complete sentence: `file:line: key: why;
/// remedy`.
struct LoadError : Error {
  explicit LoadError(const std::string& message) : Error(message) {}
  LoadError(const std::string& message, std::string path_, std::string why_)
      : Error(message, std::move(path_)), why(std::move(why_)) {}
  std::string why;  ///< the message without its place; empty: what() is all there is
};

/// A scenario that cannot be played. `path` names the key ("ships.red.tokens.focus", "attacks[1].range"; empty for
/// the scenario as a whole), what() says what is wrong and what would be right.
struct ScenarioError : Error {
  ScenarioError(std::string path_, const std::string& message) : Error(message, std::move(path_)) {}
};

/// A scenario too large for the budget of the exact engine. `path` as in ScenarioError: the attack that does not fit,
/// where it is one of them.
struct PlanTooLarge : Error {
  PlanTooLarge(const std::string& message, double found_, double budget_, int attack_ = -1)
      : Error(message), found(found_), budget(budget_), attack(attack_) {}
  double found;   ///< transitions met when it was given up
  double budget;  ///< transitions allowed
  int attack;     ///< place in the plan of the attack that does not fit; -1: not one alone
};

}  // namespace salvo
