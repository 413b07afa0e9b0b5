// The ranks on one machine. Only the first works, on the processors of all of them: within one process cells share work
// and results need not be sent.
#pragma once

#include <mpi.h>
#include <semaphore.h>

#include <vector>

namespace salvo::mpi {

class Machine {
 public:
  /// All ranks must construct it together, before they start threads, because the first rank of each machine is bound
  /// to the processors of all ranks there. Ranks with different values of SALVO_MPI_MACHINE in their environment count
  /// as different machines.
  Machine();
  /// Wakes the sleeping ranks if this one works. All ranks of a machine must destroy it together.
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Whether this rank is the first on its machine.
  bool works() const { return rank_ == 0; }
  /// The first rank of each machine; rank 0 is the first of all.
  const std::vector<int>& workers() const { return workers_; }
  /// The number of threads for the working rank if each rank was to use `threads` (0: one per processor that it is
  /// bound to), at most the number of processors.
  int threads(int threads) const;
  /// Sleeps without using a processor until the working rank has finished.
  void sleep();

 private:
  void take_processors() const;

  MPI_Comm ranks_ = MPI_COMM_NULL;  ///< of this machine
  int rank_ = 0, size_ = 1;         ///< in ranks_
  MPI_Win memory_ = MPI_WIN_NULL;   ///< shared by the ranks of the machine; it holds the semaphore
  sem_t* awake_ = nullptr;
  std::vector<int> workers_;
};

}  // namespace salvo::mpi
