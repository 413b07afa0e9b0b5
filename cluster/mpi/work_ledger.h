// Rank 0's account of the work: which ranges it has handed out, and the results, which it passes on in order. Shared by
// the thread that communicates with other machines and the threads that work on this one.
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

/// A range in progress, numbered from 0.
struct NumberedRange {
  std::uint64_t number = 0;
  jobs::WorkRange range;
};

class WorkLedger {
 public:
  explicit WorkLedger(const jobs::RangedWork& work) : work_(work) {}

  /// The next range. Empty at the end, and while the results that wait for an earlier one exceed kMaxHeldBytes.
  std::optional<NumberedRange> take();
  /// Whether no range is left.
  bool all_taken() const;
  /// Whether all results are passed on, or something failed.
  bool ended() const;
  bool failed() const;

  /// Records the result of a range, from this machine or another one.
  void finish(std::uint64_t number, jobs::PipelineItem& result);
  void finish(std::uint64_t number, std::string bytes);

  /// Calls `f`; its exception ends the work.
  void guard(const std::function<void()>& f);
  /// Rethrows the first exception.
  void rethrow() const;

 private:
  void hold(std::uint64_t number, std::string bytes);
  void put_consecutive();

  static constexpr std::size_t kMaxHeldBytes = std::size_t{256} << 20;
  mutable std::mutex mutex_;
  const jobs::RangedWork& work_;
  bool all_taken_ = false;
  std::uint64_t taken_ = 0, put_ = 0;
  std::map<std::uint64_t, std::string> held_;  ///< results that wait for an earlier one
  std::size_t held_bytes_ = 0;
  std::exception_ptr error_;
};

}  // namespace salvo::mpi
