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

/// Where random bits come from. Each defines a reproducible stream of its own.
enum class Generator : std::uint8_t { Philox4x32_10, Ars7, Xoshiro256pp };

/// "philox4x32-10", "ars-7", "xoshiro256++".
std::string_view name_of(Generator generator);
std::optional<Generator> generator_of(std::string_view name);
/// All names, the default first.
std::vector<std::string> generator_names();

/// Instruction sets whose kernels this processor can run, best first, in small letters: "avx2", "sse4", ...; last
/// "reference": one trial after the other, die by die, in plain code.
std::vector<std::string> targets();

struct Target;  // vector_kernel.h
struct Tally;   // tally.h

struct Options {
  std::uint64_t trials = 1'000'000;
  double precision =
      0;  ///< > 0: sample until every reported figure's 95 % half-width is at most this; trials is then the most
  /// With a precision: a need of more trials than this is refused as soon as it is seen; 0: never.
  std::uint64_t most_needed = 0;
  std::uint64_t seed = 1;
  Generator generator = Generator::Philox4x32_10;
  std::string target;   ///< one of targets(); empty: the best. Never changes the answer.
  bool tokens = true;   ///< count tokens and charges that are left; otherwise tokens_left is empty and play faster
  bool attacks = true;  ///< count dice, hits and crits of each attack; otherwise `attacks` holds zeros
  int threads = 0;      ///< 0: all cores
  const Target* kernels =
      nullptr;  ///< in place of those of `target`, for tests whose kernels are wrong; outlives the run
  /// Called from time to time with trials done and trials planned; returns false to stop early. May be empty.
  std::function<bool(std::uint64_t, std::uint64_t)> progress;
};

/// Plays as many trials as `options` says. The result depends on plan, policy, seed, generator and trials only, not on
/// threads or target. Throws std::invalid_argument when the target is none of targets(), ScenarioError with the path
/// "precision" when that needs more than `most_needed` trials.
game::Distribution run(const game::Plan& plan, const game::Policy& policy, const Options& options);

/// Who played trials: see Distribution, where they have the same names.
struct PlayedBy {
  std::string target, kernel, fallback;
  bool operator==(const PlayedBy&) const = default;
};

/// A run whose trials are played in parts, in any order and on any machine: what all parts count, added up, is what
/// run() counts. `options` as there, without precision, threads and progress.
class Parts {
 public:
  Parts(const game::Plan& plan, const game::Policy& policy, const Options& options);
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// The trials first <= s < last. Safe from several threads at once.
  Tally play(std::uint64_t first, std::uint64_t last);
  PlayedBy played_by() const;

  /// Parts that begin and end at multiples of this are played without loss.
  static constexpr std::uint64_t kBlock = 65'536;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

/// What run() gives for these counts.
game::Distribution distribution_of(const game::Plan& plan, Tally tally, const Options& options, const PlayedBy& by);

}  // namespace salvo::sample
