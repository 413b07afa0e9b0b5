// The program salvo.
#include <cstdio>

#include "cli/program.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
  salvo::cli::occupy_streams();
  const salvo::cli::Outcome outcome = salvo::cli::run_program(argc, argv);
  if (!outcome.message.empty()) std::fprintf(stderr, "salvo: %s\n", outcome.message.c_str());
  return outcome.status;
}
