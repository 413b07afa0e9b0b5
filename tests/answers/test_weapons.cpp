// The weapon of an attack for which nobody named one. Values are closed forms against no defense dice: a die is a hit
// with 1/2, with a lock 3/4.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/load.h"
#include "salvo/report.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using Specs = std::vector<std::string>;

Report answer_specs(const Specs& attacks, const Specs& defend = {"0 hull=9"}) {
  return answer(tests::catalogue(), scenario_from_specs(tests::catalogue(), "second-edition", "", attacks, defend));
}

bool notes_contain(const Report& report, const std::string& part) {
  for (const std::string& note : report.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

double mean_of(const Report& report) { return report.ship("d").mean_damage.value; }

}  // namespace

TEST_CASE("a SPEC uses its best weapon", "[answers][weapons]") {
  const Report torpedo = answer_specs({"3 protontorpedoes lock"});
  CHECK(mean_of(torpedo) == Approx(4 * 0.75));
  CHECK(torpedo.estimates.attacks[0].attack_dice.value == Approx(4));
  CHECK(notes_contain(torpedo, "a1 uses the weapon protontorpedoes (3.000)"));
  CHECK(notes_contain(torpedo, "not primary (2.250)"));
  CHECK(mean_of(answer_specs({"3 protontorpedoes lock weapon=primary"})) == Approx(3 * 0.75));
  CHECK(answer_specs({"3 protontorpedoes lock weapon=primary"}).notes.empty());
  CHECK(answer_specs({"3 lock"}).notes.empty());
}

TEST_CASE("a weapon that cannot be used is named with the reason", "[answers][weapons]") {
  const Report no_lock = answer_specs({"3 protontorpedoes"});
  CHECK(mean_of(no_lock) == Approx(1.5));
  CHECK(notes_contain(no_lock, "a1 uses the weapon primary (1.500)"));
  CHECK(notes_contain(no_lock, "protontorpedoes (cannot attack: 'protontorpedoes' needs a lock on d"));
  const Report near = answer_specs({"3 protontorpedoes lock range=1"});
  CHECK(mean_of(near) == Approx(4 * 0.75));
  CHECK(notes_contain(near, "protontorpedoes (cannot attack: 'protontorpedoes' shoots at range 2 to 3, not 1"));
}

TEST_CASE("of equal weapons the primary is used, and each ship has its own", "[answers][weapons]") {
  CHECK(notes_contain(answer_specs({"3 concussionmissiles lock"}), "a1 uses the weapon primary (2.250)"));
  const Report both = answer_specs({"3 protontorpedoes lock", "3 protontorpedoes focus"});
  CHECK(both.estimates.attacks[0].attack_dice.value == Approx(4));
  CHECK(both.estimates.attacks[1].attack_dice.value == Approx(3));
  CHECK(mean_of(answer_specs({"3 protontorpedoes lock x2"})) == Approx(2 * 4 * 0.75));
}

TEST_CASE("with several targets the attacker chooses weapon and target", "[answers][weapons]") {
  const Report report = answer_specs({"3 protontorpedoes lock=d2"}, {"0 hull=9", "0 hull=9"});
  CHECK(report.ship("d2").mean_damage.value == Approx(4 * 0.75));
  CHECK(notes_contain(report, "weapon=primary names one"));
}

TEST_CASE("a file uses the primary weapon, and the answer notes a better one", "[answers][weapons]") {
  const std::string start =
      R"({"ships": {"red": {"attack": 3, "upgrades": ["protontorpedoes"], "tokens": {"lock": ["d"]}},
    "d": {"hull": 9}}, "attacks": [{"by": "red", "on": "d")";
  AnswerOptions options;
  options.weapon_notes = true;
  const Scenario scenario = parse_scenario(start + "}]}", "x.json");
  for (int i = 0; i < 3; ++i) {  // from the cache, too
    CHECK(answer(tests::catalogue(), scenario).notes.empty());
    CHECK(notes_contain(answer(tests::catalogue(), scenario, options), "does more"));
  }
  const Report report = answer(tests::catalogue(), scenario, options);
  CHECK(mean_of(report) == Approx(3 * 0.75));
  CHECK(notes_contain(report, "red uses its primary (2.250)"));
  CHECK(notes_contain(report, "the weapon protontorpedoes (3.000) does more"));
  const std::string named = start + R"(, "weapon": "primary"}]})";
  CHECK(answer(tests::catalogue(), parse_scenario(named, "x.json"), options).notes.empty());
}
