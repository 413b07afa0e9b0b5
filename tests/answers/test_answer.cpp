// Answers: options are checked and applied in one place, and one catalogue serves several threads.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <limits>
#include <thread>

#include "load/load.h"
#include "salvo/advise.h"
#include "salvo/answer.h"
#include "salvo/report.h"

using namespace salvo;

namespace {

constexpr const char* kProfiles = SALVO_SOURCE_DIR "/profiles";

/// All scenarios of the examples, and some with cards.
std::vector<Scenario> many_scenarios() {
  const Catalogue catalogue(kProfiles);
  std::vector<Scenario> out;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(kProfiles) + "/scenarios")) {
    if (entry.path().string().find(".grid.") == std::string::npos) out.push_back(load_scenario(entry.path().string()));
  }
  for (const char* attack : {"3 focus lock", "ship=t65xwing pilot=wedgeantilles focus", "ship=tieddefender predator",
                             "ship=t65xwing protontorpedoes lock weapon=protontorpedoes"}) {
    for (const char* defend : {"2 evade", "ship=tieininterceptor focus", "pilot=darthvader force=2"})
      out.push_back(scenario_from_specs(catalogue, "second-edition", "", {attack, "2 focus"}, defend));
  }
  return out;
}

std::string place_of(const Scenario& scenario, const AnswerOptions& options) {
  static const Catalogue catalogue(kProfiles);
  try {
    answer(catalogue, scenario, options);
  } catch (const Error& error) {
    return error.path;
  }
  return "answered";
}

Scenario small() {
  static const Catalogue catalogue(kProfiles);
  return scenario_from_specs(catalogue, "second-edition", "", {"2 focus"}, "2 hull=3");
}

}  // namespace

TEST_CASE("answer: several threads with one catalogue get what one thread gets", "[answer]") {
  const std::vector<Scenario> scenarios = many_scenarios();
  const AnswerOptions options{.budget = 3e5, .trials = 2'000, .threads = 1, .would_add = true};
  const auto text = [&](const Catalogue& catalogue, const Scenario& scenario) {
    try {
      return to_json(answer(catalogue, scenario, options));
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  std::vector<std::string> alone;
  const Catalogue first(kProfiles);
  for (const Scenario& scenario : scenarios) alone.push_back(text(first, scenario));
  for (int run = 0; run < 3; ++run) {
    const Catalogue fresh(kProfiles);  // nothing is read yet: the threads read it at once
    std::vector<std::string> together(scenarios.size());
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (std::size_t i; (i = next++) < scenarios.size();) together[i] = text(fresh, scenarios[i]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(together == alone);
  }
}

TEST_CASE("answer: an error in a value names its field", "[answer]") {
  const Scenario scenario = small();
  CHECK(place_of(scenario, {.generator = "mersenne"}) == "generator");
  CHECK(place_of(scenario, {.target = "abacus"}) == "target");
  CHECK(place_of(scenario, {.precision = 0.0}) == "precision");
  CHECK(place_of(scenario, {.precision = 0.6}) == "precision");
  CHECK(place_of(scenario, {.precision = std::numeric_limits<double>::quiet_NaN()}) == "precision");
  CHECK(place_of(scenario, {.trials = 0}) == "trials");
  CHECK(place_of(scenario, {.trials = kMaxTrials + 1}) == "trials");
  CHECK(place_of(scenario, {.threads = -1}) == "threads");
  CHECK(place_of(scenario, {.budget = 0.0}) == "budget");
  CHECK(place_of(scenario, {.engine = EngineChoice::Sample, .certify = true}) == "certify");
  CHECK(place_of(scenario, {.overrides = {.objective = "glory"}}) == "objective");
  CHECK(place_of(scenario, {.overrides = {.attacker_policy = "unread.toml"}}) == "attacker_policy");
  CHECK(place_of(scenario, {.generator = "ars-7"}) == "answered");
}

TEST_CASE("answer: overrides replace keys of the scenario, and errors name the override", "[answer]") {
  const Catalogue catalogue(kProfiles);
  Scenario scenario = small();
  scenario.objective = "damage";
  const Report report = answer(catalogue, scenario, {.overrides = {.objective = "kill"}});
  CHECK(report.objective == "kill");
  CHECK(report.estimates.value.value == report.ship("d").destroyed.value);
  for (const bool as_options : {false, true}) {
    try {
      answer(catalogue, scenario, {.overrides = {.damage_deck = "tarot", .as_options = as_options}});
      FAIL("no error");
    } catch (const LoadError& error) {
      CHECK(std::string(error.what()).starts_with(as_options ? "--damage-deck: " : "damage_deck: "));
    }
  }
}

TEST_CASE("answer: a parsed policy replaces its file", "[answer]") {
  const Catalogue catalogue(kProfiles);
  const Scenario scenario = small();
  const auto rules = std::make_shared<const PolicySpec>(parse_policy("[[rule]]\nspend = 0\n", "nothing.toml"));
  const Report listed =
      answer(catalogue, scenario, {.overrides = {.attacker_policy = "nothing.toml", .attacker_rules = rules}});
  const Report held = answer(catalogue, scenario, {.overrides = {.attacker_policy = "hold"}});
  CHECK(listed.estimates.value.value == Approx(held.estimates.value.value).margin(1e-12));
  Scenario named = scenario;
  named.attacker_policy = "nothing.toml";
  named.attacker_rules = rules;
  // A policy of the options replaces it, including its rules.
  CHECK(answer(catalogue, named, {.overrides = {.attacker_policy = "hold"}}).estimates.value.value ==
        held.estimates.value.value);
}

TEST_CASE("answer: sampling reports progress and can be stopped", "[answer]") {
  const Catalogue catalogue(kProfiles);
  std::uint64_t calls = 0, planned_last = 1;
  bool began = false;
  AnswerOptions options{.engine = EngineChoice::Sample, .precision = 1e-5};
  options.sampling_begins = [&] { began = true; };
  options.progress = [&](std::uint64_t, std::uint64_t planned) {
    planned_last = planned;
    return ++calls < 3;
  };
  const Report report = answer(catalogue, small(), options);
  CHECK(began);
  CHECK(calls == 3);
  CHECK(planned_last == 0);  // a precision alone has no number of trials
  REQUIRE(report.sample);
  CHECK(report.sample->interrupted);
  CHECK(report.sample->trials > 0);
}

TEST_CASE("answer: advice accepts the same options", "[answer]") {
  const Catalogue catalogue(kProfiles);
  const DecisionSpec point{.rolled = "focus blank"};
  const Advice best = advise(catalogue, small(), point);
  CHECK(best.objective == "damage");
  REQUIRE(best.options.size() == 2);
  CHECK(best.options[0].play == "spend focus");
  CHECK(advise(catalogue, small(), point, {.overrides = {.objective = "kill"}}).objective == "kill");
  CHECK_THROWS_AS(advise(catalogue, small(), point, {.budget = -1.0}), ScenarioError);
}

TEST_CASE("a title of another ship is counted, and a note says so", "[answers]") {
  const auto notes_with = [](const char* ship) {
    Scenario scenario;
    scenario.source = "test";  // without one it counts as a part of a study
    scenario.ships["a"] = {.upgrades = {"outrider"}, .attack = 3};
    if (*ship != 0) scenario.ships["a"].ship = ship;
    scenario.ships["d"] = {.agility = 2};
    scenario.attacks.push_back({.by = "a", .on = "d"});
    const std::vector<std::string> notes = answer(Catalogue(kProfiles), scenario, {}).notes;
    return std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("Outrider belongs to the ship YT-2400 Light Freighter, and this is") != note.npos;
    });
  };
  CHECK(notes_with("t65xwing") == 1);
  CHECK(notes_with("yt2400lightfreighter") == 0);
  CHECK(notes_with("") == 0);  // bare dice are of no ship
}
