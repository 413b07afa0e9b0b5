// The command line as plain data, checked as far as possible without reading a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/scenario_input.h"
#include "jobs/user_input.h"
#include "salvo/answer.h"

namespace salvo::cli {

using jobs::parse_count;
using jobs::UsageError;
using jobs::whole_number;

enum class Format { Table, Json, Csv };

/// The options that most commands share.
struct CommandOptions : jobs::ScenarioRequest {
  std::optional<Format> format;
  std::optional<std::uint64_t> memory;  ///< bytes that may be allocated; empty: half of the memory
  std::string command;                  ///< shown while it runs, such as "worth"; empty: nothing is shown
  bool progress = true;
  std::optional<std::string> plot, report;  ///< files for a picture and a page
};

/// The options of `salvo cards`.
struct CardsOptions {
  enum class Action { List, Show, Check, Coverage, Suspects };
  Action action = Action::List;
  std::string id;                        ///< show
  std::vector<std::string> files;        ///< check
  std::string folder;                    ///< coverage, suspects
  std::optional<std::string> kind;       ///< upgrade, pilot, ship or condition
  std::optional<std::string> set;        ///< xwa, 2025, legacy; coverage and suspects also first-edition
  std::vector<std::string> search;       ///< list: only cards with all of these words
  bool partly = false;                   ///< list: only cards that are partly modelled
  std::string rules = "second-edition";  ///< check: edition whose dice and tokens are used
  std::optional<std::string> state;  ///< coverage: list the cards in this state, or "all"; suspects: "checked", "all"
  std::optional<Format> format;
  bool progress = true;
};

/// Usage: no arguments were given. Run: call `action`.
enum class Command { Help, Usage, Version, Run };

struct Arguments {
  Command command = Command::Help;
  std::string text;                  ///< for Help and Usage
  bool verbose = false;              ///< for Version
  CommandOptions run;                ///< of all commands except `salvo cards`
  CardsOptions cards = {};           ///< of `salvo cards`
  std::function<int()> action = {};  ///< for Run: performs the command and returns the exit status
};

/// Throws UsageError.
Arguments parse_arguments(int argc, const char* const* argv);

}  // namespace salvo::cli
