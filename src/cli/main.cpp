// The program: reads the command line, calls the command, turns what went wrong into an exit status.
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

#include "cli/arguments.h"
#include "cli/cards_command.h"
#include "cli/exit_status.h"
#include "cli/run_command.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "load/catalogue.h"
#include "rules/plan.h"
#include "salvo/scenario.h"

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
      return run_command(arguments.run);
    case Command::Cards:
      return cards_command(arguments.cards);
    case Command::Other:
      return arguments.action();
  }
  return kOurFault;
}

int fail(ExitStatus status, const char* before, const char* message) {
  std::fprintf(stderr, "salvo: %s%s\n", before, message);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse_arguments(argc, argv));
  } catch (const UsageError& error) {
    return fail(kWrongQuestion, "", error.what());
  } catch (const salvo::LoadError& error) {
    return fail(kWrongQuestion, "", error.what());
  } catch (const salvo::ScenarioError& error) {
    return fail(kWrongQuestion, error.path.empty() ? "" : (error.path + ": ").c_str(), error.what());
  } catch (const salvo::PlanTooLarge& error) {
    return fail(kTooLarge, "", error.what());
  } catch (const std::system_error& error) {
    constexpr int kBrokenPipe = 128 + 13;  // as if SIGPIPE had ended us; nobody is left to read a message
    if (error.code() == std::errc::broken_pipe) return kBrokenPipe;
    return fail(kOurFault, "", error.what());
  } catch (const std::exception& error) {
    return fail(kOurFault, "this is our fault: ", error.what());
  } catch (...) {
    return fail(kOurFault, "this is our fault: ", "an unknown exception");
  }
}
