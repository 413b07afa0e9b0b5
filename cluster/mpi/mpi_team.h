// MpiTeam: the processes that mpirun started, as one team. Rank 0 hands out parts, one after another to whoever has few
// left, and puts what comes back in order; the others work, each with its threads.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cli/program.h"
#include "cli/team.h"

namespace salvo::mpi {

class MpiTeam : public cli::Team {
 public:
  MpiTeam(int rank, int size) : rank_(rank), size_(size) {}

  bool leads() const override { return rank_ == 0; }
  void play(const std::string& identity, int threads, const std::function<std::optional<cli::Part>()>& next,
            const std::function<std::string(const cli::Part&)>& work,
            const std::function<void(std::string_view)>& put) override;

  /// Tells the others that this one cannot begin. All ranks have to come here or to play().
  void give_up(const cli::Outcome& why);
  /// Whether all have told each other that they can begin, or why not.
  bool met() const { return met_; }
  /// Why the team did not begin, the same on all ranks; empty: it did.
  const std::optional<cli::Outcome>& refusal() const { return refusal_; }

 private:
  void meet(const cli::Outcome& outcome, const std::string& identity);
  void lead(const std::function<std::optional<cli::Part>()>& next, const std::function<void(std::string_view)>& put);
  void follow(int threads, const std::function<std::string(const cli::Part&)>& work);

  int rank_, size_;
  bool met_ = false;
  std::optional<cli::Outcome> refusal_;
  std::mutex mutex_;  ///< MPI is asked by one thread at a time
};

}  // namespace salvo::mpi
