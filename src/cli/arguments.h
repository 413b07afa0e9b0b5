// Arguments: the command line as plain data.
// In: argc and argv. Out: which command, with its options checked as far as that goes without reading a file.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace salvo::cli {

/// A command line that cannot be used. what() is one sentence that says what would be right.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class EngineChoice { Exact, Sample, Both };
enum class Format { Table, Json, Csv };

/// The options of `salvo run`. What was not given is empty, where that makes a difference.
struct RunOptions {
  std::string file;                     ///< "-": standard input; empty: the scenario is in attacks and defend
  std::vector<std::string> attacks;     ///< one SPEC each
  std::vector<std::string> card_files;  ///< home-made cards
  std::optional<std::string> defend;
  std::optional<std::string> rules, cards, objective, attacker_policy, defender_policy;
  std::optional<EngineChoice> engine;
  std::optional<std::uint64_t> trials;
  std::optional<double> precision;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores
  std::optional<std::string> generator, target;
  bool count_tokens = true;
  std::optional<double> budget;  ///< transitions of the exact engine
  std::optional<Format> format;
  bool progress = true;
  bool certify = false;  ///< recompute the exact value in rational arithmetic
};

/// The options of `salvo cards`.
struct CardsOptions {
  enum class Action { List, Show, Check, Coverage };
  Action action = Action::List;
  std::string id;                        ///< show
  std::vector<std::string> files;        ///< check
  std::string folder;                    ///< coverage
  std::optional<std::string> kind;       ///< upgrade, pilot or ship
  std::optional<std::string> set;        ///< 2025, legacy; coverage also first-edition
  std::vector<std::string> search;       ///< list: words that must all occur
  bool partly = false;                   ///< list: only cards that are partly modelled
  std::string rules = "second-edition";  ///< check: whose dice and tokens
  std::optional<std::string> state;      ///< coverage: list the cards in this state; "all"
  std::optional<Format> format;
  bool progress = true;
};

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

/// Usage: no arguments at all.
enum class Command { Help, Usage, Version, Run, Cards, Advise, Worth, Order, Card };

struct Arguments {
  Command command = Command::Help;
  std::string text;  ///< for Help and Usage
  RunOptions run;
  CardsOptions cards;
  DecisionOptions decision;
};

/// Throws UsageError.
Arguments parse_arguments(int argc, const char* const* argv);

/// A whole number from `least` to `most`, as 1000000 or 1e6. `option` names it in the message of the UsageError.
std::uint64_t parse_count(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most);

}  // namespace salvo::cli
