// A whole plan under a policy as logic gates, which vector kernels evaluate for hundreds of trials at once, and how the
// counted bits become a Tally.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "base/index.h"
#include "sample/bitsliced/logic.h"
#include "sample/kernel.h"

namespace salvo::sample {

/// The bits to count over trials. Constants and complements cost nothing; equal bits are counted once.
class Counters {
 public:
  /// A count to read after play.
  struct Count {
    int index = -1;           ///< into the counts, or -1 for a constant
    bool complement = false;  ///< trials minus the count; for a constant: whether it is true
  };
  Count of(Bit bit);
  const std::vector<std::uint32_t>& gates() const { return gates_; }

 private:
  std::vector<std::uint32_t> gates_;
  std::unordered_map<std::uint32_t, int> index_;
};

/// The counts of some trials.
struct Counted {
  std::uint64_t trials = 0;
  std::vector<std::uint64_t> counts;
  std::uint64_t operator[](Counters::Count count) const {
    const std::uint64_t n = count.index < 0 ? 0 : base::nth(counts, count.index);
    return count.complement ? trials - n : n;
  }
};

struct Circuit {
  Logic logic;
  Counters counters;
  std::vector<std::function<void(const Counted&, Tally&)>> readouts;

  /// Adds the counts to a tally.
  void read(const Counted& counted, Tally& tally) const {
    tally.trials += counted.trials;
    for (const auto& readout : readouts) readout(counted, tally);
  }
};

/// How many gates and counts read each gate; 0: unneeded. Throws UnsupportedByKernel when too many are needed.
std::vector<std::uint32_t> uses_of(const Circuit& circuit);

/// Plays the plan on logic instead of dice. `budget`: positions that may be visited to tabulate the policy. Throws
/// UnsupportedByKernel.
Circuit record(const Setup& setup, const Wanted& wanted, std::size_t budget);

}  // namespace salvo::sample
