// What follows from a ship's damage by the rules.
#include "salvo/distribution.h"

#include <algorithm>

#include "salvo/plan.h"

namespace salvo {

void fill_health(const ShipPlan& plan, ShipDistribution& ship) {
  if (!plan.destructible) return;
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
