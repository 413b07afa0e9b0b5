// Scenarios from the flags of `salvo run`: good SPECs equal the file they stand for, bad ones name flag, word and
// remedy.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "load/load.h"
#include "salvo/names.h"
#include "support/catalogue.h"
#include "support/errors.h"

using namespace salvo;

namespace {

using Specs = std::vector<std::string>;

using tests::catalogue;

Scenario scenario_of(const Specs& attacks, const std::string& defend) {
  return scenario_from_specs(catalogue(), "second-edition", "", attacks, defend);
}

std::string error_of(const Specs& attacks, const std::string& defend, const std::string& rules = "second-edition",
                     const std::string& cards = "2025") {
  return tests::error_of([&] { return scenario_from_specs(catalogue(), rules, cards, attacks, defend); });
}

void check_same(Scenario flags, const std::string& toml) {
  const Scenario file = parse_scenario(toml, "x.toml");
  for (ScenarioAttack& attack : flags.attacks) {  // a SPEC leaves the weapon open, a file the primary one
    if (attack.unnamed == UnnamedWeapon::Best) attack.unnamed = UnnamedWeapon::Primary;
  }
  CHECK(flags.ships == file.ships);
  CHECK(flags.attacks == file.attacks);
  CHECK(flags.rules == file.rules);
  CHECK(flags.cards == file.cards);
}

}  // namespace

TEST_CASE("a SPEC for each side", "[load][specs]") {
  check_same(scenario_of({"3 focus lock range=1", "2 focus"}, "3 focus evade hull=3"), R"(
    [ships.a1]
    attack = 3
    tokens = { focus = 1, lock = ["d"] }
    [ships.a2]
    attack = 2
    tokens = { focus = 1 }
    [ships.d]
    agility = 3
    hull = 3
    tokens = { focus = 1, evade = 1 }
    [[attacks]]
    by = "a1"
    on = "d"
    range = 1
    [[attacks]]
    by = "a2"
    on = "d")");
}

TEST_CASE("a SPEC has the standard loadout of its pilot", "[load][specs]") {
  using Names = std::vector<std::string>;
  const auto upgrades = [](const std::string& spec) { return scenario_of({spec}, "2").ships.at("a1").upgrades; };
  const Names vader{"marksmanship", "hate", "afterburners"};
  CHECK(upgrades("pilot=darthvader-battleofyavin") == vader);
  CHECK(upgrades("Darth Vader Battle of Yavin, focus, hate") == vader);
  CHECK(upgrades("pilot=darthvader-battleofyavin loadout=none").empty());
  CHECK(upgrades("pilot=darthvader-battleofyavin loadout=none predator") == Names{"predator"});
  CHECK(upgrades("pilot=darthvader predator loadout=none") == Names{"predator"});
  // A talent takes the place of the only talent; there is no slot for a configuration or torpedo to take.
  CHECK(upgrades("pilot=darthvader-battleofyavin lonewolf") == Names{"hate", "afterburners", "lonewolf"});
  CHECK(upgrades("pilot=darthvader-battleofyavin protontorpedoes") ==
        Names{"marksmanship", "hate", "afterburners", "protontorpedoes"});
  CHECK(error_of({"pilot=darthvader loadout=all"}, "2").find("write loadout=none") != std::string::npos);

  const Scenario both = scenario_of({"pilot=darthvader-battleofyavin lonewolf"}, "pilot=maulermithel-battleofyavin");
  CHECK(both.ships.at("d").upgrades == Names{"predator", "afterburners"});
  REQUIRE(both.notes.size() == 2);
  CHECK(both.notes[0] ==
        "--attack 1: darthvader-battleofyavin has the standard loadout marksmanship, hate, afterburners; lonewolf "
        "replaces marksmanship; loadout=none leaves it out");
  CHECK(both.notes[1].starts_with("--defend: maulermithel-battleofyavin has the standard loadout "));
}

TEST_CASE("every kind of word", "[load][specs]") {
  check_same(scenario_of({"ship=t65xwing pilot=wedgeantilles attack=4 calculate=2 predator bullseye obstructed "
                          "reinforced=false weapon=primary:front initiative=6 range=3 size=medium lock=1",
                          "3 obstructed=false hull=2 initiative=6"},
                         "  ship=tielnfighter   agility=2 shields=1 reinforce=2 size=small tractor juke  "),
             R"(
    [ships.a1]
    ship = "t65xwing"
    pilot = "wedgeantilles"
    upgrades = ["predator"]
    attack = 4
    size = "medium"
    tokens = { calculate = 2, lock = ["d"] }
    [ships.a2]
    attack = 3
    hull = 2
    [ships.d]
    ship = "tielnfighter"
    upgrades = ["juke"]
    agility = 2
    shields = 1
    size = "small"
    tokens = { reinforce = 2, tractor = 1 }
    [[attacks]]
    by = "a1"
    on = "d"
    weapon = "primary:front"
    range = 3
    obstructed = true
    reinforced = false
    facts = ["bullseye"]
    initiative = 6
    [[attacks]]
    by = "a2"
    on = "d"
    initiative = 6)");
  CHECK(scenario_of({"3"}, "0").source == "flags");
  CHECK(scenario_of({"4 ship=t65xwing"}, "3").ships.at("a1").attack == 4);  // overrides the stat line
  CHECK(scenario_of({"pilot=wedgeantilles"}, "3").ships.at("a1").pilot == "wedgeantilles");
  CHECK(scenario_of({"3 lock=0"}, "3").ships.at("a1").locks.empty());
}

TEST_CASE("faces in place of dice, and damage cards", "[load][specs]") {
  check_same(scenario_of({"3 hits 1 crit focus"}, "2 rolled=evade,focus calculate facedown=2 hull=9"), R"(
    [ships.a1]
    tokens = { focus = 1 }
    [ships.d]
    agility = 2
    hull = 9
    facedown = 2
    tokens = { calculate = 1 }
    [[attacks]]
    by = "a1"
    on = "d"
    results = ["hit", "hit", "hit", "crit"]
    defense_rolled = "evade focus")");
  check_same(
      scenario_of({"4 rolled=hit,focus,blank,crit focus faceup=\"Blinded Pilot\",weaponsfailure"}, "results=evade"),
      R"(
    [ships.a1]
    attack = 4
    tokens = { focus = 1 }
    faceup = ["Blinded Pilot", "weaponsfailure"]
    [ships.d]
    [[attacks]]
    by = "a1"
    on = "d"
    rolled = ["hit", "focus", "blank", "crit"]
    defense_results = ["evade"])");
}

TEST_CASE("keys and faces of results may be in capitals", "[load][specs]") {
  const std::vector<std::string> faces{"hit", "focus", "blank"};
  CHECK(scenario_of({"3 ROLLED=HIT,Focus,BLANK"}, "2").attacks[0].rolled == faces);
  CHECK(scenario_of({"RESULTS=HIT,Focus,blank"}, "2").attacks[0].results == faces);
}

TEST_CASE("one SPEC alone is a roll", "[load][specs]") {
  const Scenario defense = scenario_from_specs(catalogue(), "second-edition", "", Specs(), Specs{"3 focus range=3"});
  CHECK(defense.roll == "defense");
  CHECK(defense.ships.at("d").agility == 3);
  CHECK(defense.attacks.at(0).range == 3);
  const Scenario attack = scenario_from_specs(catalogue(), "second-edition", "", Specs{"3 lock"}, Specs());
  CHECK(attack.roll == "attack");
  CHECK(attack.ships.at("a1").locks == Specs{"d"});
}

TEST_CASE("the card set decides which upgrades are words", "[load][specs]") {
  std::string only_2025, only_legacy;
  for (const std::string& id : catalogue().upgrade_ids("2025")) {
    if (!catalogue().upgrade_exists(id, "legacy")) only_2025 = id;
  }
  for (const std::string& id : catalogue().upgrade_ids("legacy")) {
    // A word that is only spelled differently in the other set is understood there.
    if (!catalogue().upgrade_exists(id, "2025") && catalogue().aliases("upgrade", id).empty()) only_legacy = id;
  }
  REQUIRE(!only_2025.empty());
  REQUIRE(!only_legacy.empty());
  CHECK(error_of({"3 " + only_2025}, "3", "second-edition", "2025") == "no error");
  CHECK(error_of({"3 " + only_2025}, "3", "second-edition", "legacy") != "no error");
  CHECK(error_of({"3 " + only_legacy}, "3", "second-edition", "legacy") == "no error");
  CHECK(error_of({"3 " + only_legacy}, "3", "second-edition", "2025") != "no error");
}

TEST_CASE("wrong SPECs name the flag, the word and the remedy", "[load][specs]") {
  struct Bad {
    Specs attacks;
    std::string defend;
    Specs parts;
  };
  const std::vector<Bad> cases{
      // Numbers without a key.
      {{""}, "3", {"--attack 1: no attack value", "number without a key"}},
      {{"3"}, "", {"--defend: no agility"}},
      {{"3", "focus"}, "3", {"--attack 2: no attack value"}},
      {{"3 4"}, "3", {"--attack 1: \"4\" is a second attack value", "exactly one"}},
      {{"3"}, "3 3", {"--defend: \"3\" is a second agility"}},
      {{"21"}, "3", {"--attack 1: attack: 21 is out of range", "from 0 to 20"}},
      {{"3"}, "-1", {"--defend: agility: -1 is out of range"}},
      {{"99999999999999999999"}, "3", {"99999999999999999999 is out of range"}},
      {{"3 x 2"}, "3", {"--attack 1: \"x\" is not a token", "as x2"}},
      {{"2 x 3 focus"}, "3", {"--attack 1: \"x\" is not a token", "as x2"}},
      {{"3.5"}, "3", {"\"3.5\" is not a token, key, fact or upgrade"}},
      {{"attack=3"}, "3", {"\"attack=3\" overrides a stat line", "without ship="}},
      {{"3 agility=2"}, "3", {"\"agility=2\" overrides a stat line"}},
      {{"3 attack=3 ship=t65xwing"}, "3", {"\"attack\" is given twice"}},
      // Twice.
      {{"3 focus focus"}, "3", {"--attack 1: \"focus\" is given twice"}},
      {{"3 focus focus=2"}, "3", {"\"focus\" is given twice"}},
      {{"3"}, "3 hull=3 hull=4", {"--defend: \"hull\" is given twice"}},
      {{"3 bullseye bullseye"}, "3", {"\"bullseye\" is given twice"}},
      {{"3 predator predator"}, "3", {"\"predator\" is given twice"}},
      {{"3 lock lock"}, "3", {"\"lock\" is given twice"}},
      {{"3 obstructed obstructed"}, "3", {"\"obstructed\" is given twice"}},
      // Values.
      {{"3 focus=x"}, "3", {"--attack 1: tokens.focus: found \"x\" (text)", "from 0 to 99"}},
      {{"3 focus=2.0"}, "3", {"tokens.focus", "here 2"}},
      {{"3 focus=100"}, "3", {"tokens.focus: 100 is out of range"}},
      {{"3 cloak=2"}, "3", {"tokens.cloak: 2 is out of range", "from 0 to 1"}},
      {{"3 focus="}, "3", {"\"focus=\" has no value", "focus=VALUE"}},
      {{"3 range=7"}, "3", {"--attack 1: range: 7 is out of range", "from 0 to 5"}},
      {{"3 initiative=-1"}, "3", {"initiative: -1 is out of range"}},
      {{"3 obstructed=1"}, "3", {"obstructed: found 1", "true or false"}},
      {{"3 reinforced"}, "3", {"\"reinforced\" is so without saying", "reinforced=false"}},
      {{"3"}, "3 hull", {"--defend: \"hull\" needs a value", "hull=3"}},
      {{"3"}, "3 hull=0", {"--defend: hull: 0 is out of range", "from 1 to 99"}},
      {{"3 bullseye=true"}, "3", {"\"bullseye=true\" takes no value", "\"bullseye\" alone"}},
      {{"3 predator=1"}, "3", {"\"predator=1\" takes no value"}},
      {{"3 lock=2"}, "3", {"\"lock=2\" is not possible", "at most one lock"}},
      {{"3 lock=d"}, "3", {"\"lock=d\" is not possible"}},
      // Where a word belongs.
      {{"3"}, "3 range=1", {"--defend: \"range=1\" belongs to an attack", "--attack"}},
      {{"3"}, "3 obstructed", {"\"obstructed\" belongs to an attack"}},
      {{"3"}, "3 weapon=primary", {"belongs to an attack"}},
      {{"3"}, "3 bullseye", {"\"bullseye\" belongs to an attack"}},
      {{"3"}, "3 initiative=3", {"belongs to an attack"}},
      {{"3"}, "3 lock", {"--defend: \"lock\" has no effect", "does not attack"}},
      // Faces in place of dice.
      {{"3"}, "2 evades", {"--defend: \"2 evades\"", "evade=2", "results=evade,evade"}},
      {{"2 evades"}, "2", {"--attack 1: \"2 evades\"", "SPEC of the defender"}},
      {{"3"}, "2 1 crit", {"--defend: \"1 crit\"", "SPEC of the attack"}},
      {{"99 hits"}, "2", {"\"99\" is not a number of results"}},
      {{"2 hits results=hit"}, "2", {"\"results\" is given twice"}},
      {{"rolled"}, "2", {"\"rolled\" needs a value", "rolled=hit,focus,blank"}},
      {{"3 rolled="}, "2", {"\"rolled=\" has no value"}},
      {{"3", "2"}, "2 rolled=evade", {"--defend: ", "one attack"}},
      // Unknown words.
      {{"3 dice"}, "3", {"\"dice\" is not", "a bare number is the number of dice, as 3"}},
      {{"3d"}, "3", {"\"3d\" is not", "as 3"}},
      {{"3 damaged"}, "3", {"hull=2"}},
      {{"3 target-lock"}, "3", {"write lock"}},
      {{"3 at range=1"}, "3", {"write range=1"}},
      {{"3 fcous"}, "3", {"\"fcous\" is not a token, key, fact or upgrade", "did you mean \"focus\"?"}},
      {{"3 rnage=1"}, "3", {"\"rnage\"", "did you mean \"range\"?"}},
      {{"3 predater"}, "3", {"did you mean \"predator\"?"}},
      {{"3 bullsye"}, "3", {"did you mean \"bullseye\"?"}},
      {{"3 lokc"}, "3", {"did you mean \"lock\"?"}},
      {{"3 obstruct"}, "3", {"did you mean \"obstructed\"?"}},
      {{"3 ordnance"}, "3", {"\"ordnance\" is not a token"}},
      {{"3 qqqqqqqqq"}, "3", {"the tokens are lock, focus, calculate", "hull=, shields="}},
      {{"3 =5"}, "3", {"\"=5\""}},
      {{"3 \x1b[31m"}, "3", {"\\x1b[31m"}},
      {{"3 \xFF"}, "3", {"\\xff"}},
      {{"3 ship=\x01"}, "3", {"control characters"}},
  };
  for (const Bad& bad : cases) {
    const std::string message = error_of(bad.attacks, bad.defend);
    CAPTURE(bad.attacks, bad.defend, message);
    CHECK(message.starts_with("--"));
    for (const std::string& part : bad.parts) {
      CAPTURE(part);
      CHECK(message.find(part) != std::string::npos);
    }
    CHECK(message.find('\x1b') == std::string::npos);
    CHECK(message.size() < 500);
  }
}

TEST_CASE("words of the table name what to write", "[load][specs]") {
  struct Case {
    const char *attack, *defend, *remedy;
  };
  for (const auto& [attack, defend, remedy] : {Case{"3 2 focus", "2", "write focus=2"},
                                               Case{"3 force 2", "2", "write force=2"},
                                               Case{"3 focus focus", "2", "write focus=2"},
                                               Case{"3", "2 2 shields", "write shields=2"},
                                               Case{"3", "2 2 evades", "write evade=2"},
                                               Case{"3 focus range 2", "2", "write range=2"},
                                               Case{"3", "2 facedown 1", "write facedown=1"},
                                               Case{"3 attack dice", "2", "leave the word attack out"},
                                               Case{"3", "2 agility hull=3", "leave the word agility out"},
                                               Case{"3 red dice", "2", "number of dice"},
                                               Case{"3 target lock", "2", "write lock"},
                                               Case{"3 calc", "2", "write calculate"},
                                               Case{"3 stressed", "2", "write stress"},
                                               Case{"3 Blinded Pilot", "2", "faceup=blinded-pilot"},
                                               Case{"3 Suppressive Fire", "2", "conditions = [\"suppressivefire\"]"},
                                               Case{"Skywaker", "2", "Luke Skywalker"},
                                               Case{"Antiles focus", "2", "Wedge Antilles"},
                                               Case{"3 double focus", "2", "write focus=2"},
                                               Case{"3", "2 two evades", "write evade=2"},
                                               Case{"3 Triple Calc", "2", "write calculate=3"},
                                               Case{"3 double lock", "2", "write lock"},
                                               Case{"3 focusx2", "2", "write focus=2"},
                                               Case{"3 2xforce", "2", "write force=2"},
                                               Case{"3 stress*3", "2", "write stress=3"},
                                               Case{"3 focus:2", "2", "write focus=2"},
                                               Case{"3", "2 evade(2)", "write evade=2"},
                                               Case{"3 R3", "2", "write range=3, or r3astromech"},
                                               Case{"3 r1", "2", "write range=1"},
                                               Case{"3 range three", "2", "write range=3"},
                                               Case{"3 focus=0.5", "2", "write focus=50%"},
                                               Case{"3 obstructed=.25", "2", "obstructed=25%"}}) {
    INFO(attack << " on " << defend);
    CHECK_THAT(error_of({attack}, defend, "second-edition", "xwa"), Catch::Contains(remedy));
  }
  CHECK(scenario_of({"Double Edge focus"}, "2").ships.at("a1").pilot == "doubleedge");
  CHECK(scenario_of({"Luke Skywalker R5"}, "2").ships.at("a1").upgrades == Specs{"r5astromech"});
  CHECK(scenario_of({"Luke Skywalker R2"}, "2").ships.at("a1").upgrades == Specs{"r2astromech"});
  const Scenario twice = scenario_of({"3 2x focus"}, "2");
  CHECK(std::count(twice.notes.begin(), twice.notes.end(),
                   "--attack 1: \"2x\" is read as the number of ships; focus=2 would be tokens") == 1);
  const std::vector<Named> near = find_name(catalogue(), "pilot", "Antiles", "xwa").candidates;
  CHECK(std::any_of(near.begin(), near.end(), [](const Named& one) { return one.name == "Wedge Antilles"; }));
}

TEST_CASE("a faction that contradicts the id of a pilot is said", "[load][specs]") {
  const auto notes = [](const std::string& spec) { return scenario_of({spec}, "2").notes; };
  const std::vector<std::string> said = notes("hansolo-scavengedyt1300 (Scum)");
  CHECK(std::count(
            said.begin(), said.end(),
            "--attack 1: \"(Scum)\" behind hansolo-scavengedyt1300 contradicts it; the pilot is read as hansolo") == 1);
  for (const char* const spec : {"Han Solo (Scum)", "Han Solo scavengedyt1300 (Resistance)"}) {
    for (const std::string& note : notes(spec)) CHECK_THAT(note, !Catch::Contains("contradicts"));
  }
}

TEST_CASE("flags need an attack, an edition and a card set", "[load][specs]") {
  const auto without_attack = [] {
    return scenario_from_specs(catalogue(), "second-edition", "", Specs(), Specs{"3", "2"});
  };
  CHECK(tests::error_of(without_attack).find("--attack: no attack") == 0);
  CHECK(error_of({"3"}, "3", "secnd-edition")
            .find("--rules: no edition \"secnd-edition\"; did you mean \"second-edition\"?") == 0);
  CHECK(error_of({"3"}, "3", "second-edition", "2024").find("--cards: no card set \"2024\"") == 0);
}

TEST_CASE("no id of the profiles has two meanings as a word", "[load][specs]") {
  const Specs keys{"lock",   "hull",   "shields",    "ship",       "pilot",      "size",   "range",
                   "weapon", "attack", "initiative", "obstructed", "reinforced", "agility"};
  for (const std::string& edition : catalogue().edition_ids()) {
    for (const salvo::load::TokenSpec& token : catalogue().edition(edition)->tokens) {
      CAPTURE(token.id);
      CHECK(std::find(keys.begin(), keys.end(), token.id) == keys.end());
      CHECK_FALSE(catalogue().facts().contains(token.id));
      CHECK_FALSE(catalogue().upgrade_exists(token.id, "2025"));
      CHECK_FALSE(catalogue().upgrade_exists(token.id, "legacy"));
    }
  }
  for (const auto& [fact, meaning] : catalogue().facts()) {
    CAPTURE(fact);
    CHECK(std::find(keys.begin(), keys.end(), fact) == keys.end());
    CHECK_FALSE(catalogue().upgrade_exists(fact, "2025"));
    CHECK_FALSE(catalogue().upgrade_exists(fact, "legacy"));
  }
}

TEST_CASE("words between names and numbers of ships in a SPEC", "[load][specs]") {
  for (const char* const spec :
       {"Jessika Pava with Heroic and focus", "Jessika Pava mit Heroic und focus", "Jessika Pava avec Heroic et FOCUS",
        "Jessika Pava con Heroic y focus", "Jessika Pava + Heroic & focus"}) {
    INFO(spec);
    const ScenarioShip ship = scenario_of({spec}, "2").ships.at("a1");
    CHECK(ship.pilot == "jessikapava");
    CHECK(ship.upgrades == Specs{"heroic"});
    CHECK(ship.tokens.at("focus") == 1);
  }
  CHECK(scenario_of({"three Bounty Hunters focus"}, "2").attacks.size() == 3);
  CHECK(scenario_of({"zwei Y-wings"}, "2").attacks.size() == 2);
  CHECK(scenario_of({"two Bounty Hunters focus", "3"}, "2").ships.at("a2").tokens.at("focus") == 1);
  CHECK(scenario_of({"Double Edge"}, "2").attacks.size() == 1);
  CHECK_THAT(error_of({"Bounty Hunter x300"}, "2"), Catch::Contains("too many"));
  CHECK_THAT(error_of({"Wampa, Howlrunner focus"}, "2"), Catch::Contains("second pilot"));
  CHECK_THAT(error_of({"Jek Porkins and Luke"}, "2"), Catch::Contains("\"Luke\" is a second pilot"));
  CHECK_THAT(error_of({"Captain Rex, Sabine Wren"}, "2"),
             Catch::Contains("second pilot, since captainrex cannot have the upgrade sabinewren; give each ship"));
  CHECK_THAT(error_of({"Guri, Dengar"}, "2", "first-edition", "first-edition"),
             Catch::Contains("second pilot, since guri cannot have the upgrade dengar; give each ship"));
  CHECK(scenario_of({"Han Solo, Luke Skywalker"}, "2").ships.at("a1").upgrades == Specs{"lukeskywalker"});
  CHECK_THAT(error_of({"Jek Porkins and Luke Skywalker"}, "2"),
             Catch::Contains("\"Luke Skywalker\" is a second pilot"));
  for (const char* const token : {"strain", "deplete", "force", "calculate"}) {
    CHECK_THAT(error_of({std::string("3 ") + token}, "2", "first-edition", "first-edition"),
               Catch::Contains("the first edition has no such token"));
  }
  for (const char* const spec : {"2 hits 1 blank", "1 blank 2 hits", "2 hits 1 focus", "1 focus 2 hits",
                                 "1 focus 1 crit 1 hit", "1 focus 0 hits"}) {
    INFO(spec);
    CHECK_THAT(error_of({spec}, "2"), Catch::Contains("rolled="));
  }
  CHECK_THAT(error_of({"1 focus 2 evades"}, "2"), Catch::Contains("the other player's dice"));
  CHECK_THAT(error_of({"Kavl focus"}, "2"), Catch::Contains("Kavil"));
  CHECK_THAT(error_of({"Korran Horn focus"}, "2"), Catch::Contains("Corran Horn"));
}

TEST_CASE("a ship that shares its name with a title", "[load][specs]") {
  CHECK(scenario_of({"outrider focus"}, "2").ships.at("a1").ship == "yt2400lightfreighter");
  CHECK(scenario_of({"3"}, "ghost evade").ships.at("d").ship == "vcx100lightfreighter");
  const ScenarioShip echo = scenario_of({"Echo phantom focus"}, "2").ships.at("a1");
  CHECK(echo.ship == "tiephphantom");
  for (const char* const spec :
       {"Echo, phantom, outrider, focus", "Echo, outrider, phantom, focus", "phantom outrider focus"})
    CHECK_THAT(error_of({spec}, "2"), Catch::Contains("\"outrider\" is a second ship; give each ship a SPEC"));
  CHECK(echo.upgrades.empty());
  const ScenarioShip leebo = scenario_of({"Leebo outrider"}, "2").ships.at("a1");
  CHECK(leebo.upgrades == Specs{"outrider"});
  CHECK(scenario_of({"3 outrider"}, "2").ships.at("a1").upgrades == Specs{"outrider"});
}
