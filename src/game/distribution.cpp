// Health that follows from a ship's damage by the rules.
#include "game/distribution.h"

#include <algorithm>

#include "game/plan.h"

namespace salvo::game {

Eigen::ArrayXd damage_of(const Eigen::ArrayXXd& joint) {
  const Eigen::Index rows = joint.rows(), cols = joint.cols();
  Eigen::ArrayXd out(rows + cols - 1);
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    double sum = 0;
    const Eigen::Index last = std::min(k, rows - 1);
    for (Eigen::Index h = std::max<Eigen::Index>(0, k - cols + 1); h <= last; ++h) sum += joint(h, k - h);
    out(k) = sum;
  }
  return out;
}

void fill_health(const ShipPlan& plan, ShipDistribution& ship) {
  if (!plan.destructible) return;
  if (plan.hull_left >= 0) {
    ship.hull = ship.tokens_pmf.extract(static_cast<std::size_t>(plan.hull_left)).mapped();
    ship.shields = ship.tokens_pmf.extract(static_cast<std::size_t>(plan.shields_left)).mapped();
    ship.destroyed = ship.hull(0);
    return;
  }
  ship.hull = Eigen::ArrayXd::Zero(plan.hull + 1);
  ship.shields = Eigen::ArrayXd::Zero(plan.shields + 1);
  ship.destroyed = 0;
  for (Eigen::Index k = 0; k < ship.damage.size(); ++k) {
    const Eigen::Index shields = std::max<Eigen::Index>(0, plan.shields - k);
    const Eigen::Index hull = std::clamp<Eigen::Index>(plan.hull + plan.shields - k, 0, plan.hull);
    ship.shields(shields) += ship.damage(k);
    ship.hull(hull) += ship.damage(k);
    if (hull == 0) ship.destroyed += ship.damage(k);
  }
}

}  // namespace salvo::game
