// Lazily computed data that a higher room attaches to an object of a lower room.
#pragma once

#include <atomic>
#include <memory>

namespace salvo::load {

/// Data that belongs to an edition, a card, a catalogue or a report: computed at the first get(), destroyed with its
/// owner. A copy of the owner starts without it, since the copy may be changed. Any number of threads may call get() at
/// once.
class DerivedData {
 public:
  struct Base {
    virtual ~Base() = default;
  };

  DerivedData() = default;
  DerivedData(const DerivedData&) {}
  DerivedData& operator=(const DerivedData& other) {
    if (this != &other) delete made_.exchange(nullptr);
    return *this;
  }
  ~DerivedData() { delete made_.load(); }

  /// The attached T, made by `make()` (a std::unique_ptr<const T>) if it does not exist yet. T must be the same type in
  /// all calls and depend only on the entry. If two threads make it at once, one of the results is discarded.
  template <typename T, typename Make>
  const T& get(Make make) const {
    const Base* made = made_.load(std::memory_order_acquire);
    if (made == nullptr) {
      std::unique_ptr<const T> fresh = make();
      if (made_.compare_exchange_strong(made, fresh.get(), std::memory_order_acq_rel)) made = fresh.release();
    }
    return static_cast<const T&>(*made);
  }

 private:
  mutable std::atomic<const Base*> made_ = nullptr;
};

}  // namespace salvo::load
