// Sides given as SPECs and without a name, battles in which no damage is possible, and their tables.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "salvo/gauntlet.h"
#include "salvo/salvo.h"
#include "support/battles.h"

using namespace salvo;
using Catch::Matchers::Contains;

namespace {

using battles::catalogue, battles::kBare;

BattleSide side(const std::vector<std::string>& specs) { return battle_side(catalogue(), specs, "", ""); }

std::string refusal(const std::vector<std::string>& specs) {
  try {
    side(specs);
  } catch (const LoadError& error) {
    return error.what();
  }
  return "none";
}

BattleQuestion question(const std::vector<std::string>& mine, const std::vector<std::string>& theirs,
                        const std::string& flight = kBare) {
  BattleQuestion out;
  out.my_policy = out.their_policy = BattlePolicy::Greedy;
  out.mine = side(mine);
  out.theirs = side(theirs);
  out.flight_text = flight;
  return out;
}

BattleReport played(const BattleQuestion& asked, EngineChoice engine, bool reference = false) {
  BattleOptions options;
  options.engine = engine;
  options.reference = reference;
  options.trials = 2000;
  return play_battle(catalogue(), asked, options);
}

/// The chance that the battle has n rounds, by each engine.
void check_rounds(const BattleQuestion& asked, std::size_t n, double chance = 1) {
  const auto of = [&](const BattleReport& report) { return n < report.rounds.size() ? report.rounds[n].value : 0.0; };
  CHECK(of(played(asked, EngineChoice::Exact)) == Approx(chance).margin(1e-12));
  const double off = chance == 1 || chance == 0 ? 1e-12 : 0.06;
  CHECK(of(played(asked, EngineChoice::Sample)) == Approx(chance).margin(off));
  CHECK(of(played(asked, EngineChoice::Sample, true)) == Approx(chance).margin(off));
}

bool notes_harmless(const BattleReport& report) {
  return std::any_of(report.notes.begin(), report.notes.end(),
                     [](const std::string& note) { return note.find("nobody can hurt anybody") != note.npos; });
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t out = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++out;
  return out;
}

constexpr const char* kAtRange1 = R"(format = 1
id = "close"
[[round]]
pair = [{ of = ["any", "any"], range = { 1 = 100 } }]
ship = [{ is = "any", no_action = 100 }]
)";

constexpr const char* kOneMeeting = R"(format = 1
id = "once"
[[round]]
ship = [{ is = "any", no_action = 100 }]
[[round]]
pair = [{ of = ["any", "any"], range = { 2 = 0 } }]
)";

constexpr const char* kWithActions = R"(format = 1
id = "actions"
[[round]]
)";

}  // namespace

TEST_CASE("an error in a side of SPECs names the wrong word and no option", "[battle]") {
  CHECK_THAT(refusal({"pilot=wedgeantilles", " tokenz"}),
             Catch::StartsWith("\"pilot=wedgeantilles| tokenz\": SPEC 2: \"tokenz\" is not a token"));
  CHECK_THAT(refusal({"pilot=wedgeantilles lock"}),
             Catch::StartsWith("\"pilot=wedgeantilles lock\": SPEC 1: \"lock\" is an action"));
  const BattleSide vader = side({"vader"});
  REQUIRE(vader.notes.size() == 1);
  CHECK_THAT(vader.notes.front(), Catch::StartsWith("SPEC 1: the pilot \"vader\" is read as darthvader"));
}

TEST_CASE("pilots with a comma between them are ships of a side", "[battle]") {
  const auto pilots = [](const std::string& spec) {
    std::vector<std::string> out;
    for (const BattleShip& one : side({spec}).ships) out.push_back(one.ship.pilot.value_or(""));
    return out;
  };
  using Pilots = std::vector<std::string>;
  CHECK(pilots("Luke Skywalker, Wedge Antilles") == Pilots{"lukeskywalker", "wedgeantilles"});
  CHECK(pilots("Jek Porkins focus, predator, Howlrunner evade and Guri") == Pilots{"jekporkins", "howlrunner", "guri"});
  CHECK(pilots("Jek Porkins, Dreis and Verlaine") == Pilots{"jekporkins", "garvendreis", "evaanverlaine"});
  CHECK(side({"Jek Porkins focus, predator, Howlrunner evade"}).ships[0].ship.upgrades ==
        std::vector<std::string>{"predator"});
  for (const char* const two :
       {"2x Academy Pilot, Luke Skywalker", "2 x Academy Pilot, Luke Skywalker",
        "2x TIE/ln Fighter Academy Pilot, Luke Skywalker", "2x pilot=academypilot, Luke Skywalker"})
    CHECK(pilots(two) == Pilots{"academypilot", "academypilot", "lukeskywalker"});
  CHECK(pilots("Academy Pilot x2, 2x Obsidian Squadron Pilot").size() == 4);
  CHECK(pilots("2x Academy Pilot, Howlrunner") == Pilots{"academypilot", "academypilot", "howlrunner"});
  for (const char* const one : {"Rey, Chewbacca", "Anakin Skywalker, R2-D2"}) CHECK(pilots(one).size() == 1);
  CHECK(side({"\"Jek Porkins\", Guri"}).notes.at(0) ==
        "SPEC 1: read as 2 SPECs, \"Jek Porkins\" and \"Guri\"; | between them says so");
  CHECK(side({"Jek Porkins, Guri"}).notes.at(0) ==
        "SPEC 1: read as 2 SPECs, \"Jek Porkins\" and \"Guri\"; | between them says so");
  // A card that the pilot before can have stays an upgrade.
  CHECK(pilots("Wedge Antilles, R2-D2").size() == 1);
  CHECK(pilots("Jek Porkins, Luke Skywalker").size() == 2);
  // Between names of pilots, one of whom is no upgrade, commas separate ships.
  CHECK(pilots("Rey, Finn, Jaycris Tubbs").size() == 3);
  CHECK(pilots("Luke Skywalker, R2-D2, Ten Numb").size() == 2);
  CHECK(pilots("three Scimitar Squadron Pilots and Deathfire").size() == 4);
  CHECK(pilots("Kavil und Guri").size() == 2);
  CHECK_THAT(refusal({"T-65 X-wing, TIE/ln Fighter"}), Contains("second ship") && Contains("with | between them"));
  CHECK_THAT(refusal({"Jek Porkins Guri"}), Contains("second pilot") && Contains("with | between them"));
}

TEST_CASE("a number in a side is that of attack dice, and both stats stand beside it", "[battle]") {
  const BattleSide read = side({"3 hull=4 agility=2 initiative=5 points=6 x2", "attack=2 hull=1", "X-wing 4"});
  REQUIRE(read.ships.size() == 4);
  for (const BattleShip& one : {read.ships[0], read.ships[1]}) {
    CHECK(one.ship.attack == 3);
    CHECK(one.ship.agility == 2);
    CHECK(one.ship.hull == 4);
    CHECK(one.initiative == 5);
    CHECK(one.points == 6);
  }
  CHECK(read.ships[1].name == "a2");
  CHECK(read.ships[2].ship.attack == 2);
  CHECK_FALSE(read.ships[2].ship.agility);
  CHECK(read.ships[3].ship.attack == 4);
  CHECK_THAT(refusal({"3 2 hull=4"}), Contains("\"2\" is a second attack value") && Contains("agility=2"));
  CHECK_THAT(refusal({"3 attack=2 hull=4"}), Contains("\"attack\" is given twice"));
  CHECK_THAT(refusal({"hull=4 agility=1"}), Contains("no attack value") && Contains("3 agility=2 hull=4"));
  CHECK_THAT(refusal({""}), Contains("is empty; name a ship"));
  CHECK_THAT(refusal({"3 agility=1"}), Contains("add hull=N"));
  CHECK_THAT(refusal({"3 hull=2 initiative=100"}), Contains("SPEC 1: initiative"));
  CHECK_THAT(refusal({"3 hull=2 initiative"}), Contains("write initiative=VALUE"));
  CHECK_THAT(refusal({"3 hull=2 nosuchword"}), Contains("initiative=, points=") && !Contains("range="));
}

TEST_CASE("words for a single attack are refused by name in a side", "[battle]") {
  const salvo::load::Edition* edition = catalogue().edition("second-edition");
  REQUIRE(edition != nullptr);
  for (const std::string word : {"range=2", "range=1", "range", "weapon=primary", "weapon=protontorpedoes",
                                 "obstructed", "obstructed=false", "reinforced=true", "reinforced", "bullseye"}) {
    CAPTURE(word);
    CHECK_THAT(refusal({"X-wing " + word}),
               Catch::StartsWith("\"X-wing " + word + "\": SPEC 1: \"" + word + "\" belongs to a single attack"));
  }
}

TEST_CASE("a side without a name is called by its position in answers", "[battle]") {
  const BattleSide unnamed = parse_battle_side("[ships.red]\nattack = 0\nagility = 1\nhull = 2\n", "here.toml");
  CHECK(unnamed.name.empty());
  BattleSide named = unnamed;
  named.name = "ships";
  BattleQuestion asked{unnamed, unnamed};
  asked.flight_text = kBare;
  const BattleReport report = play_battle(catalogue(), asked);
  CHECK(report.my_name == "my ships");
  CHECK(report.their_name == "their ships");
  GauntletQuestion each{{named, unnamed, named}, {}, "", kBare};
  CHECK(gauntlet(catalogue(), each).names == std::vector<std::string>{"ships", "squad 2", "ships 2"});
}

TEST_CASE("a battle ends when no damage is possible, in all engines", "[battle]") {
  const BattleQuestion stalemate = question({"0 hull=2"}, {"0 hull=3"});
  check_rounds(stalemate, 1);
  CHECK(notes_harmless(played(stalemate, EngineChoice::Exact)));
  CHECK(played(stalemate, EngineChoice::Exact).draw.value == 1);
  // At range 1 there is a die.
  const BattleQuestion close = question({"0 hull=2"}, {"0 hull=3"}, kAtRange1);
  check_rounds(close, 1, 0);
  CHECK_FALSE(notes_harmless(played(close, EngineChoice::Exact)));
  // One ship that can deal damage is enough.
  check_rounds(question({"0 hull=9"}, {"1 agility=3 hull=3"}), 1, 0);
  // Out of range for good after the first round.
  check_rounds(question({"1 hull=9"}, {"1 hull=9"}, kOneMeeting), 1);
}

TEST_CASE("a battle can become harmless", "[battle]") {
  // The ships with dice destroy each other simultaneously; the others have none.
  const BattleQuestion asked = question({"1 hull=1", "0 hull=4"}, {"1 hull=1", "0 hull=4"});
  const BattleReport exact = played(asked, EngineChoice::Exact);
  constexpr double kHit = 0.5;
  CHECK(exact.rounds[1].value == Approx(kHit * kHit).margin(1e-12));
  CHECK(exact.draw.value > kHit * kHit - 1e-12);
  BattleOptions both;
  both.engine = EngineChoice::Both;
  both.trials = 20'000;
  CHECK(play_battle(catalogue(), asked, both).g_test > 1e-6);
  both.reference = true;
  CHECK(play_battle(catalogue(), asked, both).g_test > 1e-6);
}

TEST_CASE("ships without dice fight as long as they have charges", "[battle]") {
  // Two torpedoes, each with a lock of the same round; the ships have no primary dice.
  const BattleQuestion asked = question({"0 hull=20 protontorpedoes"}, {"0 hull=20 protontorpedoes"}, kWithActions);
  check_rounds(asked, 2);
  CHECK(played(asked, EngineChoice::Exact).ships[0].shots.value == Approx(2).margin(1e-12));
  // The charges of one side are enough.
  BattleQuestion longer = asked;
  longer.theirs = side({"0 hull=20 protontorpedoes", "0 hull=20"});
  longer.mine = side({"0 hull=20"});
  check_rounds(longer, 2);
}

TEST_CASE("solved play knows that no damage is possible", "[battle]") {
  BattleQuestion asked = question({"0 hull=2"}, {"0 hull=3"});
  asked.my_policy = asked.their_policy = BattlePolicy::Optimal;
  const BattleReport report = play_battle(catalogue(), asked);
  CHECK(report.rounds.at(1).value == 1);
  REQUIRE(report.bounds);
  CHECK(report.bounds->lower == 0.5);
  CHECK(report.bounds->upper == 0.5);
}

TEST_CASE("tables and pictures distinguish mirrored sides and twins", "[battle]") {
  BattleQuestion asked = question({"pilot=academypilot x2"}, {"pilot=academypilot"});
  asked.rounds = 3;
  const BattleReport report = played(asked, EngineChoice::Exact);
  const std::string table = to_table(report, 80, false);
  CHECK_THAT(table, Contains("mine, alive after round") && Contains("theirs, alive after round"));
  CHECK(count(table, "Academy Pilot (TIE/ln Fighter) #1") == 2);
  CHECK(count(table, "Academy Pilot (TIE/ln Fighter) #2") == 2);
  CHECK(count(table, "Academy Pilot (TIE/ln Fighter) ") == 6);
  const std::string csv = to_csv(report);
  CHECK_THAT(csv, Contains("academypilot 3,side,theirs,,\n") && Contains("academypilot 2,side,mine,,\n"));
  asked.my_policy = BattlePolicy::Best;
  asked.mine = side({"pilot=academypilot"});
  CHECK_THAT(to_table(play_battle(catalogue(), asked), 80, false),
             Contains("mine: Academy Pilot") && Contains("theirs: Academy Pilot"));
}

TEST_CASE("the table for both engines says whether they agree", "[battle]") {
  BattleReport report = played(question({"2 hull=2"}, {"2 hull=2"}), EngineChoice::Both);
  CHECK(engines_agree(report));
  report.g_test = 0.25;
  CHECK_THAT(to_table(report, 120, false), Contains("the engines agree: by chance alone 25.00% of all samples"));
  report.g_test = 1e-7;
  CHECK_FALSE(engines_agree(report));
  CHECK_THAT(to_table(report, 120, false), Contains("the engines DISAGREE") && Contains("report it"));
  report.engine = Engine::Exact;
  CHECK(engines_agree(report));
}

TEST_CASE("the table of worth omits empty columns", "[battle]") {
  BattleWorth worth;
  worth.baseline = played(question({"2 hull=2"}, {"2 hull=2"}), EngineChoice::Exact);
  worth.entries = {{"red", "upgrade predator", 0, {0.25, 0}}, {"red", "one more hull", {}, {-1e-9, 0}}};
  const std::string free = to_table(worth, 80, false);
  CHECK_THAT(free, Contains("+25.00") && Contains("none of it costs points"));
  CHECK_THAT(free, !Contains("-0.00") && !Contains("+0.00") && !Contains("% a point") && !Contains("±"));
  worth.entries[0].points = 2;
  CHECK_THAT(to_table(worth, 80, false), Contains("% a point") && Contains("+12.50") && !Contains("none of it"));
}
