// Cached plans: repeated requests to one catalogue get the answer of a fresh catalogue, whatever was compiled in
// between, and also with home-made cards.
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "salvo/salvo.h"

using namespace salvo;

namespace {

/// A ship with a card, tokens and a lock on another ship; both have a hull.
Scenario duel() {
  Scenario out;
  out.ships["red"] = {
      .attack = 3, .agility = 2, .hull = 4, .shields = 2, .tokens = {{"focus", 1}, {"force", 1}}, .locks = {"black"}};
  out.ships["red"].upgrades = {"predator"};
  out.ships["black"] = {.attack = 2, .agility = 3, .hull = 3, .shields = 0, .tokens = {{"evade", 1}}};
  out.attacks = {{.by = "red", .on = "black", .range = 2}};
  return out;
}

std::string answered(const Catalogue& catalogue, const Scenario& scenario) {
  try {
    return to_json(answer(catalogue, scenario));
  } catch (const Error& error) {
    return std::string("error: ") + error.what();
  }
}

/// Compiled with its own catalogue, without a cache.
std::string answered_first(const Scenario& scenario) {
  return answered(Catalogue(SALVO_SOURCE_DIR "/profiles"), scenario);
}

using Change = std::function<void(Scenario&)>;

/// Scenarios that differ from the duel in one key.
std::vector<std::pair<std::string, Change>> changes() {
  return {
      {"notes", [](Scenario& s) { s.notes = {"red: the upgrade \"pred\" is read as predator"}; }},
      {"objective", [](Scenario& s) { s.objective = "kill"; }},
      {"damage deck", [](Scenario& s) { s.damage_deck = "core"; }},
      {"attacker's policy", [](Scenario& s) { s.attacker_policy = "hold"; }},
      {"defender's policy", [](Scenario& s) { s.defender_policy = "hold"; }},
      {"card set", [](Scenario& s) { s.cards = "legacy"; }},
      {"attack", [](Scenario& s) { s.ships["red"].attack = 4; }},
      {"agility", [](Scenario& s) { s.ships["black"].agility = 1; }},
      {"hull", [](Scenario& s) { s.ships["black"].hull = 2; }},
      {"shields", [](Scenario& s) { s.ships["black"].shields = 1; }},
      {"tokens", [](Scenario& s) { s.ships["black"].tokens["evade"] = 2; }},
      {"other tokens",
       [](Scenario& s) {
         s.ships["black"].tokens = {{"focus", 1}};
       }},
      {"no lock", [](Scenario& s) { s.ships["red"].locks.clear(); }},
      {"no card", [](Scenario& s) { s.ships["red"].upgrades.clear(); }},
      {"another card", [](Scenario& s) { s.ships["red"].upgrades = {"marksmanship"}; }},
      {"range", [](Scenario& s) { s.attacks[0].range = 3; }},
      {"obstructed", [](Scenario& s) { s.attacks[0].obstructed = true; }},
      {"a fact of the card", [](Scenario& s) { s.attacks[0].facts = {"not bullseye"}; }},
      {"two attacks", [](Scenario& s) { s.attacks.push_back(s.attacks[0]); }},
      {"initiatives",
       [](Scenario& s) {
         s.attacks.push_back({.by = "black", .on = "red"});
         for (ScenarioAttack& attack : s.attacks) attack.initiative = 4;  // both shoot even if destroyed
       }},
      {"an attack back", [](Scenario& s) { s.attacks.push_back({.by = "black", .on = "red"}); }},
      {"a bystander", [](Scenario& s) { s.ships["blue"] = {.side = "mine", .agility = 1}; }},
      {"a side", [](Scenario& s) { s.ships["red"].side = "theirs"; }},
      {"rules", [](Scenario& s) { s.ships["red"].tokens.erase("force"), s.rules = "first-edition"; }},
  };
}

/// A card with this id that adds attack dice.
std::string predator(int n) {
  return "format = 1\nid = \"predator\"\nkind = \"upgrade\"\n\n[[effect]]\nside = \"attacker\"\nat = \"attack-pool\"\n"
         "do = [{ verb = \"pool\", dice = \"attack\", n = " +
         std::to_string(n) + " }]\n";
}

}  // namespace

TEST_CASE("plan cache: each key distinguishes a question", "[rules][cache]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const Scenario scenario = duel();
  const std::string expected = answered_first(scenario);
  REQUIRE(expected.find("\"value\"") != std::string::npos);
  for (int i = 0; i < 3; ++i) CHECK(answered(catalogue, scenario) == expected);  // cached by now
  for (const auto& [name, change] : changes()) {
    INFO(name);
    Scenario other = duel();
    change(other);
    const std::string first = answered_first(other);
    CHECK(first != expected);
    for (int i = 0; i < 3; ++i) CHECK(answered(catalogue, other) == first);
    CHECK(answered(catalogue, scenario) == expected);
  }
}

TEST_CASE("plan cache: an error is reported each time", "[rules][cache]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  Scenario scenario = duel();
  scenario.attacks[0].range = 9;
  const std::string first = answered(catalogue, scenario);
  CHECK(first.starts_with("error: "));
  for (int i = 0; i < 3; ++i) CHECK(answered(catalogue, scenario) == first);
}

TEST_CASE("plan cache: a message names the source of the present request", "[rules][cache]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  for (const char* source : {"one.toml", "one.toml", "one.toml", "two.toml"}) {
    Scenario scenario = duel();
    scenario.source = source;
    CHECK(answered(catalogue, scenario).starts_with("{"));
    scenario.ships["red"].upgrades = {"no-such-card"};
    CHECK(answered(catalogue, scenario).find(source) != std::string::npos);
  }
}

TEST_CASE("plan cache: a catalogue with a home-made card has its own answers", "[rules][cache]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const Scenario scenario = duel();
  const std::string usual = answered_first(scenario);
  std::vector<std::string> own;
  for (int round = 0; round < 3; ++round) {
    CHECK(answered(catalogue, scenario) == usual);
    for (const int n : {1, 2}) {  // a different card with the same id each time
      Catalogue mine = catalogue;
      mine.add_card_text(predator(n), "mine");
      for (int i = 0; i < 3; ++i) own.push_back(answered(mine, scenario));
    }
  }
  // 4 and 5 dice instead of 3 dice and a reroll.
  CHECK(own[0] != usual);
  CHECK(own[3] != usual);
  CHECK(own[0] != own[3]);
  for (std::size_t i = 0; i < own.size(); ++i) CHECK(own[i] == own[i % 6 < 3 ? 0 : 3]);
}

TEST_CASE("plan cache: more questions than it holds, from several threads", "[rules][cache]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  const auto question = [](int n) {
    Scenario out = duel();
    out.ships["red"].upgrades.clear();
    out.ships["black"].hull = 1 + n;
    return out;
  };
  constexpr int kQuestions = 700, kChecked = 50;
  std::vector<std::vector<std::string>> answers(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < answers.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 3; ++round) {
        for (int n = 0; n < kQuestions; ++n) {
          std::string text = answered(catalogue, question(n));
          if (round == 2 && n % (kQuestions / kChecked) == 0) answers[t].push_back(std::move(text));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kChecked; ++i) {
    const std::string expected = answered_first(question(i * (kQuestions / kChecked)));
    for (const auto& of_thread : answers) CHECK(of_thread[static_cast<std::size_t>(i)] == expected);
  }
}
