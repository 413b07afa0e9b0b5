#include "exact/forward.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "base/work_limit.h"

namespace salvo::exact {
namespace {

constexpr double kSumsPerTransition = 1000;  ///< additions that take as long as one transition of a solve

/// Enlarges the table to at least this size; new cells are 0.
void grow(Eigen::ArrayXXd& table, Eigen::Index rows, Eigen::Index cols) {
  rows = std::max(table.rows(), rows);
  cols = std::max(table.cols(), cols);
  if (rows == table.rows() && cols == table.cols()) return;
  if (table.size() == 0) {
    table.setZero(rows, cols);
    return;
  }
  Eigen::ArrayXXd larger = Eigen::ArrayXXd::Zero(rows, cols);
  larger.topLeftCorner(table.rows(), table.cols()) = table;
  table = std::move(larger);
}

/// Adds `row` times p to `into`, shifted by h hits and c crits. `into` must be large enough. Plain loops are faster
/// than Eigen blocks here, because most tables have a handful of rows.
void add_in_place(Eigen::ArrayXXd& into, const Eigen::ArrayXXd& row, int h, int c, double p) {
  const Eigen::Index rows = row.rows();
  const double* from = row.data();
  double* to = &into(h, c);
  for (Eigen::Index col = 0; col < row.cols(); ++col, from += rows, to += into.rows()) {
    for (Eigen::Index i = 0; i < rows; ++i) to[i] += p * from[i];
  }
}

/// The same, enlarging `into` as needed.
void add_shifted(Eigen::ArrayXXd& into, const Eigen::ArrayXXd& row, int h, int c, double p) {
  grow(into, row.rows() + h, row.cols() + c);
  add_in_place(into, row, h, c, p);
}

/// The results of an attack with probability above 0, and the largest numbers of hits and crits among them.
struct ResultList {
  struct Result {
    int h = 0, c = 0;
    double p = 0;
  };
  boost::container::small_vector<Result, 28> list;
  int most_hits = 0, most_crits = 0;

  ResultList(int n, const double* p) {
    for (int h = 0; h <= n; ++h, p += n + 1) {
      for (int c = 0; c <= n - h; ++c) {
        if (p[c] == 0) continue;
        list.push_back({h, c, p[c]});
        most_hits = h;
        most_crits = std::max(most_crits, c);
      }
    }
  }
};

/// The last attack that can read a resource, or -1.
int last_reader(const game::Plan& plan, const game::Resource& r) {
  int last = -1;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    if ((base::nth(plan.attacks[k].readable.words, r.word) >> r.shift & r.mask) != 0) last = static_cast<int>(k);
  }
  return last;
}

}  // namespace

void add_arrival(const Arrival& arrival, std::vector<Arrival>& arrivals) {
  const auto same =
      std::find_if(arrivals.begin(), arrivals.end(), [&](const Arrival& known) { return known.same_end(arrival); });
  if (same == arrivals.end()) {
    arrivals.push_back(arrival);
  } else {
    same->probability += arrival.probability;
  }
}

Forward::Forward(const game::Plan& plan, double most_sums)
    : plan_(plan), most_sums_(most_sums), tokens_(plan.resources.size(), 0.0), last_attack_(plan.ships.size(), -1) {
  out_.ships.resize(plan.ships.size());
  out_.attacks.resize(plan.attacks.size());
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    base::nth(last_attack_, plan.attacks[k].defender) = static_cast<int>(k);
    for (std::size_t v = game::kAttacker; v < game::kVictims; ++v) {
      const int ship = plan.attacks[k].victim(v);
      if (ship < 0 || !base::nth(plan.ships, ship).effect_damage) continue;
      base::nth(last_attack_, ship) = static_cast<int>(k);
    }
  }
  damage_.resize(plan.ships.size());
  effect_damage_ =
      std::any_of(plan.ships.begin(), plan.ships.end(), [](const game::ShipPlan& s) { return s.effect_damage; });
  for (std::size_t i = 0; i < plan.resources.size(); ++i) {
    const game::Resource& r = plan.resources[i];
    retired_by_.push_back(r.dynamic ? last_reader(plan, r) : -1);
    numbers_.emplace_back(Eigen::ArrayXd::Zero(game::has_distribution(r) ? r.max + 1 : 0));
    if (retired_by_.back() >= 0) continue;
    tokens_[i] = r.initial;
    if (game::has_distribution(r)) numbers_[i](r.initial) = 1;
  }
  for (std::size_t s = 0; s < plan.ships.size(); ++s) {
    if (last_attack_[s] < 0) out_.ships[s].joint = Eigen::ArrayXXd::Ones(1, 1);
  }
}

Mass Forward::first() const {
  Mass out = empty_state();
  out.probability = 1.0;
  for (std::size_t s = 0; s < plan_.ships.size(); ++s) {
    if (last_attack_[s] < 0) continue;
    out.joint[s].setOnes(1, 1);
    if (plan_.ships[s].effect_damage) out.damage[s].setOnes(1, 1);
  }
  return out;
}

Mass Forward::empty_state() const {
  Mass out;
  out.joint.resize(plan_.ships.size());
  if (effect_damage_) out.damage.resize(plan_.ships.size());
  return out;
}

std::vector<Mass> Forward::states(std::size_t size) const {
  std::vector<Mass> out(size);
  for (Mass& mass : out) {
    mass.joint.resize(plan_.ships.size());
    if (effect_damage_) mass.damage.resize(plan_.ships.size());
  }
  return out;
}

void Forward::move(std::size_t attack, const Mass& from, double p, int h, int c, Mass& to,
                   const std::array<std::int8_t, game::kVictims>& extra) {
  to.probability += from.probability * p;
  for (std::size_t ship = 0; ship < plan_.ships.size(); ++ship) {
    if (from.joint[ship].size() == 0) continue;
    const bool defends = static_cast<int>(ship) == plan_.attacks[attack].defender;
    const bool last = last_attack_[ship] == static_cast<int>(attack);
    count_sums(from.joint[ship]);
    add_shifted(table(attack, ship, to), from.joint[ship], defends ? h : 0, defends ? c : 0, p);
    if (!plan_.ships[ship].effect_damage) continue;
    int damage = defends ? h + c : 0;
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (plan_.attacks[attack].victim(v) == static_cast<int>(ship)) damage += extra[v];
    }
    add_shifted(last ? damage_[ship] : to.damage[ship], from.damage[ship], damage, 0, p);
  }
}

void Forward::move_results(std::size_t attack, const Mass& from, int n, const double* p, Mass& to) {
  const ResultList results(n, p);
  if (results.list.empty()) return;
  double sums = 0;
  for (const Eigen::ArrayXXd& row : from.joint) sums += static_cast<double>(row.size());
  sums *= static_cast<double>(results.list.size());
  // Near the limit, results are moved one by one, so that the addition that exceeds the limit throws.
  if (effect_damage_ || sums_ + sums > most_sums_) {
    for (const ResultList::Result& result : results.list) move(attack, from, result.p, result.h, result.c, to);
    return;
  }
  sums_ += sums;
  for (const ResultList::Result& result : results.list) to.probability += from.probability * result.p;
  for (std::size_t ship = 0; ship < plan_.ships.size(); ++ship) {
    const Eigen::ArrayXXd& row = from.joint[ship];
    if (row.size() == 0) continue;
    const bool defends = static_cast<int>(ship) == plan_.attacks[attack].defender;
    Eigen::ArrayXXd& into = table(attack, ship, to);
    grow(into, row.rows() + (defends ? results.most_hits : 0), row.cols() + (defends ? results.most_crits : 0));
    for (const ResultList::Result& result : results.list)
      add_in_place(into, row, defends ? result.h : 0, defends ? result.c : 0, result.p);
  }
}

void Forward::count_sums(const Eigen::ArrayXXd& table) {
  sums_ += static_cast<double>(table.size());
  if (sums_ <= most_sums_) return;
  throw PlanTooLarge(fmt::format("the exact engine needs more than {:.3g} sums to combine {} attacks; raise the "
                                 "budget, shorten the scenario, or sample it",
                                 most_sums_, plan_.attacks.size()),
                     sums_ / kSumsPerEdge, most_sums_ / kSumsPerEdge);
}

bool Forward::retires(std::size_t attack, std::size_t resource) const {
  using Kind = game::Resource::Kind;
  const Kind kind = plan_.resources[resource].kind;
  const bool counts_cards =
      kind == Kind::Card || kind == Kind::Seen || kind == Kind::Faceup || kind == Kind::Facedown || kind == Kind::Drawn;
  return retired_by_[resource] == static_cast<int>(attack) && kind != Kind::Health && !counts_cards;
}

void Forward::retire(std::size_t attack, const game::Resources& resources, double probability,
                     const ResourceMarks& owned) {
  for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
    if (!retires(attack, i) || (!owned.empty() && !owned[i])) continue;
    leave(i, resources.get(plan_.resources[i]), probability);
  }
}

void Forward::finish_attack(std::size_t attack) {
  base::spend_work((sums_ - spent_sums_) / kSumsPerTransition);
  spent_sums_ = sums_;
  game::AttackDistribution& estimates = out_.attacks[attack];
  if (estimates.happens <= 0) return;
  estimates.attack_dice /= estimates.happens;
  estimates.defense_dice /= estimates.happens;
}

game::Distribution Forward::finish() {
  for (std::size_t s = 0; s < plan_.ships.size(); ++s) finish_ship(s);
  for (std::size_t k = plan_.attacks.size(); k-- > 0;) {
    if (plan_.attacks[k].engagement) out_.attacks.erase(out_.attacks.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return std::move(out_);
}

void Forward::finish_ship(std::size_t s) {
  game::ShipDistribution& ship = out_.ships[s];
  ship.damage = damage_[s].size() == 0 ? game::damage_of(ship.joint) : Eigen::ArrayXd(damage_[s].col(0));
  ship.tokens_left = Eigen::ArrayXd::Zero(static_cast<Eigen::Index>(plan_.resources.size()));
  for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
    if (plan_.resources[i].ship != static_cast<int>(s)) continue;
    ship.tokens_left(static_cast<Eigen::Index>(i)) = tokens_[i];
    if (numbers_[i].size() > 0 && numbers_[i].maxCoeff() > 0) ship.tokens_pmf.emplace(i, numbers_[i]);
  }
  game::fill_health(plan_.ships[s], ship);
}

}  // namespace salvo::exact
