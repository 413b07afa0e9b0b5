// A line on the terminal with the elapsed time of a command that shows nothing else. It is redrawn each second and
// erased before anything else is written.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal.h"

namespace salvo::cli {

/// Shows the line when nothing was written to the terminal for two seconds, until it is destroyed. A timer signal draws
/// the line, so a short run pays two system calls and no thread.
class Elapsed {
 public:
  /// `command`: a name such as "salvo worth". Shows nothing if that is empty or standard error is not a terminal.
  /// `reads_input`: the command may wait for standard input, so time in which the process is idle does not count.
  Elapsed(std::string_view command, bool reads_input);
  ~Elapsed();
  Elapsed(const Elapsed&) = delete;
  Elapsed& operator=(const Elapsed&) = delete;
};

/// Keeps the line erased while its owner writes to `stream`. Does nothing if the stream is not the terminal.
class TerminalGuard {
 public:
  explicit TerminalGuard(Stream stream);
  ~TerminalGuard();
  TerminalGuard(const TerminalGuard&) = delete;
  TerminalGuard& operator=(const TerminalGuard&) = delete;

 private:
  const bool taken_;
};

/// The bytes that erase the line if it is shown, else nothing. For the signal handler that ends the program.
std::string_view elapsed_line_eraser();

/// The line, at most `width` columns, as "salvo worth: 12 s so far; Ctrl-C stops it".
std::string elapsed_line(std::string_view command, long seconds, int width);

}  // namespace salvo::cli
