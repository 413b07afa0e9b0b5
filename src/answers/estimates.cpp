#include "answers/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "base/text.h"
#include "salvo/errors.h"

namespace salvo::answers {
namespace {

using Eigen::Index;

/// Values in memory that belong to a distribution.
using Values = Eigen::Map<const Eigen::ArrayXd>;

Values values_of(const Eigen::ArrayXd& values) { return {values.data(), values.size()}; }

/// A probability. If sampled, its standard error is that of a binomial proportion.
Estimate probability(double p, std::uint64_t trials) {
  if (trials == 0) return {p, 0};
  return {p, std::sqrt(std::max(0.0, p * (1 - p)) / static_cast<double>(trials))};
}

std::vector<Estimate> probabilities(const Values& values, std::uint64_t trials) {
  std::vector<Estimate> out(static_cast<std::size_t>(values.size()));
  for (Index k = 0; k < values.size(); ++k) base::nth(out, k) = probability(values(k), trials);
  return out;
}

/// Sums in the order of the entries: the order of Eigen's own sums depends on the width of the processor's vectors.
template <typename Entries>
double sum_in_order(const Entries& values) {
  double out = 0;
  for (Index k = 0; k < values.size(); ++k) out += values(k);
  return out;
}

/// The mean of a count that is k with probability pmf(k) for k below `size`, and its standard error from the same
/// probabilities.
template <typename Pmf>
Estimate mean_of(Index size, const Pmf& pmf, std::uint64_t trials) {
  double mean = 0, variance = 0;  // summed in this order on every machine
  for (Index k = 0; k < size; ++k) mean += static_cast<double>(k) * pmf(k);
  if (trials == 0) return {mean, 0};
  for (Index k = 0; k < size; ++k) variance += pmf(k) * std::pow(static_cast<double>(k) - mean, 2);
  return {mean, std::sqrt(variance / static_cast<double>(trials))};
}

Estimate mean_of(const Values& pmf, std::uint64_t trials) { return mean_of(pmf.size(), pmf, trials); }

Estimate mean_hits_of(const Eigen::ArrayXXd& joint, std::uint64_t trials) {
  return mean_of(
      joint.rows(), [&](Index hits) { return sum_in_order(joint.row(hits)); }, trials);
}

Estimate mean_crits_of(const Eigen::ArrayXXd& joint, std::uint64_t trials) {
  return mean_of(
      joint.cols(), [&](Index crits) { return sum_in_order(joint.col(crits)); }, trials);
}

/// P(k or more) for each k, summed from the small end of the tail. P(0 or more) is exactly 1, without rounding errors.
std::vector<Estimate> tails(const Values& pmf, std::uint64_t trials) {
  std::vector<Estimate> out(static_cast<std::size_t>(pmf.size()));
  double tail = 0;
  for (Index k = pmf.size() - 1; k >= 0; --k) {
    tail += pmf(k);
    base::nth(out, k) = probability(std::min(tail, 1.0), trials);
  }
  if (std::abs(tail - 1) < 1e-12) out[0] = {1, 0};
  return out;
}

/// Without trailing zeros. A ship that cannot be damaged takes 0 damage with certainty.
Values trimmed(const Eigen::ArrayXd& pmf) {
  static constexpr double kCertain = 1;
  Index size = pmf.size();
  while (size > 0 && !(pmf(size - 1) > 0)) --size;
  if (size == 0) return {&kCertain, 1};
  return {pmf.data(), size};
}

const Eigen::ArrayXXd& joint_of(const game::ShipDistribution& ship) {
  static const Eigen::ArrayXXd kUndamaged = Eigen::ArrayXXd::Ones(1, 1);
  return ship.joint.size() > 0 ? ship.joint : kUndamaged;
}

std::vector<JointCell> joint_cells(const Eigen::ArrayXXd& joint, std::uint64_t trials) {
  std::vector<JointCell> cells;
  cells.reserve(static_cast<std::size_t>((joint > 0).count()));
  for (Index h = 0; h < joint.rows(); ++h) {
    for (Index c = 0; c < joint.cols(); ++c) {
      if (joint(h, c) > 0) {
        cells.push_back({static_cast<int>(h), static_cast<int>(c), probability(joint(h, c), trials)});
      }
    }
  }
  return cells;
}

/// Mean tokens left by kind. The tokens of one ship depend on each other, so the standard error of a sum (several
/// locks) is bounded by the sum of the errors.
std::vector<std::pair<std::string, Estimate>> tokens_left(const compile::Labels& labels,
                                                          const game::ShipDistribution& ship, std::size_t ship_index) {
  const auto counts = [&](std::size_t r) {
    return static_cast<std::size_t>(labels.resources[r].ship) == ship_index && labels.resources[r].is_token;
  };
  const std::size_t size = std::min(labels.resources.size(), static_cast<std::size_t>(ship.tokens_left.size()));
  std::size_t most = 0;
  for (std::size_t r = 0; r < size; ++r) most += counts(r);
  std::vector<std::pair<std::string, Estimate>> by_kind;  // sorted
  by_kind.reserve(most);
  for (std::size_t r = 0; r < size; ++r) {
    if (!counts(r)) continue;
    const auto index = static_cast<Index>(r);
    const std::string& kind = labels.resources[r].name;
    auto at = std::find_if(by_kind.begin(), by_kind.end(), [&](const auto& known) { return known.first >= kind; });
    if (at == by_kind.end() || at->first != kind) at = by_kind.insert(at, {kind, Estimate()});
    at->second.value += ship.tokens_left(index);
    if (index < ship.tokens_left_se.size()) at->second.se += ship.tokens_left_se(index);
  }
  return by_kind;
}

/// The probability of each number of gained tokens, and of each state that begins at some number.
void add_token_distributions(const compile::Labels& labels, const game::ShipDistribution& ship, std::uint64_t trials,
                             ShipEstimates& out) {
  for (const auto& [r, pmf] : ship.tokens_pmf) {
    if (r >= labels.resources.size()) continue;
    out.tokens_pmf.emplace_back(labels.resources[r].name, probabilities(trimmed(pmf), trials));
    const compile::ResourceLabel& label = labels.resources[r];
    if (label.state.empty()) continue;
    const Index threshold = std::min<Index>(label.threshold, pmf.size());
    out.states.emplace_back(label.state, probability(sum_in_order(pmf.tail(pmf.size() - threshold)), trials));
  }
}

void add_ship_figures(const compile::Labels& labels, const game::Distribution& distribution, std::size_t index,
                      std::vector<ShipEstimates>& ships) {
  const game::ShipDistribution& ship = distribution.ships[index];
  const std::uint64_t n = distribution.trials;
  const Values pmf = trimmed(ship.damage);
  const Values hull = values_of(ship.hull), shields = values_of(ship.shields);
  const Eigen::ArrayXXd& joint = joint_of(ship);
  ShipEstimates& out = ships.emplace_back();
  out.name = ship_name(labels, index);
  out.title = index < labels.ship_titles.size() ? labels.ship_titles[index] : out.name;
  out.mean_damage = mean_of(pmf, n);
  out.mean_hits = mean_hits_of(joint, n);
  out.mean_crits = mean_crits_of(joint, n);
  out.destroyed = probability(ship.destroyed, n);
  out.faceup = {ship.faceup, ship.faceup_se};
  // An upper bound: the summands depend on each other.
  const double added = out.mean_damage.value - out.mean_hits.value - out.mean_crits.value;
  out.added = {added < 1e-12 ? 0.0 : added,  // smaller values are rounding errors
               out.mean_damage.se + out.mean_hits.se + out.mean_crits.se};
  out.pmf = probabilities(pmf, n);
  out.at_least = tails(pmf, n);
  out.joint = joint_cells(joint, n);
  out.hull = probabilities(hull, n);
  out.shields = probabilities(shields, n);
  out.mean_hull = mean_of(hull, n);
  out.mean_shields = mean_of(shields, n);
  out.tokens_left = tokens_left(labels, ship, index);
  add_token_distributions(labels, ship, n, out);
  out.attacked = std::any_of(labels.attacks.begin(), labels.attacks.end(), [&](const compile::AttackLabel& attack) {
    return static_cast<std::size_t>(attack.on) == index;
  });
}

AttackEstimates attack_figures(const compile::Labels& labels, const game::Distribution& distribution,
                               std::size_t index) {
  const game::AttackDistribution& attack = distribution.attacks[index];
  AttackEstimates out;
  out.happens = probability(attack.happens, distribution.trials);
  out.attack_dice = {attack.attack_dice, attack.attack_dice_se};
  out.defense_dice = {attack.defense_dice, attack.defense_dice_se};
  out.hit_probability = probability(attack.hit_probability, distribution.trials);
  out.mean_hits = {attack.mean_hits, attack.mean_hits_se};
  out.mean_crits = {attack.mean_crits, attack.mean_crits_se};
  if (index >= labels.attacks.size()) return out;
  const compile::AttackLabel& label = labels.attacks[index];
  out.by = ship_name(labels, static_cast<std::size_t>(label.by));
  out.on = ship_name(labels, static_cast<std::size_t>(label.on));
  out.weapon = label.weapon;
  out.range = label.range;
  out.bonus = label.bonus;
  out.round = label.round;
  out.second = label.second;
  const auto& [defense, attackers] = label.given_dice;
  if (attackers >= 0) out.attack_dice = {static_cast<double>(attackers), 0};
  if (defense >= 0) out.defense_dice = {static_cast<double>(defense), 0};
  return out;
}

}  // namespace

CountDistribution count_estimates(const Eigen::ArrayXd& pmf, std::uint64_t trials) {
  const Values values = trimmed(pmf);
  return {mean_of(values, trials), probabilities(values, trials), tails(values, trials)};
}

Estimate probability_estimate(double p, std::uint64_t trials) { return probability(p, trials); }

std::string ship_name(const compile::Labels& labels, std::size_t ship) {
  return ship < labels.ships.size() ? labels.ships[ship] : fmt::format("ship {}", ship);
}

namespace {

/// The results of a roll alone: the hits that the attack dice leave, or that the defense dice cancel.
RollEstimates roll_figures(const compile::Labels& labels, const game::Distribution& distribution) {
  const compile::AttackLabel& label = labels.attacks.at(0);
  const bool attack = labels.roll == "attack";
  const std::uint64_t n = distribution.trials;
  const Eigen::ArrayXXd& joint = joint_of(base::nth(distribution.ships, label.on));
  const Index most = attack ? joint.rows() + joint.cols() - 2 : label.given_dice[1];
  Eigen::ArrayXd pmf = Eigen::ArrayXd::Zero(most + 1);
  for (Index h = 0; h < joint.rows(); ++h) {
    for (Index c = 0; c < joint.cols(); ++c) pmf(attack ? h + c : std::max<Index>(0, most - h - c)) += joint(h, c);
  }
  const std::size_t roller = static_cast<std::size_t>(attack ? label.by : label.on);
  const AttackEstimates dice = attack_figures(labels, distribution, 0);
  RollEstimates out;
  out.attack = attack;
  out.by = ship_name(labels, roller);
  out.dice = attack ? dice.attack_dice : dice.defense_dice;
  out.results = count_estimates(pmf, n);
  out.tokens_left = tokens_left(labels, distribution.ships[roller], roller);
  if (!attack) return out;
  out.mean_hits = mean_hits_of(joint, n);
  out.mean_crits = mean_crits_of(joint, n);
  out.joint = joint_cells(joint, n);
  return out;
}

}  // namespace

Estimates make_estimates(const compile::Labels& labels, const game::Distribution& distribution) {
  Estimates out;
  out.value = {distribution.value, distribution.value_se};
  out.trials = distribution.trials;
  out.ships.reserve(distribution.ships.size());
  out.attacks.reserve(distribution.attacks.size());
  for (std::size_t s = 0; s < distribution.ships.size(); ++s) add_ship_figures(labels, distribution, s, out.ships);
  for (std::size_t a = 0; a < distribution.attacks.size(); ++a) {
    out.attacks.push_back(attack_figures(labels, distribution, a));
  }
  return out;
}

void add_sample(Report& report, const game::Distribution& sampled) {
  report.sample = {.trials = sampled.trials,
                   .seed = sampled.seed,
                   .generator = sampled.generator,
                   .target = sampled.target,
                   .kernel = sampled.kernel,
                   .target_forced = sampled.target_forced,
                   .kernel_fallback = sampled.kernel_fallback,
                   .interrupted = sampled.interrupted};
  if (!sampled.kernel_fallback.empty()) report.notes.push_back(sampled.kernel_fallback);
}

Report make_report(const compile::Labels& labels, const game::Distribution& distribution) {
  Report out;
  static_cast<Provenance&>(out) = labels;
  out.estimates = make_estimates(labels, distribution);
  out.engine = distribution.trials > 0 ? Engine::Sample : Engine::Exact;
  if (distribution.trials > 0) add_sample(out, distribution);
  if (labels.roll.empty()) return out;
  out.roll = roll_figures(labels, distribution);
  out.estimates.value = out.roll->results.mean;
  out.estimates.ships.clear();  // a roll damages no ship
  out.estimates.attacks.clear();
  return out;
}

}  // namespace salvo::answers

const salvo::ShipEstimates& salvo::Estimates::ship(std::string_view name) const {
  const auto found =
      std::find_if(ships.begin(), ships.end(), [&](const ShipEstimates& one) { return one.name == name; });
  if (found != ships.end()) return *found;
  std::vector<std::string> names;
  for (const ShipEstimates& one : ships) names.push_back(one.name);
  throw Error(fmt::format("no ship is called '{}'; the ships are {}", name, base::joined(names, ", ")));
}
