// The sampling engine: plays a plan die by die with reproducible random bits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/distribution.h"
#include "game/policy.h"

namespace salvo::game {
struct Plan;
}

namespace salvo::sample {

/// The source of random bits. Each one defines its own reproducible stream.
enum class Generator : std::uint8_t { Philox4x32_10, Ars7, Xoshiro256pp };

/// "philox4x32-10", "ars-7", "xoshiro256++".
std::string_view name_of(Generator generator);
std::optional<Generator> generator_of(std::string_view name);
/// All names, the default first.
const std::vector<std::string>& generator_names();

/// Instruction sets whose kernels this processor can run, best first, in lower case: "avx2", "sse4", ...; last
/// "reference", the reference kernel in plain code.
std::vector<std::string> targets();

struct Target;  // vector_kernel.h
struct Tally;   // tally.h

struct Options {
  std::uint64_t trials = 1'000'000;
  /// > 0: sample until the 95 % half-width of every reported estimate is at most this; `trials` is then the limit.
  double precision = 0;
  /// With a precision: throw as soon as it turns out to need more trials than this; 0: never.
  std::uint64_t most_needed = 0;
  std::uint64_t seed = 1;
  Generator generator = Generator::Philox4x32_10;
  std::string target;   ///< one of targets(); empty: the best. Does not change the answer.
  bool tokens = true;   ///< count the tokens and charges left; otherwise tokens_left is empty and sampling faster
  bool attacks = true;  ///< count dice, hits and crits of each attack; otherwise `attacks` holds zeros
  int threads = 0;      ///< 0: all cores
  /// Used instead of the kernels of `target`, for tests with wrong kernels; must outlive the run.
  const Target* kernels = nullptr;
  /// Called about ten times a second with trials done and trials planned; returns false to stop early. May be empty.
  std::function<bool(std::uint64_t, std::uint64_t)> progress;
};

/// Plays as many trials as `options` says. The result depends only on plan, policy, seed, generator and trials, not on
/// threads or target. Throws std::invalid_argument for an unknown target, and ScenarioError at "precision" when the
/// precision needs more than `most_needed` trials.
game::Distribution run(const game::Plan& plan, const game::Policy& policy, const Options& options);

/// What played the trials; see the members of game::Distribution with the same names.
struct PlayedBy {
  std::string target, kernel, fallback;
  bool operator==(const PlayedBy&) const = default;
};

/// A run whose trials are played in parts, in any order and on any machine. The merged tallies of all parts equal those
/// of run(). Ignores the options precision, threads and progress.
class Parts {
 public:
  Parts(const game::Plan& plan, const game::Policy& policy, const Options& options);
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// The trials first <= s < last. Safe from several threads at once.
  Tally play(std::uint64_t first, std::uint64_t last);
  PlayedBy played_by() const;

  /// Parts that begin and end at multiples of this waste no work.
  static constexpr std::uint64_t kBlock = 65'536;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

/// The result of run() for these counts.
game::Distribution distribution_of(const game::Plan& plan, Tally tally, const Options& options, const PlayedBy& by);

}  // namespace salvo::sample
