// salvo-mpi: `salvo run` and `salvo sweep` on all machines of mpirun (docs/cluster.md). Rank 0 distributes the work and
// writes the output. A single rank behaves like salvo.
#include <mpi.h>

#include <cstdio>
#include <string_view>

#include "cli/exit_status.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "mpi_worker_group.h"

namespace {

using salvo::cli::Outcome;

constexpr const char* kUsage =
    "usage: mpirun [-n RANKS] salvo-mpi run|sweep OPTIONS...\n\n"
    "Runs salvo run --engine sample or salvo sweep on many machines; the output is the\n"
    "same. One rank per machine is enough: the first rank on a machine uses the processors\n"
    "of all ranks there. For the options see salvo run --help and salvo sweep --help. All\n"
    "ranks must be able to read the files.\n";

/// Whether this program has the command; all others are for salvo.
bool is_supported(int argc, char** argv) {
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

int run(int argc, char** argv, int rank, int size) {
  if (asks_for_help(argc, argv) || !is_supported(argc, argv)) {
    const bool asked = asks_for_help(argc, argv);
    if (rank == 0) std::fputs(kUsage, asked ? stdout : stderr);
    return asked ? salvo::cli::kSuccess : salvo::cli::kInvalidInput;
  }
  salvo::cli::ignore_terminals();
  if (rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return salvo::cli::kInternalError;
  salvo::mpi::MpiWorkerGroup group(rank, size);
  if (size > 1) salvo::jobs::WorkerGroup::set_current(&group);
  Outcome outcome = salvo::cli::run_program(argc, argv);
  if (size > 1) {
    if (outcome.status != 0 && !group.met()) group.refuse({outcome.status, outcome.message});
    if (group.refusal()) {
      outcome = {group.refusal()->status, group.refusal()->message};
      if (rank != 0) outcome.message.clear();
    } else if (outcome.status != 0) {  // the others have begun to work
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
    std::fputs("salvo-mpi: this MPI does not support threads; use one that does, such as Debian's Open MPI\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, salvo::cli::kInternalError);
  }
  const int status = run(argc, argv, rank, size);
  std::fflush(nullptr);
  MPI_Finalize();
  return status;
}
