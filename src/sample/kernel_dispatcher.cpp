#include "sample/kernel_dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "base/text.h"

namespace salvo::sample {
namespace {

constexpr std::uint64_t kFewTrials = 20'000;    // fewer do not justify tabulating the policy
constexpr std::size_t kMaxPositions = 300'000;  // of a tabulated policy
constexpr std::uint64_t kTrialsOfPosition = 4;  // pay for tabulating one position
constexpr const char* kDisagree = "the kernels disagree on this plan";
constexpr const char* kNoMemory = "there is not enough memory";
constexpr std::uint64_t kCheckedTrials = 2'048;  // in which a kernel must match the reference kernel

const Target* find_target(const std::string& name) {
  const std::vector<Target>& all = vector_targets();
  if (name.empty()) return all.empty() ? nullptr : &all.front();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Target& target) { return target.name == name; });
  if (found != all.end()) return &*found;
  if (name != kReference) throw std::invalid_argument("no such instruction set: " + name);
  return nullptr;
}

}  // namespace

KernelDispatcher::KernelDispatcher(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed,
                                   Generator generator, const Wanted& wanted, const std::string& target,
                                   std::uint64_t trials)
    : setup_(prepare(plan, policy, seed, generator)), wanted_(wanted), vectors_(find_target(target)) {
  if (vectors_ == nullptr) return;
  if (target.empty() && trials < kFewTrials) {
    reason_ = "the trials are few";
    return;
  }
  choose_kernel(target.empty()
                    ? static_cast<std::size_t>(std::min<std::uint64_t>(kMaxPositions, trials / kTrialsOfPosition))
                    : kMaxPositions);
}

KernelDispatcher::KernelDispatcher(const game::Plan& plan, const game::Policy& policy, std::uint64_t seed,
                                   Generator generator, const Wanted& wanted, const Target& kernels)
    : setup_(prepare(plan, policy, seed, generator)), wanted_(wanted), vectors_(&kernels) {
  choose_kernel(kMaxPositions);
}

/// Chooses the fastest kernel that supports the plan and agrees with the reference kernel. `budget`: positions of the
/// policy that may be tabulated.
void KernelDispatcher::choose_kernel(std::size_t budget) {
  try {
    circuit_ = record(setup_, wanted_, budget);
    if (!bit_slice()) reason_ = kDisagree;
  } catch (const UnsupportedByKernel& error) {
    reason_ = error.what();
  } catch (const std::bad_alloc&) {
    program_.reset();
    reason_ = kNoMemory;
  }
  if (program_ || play_lanes()) target_ = vectors_->name;
}

std::string KernelDispatcher::fallback() const {
  if (disagreed_.empty()) return {};
  return fmt::format(
      "sampling: {} on {} did not count what the reference kernel counts, so {} played instead; the figures are right, "
      "but please report this",
      base::joined(disagreed_, " and "), vectors_->name,
      program_    ? "the interpreted program"
      : in_lanes_ ? "the lane kernel"
                  : "the reference kernel");
}

/// Tries native code first where the processor supports it, then interprets the program.
bool KernelDispatcher::bit_slice() {
  program_ = assemble(circuit_, setup_, vectors_->native);
  if (agrees()) return true;
  const bool native = program_->native != nullptr;
  disagreed_.emplace_back(native ? "native code" : "the interpreted program");
  if (native) {
    workspaces_.clear();
    program_ = assemble(circuit_, setup_, NativeWidth::None);
    if (agrees()) return true;
    disagreed_.emplace_back("the interpreted program");
  }
  program_.reset();
  return false;
}

bool KernelDispatcher::play_lanes() {
  try {
    lanes_.local() = std::make_unique<LaneKernel>(setup_, *vectors_, wanted_);
    in_lanes_ = true;
    if (agrees()) return true;
    disagreed_.emplace_back("the lane kernel");
    reason_ = kDisagree;
  } catch (const UnsupportedByKernel& error) {
    reason_ += std::string("; ") + error.what();
  } catch (const std::bad_alloc&) {
    reason_ += std::string("; ") + kNoMemory;
    lanes_.clear();
  }
  return in_lanes_ = false;
}

/// Guards against plan features that a kernel gets wrong: it must match the reference kernel on the first trials.
bool KernelDispatcher::agrees() {
  Tally reference(setup_.plan);
  Tally fast(setup_.plan);
  sample::play(setup_, 0, kCheckedTrials, reference);
  play(0, kCheckedTrials, fast);
  for (Tally* tally : {&reference, &fast}) tally->forget(!wanted_.tokens, !wanted_.attacks);
  return reference == fast;
}

void KernelDispatcher::play(std::uint64_t first, std::uint64_t last, Tally& tally) {
  if (program_) {
    play_bit_sliced(first, last, tally);
  } else if (in_lanes_) {
    play_in_lanes(first, last, tally);
  } else {
    sample::play(setup_, first, last, tally);
  }
}

void KernelDispatcher::play_in_lanes(std::uint64_t first, std::uint64_t last, Tally& tally) {
  std::unique_ptr<LaneKernel>& lanes = lanes_.local();
  if (!lanes) lanes = std::make_unique<LaneKernel>(setup_, *vectors_, wanted_);
  lanes->play(first, last, tally);
}

void KernelDispatcher::play_bit_sliced(std::uint64_t first, std::uint64_t last, Tally& tally) {
  std::optional<Workspace>& workspace = workspaces_.local();
  if (!workspace) workspace.emplace(*program_);
  Counted counted;
  counted.trials = last - first;
  counted.counts.resize(program_->counts);
  vectors_->play(*program_, setup_.generator, setup_.seed, first, last, *workspace, counted.counts.data());
  for (std::size_t c = 0; c < counted.counts.size(); ++c) {
    if (program_->inverted[c]) counted.counts[c] = counted.trials - counted.counts[c];
  }
  circuit_.read(counted, tally);
}

}  // namespace salvo::sample
