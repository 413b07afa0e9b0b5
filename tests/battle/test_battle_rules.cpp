// Rules of battles outside attacks: actions of ionized ships, locks, and recovering charges.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "battle/game.h"
#include "salvo/battle.h"
#include "support/battles.h"

using namespace salvo;
using battles::catalogue;

namespace {

/// A ship with one die and a large hull against one without dice and with one hull, which fires later.
BattleQuestion hunt(const std::map<std::string, int>& tokens, const std::string& flight, int rounds,
                    const std::string& rules = "second-edition") {
  BattleQuestion out;
  out.my_policy = out.their_policy = BattlePolicy::Greedy;
  out.mine.rules = out.theirs.rules = rules;
  BattleShip hunter{"hunter", {}, 5, 1}, prey{"prey", {}, 1, 1};
  hunter.ship.attack = 1;
  hunter.ship.agility = prey.ship.attack = prey.ship.agility = 0;
  hunter.ship.hull = 9;
  hunter.ship.tokens = tokens;
  prey.ship.hull = 1;
  out.mine.ships = {hunter};
  out.theirs.ships = {prey};
  out.flight_text = "format = 1\nid = \"f\"\n" + flight;
  out.rounds = rounds;
  return out;
}

double won(const BattleQuestion& asked) {
  BattleOptions options;
  options.engine = EngineChoice::Exact;
  return play_battle(catalogue(), asked, options).win.value;
}

constexpr double kDie = 0.5, kFocused = 0.75, kLocked = 0.75, kBoth = 0.9375;  // one attack die, agility 0

/// A round in arc at range 2 in which every ship acts; the chance of a blue maneuver is 0.
constexpr const char* kShots = "[[round]]\nship = [{ is = \"any\", no_action = 0, blue = 0 }]\n";
/// One without actions.
constexpr const char* kNoActions = "[[round]]\nship = [{ is = \"any\", no_action = 100 }]\n";
/// A flight in which no ship has a shot, within range and out of it.
constexpr const char* kNoArcs = "[[round]]\nshot = [{ by = \"any\", on = \"any\", arc = 0 }]\n";
constexpr const char* kFarAway = "[[round]]\npair = [{ of = [\"any\", \"any\"], range = {} }]\n";

}  // namespace

TEST_CASE("An ionized ship flies blue, which removes its stress, and may only focus (000: Ion)", "[battle]") {
  CHECK(won(hunt({{"ion", 1}, {"stress", 1}}, kShots, 1)) == Approx(kFocused));
  CHECK(won(hunt({{"ion", 1}, {"stress", 2}}, kShots, 1)) == Approx(kDie));
  CHECK(won(hunt({{"stress", 1}}, kShots, 1)) == Approx(kDie));
  CHECK(won(hunt({{"ion", 1}, {"focus", 1}}, kShots, 1)) == Approx(kFocused));  // no lock
  CHECK(won(hunt({{"focus", 1}}, kShots, 1)) == Approx(kBoth));
}

TEST_CASE("An ionized ship of the first edition flies white and acts as others do (002: Ion token)", "[battle]") {
  const std::string first = "first-edition";
  CHECK(won(hunt({{"ion", 1}, {"focus", 1}}, kShots, 1, first)) == Approx(kBoth));
  CHECK(won(hunt({{"ion", 1}, {"stress", 1}}, kShots, 1, first)) == Approx(kDie));
}

TEST_CASE("A ship without a shot locks the weakest enemy in range, for the rounds to come", "[battle]") {
  CHECK(won(hunt({}, std::string(kNoArcs) + kNoActions, 2)) == Approx(kLocked));
  CHECK(won(hunt({}, std::string(kFarAway) + kNoActions, 2)) == Approx(kDie));  // 000: Lock
  BattleQuestion asked = hunt({}, std::string(kNoArcs) + kNoActions, 2);
  asked.my_policy = BattlePolicy::Optimal;
  CHECK(won(asked) == Approx(kLocked));
  asked.flight_text = "format = 1\nid = \"f\"\n" + std::string(kFarAway) + kNoActions;
  CHECK(won(asked) == Approx(kDie));

  // In range half of the time: half a lock. Exact, sampled and rolled battles agree.
  asked = hunt({},
               "[[round]]\npair = [{ of = [\"any\", \"any\"], range = { 1 = 30, 3 = 20 } }]\n"
               "shot = [{ by = \"any\", on = \"any\", arc = 0 }]\n" +
                   std::string(kNoActions),
               2);
  CHECK(won(asked) == Approx((kLocked + kDie) / 2));
  for (const bool reference : {false, true}) {
    BattleOptions options;
    options.engine = reference ? EngineChoice::Sample : EngineChoice::Both;
    options.reference = reference;
    options.trials = 40'000;
    const BattleReport found = play_battle(catalogue(), asked, options);
    CHECK(std::abs(found.win.value - (kLocked + kDie) / 2) < 5 * found.win.se + 1e-9);
  }
}

TEST_CASE("A lock that an attack spends is gone, one that it does not need stays (000: Lock)", "[battle]") {
  // Two hits are needed. The first attack hits at once half of the time, and the lock is there for the second one;
  // or the lock is spent, and half of the rerolls hit.
  BattleQuestion asked = hunt({}, std::string(kNoArcs) + kNoActions, 3);
  asked.theirs.ships[0].ship.hull = 2;
  asked.score.half_points = HalfPoints::None;
  CHECK(won(asked) == Approx(kDie * kLocked + (1 - kDie) * kDie * kDie));
}

TEST_CASE("A ship under fire focuses for its defense, with or without a shot", "[battle]") {
  // It has two defense dice and no target: a focus token helps, a lock does not in this round.
  BattleQuestion asked = hunt({}, "[[round]]\nshot = [{ by = \"mine\", on = \"any\", arc = 0 }]\n", 1);
  asked.mine.ships[0].ship.agility = 2;
  asked.mine.ships[0].ship.hull = 1;
  asked.theirs.ships[0].ship.attack = 1;
  asked.theirs.ships[0].ship.hull = 9;
  asked.theirs.ships[0].ship.tokens = {{"stress", 1}};
  BattleOptions options;
  options.engine = EngineChoice::Exact;
  // One die hits half the time; each of two defense dice evades with five of eight sides.
  CHECK(play_battle(catalogue(), asked, options).loss.value == Approx(0.5 * (3. / 8) * (3. / 8)));
}

TEST_CASE("A ship stated to have little Force recovers it, up to the capacity of the pilot", "[battle]") {
  BattleQuestion asked = hunt({{"force", 1}}, kNoActions, 5);
  asked.mine.ships[0].ship = {.pilot = "darthvader", .tokens = {{"force", 1}}};
  const battle::Game game(catalogue(), asked, 1e6);
  battle::BattleState now = game.start();
  std::vector<int> force;
  for (int round = 0; round < 4; ++round) {
    const battle::Counts& counts = game.tables().states().counts(game.ship(0).type, now.ship[0].state);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (game.type_of(0).slots[i].label == "force") force.push_back(counts[i]);
    }
    game.end(now);
  }
  CHECK(force == std::vector<int>{1, 2, 3, 3});
}
