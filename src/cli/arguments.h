// Arguments: the command line as plain data.
// In: argc and argv. Out: which command, with its options checked as far as that goes without reading a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"

namespace salvo::cli {

/// A command line that cannot be used. what() is one sentence that says what would be right.
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(message) {}
};

enum class Format { Table, Json, Csv };

/// The options that most commands share. What was not given is empty, where that makes a difference.
struct RunOptions {
  std::string file;                     ///< "-": standard input; empty: the scenario is in attacks and defend
  std::vector<std::string> attacks;     ///< one SPEC each
  std::vector<std::string> card_files;  ///< home-made cards
  std::optional<std::string> defend;    ///< the first of the defenders
  std::vector<std::string> defenders;   ///< one SPEC each; attackers choose among several
  std::vector<std::string> returns;     ///< one SPEC each: who shoots at the first attacker afterwards
  std::vector<std::string> on;          ///< ships of the file among which attackers choose; empty: as the file says
  AnswerOptions answer;                 ///< with the keys of the scenario that options replace
  std::optional<Format> format;
  std::optional<std::uint64_t> memory;  ///< bytes that may be allocated; empty: half of what there is
  std::string command;                  ///< which shows that it is at work, as "worth"; empty: none is to
  bool progress = true;
  std::optional<std::string> plot;  ///< file for a picture
};

/// The options of `salvo cards`.
struct CardsOptions {
  enum class Action { List, Show, Check, Coverage };
  Action action = Action::List;
  std::string id;                        ///< show
  std::vector<std::string> files;        ///< check
  std::string folder;                    ///< coverage
  std::optional<std::string> kind;       ///< upgrade, pilot, ship or condition
  std::optional<std::string> set;        ///< xwa, 2025, legacy; coverage also first-edition
  std::vector<std::string> search;       ///< list: words that must all occur
  bool partly = false;                   ///< list: only cards that are partly modelled
  std::string rules = "second-edition";  ///< check: whose dice and tokens
  std::optional<std::string> state;      ///< coverage: list the cards in this state; "all"
  std::optional<Format> format;
  bool progress = true;
};

/// Usage: no arguments at all. Run: what `action` does.
enum class Command { Help, Usage, Version, Run };

struct Arguments {
  Command command = Command::Help;
  std::string text;                  ///< for Help and Usage
  bool verbose = false;              ///< for Version
  RunOptions run;                    ///< of all commands but `salvo cards`
  CardsOptions cards = {};           ///< of `salvo cards`
  std::function<int()> action = {};  ///< for Run: does it and returns the exit status
};

/// Throws UsageError.
Arguments parse_arguments(int argc, const char* const* argv);

/// A whole number as 1000000 or 1e6; nothing where it is none, or beyond 64 bits.
std::optional<std::uint64_t> whole_number(const std::string& text);

/// A whole number from `least` to `most`, as 1000000 or 1e6. `option` names it in the message of the UsageError.
std::uint64_t parse_count(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most);

}  // namespace salvo::cli
