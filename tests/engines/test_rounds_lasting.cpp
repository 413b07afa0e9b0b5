// Resources that last between rounds: those that attackers have left when the last round is repeated, locks on
// destroyed ships, and charges below capacity.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "salvo/salvo.h"
#include "study/durability.h"
#include "support/battles.h"

using namespace salvo;

namespace {

using battles::catalogue;

/// The same attacks in each of n rounds.
Scenario repeated(Scenario scenario, int rounds) {
  const std::vector<ScenarioAttack> attacks = scenario.attacks;
  scenario.rounds.resize(static_cast<std::size_t>(rounds));
  for (int r = 1; r < rounds; ++r) {
    for (ScenarioAttack attack : attacks) {
      attack.round = r;
      scenario.attacks.push_back(attack);
    }
  }
  return scenario;
}

/// Probabilities that d is destroyed by the end of each round, from `salvo durability`.
std::vector<double> destroyed(const Scenario& scenario) {
  return study::durability(catalogue(), scenario, {}).rows.at(0).rounds.value().cdf;
}

/// The same from `salvo run`, which plays all listed rounds.
std::vector<double> destroyed_in_run(Scenario scenario) {
  scenario.attacker_policy = scenario.defender_policy = "greedy";
  scenario.objective = "damage";
  std::vector<double> out{0.0};
  for (const Estimates& round : answer(catalogue(), scenario).rounds) out.push_back(round.ship("d").destroyed.value);
  return out;
}

/// Two attackers of one ship without dice.
Scenario two_on_one(const ScenarioShip& first, int agility, int hull) {
  Scenario out;
  out.ships["a"] = first;
  out.ships["b"] = {.attack = 1};
  out.ships["d"] = {.agility = agility, .hull = hull};
  out.attacks = {{.by = "a", .on = "d"}, {.by = "b", .on = "d"}};
  return out;
}

/// Force of the ship after each of three rounds in which it spends none.
std::vector<double> force_left(int force) {
  Scenario scenario;
  scenario.ships["v"] = {.pilot = "darthvader", .tokens = {{"force", force}}};
  scenario.ships["d"] = {.agility = 0};
  scenario.attacks = {{.by = "v", .on = "d"}};
  scenario.attacker_policy = "hold";
  std::vector<double> out;
  for (const Estimates& round : answer(catalogue(), repeated(scenario, 3)).rounds) {
    const auto& left = round.ship("v").tokens_left;
    const auto at = std::find_if(left.begin(), left.end(), [](const auto& kind) { return kind.first == "force"; });
    out.push_back(at == left.end() ? 0 : at->second.value);
  }
  return out;
}

}  // namespace

TEST_CASE("durability: in a repeated round every attacker has its remaining resources", "[durability][rounds]") {
  const std::vector<Scenario> scenarios{two_on_one({.attack = 1, .locks = {"d"}}, 0, 3),
                                        two_on_one({.attack = 2, .tokens = {{"deplete", 2}}}, 0, 4),
                                        two_on_one({.upgrades = {"crackshot"}, .attack = 2}, 1, 5),
                                        two_on_one({.attack = 2, .tokens = {{"force", 2}}}, 0, 6)};
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    CAPTURE(i);
    const std::vector<double> played = destroyed_in_run(repeated(scenarios[i], 4));
    for (const int listed : {2, 3, 4}) {
      const std::vector<double> cdf = destroyed(repeated(scenarios[i], listed));
      for (std::size_t r = 0; r < played.size(); ++r) CHECK(cdf.at(r) == Approx(played[r]).margin(1e-12));
    }
  }
  // Six dice that hit with probability 1/2, three of them sharing one reroll: three hits of six, or two hits and a
  // successful reroll of one of the misses.
  CHECK(destroyed(repeated(scenarios[0], 2)).at(3) == Approx((42 + 15 / 2.) / 64));
}

TEST_CASE("a round gives no lock on a destroyed ship, and no other lock is lost for it", "[rounds]") {
  Scenario scenario;
  scenario.objective = "health";
  for (const char* killer : {"k1", "k2", "k3"}) {
    scenario.ships[killer] = {.side = "mine", .attack = 6, .tokens = {{"focus", 1}}};
    scenario.attacks.push_back({.by = killer, .on = "e"});
  }
  scenario.ships["a"] = {.side = "mine", .attack = 3, .locks = {"d"}};
  scenario.ships["d"] = {.side = "theirs", .agility = 1, .hull = 9};
  scenario.ships["e"] = {.side = "theirs", .agility = 0, .hull = 1};
  scenario.attacks.push_back({.by = "a", .on = "d", .round = 1});
  scenario.rounds.resize(2);
  const auto value = [&](bool gained) {
    scenario.rounds[1].gains["a"].locks = gained ? std::vector<std::string>{"e"} : std::vector<std::string>{};
    return answer(catalogue(), scenario).estimates.value.value;
  };
  CHECK(value(true) == Approx(value(false)).margin(1e-9));  // e survives with a probability of 4^-18
  scenario.ships["e"].hull = 30;                            // cannot be destroyed: a lock on it replaces the other
  CHECK(value(true) < value(false) - 0.3);
}

TEST_CASE("Force recovers up to the ship's own capacity, even from a lower stated number", "[rounds]") {
  CHECK(force_left(1) == std::vector<double>{1, 2, 3});
  CHECK(force_left(0) == std::vector<double>{0, 1, 2});
  CHECK(force_left(3) == std::vector<double>{3, 3, 3});
  // Vader under fire: durability and written rounds agree.
  for (const int force : {0, 1, 3}) {
    CAPTURE(force);
    Scenario scenario;
    scenario.ships["a"] = {.attack = 4};
    scenario.ships["d"] = {.pilot = "darthvader", .tokens = {{"force", force}}};
    scenario.attacks = {{.by = "a", .on = "d"}};
    study::DurabilityOptions options;
    options.refresh = study::Refresh::Round;
    const auto cdf = study::durability(catalogue(), scenario, options).rows.at(0).rounds.value().cdf;
    const std::vector<double> played = destroyed_in_run(repeated(scenario, 4));
    for (std::size_t r = 0; r < played.size(); ++r) CHECK(cdf.at(r) == Approx(played[r]).margin(1e-12));
  }
}
