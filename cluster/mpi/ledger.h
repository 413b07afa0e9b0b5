// Ledger: the parts of a work as rank 0 hands them out, and what was made of them, which it puts in order. Asked by the
// thread that speaks with other machines and by those that work on this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "jobs/worker_group.h"

namespace salvo::mpi {

/// A part under way; numbers count from 0.
struct Taken {
  std::uint64_t number = 0;
  jobs::Part part;
};

class Ledger {
 public:
  explicit Ledger(const jobs::PartWork& work) : work_(work) {}

  /// The next part. Nothing at the end, and while too much waits for what comes before it.
  std::optional<Taken> take();
  /// Whether there is nothing left to take.
  bool all_taken() const;
  /// Whether all is made and put, or somebody failed.
  bool ended() const;
  bool failed() const;

  /// What was made of a part, here or elsewhere.
  void made(std::uint64_t number, jobs::Piece& piece);
  void made(std::uint64_t number, std::string bytes);

  /// Calls `f`; what it throws ends the work.
  void guard(const std::function<void()>& f);
  /// Throws what was thrown first.
  void rethrow() const;

 private:
  void hold(std::uint64_t number, std::string bytes);
  void put_what_follows();

  static constexpr std::size_t kMaxHeld = std::size_t{256} << 20;  ///< bytes
  mutable std::mutex mutex_;
  const jobs::PartWork& work_;
  bool all_taken_ = false;
  std::uint64_t taken_ = 0, put_ = 0;
  std::map<std::uint64_t, std::string> held_;  ///< made before what comes before it
  std::size_t held_bytes_ = 0;
  std::exception_ptr error_;
};

}  // namespace salvo::mpi
