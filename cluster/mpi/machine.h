// Machine: the ranks that mpirun started on one machine. The first of them works, with the processors of all of them:
// cells share work within a process, and within a process nothing has to travel.
#pragma once

#include <mpi.h>
#include <semaphore.h>

#include <vector>

namespace salvo::mpi {

class Machine {
 public:
  /// All ranks have to come here together, before they have threads: the first of each machine is bound to what the
  /// ranks there are bound to. Ranks that were started with another SALVO_MPI_MACHINE in their environment count as
  /// another machine.
  Machine();
  /// Wakes the others, where this rank works; all ranks of a machine have to come here together.
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Whether this rank is the first on its machine.
  bool works() const { return rank_ == 0; }
  /// The first rank of each machine; rank 0 is the first of all.
  const std::vector<int>& workers() const { return workers_; }
  /// Threads of the rank that works, where each rank was to have `threads` (0: all that it is bound to): no more than
  /// there are processors.
  int threads(int threads) const;
  /// Sleeps, taking no processor, until the rank that works has done all that it has to do.
  void sleep();

 private:
  void take_processors() const;

  MPI_Comm ranks_ = MPI_COMM_NULL;  ///< of this machine
  int rank_ = 0, size_ = 1;         ///< among them
  MPI_Win memory_ = MPI_WIN_NULL;   ///< that they share, and in it:
  sem_t* awake_ = nullptr;
  std::vector<int> workers_;
};

}  // namespace salvo::mpi
