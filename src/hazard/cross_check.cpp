// The cross-check of hazards: turns each count of an answer into a distribution that the check of attacks can compare.
#include <fmt/format.h>

#include "answers/cross_check.h"
#include "hazard/hazard.h"

namespace salvo::hazard {
namespace {

/// Represents a count as a ship that suffers this much damage and is destroyed with probability `state`.
game::ShipDistribution as_ship(const Eigen::ArrayXd& count, double state) {
  game::ShipDistribution out;
  out.joint = count;
  out.damage = count;
  out.destroyed = state;
  return out;
}

/// The distributions of an answer side by side; `names` names each.
game::Distribution flattened(const Occurrence& question, const Answer& answer, std::vector<std::string>& names) {
  game::Distribution out;
  names.clear();
  const auto add = [&](const std::string& name, game::ShipDistribution ship) {
    names.push_back(name);
    out.ships.push_back(std::move(ship));
  };
  for (std::size_t s = 0; s < answer.ships.size(); ++s) {
    const ShipAnswer& ship = answer.ships[s];
    const std::string& name = question.targets[s].name;
    add(name, ship.ship);
    if (ship.ship.hull.size() > 0) {
      add("hull of " + name, as_ship(ship.ship.hull, 0));
      add("shields of " + name, as_ship(ship.ship.shields, 0));
    }
    add("faceup cards of " + name, as_ship(ship.faceup, 0));
    for (const TokenAnswer& token : ship.tokens) {
      add(fmt::format("{} of {}", token.token, name), as_ship(token.number, token.reached));
    }
  }
  add("all ships", as_ship(answer.damage, 0));
  add("ships destroyed", as_ship(answer.destroyed, 0));
  out.trials = answer.trials;
  out.seed = answer.seed;
  return out;
}

game::Distribution flattened(const ContestAnswer& answer) {
  game::Distribution out;
  out.ships.push_back(as_ship(answer.rolls, answer.win));
  out.ships.push_back(as_ship(
      Eigen::Map<const Eigen::ArrayXd>(answer.decided_by.data(), static_cast<Eigen::Index>(answer.decided_by.size())),
      0));
  out.trials = answer.trials;
  return out;
}

}  // namespace

CrossCheck cross_check(const Occurrence& question, const Answer& exact, const Answer& sample) {
  compile::Labels labels;
  const game::Distribution ours = flattened(question, exact, labels.ships),
                           theirs = flattened(question, sample, labels.ships);
  return answers::cross_check(ours, theirs, labels);
}

CrossCheck cross_check(const ContestAnswer& exact, const ContestAnswer& sample) {
  compile::Labels labels;
  labels.ships = {"number of rolls", "what decides"};
  return answers::cross_check(flattened(exact), flattened(sample), labels);
}

}  // namespace salvo::hazard
