// The processes that mpirun started, as a worker group. On each machine the first rank works, with threads on all of
// the processors of the ranks there; the other ranks sleep until the end. Rank 0 works too, sends ranges to the ranks
// that have few left, and passes on the results in order.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "jobs/worker_group.h"
#include "machine.h"

namespace salvo::mpi {

class WorkLedger;

/// Why a rank, or the group, cannot begin.
struct Refusal {
  int status = 0;  ///< exit status
  std::string message;
};

class MpiWorkerGroup : public jobs::WorkerGroup {
 public:
  /// All ranks must construct it together, before they start threads.
  MpiWorkerGroup(int rank, int size) : rank_(rank), size_(size) {}

  bool is_root() const override { return rank_ == 0; }
  bool is_distributed() const override { return machine_.workers().size() > 1; }
  std::optional<int> start(const std::string& identity, int threads) override;
  void run(int threads, const jobs::RangedWork& work) override;

  /// Informs the others that this rank cannot begin. Each rank must call this or start().
  void refuse(const Refusal& why);
  /// Whether the ranks have exchanged whether they can begin.
  bool met() const { return met_; }
  /// Why the group did not begin, equal on all ranks; empty if it did.
  const std::optional<Refusal>& refusal() const { return refusal_; }

 private:
  void meet(const Refusal& outcome, const std::string& identity);
  /// Rank 0: works, and sends ranges to the other machines.
  void run_root(int threads, const jobs::RangedWork& work);
  static void work_here(WorkLedger& ledger, int threads, const jobs::RangedWork& work);
  void serve_machines(WorkLedger& ledger);
  /// The first rank of another machine: receives ranges and returns results.
  void run_worker(int threads, const jobs::RangedWork& work);

  int rank_, size_;
  Machine machine_;
  bool met_ = false;
  std::optional<Refusal> refusal_;
  std::mutex mutex_;  ///< only one thread at a time may call MPI
};

}  // namespace salvo::mpi
