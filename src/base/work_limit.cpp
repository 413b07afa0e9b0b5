#include "base/work_limit.h"

#include <fmt/format.h>

namespace salvo::base {
namespace {

thread_local WorkLimit* t_limit = nullptr;
thread_local double t_counted = 0;

}  // namespace

WorkLimitExceeded::WorkLimitExceeded(double most)
    : Error(fmt::format("the answer needs more than {:.3g} transitions in all its parts; leave out ships, attacks or "
                        "cards, or ask for fewer trials",
                        most)) {}

WorkLimit::WorkLimit(std::optional<double> most_transitions, const std::atomic<bool>* cancelled)
    : most_(most_transitions), cancelled_(cancelled), outer_(t_limit) {
  t_limit = this;
}

WorkLimit::~WorkLimit() { t_limit = outer_; }

double work_counted() { return t_counted; }

void spend_work(double transitions) {
  t_counted += transitions;
  WorkLimit* const limit = t_limit;
  if (limit == nullptr) return;
  limit->spent_ += transitions;
  if (limit->cancelled_ != nullptr && *limit->cancelled_) throw WorkLimitExceeded(limit->spent_);
  if (!limit->most_) return;
  if (limit->spent_ > *limit->most_) throw WorkLimitExceeded(*limit->most_);
}

}  // namespace salvo::base
