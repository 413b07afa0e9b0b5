// The program: reads the command line, calls the command, turns what went wrong into an exit status.
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "cli/arguments.h"
#include "cli/exit_status.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "salvo/failure.h"

namespace {

using namespace salvo::cli;

int run(const Arguments& arguments) {
  switch (arguments.command) {
    case Command::Help:
      write_output(arguments.text);
      return kAnswered;
    case Command::Version:
      write_output(version_text());
      return kAnswered;
    case Command::Usage:
      std::fputs(arguments.text.c_str(), stderr);
      return kWrongQuestion;
    case Command::Run:
      return arguments.action();
  }
  return kOurFault;
}

/// Tells what is being handled. Returns the exit status.
int fail() {
  try {
    const salvo::Failure failure = salvo::current_failure();
    const bool ours = failure.kind == salvo::ErrorKind::Internal;
    std::fprintf(stderr, "salvo: %s%s\n", ours ? "this is our fault: " : "", failure.text.c_str());
    return status_of(failure.kind);
  } catch (const std::system_error& error) {
    constexpr int kBrokenPipe = 128 + 13;  // as if SIGPIPE had ended us; nobody is left to read a message
    if (error.code() == std::errc::broken_pipe) return kBrokenPipe;
    std::fprintf(stderr, "salvo: %s\n", error.what());
    return kOurFault;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse_arguments(argc, argv));
  } catch (...) {
    return fail();
  }
}
