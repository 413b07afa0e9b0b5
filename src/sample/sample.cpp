// Runs blocks of trials on all threads. Tallies are integers, so the answer does not depend on the number of threads.
#include "sample/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/parallel.h"
#include "base/significance.h"
#include "base/work_limit.h"
#include "salvo/errors.h"
#include "sample/kernel_dispatcher.h"

namespace salvo::sample {
namespace {

constexpr std::uint64_t kBlock = Parts::kBlock;  // trials per task
constexpr double kChunkSeconds = 0.1;            // between two calls of progress

Tally play_blocks(base::Threads& threads, const game::Plan& plan, KernelDispatcher& player, std::uint64_t first,
                  std::uint64_t last) {
  const std::uint64_t begin = first / kBlock;
  const std::uint64_t end = (last + kBlock - 1) / kBlock;
  return threads.sum(
      begin, end, Tally(plan),
      [&](std::uint64_t from, std::uint64_t to, Tally tally) {
        player.play(std::max(first, from * kBlock), std::min(last, to * kBlock), tally);
        return tally;
      },
      [](Tally a, const Tally& b) {
        a.merge(b);
        return a;
      });
}

/// Plays in chunks of about kChunkSeconds. play_to() returns false when the progress callback stopped it.
class Runner {
 public:
  Runner(const game::Plan& plan, KernelDispatcher& player, const Options& options)
      : plan_(plan), player_(player), options_(options), tally_(plan), threads_(options.threads) {}

  bool play_to(std::uint64_t target, std::uint64_t planned) {
    while (tally_.trials < target) {
      const auto start = std::chrono::steady_clock::now();
      const std::uint64_t last = std::min(target, (tally_.trials / kBlock + blocks_) * kBlock);
      base::spend_work(base::kTransitionsPerTrial * static_cast<double>(last - tally_.trials));
      tally_.merge(play_blocks(threads_, plan_, player_, tally_.trials, last));
      const double elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (elapsed_s < kChunkSeconds / 2) blocks_ *= 2;
      if (elapsed_s > kChunkSeconds * 2 && blocks_ > 1) blocks_ /= 2;
      if (options_.progress && !options_.progress(tally_.trials, planned)) return false;
    }
    return true;
  }

  const Tally& tally() const { return tally_; }

 private:
  const game::Plan& plan_;
  KernelDispatcher& player_;
  const Options& options_;
  Tally tally_;
  base::Threads threads_;
  std::uint64_t blocks_ = 4;
};

double error_of_probabilities(const Eigen::Ref<const Eigen::ArrayXd>& p, double n) {
  return p.size() == 0 ? 0.0 : std::sqrt((p * (1 - p)).maxCoeff() / n);
}

/// The largest standard error of any reported probability, or mean of damage or value.
double largest_error(const game::Distribution& d) {
  const double n = static_cast<double>(d.trials);
  double worst = d.value_se;
  for (const game::ShipDistribution& ship : d.ships) {
    double mean = 0;
    double second = 0;
    double tail = 1;
    for (Eigen::Index k = 0; k < ship.damage.size(); ++k) {
      worst = std::max(worst, std::sqrt(std::max(0.0, tail * (1 - tail)) / n));
      tail -= ship.damage(k);
      mean += static_cast<double>(k) * ship.damage(k);
      second += static_cast<double>(k * k) * ship.damage(k);
    }
    worst = std::max(worst, std::sqrt(std::max(0.0, second - mean * mean) / n));
    for (const Eigen::ArrayXd* p : {&ship.damage, &ship.hull, &ship.shields})
      worst = std::max(worst, error_of_probabilities(*p, n));
    worst = std::max(worst, error_of_probabilities(ship.joint.reshaped(), n));
  }
  for (const game::AttackDistribution& attack : d.attacks) {
    for (const double p : {attack.happens, attack.hit_probability}) worst = std::max(worst, std::sqrt(p * (1 - p) / n));
    worst = std::max({worst, attack.mean_hits_se, attack.mean_crits_se});
  }
  return worst;
}

constexpr double kMaxGrowth = 64;  // of the trials, from one look at the results to the next

/// Spends the error probability of the stopping rule: all looks together err with at most 5 %, so that stopping when
/// the results look precise enough does not make the intervals too narrow. Most of it is reserved for the first look
/// that was planned to be the last, since it usually is; the other looks share the rest.
class ErrorBudget {
 public:
  double take(bool planned_as_last) {
    if (planned_as_last && first_) {
      first_ = false;
      return kFirst;
    }
    rest_ /= 2;
    return rest_;
  }
  double next() const { return first_ ? kFirst : rest_ / 2; }

 private:
  static constexpr double kFirst = 0.04;
  bool first_ = true;
  double rest_ = 0.05 - kFirst;
};

/// Rejects a precision that is out of reach; the message names the trials it needs and what is reachable.
void check_needed(double needed, const Options& options) {
  const auto most = static_cast<double>(options.most_needed);
  if (options.most_needed == 0 || needed <= most) return;
  const double reachable = options.precision * std::sqrt(needed / most);
  throw ScenarioError(
      "precision",
      fmt::format("{:.3g} would need some {:.2g} trials, more than the {:.2g} that are played unasked; ask "
                  "for {:.1e} or more, or set the most with --trials",
                  options.precision, needed, most, 1.05 * reachable));
}

/// Samples until the half-width is small enough.
bool play_to_precision(Runner& runner, const game::Plan& plan, const Options& options) {
  ErrorBudget budget;
  std::uint64_t target = std::min<std::uint64_t>(kBlock, options.trials);
  bool last = false;
  for (;;) {
    if (!runner.play_to(target, options.trials)) return false;
    const double error = largest_error(runner.tally().distribution(plan));
    if (base::two_sided_z(budget.take(last)) * error <= options.precision || target >= options.trials) return true;
    const double n = static_cast<double>(target);
    // The estimated error is itself off by about 1 / sqrt(n): a margin makes one more look enough.
    const double margin = 1.01 + 10 / std::sqrt(n);
    const double needed = margin * n * std::pow(base::two_sided_z(budget.next()) * error / options.precision, 2);
    check_needed(needed, options);
    last = needed <= kMaxGrowth * n;
    target = static_cast<std::uint64_t>(
        std::min(static_cast<double>(options.trials), std::clamp(needed, 1.2 * n, kMaxGrowth * n)));
  }
}

}  // namespace

std::string_view name_of(Generator generator) {
  switch (generator) {
    case Generator::Philox4x32_10:
      return "philox4x32-10";
    case Generator::Ars7:
      return "ars-7";
    case Generator::Xoshiro256pp:
      break;
  }
  return "xoshiro256++";
}

std::optional<Generator> generator_of(std::string_view name) {
  for (const Generator g : {Generator::Philox4x32_10, Generator::Ars7, Generator::Xoshiro256pp}) {
    if (name_of(g) == name) return g;
  }
  return std::nullopt;
}

const std::vector<std::string>& generator_names() {
  static const std::vector<std::string> names{"philox4x32-10", "ars-7", "xoshiro256++"};
  return names;
}

std::vector<std::string> targets() {
  std::vector<std::string> out;
  for (const Target& target : vector_targets()) out.push_back(target.name);
  out.emplace_back(kReference);
  return out;
}

namespace {

KernelDispatcher player_of(const game::Plan& plan, const game::Policy& policy, const Options& options) {
  const Wanted wanted{options.tokens, options.attacks};
  if (options.kernels != nullptr)
    return KernelDispatcher(plan, policy, options.seed, options.generator, wanted, *options.kernels);
  return KernelDispatcher(plan, policy, options.seed, options.generator, wanted, options.target, options.trials);
}

PlayedBy about(const KernelDispatcher& player) { return {player.target(), player.kernel(), player.fallback()}; }

}  // namespace

struct Parts::Content {
  const game::Plan& plan;
  KernelDispatcher player;
};

Parts::Parts(const game::Plan& plan, const game::Policy& policy, const Options& options)
    : content_(new Content{plan, player_of(plan, policy, options)}) {}
Parts::~Parts() = default;

Tally Parts::play(std::uint64_t first, std::uint64_t last) {
  Tally out(content_->plan);
  content_->player.play(first, last, out);
  return out;
}

PlayedBy Parts::played_by() const { return about(content_->player); }

game::Distribution distribution_of(const game::Plan& plan, Tally tally, const Options& options, const PlayedBy& by) {
  tally.forget(!options.tokens, !options.attacks);
  game::Distribution out = tally.distribution(plan);
  if (!options.tokens) {
    for (game::ShipDistribution& ship : out.ships) {
      ship.tokens_left = ship.tokens_left_se = Eigen::ArrayXd();
      ship.tokens_pmf.clear();
    }
  }
  out.seed = options.seed;
  out.generator = name_of(options.generator);
  out.target = by.target;
  out.kernel = by.kernel;
  out.target_forced = !options.target.empty();
  out.kernel_fallback = by.fallback;
  return out;
}

game::Distribution run(const game::Plan& plan, const game::Policy& policy, const Options& options) {
  KernelDispatcher player = player_of(plan, policy, options);
  Runner runner(plan, player, options);
  const bool finished =
      options.precision > 0 ? play_to_precision(runner, plan, options) : runner.play_to(options.trials, options.trials);
  game::Distribution out = distribution_of(plan, runner.tally(), options, about(player));
  out.interrupted = !finished;
  return out;
}

}  // namespace salvo::sample
