// MpiTeam: the processes that mpirun started, as one team. On each machine the first of them works, with threads on the
// processors of all; the others wait for the end. Rank 0 works as well, hands out parts, one after another to
// whoever has few left, and puts what was made of them in order.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "cli/program.h"
#include "jobs/worker_group.h"
#include "machine.h"

namespace salvo::mpi {

class Ledger;

class MpiTeam : public jobs::Team {
 public:
  /// On all ranks together, before they have threads.
  MpiTeam(int rank, int size) : rank_(rank), size_(size) {}

  bool leads() const override { return rank_ == 0; }
  bool travels() const override { return machine_.workers().size() > 1; }
  std::optional<int> begin(const std::string& identity, int threads) override;
  void play(int threads, const jobs::PartWork& work) override;

  /// Tells the others that this one cannot begin. All ranks have to come here or to begin().
  void give_up(const cli::Outcome& why);
  /// Whether all have told each other that they can begin, or why not.
  bool met() const { return met_; }
  /// Why the team did not begin, the same on all ranks; empty: it did.
  const std::optional<cli::Outcome>& refusal() const { return refusal_; }

 private:
  void meet(const cli::Outcome& outcome, const std::string& identity);
  /// The work of rank 0, beside what other machines do.
  void lead(int threads, const jobs::PartWork& work);
  static void work_beside(Ledger& ledger, int threads, const jobs::PartWork& work);
  void hand_out(Ledger& ledger);
  /// The work of the first rank of another machine.
  void follow(int threads, const jobs::PartWork& work);

  int rank_, size_;
  Machine machine_;
  bool met_ = false;
  std::optional<cli::Outcome> refusal_;
  std::mutex mutex_;  ///< MPI is asked by one thread at a time
};

}  // namespace salvo::mpi
