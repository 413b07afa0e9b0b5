// `salvo advise`, `worth`, `order` and `card`: from options to printed answers.
// In: DecisionOptions. Out: the exit status; throws what main() turns into messages.
#pragma once

#include "cli/arguments.h"

namespace salvo::cli {

/// Where a scenario stands, for `salvo advise`; texts as typed. Empty: not given.
struct AdviseOptions {
  std::uint64_t attack = 1;
  std::optional<std::string> rolled, rerolled, spent, defense_rolled, defense_rerolled, defense_spent;
  std::optional<bool> attacker_moves;
  std::vector<std::string> tokens;  ///< "NAME TOKEN=N ..."
  std::optional<std::string> damage;
};

/// The options of the commands about decisions. `run` has those that they share with `salvo run`.
struct DecisionOptions {
  RunOptions run;
  std::vector<std::string> files;  ///< scenarios; all commands but card have one
  AdviseOptions advise;
  std::optional<bool> mine;                         ///< order, card: whose; empty: order mine, card who has the role
  std::optional<bool> attacker_role;                ///< card: whose decisions; empty: the role that gains more
  std::uint64_t most_rules = 3;                     ///< card
  std::optional<std::string> write_file, measured;  ///< card
};

int advise_command(const DecisionOptions& options);
int worth_command(const DecisionOptions& options);
int order_command(const DecisionOptions& options);
int card_command(const DecisionOptions& options);

}  // namespace salvo::cli
