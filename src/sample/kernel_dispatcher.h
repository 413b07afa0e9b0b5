// Plays ranges of trials with the fastest kernel that supports the plan (kernel.h).
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

inline constexpr const char* kReference = "reference";  ///< target name of the reference kernel

class KernelDispatcher {
 public:
  /// `target`: one of targets(), or empty for the best. `trials`: how many are planned; tabulating the policy does not
  /// pay for few. Throws std::invalid_argument for an unknown target.
  KernelDispatcher(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed, Generator generator,
                   const Wanted& wanted, const std::string& target, std::uint64_t trials);
  /// Uses these kernels for any number of trials. `kernels` must outlive the dispatcher.
  KernelDispatcher(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed, Generator generator,
                   const Wanted& wanted, const Target& kernels);

  /// Adds the trials first <= s < last to `tally`. Safe from several threads at once.
  void play(std::uint64_t first, std::uint64_t last, Tally& tally);

  const std::string& target() const { return target_; }
  /// Why the trials are not bit-sliced, or not even played in lanes. May be empty.
  const std::string& reason() const { return reason_; }
  /// A sentence naming the kernels that disagreed with the reference kernel on this plan and are not used, or empty.
  std::string fallback() const;
  /// "bit-sliced", "lanes" or, for the reference kernel, "plain".
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
  base::PerThread<std::unique_ptr<LaneKernel>> lanes_;
};

}  // namespace salvo::sample
