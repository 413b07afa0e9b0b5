// How battles are scored, and the board facts that they know: all figures by hand.
#include <catch2/catch.hpp>

#include "salvo/salvo.h"
#include "support/battles.h"

using namespace salvo;
using Catch::Matchers::Contains;

namespace {

using battles::catalogue;

/// Nobody acts; mine shoot with certainty or never. `objective`: rules of the round, may be empty.
std::string flight(bool shots, const std::string& objective) {
  return "format = 1\nid = \"score\"\n[[round]]\nship = [{ is = \"any\", no_action = 100 }]\nshot = [{ by = \"any\", "
         "on = "
         "\"any\", arc = 0 }" +
         std::string(shots ? ", { by = \"mine\", on = \"any\", arc = 100 }" : "") + "]\nobjective = [" + objective +
         "]\n";
}

BattleQuestion question(const std::string& mine, const std::string& theirs, const std::string& flight) {
  BattleQuestion out;
  out.mine = battle_side(catalogue(), {mine}, "", "");
  out.theirs = battle_side(catalogue(), {theirs}, "", "");
  out.flight_text = flight;
  return out;
}

/// By each engine.
template <typename Check>
void each_engine(const BattleQuestion& asked, const Check& check) {
  BattleOptions options{.engine = EngineChoice::Exact};
  check(play_battle(catalogue(), asked, options), 1e-12);
  options.engine = EngineChoice::Sample;
  options.trials = 20'000;
  check(play_battle(catalogue(), asked, options), 0.02);
  options.trials = 2000;
  options.reference = true;
  check(play_battle(catalogue(), asked, options), 0.06);
}

}  // namespace

TEST_CASE("objectives score in each round for a side that is there to take them", "[battle][score]") {
  BattleQuestion asked = question("1 hull=2", "1 hull=2", flight(false, "{ by = \"mine\", points = 2 }"));
  asked.rounds = 3;
  each_engine(asked, [](const BattleReport& report, double) {
    CHECK(report.win.value == 1);
    CHECK(report.my_points.value == 6);
    CHECK(report.their_points.value == 0);
    CHECK(report.mean_rounds.value == 3);
  });
}

TEST_CASE("a battle ends after the round in which a side has enough points", "[battle][score]") {
  BattleQuestion asked = question("1 hull=2", "1 hull=2", flight(false, "{ by = \"mine\", points = 2 }"));
  asked.score.end_points = 4;
  each_engine(asked, [](const BattleReport& report, double) { CHECK(report.mean_rounds.value == 2); });
}

TEST_CASE("each side earns what the other squad is short of (000: Deficit)", "[battle][score]") {
  BattleQuestion asked = question("1 hull=2 points=5", "1 hull=2 points=8", flight(false, ""));
  asked.score.squad_points = 10;
  each_engine(asked, [](const BattleReport& report, double) {
    CHECK(report.my_points.value == 2);
    CHECK(report.their_points.value == 5);
    CHECK(report.loss.value == 1);
  });
  asked.score.squad_points = 7;
  CHECK_THROWS_WITH(play_battle(catalogue(), asked), Contains("their ships cost 8 points, more than 7"));
}

// Three attack dice miss a ship without defense dice with (1/2)^3. A hit in the first round wins either way; in the
// second one their objective has scored.
TEST_CASE("by points the last side standing can lose (000: Winning The Game)", "[battle][score]") {
  BattleQuestion asked = question("3 hull=2", "1 hull=1", flight(true, "{ by = \"theirs\", points = 30 }"));
  asked.rounds = 2;
  each_engine(asked,
              [](const BattleReport& report, double off) { CHECK(report.win.value == Approx(63.0 / 64).margin(off)); });
  asked.score.win = BattleWin::Points;
  each_engine(asked, [](const BattleReport& report, double off) {
    CHECK(report.win.value == Approx(7.0 / 8).margin(off));
    CHECK(report.loss.value == Approx(1.0 / 8).margin(off));
    CHECK(report.score.win == BattleWin::Points);
  });
}

// One die does one damage of two with 1/2.
TEST_CASE("half points are for all ships, large ships or none", "[battle][score]") {
  BattleQuestion asked = question("1 hull=2", "1 hull=2 points=4", flight(true, ""));
  asked.mine.ships[0].points = 4;
  asked.rounds = 1;
  for (const auto& [which, points] :
       {std::pair(HalfPoints::All, 1.0), std::pair(HalfPoints::Large, 0.0), std::pair(HalfPoints::None, 0.0)}) {
    asked.score.half_points = which;
    each_engine(asked, [&, points = points](const BattleReport& report, double off) {
      CHECK(report.my_points.value == Approx(points).margin(2 * off));
    });
  }
}

TEST_CASE("solved play refuses objectives and an end by points", "[battle][score]") {
  BattleQuestion asked = question("1 hull=2", "1 hull=2", flight(true, "{ by = \"mine\", points = 2 }"));
  asked.my_policy = BattlePolicy::Optimal;
  CHECK_THROWS_WITH(play_battle(catalogue(), asked), Contains("without objectives"));
  asked.flight_text = flight(true, "");
  asked.score.end_points = 5;
  CHECK_THROWS_WITH(play_battle(catalogue(), asked), Contains("without objectives and without an end by points"));
}

// Beyond range 1 no enemy is near, so Guri gains no focus token: three dice do 1.5.
TEST_CASE("cards know the range that was drawn", "[battle][score]") {
  BattleQuestion asked = question("pilot=guri", "1 hull=30", flight(true, ""));
  asked.rounds = 1;
  const BattleReport report = play_battle(catalogue(), asked);
  CHECK(report.ships[0].damage_done.value == Approx(1.5).epsilon(1e-12));
  for (const std::string& fact : report.assumed_facts) CHECK_THAT(fact, !Contains("enemy-near"));
}

TEST_CASE("a ship with a stated initiative flies as its pilot would", "[battle][score]") {
  const BattleReport report =
      play_battle(catalogue(), question("ship=tieininterceptor initiative=6", "1 hull=1", flight(true, "")));
  CHECK(report.ships[0].kinds == std::vector<std::string>{"ace"});
}

// No Escape acts where the attackers are more than the defenders, which one ship never is.
TEST_CASE("a ship alone outnumbers no other", "[battle][score]") {
  BattleQuestion asked = question("3 hull=1 noescape-battleoverendor", "1 hull=30", flight(true, ""));
  asked.rounds = 1;
  const BattleReport report = play_battle(catalogue(), asked);
  CHECK(report.ships[0].damage_done.value == Approx(1.5).epsilon(1e-12));
  for (const std::string& fact : report.assumed_facts) CHECK_THAT(fact, !Contains("outnumber"));
}

TEST_CASE("cards of an attack never assume a fact and its opposite", "[battle][score]") {
  Scenario asked;
  asked.ships["a"] = {.upgrades = {"autoblasters"}, .attack = 3};
  asked.ships["d"] = {.pilot = "dengar"};
  asked.attacks = {{.by = "a", .on = "d", .weapon = "autoblasters", .range = 1}};
  const Report report = answer(catalogue(), asked);
  for (const std::string& fact : report.assumed_facts) {
    const std::string name = fact.substr(0, fact.find(" ("));
    for (const std::string& other : report.assumed_facts) CHECK(!other.starts_with("not " + name + " ("));
  }
}
