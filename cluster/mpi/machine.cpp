#include "machine.h"

#include <oneapi/tbb/task_arena.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/hash.h"

namespace salvo::mpi {
namespace {

/// The ranks that share this machine's memory and the value of SALVO_MPI_MACHINE.
MPI_Comm ranks_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm memory = MPI_COMM_NULL, out = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &memory);
  const char* const word = std::getenv("SALVO_MPI_MACHINE");
  constexpr std::uint64_t kColours = 1 << 30;  // MPI requires a non-negative int
  MPI_Comm_split(memory, word == nullptr ? 0 : static_cast<int>(base::fingerprint(word) % kColours), rank, &out);
  MPI_Comm_free(&memory);
  return out;
}

}  // namespace

Machine::Machine() : ranks_(ranks_here()) {
  int rank = 0, all = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  MPI_Comm_rank(ranks_, &rank_);
  MPI_Comm_size(ranks_, &size_);
  take_processors();
  void* mine = nullptr;
  MPI_Win_allocate_shared(works() ? sizeof(sem_t) : 0, 1, MPI_INFO_NULL, ranks_, &mine, &memory_);
  MPI_Aint size = 0;
  int unit = 0;
  MPI_Win_shared_query(memory_, 0, &size, &unit, static_cast<void*>(&awake_));
  if (works()) sem_init(awake_, 1, 0);
  MPI_Barrier(ranks_);
  const int worker = works() ? rank : -1;
  workers_.resize(static_cast<std::size_t>(all));
  MPI_Allgather(&worker, 1, MPI_INT, workers_.data(), 1, MPI_INT, MPI_COMM_WORLD);
  workers_.erase(std::remove(workers_.begin(), workers_.end(), -1), workers_.end());
}

Machine::~Machine() {
  for (int i = 1; works() && i < size_; ++i) sem_post(awake_);
  MPI_Win_free(&memory_);
  MPI_Comm_free(&ranks_);
}

/// Binds the working rank to the processors of all ranks on the machine. If the system does not report them (cpu_set_t
/// holds about a thousand), the process stays where it is.
void Machine::take_processors() const {
  cpu_set_t mine, all;
  CPU_ZERO(&mine);
  CPU_ZERO(&all);
  int known = sched_getaffinity(0, sizeof(mine), &mine) == 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, ranks_);
  MPI_Allreduce(&mine, &all, sizeof(mine), MPI_BYTE, MPI_BOR, ranks_);
  if (known != 0 && works()) sched_setaffinity(0, sizeof(all), &all);
}

int Machine::threads(int threads) const {
  const int processors = oneapi::tbb::this_task_arena::max_concurrency();
  if (threads == 0) return processors;
  return static_cast<int>(std::min<long>(long{threads} * size_, processors));
}

void Machine::sleep() {
  while (sem_wait(awake_) != 0 && errno == EINTR) {
  }
}

}  // namespace salvo::mpi
