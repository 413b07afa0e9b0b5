// The worth of parts of a side in battles, squads against each other, and their equilibrium mix. The references are
// computed here from the dice and share no code with src/.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "battle/attack_tables.h"
#include "battle/equilibrium.h"
#include "report/battle_plots.h"
#include "salvo/salvo.h"
#include "support/battles.h"
#include "support/closed_forms.h"

using namespace salvo;

namespace {

using battles::catalogue, battles::kBare;
using tests::damage;

struct Fighter {
  int attack = 2, agility = 1, hull = 2, initiative = 3;
};

BattleSide side(const std::string& name, const Fighter& fighter) {
  BattleSide out;
  out.name = name;
  out.ships = {{name, {}, fighter.initiative, 10}};
  out.ships[0].ship.attack = fighter.attack;
  out.ships[0].ship.agility = fighter.agility;
  out.ships[0].ship.hull = fighter.hull;
  return out;
}

/// The chance that a wins within `rounds`, without tokens; a draw counts half; half the points for half the health.
double value(const Fighter& a, const Fighter& b, int rounds) {
  const std::vector<double> mine = damage(a.attack, b.agility), his = damage(b.attack, a.agility);
  std::map<std::pair<int, int>, double> now{{{a.hull, b.hull}, 1.0}};
  double out = 0;
  for (int round = 1; round <= rounds; ++round) {
    std::map<std::pair<int, int>, double> next;
    for (const auto& [health, p] : now) {
      for (std::size_t i = 0; i < mine.size(); ++i) {
        for (std::size_t k = 0; k < his.size(); ++k) {
          int me = health.first, him = health.second;
          if (a.initiative >= b.initiative) him -= static_cast<int>(i);
          if (b.initiative >= a.initiative || him > 0) me -= static_cast<int>(k);
          if (b.initiative > a.initiative && me > 0) him -= static_cast<int>(i);
          next[{std::max(0, me), std::max(0, him)}] += p * mine[i] * his[k];
        }
      }
    }
    now.clear();
    for (const auto& [health, p] : next) {
      const auto [me, him] = health;
      if (me > 0 && him > 0 && round < rounds) {
        now[health] = p;
      } else if ((me > 0) != (him > 0)) {
        out += me > 0 ? p : 0;
      } else {
        const bool mine_half = 2 * me <= a.hull, his_half = 2 * him <= b.hull;
        out += p * (mine_half == his_half || me == 0 ? 0.5 : his_half ? 1 : 0);
      }
    }
  }
  return out;
}

BattleQuestion question(const Fighter& a, const Fighter& b, int rounds = 6) {
  BattleQuestion out;
  out.my_policy = out.their_policy = BattlePolicy::Greedy;
  out.mine = side("a", a);
  out.theirs = side("b", b);
  out.flight_text = kBare;
  out.rounds = rounds;
  return out;
}

const BattleWorthEntry& entry(const BattleWorth& worth, const std::string& begins) {
  for (const BattleWorthEntry& one : worth.entries) {
    if (one.what.rfind(begins, 0) == 0) return one;
  }
  throw std::runtime_error("no entry " + begins);
}

}  // namespace

TEST_CASE("The worth of one more hull and one more initiative agrees with the dice", "[battle]") {
  const Fighter a{3, 1, 3, 3}, b{2, 2, 4, 4};
  const double now = value(a, b, 6);
  const BattleWorth worth = battle_worth(catalogue(), question(a, b));
  CHECK(worth.value.value == Approx(now).margin(1e-12));
  CHECK(entry(worth, "one more hull").gain.value == Approx(value({3, 1, 4, 3}, b, 6) - now).margin(1e-12));
  CHECK(entry(worth, "initiative 4").gain.value == Approx(value({3, 1, 3, 4}, b, 6) - now).margin(1e-12));
  REQUIRE(worth.skipped.size() == 1);
  CHECK(worth.skipped[0].what == "first player");
  CHECK(std::is_sorted(worth.entries.begin(), worth.entries.end(),
                       [](const auto& x, const auto& y) { return x.gain.value > y.gain.value; }));
}

TEST_CASE("Sampled worth agrees with the exact one within its error, which pairing reduces", "[battle]") {
  const Fighter a{3, 1, 3, 3}, b{2, 2, 4, 3};
  BattleOptions options;
  options.engine = EngineChoice::Sample;
  options.trials = 20'000;
  std::uint64_t most = 0, planned = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t all) {
    most = std::max(most, done);
    planned = all;
    return true;
  };
  const BattleWorth sampled = battle_worth(catalogue(), question(a, b), options);
  CHECK(most == planned);
  const BattleWorth exact = battle_worth(catalogue(), question(a, b));
  REQUIRE(sampled.entries.size() == exact.entries.size());
  for (const BattleWorthEntry& one : exact.entries) {
    const BattleWorthEntry& other = entry(sampled, one.what);
    CHECK(std::abs(other.gain.value - one.gain.value) <= 5 * other.gain.se + 1e-12);
  }
  // Two independent samples would have at least this error.
  CHECK(entry(sampled, "one more hull").gain.se < std::sqrt(2.0) * sampled.value.se);
}

TEST_CASE("Each upgrade and pilot is compared with the ship without it", "[battle]") {
  BattleQuestion asked;
  asked.flight = "range-2";
  asked.mine = battle_side(catalogue(), {"pilot=wedgeantilles predator"}, "", "");
  asked.theirs = battle_side(catalogue(), {"pilot=academypilot"}, "", "");
  const BattleWorth worth = battle_worth(catalogue(), asked);
  const auto win = [&](const std::string& spec) {
    BattleQuestion other = asked;
    other.mine = battle_side(catalogue(), {spec}, "", "");
    const BattleReport found = play_battle(catalogue(), other);
    return found.win.value + found.draw.value / 2;
  };
  const double now = win("pilot=wedgeantilles predator");
  CHECK(entry(worth, "upgrade predator").gain.value == Approx(now - win("pilot=wedgeantilles")).margin(1e-12));
  CHECK(entry(worth, "pilot").gain.value > 0);
  CHECK(entry(worth, "pilot").points.value_or(0) > 0);
}

TEST_CASE("A gauntlet is the matrix of its duels", "[battle]") {
  const std::array<Fighter, 3> fighters{Fighter{3, 1, 3, 3}, Fighter{2, 2, 4, 4}, Fighter{4, 0, 2, 3}};
  GauntletQuestion asked;
  asked.flight_text = kBare;
  asked.rounds = 6;
  for (const Fighter& fighter : fighters) asked.sides.push_back(side("x", fighter));
  asked.weights = {1, 0, 3};
  const GauntletReport found = gauntlet(catalogue(), asked);
  CHECK(found.names == std::vector<std::string>{"x", "x 2", "x 3"});
  CHECK(found.engine == Engine::Exact);
  for (std::size_t i = 0; i < fighters.size(); ++i) {
    for (std::size_t j = 0; j < fighters.size(); ++j) {
      const double win = i == j ? 0.5 : value(fighters[i], fighters[j], 6);
      CHECK(found.win[i][j].value == Approx(win).margin(1e-12));
    }
    CHECK(found.field[i].value == Approx((found.win[i][0].value + 3 * found.win[i][2].value) / 4).margin(1e-12));
  }
  CHECK(report::plot_gauntlet(found).find("</svg>") != std::string::npos);
}

TEST_CASE("A gauntlet favors neither side, and threads change nothing", "[battle]") {
  GauntletQuestion asked;
  asked.flight = "ambush";
  asked.sides = {side("a", {3, 1, 3, 3}), side("b", {3, 1, 3, 3}), side("c", {2, 3, 3, 5})};
  const GauntletReport exact = gauntlet(catalogue(), asked);
  CHECK(exact.win[0][1].value == Approx(0.5).margin(1e-12));
  BattleOptions options;
  options.engine = EngineChoice::Sample;
  options.trials = 4'000;
  options.threads = 1;
  const GauntletReport one = gauntlet(catalogue(), asked, options);
  options.threads = 2;
  const GauntletReport two = gauntlet(catalogue(), asked, options);
  CHECK(to_json(one) == to_json(two));
  CHECK(one.trials == 4'000);
  CHECK(std::abs(one.win[0][2].value - exact.win[0][2].value) < 5 * one.win[0][2].se);
}

TEST_CASE("A gauntlet equals its battles, draw by draw, whatever else the shared tables hold", "[battle]") {
  // Ships with charges, locks, cards that read health, and ship types in several squads; each squad meets the others.
  const auto squad = [](std::vector<std::string> specs) { return battle_side(catalogue(), specs, "", ""); };
  GauntletQuestion asked;
  asked.flight = "range-2";
  asked.rounds = 4;
  asked.sides = {squad({"pilot=redsquadronveteran protontorpedoes", "pilot=wedgeantilles predator"}),
                 squad({"pilot=academypilot x2", "pilot=darthvader"}),
                 squad({"pilot=wedgeantilles predator", "pilot=academypilot"}),
                 squad({"pilot=scarifbasepilot", "pilot=redsquadronveteran protontorpedoes"})};
  BattleOptions options;
  options.engine = EngineChoice::Sample;
  options.trials = 700;
  options.seed = 5;
  const GauntletReport found = gauntlet(catalogue(), asked, options);
  for (std::size_t i = 0; i < asked.sides.size(); ++i) {
    for (std::size_t j = i + 1; j < asked.sides.size(); ++j) {
      BattleQuestion one;
      one.mine = asked.sides[i];
      one.theirs = asked.sides[j];
      one.flight = asked.flight;
      one.rounds = asked.rounds;
      const BattleReport alone = play_battle(catalogue(), one, options);
      CHECK(found.win[i][j].value == alone.win.value + alone.draw.value / 2);
    }
  }
}

TEST_CASE("Full shared tables differ from a battle that is too large, and freed tables are solved again", "[battle]") {
  using namespace salvo::battle;
  const std::vector<NamedShip> ships{{side("a", {3, 1, 3, 3}).ships[0].ship}, {side("b", {2, 2, 4, 3}).ships[0].ship}};
  AttackTablesOptions options{"second-edition", catalogue().card_set("", "second-edition")};
  const auto overflow = [&](AttackTables& tables) {
    Counts counts = tables.states().counts(0, tables.states().start_state(0));
    for (int i = 0; i <= kMaxStates; ++i) {
      counts[0] = static_cast<std::uint8_t>(i % 256);
      counts[1] = static_cast<std::uint8_t>(i / 256);
      tables.states().state_of(0, counts);
    }
  };
  AttackTables own(catalogue(), options, ships);
  CHECK_THROWS_AS(overflow(own), PlanTooLarge);
  options.shared = true;
  AttackTables shared(catalogue(), options, ships);
  const AttackKey key{.attacker = 0, .defender = 1, .shot = Shot{}.number()};
  const Outcomes first = shared.attack(key);
  shared.forget(0, 1);
  const std::size_t solved = shared.solved();
  const Outcomes again = shared.attack(key);
  CHECK(shared.solved() == solved + 1);
  CHECK(first.chance == again.chance);
  CHECK_THROWS_AS(overflow(shared), TablesFull);
  CHECK_THROWS_AS(overflow(shared), TablesFull);  // the state is not there the second time either
}

TEST_CASE("Impossible gauntlets are refused", "[battle]") {
  using Catch::Contains;
  GauntletQuestion asked;
  asked.sides = {side("a", {})};
  CHECK_THROWS_WITH(gauntlet(catalogue(), asked), Contains("two squads"));
  asked.sides.push_back(side("b", {}));
  asked.weights = {1};
  CHECK_THROWS_WITH(gauntlet(catalogue(), asked), Contains("2 squads"));
  asked.weights = {0, 0};
  CHECK_THROWS_WITH(gauntlet(catalogue(), asked), Contains("all weights"));
}

TEST_CASE("The mix is the equilibrium of the matrix", "[battle]") {
  if (!battle::equilibrium({{0.5}})) return;  // a build without GLPK
  // Rock, paper, scissors with one win worth more; in closed form the share of each squad is proportional to the payoff
  // of the win that it has no part in.
  const double r = 0.1, s = 0.2, t = 0.3;
  const auto three = battle::equilibrium({{0.5, 0.5 + r, 0.5 - s}, {0.5 - r, 0.5, 0.5 + t}, {0.5 + s, 0.5 - t, 0.5}});
  REQUIRE(three.has_value());
  CHECK((*three)[0] == Approx(t / (r + s + t)));
  CHECK((*three)[1] == Approx(s / (r + s + t)));
  CHECK((*three)[2] == Approx(r / (r + s + t)));
  // A squad that loses to all others is never chosen.
  const auto strict = battle::equilibrium({{0.5, 0.6}, {0.4, 0.5}});
  CHECK((*strict)[0] == Approx(1));
  CHECK((*strict)[1] == Approx(0).margin(1e-12));
}
