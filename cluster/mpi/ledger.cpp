// Ledger: see ledger.h.
#include "ledger.h"

#include <utility>

namespace salvo::mpi {

std::optional<Taken> Ledger::take() {
  const std::lock_guard lock(mutex_);
  if (all_taken_ || error_ || held_bytes_ >= kMaxHeld) return std::nullopt;
  const std::optional<jobs::Part> part = work_.next();
  if (part) return Taken{taken_++, *part};
  all_taken_ = true;
  return std::nullopt;
}

bool Ledger::all_taken() const {
  const std::lock_guard lock(mutex_);
  return all_taken_ || error_;
}

bool Ledger::ended() const {
  const std::lock_guard lock(mutex_);
  return error_ || (all_taken_ && put_ == taken_);
}

bool Ledger::failed() const {
  const std::lock_guard lock(mutex_);
  return error_ != nullptr;
}

void Ledger::made(std::uint64_t number, jobs::Piece& piece) {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  if (number != put_) return hold(number, work_.pack(piece));
  work_.put(piece);
  ++put_;
  put_what_follows();
}

void Ledger::made(std::uint64_t number, std::string bytes) {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  hold(number, std::move(bytes));
  put_what_follows();
}

void Ledger::hold(std::uint64_t number, std::string bytes) {
  held_bytes_ += bytes.size();
  held_.emplace(number, std::move(bytes));
}

void Ledger::put_what_follows() {
  for (auto first = held_.begin(); first != held_.end() && first->first == put_; first = held_.begin(), ++put_) {
    held_bytes_ -= first->second.size();
    work_.put(*work_.unpack(std::move(first->second)));
    held_.erase(first);
  }
}

void Ledger::guard(const std::function<void()>& f) {
  try {
    f();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void Ledger::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

}  // namespace salvo::mpi
