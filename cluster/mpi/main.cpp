// salvo-mpi: `salvo run` and `salvo sweep` on all machines that mpirun was given (docs/cluster.md). Rank 0 hands out
// and writes; alone it is the same as salvo.
#include <mpi.h>

#include <cstdio>
#include <string_view>

#include "cli/exit_status.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "mpi_team.h"

namespace {

using salvo::cli::Outcome;

constexpr const char* kUsage =
    "usage: mpirun [-n RANKS] salvo-mpi run|sweep OPTIONS...\n\n"
    "What salvo run --engine sample and salvo sweep do, on many machines, with the same\n"
    "bytes. One rank on each machine is enough: the first one there works with the\n"
    "processors of all. salvo run --help and salvo sweep --help tell the options; files\n"
    "have to be seen by all ranks.\n";

/// The words that this program takes; others are for salvo.
bool takes(int argc, char** argv) {
  if (argc < 2) return false;
  const std::string_view command = argv[1];
  return command == "run" || command == "sweep" || command == "--version" || command == "-V";
}

bool asks_for_help(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") return true;
  }
  return false;
}

int play(int argc, char** argv, int rank, int size) {
  if (asks_for_help(argc, argv) || !takes(argc, argv)) {
    const bool asked = asks_for_help(argc, argv);
    if (rank == 0) std::fputs(kUsage, asked ? stdout : stderr);
    return asked ? salvo::cli::kAnswered : salvo::cli::kWrongQuestion;
  }
  salvo::cli::ignore_terminals();
  if (rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return salvo::cli::kOurFault;
  salvo::mpi::MpiTeam team(rank, size);
  if (size > 1) salvo::jobs::Team::join(&team);
  Outcome outcome = salvo::cli::play_program(argc, argv);
  if (size > 1) {
    if (outcome.status != 0 && !team.met()) team.give_up(outcome);
    if (team.refusal()) {
      outcome = *team.refusal();
      if (rank != 0) outcome.message.clear();
    } else if (outcome.status != 0) {  // while others work
      if (!outcome.message.empty()) std::fprintf(stderr, "salvo-mpi: rank %d: %s\n", rank, outcome.message.c_str());
      MPI_Abort(MPI_COMM_WORLD, outcome.status);
    }
  }
  if (!outcome.message.empty()) std::fprintf(stderr, "salvo-mpi: %s\n", outcome.message.c_str());
  return outcome.status;
}

}  // namespace

int main(int argc, char** argv) {
  salvo::cli::occupy_streams();
  int threads = MPI_THREAD_SINGLE, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (threads < MPI_THREAD_SERIALIZED) {
    std::fputs("salvo-mpi: this MPI allows no threads; use another one, such as Debian's Open MPI\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, salvo::cli::kOurFault);
  }
  const int status = play(argc, argv, rank, size);
  std::fflush(nullptr);
  MPI_Finalize();
  return status;
}
