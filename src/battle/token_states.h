// Numbers the token states of each ship type, and caches the state that each step of a round leads to.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "base/index.h"
#include "battle/ship_type.h"

namespace salvo::battle {

inline constexpr int kMaxStates = 512;  ///< token states of a ship type

/// Tables shared by several battles have no room for another state. Tables of a single battle may have room for it.
struct TablesFull : std::runtime_error {
  TablesFull() : std::runtime_error("too many states for shared tables") {}
};

/// Safe to use from several threads at once: known states are read without a lock, new ones are added under a lock for
/// each type. Numbers depend on the order in which states first occur; nothing is computed from them.
class TokenStates {
 public:
  /// `shared`: throw TablesFull, not PlanTooLarge, beyond kMaxStates. `types` must outlive this.
  TokenStates(const std::vector<ShipType>& types, bool shared);

  int start_state(int type) const { return base::nth(start_, type); }
  int after_action(int type, int state, int option) {
    Successor& next = base::nth(steps(type, state).option, option);
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_action(type, state, option));
  }
  int after_blue(int type, int state) {  ///< a blue maneuver
    Successor& next = steps(type, state).blue;
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_blue(type, state));
  }
  int after_ion(int type, int state) {  ///< the maneuver of an ionized ship
    Successor& next = steps(type, state).ion;
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_ion(type, state));
  }
  int after_end(int type, int state) {  ///< the End Phase
    Successor& next = steps(type, state).end;
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_end(type, state));
  }
  /// The same tokens, with the health of the ship in its slot.
  int with_health(int type, int state, int health);
  /// The state with the same tokens, with or without a helper near. Only for types that can have a helper.
  int with_help(int type, int state, bool helped);
  bool stressed(int type, int state) const { return steps(type, state).stressed; }
  bool ionized(int type, int state) const { return steps(type, state).ionized; }
  bool wants_blue(int type, int state) const { return steps(type, state).wants_blue; }
  /// Whether the ship has what the option costs, and is not too stressed for it.
  bool can_pay(int type, int state, int option) const { return (steps(type, state).payable >> option & 1) != 0; }
  const Counts& counts(int type, int state) const {
    return base::nth(base::nth(numbering_, type)->list, state)->counts;
  }
  /// The number of a state, a new one if it was not met before.
  int state_of(int type, const Counts& counts);

 private:
  /// The number of the state that follows another one, found on first use.
  class Successor {
   public:
    /// The number, or a negative one if it is not known yet. A thread that reads the number sees the complete state.
    int get() const { return number_.load(std::memory_order_acquire); }
    int set(int number) {
      number_.store(static_cast<std::int16_t>(number), std::memory_order_release);
      return number;
    }

   private:
    static_assert(kMaxStates <= std::numeric_limits<std::int16_t>::max());
    std::atomic<std::int16_t> number_{-1};
  };
  struct StateInfo {
    Counts counts;
    std::array<Successor, kMaxHealth + 1> health;
    std::array<Successor, 2> help;
  };
  /// What every ship needs of its state in every round. Those of a type are contiguous, to touch few cache lines.
  struct Steps {
    bool stressed = false, ionized = false, wants_blue = false;  ///< stressed: too much to act
    std::uint16_t payable = 0;                                   ///< options, as bits
    Successor end, blue, ion;
    std::array<Successor, kMaxOptions> option;
  };
  struct Numbering {
    std::mutex mutex;
    std::map<Counts, int> numbers;
    std::vector<std::unique_ptr<StateInfo>> list;  ///< kMaxStates places
  };

  Steps& steps(int type, int state) const { return base::nth(steps_, type * kMaxStates + state); }
  /// The state that `change(Counts&)` makes of a state.
  template <typename Change>
  int changed_state(int t, int state, const Change& change);
  static bool payable(const ShipType& type, const Counts& counts, const ActionOption& option);
  int find_after_action(int t, int state, int option);
  int find_after_blue(int t, int state);
  static void fly_blue(const ShipType& type, Counts& counts);
  int find_after_ion(int t, int state);
  int find_after_end(int t, int state);

  const std::vector<ShipType>& types_;
  bool shared_;
  std::vector<int> start_;  ///< by type
  std::vector<std::unique_ptr<Numbering>> numbering_;
  std::unique_ptr<Steps[]> steps_;  ///< by type, kMaxStates each
};

}  // namespace salvo::battle
