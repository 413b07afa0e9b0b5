// KernelDispatcher: plays ranges of trials with the fastest kernel that can, all with the same counts.
// In: a Setup, the tallies wanted and a target. Out: Tallies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "sample/bitsliced/circuit.h"
#include "sample/lanes/lanes.h"
#include "sample/vector/vector_kernel.h"

namespace salvo::sample {

inline constexpr const char* kReference = "reference";  ///< target: the reference kernel

class KernelDispatcher {
 public:
  /// `target`: one of targets(), or empty for the best. `trials`: how many are planned; for few of them it does not pay
  /// to tabulate the policy. Throws std::invalid_argument for an unknown target.
  KernelDispatcher(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed, Generator generator,
                   const Wanted& wanted, const std::string& target, std::uint64_t trials);
  /// With these kernels, whatever the number of trials. `kernels` outlives the player.
  KernelDispatcher(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed, Generator generator,
                   const Wanted& wanted, const Target& kernels);

  /// Adds the trials first <= s < last to `tally`. Safe from several threads at once.
  void play(std::uint64_t first, std::uint64_t last, Tally& tally);

  const std::string& target() const { return target_; }
  /// Why the trials are not bit-sliced, or not even played in lanes; may be empty.
  const std::string& reason() const { return reason_; }
  /// Which kernels disagreed with the reference kernel on this plan and were not used, in a sentence; empty: none.
  std::string fallback() const;
  /// "bit-sliced", "lanes" or "plain".
  const char* kernel() const { return program_ ? "bit-sliced" : in_lanes_ ? "lanes" : "plain"; }
  const std::optional<Program>& program() const { return program_; }

 private:
  void choose_kernel(std::size_t budget);
  bool bit_slice();
  bool play_lanes();
  void play_bit_sliced(std::uint64_t first, std::uint64_t last, Tally& tally);
  void play_in_lanes(std::uint64_t first, std::uint64_t last, Tally& tally);
  bool agrees();

  Setup setup_;
  Wanted wanted_;
  std::string target_ = kReference, reason_;
  std::vector<std::string> disagreed_;  ///< kernels that the reference kernel contradicted
  Circuit circuit_;
  std::optional<Program> program_;
  const Target* vectors_ = nullptr;
  bool in_lanes_ = false;
  base::PerThread<std::optional<Workspace>> workspaces_;
  base::PerThread<std::unique_ptr<LanePlayer>> lanes_;
};

}  // namespace salvo::sample
