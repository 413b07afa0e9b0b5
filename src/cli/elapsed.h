// Elapsed: a line on the terminal that says how long a command has been at work, where nothing else there tells that it
// is. In: the name of the command, and who writes to the terminal meanwhile. Out: the line on standard error, each
// second anew, erased before anything else is written.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal.h"

namespace salvo::cli {

/// Shows the line when the terminal has been silent for two seconds, until the object goes. Costs a short run two calls
/// of the system: a timer of the system wakes the handler of a signal, there is no thread.
class Elapsed {
 public:
  /// `command`: as "salvo worth"; empty, or where standard error is no terminal: nothing is ever shown. `reads_input`:
  /// the command may wait for standard input; time in which the process does nothing does not count then.
  Elapsed(std::string_view command, bool reads_input);
  ~Elapsed();
  Elapsed(const Elapsed&) = delete;
  Elapsed& operator=(const Elapsed&) = delete;
};

/// While one of these lives, the terminal belongs to whoever made it, to write to `stream`: the line is gone and does
/// not come. Nothing where the stream leads elsewhere.
class TerminalTaken {
 public:
  explicit TerminalTaken(Stream stream);
  ~TerminalTaken();
  TerminalTaken(const TerminalTaken&) = delete;
  TerminalTaken& operator=(const TerminalTaken&) = delete;

 private:
  const bool taken_;
};

/// What erases the line if it stands there, else nothing. For the handler of a signal that ends the program.
std::string_view elapsed_line_eraser();

/// The line, at most `width` columns, as "salvo worth: 12 s so far; Ctrl-C stops it".
std::string elapsed_line(std::string_view command, long seconds, int width);

}  // namespace salvo::cli
