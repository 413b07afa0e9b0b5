// Squads in words: as builders print them, and as people write them down.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/text.h"
#include "load/squads/squad_text.h"
#include "salvo/names.h"
#include "salvo/squad.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;
using Cards = std::vector<std::string>;  // of a ship: the pilot, then its upgrades in order of id

Cards sorted(Cards cards) {
  std::sort(cards.begin() + 1, cards.end());
  return cards;
}

std::multiset<Cards> ships_of(const Squad& squad) {
  std::multiset<Cards> out;
  for (const SquadPilot& pilot : squad.pilots) {
    Cards cards{pilot.id};
    for (const SquadUpgrade& upgrade : pilot.upgrades) cards.push_back(upgrade.id);
    out.insert(sorted(cards));
  }
  return out;
}

std::multiset<Cards> read(const std::string& text, const std::optional<std::string>& cards = std::nullopt) {
  const Squad squad = parse_squad(catalogue(), text, "list", cards);
  INFO(text);
  CHECK(squad.unknown.empty());
  return ships_of(squad);
}

std::string printed(const std::string& kind, const std::string& id) {
  return name_of(catalogue(), kind, id, "first-edition");
}

/// A list in one of the forms that builders print.
std::string in_form(const std::vector<Cards>& ships, std::size_t form) {
  struct Form {
    std::string before, pilot, between, upgrade, behind, last;
  };
  static const std::array<Form, 9> forms{{{"", "{}", " + ", "{}", "\n", ""},
                                          {"", "{}", ", ", "{}", " (20)\n", ""},
                                          {"", "{}", "\n    ", "{}", "\n", "Total: 100\n"},
                                          {"**", "{}** ", ", ", "*{}*", "\n\n", ""},
                                          {"", "{}", " + ", "{}", " / ", ""},
                                          {"- ", "{} (20)", "\n  - ", "{} (3)", "\n", "\nTotal: 100"},
                                          {"<b>", "{}</b> (20)", "<br>", "{} (3)", "<br><br>", "<b>Total: 100</b>"},
                                          {"  - pilot: ", "{}\n    upgrades:", "\n      - ", "{}", "\n", ""},
                                          {"[b]", "{}[/b] (20)", "\n[i]", "{}[/i]", "\n\n", "[size=2]100[/size]"}}};
  const auto filled = [](std::string pattern, const std::string& name) {
    return pattern.replace(pattern.find("{}"), 2, name);
  };
  const Form& one = forms[form % forms.size()];
  std::string out;
  for (const Cards& cards : ships) {
    out += one.before + filled(one.pilot, printed("pilot", cards[0]));
    for (std::size_t i = 1; i < cards.size(); ++i)
      out += one.between + filled(one.upgrade, printed("upgrade", cards[i]));
    out += one.behind;
  }
  return out + one.last;
}

}  // namespace

TEST_CASE("squad text: 500 lists of tournaments in the forms of builders", "[squad]") {
  std::ifstream file(SALVO_SOURCE_DIR "/tests/data/text_lists.tsv");
  std::size_t lists = 0, wrong = 0, other_edition = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::vector<Cards> ships;
    std::multiset<Cards> expected;
    for (const std::string_view ship : base::split(line, '|')) {
      const auto [pilot, upgrades] = base::cut(ship, ':');
      Cards cards{std::string(pilot)};
      for (std::string& id : base::words_between(upgrades, ",")) cards.push_back(std::move(id));
      ships.push_back(cards);
      expected.insert(sorted(std::move(cards)));
    }
    const std::string text = in_form(ships, lists++);
    const Squad squad = parse_squad(catalogue(), text, "list", std::nullopt, "first-edition");
    other_edition += ships_of(parse_squad(catalogue(), text, "list")) == expected ? 0U : 1U;
    if (ships_of(squad) != expected) {
      ++wrong;
      UNSCOPED_INFO(text);
    }
  }
  CHECK(lists == 500);
  CHECK(other_edition <= 20);  // without costs some lists could be of either edition
  CHECK(wrong <= 5);
}

TEST_CASE("squad text: one ship in many forms", "[squad]") {
  const std::multiset<Cards> han{{"hansolo", "gunner", "predator"}};
  for (const char* const text :
       {"Han Solo + Predator + Gunner", "Han Solo [Predator, Gunner] (54)",
        "Han Solo (46)\n    Predator (3)\n    Gunner (5)",
        "Han Solo (54) \xE2\x80\x94 YT-1300 (46), Predator (3), Gunner (5)",
        "[b]Han Solo (46)[/b]\n[i]Predator (3), Gunner (5)[/i]", "Han Solo\nPredator\nGunner\n\nTotal: 54",
        "My list\nRebel Alliance\n\nHan Solo: Predator, Gunner",
        "\xE2\x80\xA2 Han Solo\n  \xE2\x80\xA2 Predator\n  \xE2\x80\xA2 Gunner",
        "YT-1300: Han Solo - Predator - Gunner 54 points", "Han Solo\nTalent: Predator\nCrew: Gunner",
        "1. HAN SOLO | predator | GUNNER"})
    CHECK(read(std::string(text) + "\n", "first-edition") == han);
}

TEST_CASE("squad text: Launch Bay Next and YASB, with their sums", "[squad]") {
  const Squad squad =
      parse_squad(catalogue(),
                  "Two aces\n\n(62) Luke Skywalker [T-65 X-wing]\n(3) Predator\n(8) R2-D2\nPoints: 73\n\n"
                  "(55) Wedge Antilles [T-65 X-wing]\nPoints: 55\n\nTotal points: 128",
                  "list");
  CHECK(ships_of(squad) == std::multiset<Cards>{{"lukeskywalker", "predator", "r2d2"}, {"wedgeantilles"}});
  CHECK(squad.name == "Two aces");
  CHECK(squad.points == 128);
  CHECK(read("Han Solo \xE2\x80\x93 Modified YT-1300 Light Freighter (77)    \n    Luke Skywalker (12)    \n"
             "Ship Cost: 89  Loadout: (12)  Half Points: 44  Damage Threshold: 6    \n    \nTotal: 89    \n    \n"
             "View in YASB: https://yasb.app/?f=Rebel%20Alliance&d=v8ZsZ200Z4X\n",
             "legacy") == std::multiset<Cards>{{"hansolo-modifiedyt1300lightfreighter", "lukeskywalker"}});
}

TEST_CASE("squad text: numbers of ships, factions, and cards of one name", "[squad]") {
  CHECK(read("2x Academy Pilot\nHowlrunner\n", "legacy").size() == 3);
  CHECK(read("Academy Pilot x3\nHowlrunner (x1)\n", "legacy").size() == 4);
  CHECK(read("Academy Pilot x 2\nHowlrunner\n", "legacy").size() == 3);
  CHECK(read("Guri\nHan Solo\n", "legacy").count({"hansolo"}) == 1);
  const Squad scum = parse_squad(catalogue(), "Guri\nHan Solo\n", "list", "legacy");
  CHECK(scum.pilots[1].ship == "customizedyt1300lightfreighter");
}

TEST_CASE("squad text: the ship beside a pilot decides, whatever stands around it", "[squad]") {
  for (const char* const text : {"Vult Skerris (TIE Interceptor), Juke", "Vult Skerris (TIE Interceptor) Juke",
                                 "Vult Skerris [TIE Interceptor] + Juke", "Vult Skerris (TIE/in Interceptor) w/ Juke",
                                 "TIE Interceptor: Vult Skerris - Juke"})
    CHECK(read(std::string(text) + "\n", "xwa") == std::multiset<Cards>{{"vultskerris-tieininterceptor", "juke"}});
  CHECK(read("Luke Skywalker in X-wing with R2-D2 and Predator\nWedge Antilles in A-wing\n", "xwa") ==
        std::multiset<Cards>{{"lukeskywalker", "predator", "r2d2"}, {"wedgeantilles-rz1awing"}});
  CHECK(read("Hera Syndulla [Ghost]\n", "xwa") == std::multiset<Cards>{{"herasyndulla-vcx100lightfreighter", "ghost"}});
  CHECK(read("Boba Fett (Firespray)\nCartel Spacer (M3-A) with Ion Cannon\n", "xwa") ==
        std::multiset<Cards>{{"bobafett"}, {"cartelspacer", "ioncannon"}});
  CHECK(read("Poe Dameron [X-wing]\nPoe Dameron (X-wing)\n", "xwa").count({"poedameron"}) == 2);
  const Squad squad =
      parse_squad(catalogue(), "Wullffwarro\nWedge Antilles (TIE Fighter)\nJan Ors [X-wing]\n", "list", "xwa");
  CHECK(squad.pilots.size() == 1);
  REQUIRE(squad.unknown.size() == 2);
  CHECK(squad.unknown[0].path == "line 2");
  CHECK(squad.unknown[0].reason.find("does not fly it") != std::string::npos);
  CHECK(squad.unknown[1].id == "t65xwing");
}

TEST_CASE("squad text: points behind upgrades in parentheses", "[squad]") {
  CHECK(read("Soontir Fel (Predator, Shield Upgrade) 20\nPoe Dameron (PS9) 31\nWampa (Crack Shot) 9 pts", "xwa") ==
        std::multiset<Cards>{{"soontirfel", "predator", "shieldupgrade"}, {"poedameron"}, {"wampa", "crackshot"}});
}

TEST_CASE("squad text: and between cards", "[squad]") {
  CHECK(read("Jek Porkins and Thane Kyrell\nKylo Ren und Hate\nMidnight, Juke and Advanced Optics\n"
             "2x Academy Pilot and Howlrunner",
             "xwa") == std::multiset<Cards>{{"jekporkins"},
                                            {"thanekyrell"},
                                            {"kyloren", "hate"},
                                            {"midnight", "advancedoptics", "juke"},
                                            {"academypilot"},
                                            {"academypilot"},
                                            {"howlrunner"}});
  CHECK(read("Luke Skywalker and Wedge Antilles (T-65 X-wing) and Biggs Darklighter\nJek Porkins", "xwa").size() == 4);
  CHECK(read("Howlrunner y Wampa and Mauler Mithel", "xwa").size() == 3);
  CHECK(read("Luke Skywalker (Predator) and Wedge Antilles (T-65 X-wing) and Jek Porkins (Predator) 40", "xwa") ==
        std::multiset<Cards>{{"lukeskywalker", "predator"}, {"wedgeantilles"}, {"jekporkins", "predator"}});
  const Squad titled = parse_squad(catalogue(), "Han and Luke\nHan Solo\nLuke Skywalker", "list", "xwa");
  CHECK(titled.name == "Han and Luke");
  CHECK(titled.pilots.size() == 2);
}

TEST_CASE("squad text: a nickname is of more ships than one", "[squad]") {
  using Ships = std::vector<std::pair<std::string, std::string>>;
  const auto flown = [](const std::string& text) {
    const Squad squad = parse_squad(catalogue(), text + "\n", "list");
    Ships out;
    for (const SquadPilot& pilot : squad.pilots) out.emplace_back(pilot.id, pilot.ship);
    INFO(text);
    CHECK(squad.cards == "xwa");
    CHECK(squad.unknown.empty());
    return out;
  };
  CHECK(flown("Midnight (TIE Fighter)\nBreach [TIE Bomber]") ==
        Ships{{"midnight", "tiefofighter"}, {"breach", "tiesebomber"}});
  CHECK(flown("Ahhav (TIE Fighter)") == Ships{{"ahhav", "modifiedtielnfighter"}});
  CHECK(flown("L3-37 (Falcon)") == Ships{{"l337", "customizedyt1300lightfreighter"}});
  for (const char* const text : {"Rey (Falcon)", "Rey [Falcon]", "Rey in Falcon"})
    CHECK(flown(text) == Ships{{"rey", "scavengedyt1300"}});
  // The faction of the squad chooses among the ships that have the nickname, else the one whose nickname it is.
  CHECK(flown("Poe Dameron (X-Wing)\nHan Solo (Falcon)").at(1) ==
        std::pair<std::string, std::string>("hansolo-scavengedyt1300", "scavengedyt1300"));
  CHECK(flown("Guri\nHan Solo [Falcon]").at(1).second == "customizedyt1300lightfreighter");
  CHECK(flown("Han Solo (Falcon)") == Ships{{"hansolo-modifiedyt1300lightfreighter", "modifiedyt1300lightfreighter"}});
  CHECK(flown("Obi-Wan Kenobi (Delta-7)") == Ships{{"obiwankenobi", "delta7aethersprite"}});
  CHECK(flown("Darth Vader (TIE Defender)") == Ships{{"darthvader-tieddefender", "tieddefender"}});
  for (const char* const text : {"Midnight (TIE/ln Fighter)", "Midnight [TIE/ln Fighter]", "Deathrain (TIE Bomber)"}) {
    const Squad squad = parse_squad(catalogue(), std::string(text) + "\n", "list");
    CHECK(squad.pilots.empty());
    REQUIRE(squad.unknown.size() == 1);
    CHECK(squad.unknown[0].kind == "ship");
  }
}

TEST_CASE("squad text: a ship in parentheses makes an upgrade's name a pilot's", "[squad]") {
  CHECK(read("Kanan Jarrus (VCX-100), Ezra Bridger (Sheathipede)", "xwa") ==
        std::multiset<Cards>{{"kananjarrus"}, {"ezrabridger-sheathipedeclassshuttle"}});
  CHECK(read("Jango Fett (Firespray), Zam Wesell (Firespray)", "xwa") ==
        std::multiset<Cards>{{"jangofett"}, {"zamwesell"}});
  CHECK(read("Hera Syndulla (VCX-100), Kanan Jarrus (Crew)", "xwa") ==
        std::multiset<Cards>{{"herasyndulla-vcx100lightfreighter", "kananjarrus"}});
  CHECK(read("Kanan Jarrus (VCX-100), Ezra Bridger (Gunner)", "xwa") ==
        std::multiset<Cards>{{"kananjarrus", "ezrabridger"}});
}

TEST_CASE("squad text: points behind the ship choose among pilots of one name", "[squad]") {
  CHECK(read("Temmin Wexley (T-70 X-wing) - 53", "legacy") == std::multiset<Cards>{{"temminwexley-swz68"}});
  CHECK(read("Temmin Wexley (T-70 X-wing) - 54", "legacy") == std::multiset<Cards>{{"temminwexley"}});
}

TEST_CASE("squad text: a name behind upgrades that is a card of one set and a ship of another", "[squad]") {
  CHECK(read("Anakin Skywalker (Delta-7): R2 Astromech, Delta-7B") ==
        std::multiset<Cards>{{"anakinskywalker", "delta7b", "r2astromech"}});
  CHECK(read("Saesee Tiin, R4 Astromech, Delta-7B\nPlo Koon, R4 Astromech", "xwa") ==
        std::multiset<Cards>{{"saeseetiin-delta7baethersprite", "r4astromech"}, {"plokoon", "r4astromech"}});
}

TEST_CASE("squad text: words between cards in any case", "[squad]") {
  CHECK(read("Luke Skywalker In X-wing With R2-D2 And Predator\n", "xwa") ==
        std::multiset<Cards>{{"lukeskywalker", "predator", "r2d2"}});
  CHECK(read("lt. blount\n", "xwa") == std::multiset<Cards>{{"lieutenantblount"}});
}

TEST_CASE("squad text: a ship that the pilot does not fly decides no edition", "[squad]") {
  for (const char* const text :
       {"Wedge Antilles (TIE/ln Fighter)", "Howlrunner (T-65 X-wing)\n", "Ten Numb (TIE/sk Striker)"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "list");
    CHECK(squad.pilots.empty());
    CHECK(squad.rules == "second-edition");
    REQUIRE(squad.unknown.size() == 1);
    CHECK(squad.unknown[0].kind == "ship");
    CHECK(squad.unknown[0].reason.find("does not fly it") != std::string::npos);
  }
}

TEST_CASE("squad text: the faction behind a pilot", "[squad]") {
  CHECK(read("Han Solo (Resistance)\n", "xwa") == std::multiset<Cards>{{"hansolo-scavengedyt1300"}});
  CHECK(read("Boba Fett (Separatists)\n", "xwa") == std::multiset<Cards>{{"bobafett-firesprayclasspatrolcraft"}});
  CHECK(read("Rey (Rebel)\n", "first-edition") == std::multiset<Cards>{{"rey"}});
  const Squad squad = parse_squad(catalogue(), "Norra Wexley\nGuri (Imperial)\n", "list");
  CHECK(squad.pilots.size() == 1);
  REQUIRE(squad.unknown.size() == 1);
  CHECK(squad.unknown[0].path == "line 2");
  CHECK(squad.unknown[0].reason.find("scumandvillainy") != std::string::npos);
}

TEST_CASE("squad text: the faction of the list decides between pilots of one ship", "[squad]") {
  // With the whole name of the ship, these are the letters of the id of one of them.
  const std::string fett = "Boba Fett (Firespray-class Patrol Craft)\n", rau = "Fenn Rau (Fang Fighter)\n";
  for (const char* const cards : {"xwa", "legacy"}) {
    CHECK(read("Guri\n" + fett + rau, cards) == std::multiset<Cards>{{"guri"}, {"bobafett"}, {"fennrau"}});
    CHECK(read("Separatist Alliance\n" + fett, cards) == std::multiset<Cards>{{"bobafett-firesprayclasspatrolcraft"}});
    CHECK(read("Jek Porkins\n" + rau, cards) == std::multiset<Cards>{{"jekporkins"}, {"fennrau-fangfighter"}});
    CHECK(read("Separatist Alliance\nDurge (Rogue-class Starfighter)\n", cards) ==
          std::multiset<Cards>{{"durge-separatistalliance"}});
  }
}

TEST_CASE("squad text: a part of a ship's name names no scenario pack", "[squad]") {
  for (const char* const cards : {"xwa", "legacy"}) {
    for (const char* const text : {"Garven Dreis (T65 X)\n", "Garven Dreis - T65 X\n", "Garven Dreis (T65 X) 47\n"})
      CHECK(read(text, cards) == std::multiset<Cards>{{"garvendreis-t65xwing"}});
    const Squad squad = parse_squad(catalogue(), "Garven Dreis - Battle of Yavin\n", "list", cards);
    REQUIRE(squad.pilots.size() == 1);
    CHECK(squad.pilots[0].id == "garvendreis-battleofyavin");
  }
}

TEST_CASE("squad text: slots tell pilots of one name apart", "[squad]") {
  for (const auto& [text, id] : std::map<std::string, std::string>{
           {"Norra Wexley + Ion Cannon Turret", "norrawexley-btla4ywing"},
           {"Commander Malarus + Fire-Control System", "commandermalarus"},
           {"Commander Malarus + Pattern Analyzer + Captain Phasma", "commandermalarus-xiclasslightshuttle"},
           {"Corran Horn + Fire-Control System", "corranhorn"},
           {"\"Scorch\" + Concussion Missiles", "scorch-tiesebomber"},
           {"\"Zeb\" Orrelios + R5 Astromech", "zeborrelios-sheathipedeclassshuttle"},
           {"Sabine Wren + Concussion Missiles", "sabinewren-rz1awing"},
           // The slots choose between the factions, too.
           {"Kanan Jarrus + Contraband Cybernetics", "kananjarrus-hwk290lightfreighter"},
           {"Kanan Jarrus + Dorsal Turret", "kananjarrus"}}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text + "\n", "list", "xwa");
    REQUIRE(squad.pilots.size() == 1);
    CHECK(squad.pilots[0].id == id);
  }
  // The faction of the list counts more than a slot.
  CHECK(read("Rebel Alliance\nKanan Jarrus + Contraband Cybernetics\n", "xwa") ==
        std::multiset<Cards>{sorted({"kananjarrus", "contrabandcybernetics"})});
}

TEST_CASE("squad text: the box behind a pilot", "[squad]") {
  const Squad squad =
      parse_squad(catalogue(), "Darth Vader (BoY)\nSoontir Fel (BoE)\nMaarek Stele (Xyz)\n", "list", "xwa");
  REQUIRE(squad.pilots.size() == 3);
  CHECK(squad.pilots[0].id == "darthvader-battleofyavin");
  CHECK(squad.pilots[1].id == "soontirfel-battleoverendor");
  CHECK(squad.pilots[2].id == "maarekstele");
  CHECK(std::count(squad.notes.begin(), squad.notes.end(),
                   "line 3: \"(Xyz)\" behind maarekstele fits no pilot of that name, and is left out") == 1);
}

TEST_CASE("squad text: other upgrades than those of a standard loadout", "[squad]") {
  int found = 0;
  for (const std::string pilot : {"lukeskywalker", "darthvader", "maulermithel", "dutchvander"}) {
    for (const SquadPilot& variant :
         parse_squad(catalogue(), name_of(catalogue(), "pilot", pilot, "xwa") + " (BoY)\n", "list", "xwa").pilots) {
      const std::string text =
          name_of(catalogue(), "pilot", pilot, "xwa") + " (" + std::to_string(variant.cost) + ")\nShield Upgrade\n";
      CHECK(read(text, "xwa") == std::multiset<Cards>{{pilot, "shieldupgrade"}});
      ++found;
    }
  }
  CHECK(found == 4);
}

TEST_CASE("squad text: marks and markup of other places", "[squad]") {
  const std::multiset<Cards> ships{sorted({"garvendreis-t65xwing", "r2astromech", "crackshot"}),
                                   {"jekporkins", "predator"}};
  for (const char* const text :
       {"<b>Garven Dreis</b> (T-65 X-wing)<br>Crack Shot<br/>R2 Astromech<br><br><b>Jek Porkins</b><br>Predator",
        "<ul><li>Garven Dreis (T-65 X-wing)<ul><li>Crack Shot</li><li>R2 Astromech</li></ul></li>\n<li>Jek "
        "Porkins<ul><li>Predator</li></ul></li></ul>",
        "Garven Dreis (T-65 X-wing) &ndash; Crack Shot &amp; R2 Astromech\nJek&nbsp;Porkins &mdash; Predator",
        "\xC2\xAB Garven Dreis \xC2\xBB (T-65 X-wing) : \xC2\xAB Crack Shot \xC2\xBB ; \xC2\xAB R2 Astromech \xC2\xBB\n"
        "\xE2\x80\x9EJek Porkins\xE2\x80\x9C + \xE2\x80\x9EPredator\xE2\x80\x9C",
        "Garven Dreis (T-65 X-wing)\xEF\xBC\x9A"
        "Crack Shot\xE3\x80\x81R2 Astromech\nJek Porkins\xEF\xBC\x8BPredator",
        "\xE2\x96\xAA Garven Dreis (T-65 X-wing)\n    \xE2\x96\xAB Crack Shot\n    \xE2\x96\xAB R2 Astromech\n"
        "\xE2\x9E\xA4 Jek Porkins \xE2\x86\x92 Predator",
        "Garven Dreis (T-65 X-wing) | Crack Shot | R2 Astromech | 12\nJek Porkins | Predator | 11",
        "(50) Garven Dreis [T-65 X-wing]\n(1) Crack Shot [Talent]\n(3) R2 Astromech [Astromech]\nPoints: 54\n"
        "(46) Jek Porkins [T-65 X-wing]\n(2) Predator [Talent]\nPoints: 48\n",
        "Garven Dreis (T-65 X-wing)\n[Talent] Crack Shot\n[Astromech] R2 Astromech\nJek Porkins\n[Talent] "
        "Predator\n"}) {
    CHECK(read(text, "xwa") == ships);
  }
}

TEST_CASE("squad text: the upgrades of a standard loadout", "[squad]") {
  const Squad given = parse_squad(catalogue(), "Jek Porkins (BoY)\n", "list", "xwa");
  REQUIRE(given.pilots.size() == 1);
  std::string text = "Jek Porkins\n";
  for (const SquadUpgrade& upgrade : given.pilots[0].upgrades)
    text += "    " + name_of(catalogue(), "upgrade", upgrade.id, "xwa") + "\n";
  CHECK(read(text, "xwa") == ships_of(given));
}

TEST_CASE("squad text: numbers of lines are not those of ships", "[squad]") {
  for (const char* const text : {"#1 Guri\n#2 Jek Porkins\n", "1. Guri\n2. Jek Porkins\n", "1) Guri\n2) Jek Porkins\n"})
    CHECK(read(text, "xwa") == std::multiset<Cards>{{"guri"}, {"jekporkins"}});
  for (const char* const text : {"1 Guri + Predator\n2 Jek Porkins\n3 Norra Wexley\n",
                                 "1 - Guri: Predator\n2 - Jek Porkins\n3 - "
                                 "Norra Wexley\n",
                                 "1: Guri (Predator)\n2: Jek Porkins\n3: Norra Wexley\n",
                                 "1 Guri\n  Predator\n2 Jek Porkins\n3 Norra Wexley\n\n30 points\n"})
    CHECK(read(text, "xwa") == std::multiset<Cards>{{"guri", "predator"}, {"jekporkins"}, {"norrawexley"}});
  const Squad squad = parse_squad(catalogue(), "1 Guri\n2 Jek Porkins\n3 Norra Wexley\n", "list", "xwa");
  CHECK(std::count(squad.notes.begin(), squad.notes.end(),
                   "the numbers at the starts of lines are those of the lines; write 2x for two ships") == 1);
  CHECK(read("4 Academy Pilot\n1 Howlrunner\n", "xwa").size() == 5);
  CHECK(read("1 Howlrunner\n2 Academy Pilot\n", "xwa").size() == 3);
  CHECK(read("Guri\n2 Academy Pilot\n", "xwa").size() == 3);
}

TEST_CASE("squad text: what stands beside a link", "[squad]") {
  const std::string link = "https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4XWW142WY5X&obs=";
  const auto squad_of = [](const std::string& text) { return parse_squad(catalogue(), text, "list"); };
  for (const std::string& text : {"Night shift: " + link, "[Night shift](" + link + ")", "Night shift\n" + link + "\n",
                                  link + " Night shift", "Night shift <" + link + ">"}) {
    INFO(text);
    CHECK(load::is_squad_text(text));
    CHECK(ships_of(squad_of(text)) == ships_of(squad_of(link)));
    CHECK(squad_of(text).name == "Night shift");
  }
  const Squad named = squad_of("Night shift " + link + "&sn=Day+shift");
  CHECK(named.name == "Day shift");
  CHECK(std::count(named.notes.begin(), named.notes.end(),
                   "the link names the squad; \"Night shift\" beside it is left out") == 1);
  CHECK(read("Guri + Predator https://example.org/guri\nJek Porkins", "xwa") ==
        std::multiset<Cards>{{"guri", "predator"}, {"jekporkins"}});
  const Squad told = squad_of("Guri\nJek Porkins\nSee you there: https://example.org/\n");
  CHECK(told.unknown.empty());
  CHECK(std::count(told.notes.begin(), told.notes.end(),
                   "line 3: \"See you there\" beside a link names no card, and is left out") == 1);
  CHECK_THROWS_WITH(squad_of(link + "\n" + link + "x\n"), Catch::Contains("one by one"));
}

TEST_CASE("squad text: as chats and sheets have it", "[squad]") {
  const std::multiset<Cards> ships{sorted({"lukeskywalker", "r2d2", "protontorpedoes"}), {"wedgeantilles", "predator"}};
  for (const char* const text :
       {":rebel: **Luke Skywalker** \xE2\x80\x93 R2-D2, Proton Torpedoes\n:rebel: **Wedge Antilles** \xE2\x80\x93 "
        "Predator\n",
        "<:xwing:123> Luke Skywalker <:astromech:45> R2-D2 <a:torpedo:6> Proton Torpedoes\n<:xwing:123> Wedge Antilles "
        "<:talent:7> Predator\n",
        "Ship 1: Luke Skywalker, R2-D2, Proton Torpedoes\nShip 2: Wedge Antilles, Predator\n",
        "Luke Skywalker;R2-D2;Proton Torpedoes\nWedge Antilles;Predator\n",
        "| Pilot | Upgrades | Cost |\n|---|---|---|\n| Luke Skywalker | R2-D2, Proton Torpedoes | 6 |\n"
        "| Wedge Antilles | Predator | 5 |\n",
        "Luke Skywalker 62 = R2-D2 8 + Proton Torpedoes 13\nWedge Antilles 55 = Predator 2\n",
        "Meine Liste\nLuke Skywalker mit R2-D2 und Proton Torpedoes\nWedge Antilles mit Predator\nGesamt: 12 Punkte\n",
        "Luke Skywalker avec R2-D2 et Proton Torpedoes\nWedge Antilles avec Predator\n",
        "Luke Skywalker con R2-D2 y Proton Torpedoes\nWedge Antilles con Predator\nPuntos: 12\n"})
    CHECK(read(text, "xwa") == ships);
  CHECK(read("Guri; Jek Porkins; Norra Wexley\n", "xwa").size() == 3);
  CHECK(read("three Academy Pilots\nHowlrunner", "xwa").size() == 4);
  CHECK(read("Darth Vader \xE2\x80\x94 TIE Advanced 29\nPredator 3\n", "first-edition") ==
        std::multiset<Cards>{{"darthvader", "predator"}});
}

TEST_CASE("squad text: YAML, as a tree and as a list", "[squad]") {
  const std::multiset<Cards> ships{sorted({"jekporkins", "r5astromech", "protontorpedoes"}),
                                   {"norrawexley-btla4ywing"}};
  for (const char* const text :
       {"name: \"Old # hands\"  # mine\nfaction: rebelalliance\npilots:\n  - id: jekporkins\n    name: jekporkins\n"
        "    ship: t65xwing\n    points: 46\n    upgrades:\n      torpedo:\n        - protontorpedoes\n"
        "      astromech: [r5astromech]\n  - id: norrawexley-btla4ywing\n    ship: btla4ywing\n    upgrades: {}\n"
        "version: '2.0.0'\n",
        "---\npilots:\n- ship: 't65xwing'\n  upgrades: {torpedo: [protontorpedoes,],\n    astromech: ['r5astromech']}\n"
        "  id: jekporkins\n-\n  id: norrawexley-btla4ywing\n  ship: btla4ywing\n  upgrades: ~\n",
        "ships:\n  - pilot: Jek Porkins\n    upgrades:\n      - R5 Astromech\n      - Proton Torpedoes\n"
        "  - pilot: Norra Wexley\n    ship: Y-wing\n    upgrades: []\n",
        "{'faction': 'rebelalliance', 'name': \"Bob's list\", 'obstacles': None, 'pilots': [{'id': 'jekporkins', "
        "'ship': "
        "'t65xwing', "
        "'upgrades': "
        "{'astromech': ['r5astromech'], 'torpedo': ['protontorpedoes']}}, {'id': 'norrawexley-btla4ywing', 'ship': "
        "'btla4ywing', 'upgrades': None}]}"})
    CHECK(read(text, "xwa") == ships);
  CHECK_THROWS_WITH(
      parse_squad(catalogue(),
                  "pilots:\n  - id: jekporkins\n    upgrades: {torpedo: [" + std::string(100'000, '[') + "\n", "list"),
      Catch::Contains("at most 20000 characters"));
  CHECK_THROWS_WITH(parse_squad(catalogue(), "{'pilots': [{'id': 'jekporkins', 'id': 'guri'}]}", "list"),
                    Catch::Contains("not valid JSON"));
}

TEST_CASE("squad text: a text over several lines of YAML", "[squad]") {
  for (const std::string mark : {">-", "|"}) {
    const Squad squad =
        parse_squad(catalogue(), "name: " + mark + "\n  My: first\n  list\npilots:\n  - id: guri\n", "list", "xwa");
    CHECK(squad.name == "My: first list");
    CHECK(squad.pilots.size() == 1);
  }
}

TEST_CASE("squad text: a list below the word pilots is no YAML", "[squad]") {
  CHECK(read("pilots:\n- Luke Skywalker\n- Wedge Antilles\n", "xwa") ==
        std::multiset<Cards>{{"lukeskywalker"}, {"wedgeantilles"}});
}

TEST_CASE("squad text: exports in a cell of a table or in another text", "[squad]") {
  const std::multiset<Cards> ships{{"guri", "fearless"}};
  const std::string cell =
      R"(""faction"":""scumandvillainy"",""name"":"""",""pilots"":[{""id"":""guri"",""upgrades"":{""talent"":[""fearless""]}}])";
  CHECK(read("7,Bob,\"{" + cell + "}\",12\n", "xwa") == ships);
  CHECK(read(R"("{\"pilots\":[{\"id\":\"guri\",\"upgrades\":{\"talent\":[\"fearless\"]}}]}")", "xwa") == ships);
  CHECK(read(R"("{\n \"name\": \"The \\\"A\\\" Team\",\n \"pilots\":[{\"id\":\"guri\",\"upgrades\":[\"fearless\"]}]}")",
             "xwa") == ships);
  CHECK(
      read(
          R"(the list is {\"name\":\"The \\\"A\\\" Team\",\"pilots\":[{\"id\":\"guri\",\"upgrades\":[\"fearless\"]}]})",
          "xwa") == ships);
  CHECK(read(R"({"name":"The \"A\" Team","pilots":[{"id":"guri","upgrades":["fearless"]}]})", "xwa") == ships);
  CHECK(read(R"({"":"","pilots":[{"id":"guri","upgrades":["fearless"]}]})", "xwa") == ships);
}

TEST_CASE("squad text: TOML with the keys of XWS", "[squad]") {
  CHECK(read("faction = \"scumandvillainy\"\n[[pilots]]\nid = \"guri\"\nupgrades = { talent = [\"fearless\"] }\n",
             "xwa") == std::multiset<Cards>{{"guri", "fearless"}});
  CHECK_THROWS_WITH(parse_squad(catalogue(), "[[pilots]]\nid = guri\n", "mine"),
                    Catch::Contains("mine:2: not valid TOML"));
  CHECK(read("```toml\n[[pilots]]\nid = \"guri\"\n```\n", "xwa") == std::multiset<Cards>{{"guri"}});
  CHECK_THROWS_WITH(parse_squad(catalogue(), "```\n[[pilots]]\nid = guri\n```\n", "mine"),
                    Catch::Contains("mine:3: not valid TOML"));
}

TEST_CASE("squad text: TOML with the pilots in one list", "[squad]") {
  const std::string list = "pilots = [\n  {id = \"kavil\", ship = \"btla4ywing\"},\n]\nname = \"One\"\n";
  CHECK(read(list, "xwa") == std::multiset<Cards>{{"kavil"}});
  CHECK(parse_squad(catalogue(), list, "mine").name == "One");
  CHECK_THROWS_WITH(parse_squad(catalogue(), "pilots = [{id = }]\n", "mine"),
                    Catch::Contains("mine:1: not valid TOML"));
}

TEST_CASE("squad text: JSON as people write it by hand", "[squad]") {
  const std::multiset<Cards> meant{{"kavil", "dorsalturret"}, {"guri"}};
  for (const char* const text :
       {R"({"pilots": [{"id": "kavil", "upgrades": {"turret": ["dorsalturret"],}}, {"id": "guri"},]})",
        "{ // mine\n\"pilots\": [ /* two */ {\"id\": \"kavil\", \"upgrades\": [\"dorsalturret\"]},\n{\"id\": "
        "\"guri\"}]} // end",
        R"({pilots: [{id: "kavil", upgrades: [dorsalturret]}, {id: "guri"}]})",
        R"([{"id": "kavil", "ship": "btla4ywing", "upgrades": ["dorsalturret"]},
            {"name": "guri", "ship": "starviperclassattackplatform"}])"}) {
    INFO(text);
    CHECK(read(text, "xwa") == meant);
  }
  CHECK(read(R"({"id": "guri", "ship": "starviperclassattackplatform"})", "xwa") == std::multiset<Cards>{{"guri"}});
  for (const char* const text : {R"({"pilots": [{"id": "kavil"}, {"id": guri"}]})", R"({"pilots": [{"id": "kavil")",
                                 R"({"pilots": [{"id": "kavil"} /* ]})"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_squad(catalogue(), text, "mine"), Catch::Contains("mine:1: not valid JSON"));
  }
  CHECK_THROWS_WITH(parse_squad(catalogue(), R"([{"a": 1}])", "mine"), Catch::Contains("found a list; write a squad"));
  CHECK_THROWS_WITH(parse_squad(catalogue(), R"({"pilots": [{"id": "guri", "multiplier": 1000000000000}]})", "mine"),
                    Catch::Contains("multiplier: is 1000000000000, and a number of ships at least 1"));
}

TEST_CASE("squad text: names of lists, players and speakers before a colon", "[squad]") {
  const std::multiset<Cards> meant{{"guri", "fearless"}, {"kavil"}};
  for (const char* const text : {"Sunday: Guri [Fearless], Kavil", "Ann B: Guri [Fearless]\nAnn B: Kavil",
                                 "Guri: Fearless\nKavil", "[9:03] Wedge: Guri [Fearless]\n[9:04] Wedge: Kavil",
                                 "5.6.23, 9:03 - Juke: Guri with Fearless\n5.6.23, 9:04 - Juke: Kavil",
                                 "[9:03] Guri: Fearless\n[9:04] Kavil", "Scum: Guri [Fearless], Kavil"}) {
    INFO(text);
    CHECK(read(text, "xwa") == meant);
  }
  CHECK(parse_squad(catalogue(), "Resistance: Han Solo", "list", "xwa").pilots.at(0).ship == "scavengedyt1300");
  CHECK(parse_squad(catalogue(), "Sunday: Guri, Kavil", "list", "xwa").name == "Sunday");
  CHECK(read("[9:03] Boba: 2x Academy Pilot", "xwa") == std::multiset<Cards>{{"academypilot"}, {"academypilot"}});
  CHECK(read("Rey: Finn, Chewbacca\nVennie", "xwa") ==
        std::multiset<Cards>{{"rey", "chewbacca-crew-swz19", "finn"}, {"vennie"}});
}

TEST_CASE("squad text: several ships with upgrades in one sentence", "[squad]") {
  const std::multiset<Cards> meant{{"guri", "fearless"}, {"kavil", "dorsalturret"}};
  for (const char* const text :
       {"Guri with Fearless and Kavil with Dorsal Turret", "Guri z Fearless i Kavil z Dorsal Turret",
        "Guri met Fearless en Kavil met Dorsal Turret", "Guri med Fearless och Kavil med Dorsal Turret"}) {
    INFO(text);
    CHECK(read(text, "xwa") == meant);
  }
  CHECK(read("Guri with Fearless and Kavil with Dorsal Turret and Palob Godalhi with Moldy Crow", "xwa").size() == 3);
  CHECK(read("2x Spice Runner and Guri with Fearless", "xwa") ==
        std::multiset<Cards>{{"spicerunner"}, {"spicerunner"}, {"guri", "fearless"}});
}

TEST_CASE("squad text: the box behind a dash", "[squad]") {
  CHECK(parse_squad(catalogue(), "Fenn Rau - Armed and Dangerous", "list", "xwa").pilots.at(0).id ==
        "fennrau-armedanddangerous");
  CHECK(parse_squad(catalogue(), "Biggs Darklighter \xE2\x80\x93 BoY", "list", "xwa").pilots.at(0).id ==
        "biggsdarklighter-battleofyavin");
  CHECK(parse_squad(catalogue(), "Wedge Antilles - A-wing", "list", "xwa").pilots.at(0).ship == "rz1awing");
}

TEST_CASE("squad text: points and sums of other languages, numbers apart, other ends of lines", "[squad]") {
  for (const char* const text :
       {"Guri (13 Punkte)\nFearless (2 Punkte)\nSchiff gesamt: 13\nKavil (11 Punkte)\nGesamt: 24 Punkte",
        "Guri (13 puntos)\nFearless (2)\nCoste de la nave: 13\nKavil (11 puntos)\nPuntos totales: 24",
        "Guri (13 punti)\nFearless (2)\nKavil (11 punti)\nTotale: 24 punti",
        "Guri (13)\nFearless\nKavil (11)\nCo\u00fbt total : 24 points", "1/ Guri - Fearless\n2/ Kavil (11/17)",
        "Guri\rFearless\rKavil\r", "Guri\r\nFearless\r\nKavil\r\n", "Guri\u2028Fearless\u2028Kavil"}) {
    const Squad squad = parse_squad(catalogue(), text, "list", "xwa");
    INFO(text);
    CHECK(squad.unknown.empty());
    CHECK(squad.notes.empty());
    CHECK(ships_of(squad) == std::multiset<Cards>{{"guri", "fearless"}, {"kavil"}});
  }
  CHECK(read("Spice Runner (9) x 3", "xwa").size() == 3);
}

TEST_CASE("squad text: HTML on one line", "[squad]") {
  for (const char* const text :
       {"<b>Guri</b> (62)<br>Fearless (3)<br><br><b>Kavil</b> (45)<br>Dorsal Turret (4)<br><b>Total: 114</b>",
        "<div><h3>Guri</h3><ul><li>Fearless</li></ul><h3>Kavil</h3><ul><li>Dorsal Turret</li></ul></div>",
        "<table><tr><td>Guri</td><td>Fearless</td></tr><tr><td>Kavil</td><td>Dorsal Turret</td></tr></table>"})
    CHECK(read(text, "xwa") == std::multiset<Cards>{{"guri", "fearless"}, {"kavil", "dorsalturret"}});
}

TEST_CASE("squad text: tags of forums, stamps of chats, characters by number", "[squad]") {
  const std::multiset<Cards> ships{{"guri", "fearless"}, {"kavil", "dorsalturret"}};
  for (const char* const text :
       {"[size=5][b]Mine[/b][/size]\n[color=#00ff00]Guri[/color] (62)\n[i]Fearless "
        "(3)[/i]\n[url=https://a.b/c]Kavil[/url] "
        "(45)\n[font=Arial]Dorsal Turret (4)[/font]\n",
        "[9:05 PM, 12/24/2023] Ann B: Guri + Fearless\n[9:06 PM, 12/24/2023] Ann B: Kavil + Dorsal Turret\n",
        "[20:15] Guri: Fearless\n[20:16] Ann - B: Kavil + Dorsal Turret\n",
        "<li>Guri &#x2013; Fearless</li><li>Kavil &#8212; Dorsal Turret</li>",
        "Guri + Fearless<br>Kavil &#43; Dorsal Turret<a href=\"x",
        "&#x1F680; Guri + Fearless<br>&#128640; Kavil + Dorsal Turret",
        "62 - Guri - Fearless\n45 - Kavil - Dorsal Turret\n107 total\n"})
    CHECK(read(text, "xwa") == ships);
  CHECK(read("[12:03] Guri + Fearless, Title: Virago\n", "xwa") ==
        std::multiset<Cards>{{"guri", "fearless", "virago"}});
  const Squad linked =
      parse_squad(catalogue(), "<a href=\"https://yasb.app/?f=x&amp;d=v10ZsZ50Z4XWW142WY5X&amp;obs=\">Two</a>", "list");
  CHECK(linked.pilots.size() == 2);
  CHECK(linked.name == "Two");
  CHECK(parse_squad(catalogue(), "<a href='https://yasb.app/?f=x&amp;d=v10ZsZ50Z4XWW142WY5X&amp;obs='>Two</a>", "list")
            .pilots.size() == 2);
  CHECK_THROWS_AS(parse_squad(catalogue(), "&#xD800;", "list"), LoadError);  // half of a character
}

TEST_CASE("squad text: the points of a rare variant do not choose it", "[squad]") {
  // 32 are the points of the card from Siege of Coruscant in the Legacy points, 27 those of the usual one.
  CHECK(read("Kickback (32)\n", "legacy") == std::multiset<Cards>{{"kickback"}});
  // No usual card is of that name, so the points choose.
  CHECK(read("Hol Okand (34)\n", "legacy") == std::multiset<Cards>{{"holokand-battleofyavin-lsl"}});
}

TEST_CASE("squad text: numbers of ships beside their upgrades", "[squad]") {
  const Cards one{"blacksunsoldier", "deadmansswitch"};
  for (const char* const text :
       {"3 Black Sun Soldiers con Deadman's Switch", "Black Sun Soldier x3 (Deadman's Switch)",
        "3x Black Sun Soldier com Deadman's Switch", "three Black Sun Soldiers [Deadman's Switch]"})
    CHECK(read(text, "xwa") == std::multiset<Cards>{one, one, one});
  // A unique pilot flies once.
  const Squad squad = parse_squad(catalogue(), "3 Z-95 and Kavil\n", "list", "xwa");
  CHECK(ships_of(squad) == std::multiset<Cards>{{"kavil"}});
  CHECK(std::any_of(squad.notes.begin(), squad.notes.end(), [](const std::string& note) {
    return note.find("line 1: \"Z-95\" is a ship without a pilot, and left out") == 0;
  }));
}

TEST_CASE("squad text: slashes and signs between pilots", "[squad]") {
  CHECK(read("Guri/Kavil/4-LOM\n", "xwa") == std::multiset<Cards>{{"guri"}, {"kavil"}, {"4lom"}});
  CHECK(read("Guri + Kavil + Dengar", "xwa").size() == 3);
  const Squad slashed = parse_squad(catalogue(), "Guri/Kavil (120)", "list", "legacy");
  REQUIRE(slashed.pilots.size() == 2);
  CHECK(slashed.pilots[0].points != 120);
  CHECK(slashed.pilots[1].points == 120);
  CHECK(read("Rey + Finn + Rose Tico", "xwa") == std::multiset<Cards>{sorted({"rey", "finn", "rosetico"})});
  CHECK(read("Kavil w/ Dorsal Turret + Veteran Turret Gunner; Fenn Rau w/ Fearless", "xwa") ==
        std::multiset<Cards>{sorted({"kavil", "dorsalturret", "veteranturretgunner"}), {"fennrau", "fearless"}});
}

TEST_CASE("squad text: abbreviations in parentheses tell the edition", "[squad]") {
  CHECK(read("Corran Horn (PTL, EU)\nEtahn A'baht (VI)\n") ==
        std::multiset<Cards>{sorted({"corranhorn", "pushthelimit", "engineupgrade"}),
                             {"etahnabaht", "veteraninstincts"}});
}

TEST_CASE("squad text: a title of another ship is counted and told in a squad, refused in a SPEC", "[squad]") {
  for (const char* const text :
       {"Guri [Moldy Crow]", R"({"pilots": [{"id": "guri", "upgrades": {"title": ["moldycrow"]}}]})"}) {
    const Squad squad = parse_squad(catalogue(), text, "list", "xwa");
    CHECK(squad.unknown.empty());
    CHECK(squad.pilots.at(0).upgrades.size() == 1);
    CHECK(std::any_of(squad.notes.begin(), squad.notes.end(), [](const std::string& note) {
      return note.starts_with("the upgrade moldycrow is counted, though guri does not meet its restriction");
    }));
  }
  CHECK_THROWS_WITH(squad_from_spec(catalogue(), "Guri, moldy crow", "xwa", std::nullopt),
                    Catch::Contains("belongs to the ship HWK-290"));
  CHECK(squad_from_spec(catalogue(), "Palob Godalhi, moldy crow", "xwa", std::nullopt).pilots.at(0).upgrades.size() ==
        1);
}

TEST_CASE("squad text: many copies are refused, not passed over", "[squad]") {
  for (const char* const text : {"501x Academy Pilot", "Academy Pilot x9999", "99999999999x Academy Pilot",
                                 "1000000 x Academy Pilot", "Academy Pilot x 70000"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_squad(catalogue(), text, "list"), Catch::Contains("more than 500 cards"));
  }
  std::string unknown;
  for (int i = 0; i < 1990; ++i) unknown += fmt::format("Zq{}vx\n", i);
  CHECK_THROWS_WITH(parse_squad(catalogue(), unknown, "list"), Catch::Contains("more than 500 cards"));
}

TEST_CASE("squad text: a misspelled pilot of whom there are variants", "[squad]") {
  CHECK(read("Luke Skywaker\nDarth Vadr\n", "xwa") == std::multiset<Cards>{{"lukeskywalker"}, {"darthvader"}});
}

TEST_CASE("squad text: the upgrades of a ship that is left out are told", "[squad]") {
  const Squad squad =
      parse_squad(catalogue(), "Luke Skywalker\nWedge Antilles (TIE Fighter) [Predatr]\n", "list", "xwa");
  CHECK(squad.pilots.size() == 1);
  CHECK(std::count(squad.notes.begin(), squad.notes.end(), "line 2: \"Predatr\" is read as predator (Predator)") == 1);
}

TEST_CASE("squad text: what is not understood is listed with its line", "[squad]") {
  const Squad squad =
      parse_squad(catalogue(), "Luke Skywalker [Predator, Xqzzt]\nZzyzx Qwrt (12)\nWedge Antilles\n", "list");
  REQUIRE(squad.unknown.size() == 2);
  CHECK(squad.unknown[0].path == "line 1");
  CHECK(squad.unknown[0].kind == "upgrade");
  CHECK(squad.unknown[1].path == "line 2");
  CHECK(squad.unknown[1].kind == "pilot");
  CHECK(squad.pilots.size() == 2);
  CHECK_THROWS_AS(parse_squad(catalogue(), "nothing\nof the kind", "list"), LoadError);
  CHECK_THROWS_AS(parse_squad(catalogue(), "", "list"), LoadError);
  CHECK_THROWS_AS(parse_squad(catalogue(), std::string(30'000, 'a'), "list"), LoadError);
}

TEST_CASE("squad text: lists and SPECs are told apart", "[squad]") {
  for (const char* const list : {"Han Solo + Predator", "Rey [Finn] (61)", "Han Solo (46)", "a\nb", "Guri / Han Solo",
                                 R"({"pilots": [], "link": "x?d=v1"})", "{'pilots': []}", R"("{\"pilots\": []}")",
                                 "```json {} ```", "<p class=\"x\">Guri</p>"})
    CHECK(load::is_squad_text(list));
  for (const char* const spec :
       {"3 focus lock", "3 focus + lock", "Luke Skywalker, Predator", "pilot=lukeskywalker range=1", "kavil", "X-wing"})
    CHECK_FALSE(load::is_squad_text(spec));
  CHECK(load::begins_export(" <p>Guri</p>"));
  CHECK_FALSE(load::begins_export("lists/a+b.xws"));
}

TEST_CASE("squad text: each ship has S-foils of its own", "[squad]") {
  for (const auto& [pilot, card] :
       {std::pair("Braylen Stramm", "stabilizedsfoils"), std::pair("Jessika Pava", "integratedsfoils"),
        std::pair("Jek Porkins", "servomotorsfoils")}) {
    CHECK(read(fmt::format("{}\n  S-foils\n", pilot), "xwa").begin()->back() == card);
    CHECK(squad_from_spec(catalogue(), fmt::format("{}, s-foils", pilot), "xwa", std::nullopt)
              .pilots.at(0)
              .upgrades.at(0)
              .id == card);
  }
}

TEST_CASE("squad text: a SPEC that is too long is refused at once", "[squad]") {
  std::string many = "Guri";
  while (many.size() < 5'000'000) many += ", Kavil e Guri";
  CHECK_THROWS_WITH(squad_from_spec(catalogue(), many, "xwa", std::nullopt), Catch::Contains("a SPEC at most 20000"));
}

TEST_CASE("squad text: YAML with too many keys is refused at once", "[squad]") {
  std::string keys = "pilots: []\n";
  while (keys.size() < 500'000) keys += fmt::format("k{}: 1\n", keys.size());
  CHECK_THROWS_WITH(parse_squad(catalogue(), keys, "list"), Catch::Contains("at most 20000 characters"));
}

TEST_CASE("squad text: what separates upgrades stands directly before them", "[squad]") {
  for (const std::string between : {" / ", " | ", "; "}) {
    CHECK(read("Han Solo, Predator" + between + "Chewbacca, Elusive", "first-edition") ==
          read("Han Solo, Predator\nChewbacca, Elusive", "first-edition"));
    CHECK(read("Han Solo, Predator (50)" + between + "Chewbacca, Elusive (45)", "first-edition").size() == 2);
  }
  CHECK(read("Han Solo / Predator / Chewbacca", "first-edition") ==
        std::multiset<Cards>{sorted({"hansolo", "predator", "chewbacca"})});
  std::string many = "Han Solo / Predator";
  while (many.size() < 19'000) many += " / Chewbacca";
  CHECK_THROWS_WITH(parse_squad(catalogue(), many, "list"), Catch::Contains("more than 500 cards"));
}

TEST_CASE("squad text: numbers of a line behind a label are those of its ship", "[squad]") {
  CHECK(read("Ship 1: Academy Pilot [Crack Shot] x2", "xwa").size() == 2);
  CHECK(parse_squad(catalogue(), "Ship 1: Luke Skywalker [Predator] (62)", "list", "legacy").pilots[0].points == 62);
}

TEST_CASE("squad text: a number of ships is that of the pilot behind them", "[squad]") {
  CHECK(read("2 TIE Fighters: Academy Pilot", "xwa").size() == 2);
  CHECK(read("2x TIE/ln Fighter\nAcademy Pilot x2", "xwa").size() == 4);
  for (const char* const text : {"Luke Skywalker\n2 X-wings", "Luke Skywalker [Predator]\n2 X-wings"}) {
    const Squad squad = parse_squad(catalogue(), text, "list", "xwa");
    REQUIRE(squad.pilots.size() == 1);
    CHECK(std::count(squad.notes.begin(), squad.notes.end(),
                     "line 2: \"X-wing\" is a ship without a pilot, and left out; name its pilot") == 1);
  }
}

TEST_CASE("squad text: names beside a link", "[squad]") {
  const std::string link = " https://example.org/y\n";
  CHECK(read("2 Academy Pilots" + link + "Darth Vader", "xwa").size() == 3);
  CHECK(read("Wege Antiles" + link + "Luke Skywalker", "xwa").count({"wedgeantilles"}) == 1);
  const Squad ship = parse_squad(catalogue(), "TIE/D Defender" + link + "Darth Vader", "list", "legacy");
  CHECK(ship.pilots.at(0).ship == "tieddefender");
  const Squad titled = parse_squad(catalogue(), "Night shift" + link + "Darth Vader", "list", "xwa");
  CHECK(titled.name == "Night shift");
  CHECK(std::count(titled.notes.begin(), titled.notes.end(),
                   "line 1: \"Night shift\" beside a link names no card, and is the name of the squad") == 1);
  const std::string whole = "https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4XWW142WY5X&obs=";
  const Squad linked = parse_squad(catalogue(), "Darth Vader " + whole, "list");
  CHECK(ships_of(linked) == ships_of(parse_squad(catalogue(), whole, "list")));
  CHECK(std::count(linked.notes.begin(), linked.notes.end(),
                   "the link holds the squad; the names beside it are left out") == 1);
}

TEST_CASE("squad text: blanks in a link, and words behind one", "[squad]") {
  const std::string plain = "yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4XWW142WY5X";
  const auto expected = ships_of(parse_squad(catalogue(), plain + "&obs=", "list"));
  CHECK(ships_of(parse_squad(catalogue(), plain + "&obs= my notes", "list")) == expected);
  const Squad named = parse_squad(catalogue(), "https://" + plain + "&sn=Two of them&obs=", "list");
  CHECK(ships_of(named) == expected);
  CHECK(named.name == "Two of them");
}

TEST_CASE("squad text: names that nothing separates", "[squad]") {
  CHECK(read("poe dameron black one heroic, jessika pava r2 astromech", "xwa") ==
        std::multiset<Cards>{{"poedameron", "blackone", "heroic"}, {"jessikapava", "r2astromech"}});
  CHECK(read("Mace Windu Delta-7B R4-P Astromech\nShaak Ti", "xwa") ==
        std::multiset<Cards>{{"macewindu-delta7baethersprite", "r4pastromech"}, {"shaakti"}});
  CHECK(read("RZ-2 A-wing Lulo Lampar Crack Shot", "xwa") == std::multiset<Cards>{{"lulolampar", "crackshot"}});
  // Two pilots, or words that are no names, are not divided.
  CHECK(parse_squad(catalogue(), "Kavil\nGuri Kavil", "list", "xwa").unknown.size() == 1);
  CHECK(parse_squad(catalogue(), "Kavil\nGuri Predator for ever", "list", "xwa").unknown.size() == 1);
}

TEST_CASE("squad text: commas between pilots, one of whom is also crew", "[squad]") {
  CHECK(read("Rey, Finn, Jaycris Tubbs", "xwa") == std::multiset<Cards>{{"rey"}, {"finn"}, {"jaycristubbs"}});
  CHECK(read("Dengar, Zuckuss, Guri", "xwa") == std::multiset<Cards>{{"dengar"}, {"zuckuss"}, {"guri"}});
  CHECK(read("Rey, Finn", "xwa") == std::multiset<Cards>{{"rey", "finn"}});
  CHECK(read("Rey + Finn, Jaycris Tubbs", "xwa") == std::multiset<Cards>{{"rey", "finn"}, {"jaycristubbs"}});
  // R2-D2 is a pilot of the Republic.
  CHECK(read("Luke Skywalker, R2-D2, Ten Numb", "xwa") == std::multiset<Cards>{{"lukeskywalker", "r2d2"}, {"tennumb"}});
}

TEST_CASE("squad text: numbers and plurals beside and", "[squad]") {
  const std::multiset<Cards> four{
      {"scimitarsquadronpilot"}, {"scimitarsquadronpilot"}, {"scimitarsquadronpilot"}, {"deathfire"}};
  for (const char* const text :
       {"three Scimitar Squadron Pilots and Deathfire", "Scimitar Squadron Pilots x3 and Deathfire",
        "Deathfire and 3x Scimitar Squadron Pilots", "drei Scimitar Squadron Pilots und Deathfire",
        "[9] Scimitar Squadron Pilots x3\n[9] Deathfire"}) {
    INFO(text);
    CHECK(read(text, "xwa") == four);
  }
}

TEST_CASE("squad text: points in square brackets, backslashes", "[squad]") {
  CHECK(read("[11] Kavil - Dorsal Turret\n[13] Guri", "xwa") ==
        std::multiset<Cards>{{"kavil", "dorsalturret"}, {"guri"}});
  const Squad escaped = parse_squad(catalogue(), "\\- Kavil \\(11\\)\n\\- Guri \\(13\\)", "list", "xwa");
  REQUIRE(escaped.pilots.size() == 2);
  CHECK(escaped.pilots[0].points == 11);
  CHECK(escaped.notes.empty());
}

TEST_CASE("squad text: links as mails and other sites pass them on", "[squad]") {
  const std::string whole = "https://yasb.app/?f=Galactic%20Empire&d=v10ZsZ50Z173XY193X&sn=x";
  const std::multiset<Cards> meant{{"darthvader"}, {"cutlasssquadronpilot"}};
  for (const std::string& text :
       {whole,
        std::string("https://www.example.org/go?to=https%3A%2F%2Fyasb.app%2F%3Ff%3DGalactic%2520Empire%26d%3D"
                    "v10ZsZ50Z173XY193X%26sn%3Dx&by=me"),
        std::string("https%3a%2f%2fyasb.app%2f%3fd%3dv10ZsZ50Z173XY193X"),
        std::string("https%253A%252F%252Fyasb.app%252F%253Fd%253Dv10ZsZ50Z173XY193X"),
        std::string("https://yasb.app/?f=Galactic%20Empire&d=v10ZsZ50Z173XY\n193X&sn=x"),
        std::string("Look:\nhttps://yasb.app/?f=Galactic%20\r\nEmpire&d=v10ZsZ50Z17\r\n3XY193X\r\nBye\r\n")}) {
    INFO(text);
    CHECK(ships_of(parse_squad(catalogue(), text, "list")) == meant);
  }
  // Two links stay two.
  CHECK_THROWS_WITH(parse_squad(catalogue(), whole + "\n" + whole + "2", "list"), Catch::Contains("one by one"));
}

TEST_CASE("squad text: the link below a list says its points", "[squad]") {
  const std::string list = "Kavil\nDorsal Turret\n\n";
  const auto cards = [&](const std::string& link) {
    const Squad squad = parse_squad(catalogue(), list + "View in YASB: " + link, "list");
    CHECK(squad.notes.empty());
    return squad.cards;
  };
  CHECK(cards("https://raithos.github.io/?f=Scum&d=v8ZsZ200Z112X") == "legacy");
  CHECK(cards("https://yasb.app/?f=Scum&d=v9ZsZ20Z112X") == "2025");
  CHECK(cards("https://yasb.app/?f=Scum&d=v10ZsZ50Z112X") == "xwa");
  CHECK(cards("https://xwing-legacy.com/?f=Scum") == "legacy");
  CHECK(cards("https://example.org/go?to=https%3A%2F%2Fraithos.github.io%2F%3Ff%3DScum%26d%3Dv8ZsZ200Z112X") ==
        "legacy");
  CHECK(cards("https://example.org/go?to=https%3A%2F%2Fyasb.app%2F%3Ff%3DScum%26d%3Dv9ZsZ20Z112X") == "2025");
}

TEST_CASE("squad text: names in other languages", "[squad]") {
  CHECK(read("Pilot der Akademie x2\nHowlrunner (Schwarmtaktik)", "xwa") ==
        std::multiset<Cards>{{"academypilot"}, {"academypilot"}, {"howlrunner", "swarmtactics"}});
  CHECK(read("Kavil + Pr\xC3\xA9"
             "dateur + Torpilles \xC3\xA0 Protons",
             "xwa") == std::multiset<Cards>{{"kavil", "predator", "protontorpedoes"}});
  CHECK(read("Kavil con Depredador\nPiloto de la Academia", "legacy") ==
        std::multiset<Cards>{{"kavil", "predator"}, {"academypilot"}});
  CHECK(read("Chasseur TIE/ln: Wampa\nWampa (Chasseur TIE/ln)", "xwa") == std::multiset<Cards>{{"wampa"}, {"wampa"}});
  const Squad squad = parse_squad(catalogue(), "Kavil + Jagdinstinkt", "list", "xwa");
  CHECK(squad.notes == std::vector<std::string>{"line 1: \"Jagdinstinkt\" is read as predator (Predator)"});
}

TEST_CASE("squad text: letters of names in other languages", "[squad]") {
  const std::pair<const char*, const char*> upgrades[] = {
      {"Furchteinfl\u00f6\u00dfend", "intimidation"},
      {"As de la Man\u0153uvre", "brilliantevasion"},
      {"Artillero \u00e1gil", "agilegunner"},
      {"Wendiger Sch\u00fctze", "agilegunner"},
      {"Verst\u00e4rkte Protonentorpedos", "advprotontorpedoes"},
      {"Torpilles \u00e0 Protons Avanc\u00e9es", "advprotontorpedoes"},
      {"Motor sublum\u00ednico avanzado", "advancedslam"},
      {"Ca\u00f1ones bl\u00e1ster autom\u00e1ticos", "autoblasters"},
      {"\u00c9quipe de Contr\u00f4le des D\u00e9g\u00e2ts", "damagecontrolteam"},
      {"Enchev\u00eatrement", "ensnare"},
      {"C\u00e1psulas de misiles m\u00faltiples", "multimissilepods"},
      {"\u00dcbersteuerte Schubd\u00fcsen", "overdrivethruster"},
      {"Ma\u00eetrise de Soi", "composure"},
      {"Munitions \u00e0 S\u00fbret\u00e9 Int\u00e9gr\u00e9e", "munitionsfailsafe"},
      {"Kaperer-Aufru\u0308stung", "corsairrefit"}};
  for (const auto& [name, id] : upgrades)
    CHECK(read(fmt::format("Kavil + {}", name), "legacy") == std::multiset<Cards>{{"kavil", id}});
  const std::pair<const char*, const char*> pilots[] = {
      {"Gro\u00dfinquisitor", "grandinquisitor"},
      {"Piloto del Batall\u00f3n 104", "104thbattalionpilot"},
      {"Pilote du 104\u00e8me Bataillon", "104thbattalionpilot"},
      {"\u00c9claireur de l'Escadron Noir", "blacksquadronscout"},
      {"Piloto del grupo \u00d3micron", "omicrongrouppilot"},
      {"Fan\u00e1tico de los \u00c1ngeles Cavernarios", "cavernangelszealot"}};
  for (const auto& [name, id] : pilots) CHECK(read(name, "legacy") == std::multiset<Cards>{{id}});
}

TEST_CASE("squad text: initiative and pilot skill in columns of their own", "[squad]") {
  const std::multiset<Cards> two{{"kavil", "dorsalturret"}, {"guri"}};
  for (const char* const text :
       {"I5, Kavil, Dorsal Turret\nI5, Guri", "Kavil - I5 - Dorsal Turret\nGuri - I5",
        "Init 5  Kavil  Dorsal Turret\nInit 5  Guri", "Initiative 5: Kavil, Dorsal Turret\nInitiative 5: Guri",
        "PS5 Kavil + Dorsal Turret\nPS5 Guri", "Kavil, Dorsal Turret, Initiative: 5\nGuri, Initiative: 5",
        "Initiative: 5\nKavil\nDorsal Turret\n\nInitiative: 5\nGuri", "5;Kavil;Dorsal Turret\n5;Guri"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "list", "xwa");
    CHECK(ships_of(squad) == two);
    CHECK(squad.unknown.empty());
    if (text[0] != '5') CHECK(squad.notes.empty());
  }
  const Squad skills = parse_squad(catalogue(), "4;Bossk\n3;Koshka Frost", "list", "xwa");
  CHECK(skills.pilots.at(0).points == std::nullopt);
  REQUIRE(skills.notes.size() == 1);
  CHECK(skills.notes[0].find("beside the pilots equal their skills") != std::string::npos);
}

TEST_CASE("squad text: tables with a head, and a ship behind each pilot", "[squad]") {
  const std::multiset<Cards> two{{"bossk", "greedo"}, {"koshkafrost"}};
  for (const char* const text :
       {"| Init | Pilot | Ship | Upgrades |\n|---|---|---|---|\n| 4 | Bossk | YV-666 | Greedo |\n"
        "| 3 | Koshka Frost | Firespray | |",
        "Pilot;Ship;Upgrades;Points\nBossk;YV-666;Greedo;5\nKoshka Frost;Firespray;;4",
        "Bossk, YV-666, Greedo\nKoshka Frost, Firespray"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "list", "xwa");
    CHECK(ships_of(squad) == two);
    CHECK(squad.name.empty());
    CHECK(squad.notes.size() == (text[0] == '|' ? 1 : 0));  // on its skills
  }
  // Nobody flies five copies of a unique pilot.
  CHECK(read("5 Kavil\n1 Cartel Spacer\n", "xwa") == std::multiset<Cards>{{"kavil"}, {"cartelspacer"}});
  // The upgrade of a cell may be a pilot, too.
  CHECK(read("| Duchess | TIE Striker | Fifth Brother |\n| Wampa | TIE/ln | |", "legacy") ==
        std::multiset<Cards>{{"duchess", "fifthbrother"}, {"wampa"}});
  const Squad three = parse_squad(catalogue(), "Kavil, Sabine Wren (Lancer), Bossk (Z-95), Guri", "list", "xwa");
  CHECK(ships_of(three) ==
        std::multiset<Cards>{{"kavil"}, {"sabinewren-lancerclasspursuitcraft"}, {"bossk-z95af4headhunter"}, {"guri"}});
}

TEST_CASE("squad text: initials and parts of names that fit only one card of the ship", "[squad]") {
  CHECK(read("Turr Phennir + RGT + SD", "first-edition") ==
        std::multiset<Cards>{{"turrphennir", "royalguardtie", "stealthdevice"}});
  CHECK(read("Mauler Mithel + ST", "first-edition") == std::multiset<Cards>{{"maulermithel", "swarmtactics"}});
  CHECK(read("DFS-311 + Struts\nDBS-32C + Struts", "xwa") ==
        std::multiset<Cards>{{"dfs311", "grapplingstruts"}, {"dbs32c", "landingstruts"}});
  CHECK(squad_from_spec(catalogue(), "Anakin Skywalker in Delta-7B", "xwa").pilots.at(0).ship == "delta7baethersprite");
  CHECK(squad_from_spec(catalogue(), "Kath Scarlet in The Marauder", "xwa").pilots.at(0).upgrades.at(0).id ==
        "marauder");
  CHECK(squad_from_spec(catalogue(), "Anakin Skywalker in his Delta-7B with R2-D2", "xwa").pilots.at(0).ship ==
        "delta7baethersprite");
  CHECK(read("Turr Phennir\n  SD\n  RGT", "first-edition") ==
        std::multiset<Cards>{{"turrphennir", "royalguardtie", "stealthdevice"}});
  CHECK(read("Turr Phennir\nAutothrusters + SD", "first-edition") ==
        std::multiset<Cards>{{"turrphennir", "autothrusters", "stealthdevice"}});
  CHECK(read("Omicron Group Pilot + DV", "xwa") == std::multiset<Cards>{{"omicrongrouppilot", "darthvader"}});
  // Who writes below a list may have initials, too.
  for (const std::string text :
       {"Omicron Group Pilot\nJamming Beam\nDV", "Omicron Group Pilot\nJamming Beam\n\nDV",
        "Omicron Group Pilot + Jamming Beam\n\n   DV", "Omicron Group Pilot\nJamming Beam\nDV, DV"}) {
    INFO(text);
    const Squad squad = parse_squad(catalogue(), text, "list", "xwa");
    REQUIRE(squad.pilots.at(0).upgrades.size() == 1);
    CHECK(squad.pilots[0].upgrades[0].id == "jammingbeam");
    CHECK_FALSE(squad.unknown.empty());
  }
  // Cluster Missiles or Concussion Missiles.
  const Squad several = parse_squad(catalogue(), "Captain Jonus + CM", "list", "first-edition");
  REQUIRE(several.unknown.size() == 1);
  CHECK(several.unknown[0].id == "CM");
}

TEST_CASE("squad text: words of sentences before and between names", "[squad]") {
  CHECK(read("I fly two Cartel Spacers and Serissu with Predator", "xwa") ==
        std::multiset<Cards>{{"cartelspacer"}, {"cartelspacer"}, {"serissu", "predator"}});
  CHECK(read("Kavil x1\nGuri x1", "xwa") == std::multiset<Cards>{{"kavil"}, {"guri"}});
  CHECK(read("My squad is Kavil, Guri", "xwa") == std::multiset<Cards>{{"kavil"}, {"guri"}});
  CHECK(read("Ann: our list is Kavil, Guri", "xwa") == std::multiset<Cards>{{"kavil"}, {"guri"}});
  CHECK(read("Bossk in the Hound's Tooth\nKath Scarlet in her Firespray with Marauder", "xwa") ==
        std::multiset<Cards>{{"bossk", "houndstooth"}, {"kathscarlet", "marauder"}});
  for (const std::string word : {"We", "I", "my", "our squad"}) {
    const Squad alone = parse_squad(catalogue(), "Kavil\n" + word + "\nGuri", "list", "xwa");
    REQUIRE(alone.unknown.size() == 1);
    CHECK(alone.unknown[0].id == word);
  }
  const Squad points = parse_squad(catalogue(), "Kavil 42 Dorsal Turret 2\nGuri 62", "list", "legacy");
  CHECK(ships_of(points) == std::multiset<Cards>{{"kavil", "dorsalturret"}, {"guri"}});
  CHECK(points.pilots.back().points == 62);
}

TEST_CASE("squad text: the names of ships below pilots tell the edition", "[squad]") {
  // In the first edition, TIE/D is a title of the Defender.
  CHECK(ships_of(parse_squad(catalogue(),
                             "Maarek Stele\nTIE Advanced x1\nPredator\n\nColonel Vessery\nTIE/D Defender\n", "list")) ==
        std::multiset<Cards>{{"maarekstele", "predator"}, {"colonelvessery"}});
}

TEST_CASE("squad text: slot, points and words behind the name choose among upgrades of one name", "[squad]") {
  using Ships = std::multiset<Cards>;
  CHECK(read("\"Hound\" (10)\n  Ahsoka Tano (10)\n", "xwa") == Ships{{"hound", "ahsokatano-crew"}});
  CHECK(read("\"Hound\" (10)\n  Ahsoka Tano (11)\n", "xwa") == Ships{{"hound", "ahsokatano"}});
  CHECK(read("\"Sicko\"\n  Crew: Ahsoka Tano\n", "xwa") == Ships{{"sicko", "ahsokatano-crew"}});
  CHECK(read("\"Sicko\"\n  Gunner: Ahsoka Tano\n", "2025") == Ships{{"sicko", "ahsokatano"}});
  CHECK(read("Koshka Frost\n  Slave I (0)\n", "xwa") == Ships{{"koshkafrost", "slavei-swz82"}});
  CHECK(read("Koshka Frost\n  Slave I (10)\n", "xwa") == Ships{{"koshkafrost", "slavei"}});
  CHECK(read("Koshka Frost\n  Slave I (Separatist)\n", "2025") == Ships{{"koshkafrost", "slavei-swz82"}});
  CHECK(read("Koshka Frost\n  Boba Fett (Separatist)\n", "xwa") == Ships{{"koshkafrost", "bobafett-gunner"}});
  CHECK(read("Bossk (13)\n  Maul (Mandalore)\n", "xwa") == Ships{{"bossk", "maul-crew"}});
}

TEST_CASE("squad text: boxes of the first edition behind names", "[squad]") {
  using Ships = std::multiset<Cards>;
  CHECK(read("Chewbacca (TFA) (42)\nMillennium Falcon (TFA) (1)\n", "first-edition") ==
        Ships{{"chewbacca-swx57", "millenniumfalcon-swx57"}});
  CHECK(read("\"Chopper\" (37)\nGhost (Phantom II) (0)\nFire-Control System (2)\n", "first-edition") ==
        Ships{{"chopper", "firecontrolsystem", "ghost-swx72"}});
  CHECK(read("\"Chopper\" (37)\nGhost (0)\n", "first-edition") == Ships{{"chopper", "ghost"}});
}

TEST_CASE("squad text: points below zero", "[squad]") {
  const std::multiset<Cards> ships{{"gemmersojan", "chardaanrefit"}};
  CHECK(read("**Gemmer Sojan** *22*  \nChardaan Refit *(-2)*\n", "first-edition") == ships);
  CHECK(read("Gemmer Sojan (22)\n  Chardaan Refit  (\u22122)\n", "first-edition") == ships);
}

TEST_CASE("squad text: a line below a pilot that begins with an upgrade named like a pilot", "[squad]") {
  // The sum of a ship ends it.
  CHECK(read("Lando Calrissian (44)\nHan Solo (2), Nien Nunb (1)\nShip total: 47\n\nWedge Antilles (29)\n"
             "Ship total: 29\n\nKanan Jarrus (38)\nHera Syndulla (1)\nShip total: 39\n",
             "first-edition") == std::multiset<Cards>{{"landocalrissian", "hansolo", "niennunb"},
                                                      {"wedgeantilles"},
                                                      {"kananjarrus", "herasyndulla"}});
  // Its points are far below those of the pilot.
  CHECK(read("Captain Kagi (27)\nEmperor Palpatine (8)\nSoontir Fel (27)\n", "first-edition").size() == 2);
  CHECK(read("Rear Admiral Chiraneau (46)\nKylo Ren (3), Rebel Captive (3)\n", "first-edition") ==
        std::multiset<Cards>{{"rearadmiralchiraneau", "kyloren", "rebelcaptive"}});
  // Blank lines part the ships.
  CHECK(read("Captain Oicunn\nDarth Vader, Rebel Captive\n\nHowlrunner\nPredator\n", "first-edition") ==
        std::multiset<Cards>{{"captainoicunn", "darthvader", "rebelcaptive"}, {"howlrunner", "predator"}});
  CHECK(read("Han Solo\nLuke Skywalker\nLeia Organa\n\nTotal: 50\n", "xwa").size() == 3);
  CHECK(read("Han Solo, Predator\nLuke Skywalker, R2-D2\n\nTotal: 50\n", "xwa").size() == 2);
  CHECK(read("Han Solo (46)\nLuke Skywalker (28)\n", "first-edition").size() == 2);
}

TEST_CASE("squad text: points between the ship and upgrades tell the edition", "[squad]") {
  const auto set_of = [](int first, int second) {
    const Squad squad = parse_squad(catalogue(),
                                    fmt::format("1. Soontir Fel - TIE Interceptor - {} pts: Predator\n"
                                                "2. Wampa - TIE/ln Fighter - {} pts: Crack Shot\n",
                                                first, second),
                                    "list");
    CHECK(squad.notes.empty());
    return squad.cards;
  };
  CHECK(set_of(5, 3) == "2025");
  CHECK(set_of(12, 6) == "xwa");
  CHECK(set_of(56, 27) == "legacy");
}

TEST_CASE("squad text: a faction's squad is a heading", "[squad]") {
  for (const char* const heading : {"First Order squad", "First Order list", "First Order Fleet", "First Order team:"})
    CHECK(read(std::string(heading) + "\n\nBreach\nLongshot\n", "xwa") ==
          std::multiset<Cards>{{"breach"}, {"longshot"}});
  CHECK(parse_squad(catalogue(), "Scum and Villainy list\nHan Solo\n", "list", "xwa").pilots.at(0).ship ==
        "customizedyt1300lightfreighter");
}
