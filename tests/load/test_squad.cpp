// Squads as builders export them: their pilots, unknown ids, and their card set.
#include <algorithm>
#include <catch2/catch.hpp>

#include "load/catalogue.h"
#include "salvo/references.h"
#include "salvo/squad.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;

Squad squad_of(const std::string& name) {
  return load_squad(catalogue(), std::string(SALVO_SOURCE_DIR "/tests/data/squads/") + name);
}

std::vector<std::string> upgrades(const SquadPilot& pilot) {
  std::vector<std::string> out;
  for (const SquadUpgrade& upgrade : pilot.upgrades) out.push_back(upgrade.id);
  return out;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("squad: empty lists for none, and a ship id of the other card set", "[squad]") {
  const Squad squad = squad_of("empty-lists.json");
  CHECK(squad.ruleset == "2.0");
  CHECK(squad.cards == "legacy");
  CHECK(squad.unknown.empty());
  REQUIRE(squad.pilots.size() == 2);
  CHECK(upgrades(squad.pilots[0]) == Ids{"extrememaneuvers", "iontorpedoes"});
  CHECK(squad.pilots[1].ship == "upsilonclasscommandshuttle");
  CHECK(squad.pilots[1].given_ship == "upsilonclassshuttle");
  CHECK(squad.pilots[1].upgrades.empty());
  CHECK(squad.notes.size() == 1);
  // 2.0 points: the pilot and its upgrades; some upgrades cost by initiative.
  CHECK(total_cost(squad.pilots[0]) > squad.pilots[0].cost);
}

TEST_CASE("squad: standard loadouts come from the data, pilots by name, ids with hyphens", "[squad]") {
  const Squad squad = squad_of("standard-loadouts.json");
  CHECK(squad.ruleset == "2.5");
  CHECK(squad.cards == "2025");
  CHECK(squad.unknown.empty());
  REQUIRE(squad.pilots.size() == 3);
  CHECK(squad.pilots[0].standard_loadout);
  CHECK(upgrades(squad.pilots[0]) == Ids{"predator", "afterburners"});
  CHECK_FALSE(squad.pilots[1].standard_loadout);
  CHECK(squad.pilots[1].id == "idenversio");
  CHECK(upgrades(squad.pilots[1]) == Ids{"elusive", "ioncannon"});
  CHECK(squad.pilots[2].id == "lukeskywalker-battleofyavin");  // by alias
  CHECK(squad.pilots[2].standard_loadout);
}

TEST_CASE("squad: a pilot's points include the standard loadout, even if it is listed", "[squad]") {
  const ScenarioShip axe{
      .ship = "v19torrentstarfighter", .pilot = "axe-siegeofcoruscant", .upgrades = {"barragerockets", "deadeyeshot"}};
  CHECK(cost_in(catalogue(), axe, "2025") == 3);
  const Squad squad = squad_from_spec(catalogue(), "pilot=axe-siegeofcoruscant deadeyeshot barragerockets", "2025", {});
  CHECK(squad.pilots.at(0).standard_loadout);
  CHECK(total_cost(squad.pilots[0]) == 3);
  const Squad file = parse_squad(catalogue(),
                                 R"({"pilots": [{"id": "axe-siegeofcoruscant", "ship": "v19torrentstarfighter",
          "upgrades": {"talent": ["deadeyeshot"], "missile": ["barragerockets"]}}]})",
                                 "file", "2025", {});
  CHECK(file.pilots.at(0).standard_loadout);
}

TEST_CASE("squad: unknown ids are listed by path and the rest is read", "[squad]") {
  const Squad squad = squad_of("partly-unknown.json");
  CHECK(squad.ruleset == "XWA");
  CHECK(squad.cards == "xwa");
  CHECK(squad.cards_from == "xwing-data2 (XWA) 4.0");
  CHECK(squad.cards_date == "2026-02-18");
  CHECK(squad.pilots.at(0).cost == 14);
  REQUIRE(squad.pilots.size() == 2);
  CHECK(upgrades(squad.pilots[0]) == Ids{"crackshot", "shieldupgrade"});
  CHECK(squad.pilots[1].ship == "t65xwing");  // the only ship that Wedge of this id flies
  Ids paths;
  for (const UnknownId& id : squad.unknown) paths.push_back(id.path);
  CHECK(paths == Ids{"pilots[0].upgrades.talent[0]", "pilots[1].id", "pilots[3].id"});
  CHECK(squad.unknown[0].reason.find("predator") != std::string::npos);
}

TEST_CASE("squad: ids identify the first edition", "[squad]") {
  const Squad squad = squad_of("first-edition.json");
  CHECK(squad.ruleset == "first-edition");
  CHECK(squad.rules == "first-edition");
  CHECK(squad.cards == "first-edition");
  REQUIRE(squad.pilots.size() == 2);
  CHECK(squad.unknown.empty());
  CHECK(squad.pilots[0].upgrades.at(0).id == "protontorpedoes");
}

namespace {

/// The head of a squad, then pilots.
Squad read(const std::string& text) { return parse_squad(catalogue(), text, "test.json"); }

bool notes(const Squad& squad, const std::string& words) {
  return std::any_of(squad.notes.begin(), squad.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("squad: ids decide the edition before ships, version and faction words", "[squad]") {
  // A second-edition builder that writes words of the first: only the second edition has perceptivecopilot.
  const Squad second = read(R"({"faction": "scum", "version": "0.3.0", "pilots": [
    {"name": "kavil", "ship": "ywing", "points": 42,
     "upgrades": {"turret": ["dorsalturret"], "amd": ["r5astromech"], "crew": ["perceptivecopilot"]}}]})");
  CHECK(second.rules == "second-edition");
  CHECK(second.ruleset == "2.0");
  CHECK(second.pilots.at(0).ship == "btla4ywing");
  CHECK(upgrades(second.pilots[0]) == Ids{"dorsalturret", "r5astromech", "perceptivecopilot"});
  CHECK(notes(second, "perceptivecopilot"));  // and that the rest indicates the other edition
  CHECK(notes(second, "ywing"));
  const Squad xwing = read(R"({"faction": "rebels", "version": "0.3.0", "pilots": [
    {"name": "wedgeantilles", "ship": "xwing", "upgrades": {"amd": ["r4astromech"]}}]})");
  CHECK(xwing.rules == "second-edition");
  CHECK(xwing.pilots.at(0).ship == "t65xwing");
  // The same words with a card that only the first edition has.
  const Squad first = read(R"({"faction": "scum", "version": "0.3.0", "points": 100, "pilots": [
    {"name": "kavil", "ship": "ywing", "upgrades": {"turret": ["twinlaserturret"], "samd": ["unhingedastromech"]}}]})");
  CHECK(first.rules == "first-edition");
  CHECK(first.cards == "first-edition");
  CHECK(first.unknown.empty());
}

TEST_CASE("squad: several clues to the second edition outweigh one id or old ids of ships", "[squad]") {
  const auto set_of = [&](const std::string& pilots) {
    const Squad squad = read(R"({"version": "2.0.0", "pilots": [)" + pilots + "]}");
    return squad.pilots.empty() ? squad.cards : squad.cards + " " + squad.pilots[0].id;
  };
  CHECK(set_of(R"({"id": "chewbacca", "ship": "yt1300"})") == "legacy chewbacca");
  CHECK(set_of(R"({"id": "unkarplutt", "ship": "quadjumper"}, {"id": "quinnjast", "ship": "m3ainterceptor"})") ==
        "legacy unkarplutt");
  // Only the first edition has the card.
  CHECK(set_of(R"({"id": "biggsdarklighter", "ship": "t65xwing", "upgrades": {"torpedo": ["flechettetorpedoes"]}})") ==
        "legacy biggsdarklighter");
  // Both have the pilot, the second with a suffix; the ship says which.
  CHECK(read(R"({"pilots": [{"id": "captainyorr", "ship": "lambdaclasst4ashuttle"}]})").rules == "second-edition");
  CHECK(read(R"({"pilots": [{"id": "captainyorr", "ship": "lambdaclassshuttle"}]})").rules == "first-edition");
}

TEST_CASE("squad: a ship that only one card set has leads to that set", "[squad]") {
  const Squad squad = read(R"({"faction": "scumandvillainy", "version": "2.0.0", "pilots": [
    {"id": "leebo-swz103-sl-scumandvillainy", "ship": "yt2400lightfreighter2023"}]})");
  CHECK(squad.cards == "legacy");
  CHECK(squad.pilots.at(0).ship == "yt2400lightfreighter2023");
  CHECK(read(R"({"faction": "rebelalliance", "pilots": [{"id": "leebo", "ship": "yt2400lightfreighter2023"}]})")
            .pilots.at(0)
            .id == "leebo-swz103-rebelalliance");
}

TEST_CASE("squad: a first-edition squad of ships that both editions have, with the faction scum", "[squad]") {
  const Squad squad = read(R"({"faction": "scum", "name": "x", "pilots": [
    {"name": "dengar", "ship": "jumpmaster5000", "points": 45, "upgrades": {"title": ["punishingone"]}}]})");
  CHECK(squad.rules == "first-edition");  // by its points and its faction
  CHECK(squad.cards == "first-edition");
}

TEST_CASE("squad: the builder's link decides the edition if ids do not", "[squad]") {
  const std::string pilots = R"("pilots": [{"name": "wedgeantilles", "ship": "t70xwing", "upgrades": {}}])";
  const auto with = [&](const std::string& link) {
    return read(R"({"vendor": {"yasb": {"link": "https://a.example/?f=x&d=)" + link + R"("}}, )" + pilots + "}").rules;
  };
  CHECK(with("v4!s!4:") == "first-edition");
  CHECK(with("v8ZsZ200Z4X") == "second-edition");
}

TEST_CASE("squad: the version of a builder's link decides the points if nothing else does", "[squad]") {
  const auto with = [&](const std::string& version) {
    return read(R"({"vendor": {"yasb": {"link": "https://yasb.app/?f=x&d=)" + version +
                R"("}}, "pilots": [{"id": "gideonhask", "ship": "tieininterceptor"}]})")
        .ruleset;
  };
  CHECK(with("v8ZsZ200Z1X") == "2.0");
  CHECK(with("v9ZsZ20Z1X") == "2.5");
  CHECK(with("v9ZsZ50Z1X") == "XWA");
  CHECK(with("v10ZsZ20Z1X") == "2.5");
  CHECK(with("v10ZsZ50Z1X") == "XWA");
}

TEST_CASE("squad: an id that may be several pilots of an edition is known there", "[squad]") {
  // Two ships of the second edition, and the first knows him without the suffix.
  const Squad squad = read(R"({"pilots": [{"id": "fennrau-rebelalliance", "ship": "fangfighter"}]})");
  CHECK(squad.rules == "second-edition");
  CHECK(squad.pilots.at(0).id == "fennrau-fangfighter");
}

TEST_CASE("squad: the best evidence decides the edition, and missing evidence is noted", "[squad]") {
  const char* text = R"({"pilots": [{"name": "wedgeantilles", "upgrades": {}}]})";
  const Squad open = read(text);
  CHECK(open.rules == "second-edition");
  CHECK(notes(open, "nothing in the squad says its edition"));
  const Squad first = parse_squad(catalogue(), text, "test", std::nullopt, "first-edition");
  CHECK(first.rules == "first-edition");
  CHECK(first.pilots.at(0).ship == "xwing");
  CHECK(first.notes.empty());
  const Squad legacy = parse_squad(catalogue(), text, "test", "legacy");
  CHECK(legacy.rules == "second-edition");
  CHECK(legacy.cards == "legacy");
  CHECK(parse_squad(catalogue(), text, "test", "first-edition").rules == "first-edition");
  CHECK_THROWS_AS(parse_squad(catalogue(), text, "test", "legacy", "first-edition"), LoadError);
  CHECK_THROWS_AS(parse_squad(catalogue(), text, "test", std::nullopt, "third-edition"), LoadError);
}

TEST_CASE("squad: 2.0 is not read as 2.5 without a note", "[squad]") {
  // One ship of 2.0 has more points than a squad of 2.5, and as many as one of XWA.
  const Squad legacy = read(R"({"faction": "rebelalliance", "version": "2.0.0", "points": 41, "pilots": [
    {"id": "bluesquadronescort", "ship": "t65xwing", "points": 41, "upgrades": {}}]})");
  CHECK(legacy.ruleset == "2.0");
  CHECK(legacy.cards == "legacy");
  CHECK(legacy.notes.empty());
  const Squad doubtful = read(R"({"faction": "rebelalliance", "version": "2.0.0", "points": 5, "pilots": [
    {"id": "wedgeantilles", "ship": "t65xwing", "points": 5, "upgrades": {}}]})");
  CHECK(doubtful.ruleset == "2.5");
  CHECK(notes(doubtful, "2.0"));
}

TEST_CASE("squad: today's squads are costed by their own points", "[squad]") {
  const Squad squad = read(R"({"faction": "rebelalliance", "ruleset": "XWA", "points": 50, "pilots": [
    {"id": "lukeskywalker", "ship": "t65xwing", "points": 14, "upgrades": {"torpedo": ["protontorpedoes"]}},
    {"id": "wedgeantilles", "ship": "t65xwing", "upgrades": {}}]})");
  CHECK(squad.ruleset == "XWA");
  CHECK(cost_of(squad.pilots.at(0)) == 14);
  const auto& sets = Catalogue::card_sets();
  if (std::find(sets.begin(), sets.end(), "xwa") != sets.end()) return;  // with the XWA data the rest is known
  CHECK_FALSE(squad.pilots[0].upgrades.at(0).cost);
  CHECK_FALSE(squad.pilots[0].loadout);
  CHECK_FALSE(cost_of(squad.pilots.at(1)));
  CHECK(notes(squad, "points of XWA"));
}

TEST_CASE("squad: ids followed by the ship, without a ship key", "[squad]") {
  // The form used in the XWS specification.
  const Squad squad = read(R"({"faction": "separatistalliance", "points": 76, "version": "2.0.0", "pilots": [
    {"id": "bombardmentdrone", "points": 44, "upgrades": {"modification": ["angleddeflectors"],
     "configuration": ["landingstruts"], "device": ["drk1probedroids"], "sensor": ["trajectorysimulator"]}},
    {"id": "dfs311-vultureclassdroidfighter", "points": 32, "upgrades": {"missile": ["clustermissiles"],
     "modification": ["angleddeflectors"], "configuration": ["grapplingstruts"]}}]})");
  CHECK(squad.unknown.empty());
  CHECK(squad.notes.empty());
  CHECK(squad.cards == "legacy");
  REQUIRE(squad.pilots.size() == 2);
  CHECK(squad.pilots[0].ship == "hyenaclassdroidbomber");
  CHECK(squad.pilots[1].id == "dfs311");
  CHECK(squad.pilots[1].ship == "vultureclassdroidfighter");
  CHECK(upgrades(squad.pilots[0]).size() + upgrades(squad.pilots[1]).size() == 7);
}

TEST_CASE("squad: a wrong ship for a pilot is a caveat", "[squad]") {
  const Squad squad = read(R"({"version": "2.5.0", "pilots": [
    {"id": "lukeskywalker", "ship": "tielnfighter", "points": 5, "upgrades": {}}]})");
  CHECK(squad.pilots.empty());
  const std::vector<std::string> caveats = caveats_of(squad);
  CHECK(caveats.size() == squad.notes.size() + 1);
  CHECK(caveats.back().find("does not fly it, but t65xwing") != std::string::npos);
}

TEST_CASE("squad: opposing squads have one edition and one card set", "[squad]") {
  const std::string folder = SALVO_SOURCE_DIR "/tests/data/squads/";
  const Squad mine = squad_of("standard-loadouts.json");
  CHECK_THROWS_AS(load_opposing_squad(catalogue(), folder + "first-edition.json", mine), LoadError);
  const Squad legacy = load_opposing_squad(catalogue(), folder + "empty-lists.json", mine);
  CHECK(legacy.cards == mine.cards);
  CHECK(notes(legacy, "of the card set legacy"));
  CHECK_FALSE(notes(load_opposing_squad(catalogue(), folder + "standard-loadouts.json", mine), "card set"));
}

TEST_CASE("squad: a SPEC is a squad of one ship", "[squad]") {
  const Squad squad = squad_from_spec(catalogue(), "pilot=wedgeantilles predator focus lock", "2025");
  REQUIRE(squad.pilots.size() == 1);
  CHECK(squad.pilots[0].id == "wedgeantilles");
  CHECK(upgrades(squad.pilots[0]) == Ids{"predator"});
  CHECK(squad.pilots[0].upgrades[0].cost == 3);
  const ScenarioShip ship = scenario_ship(squad.pilots[0]);
  CHECK(ship.upgrades == Ids{"predator"});
  CHECK(ship.tokens.empty());
  CHECK(ship.locks.empty());
  CHECK_THROWS_AS(squad_from_spec(catalogue(), "3 fokus"), LoadError);
}

TEST_CASE("squad: a SPEC may be of several ships", "[squad]") {
  using Catch::Contains;
  const auto ships = [](const std::string& spec) {
    Ids out;
    for (const SquadPilot& pilot : squad_from_spec(catalogue(), spec).pilots) out.push_back(pilot.id);
    return out;
  };
  CHECK(ships("Soontir Fel, Whisper") == Ids{"soontirfel", "whisper"});
  CHECK(ships("Guri | Jek Porkins focus and Thane Kyrell, Predator") == Ids{"guri", "jekporkins", "thanekyrell"});
  CHECK(ships("academypilot x3") == Ids(3, "academypilot"));
  CHECK(ships("2 x TIE/ln Fighters and Howlrunner").size() == 3);
  CHECK(ships("1 TIE/ln Fighter and Howlrunner") == Ids{"howlrunner"});
  const Squad crew = squad_from_spec(catalogue(), "Poe Dameron, Chewbacca");
  CHECK(crew.pilots.size() == 2);
  CHECK(notes(crew, "since poedameron cannot have the upgrade chewbacca; | between them says so"));
  CHECK(squad_from_spec(catalogue(), "Poe Dameron (Scavenged YT-1300), Chewbacca").pilots.size() == 1);
  CHECK(squad_from_spec(catalogue(), "guri | Academy Pilot x2").pilots[1].given == "Academy Pilot x2");
  CHECK_THROWS_WITH(ships("academypilot x20 | academypilot x21"), Contains("has 41 ships") && Contains("at most 40"));
  CHECK_THROWS_WITH(ships("academypilot x99 | academypilot x99"), Contains("at least 99 ships"));
  CHECK_THROWS_WITH(ships("guri | | jekporkins"), Contains("a | without a ship"));
}

TEST_CASE("squad: anything but a squad is an error", "[squad]") {
  for (const char* text : {"", "[]", "{}", "{\"pilots\": 3}", "{\"pilots\": []}", "{\"pilots\": {}}", "nonsense"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_squad(catalogue(), text, "test"), LoadError);
  }
}

TEST_CASE("squad: unusual values that builders write", "[squad]") {
  const auto read = [](const std::string& upgrades) {
    return parse_squad(catalogue(),
                       R"({"pilots": [{"id": "wedgeantilles", "ship": "t65xwing", "upgrades": )" + upgrades + "}]}",
                       "test");
  };
  for (const char* none : {"[]", "{}", "null", "{\"talent\": []}", "{\"talent\": [null]}"}) {
    INFO(none);
    CHECK(read(none).pilots.at(0).upgrades.empty());
    CHECK(read(none).unknown.empty());
  }
  for (const char* one : {R"(["predator"])", R"({"talent": "predator"})", R"({"ept": [{"id": "predator"}]})"}) {
    INFO(one);
    CHECK(read(one).pilots.at(0).upgrades.at(0).id == "predator");
  }
}

TEST_CASE("squad: the same upgrade twice on a ship", "[squad]") {
  const auto read = [](const std::string& pilot, const std::string& upgrade) {
    return parse_squad(catalogue(),
                       "{\"pilots\": [{\"id\": \"" + pilot + "\", \"upgrades\": {\"talent\": [\"" + upgrade + "\", \"" +
                           upgrade + "\"]}}]}",
                       "squad");
  };
  const Squad second = read("wedgeantilles", "crackshot");
  CHECK(upgrades(second.pilots.at(0)) == Ids{"crackshot"});
  CHECK(std::any_of(second.notes.begin(), second.notes.end(),
                    [](const std::string& note) { return note.find("listed twice") != std::string::npos; }));
}

TEST_CASE("squad: costs of the data", "[squad]") {
  const auto cost = catalogue().upgrade_cost("r2d2", "legacy");
  REQUIRE(cost);
  CHECK(cost->by == "agility");
  CHECK(cost->table.at("2") == 7);
  CHECK(catalogue().upgrade_cost("predator", "2025")->fixed == 3);
  CHECK_FALSE(catalogue().upgrade_cost("nosuchcard", "2025"));
  CHECK(catalogue().aliases("ship", "upsilonclassshuttle") == Ids{"upsilonclasscommandshuttle"});
  CHECK(catalogue().aliases("ship", "t65xwing").empty());
}

TEST_CASE("squad: every alias is known to some card set", "[squad]") {
  const auto known = [](const std::string& kind, const std::string& id) {
    for (const char* set : {"2025", "xwa", "legacy"}) {
      if (kind == "ship" && catalogue().ship(id, set) != nullptr) return true;
      if (kind == "pilot" && !catalogue().ships_of_pilot(id, set).empty()) return true;
      if (kind == "upgrade" && catalogue().upgrade_exists(id, set)) return true;
    }
    return false;
  };
  for (const char* kind : {"ship", "pilot", "upgrade"}) {
    const Ids ids = kind == std::string("ship")    ? catalogue().ship_ids("legacy")
                    : kind == std::string("pilot") ? catalogue().pilot_ids("legacy")
                                                   : catalogue().upgrade_ids("legacy");
    for (const std::string& id : ids) {
      for (const std::string& other : catalogue().aliases(kind, id)) {
        INFO(kind << " " << id << " " << other);
        CHECK(known(kind, other));
      }
    }
  }
}

TEST_CASE("references: the supplied file, and wrong ones", "[squad]") {
  const ReferenceShips references = load_references(catalogue(), "", "second-edition");
  CHECK(references.defenders.size() >= 5);
  CHECK(references.attackers.size() >= 4);
  const auto lock = std::count_if(references.attackers.begin(), references.attackers.end(),
                                  [](const ReferenceShip& ship) { return ship.lock; });
  CHECK(lock >= 1);
  CHECK_THROWS_AS(load_references(catalogue(), SALVO_SOURCE_DIR "/profiles/scenarios/joust.toml", "second-edition"),
                  LoadError);
}

TEST_CASE("squad: XWS inside other objects", "[squad]") {
  const std::string xws =
      R"({"name": "two", "pilots": [{"id": "guri", "ship": "starviper"}, {"id": "jekporkins", "ship": "t65xwing"}]})";
  const auto read = [](const std::string& text) { return parse_squad(catalogue(), text, "file"); };
  for (const std::string& text :
       {R"({"squad": )" + xws + "}", R"({"data": {"id": 3, "xws": )" + xws + "}}", "[" + xws + "]",
        R"({"lists": [)" + xws + "]}", "```json\n" + xws + "\n```",
        std::string(R"({"xws": "{\"name\": \"two\", \"pilots\": [{\"id\": \"guri\"}, {\"id\": \"jekporkins\"}]}"})")}) {
    INFO(text);
    const Squad squad = read(text);
    CHECK(squad.name == "two");
    CHECK(squad.unknown.empty());
    REQUIRE(squad.pilots.size() == 2);
    CHECK(squad.pilots[0].id == "guri");
  }
  CHECK(read(R"({"squad": )" + xws + "}").pilots[1].path == "squad.pilots[1]");
  CHECK_THROWS_WITH(read("[" + xws + "," + xws + "]"), Catch::Contains("holds 2 squads ([0], [1]); give one of them"));
  CHECK_THROWS_WITH(read(R"({"mine": )" + xws + R"(, "theirs": )" + xws + "}"), Catch::Contains("(mine, theirs)"));
  CHECK_THROWS_WITH(read(R"({"squad": {"name": "x"}})"), Catch::Contains("\"pilots\" is missing"));
  CHECK_THROWS_WITH(read(R"([1, 2])"), Catch::Contains("a squad"));
  CHECK_THROWS_WITH(read("```json\n{\"pilots\": [,]}\n```"), Catch::Contains("file:2"));
  // As web pages, word processors and chats pass it on.
  for (const std::string& text : {std::string("{&quot;pilots&quot;: [{&quot;id&quot;: &quot;kavil&quot;}]}"),
                                  std::string("{&#34;pilots&#34;: [{&#34;id&#34;: &#34;kavil&#34;}]}"),
                                  std::string("{\u201cpilots\u201d: [{\u201eid\u201c: \u201ekavil\u201c}]}"),
                                  std::string("{\u201cpilots\u201d: [{\"id\": \u201ckavil\u201d}]}"),
                                  std::string("{\u201cpilots\u201d: [{\u201cid\u201d: \u201ckavil\u201d,},],}"),
                                  std::string("Mine: {&quot;pilots&quot;: [{&quot;id&quot;: &quot;kavil&quot;}]}"),
                                  std::string("Mine: {\u201cpilots\u201d: [{\"id\": \"kavil\"}]} good luck"),
                                  std::string("[b]Mine:[/b] {\"pilots\": [{\"id\": \"kavil\"}]} good luck"),
                                  std::string("// mine\n{\"pilots\": [{\"id\": \"kavil\"}]}\n")}) {
    INFO(text);
    REQUIRE(read(text).pilots.size() == 1);
    CHECK(read(text).pilots[0].id == "kavil");
  }
  CHECK_THROWS_WITH(read("mine:\n{\"pilots\": [,]}"), Catch::Contains("file:2"));
  CHECK_THROWS_WITH(read("mine:\n{&quot;pilots&quot;:\n[,]}"), Catch::Contains("file:3"));
  // A name keeps its marks, and the error is that of the export as given.
  CHECK(read("{\"name\": \"\u201cx\u201d\", \"pilots\": [{\"id\": \"kavil\"}]}").name == "\u201cx\u201d");
  CHECK_THROWS_WITH(read("{\"name\": \"\u201cx\u201d\",\n\"pilots\": [,]}"), Catch::Contains("file:2"));
  // Two exports, with words or nothing between them.
  for (const std::string& text : {"A: " + xws + " B: " + xws, xws + "\n" + xws, xws + " against\n" + xws})
    CHECK_THROWS_WITH(read(text), Catch::Contains("holds 2 squads; give one of them at a time"));
}

TEST_CASE("squad: equal ships that the file writes once", "[squad]") {
  for (const char* const key : {"multiplier", "count"}) {
    const std::string text =
        std::string(R"({"pilots": [{"id": "academypilot", "ship": "tielnfighter", ")") + key + R"(": )";
    CHECK(parse_squad(catalogue(), text + "3}]}", "file").pilots.size() == 3);
    CHECK_THROWS_WITH(parse_squad(catalogue(), text + "900}]}", "file"), Catch::Contains("at most 40"));
  }
}

TEST_CASE("squad: a squad in a list stands alone", "[squad]") {
  const std::string squad = R"({"pilots": [{"id": "lukeskywalker"}]})";
  CHECK(parse_squad(catalogue(), "[" + squad + "]", "test").pilots.size() == 1);
  CHECK_THROWS_WITH(parse_squad(catalogue(), "[" + squad + R"(, "Luke Skywalker"])", "test"),
                    Catch::Contains("holds a squad and 1 more; give the squad alone"));
}

TEST_CASE("squad: numbers of equal ships", "[squad]") {
  const auto with = [](const std::string& numbers) {
    return parse_squad(catalogue(), R"({"pilots": [{"id": "academypilt", "ship": "tielnfighter")" + numbers + "}]}",
                       "test", "xwa");
  };
  CHECK_THROWS_WITH(with(R"(, "multiplier": 1000)"), Catch::Contains("has 1000 ships"));
  CHECK_THROWS_WITH(with(R"(, "multiplier": 0)"), Catch::Contains("is 0, and a number of ships at least 1"));
  const Squad three = with(R"(, "multiplier": null, "count": 3)");
  CHECK(three.pilots.size() + three.unknown.size() == 3);
  for (const std::string& note : three.notes) CHECK(std::count(three.notes.begin(), three.notes.end(), note) == 1);
}

TEST_CASE("squad: suggestions for an unknown id are of its kind, and few", "[squad]") {
  const Squad squad = parse_squad(
      catalogue(), R"({"pilots": [{"id": "lukeskywalker", "upgrades": {"talent": ["tiefightr", "squadran"]}}]})",
      "test", "xwa");
  REQUIRE(squad.unknown.size() == 2);
  CHECK(squad.unknown[0].reason.find("TIE/ln") == std::string::npos);
  const std::string& reason = squad.unknown[1].reason;
  CHECK(std::count(reason.begin(), reason.end(), ',') <= 4);
}

TEST_CASE("squad: keys in capitals, and others that programs write", "[squad]") {
  for (
      const char* const text :
      {R"({"Faction": "resistance", "Pilots": [{"Id": "niennunb", "Ship": "t70xwing", "Upgrades": {"Talent": ["heroic"]}}]})",
       R"({"PILOTS": [{"NAME": "Nien Nunb", "SHIP": "t70xwing", "UPGRADES": ["heroic"]}]})",
       R"([{"ID": "niennunb", "SHIP": "t70xwing", "upgrades": "heroic"}])",
       R"({"Squad": {"XWS": {"Pilots": [{"Id": "niennunb", "Ship": "t70xwing", "Upgrades": ["heroic"]}]}}})",
       R"({"pilots": [{"xws": "niennunb", "ship": "t70xwing", "upgrades": ["heroic"]}]})",
       R"({"ships": [{"pilot": "niennunb", "ship": "t70xwing", "upgrades": ["heroic"]}]})",
       R"({"pilots": {"0": {"id": "niennunb", "ship": "t70xwing", "upgrades": ["heroic"]}}})",
       R"({"pilots": [{"pilot": {"xws": "niennunb"}, "ship": {"xws": "t70xwing"}, "upgrades": ["heroic"]}]})",
       "Here: {\"Pilots\": [{\"Id\": \"niennunb\", \"Ship\": \"t70xwing\", \"Upgrades\": [\"heroic\"]}]} Bye",
       "Pilots:\n  - Id: niennunb\n    Ship: t70xwing\n    Upgrades: [heroic]\n",
       "[[Pilots]]\nId = \"niennunb\"\nShip = \"t70xwing\"\nUpgrades = [\"heroic\"]\n"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "test", "xwa");
    CHECK(squad.unknown.empty());
    REQUIRE(squad.pilots.size() == 1);
    CHECK(squad.pilots[0].id == "niennunb");
    CHECK(squad.pilots[0].ship == "t70xwing");
    REQUIRE(squad.pilots[0].upgrades.size() == 1);
    CHECK(squad.pilots[0].upgrades[0].id == "heroic");
  }
  const Squad names = parse_squad(catalogue(), R"({"pilots": ["kavil", "Guri"]})", "test", "xwa");
  REQUIRE(names.pilots.size() == 2);
  CHECK(names.pilots[1].id == "guri");
  // A key in both spellings is left as it is.
  CHECK(parse_squad(catalogue(), R"({"pilots": [{"id": "kavil", "Id": "guri"}]})", "test", "xwa").pilots.at(0).id ==
        "kavil");
}

TEST_CASE("squad: keys in several spellings leave the others in use", "[squad]") {
  for (const char* const text :
       {R"({"name": "A", "Name": "B", "Pilots": [{"Id": "guri", "ship": "starviperclassattackplatform"}]})",
        R"({"Pilots": [{"Id": "guri", "Ship": {"size": "small"}}]})",
        R"({"Pilots": [{"id": "guri"}], "PILOTS": [{"id": "kavil"}]})",
        R"({"pilots": [{"ID": "guri"}], "vendor": {"x": {"Link": "a", "LINK": "b", "link": "c"}}})"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "test", "xwa");
    REQUIRE(squad.pilots.size() == 1);
    CHECK(squad.pilots[0].id == "guri");
    CHECK(squad.pilots[0].ship == "starviperclassattackplatform");
  }
}

TEST_CASE("squad: a list of ships beside a squad is none", "[squad]") {
  for (const char* const text :
       {R"({"xws": {"pilots": [{"ship": "t70xwing", "id": "niennunb"}]}, "ships": [{"name": "T-70", "count": 1}]})",
        R"({"ships": [{"name": "T-70"}], "xws": {"Pilots": [{"ship": "t70xwing", "id": "niennunb"}]}})",
        R"({"ships": [{"name": "T-70"}], "xws": "{\"pilots\": [{\"ship\": \"t70xwing\", \"id\": \"niennunb\"}]}"})"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "test", "xwa");
    REQUIRE(squad.pilots.size() == 1);
    CHECK(squad.pilots[0].id == "niennunb");
    CHECK(squad.unknown.empty());
  }
}

TEST_CASE("squad: pilots alone with other keys for their ids", "[squad]") {
  for (const char* const text :
       {R"([{"xws": "guri", "ship": "starviper"}])", R"({"pilot": "guri", "ship": "starviper"})",
        R"([{"XWS": "guri", "Ship": {"xws": "starviperclassattackplatform"}}])"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "test", "xwa");
    REQUIRE(squad.pilots.size() == 1);
    CHECK(squad.pilots[0].id == "guri");
    CHECK(squad.unknown.empty());
  }
}

TEST_CASE("squad: faction, points and slots decide the ship that the file does not name", "[squad]") {
  const auto ship = [](const std::string& faction, const std::string& pilot) {
    const Squad squad = read(R"({"faction": ")" + faction + R"(", "version": "0.3.0", "pilots": [)" + pilot + "]}");
    CHECK(squad.cards == "first-edition");
    CHECK(squad.unknown.empty());
    return squad.pilots.at(0).ship;
  };
  CHECK(ship("scum", R"({"name": "sabinewren"})") == "lancerclasspursuitcraft");
  CHECK(ship("imperial", R"({"name": "maarekstele", "points": 35})") == "tiedefender");
  CHECK(ship("imperial", R"({"name": "maarekstele", "points": 30, "upgrades": {"ept": ["pushthelimit"]}})") ==
        "tieadvanced");
  CHECK(ship("rebel", R"({"name": "ezrabridger", "points": 17})") == "sheathipedeclassshuttle");
  CHECK(ship("rebel", R"({"name": "herasyndulla", "upgrades": {"torpedo": ["protontorpedoes"]}})") == "vcx100");
}
