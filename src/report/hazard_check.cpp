// The cross-check of hazards: every count of the answers becomes a distribution that the engines' own check compares.
// In: an exact and a sampled answer. Out: a CrossCheck.
#include <fmt/format.h>

#include "answers/cross_check.h"
#include "report/hazard.h"

namespace salvo::report {
namespace {

/// A count as a ship that takes that much damage; `state`: a probability beside it.
game::ShipDistribution as_ship(const Eigen::ArrayXd& count, double state) {
  game::ShipDistribution out;
  out.joint = count;
  out.damage = count;
  out.destroyed = state;
  return out;
}

/// The figures of an answer, each with a name in `names`.
game::Distribution flat(const hazard::Occurrence& question, const hazard::Answer& answer,
                        std::vector<std::string>& names) {
  game::Distribution out;
  names.clear();
  const auto add = [&](const std::string& name, game::ShipDistribution ship) {
    names.push_back(name);
    out.ships.push_back(std::move(ship));
  };
  for (std::size_t s = 0; s < answer.ships.size(); ++s) {
    const hazard::ShipAnswer& ship = answer.ships[s];
    const std::string& name = question.targets[s].name;
    add(name, ship.ship);
    if (ship.ship.hull.size() > 0) {
      add("hull of " + name, as_ship(ship.ship.hull, 0));
      add("shields of " + name, as_ship(ship.ship.shields, 0));
    }
    add("faceup cards of " + name, as_ship(ship.faceup, 0));
    for (const hazard::TokenAnswer& token : ship.tokens) {
      add(fmt::format("{} of {}", token.token, name), as_ship(token.number, token.reached));
    }
  }
  add("all ships", as_ship(answer.damage, 0));
  add("ships destroyed", as_ship(answer.destroyed, 0));
  out.trials = answer.trials;
  out.seed = answer.seed;
  return out;
}

game::Distribution flat(const hazard::ContestAnswer& answer) {
  game::Distribution out;
  out.ships.push_back(as_ship(answer.rolls, answer.win));
  out.ships.push_back(as_ship(
      Eigen::Map<const Eigen::ArrayXd>(answer.decided_by.data(), static_cast<Eigen::Index>(answer.decided_by.size())),
      0));
  out.trials = answer.trials;
  return out;
}

}  // namespace

CrossCheck cross_check(const hazard::Occurrence& question, const hazard::Answer& exact, const hazard::Answer& sample) {
  compile::Labels labels;
  const game::Distribution ours = flat(question, exact, labels.ships), theirs = flat(question, sample, labels.ships);
  return salvo::answers::cross_check(ours, theirs, labels);
}

CrossCheck cross_check(const hazard::ContestAnswer& exact, const hazard::ContestAnswer& sample) {
  compile::Labels labels;
  labels.ships = {"number of rolls", "what decides"};
  return salvo::answers::cross_check(flat(exact), flat(sample), labels);
}

}  // namespace salvo::report
