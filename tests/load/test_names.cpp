// Names: the meaning of a text in a card set, and that every name of a card leads to its id.
#include <catch2/catch.hpp>

#include "load/name_index.h"
#include "load/scenario_names.h"
#include "salvo/names.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;

std::string id_of(const char* kind, const char* words, const char* set = "2025", const char* ship = "") {
  return find_name(catalogue(), kind, words, set, ship).found.id;
}

}  // namespace

TEST_CASE("names: case, accents, blanks, hyphens and quotes do not matter", "[names]") {
  CHECK(base::name_key("Fire-Control System") == "firecontrolsystem");
  CHECK(base::name_key("\u201COdd Ball\u201D") == "oddball");
  CHECK(base::name_key("R\u00E9y") == "rey");
  CHECK(base::name_words("T-65 X-wing") == " t 65 x wing");
  CHECK(base::name_key("\xFF\xC3") == "");
}

TEST_CASE("names: by card set and by ship", "[names]") {
  CHECK(id_of("ship", "TIE interceptor") == "tieininterceptor");
  CHECK(id_of("ship", "TIE interceptor", "first-edition") == "tieinterceptor");
  CHECK(id_of("ship", "TIE/ba Interceptor") == "tiebainterceptor");
  CHECK(id_of("pilot", "Han Solo", "2025", "customizedyt1300lightfreighter") == "hansolo");
  CHECK(id_of("pilot", "Han Solo", "2025", "modifiedyt1300lightfreighter") == "hansolo-modifiedyt1300lightfreighter");
  CHECK(find_name(catalogue(), "pilot", "Wedge Antilles", "2025").kind == NameMatchKind::Exact);
  CHECK(find_name(catalogue(), "pilot", "wedge", "2025").kind == NameMatchKind::Likely);
  CHECK(find_name(catalogue(), "pilot", "", "2025").kind == NameMatchKind::Unknown);
  CHECK(find_name(catalogue(), "pilot", "wedge", "no-such-set").kind == NameMatchKind::Unknown);
}

TEST_CASE("names: every id and, unless several share it, every name means its own card", "[names]") {
  for (const std::string set : {"2025", "legacy", "first-edition"}) {
    for (const std::string kind : {"ship", "pilot", "upgrade"}) {
      const std::vector<Named> all = search_names(catalogue(), kind, "", set);
      CHECK(all.size() > 20);
      for (const Named& own : all) {
        CAPTURE(set, kind, own.id, own.name);
        const NameMatch by_id = find_name(catalogue(), kind, own.id, set);
        CHECK(by_id.kind == NameMatchKind::Exact);
        CHECK(by_id.found == own);
        const NameMatch by_name = find_name(catalogue(), kind, own.name, set);
        CHECK(by_name.whole);
        if (by_name.kind != NameMatchKind::Ambiguous) {
          CHECK(base::name_key(by_name.found.name) == base::name_key(own.name));
        } else {
          CHECK(by_name.candidates.size() > 1);
        }
      }
    }
  }
}

TEST_CASE("names: the ids of a scenario may be followed by the ship or the slot", "[names]") {
  struct Case {
    std::string rules, pilot, ship, meant;
  };
  for (const Case& one :
       {Case{"first-edition", "dalanoberos-m12lkimogilafighter", "m12lkimogilafighter", "dalanoberos"},
        Case{"first-edition", "dalanoberos-m12lkimogilafighter", "", "dalanoberos"},
        Case{"second-edition", "lukeskywalker-t65xwing", "", "lukeskywalker"}}) {
    CAPTURE(one.pilot, one.ship);
    Scenario scenario;
    scenario.rules = one.rules;
    ScenarioShip& ship = scenario.ships["luke"];
    ship.pilot = one.pilot;
    if (!one.ship.empty()) ship.ship = one.ship;
    ship.upgrades = {"predator-talent"};
    load::names_to_ids(catalogue(), scenario);
    CHECK(ship.pilot == one.meant);
    CHECK(ship.upgrades == std::vector<std::string>{"predator"});
    CHECK(scenario.notes.size() == 2);
  }
}

TEST_CASE("names: suggestions compare names", "[names]") {
  const NameMatch match = find_name(catalogue(), "ship", "tieintercepter", "2025");
  CHECK(match.kind == NameMatchKind::Unknown);
  REQUIRE(match.candidates.size() == 1);
  CHECK(match.candidates[0].id == "tieininterceptor");
  CHECK(describe(match, "ship", "tieintercepter", "2025") ==
        "unknown ship 'tieintercepter'; did you mean 'tieininterceptor' (TIE/in Interceptor)?");
}
