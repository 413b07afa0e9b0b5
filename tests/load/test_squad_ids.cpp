// Ids in squads: the one card that id, ship, faction and slot leave, whatever a builder adds to its id or drops.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/squad.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;

using Ids = std::vector<std::string>;

Squad squad_in(const std::string& cards, const std::string& faction, const std::string& pilots) {
  return parse_squad(catalogue(), fmt::format(R"({{"faction": "{}", "pilots": [{}]}})", faction, pilots), "test.json",
                     cards);
}

/// The pilot and ship that a single pilot is read as: "wedgeantilles t65xwing"; empty: none.
std::string pilot_in(const std::string& cards, const std::string& faction, const std::string& id,
                     const std::string& ship) {
  const Squad squad = squad_in(cards, faction, fmt::format(R"({{"id": "{}", "ship": "{}"}})", id, ship));
  return squad.pilots.empty() ? "" : squad.pilots[0].id + " " + squad.pilots[0].ship;
}

/// What an upgrade is read as on a ship.
std::string upgrade_in(const std::string& cards, const std::string& pilot, const std::string& slot,
                       const std::string& id) {
  const Squad squad =
      squad_in(cards, "", fmt::format(R"({{"id": "{}", "upgrades": {{"{}": ["{}"]}}}})", pilot, slot, id));
  REQUIRE(squad.pilots.size() == 1);
  return squad.pilots[0].upgrades.empty() ? "" : squad.pilots[0].upgrades[0].id;
}

bool has_note(const Squad& squad, const std::string& words) {
  return std::any_of(squad.notes.begin(), squad.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

std::string without_end(const std::string& id, const std::string& end) {
  return id.ends_with(end) ? id.substr(0, id.size() - end.size()) : id;
}

}  // namespace

TEST_CASE("squad ids: every pilot of every card set is that of the ship named beside it", "[squad]") {
  for (const std::string& cards : Catalogue::card_sets()) {
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> pilots;  // by faction: id, ship
    for (const std::string& id : catalogue().pilot_ids(cards)) {
      for (const std::string& ship : catalogue().ships_of_pilot(id, cards)) {
        for (const load::PilotSpec& pilot : catalogue().ship(ship, cards)->pilots) {
          if (pilot.id == id) pilots[pilot.faction].emplace_back(id, ship);
        }
      }
    }
    CHECK(pilots.size() >= 5);
    for (const auto& [faction, all] : pilots) {
      constexpr std::size_t kSquad = 40;
      for (std::size_t begin = 0; begin < all.size(); begin += kSquad) {
        const std::size_t end = std::min(all.size(), begin + kSquad);
        std::string text;
        for (std::size_t i = begin; i < end; ++i) {
          const auto& [id, ship] = all[i];
          text += fmt::format(R"({}{{"id": "{}", "ship": "{}"}})", i == begin ? "" : ", ", without_end(id, "-" + ship),
                              ship);
        }
        const Squad squad = squad_in(cards, faction, text);
        REQUIRE(squad.pilots.size() == end - begin);
        for (std::size_t i = begin; i < end; ++i) {
          INFO(cards << " " << faction << " " << all[i].first << " " << all[i].second);
          CHECK(squad.pilots[i - begin].id == all[i].first);
          CHECK(squad.pilots[i - begin].ship == all[i].second);
        }
      }
    }
  }
}

TEST_CASE("squad ids: ship and faction choose among pilots of one name", "[squad]") {
  CHECK(pilot_in("legacy", "rebelalliance", "garvendreis", "t65xwing") == "garvendreis-t65xwing t65xwing");
  CHECK(pilot_in("legacy", "galacticrepublic", "oddball", "btlbywing") == "oddball-btlbywing btlbywing");
  CHECK(pilot_in("legacy", "resistance", "hansolo", "") == "hansolo-scavengedyt1300 scavengedyt1300");
  CHECK(pilot_in("legacy", "rebels", "hansolo", "") ==
        "hansolo-modifiedyt1300lightfreighter modifiedyt1300lightfreighter");
  CHECK(pilot_in("legacy", "separatistalliance", "durge", "rogueclassstarfighter") ==
        "durge-separatistalliance rogueclassstarfighter");
  CHECK(pilot_in("legacy", "rebelalliance", "wedgeantilles", "awing") == "wedgeantilles-rz1awing rz1awing");
  CHECK(pilot_in("first-edition", "rebel", "sabinewren-swx38", "attackshuttle") == "sabinewren attackshuttle");
  // An id in full is taken at its word, whatever the faction of the squad.
  CHECK(pilot_in("legacy", "scumandvillainy", "durge-separatistalliance", "rogueclassstarfighter") ==
        "durge-separatistalliance rogueclassstarfighter");
  const Squad noted = squad_in("legacy", "galacticrepublic", R"({"id": "oddball", "ship": "nimbusclassvwing"})");
  CHECK(has_note(noted, "\"oddball\" is read as oddball-nimbusclassvwing, who flies the nimbusclassvwing"));
}

TEST_CASE("squad ids: a ship that the pilot does not fly is refused by name", "[squad]") {
  for (const char* ship : {"tieddefender", "tiefighter"}) {  // one of the card set, one of another
    const Squad squad =
        squad_in("legacy", "rebelalliance", fmt::format(R"({{"id": "jekporkins", "ship": "{}"}})", ship));
    CHECK(squad.pilots.empty());
    REQUIRE(squad.unknown.size() == 1);
    CHECK(squad.unknown[0].path == "pilots[0].ship");
    CHECK(squad.unknown[0].kind == "ship");
    CHECK(squad.unknown[0].id == ship);
    CHECK(squad.unknown[0].reason.find("t65xwing") != std::string::npos);
  }
  // A text that is no ship, and the ship's name in another edition.
  CHECK(pilot_in("legacy", "rebelalliance", "jekporkins", "nosuchship") == "jekporkins t65xwing");
  CHECK(pilot_in("legacy", "scumandvillainy", "kathscarlet", "firespray31") == "kathscarlet firesprayclasspatrolcraft");
  // The first edition has the ship, but not the pilot.
  CHECK(pilot_in("legacy", "separatistalliance", "zamwesell", "firespray31") == "zamwesell firesprayclasspatrolcraft");
  CHECK(pilot_in("legacy", "galacticempire", "grandinquisitor", "tieadvprototype") == "grandinquisitor tieadvancedv1");
}

TEST_CASE("squad ids: spellings of builders and older data", "[squad]") {
  // Accented letters dropped.
  CHECK(pilot_in("legacy", "galacticrepublic", "padmamidala", "nabooroyaln1starfighter") ==
        "padmeamidala nabooroyaln1starfighter");
  CHECK(pilot_in("legacy", "resistance", "karkun", "t70xwing") == "karekun t70xwing");
  CHECK(pilot_in("legacy", "scumandvillainy", "T\u00e1pusk", "hwk290lightfreighter") == "tapusk hwk290lightfreighter");
  // Glued to a ship.
  CHECK(pilot_in("legacy", "rebelalliance", "garvendreisxwing", "t65xwing") == "garvendreis-t65xwing t65xwing");
  CHECK(pilot_in("legacy", "rebelalliance", "sharabeyawing", "") == "sharabey-rz1awing rz1awing");
  // Letters and digits that look alike, doubled letters, abbreviations.
  CHECK(pilot_in("legacy", "scumandvillainy", "g4rg0rvm", "m3ainterceptor") == "g4rgorvm m3ainterceptor");
  CHECK(pilot_in("legacy", "rebelalliance", "thanekyrel", "t65xwing") == "thanekyrell t65xwing");
  CHECK(pilot_in("legacy", "rebelalliance", "redsqveteran", "t65xwing") == "redsquadronveteran t65xwing");
  CHECK(upgrade_in("first-edition", "corranhorn", "system", "advancedtargetingcomputer") == "advtargetingcomputer");
  CHECK(upgrade_in("legacy", "jekporkins", "torpedo", "advancedprotontorpedoes") == "advprotontorpedoes");
  // Other misspellings are not guessed.
  CHECK(upgrade_in("legacy", "jekporkins", "talent", "predatr").empty());
}

TEST_CASE("squad ids: slot and faction choose among upgrades of one name", "[squad]") {
  CHECK(upgrade_in("legacy", "herasyndulla-vcx100lightfreighter", "crew", "chopper") == "chopper-crew");
  CHECK(upgrade_in("legacy", "obiwankenobi", "crew", "c3po") == "c3po-republic");
  CHECK(upgrade_in("legacy", "jekporkins", "astromech", "r2d2-republic") == "r2d2");
  CHECK(upgrade_in("legacy", "jekporkins", "astromech", "r2d2") == "r2d2");
  CHECK(upgrade_in("legacy", "temminwexley", "astromech", "r2d2") == "r2d2-resistance");
  CHECK(upgrade_in("first-edition", "garvendreis", "crew", "r2d2") == "r2d2-swx22");
  CHECK(upgrade_in("legacy", "lattsrazzi", "crew", "zuckuss-crew") == "zuckuss");
  CHECK(upgrade_in("legacy", "lattsrazzi", "talent", "zuckuss-talent").empty());
  // Told where the faction cannot have it.
  const Squad told = squad_in("legacy", "galacticempire", R"({"id": "captainkagi", "upgrades": {"crew": ["c3po"]}})");
  CHECK(told.pilots.at(0).upgrades.at(0).id == "c3po");
  CHECK(has_note(told, "c3po is counted, though captainkagi does not meet its restriction faction=rebelalliance"));
  const Squad other =
      squad_in("legacy", "galacticrepublic", R"({"id": "obiwankenobi", "upgrades": {"crew": ["c3po"]}})");
  CHECK(has_note(other, "\"c3po\" is read as c3po-republic, since obiwankenobi does not meet"));
}

TEST_CASE("squad ids: hardpoints and a builder's host tell the edition", "[squad]") {
  // The first builder of the second edition wrote links of version 4, ids under name and version 0.3.0.
  const auto read = [](const std::string& upgrades, const std::string& host) {
    return parse_squad(catalogue(),
                       fmt::format(R"({{"faction": "scum", "version": "0.3.0", "pilots": [
                         {{"name": "quinnjast", "ship": "m3ainterceptor", "upgrades": {{{}}}}}],
                         "vendor": {{"yasb": {{"link": "https://{}/?f=Scum&d=v4!s!1:-1"}}}}}})",
                                   upgrades, host),
                       "test.json");
  };
  const Squad slot = read(R"("hardpoint": ["hardpointmissile"])", "a.example");
  CHECK(slot.rules == "second-edition");
  CHECK(slot.unknown.empty());
  CHECK(has_note(slot, "hardpointmissile"));
  const Squad host = read("", "raithos.github.io");
  CHECK(host.rules == "second-edition");
  CHECK(has_note(host, "its builder (raithos)"));
  CHECK(read("", "geordanr.github.io/xwing").rules == "first-edition");
  CHECK(read("", "a.example").rules == "first-edition");
}

TEST_CASE("squad ids: a squad larger than any game is refused at once", "[squad]") {
  const auto of = [](std::size_t ships, std::size_t cards) {
    std::string text;
    for (std::size_t i = 0; i < ships; ++i) {
      std::string list;
      for (std::size_t j = 0; j < cards; ++j) list += j == 0 ? R"("crackshot")" : R"(, "crackshot")";
      text += fmt::format(R"({}{{"id": "academypilot", "ship": "tielnfighter", "upgrades": {{"talent": [{}]}}}})",
                          i == 0 ? "" : ", ", list);
    }
    return squad_in("legacy", "galacticempire", text);
  };
  CHECK(of(40, 1).pilots.size() == 40);
  CHECK(of(1, 30).pilots.at(0).upgrades.size() == 1);  // all are the same card
  CHECK_THROWS_WITH(of(41, 1), Catch::Matchers::Contains("pilots") && Catch::Matchers::Contains("at most 40"));
  CHECK_THROWS_WITH(of(1, 31),
                    Catch::Matchers::Contains("pilots[0].upgrades") && Catch::Matchers::Contains("at most 30"));
}

TEST_CASE("squad ids: pilot= and ship= of a SPEC", "[squad]") {
  const Squad squad = squad_from_spec(catalogue(), "pilot=garvendreis ship=t65xwing", "legacy");
  CHECK(squad.pilots.at(0).id == "garvendreis-t65xwing");
  CHECK(has_note(squad, "garvendreis-t65xwing"));
  for (const char* spec : {"garvendreis ship=t65xwing", "ship=t65xwing Garven Dreis"}) {
    INFO(spec);
    CHECK(squad_from_spec(catalogue(), spec, "legacy").pilots.at(0).id == "garvendreis-t65xwing");
  }
}

TEST_CASE("squad ids: the ship named counts more than the one in the id", "[squad]") {
  CHECK(pilot_in("xwa", "rebelalliance", "sabinewren-attackshuttle", "tielnfighter") ==
        "sabinewren-tielnfighter tielnfighter");
  CHECK(pilot_in("legacy", "rebelalliance", "ezrabridger-sheathipedeclassshuttle", "attackshuttle") ==
        "ezrabridger attackshuttle");
  CHECK(pilot_in("xwa", "rebelalliance", "tennumb-asf01bwing", "t65xwing").empty());
}

TEST_CASE("squad ids: upgrades in one text", "[squad]") {
  for (const char* const list :
       {"ioncannonturret, protontorpedoes", "ioncannonturret+protontorpedoes", "Ion Cannon Turret; Proton Torpedoes"}) {
    const Squad squad =
        squad_in("xwa", "rebelalliance", fmt::format(R"({{"id": "dutchvander", "upgrades": "{}"}})", list));
    REQUIRE(squad.pilots.size() == 1);
    REQUIRE(squad.pilots[0].upgrades.size() == 2);
    CHECK(squad.pilots[0].upgrades[0].id == "ioncannonturret");
    CHECK(squad.pilots[0].upgrades[1].id == "protontorpedoes");
  }
}

TEST_CASE("squad ids: a pilot of another faction than the squad gets a note", "[squad]") {
  CHECK(has_note(squad_in("xwa", "Galactic Empire", R"({"id": "kavil"})"),
                 "the faction of Kavil is Scum and Villainy, and that of the squad Galactic Empire"));
  CHECK_FALSE(
      has_note(squad_in("xwa", "Scum & Villainy", R"({"id": "kavil", "ship": "btla4ywing"})"), "the faction of"));
  // Both belong together in the first edition.
  CHECK_FALSE(has_note(squad_in("first-edition", "imperial", R"({"id": "omegaleader", "ship": "tiefofighter"})"),
                       "the faction of"));
}
