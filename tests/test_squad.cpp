// Squads as builders export them: what is read, what is listed as unknown, which card set they are of.
#include <algorithm>
#include <catch2/catch.hpp>

#include "load/catalogue.h"
#include "salvo/references.h"
#include "salvo/squad.h"

using namespace salvo;

namespace {

const Catalogue& catalogue() {
  static const Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  return profiles;
}

Squad load(const std::string& name) {
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
  const Squad squad = load("empty-lists.json");
  CHECK(squad.ruleset == "2.0");
  CHECK(squad.cards == "legacy");
  CHECK(squad.unknown.empty());
  REQUIRE(squad.pilots.size() == 2);
  CHECK(upgrades(squad.pilots[0]) == Ids{"extrememaneuvers", "iontorpedoes"});
  CHECK(squad.pilots[1].ship == "upsilonclasscommandshuttle");
  CHECK(squad.pilots[1].given_ship == "upsilonclassshuttle");
  CHECK(squad.pilots[1].upgrades.empty());
  CHECK(squad.notes.size() == 1);
  // 2.0 points: the pilot and its upgrades, of which some cost by initiative.
  CHECK(total_cost(squad.pilots[0]) > squad.pilots[0].cost);
}

TEST_CASE("squad: standard loadouts come from the data, pilots by name, ids with hyphens", "[squad]") {
  const Squad squad = load("standard-loadouts.json");
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

TEST_CASE("squad: unknown ids are listed by path and the rest is kept", "[squad]") {
  const Squad squad = load("partly-unknown.json");
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
  CHECK(paths == Ids{"pilots[0].upgrades.talent[0]", "pilots[1].id", "pilots[3]"});
  CHECK(squad.unknown[0].reason.find("predator") != std::string::npos);
}

TEST_CASE("squad: the first edition is told by its ids", "[squad]") {
  const Squad squad = load("first-edition.json");
  CHECK(squad.ruleset == "first-edition");
  CHECK(squad.rules == "first-edition");
  CHECK(squad.cards == "first-edition");
  REQUIRE(squad.pilots.size() == 2);
  CHECK(squad.unknown.empty());
  CHECK(squad.pilots[0].upgrades.at(0).id == "protontorpedoes");
}

TEST_CASE("squad: what is no squad at all is an error", "[squad]") {
  for (const char* text : {"", "[]", "{}", "{\"pilots\": 3}", "{\"pilots\": []}", "{\"pilots\": {}}", "nonsense"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_squad(catalogue(), text, "test"), LoadError);
  }
}

TEST_CASE("squad: odd values where builders differ", "[squad]") {
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

TEST_CASE("references: the file that comes along, and wrong ones", "[squad]") {
  const References references = load_references(catalogue(), "", "second-edition");
  CHECK(references.defenders.size() >= 5);
  CHECK(references.attackers.size() >= 4);
  const auto lock = std::count_if(references.attackers.begin(), references.attackers.end(),
                                  [](const ReferenceShip& ship) { return ship.lock; });
  CHECK(lock >= 1);
  CHECK_THROWS_AS(load_references(catalogue(), SALVO_SOURCE_DIR "/profiles/scenarios/joust.toml", "second-edition"),
                  LoadError);
}
