// What follows from a ship's damage by the rules.
#include "rules/distribution.h"

#include <algorithm>

#include "rules/plan.h"

namespace salvo {

Eigen::ArrayXd damage_of(const Eigen::ArrayXXd& joint) {
  Eigen::ArrayXd out = Eigen::ArrayXd::Zero(joint.rows() + joint.cols() - 1);
  for (Eigen::Index h = 0; h < joint.rows(); ++h) {
    for (Eigen::Index c = 0; c < joint.cols(); ++c) out(h + c) += joint(h, c);
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

}  // namespace salvo
