#include "sample/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/index.h"
#include "game/plan.h"

namespace salvo::sample {
namespace {

constexpr std::size_t kMaxDamage = 256;  // larger damage is counted as the last value
constexpr int kFirstWidth = 128;         // of the joint table of hits and crits

/// Upper bound of the uncancelled results that a ship can take in the whole plan; sizes its table.
int most_results(const game::Plan& plan, int ship) {
  int most = 0;
  for (const game::AttackPlan& attack : plan.attacks) {
    if (attack.defender == ship) most += base::kMaxPool;
  }
  return most;
}

double mean_of(const Moments& m, std::uint64_t n) {
  return n == 0 ? 0.0 : static_cast<double>(m.sum) / static_cast<double>(n);
}

/// Standard error of the mean of n values.
double error_of(const Moments& m, std::uint64_t n) {
  if (n < 2) return 0.0;
  const double count = static_cast<double>(n);
  const double mean = mean_of(m, n);
  return std::sqrt(std::max(0.0, static_cast<double>(m.squares) / count - mean * mean) / (count - 1));
}

Eigen::ArrayXXd joint_of(const ShipTally& tally, std::uint64_t trials) {
  const Eigen::Index cols = tally.width;
  const Eigen::Index rows = static_cast<Eigen::Index>(tally.joint.size()) / cols;
  Eigen::Index last_row = 0;
  Eigen::Index last_col = 0;
  const auto count = [&](Eigen::Index h, Eigen::Index c) { return base::nth(tally.joint, h * cols + c); };
  for (Eigen::Index h = 0; h < rows; ++h) {
    for (Eigen::Index c = 0; c < cols; ++c) {
      if (count(h, c) == 0) continue;
      last_row = std::max(last_row, h);
      last_col = std::max(last_col, c);
    }
  }
  Eigen::ArrayXXd out(last_row + 1, last_col + 1);
  for (Eigen::Index h = 0; h <= last_row; ++h) {
    for (Eigen::Index c = 0; c <= last_col; ++c)
      out(h, c) = static_cast<double>(count(h, c)) / static_cast<double>(trials);
  }
  return out;
}

/// Probabilities up to the last value that occurred.
Eigen::ArrayXd probabilities(const std::vector<std::uint64_t>& counts, std::uint64_t trials) {
  std::size_t size = counts.size();
  while (size > 1 && counts[size - 1] == 0) --size;
  Eigen::ArrayXd out(static_cast<Eigen::Index>(size));
  for (std::size_t i = 0; i < size; ++i)
    out(static_cast<Eigen::Index>(i)) = static_cast<double>(counts[i]) / static_cast<double>(trials);
  return out;
}

void fill_value(const game::Plan& plan, const Tally& tally, game::Distribution& out) {
  const double n = static_cast<double>(tally.trials);
  // Each side's payoff is measured in the other side's points.
  const double a =
      plan.objective == game::Objective::Exchange ? (plan.theirs_total > 0 ? 1 / plan.theirs_total : 0.0) : 1.0;
  const double b =
      plan.objective == game::Objective::Exchange ? (plan.mine_total > 0 ? 1 / plan.mine_total : 0.0) : 1.0;
  const double mine = mean_of(tally.mine, tally.trials);
  const double theirs = mean_of(tally.theirs, tally.trials);
  out.value = a * mine - b * theirs;
  if (tally.trials < 2) return;
  const double second = a * a * static_cast<double>(tally.mine.squares) / n +
                        b * b * static_cast<double>(tally.theirs.squares) / n -
                        2 * a * b * static_cast<double>(tally.mixed) / n;
  out.value_se = std::sqrt(std::max(0.0, second - out.value * out.value) / (n - 1));
}

game::AttackDistribution attack_of(const AttackTally& tally, std::uint64_t trials) {
  game::AttackDistribution out;
  const double n = static_cast<double>(trials);
  out.happens = static_cast<double>(tally.happens) / n;
  out.attack_dice = mean_of(tally.attack_dice, tally.happens);
  out.attack_dice_se = error_of(tally.attack_dice, tally.happens);
  out.defense_dice = mean_of(tally.defense_dice, tally.happens);
  out.defense_dice_se = error_of(tally.defense_dice, tally.happens);
  out.hit_probability = static_cast<double>(tally.hits_at_all) / n;
  out.mean_hits = mean_of(tally.hits, trials);
  out.mean_hits_se = error_of(tally.hits, trials);
  out.mean_crits = mean_of(tally.crits, trials);
  out.mean_crits_se = error_of(tally.crits, trials);
  return out;
}

/// Calls visit(count) for each count of a tally in text order, and visit_width(ship number, ship) before the counts of
/// a ship, so that its table can get the right size.
template <typename AnyTally, typename Visit, typename VisitWidth>
void each_count(AnyTally& tally, Visit visit, VisitWidth visit_width) {
  const auto moments = [&](auto& m) {
    visit(m.sum);
    visit(m.squares);
  };
  const auto list = [&](auto& counts) {
    for (auto& count : counts) visit(count);
  };
  visit(tally.trials);
  for (std::size_t s = 0; s < tally.ships.size(); ++s) {
    auto& ship = tally.ships[s];
    visit_width(s, ship);
    list(ship.joint);
    list(ship.damage);
    moments(ship.faceup);
  }
  for (auto& attack : tally.attacks) {
    visit(attack.happens);
    visit(attack.hits_at_all);
    for (auto* m : {&attack.attack_dice, &attack.defense_dice, &attack.hits, &attack.crits}) moments(*m);
  }
  for (auto& resource : tally.resources) moments(resource);
  for (auto& numbers : tally.numbers) list(numbers);
  moments(tally.mine);
  moments(tally.theirs);
  visit(tally.mixed);
}

/// Appends a count in decimal. Handles 128 bits, which fmt lacks in WebAssembly.
void put_digits(Wide count, std::string& out) {
  const std::size_t before = out.size();
  do {
    out += static_cast<char>('0' + static_cast<int>(count % 10));
    count /= 10;
  } while (count > 0);
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
}

/// Reads the numbers of a text one by one and expands runs of zeros.
class CountReader {
 public:
  explicit CountReader(std::string_view text) : rest_(text) {}

  Wide next(Wide most) {
    if (zeros_ == 0) return read(most);
    --zeros_;
    return 0;
  }
  void end() const {
    if (zeros_ > 0 || !rest_.empty()) fail();
  }
  [[noreturn]] static void fail() { throw std::invalid_argument("these are not the counts of this question"); }

 private:
  Wide read(Wide most) {
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
    if (!word.starts_with("0*")) return number(word, most);
    zeros_ = static_cast<std::uint64_t>(number(word.substr(2), std::numeric_limits<std::uint32_t>::max()));
    if (zeros_ == 0) fail();
    --zeros_;
    return 0;
  }
  static Wide number(std::string_view word, Wide most) {
    Wide out = 0;
    for (const char c : word) {
      const auto digit = static_cast<unsigned>(c - '0');
      if (digit > 9 || out > (most - digit) / 10) fail();
      out = 10 * out + digit;
    }
    if (word.empty()) fail();
    return out;
  }

  std::string_view rest_;
  std::uint64_t zeros_ = 0;
};

}  // namespace

std::string Tally::text() const {
  std::string out;
  std::uint64_t zeros = 0;
  const auto put_zeros = [&] {
    if (zeros > 0) out += zeros == 1 ? "0 " : fmt::format("0*{} ", zeros);
    zeros = 0;
  };
  const auto put = [&](const auto& count) {
    if (count == 0) {
      ++zeros;
      return;
    }
    put_zeros();
    put_digits(static_cast<Wide>(count), out);  // a width is positive
    out += ' ';
  };
  each_count(*this, put, [&](std::size_t, const ShipTally& ship) { put(ship.width); });
  put_zeros();
  out.pop_back();
  return out;
}

Tally Tally::of_text(const game::Plan& plan, std::string_view text) {
  Tally out(plan);
  CountReader reader(text);
  const auto take = [&](auto& count) {
    using Count = std::remove_reference_t<decltype(count)>;
    count = static_cast<Count>(reader.next(static_cast<Count>(~Count{0})));
  };
  each_count(out, take, [&](std::size_t s, ShipTally& ship) {
    const Wide width = reader.next(std::numeric_limits<std::int32_t>::max());
    const int most = 2 * (most_results(plan, static_cast<int>(s)) + 1);  // tables grow no larger
    if (width < static_cast<Wide>(ship.width) || width > static_cast<Wide>(most)) CountReader::fail();
    ship.grow(static_cast<int>(width));
  });
  reader.end();
  return out;
}

void ShipTally::grow(int least) {
  if (least <= width) return;
  const auto from = static_cast<std::size_t>(width), to = static_cast<std::size_t>(least);
  std::vector<std::uint64_t> larger(to * to, 0);
  for (std::size_t h = 0; h < from; ++h) {
    const auto row = joint.begin() + static_cast<std::ptrdiff_t>(h * from);
    std::copy(row, row + static_cast<std::ptrdiff_t>(from), larger.begin() + static_cast<std::ptrdiff_t>(h * to));
  }
  joint = std::move(larger);
  width = static_cast<int>(to);
}

bool ShipTally::operator==(const ShipTally& other) const {
  if (width > other.width) return other == *this;
  if (damage != other.damage || faceup != other.faceup) return false;
  if (width == other.width) return joint == other.joint;
  ShipTally wide = *this;
  wide.grow(other.width);
  return wide.joint == other.joint;
}

Tally::Tally(const game::Plan& plan)
    : ships(plan.ships.size()), attacks(plan.attacks.size()), resources(plan.resources.size()) {
  for (const game::Resource& r : plan.resources) numbers.emplace_back(game::has_distribution(r) ? r.max + 1 : 0, 0);
  for (std::size_t s = 0; s < ships.size(); ++s) {
    const int most = most_results(plan, static_cast<int>(s));
    ships[s].grow(std::min(most + 1, kFirstWidth));
    if (plan.ships[s].effect_damage) ships[s].damage.assign(kMaxDamage, 0);
  }
}

void ShipTally::merge_joint(const ShipTally& other) {
  grow(other.width);
  const auto ours = static_cast<std::size_t>(width), theirs = static_cast<std::size_t>(other.width);
  for (std::size_t h = 0; h < theirs; ++h) {
    for (std::size_t c = 0; c < theirs; ++c) joint[h * ours + c] += other.joint[h * theirs + c];
  }
}

void Tally::merge(const Tally& other) {
  trials += other.trials;
  for (std::size_t s = 0; s < ships.size(); ++s) {
    ships[s].merge_joint(other.ships[s]);
    for (std::size_t i = 0; i < ships[s].damage.size(); ++i) ships[s].damage[i] += other.ships[s].damage[i];
    ships[s].faceup.merge(other.ships[s].faceup);
  }
  for (std::size_t k = 0; k < attacks.size(); ++k) {
    attacks[k].happens += other.attacks[k].happens;
    attacks[k].hits_at_all += other.attacks[k].hits_at_all;
    attacks[k].attack_dice.merge(other.attacks[k].attack_dice);
    attacks[k].defense_dice.merge(other.attacks[k].defense_dice);
    attacks[k].hits.merge(other.attacks[k].hits);
    attacks[k].crits.merge(other.attacks[k].crits);
  }
  for (std::size_t i = 0; i < resources.size(); ++i) {
    resources[i].merge(other.resources[i]);
    for (std::size_t n = 0; n < numbers[i].size(); ++n) numbers[i][n] += other.numbers[i][n];
  }
  mine.merge(other.mine);
  theirs.merge(other.theirs);
  mixed += other.mixed;
}

void Tally::forget(bool tokens, bool of_attacks) {
  if (tokens) {
    std::fill(resources.begin(), resources.end(), Moments{});
    for (auto& counts : numbers) std::fill(counts.begin(), counts.end(), 0);
  }
  if (of_attacks) std::fill(attacks.begin(), attacks.end(), AttackTally{});
}

game::Distribution Tally::distribution(const game::Plan& plan) const {
  game::Distribution out;
  out.trials = trials;
  fill_value(plan, *this, out);
  for (std::size_t k = 0; k < attacks.size(); ++k) {
    if (!plan.attacks[k].engagement) out.attacks.push_back(attack_of(attacks[k], trials));
  }
  for (std::size_t s = 0; s < ships.size(); ++s) {
    game::ShipDistribution ship;
    ship.joint = joint_of(ships[s], trials);
    ship.damage = ships[s].damage.empty() ? game::damage_of(ship.joint) : probabilities(ships[s].damage, trials);
    ship.faceup = mean_of(ships[s].faceup, trials);
    ship.faceup_se = error_of(ships[s].faceup, trials);
    const auto n = static_cast<Eigen::Index>(resources.size());
    ship.tokens_left = Eigen::ArrayXd::Zero(n);
    ship.tokens_left_se = Eigen::ArrayXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Moments& left = base::nth(resources, i);
      if (base::nth(plan.resources, i).ship != static_cast<int>(s)) continue;
      ship.tokens_left(i) = mean_of(left, trials);
      ship.tokens_left_se(i) = error_of(left, trials);
      const auto& counts = base::nth(numbers, i);
      if (!counts.empty()) ship.tokens_pmf.emplace(static_cast<std::size_t>(i), probabilities(counts, trials));
    }
    game::fill_health(plan.ships[s], ship);
    out.ships.push_back(std::move(ship));
  }
  return out;
}

}  // namespace salvo::sample
