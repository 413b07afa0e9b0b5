#include "work_ledger.h"

#include <utility>

namespace salvo::mpi {

std::optional<NumberedRange> WorkLedger::take() {
  const std::lock_guard lock(mutex_);
  if (all_taken_ || error_ || held_bytes_ >= kMaxHeldBytes) return std::nullopt;
  const std::optional<jobs::WorkRange> range = work_.next();
  if (range) return NumberedRange{taken_++, *range};
  all_taken_ = true;
  return std::nullopt;
}

bool WorkLedger::all_taken() const {
  const std::lock_guard lock(mutex_);
  return all_taken_ || error_;
}

bool WorkLedger::ended() const {
  const std::lock_guard lock(mutex_);
  return error_ || (all_taken_ && put_ == taken_);
}

bool WorkLedger::failed() const {
  const std::lock_guard lock(mutex_);
  return error_ != nullptr;
}

void WorkLedger::finish(std::uint64_t number, jobs::PipelineItem& result) {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  if (number != put_) return hold(number, work_.pack(result));
  work_.put(result);
  ++put_;
  put_consecutive();
}

void WorkLedger::finish(std::uint64_t number, std::string bytes) {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  hold(number, std::move(bytes));
  put_consecutive();
}

void WorkLedger::hold(std::uint64_t number, std::string bytes) {
  held_bytes_ += bytes.size();
  held_.emplace(number, std::move(bytes));
}

void WorkLedger::put_consecutive() {
  for (auto first = held_.begin(); first != held_.end() && first->first == put_; first = held_.begin(), ++put_) {
    held_bytes_ -= first->second.size();
    work_.put(*work_.unpack(std::move(first->second)));
    held_.erase(first);
  }
}

void WorkLedger::guard(const std::function<void()>& f) {
  try {
    f();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void WorkLedger::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

}  // namespace salvo::mpi
