// The library as its users see it: this file includes public headers only.
// Expected values are computed here: an attack die hits with 1/2 (3 hits and 1 crit on 8 sides).
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

const std::string kProfiles = SALVO_SOURCE_DIR "/profiles";
constexpr double kTolerance = 1e-12;

/// `dice` attack dice on a ship without defense dice: damage is binomial (dice, 1/2).
salvo::Scenario plain_attack(int dice, int hull) {
  salvo::Scenario scenario;
  scenario.ships["red"] = {.attack = dice};
  scenario.ships["blue"] = {.agility = 0, .hull = hull};
  scenario.attacks = {{.by = "red", .on = "blue"}};
  return scenario;
}

/// Ten-sided dice: hits, crits included, with 6 in 10, evades with 4 in 10.
constexpr const char* kTenSided = R"(
format = 1
id = "ten-sided"
name = "Ten-sided dice"
sizes = ["small"]
tokens = {}
dice.attack = { hit = 4, crit = 2, blank = 4 }
dice.defense = { evade = 4, blank = 6 }
)";

/// With a charge, all blanks may be rerolled once.
constexpr const char* kSteadyAim = R"(
id = "steady-aim"
kind = "upgrade"
charges = 1
[[effect]]
side = "attacker"
at = "attack-mod"
may = true
cost = [{ token = "charge" }]
do = [{ verb = "reroll", dice = "attack", from = ["blank"], n = "any" }]
)";

/// The Error that `ask` throws.
template <typename Ask>
salvo::Error error_of(Ask ask) {
  try {
    ask();
  } catch (const salvo::Error& error) {
    return error;
  }
  FAIL("nothing was thrown");
  return salvo::Error("");
}

}  // namespace

TEST_CASE("library: a scenario built field by field has figures by ship name", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const salvo::Report report = salvo::answer(catalogue, plain_attack(3, 3));
  CHECK(report.engine == salvo::Engine::Exact);
  CHECK(report.rules == "second-edition");
  CHECK(report.estimates.trials == 0);
  CHECK(report.estimates.value.value == Approx(1.5).epsilon(kTolerance));
  const salvo::ShipEstimates& blue = report.ship("blue");
  CHECK(blue.mean_damage.value == Approx(1.5).epsilon(kTolerance));
  CHECK(blue.mean_damage.se == 0);
  CHECK(blue.destroyed.value == Approx(1.0 / 8).epsilon(kTolerance));
  REQUIRE(blue.at_least.size() == 4);
  CHECK(blue.at_least[2].value == Approx(1.0 / 2).epsilon(kTolerance));
  CHECK(blue.pmf[1].value == Approx(3.0 / 8).epsilon(kTolerance));
  CHECK_FALSE(report.ship("red").attacked);
  REQUIRE(report.estimates.attacks.size() == 1);
  CHECK(report.estimates.attacks[0].by == "red");
  CHECK(report.estimates.attacks[0].hit_probability.value == Approx(7.0 / 8).epsilon(kTolerance));
  CHECK_THAT(error_of([&] { static_cast<void>(report.ship("blu")); }).what(), Contains("blue"));
}

TEST_CASE("library: files, texts, specs and fields ask the same question", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const std::string toml =
      "[ships.a1]\nattack = 3\ntokens = { focus = 1 }\n[ships.d]\nagility = 2\nhull = 3\n"
      "[[attacks]]\nby = \"a1\"\non = \"d\"\nrange = 1\n";
  const std::string json = R"({"ships": {"a1": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2, "hull": 3}},)"
                           R"( "attacks": [{"by": "a1", "on": "d", "range": 1}]})";
  const fs::path file = fs::temp_directory_path() / ("salvo_library_" + std::to_string(::getpid()) + ".toml");
  std::ofstream(file) << toml;
  const salvo::Scenario from_file = salvo::load_scenario(file.string());
  fs::remove(file);
  salvo::Scenario fields;
  fields.ships["a1"] = {.attack = 3, .tokens = {{"focus", 1}}};
  fields.ships["d"] = {.agility = 2, .hull = 3};
  fields.attacks = {{.by = "a1", .on = "d", .range = 1}};
  const std::string want = salvo::to_json(salvo::answer(catalogue, fields));
  for (const salvo::Scenario& scenario :
       {from_file, salvo::parse_scenario(toml, "a.toml"), salvo::parse_scenario(json, "a.json"),
        salvo::scenario_from_specs(catalogue, {"3 focus range=1"}, "2 hull=3")}) {
    CHECK(scenario.ships == fields.ships);
    CHECK(scenario.attacks == fields.attacks);
    CHECK(salvo::to_json(salvo::answer(catalogue, scenario)) == want);
  }
}

TEST_CASE("library: sampled figures have standard errors and agree with the exact ones", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const salvo::Report report =
      salvo::answer(catalogue, plain_attack(3, 3), {.engine = salvo::EngineChoice::Both, .trials = 100'000, .seed = 7});
  REQUIRE(report.cross_check);
  CHECK(report.cross_check->agree);
  REQUIRE(report.sample);
  CHECK(report.sample->trials == 100'000);
  CHECK(report.sample->seed == 7);
}

TEST_CASE("library: overrides replace keys of the scenario", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const salvo::Report report = salvo::answer(catalogue, plain_attack(3, 3), {.overrides = {.objective = "kill"}});
  CHECK(report.objective == "kill");
  CHECK(report.estimates.value.value == Approx(1.0 / 8).epsilon(kTolerance));
}

TEST_CASE("library: all errors derive from Error and give a key and a remedy", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  SECTION("a text that is not a scenario") {
    const std::string text = "[ships.d]\n[ships.a]\natack = 3\n[[attacks]]\nby = \"a\"\non = \"d\"\n";
    const auto error = error_of([&] { static_cast<void>(salvo::parse_scenario(text, "a.toml")); });
    CHECK(error.path == "ships.a.atack");
    CHECK_THAT(error.what(), Contains("a.toml:3: ") && Contains("attack"));
  }
  SECTION("a scenario that cannot be played") {
    salvo::Scenario scenario = plain_attack(3, 3);
    scenario.ships["red"].tokens["focsu"] = 1;
    const auto error = error_of([&] { static_cast<void>(salvo::answer(catalogue, scenario)); });
    CHECK(error.path == "ships.red.tokens.focsu");
    CHECK_THAT(error.what(), Contains("focus"));
  }
  SECTION("numbers that no file may hold") {
    const auto path_of = [&](const auto& change) {
      salvo::Scenario scenario = plain_attack(3, 3);
      scenario.attacks.push_back(scenario.attacks[0]);
      scenario.rounds.resize(2);
      change(scenario, scenario.ships["red"]);
      return error_of([&] { static_cast<void>(salvo::answer(catalogue, scenario)); }).path;
    };
    for (const int n : {-1, 1000, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
      CHECK(path_of([n](auto&, auto& ship) { ship.attack = n; }) == "ships.red.attack");
      CHECK(path_of([n](auto&, auto& ship) { ship.agility = n; }) == "ships.red.agility");
      CHECK(path_of([n](auto&, auto& ship) { ship.hull = n; }) == "ships.red.hull");
      CHECK(path_of([n](auto&, auto& ship) { ship.shields = n; }) == "ships.red.shields");
      CHECK(path_of([n](auto& scenario, auto&) { scenario.attacks[1].round = n; }) == "attacks");
    }
    CHECK(path_of([](auto& scenario, auto&) { scenario.attacks[0].round = 1; }) == "attacks");  // and the second is 0
  }
  SECTION("an invalid option") {
    const auto error = error_of(
        [&] { static_cast<void>(salvo::answer(catalogue, plain_attack(3, 3), {.generator = "dice-in-a-cup"})); });
    CHECK(error.path == "generator");
    CHECK_THAT(error.what(), Contains("philox"));
  }
  SECTION("too large for the budget") {
    salvo::Scenario scenario = plain_attack(3, 3);
    scenario.ships["red"].tokens["focus"] = 1;
    const salvo::AnswerOptions options{.engine = salvo::EngineChoice::Exact, .budget = 1};
    CHECK_THROWS_AS(salvo::answer(catalogue, scenario, options), salvo::PlanTooLarge);
  }
  SECTION("no profiles") {
    CHECK_THAT(error_of([] { salvo::Catalogue("/nowhere"); }).what(), Contains("/nowhere"));
  }
}

TEST_CASE("library: the progress callback follows and stops sampling", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const auto thread = std::this_thread::get_id();
  int calls = 0;
  bool here = true;
  salvo::AnswerOptions options{.engine = salvo::EngineChoice::Sample, .trials = salvo::kMaxTrials};
  options.progress = [&](std::uint64_t, std::uint64_t planned) {
    here = here && std::this_thread::get_id() == thread && planned == salvo::kMaxTrials;
    return ++calls < 3;
  };
  const salvo::Report report = salvo::answer(catalogue, plain_attack(3, 3), options);
  CHECK(calls == 3);
  CHECK(here);
  REQUIRE(report.sample);
  CHECK(report.sample->interrupted);
  CHECK(report.sample->trials > 0);
  CHECK(report.sample->trials < salvo::kMaxTrials);
  CHECK(report.estimates.trials == report.sample->trials);
}

TEST_CASE("library: home-made cards and dice come from texts, and only their catalogue has them", "[library]") {
  const salvo::Catalogue base(kProfiles);
  salvo::Catalogue mine = base;
  CHECK(mine.add_rules_text(kTenSided, "dice") == "ten-sided");
  mine.add_card_text(kSteadyAim, "card");
  CHECK(mine.edition_ids().back() == "ten-sided");
  CHECK(mine.upgrade_exists("steady-aim", "2025"));
  CHECK_FALSE(base.upgrade_exists("steady-aim", "2025"));
  CHECK(base.edition("ten-sided") == nullptr);

  salvo::Scenario scenario = plain_attack(2, 2);
  scenario.rules = "ten-sided";
  // Each die hits with 0.6; the card rerolls each blank once.
  CHECK(salvo::answer(mine, scenario).estimates.value.value == Approx(2 * 0.6).epsilon(kTolerance));
  scenario.ships["red"].upgrades = {"steady-aim"};
  CHECK(salvo::answer(mine, scenario).ship("blue").destroyed.value == Approx(0.84 * 0.84).epsilon(kTolerance));
  CHECK_THAT(error_of([&] { static_cast<void>(salvo::answer(base, scenario)); }).what(), Contains("ten-sided"));

  // Copies are independent of each other, and shared data outlives the original.
  salvo::Catalogue copy = mine;
  mine = base;
  CHECK(copy.upgrade_exists("steady-aim", "2025"));
  CHECK_FALSE(mine.upgrade_exists("steady-aim", "2025"));
  CHECK(salvo::answer(copy, scenario).ship("blue").destroyed.value == Approx(0.84 * 0.84).epsilon(kTolerance));

  CHECK_THAT(error_of([&] { copy.add_card_text(kSteadyAim, "again"); }).what(), Contains("again"));
  CHECK_THAT(error_of([&] { copy.add_rules_text(kTenSided, "again"); }).what(), Contains("again") && Contains("id"));
  CHECK_THAT(error_of([&] { copy.add_rules_text("id = \"second-edition\"", "mine"); }).what(), Contains("another"));
  CHECK_THAT(error_of([&] { copy.add_rules_text("id = \"facts\"", "mine"); }).what(), Contains("id"));
  CHECK_THAT(error_of([&] { copy.add_rules("/nowhere.toml"); }).what(), Contains("/nowhere.toml"));
}

TEST_CASE("library: the fewest dice of an edition are rolled by both engines", "[library]") {
  salvo::Catalogue mine(kProfiles);
  const std::string rules = std::string(kTenSided) + "dice.minimum = 5\n";
  salvo::Scenario scenario = plain_attack(2, 8);
  scenario.rules = mine.add_rules_text(rules, "dice");
  const salvo::Report report = salvo::answer(mine, scenario, {.engine = salvo::EngineChoice::Both, .trials = 20'000});
  CHECK(report.estimates.attacks[0].attack_dice.value == Approx(5).epsilon(kTolerance));
  // Five dice against five: hits minus evades are distributed like successes minus five in ten dice of 0.6.
  CHECK(report.estimates.value.value == Approx(1.235077632).epsilon(kTolerance));
  REQUIRE(report.cross_check);
  CHECK(report.cross_check->agree);
}

TEST_CASE("library: rules of an edition act where their conditions hold, and read known facts only", "[library]") {
  const auto effect = [](const std::string& id, const std::string& when) {
    return "[[effect]]\nid = \"" + id + "\"\nsource = \"000\"\nside = \"attacker\"\nat = \"attack-pool\"\nwhen = \"" +
           when + "\"\ndo = [{ verb = \"pool\", dice = \"attack\", n = 1 }]\n";
  };
  std::string rules = kTenSided;
  rules.replace(rules.find("tokens = {}"), 11, "tokens = { tired = {} }");
  rules += effect("far", "range == 2 and not obstructed or range >= 4") +
           effect("both", "obstructed and self.tired >= 1") +
           effect("either", "obstructed-by-ship or self.tired == 2") +
           effect("near", "range == 1 and not obstructed-by-device");
  salvo::Catalogue mine(kProfiles);
  salvo::Scenario scenario = plain_attack(1, 8);
  scenario.rules = mine.add_rules_text(rules, "rules");
  salvo::ScenarioAttack& attack = scenario.attacks[0];
  for (attack.range = 1; attack.range <= 3; ++attack.range) {
    for (const bool obstructed : {false, true}) {
      for (int tired = 0; tired <= 2; ++tired) {
        for (const char* fact : {"", "obstructed-by-ship", "obstructed-by-device"}) {
          attack.obstructed = obstructed;
          scenario.ships["red"].tokens = {{"tired", tired}};
          attack.facts.clear();
          if (*fact != '\0') attack.facts = {fact};
          const bool ship = std::string(fact) == "obstructed-by-ship",
                     device = std::string(fact) == "obstructed-by-device";
          const int dice = 1 + (attack.range == 2 && !obstructed) + (obstructed && tired >= 1) + (ship || tired == 2) +
                           (attack.range == 1 && !device);
          const salvo::Report report = salvo::answer(mine, scenario);
          CHECK(report.estimates.attacks[0].attack_dice.value == Approx(dice).epsilon(kTolerance));
          CHECK(report.notes.size() == 0);  // every token and fact is read by a rule
        }
      }
    }
  }

  const std::string unknown = rules + effect("fog", "in-thick-fog");
  salvo::Catalogue wrong(kProfiles);
  static_cast<void>(wrong.add_rules_text(unknown, "rules"));
  CHECK_THAT(error_of([&] { static_cast<void>(salvo::answer(wrong, scenario)); }).what(), Contains("in-thick-fog"));
}

TEST_CASE("library: a catalogue lists the names that scenarios may use", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const auto has = [](const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  CHECK(has(catalogue.edition_ids(), "second-edition"));
  CHECK(has(catalogue.deck_ids("second-edition"), "core"));
  CHECK(has(salvo::Catalogue::card_sets(), catalogue.card_set("", "second-edition")));
  CHECK(has(catalogue.ship_ids("2025"), "t65xwing"));
  CHECK(has(catalogue.pilot_ids("2025"), "lukeskywalker"));
  CHECK(has(catalogue.upgrade_ids("2025"), "predator"));
  CHECK(catalogue.facts().contains("bullseye"));
  CHECK(catalogue.ship_ids("no-such-set").empty());
}

TEST_CASE("library: advice gives the value of each play", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  salvo::Scenario scenario = plain_attack(3, 3);
  scenario.ships["red"].tokens = {{"focus", 1}};
  const salvo::Advice advice = salvo::advise(catalogue, scenario, {.rolled = "hit focus blank"});
  REQUIRE(advice.options.size() == 2);  // spend the focus token, or nothing
  CHECK(advice.mover == "red");
  CHECK(advice.options[0].value == Approx(2).epsilon(kTolerance));
  CHECK(advice.options[0].loss == 0);
  CHECK(advice.options[1].loss == Approx(1).epsilon(kTolerance));
  const auto error =
      error_of([&] { static_cast<void>(salvo::advise(catalogue, scenario, {.rolled = "hit focus evade"})); });
  CHECK_THAT(error.what(), Contains("evade"));
}

TEST_CASE("library: a squad is read and reported", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const salvo::Squad squad = salvo::parse_squad(
      catalogue,
      R"({"faction": "rebelalliance", "ruleset": "XWA", "pilots": [{"id": "lukeskywalker", "ship": "t65xwing",)"
      R"( "upgrades": {"talent": ["predator", "nosuchcard"]}}]})",
      "mine.json");
  REQUIRE(squad.pilots.size() == 1);
  REQUIRE(squad.unknown.size() == 1);
  CHECK(squad.unknown[0].id == "nosuchcard");
  const salvo::SquadReport report = salvo::squad_report(catalogue, squad);
  REQUIRE(report.pilots.size() == 1);
  CHECK(report.pilots[0].pilot.id == "lukeskywalker");
  CHECK(report.pilots[0].summary.damage.value > 0);
  CHECK(report.pilots[0].summary.shots > 1);
  CHECK(salvo::to_json(report).starts_with("{"));
  CHECK_THAT(salvo::to_json(report), Contains("\"lukeskywalker\""));
}

TEST_CASE("library: no engine answers for a ship without a weapon for the range", "[library]") {
  const salvo::Catalogue catalogue(kProfiles);
  const salvo::Squad squad = salvo::parse_squad(
      catalogue, R"({"faction": "rebels", "version": "0.2.0", "pilots": [{"name": "wedgeantilles", "ship": "xwing"}]})",
      "mine.json");
  const salvo::SquadReport report = salvo::squad_report(catalogue, squad, {.against = squad, .range = 0});
  REQUIRE(report.attacks.cells.size() == 1);
  const salvo::DuelResult& result = report.attacks.cells[0].at(0).result;
  CHECK(!result.possible);
  CHECK(!result.engine);
  CHECK_THAT(salvo::to_json(report), Contains("\"engine\": \"\""));
}

TEST_CASE("library: engines have names", "[library]") {
  for (const auto choice : {salvo::EngineChoice::Exact, salvo::EngineChoice::Sample, salvo::EngineChoice::Both})
    CHECK(salvo::parse_engine(salvo::to_string(salvo::engine_of(choice))) == choice);
  CHECK(salvo::to_string(salvo::Engine::Sample) == "sample");
  CHECK(salvo::to_string(salvo::Engine::Mixed) == "mixed");
  CHECK(!salvo::parse_engine("mixed"));
  CHECK(!salvo::parse_engine(""));
}

TEST_CASE("library: one catalogue gives several threads the same answers", "[library]") {
  // Cards and ships of several files each, so that the threads meet while these are read.
  const std::vector<std::vector<std::string>> questions{
      {"ship=t65xwing pilot=lukeskywalker predator focus", "ship=tieininterceptor evade"},
      {"ship=t65xwing pilot=wedgeantilles crackshot lock", "ship=tielnfighter"},
      {"ship=tieininterceptor pilot=soontirfel predator focus", "ship=t65xwing"},
      {"3 steady-aim", "2 evade hull=3"}};
  const auto answers = [&](const salvo::Catalogue& base, std::size_t first) {
    salvo::Catalogue mine = base;  // a copy with another card, while others use the base
    mine.add_card_text(kSteadyAim, "card");
    std::vector<std::string> out(2 * questions.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t at = (first + i) % out.size();
      const auto& question = questions[at % questions.size()];
      const bool own = at >= questions.size() || question[0].find("steady-aim") != std::string::npos;
      const salvo::Catalogue& catalogue = own ? mine : base;
      out[at] =
          salvo::to_json(salvo::answer(catalogue, salvo::scenario_from_specs(catalogue, {question[0]}, question[1]),
                                       {.trials = 2'000, .threads = 1}));
    }
    return out;
  };
  const std::vector<std::string> want = answers(salvo::Catalogue(kProfiles), 0);
  for (int round = 0; round < 3; ++round) {
    const salvo::Catalogue shared(kProfiles);  // nothing is read yet
    std::vector<std::vector<std::string>> got(8);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < got.size(); ++t) threads.emplace_back([&, t] { got[t] = answers(shared, t); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& one : got) CHECK(one == want);
  }
}

TEST_CASE("library: the build reports its version", "[library]") {
  const salvo::BuildInfo info = salvo::build_info();
  CHECK(std::count(info.version.begin(), info.version.end(), '.') == 2);
  CHECK_FALSE(info.commit.empty());
  const auto is_fmt = [](const std::string& package) { return package.starts_with("fmt ") && package.size() > 6; };
  CHECK(std::any_of(info.packages.begin(), info.packages.end(), is_fmt));
  CHECK(info.targets.back() == "reference");
  CHECK(info.generators.size() > 1);
  for (const std::string& generator : info.generators) {
    const salvo::AnswerOptions options{.engine = salvo::EngineChoice::Sample, .trials = 100, .generator = generator};
    CHECK(salvo::answer(salvo::Catalogue{}, plain_attack(3, 2), options).sample->generator == generator);
  }
}
