// Work limit: how much one request may cost in all its solutions together, counted so that the same request is refused
// on each machine; and whether anybody still wants the answer. In: transitions that the engines spend. Out: an
// exception when there were too many, or nobody does.
#pragma once

#include <atomic>
#include <optional>

#include "salvo/errors.h"

namespace salvo::base {

/// More work than the request may cost. No PlanTooLarge, on purpose: nobody may settle for a smaller answer.
struct TooMuchWork : Error {
  explicit TooMuchWork(double most);
};

/// Limits what this thread spends while the object lives; without one, nothing is limited. Threads that help are not
/// counted: whoever limits work lets a request use one.
class WorkLimit {
 public:
  /// Empty: no limit. `unwanted`: where it is set, the next work that is counted is too much; null: never. It has to
  /// outlive the object.
  explicit WorkLimit(std::optional<double> most_transitions, const std::atomic<bool>* unwanted = nullptr);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  friend void spend_work(double transitions);
  const std::optional<double> most_;
  const std::atomic<bool>* const unwanted_;
  double spent_ = 0;
  WorkLimit* const outer_;
};

/// Counts work that is about to be done. Throws TooMuchWork.
void spend_work(double transitions);

/// All that this thread ever counted, whatever limited it: differences tell what something cost.
double work_counted();

/// What a trial costs.
inline constexpr double kTransitionsPerTrial = 0.5;

}  // namespace salvo::base
