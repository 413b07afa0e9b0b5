// Errors of compile_scenario(): every ScenarioError names the key of the scenario and the remedy. Also how ships,
// pilots and weapons are compiled.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "compile/prepared.h"
#include "exact/exact.h"
#include "load/load.h"
#include "support/rules_table.h"

using namespace salvo;
using table::duel;
using table::Table;

namespace {

struct Refusal {
  std::string path, message;
};

Refusal refusal(const Scenario& scenario, const Catalogue& catalogue) {
  try {
    static_cast<void>(compile::compile_scenario(catalogue, scenario));
  } catch (const ScenarioError& error) {
    return {error.path, error.what()};
  }
  return {"accepted", ""};
}

/// A change to a valid scenario, the path of the error, and a part of its message.
struct Row {
  std::function<void(Scenario&)> change;
  std::string path;
  std::vector<std::string> parts;
};

void check_rows(const Scenario& good, const std::vector<Row>& rows, const Catalogue& catalogue) {
  REQUIRE(refusal(good, catalogue).path == "accepted");
  for (const Row& row : rows) {
    Scenario bad = good;
    row.change(bad);
    const Refusal got = refusal(bad, catalogue);
    CAPTURE(row.path, got.message);
    CHECK(got.path == row.path);
    for (const std::string& part : row.parts) {
      CAPTURE(part);
      CHECK(got.message.find(part) != std::string::npos);
    }
  }
}

/// A scenario of ships from the test data: a scout with cards attacks d.
Scenario scout() {
  Scenario out = duel(2, 1);
  out.ships["a"] = {.ship = "scout", .upgrades = {"missile", "cannon", "homing", "nothing"}, .locks = {"d"}};
  return out;
}

}  // namespace

TEST_CASE("wrong words are refused with the nearest right one", "[rules][compile]") {
  check_rows(
      duel(2, 1),
      {{[](Scenario& s) { s.rules = "second-editon"; }, "rules", {"'second-editon'", "second-edition"}},
       {[](Scenario& s) { s.cards = "2021"; }, "cards", {"'2021'", "2025"}},
       {[](Scenario& s) { s.objective = "kil"; }, "objective", {"'kil'", "did you mean 'kill'"}},
       {[](Scenario& s) { s.objective = "zzzzzz"; }, "objective", {"damage, kill, health, exchange"}},
       {[](Scenario& s) { s.attacker_policy = "optimum"; }, "attacker_policy", {"'optimum'", "optimal"}},
       {[](Scenario& s) { s.defender_policy = "best"; }, "defender_policy", {"'best'", "greedy"}},
       {[](Scenario& s) { s.ships["a"].ship = "t65xwin"; }, "ships.a.ship", {"did you mean 't65xwing'"}},
       {[](Scenario& s) { s.ships["d"].size = "tiny"; }, "ships.d.size", {"'tiny'", "small, medium, large, huge"}},
       {[](Scenario& s) { s.ships["a"].tokens["focuss"] = 1; }, "ships.a.tokens.focuss", {"did you mean 'focus'"}},
       {[](Scenario& s) { s.ships["a"].upgrades = {"cannn"}; }, "ships.a.upgrades[0]", {"unknown upgrade 'cannn'"}},
       {[](Scenario& s) { s.ships["a"].conditions = {"decoyd"}; },
        "ships.a.conditions[0]",
        {"unknown condition 'decoyd'", "decoyed"}},
       {[](Scenario& s) { s.attacks[0].by = "b"; }, "attacks[0].by", {"unknown ship 'b'", "a, d"}},
       {[](Scenario& s) { s.attacks[0].on = "dd"; }, "attacks[0].on", {"unknown ship 'dd'", "'d'"}},
       {[](Scenario& s) {
          s.attacks[0].facts = {"bullseye", "bulleye"};
        },
        "attacks[0].facts[1]",
        {"did you mean 'bullseye'"}},
       {[](Scenario& s) { s.attacks[0].weapon = "primary:rear"; },
        "attacks[0].weapon",
        {"unknown arc 'rear'", "front"}},
       {[](Scenario& s) { s.attacks[0].weapon = "torpedo"; },
        "attacks[0].weapon",
        {"unknown weapon 'torpedo'", "primary"}},
       {[](Scenario& s) { s.ships["a"].locks = {"x"}; }, "ships.a.tokens.lock", {"unknown ship 'x'"}}},
      differential::catalogue());
}

TEST_CASE("invalid values are refused with the allowed ones", "[rules][compile]") {
  check_rows(duel(2, 1),
             {{[](Scenario& s) { s.attacks.clear(); }, "attacks", {"no attack", "add"}},
              {[](Scenario& s) { s.ships["d"].tokens["focus"] = -1; }, "ships.d.tokens.focus", {"-1", "0 to 99"}},
              {[](Scenario& s) { s.ships["d"].tokens["focus"] = 100; }, "ships.d.tokens.focus", {"100", "0 to 99"}},
              {[](Scenario& s) { s.ships["d"].tokens["cloak"] = 2; }, "ships.d.tokens.cloak", {"2", "0 to 1"}},
              {[](Scenario& s) { s.ships["a"].upgrades.assign(31, "predator"); }, "ships.a.upgrades", {"31", "(30)"}},
              {[](Scenario& s) { s.attacks[0].range = 6; }, "attacks[0].range", {"6", "0 to 5"}},
              {[](Scenario& s) { s.attacks[0].range = -1; }, "attacks[0].range", {"-1", "0 to 5"}},
              {[](Scenario& s) { s.ships["a"].locks = {"a"}; }, "ships.a.tokens.lock", {"itself", "another"}},
              {[](Scenario& s) { s.attacks[0].on = "a"; }, "attacks[0].on", {"itself", "another"}}},
             differential::catalogue());
}

TEST_CASE("a disarmed or cloaked ship does not attack", "[rules][compile]") {  // 000: Disarmed, Cloak
  check_rows(duel(2, 1),
             {{[](Scenario& s) { s.ships["a"].tokens["disarm"] = 1; }, "attacks[0].by", {"disarm", "remove"}},
              {[](Scenario& s) { s.ships["a"].tokens["cloak"] = 1; }, "attacks[0].by", {"cloak", "remove"}}},
             differential::catalogue());
  Scenario defends = duel(2, 1);
  defends.ships["d"].tokens = {{"disarm", 1}, {"cloak", 1}};
  CHECK(refusal(defends, differential::catalogue()).path == "accepted");
}

TEST_CASE("the attacker chooses the target, unless a bonus attack is listed with the attack", "[rules][compile]") {
  Scenario good = duel(2, 3);
  good.ships["e"] = {.side = "theirs", .agility = 0, .hull = 3};
  good.attacks[0].targets = {"e"};
  check_rows(good,
             {{[](Scenario& s) { s.attacks.push_back({.by = "a", .on = "d", .bonus = "bossk"}); },
               "attacks[0].on",
               {"bonus attack", "name one ship"}}},
             differential::catalogue());
  // Two dice that hit with probability 1/2, against a ship without agility.
  const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), good);
  CHECK(exact::solve(question.plan).value == Approx(2 * 0.5).margin(1e-12));
}

TEST_CASE("an attacker that takes no option still shoots at one of its targets, the first",
          "[rules][compile]") {  // docs/decisions.md
  Scenario scenario = duel(2, 3);
  scenario.ships["e"] = {.side = "theirs", .agility = 0, .hull = 3};
  scenario.attacks[0].targets = {"e"};
  scenario.attacker_policy = "hold";
  const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), scenario);
  const salvo::game::Distribution found = exact::enumerate(question.plan, exact::solve(question.plan));
  REQUIRE(found.attacks.size() == 2);
  CHECK(found.attacks[0].happens == Approx(1));
  CHECK(found.attacks[1].happens == Approx(0).margin(1e-12));
}

TEST_CASE("attacker and defender are opposed, and every ship has a side",
          "[rules][compile]") {  // docs/format.md: Sides
  Scenario good = duel(2, 1);
  good.ships["b"] = {.attack = 2};
  good.attacks.push_back({.by = "b", .on = "d"});
  check_rows(good,
             {{[](Scenario& s) { s.ships["a"].side = s.ships["d"].side = "mine"; },
               "attacks[0]",
               {"same side", "change a side"}},
              {[](Scenario& s) { s.attacks.push_back({.by = "a", .on = "b"}); },
               "attacks[2]",
               {"'a' attacks 'b'", "same side"}},
              {[](Scenario& s) { s.attacks.pop_back(); }, "ships.b", {"neither side", "add side"}}},
             differential::catalogue());
  const salvo::compile::CompiledScenario found = compile::compile_scenario(differential::catalogue(), good);
  CHECK(found.plan.ships[0].mine);
  CHECK(found.plan.ships[1].mine);
  CHECK_FALSE(found.plan.ships[2].mine);
  good.ships["d"].side = "mine";  // a stated side takes precedence over "the first attacker is mine"
  const salvo::compile::CompiledScenario stated = compile::compile_scenario(differential::catalogue(), good);
  CHECK_FALSE(stated.plan.ships[0].mine);
  CHECK(stated.plan.ships[2].mine);
}

TEST_CASE("objectives other than damage need the hull of every target",
          "[rules][compile]") {  // docs/format.md: Objectives
  for (const std::string objective : {"kill", "health", "exchange"}) {
    Scenario scenario = duel(2, 1);
    scenario.objective = objective;
    scenario.ships["a"].hull.reset();
    CHECK(refusal(scenario, differential::catalogue()).path == "accepted");
    scenario.ships["d"].hull.reset();
    const Refusal got = refusal(scenario, differential::catalogue());
    CHECK(got.path == "ships.d.hull");
    CHECK(got.message.find("add hull") != std::string::npos);
  }
}

TEST_CASE("initiatives: for all attacks or none, and never increasing", "[rules][compile]") {  // 000: Simultaneous_Fire
  Scenario good = duel(2, 1);
  good.attacks[0].initiative = 4;
  good.attacks.push_back(good.attacks[0]);
  check_rows(
      good,
      {{[](Scenario& s) { s.attacks[1].initiative = 5; }, "attacks[1].initiative", {"5 follows 4", "reorder"}},
       {[](Scenario& s) { s.attacks[1].initiative.reset(); }, "attacks[1].initiative", {"all attacks", "or none"}},
       {[](Scenario& s) { s.attacks[0].initiative.reset(); }, "attacks[1].initiative", {"all attacks", "or none"}}},
      differential::catalogue());
}

TEST_CASE("weapons: the strongest primary, a named arc, or an upgrade within its range", "[rules][compile]") {
  const auto base = [](const std::function<void(Scenario&)>& change) {
    Scenario scenario = scout();
    change(scenario);
    return Table(scenario, differential::test_catalogue()).dice_due();
  };
  CHECK(base([](Scenario&) {}) == 3);
  CHECK(base([](Scenario& s) { s.attacks[0].weapon = "primary:front"; }) == 2);
  CHECK(base([](Scenario& s) { s.ships["a"].attack = 1; }) == 1);
  CHECK(base([](Scenario& s) { s.ships["a"].attack = 1, s.attacks[0].weapon = "primary:rear"; }) == 1);
  CHECK(base([](Scenario& s) { s.ships["a"].attack = 1, s.attacks[0].weapon = "primary:front"; }) == 2);
  CHECK(base([](Scenario& s) { s.attacks[0].weapon = "cannon"; }) == 3);
  CHECK(base([](Scenario& s) { s.attacks[0].weapon = "missile"; }) == 4);
  check_rows(scout(),
             {{[](Scenario& s) { s.attacks[0].weapon = "missile", s.attacks[0].range = 4; },
               "attacks[0].range",
               {"1 to 3", "not 4"}},
              {[](Scenario& s) { s.attacks[0].weapon = "cannon", s.attacks[0].range = 0; },
               "attacks[0].range",
               {"1 to 3", "not 0"}},
              {[](Scenario& s) { s.attacks[0].weapon = "nothing"; },
               "attacks[0].weapon",
               {"'nothing'", "weapon = \"primary\""}},
              {[](Scenario& s) { s.attacks[0].weapon = "missle"; }, "attacks[0].weapon", {"did you mean 'missile'"}},
              {[](Scenario& s) { s.attacks[0].weapon = "missile", s.ships["a"].locks.clear(); },
               "attacks[0].weapon",
               {"cannot pay"}},
              {[](Scenario& s) { s.attacks[0].weapon = "homing", s.ships["a"].locks.clear(); },
               "attacks[0].weapon",
               {"needs a lock on d", "add it"}}},
             differential::test_catalogue());
}

TEST_CASE("ordnance has no range bonus; its cost is paid when the target is declared",
          "[rules][compile]") {  // 000: Range_Bouns
  for (const int range : {1, 2, 3}) {
    Scenario scenario = scout();
    scenario.attacks[0].range = range;
    scenario.attacks[0].weapon = "missile";
    Table missile(scenario, differential::test_catalogue());
    CHECK(missile.tokens("a", "lock") == 0);
    CHECK(missile.dice_due() == 4);
    CHECK(missile.roll("bbbb").event == game::NextEvent::DefenseRoll);
    CHECK(missile.dice_due() == 1);
    scenario.attacks[0].weapon = "cannon";
    Table cannon(scenario, differential::test_catalogue());
    CHECK(cannon.dice_due() == (range == 1 ? 4 : 3));
    cannon.roll("hhhh").done();
    CHECK(cannon.dice_due() == (range == 3 ? 2 : 1));
  }
}

TEST_CASE("an attack with an unmet price or requirement does not happen", "[rules][compile]") {  // 000: Special_Weapon
  const auto happens = [](const std::string& weapon, const std::string& policy) {
    Scenario scenario = scout();
    scenario.attacker_policy = policy;
    scenario.attacks[0].weapon = weapon;
    scenario.attacks.resize(3, scenario.attacks[0]);
    const salvo::compile::CompiledScenario question =
        compile::compile_scenario(differential::test_catalogue(), scenario);
    const salvo::game::Distribution got = exact::enumerate(question.plan, exact::solve(question.plan));
    return std::vector<double>{got.attacks[0].happens, got.attacks[1].happens, got.attacks[2].happens};
  };
  CHECK(happens("cannon", "hold") == std::vector<double>{1, 1, 1});
  CHECK(happens("missile", "hold") == std::vector<double>{1, 0, 0});  // one lock
  CHECK(happens("homing", "hold") == std::vector<double>{1, 1, 0});   // two charges
  // Greedy spends the lock on the first attack unless both dice show hits or crits, 1/2 each.
  const std::vector<double> greedy = happens("homing", "greedy");
  CHECK(greedy[0] == 1);
  CHECK(std::abs(greedy[1] - 0.25) <= 1e-12);
  CHECK(greedy[2] == 0);
}

TEST_CASE("pilots: their ship, their stat line, their Force", "[rules][compile]") {
  const auto with = [](const ScenarioShip& ship) {
    Scenario scenario = duel(2, 1);
    scenario.ships["d"] = ship;
    return compile::compile_scenario(differential::test_catalogue(), scenario);
  };
  const salvo::compile::CompiledScenario ace = with({.ship = "scout", .pilot = "ace"});
  CHECK(ace.labels.ship_titles[1] == "Ace (Scout)");
  CHECK(ace.plan.ships[1].hull == 4);
  CHECK(ace.plan.ships[1].shields == 1);
  REQUIRE(ace.labels.resources.size() == 1);
  CHECK(ace.labels.resources[0].name == "force");
  CHECK(ace.plan.resources[0].initial == 2);
  CHECK(with({.pilot = "lone"}).labels.ship_titles[1] == "Lone (Scout)");
  CHECK(with({.pilot = "lone", .hull = 7}).plan.ships[1].hull == 7);
  check_rows(
      duel(2, 1),
      {{[](Scenario& s) { s.ships["d"].pilot = "lane"; }, "ships.d.pilot", {"did you mean 'lone'"}},
       {[](Scenario& s) { s.ships["d"].pilot = "ace"; }, "ships.d.pilot", {"several ships", "scout, tug", "add ship"}},
       {[](Scenario& s) { s.ships["d"].pilot = "lost"; }, "ships.d.pilot", {"no profile"}},
       {[](Scenario& s) { s.ships["d"].pilot = "mechanic", s.ships["d"].ship = "scout"; },
        "ships.d.pilot",
        {"does not fly", "tug"}},
       {[](Scenario& s) { s.ships["a"] = {.ship = "tug"}; }, "attacks[0].by", {"no weapon", "attack = n"}}},
      differential::test_catalogue());
}

TEST_CASE("a card that reduces an agility of 0 does not remove the die of range 3", "[rules][compile]") {
  Scenario scenario = duel(3, 0);
  scenario.cards = "legacy";
  scenario.attacks[0].range = 3;
  scenario.ships["d"] = {.ship = "vcx100lightfreighter", .upgrades = {"delta7b"}};  // agility 0, reduced by one
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue, scenario);
  CHECK(exact::enumerate(question.plan, exact::solve(question.plan)).attacks[0].defense_dice == 1);
}

TEST_CASE("upgrades that are known but not modelled are listed", "[rules][compile]") {
  Scenario scenario = duel(2, 1);
  scenario.ships["a"].upgrades = {"unwritten", "nothing"};
  scenario.ships["d"].upgrades = {"unwritten"};
  const salvo::compile::CompiledScenario got = compile::compile_scenario(differential::test_catalogue(), scenario);
  CHECK(got.labels.unmodelled == std::vector<std::string>{"unwritten"});
}

TEST_CASE("a limited pilot whose ability has no file is listed as not modelled", "[rules][compile]") {
  Scenario scenario = duel(2, 1);
  scenario.ships["d"] = {.ship = "scout", .pilot = "ace"};
  CHECK(compile::compile_scenario(differential::test_catalogue(), scenario).labels.unmodelled ==
        std::vector<std::string>{"ace"});
}

TEST_CASE("a pilot with an empty list of weapons has none, unless the scenario states one", "[rules][compile]") {
  Scenario scenario = duel(2, 1);
  scenario.ships["a"] = {.ship = "scout", .pilot = "unarmed"};
  CHECK(refusal(scenario, differential::test_catalogue()).path == "attacks[0].by");
  scenario.ships["a"].attack = 4;
  CHECK(Table(scenario, differential::test_catalogue()).dice_due() == 4);
}

TEST_CASE("a scenario too large for a position is a PlanTooLarge, not a wrong answer", "[rules][compile]") {
  // Each count of 99 tokens needs 7 bits; five kinds on 40 ships exceed 128 bits by far.
  Scenario scenario = duel(2, 1);
  scenario.attacks.clear();
  for (int i = 0; i < 10; ++i) {
    const std::string name = fmt::format("a{}", i);
    scenario.ships[name] = {.attack = 1, .tokens = {{"focus", 99}, {"calculate", 99}, {"force", 99}}};
    scenario.attacks.push_back({.by = name, .on = "d"});
  }
  scenario.ships.erase("a");
  try {
    static_cast<void>(compile::compile_scenario(differential::catalogue(), scenario));
    FAIL("accepted");
  } catch (const PlanTooLarge& error) {
    CHECK(error.found >= error.budget);
  }
}

TEST_CASE("the best weapon within range is chosen", "[rules][compile]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  for (const int range : {1, 2}) {  // proton torpedoes reach from range 2 on
    const game::Plan plan = compile::compile_scenario(catalogue, parse_scenario(fmt::format(R"({{
      "ships": {{"a": {{"pilot": "lukeskywalker", "upgrades": ["protontorpedoes"], "tokens": {{"lock": ["d"]}}}},
                 "d": {{"agility": 1, "hull": 4}}}},
      "attacks": [{{"by": "a", "on": "d", "weapon": "best", "range": {}}}]}})",
                                                                                            range),
                                                                                "case"))
                                .plan;
    const auto shots = std::count_if(plan.attacks.begin(), plan.attacks.end(),
                                     [](const salvo::game::AttackPlan& attack) { return !attack.engagement; });
    CHECK(shots == range);
  }
}

TEST_CASE("the range of ships that do not attack is an assumption", "[rules][compile]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const auto assumed = [&](const std::string& pilot, const std::string& facts) {
    const std::string scenario = fmt::format(R"({{"cards": "legacy", "ships": {{"red": {{"attack": 3}},
      "gold": {{"pilot": "{}", "side": "mine", "tokens": {{"lock": ["black"], "focus": 1}}}},
      "black": {{"agility": 2}}}}, "attacks": [{{"by": "red", "on": "black", "facts": [{}]}}]}})",
                                             pilot, facts);
    const auto all = compile::compile_scenario(catalogue, parse_scenario(scenario, "case")).labels.assumed_facts;
    return std::count_if(all.begin(), all.end(),
                         [](const std::string& fact) { return fact.find("enemies-in-reach") != std::string::npos; });
  };
  for (const char* pilot : {"lattsrazzi", "januskasmir-wat1"}) {
    CHECK(assumed(pilot, "") == 1);
    CHECK(assumed(pilot, R"("not enemies-in-reach")") == 0);
  }
}

TEST_CASE("compile: an effect follows a reaction if it asks for the use of that very effect", "[rules]") {
  load::CardSpec card;
  const auto add = [&](const std::string& id, const std::string& when) {
    load::EffectSpec& effect = card.effects.emplace_back();
    effect.id = id;
    effect.when = when;
  };
  add("acts", "self.gained.stress");
  add("follows", "used.acts and range <= 2");
  add("acts-again", "obstructed");
  add("other", "used.acts-again");
  std::vector<bool> reacts;
  for (const compile::PreparedEffect& effect : compile::prepared(card).effects.all) reacts.push_back(effect.reacts);
  CHECK(reacts == std::vector<bool>{true, true, false, false});
  card.effects.front().id.clear();  // as a program may build it
  load::CardSpec nameless;
  nameless.effects = card.effects;
  CHECK_FALSE(compile::prepared(nameless).effects.all[1].reacts);
}
