// Derived: what a room above has worked out from a part of the catalogue, kept with the part for every later question.
// In: a function that makes it. Out: the same object for everybody who asks.
#pragma once

#include <atomic>
#include <memory>

namespace salvo::load {

/// What is kept with an edition or a card. Made when somebody first asks, gone with the part; a copy of the part, which
/// may be changed, starts without. Any number of threads may ask at once.
class Attachment {
 public:
  struct Base {
    virtual ~Base() = default;
  };

  Attachment() = default;
  Attachment(const Attachment&) {}
  Attachment& operator=(const Attachment& other) {
    if (this != &other) delete made_.exchange(nullptr);
    return *this;
  }
  ~Attachment() { delete made_.load(); }

  /// What `make()` returns, a std::unique_ptr<const T>. All callers ask for one T, which depends on the part alone. Two
  /// threads may both make it; one of the two is kept.
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
