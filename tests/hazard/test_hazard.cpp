// Hazards: every file against figures that were derived without salvo (tests/data/hazards.jsonl), the two engines
// against each other, other dice, broken files and wrong questions.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "game/plan.h"
#include "hazard/hazard.h"
#include "load/load.h"
#include "load/specs.h"
#include "report/hazard.h"
#include "support/cases.h"
#include "support/catalogue.h"
#include "support/errors.h"

namespace {

using namespace salvo;
using nlohmann::json;

using tests::catalogue;

const salvo::load::Edition& second() { return *catalogue().edition("second-edition"); }

std::vector<hazard::Target> targets(const salvo::load::Edition& edition, const std::vector<std::string>& specs) {
  const auto ships = load::ships_from_specs(catalogue(), edition.id, "", load::specs_of_option("--ship", specs));
  std::map<std::string, ScenarioShip> by_name;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < ships.size(); ++i) {
    order.push_back("s" + std::to_string(i + 1));
    by_name[order.back()] = ships[i];
  }
  return hazard::find_targets(catalogue(), edition, "", by_name, order);
}

/// The number at a path such as "ships.s1.damage.pmf.0"; 0 beyond the end of a list.
double figure(const json& result, const std::string& path) {
  const json* at = &result;
  std::stringstream parts(path);
  for (std::string part; std::getline(parts, part, '.');) {
    if (at->is_array()) {
      const auto index = static_cast<std::size_t>(std::stoul(part));
      if (index >= at->size()) return 0;
      at = &(*at)[index];
    } else {
      INFO(path);
      REQUIRE(at->contains(part));
      at = &(*at)[part];
    }
  }
  return at->get<double>();
}

void compare(const json& result, const std::string& path, const json& expected) {
  INFO(path);
  if (!expected.is_array()) {
    CHECK(figure(result, path) == Approx(expected.get<double>()).margin(1e-12));
    return;
  }
  for (std::size_t k = 0; k <= expected.size(); ++k) {
    INFO(k);
    const double value = k < expected.size() ? expected[k].get<double>() : 0;
    CHECK(figure(result, path + "." + std::to_string(k)) == Approx(value).margin(1e-12));
  }
}

struct Case {
  json entry;
  const salvo::load::Edition* edition;
  load::Hazard hazard;
};

/// The cases of the file whose edition exists.
std::vector<Case> cases() {
  std::vector<Case> out;
  for (json& entry : tests::read_cases("hazards.jsonl")) {
    const salvo::load::Edition* edition = catalogue().edition(entry["rules"].get<std::string>());
    if (edition == nullptr) continue;
    load::Hazard found = load::load_hazard(catalogue().root(), *edition, entry["hazard"].get<std::string>());
    out.push_back({std::move(entry), edition, std::move(found)});
  }
  return out;
}

hazard::Occurrence question_of(const Case& one) {
  std::map<std::string, int> numbers;
  if (one.entry.contains("set")) {
    for (const auto& [name, value] : one.entry["set"].items()) numbers[name] = value.get<int>();
  }
  return hazard::ask(*one.edition, one.hazard,
                     targets(*one.edition, one.entry["ships"].get<std::vector<std::string>>()),
                     one.entry.value("situation", ""), numbers, one.entry.value("times", 1));
}

json exact_json(const Case& one) {
  if (one.hazard.contest) {
    report::ContestReport report{&one.hazard, one.edition->id, Engine::Exact, {}, {}, {}};
    report.exact = hazard::enumerate(*one.edition, *one.hazard.contest);
    return json::parse(to_json(report));
  }
  const hazard::Occurrence question = question_of(one);
  report::HazardReport report{&question, Engine::Exact, {}, {}, {}, {}};
  report.exact = hazard::enumerate(question);
  return json::parse(to_json(report));
}

std::string error_of(const std::string& text) {
  return tests::error_of([&] { return load::parse_hazard(text, "mine.toml", second(), "mine"); });
}

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  INFO(part);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("hazards: figures derived without salvo", "[hazard]") {
  for (const Case& one : cases()) {
    INFO(one.entry.dump());
    const json result = exact_json(one);
    for (const auto& [path, expected] : one.entry["expect"].items()) compare(result, path, expected);
    if (!one.entry.contains("joint")) continue;
    const json& joint = result["ships"]["s1"]["joint"];
    REQUIRE(joint.size() == one.entry["joint"].size());
    for (std::size_t i = 0; i < joint.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(joint[i][k].get<double>() == Approx(one.entry["joint"][i][k].get<double>()));
    }
  }
}

TEST_CASE("hazards: every file and every situation has a case", "[hazard]") {
  std::set<std::string> tested;
  for (const Case& one : cases()) {
    tested.insert(one.edition->id + " " + one.hazard.id);
    if (one.hazard.contest) continue;
    for (const load::HazardSituation* situation : question_of(one).situations) {
      REQUIRE(situation != nullptr);
      tested.insert(one.edition->id + " " + one.hazard.id + " " + situation->id);
    }
  }
  for (const std::string& id : catalogue().edition_ids()) {
    for (const load::Hazard& one : load::load_hazards(catalogue().root(), *catalogue().edition(id))) {
      CHECK(tested.contains(id + " " + one.id));
      for (const load::HazardSituation& situation : one.situations) {
        INFO(id << " " << one.id << " " << situation.id);
        CHECK(tested.contains(id + " " + one.id + " " + situation.id));
      }
    }
  }
}

TEST_CASE("hazards: the engines agree", "[hazard]") {
  // Each case has a false-alarm rate of about one in a million, and the seed is fixed.
  for (const Case& one : cases()) {
    INFO(one.entry.dump());
    if (one.hazard.contest) {
      const auto& contest = *one.hazard.contest;
      CHECK(hazard::cross_check(hazard::enumerate(*one.edition, contest),
                                hazard::sample(*one.edition, contest, 20'000, 5))
                .agree);
      continue;
    }
    const hazard::Occurrence question = question_of(one);
    const CrossCheck check =
        hazard::cross_check(question, hazard::enumerate(question), hazard::sample(question, 20'000, 5));
    INFO(check.largest_name << " " << check.largest_difference << " p " << check.p);
    CHECK(check.agree);
  }
}

TEST_CASE("hazards: a die with a wrong face is noticed", "[hazard]") {
  salvo::load::Edition wrong = second();
  std::swap(wrong.attack_die.faces[0].sides, wrong.attack_die.faces[1].sides);  // 1 hit, 3 crits
  for (const char* id : {"thermal-detonator", "gas-cloud", "debris-cloud", "huge-ship-overlap"}) {
    const load::Hazard hazard = load::load_hazard(catalogue().root(), second(), id);
    const std::string spec = hazard.id == "huge-ship-overlap" ? "hull=9 size=huge" : "hull=3 shields=1";
    const auto right = hazard::ask(second(), hazard, targets(second(), {spec}), "", {}, 2);
    const auto bad = hazard::ask(wrong, hazard, targets(second(), {spec}), "", {}, 2);
    CHECK_FALSE(hazard::cross_check(right, hazard::enumerate(right), hazard::sample(bad, 20'000, 5)).agree);
  }
  const load::Hazard order = load::load_hazard(catalogue().root(), second(), "player-order");
  CHECK_FALSE(
      hazard::cross_check(hazard::enumerate(second(), *order.contest), hazard::sample(wrong, *order.contest, 20'000, 5))
          .agree);
}

TEST_CASE("hazards: equal seeds give equal trials, different seeds different ones", "[hazard]") {
  const load::Hazard hazard = load::load_hazard(catalogue().root(), second(), "thermal-detonator");
  const auto question = hazard::ask(second(), hazard, targets(second(), {"hull=3"}), "", {}, 3);
  const auto once = hazard::sample(question, 1000, 7), again = hazard::sample(question, 1000, 7);
  CHECK((once.damage == again.damage).all());
  const auto other = hazard::sample(question, 1000, 8);
  CHECK_FALSE((once.damage.size() == other.damage.size() && (once.damage == other.damage).all()));
}

TEST_CASE("hazards: another die of another edition", "[hazard]") {
  const Catalogue others(SALVO_SOURCE_DIR "/tests/data/profiles");
  const salvo::load::Edition& edition = *others.edition("six-sided");
  std::string face;
  double share = 0, sides = 0;
  for (const salvo::load::FaceSpec& one : edition.attack_die.faces) sides += one.sides;
  face = edition.attack_die.faces[0].name;
  share = edition.attack_die.faces[0].sides / sides;
  const std::string text =
      "id = \"mine\"\nname = \"Mine\"\nkind = \"mine\"\nsource = \"home-made\"\n[[situation]]\n"
      "id = \"only\"\nwhen = \"always\"\ndice = 3\non = { " +
      face + " = { hit = 1 } }\n";
  const load::Hazard mine = load::parse_hazard(text, "mine.toml", edition, "mine");
  hazard::Target target;
  target.name = "s1";
  target.size = edition.sizes[0];
  const auto question = hazard::ask(edition, mine, {target}, "", {}, 1);
  const auto answer = hazard::enumerate(question);
  CHECK(answer.damage(3) == Approx(share * share * share));
  CHECK(answer.damage.sum() == Approx(1).epsilon(1e-14));
  CHECK(hazard::cross_check(question, answer, hazard::sample(question, 20'000, 3)).agree);
}

TEST_CASE("hazards: tokens of a ship count, and it gets no others", "[hazard]") {
  const load::Hazard bomb = load::load_hazard(catalogue().root(), second(), "electro-proton-bomb");
  const auto question = hazard::ask(second(), bomb, targets(second(), {"ion=2 size=large focus"}), "", {}, 1);
  const auto answer = hazard::enumerate(question);
  for (const auto& token : answer.ships[0].tokens) {
    if (token.token == "ion") CHECK(token.reached == Approx(1 - std::pow(3.0 / 8, 4)));  // on 5 of 8 sides
    if (token.token == "focus") CHECK(token.number(1) == Approx(1));
  }
  CHECK(answer.ships[0].ship.hull.size() == 0);
  CHECK(answer.ships[0].ship.destroyed == 0);
}

TEST_CASE("hazards: remotes have neither tokens nor faceup cards", "[hazard]") {
  const load::Hazard torpedoes = load::load_hazard(catalogue().root(), second(), "tracking-torpedoes");
  const auto answer =
      hazard::enumerate(hazard::ask(second(), torpedoes, targets(second(), {"hull=2 size=remote"}), "", {}, 1));
  CHECK(answer.ships[0].faceup.size() == 1);
  CHECK_THROWS_WITH(targets(second(), {"size=remote focus"}), Catch::Contains("000: Remotes"));
}

TEST_CASE("hazards: errors in questions name the remedy", "[hazard]") {
  const auto& root = catalogue().root();
  CHECK_THROWS_WITH(load::load_hazard(root, second(), "asteriod"), Catch::Contains("did you mean \"asteroid\"?"));
  CHECK_THROWS_WITH(load::load_hazard(root, second(), "../rules/second-edition"), Catch::Contains("no hazard"));
  const load::Hazard huge = load::load_hazard(root, second(), "huge-ship-overlap");
  const auto small = targets(second(), {"hull=3"});
  CHECK_THROWS_WITH(hazard::ask(second(), huge, small, "overlaped", {}, 1),
                    Catch::Contains("did you mean overlapped?"));
  CHECK_THROWS_WITH(hazard::ask(second(), huge, small, "overlaps", {}, 1),
                    Catch::Contains("huge only, and s1 is small"));
  CHECK_THROWS_WITH(hazard::ask(second(), huge, small, "", {{"sped", 1}}, 1), Catch::Contains("did you mean speed?"));
  CHECK_THROWS_WITH(hazard::ask(second(), huge, small, "", {{"speed", 6}}, 1), Catch::Contains("from 0 to 5"));
  const load::Hazard large = load::parse_hazard(
      "id = \"mine\"\nname = \"Mine\"\nkind = \"mine\"\nsource = \"home-made\"\n[[situation]]\nid = \"a\"\n"
      "when = \"always\"\ndice = 20\non = { hit = { hit = 1 }, crit = { crit = 1 }, focus = { faceup-card = 1 } }\n",
      "mine.toml", second(), "mine");
  CHECK(hazard::enumerate(hazard::ask(second(), large, small, "", {}, 1)).damage.sum() == Approx(1).epsilon(1e-13));
  CHECK_THROWS_AS(hazard::enumerate(hazard::ask(second(), large, small, "", {}, 100)), PlanTooLarge);
  CHECK_THROWS_WITH(targets(second(), {"hull=0"}), Catch::Contains("--ship 1"));
  CHECK_THROWS_WITH(targets(second(), {"", "range=1"}),
                    Catch::Contains("--ship 2") && Catch::Contains("belongs to an attack"));
  CHECK_THROWS_WITH(targets(second(), {"lock"}), Catch::Contains("does not exist here"));
}

TEST_CASE("hazards: a size that a file does not mention is unaffected", "[hazard]") {
  const load::Hazard blaze = load::load_hazard(catalogue().root(), second(), "blaze");
  const auto question = hazard::ask(second(), blaze, targets(second(), {"hull=5 size=huge", "hull=5"}), "", {}, 2);
  CHECK(question.situations[0] == nullptr);
  const auto answer = hazard::enumerate(question);
  CHECK(answer.ships[0].ship.damage(0) == Approx(1));
  CHECK(answer.ships[1].ship.damage(2) == Approx(0.25));
  CHECK(hazard::cross_check(question, answer, hazard::sample(question, 5000, 1)).agree);
}

TEST_CASE("hazards: broken files", "[hazard][hostile]") {
  const std::string head = "id = \"mine\"\nname = \"Mine\"\nkind = \"mine\"\nsource = \"000: Mine\"\n";
  const std::string one = head + "[[situation]]\nid = \"a\"\nwhen = \"always\"\n";
  CHECK(error_of(one + "dice = 1\non = { hit = { hit = 1 } }\n") == "no error");
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "mine.toml"},
           {head, "needs either [[situation]] tables or a [contest] table"},
           {"id = \"other\"\n", "is not the name of the file"},
           {one + "dice = 21\non = { hit = { hit = 1 } }\n", "from 0 to 20"},
           {one + "dice = 1\n", "no face does anything"},
           {one + "on = { hit = { hit = 1 } }\n", "no dice are rolled"},
           {one + "dice = 1\non = { hitt = { hit = 1 } }\n", "did you mean \"hit\"?"},
           {one + "dice = 1\non = { hit = { hti = 1 } }\n", "did you mean \"hit\"?"},
           {one + "fixed = { strian = 1 }\n", "did you mean \"strain\"?"},
           {one + "fixed = { hit = -1 }\n", "from 1 to 99"},
           {one + "fixed = { hit = \"1\" }\n", "without quotes"},
           {one + "fixed = 3\n", "mine.toml:8: situation[0].fixed"},
           {one + "sizes = [\"smal\"]\n", "did you mean \"small\"?"},
           {one + "sizes = []\n", "the list is empty"},
           {one + "sizes = [\"small\"]\nremotes = true\n", "leave one of the two out"},
           {one + "first = { dice = 1 }\n", "list the faces"},
           {one + "dice_per = { speed = 1 }\non = { hit = { hit = 1 } }\n", "dice_per.speed"},
           {one + "colour = 1\n", "unknown key"},
           {one + "[[situation]]\nid = \"a\"\nwhen = \"again\"\n", "is listed twice"},
           {one + "[contest]\ndice = 3\nmost = [\"hit\"]\n", "needs either"},
           {head + "[contest]\ndice = 3\nmost = [\"hit\"]\n", "a contest has a [contest] table"},
           {head + "situation = 3\n", "with two brackets"},
           {one + "[[number]]\nid = \"n\"\nmeaning = \"m\"\nusual = 5\nmost = 3\n", "usual is not from least to most"},
           {one + "when = \"twice\"\n", "mine.toml"},
           {std::string(100'000, '['), "mine.toml"},
           {head + "x." + std::string(5000, 'a') + " = 1\n", "mine.toml"},
           {std::string("id = \"\xff\"\n"), "mine.toml"},
       }) {
    INFO(text.substr(0, 300));
    CHECK(holds(error_of(text), part));
  }
  const std::string contest = "id = \"mine\"\nname = \"Mine\"\nkind = \"contest\"\nsource = \"000: Mine\"\n[contest]\n";
  CHECK(holds(error_of(contest + "dice = 1\n"), "most or wins"));
  CHECK(holds(error_of(contest + "dice = 1\nmost = [\"hit\"]\nwins = [\"hit\"]\n"), "most or wins"));
  CHECK(holds(error_of(contest + "dice = 0\nmost = [\"hit\"]\n"), "from 1 to 20"));
  salvo::load::Edition one_face = second();
  one_face.attack_die.faces = {{"hit", 1}};
  CHECK_THROWS_WITH(hazard::enumerate(one_face, {2, {"hit"}, {}}), Catch::Contains("always tie"));
}
