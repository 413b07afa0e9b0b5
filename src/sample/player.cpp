#include "sample/player.h"

#include <algorithm>
#include <stdexcept>

#include "sample/decisions.h"

namespace salvo::sample {
namespace {

constexpr std::uint64_t kFewTrials = 20'000;        // played before the policy is tabulated
constexpr std::size_t kMostPositions = 300'000;     // of a policy that is tabulated
constexpr std::uint64_t kTrialsOfPosition = 4;      // that pay for tabulating one
constexpr std::uint64_t kCheckedSequences = 2'048;  // played by both kernels before one is trusted

const Target* find_target(const std::string& name) {
  const std::vector<Target>& all = vector_targets();
  if (name.empty()) return all.empty() ? nullptr : &all.front();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Target& target) { return target.name == name; });
  if (found != all.end()) return &*found;
  if (name != kReference) throw std::invalid_argument("no such instruction set: " + name);
  return nullptr;
}

}  // namespace

Player::Player(const Plan& plan, const Policy& policy, std::uint64_t seed, Generator generator, const Wanted& wanted,
               const std::string& target, std::uint64_t trials)
    : setup_(prepare(plan, policy, seed, generator)) {
  const Target* chosen = find_target(target);
  if (chosen == nullptr) return;
  if (target.empty() && trials < kFewTrials) {
    reason_ = "the trials are few";
    return;
  }
  const std::size_t budget =
      target.empty() ? static_cast<std::size_t>(std::min<std::uint64_t>(kMostPositions, trials / kTrialsOfPosition))
                     : kMostPositions;
  try {
    compile(*chosen, wanted, budget);
  } catch (const NotBitSliced& error) {
    reason_ = error.what();
  }
  if (program_ && !agrees(wanted)) {
    reason_ = "the kernels disagree on this plan";
    program_.reset();
  }
  if (program_) target_ = chosen->name;
}

void Player::compile(const Target& target, const Wanted& wanted, std::size_t budget) {
  circuit_ = record(setup_, wanted, budget);
  program_ = assemble(circuit_, setup_);
  kernel_ = target.play;
}

/// Plans grow new verbs: before a program is trusted it plays some sequences beside the plain kernel.
bool Player::agrees(const Wanted& wanted) {
  Tally plain(setup_.plan);
  Tally fast(setup_.plan);
  sample::play(setup_, 0, kCheckedSequences, plain);
  play_bit_sliced(0, kCheckedSequences, fast);
  plain.forget(!wanted.tokens, !wanted.attacks);
  return plain == fast;
}

void Player::play(std::uint64_t first, std::uint64_t last, Tally& tally) {
  if (program_) {
    play_bit_sliced(first, last, tally);
  } else {
    sample::play(setup_, first, last, tally);
  }
}

void Player::play_bit_sliced(std::uint64_t first, std::uint64_t last, Tally& tally) {
  std::optional<Workspace>& workspace = workspaces_.local();
  if (!workspace) workspace.emplace(*program_);
  Counted counted;
  counted.trials = last - first;
  counted.counts.resize(program_->counts);
  kernel_(*program_, setup_.generator, setup_.seed, first, last, *workspace, counted.counts.data());
  for (std::size_t c = 0; c < counted.counts.size(); ++c) {
    if (program_->inverted[c]) counted.counts[c] = counted.trials - counted.counts[c];
  }
  circuit_.read(counted, tally);
}

}  // namespace salvo::sample
