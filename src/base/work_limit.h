// Limits the work of one request over all its solves, and cancels it. Work is counted in transitions, not in seconds,
// so that every machine refuses the same requests.
#pragma once

#include <atomic>
#include <optional>

#include "salvo/errors.h"

namespace salvo::base {

/// The request exceeds its work limit, or was cancelled. Deliberately not a PlanTooLarge, which callers catch in order
/// to fall back to a cheaper answer.
struct WorkLimitExceeded : Error {
  explicit WorkLimitExceeded(double most);
};

/// Limits the work of the current thread during the lifetime of the object. Other threads are not counted, so a limited
/// request must run on a single thread.
class WorkLimit {
 public:
  /// `most_transitions`: empty for no limit. `cancelled`: once it is true, the next spend_work() throws; null: never.
  /// It must outlive the object.
  explicit WorkLimit(std::optional<double> most_transitions, const std::atomic<bool>* cancelled = nullptr);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  friend void spend_work(double transitions);
  const std::optional<double> most_;
  const std::atomic<bool>* const cancelled_;
  double spent_ = 0;
  WorkLimit* const outer_;
};

/// Counts work that is about to be done. Throws WorkLimitExceeded.
void spend_work(double transitions);

/// All work that the current thread has ever counted, limited or not. The cost of a call is the difference around it.
double work_counted();

/// What one sampled trial counts as.
inline constexpr double kTransitionsPerTrial = 0.5;

}  // namespace salvo::base
