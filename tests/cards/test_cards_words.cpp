// Card keys for uses a round, other cards' charges, modified dice, ranges and other ships, against closed forms. Both
// engines play each home-made card.
#include "base/text.h"
#include "support/home_cards.h"

using namespace home_cards;

namespace {

/// Attacks of red on the ships named, one after the other.
json attacks_on(const json& ships, const std::vector<std::string>& targets) {
  json out{{"ships", ships}, {"attacks", json::array()}};
  for (const std::string& target : targets) out["attacks"].push_back({{"by", "red"}, {"on", target}});
  return out;
}

json ships(int attack) {
  return {{"red", {{"attack", attack}, {"upgrades", {"card"}}}},
          {"black", {{"agility", 0}}},
          {"grey", {{"agility", 0}, {"side", "theirs"}}}};
}

}  // namespace

TEST_CASE("on = enemy: a lock on another ship of the other side", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nmay = true\n"
      "do = [{ verb = \"gain\", token = \"lock\", on = \"enemy\" }]");
  check_value(card, attacks_on(ships(2), {"black", "grey"}), 1 + 2 * 0.75);
}

TEST_CASE("locks: how many a ship can have", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nwhen = \"foe.size == 'large'\"\nmay = true\n"
      "do = [{ verb = \"gain\", token = \"lock\", on = \"enemy\" }]");
  json scenario = attacks_on(ships(1), {"white", "black", "grey"});
  scenario["ships"]["white"] = {{"agility", 0}, {"size", "large"}};
  scenario["ships"]["green"] = {{"side", "theirs"}};
  scenario["ships"]["red"]["tokens"] = {{"lock", {"black"}}};
  check_value(card, scenario, 0.5 + 0.75 + 0.5);
  check_value("locks = 2\n" + card, scenario, 0.5 + 0.75 + 0.75);
  for (const std::vector<std::string>& had : {std::vector<std::string>{"black", "green"}, {"green", "black"}}) {
    scenario["ships"]["red"]["tokens"]["lock"] = had;
    check_value("locks = 2\n" + card, scenario, 0.5 + 0.75 + 0.75);  // it keeps the lock on the ship that it attacks
    check_value("locks = 3\n" + card, scenario, 0.5 + 0.75 + 0.75);
  }
}

TEST_CASE("once_per_round: named uses are counted separately, and `done` tests one", "[cards][verbs]") {
  const std::string calculates =
      "side = \"attacker\"\nat = \"declare\"\nmay = true\n"
      "do = [{ verb = \"gain\", token = \"calculate\" }]\n";
  const std::string two = effect("once_per_round = \"one\"\n" + calculates) +
                          effect("once_per_round = \"two\"\nwhen = \"done.one\"\n" + calculates);
  // A focus result (1/4) of the one die is a hit in two of three attacks.
  check_value(two, attacks_on(ships(1), {"black", "black", "black"}), 1.5 + 0.75 - 1. / 64);  // at most two of three
}

TEST_CASE("of: the charges of another card", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"charge\", of = \"other\" }]\n"
      "do = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]");
  const std::string other =
      "charges = 1\n" + effect("at = \"always\"\ndo = [{ verb = \"stat\", stat = \"hull\", n = 1 }]");
  json scenario = attacks_on(ships(1), {"black", "black"});
  const auto value = [&] { return play({{"card", card}, {"other", other}}, scenario).value(); };
  CHECK(value() == Approx(1).margin(1e-12));  // no charge left
  scenario["ships"]["red"]["upgrades"] = {"card", "other"};
  CHECK(value() == Approx(0.75 + 0.5 + 0.5 * 0.25).margin(1e-12));  // the charge remains if the first die hit
}

TEST_CASE("markers: no charges for other cards", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"charge\", of = \"upgrade\" }]\n"
      "do = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]");
  const std::string other =
      "charges = 1\n" + effect("at = \"always\"\ndo = [{ verb = \"stat\", stat = \"hull\", n = 1 }]");
  json scenario = attacks_on(ships(1), {"black"});
  scenario["ships"]["red"]["upgrades"] = {"card", "other"};
  const auto value = [&](const std::string& keys) {
    return play({{"card", card}, {"other", keys + other}}, scenario).value();
  };
  CHECK(value("") == Approx(0.75).margin(1e-12));
  CHECK(value("markers = true\n") == Approx(0.5).margin(1e-12));
}

TEST_CASE("recoverable: other cards spend charges that they cannot recover", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"charge\", of = \"upgrade\" }]\n"
      "do = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]");
  const std::string recovers = effect(
      "side = \"attacker\"\nat = \"attack-end\"\ndo = [{ verb = \"gain\", token = \"charge\", of = \"upgrade\" }]");
  const std::string other =
      "charges = 1\n" + effect("at = \"always\"\ndo = [{ verb = \"stat\", stat = \"hull\", n = 1 }]");
  json scenario = attacks_on(ships(1), {"black", "black"});
  scenario["ships"]["red"]["upgrades"] = {"card", "recovers", "other"};
  const auto value = [&](const std::string& keys) {
    return play({{"card", card}, {"recovers", recovers}, {"other", keys + other}}, scenario).value();
  };
  CHECK(value("") == Approx(0.75 + 0.75).margin(1e-12));
  CHECK(value("recoverable = false\n") == Approx(0.75 + 0.5 + 0.5 * 0.25).margin(1e-12));
}

TEST_CASE("modified: dice that a ship modified", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"defender\"\nat = \"aftermath\"\nwhen = \"foe.modified\"\ndo = [{ verb = \"damage\", n = 1, who = "
      "\"foe\" }]");
  json scenario = defended(1, 0);
  scenario["ships"]["red"]["tokens"] = {{"focus", 1}};
  check_value(card, scenario, 0.5);  // a focus result is worth no more than the damage
  scenario["ships"]["red"].erase("tokens");
  check_value(card, scenario, 0.5);
  const std::string always = effect(
      "side = \"defender\"\nat = \"aftermath\"\nwhen = \"foe.modified\"\ndo = [{ verb = "
      "\"gain\", token = \"focus\" }]");
  scenario["ships"]["red"]["tokens"] = {{"calculate", 1}};
  const Answer answer = play({{"card", always}}, scenario);
  CHECK(answer.value() == Approx(0.75).margin(1e-12));
  CHECK(answer.left("black", "focus") == Approx(0.25).margin(1e-12));
}

TEST_CASE("reach: a weapon at other ranges, for a price", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"always\"\nwhen = \"weapon == 'gun'\"\ncost = [{ token = \"calculate\" }]\n"
      "do = [{ verb = \"reach\", n = 1, min = 1, max = 3 }]");
  const std::string gun = "weapon = { arc = \"front\", attack = 2, min_range = 1, max_range = 1, ordnance = true }\n";
  json scenario = duel(1, 0);
  scenario["ships"]["red"]["upgrades"] = {"card", "gun"};
  scenario["ships"]["red"]["tokens"] = {{"calculate", 1}};
  scenario["attacks"][0]["weapon"] = "gun";
  scenario["attacks"][0]["range"] = 2;
  const Answer paid = play({{"card", card}, {"gun", gun}}, scenario);
  CHECK(paid.value() == Approx(1).margin(1e-12));
  CHECK(paid.left("red", "calculate") == 0);
  scenario["attacks"][0]["range"] = 3;
  CHECK_THROWS_AS(play({{"card", card}, {"gun", gun}}, scenario), ScenarioError);
}

TEST_CASE("treat: a fact that holds while the ship has a token", "[cards][verbs]") {
  const std::string card = effect(
                               "side = \"attacker\"\nat = \"always\"\nwhen = \"self.calculate >= 1\"\n"
                               "do = [{ verb = \"treat\", fact = \"bullseye\", amount = \"1\" }]") +
                           effect(
                               "side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"bullseye\"\n"
                               "do = [{ verb = \"pool\", dice = \"attack\", n = 1 }]");
  json scenario = attacks_on(ships(1), {"black", "black"});
  scenario["ships"]["red"]["tokens"] = {{"calculate", 1}};
  for (json& attack : scenario["attacks"]) attack["facts"] = {"not bullseye"};
  // Two dice; the token changes a focus result to a hit. The second attack has two dice if the token is left.
  double expected = 0;
  const double face[3] = {0.5, 0.25, 0.25};  // hit, focus, blank
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const int hits = (a == 0) + (b == 0);
      const bool focus = a == 1 || b == 1;
      // Saved, the token is worth a second die and a focus result of two: 1 + 7/16. Spent, it is worth a hit now, and
      // the
      // second attack has one die.
      expected += face[a] * face[b] * (hits + (focus ? 1.5 : 1 + 7. / 16));
    }
  }
  check_value(card, scenario, expected);
}

TEST_CASE("choice: one of several options for each friend", "[cards][verbs]") {
  std::string card;
  for (const char* token : {"deplete", "strain"})
    card += effect(std::string("side = \"attacker\"\nat = \"aftermath\"\nwhen = \"ally.") + token +
                   " >= 1\"\nmay = true\nchoice = \"sheds\"\ndo = [{ verb = \"lose\", token = \"" + token +
                   "\", who = \"ally\", n = 1 }]");
  json scenario = duel(1, 0);
  for (const char* name : {"blue", "green"})
    scenario["ships"][name] = {{"attack", 2}, {"side", "mine"}, {"tokens", {{"deplete", 1}, {"strain", 1}}}};
  for (const char* name : {"blue", "green"}) scenario["attacks"].push_back({{"by", name}, {"on", "black"}});
  const Answer answer = play({{"card", card}}, scenario);
  CHECK(answer.value() == Approx(0.5 + 1 + 1).margin(1e-12));  // both remove the deplete token
  CHECK(answer.left("blue", "strain") + answer.left("green", "strain") == Approx(2).margin(1e-12));
}

TEST_CASE("bonus: an attack before all others, and between other attacks", "[cards][verbs]") {
  const std::string before = effect(
      "side = \"attacker\"\nat = \"engagement-start\"\nmay = true\ncost = [{ token = \"calculate\" }]\n"
      "do = [{ verb = \"bonus\" }]");
  json scenario = duel(2, 0);
  scenario["ships"]["red"]["side"] = "mine";
  scenario["ships"]["blue"] = {{"attack", 1}, {"side", "mine"}};
  scenario["attacks"] = {{{"by", "red"}, {"on", "black"}, {"bonus", "card"}}, {{"by", "blue"}, {"on", "black"}}};
  check_value(before, scenario, 0.5);  // it cannot be paid, so only the attack of blue happens
  scenario["ships"]["red"]["tokens"] = {{"calculate", 1}};
  check_value(before, scenario, 1.5);
  const std::string between = effect("for = \"friend\"\nat = \"aftermath\"\nmay = true\ndo = [{ verb = \"bonus\" }]");
  scenario["attacks"] = {{{"by", "blue"}, {"on", "black"}}, {{"by", "red"}, {"on", "black"}, {"bonus", "card"}}};
  scenario["ships"]["red"].erase("tokens");
  check_value(between, scenario, 1.5);
}

TEST_CASE("has: the card of a ship", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"foe.has.trackingfob\"\n"
      "do = [{ verb = \"pool\", dice = \"attack\", n = 1 }]");
  json scenario = duel(2, 0);
  check_value(card, scenario, 1);
  scenario["ships"]["black"]["upgrades"] = json::array({"trackingfob"});
  check_value(card, scenario, 1.5);
}

TEST_CASE("bonus against another ship: the one just attacked is no target", "[cards][verbs]") {
  const std::string card =
      effect("side = \"attacker\"\nat = \"aftermath\"\nmay = true\ndo = [{ verb = \"bonus\", target = \"other\" }]");
  json scenario = duel(2, 0);
  scenario["attacks"] = {{{"by", "red"}, {"on", "black"}}, {{"by", "red"}, {"on", "black"}, {"bonus", "card"}}};
  check_value(card, scenario, 1);
}

TEST_CASE("bonus against another ship: the enemy that satisfies the condition", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nwhen = \"enemy.strain >= 1\"\nmay = true\n"
      "do = [{ verb = \"bonus\", target = \"other\" }]");
  json scenario = attacks_on(ships(2), {"black", "grey"});
  scenario["attacks"][1]["bonus"] = "card";
  scenario["ships"]["silver"] = {{"side", "theirs"}, {"tokens", {{"strain", 1}}}};
  check_value(card, scenario, 1);  // the other ship is not the strained one
  scenario["ships"]["grey"]["tokens"] = {{"strain", 1}};
  check_value(card, scenario, 2);
}

TEST_CASE("condition: the card assigns it during setup, unless the scenario states it", "[cards][verbs]") {
  const std::string card = effect(
      "at = \"always\"\ndo = [{ verb = \"gain\", token = \"condition\", of = \"brokentrust\", who = \"enemy\" }]");
  json scenario = attacks_on(ships(1), {"grey"});
  scenario["ships"]["black"]["side"] = "theirs";
  scenario["ships"]["blue"] = {{"side", "mine"}};
  const auto stress = [&] { return play({{"card", card}}, scenario).left("blue", "stress"); };
  CHECK(stress() == 0);  // grey has the condition, and does not attack
  scenario["ships"]["red"]["conditions"] = {"brokentrust"};
  CHECK(stress() == Approx(1).margin(1e-12));
}

TEST_CASE("condition: what can limit which ship has it", "[cards][verbs]") {
  const auto notes = [](const std::string& when) {
    const std::string card =
        effect("at = \"always\"\nwhen = \"" + when +
               "\"\ndo = [{ verb = \"gain\", token = \"condition\", of = \"brokentrust\", who = \"enemy\" }]");
    json scenario = duel(1, 0);
    scenario["ships"]["black"]["shields"] = 2;
    return base::joined(play({{"card", card}}, scenario).question.labels.notes, "\n");
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(notes("enemy.shields <= 2"), Contains("black: has the condition brokentrust"));
  CHECK_THAT(notes("enemy.shields <= 1"), Contains("no other ship can have the condition"));
  CHECK_THAT(notes("enemy.shields <= 2 and enemy.limited"), Contains("no other ship can have"));
  CHECK_THAT(notes("enemy.pilot != 'lukeskywalker' and enemy.faction == 'rebelalliance'"), Contains("black: has"));
  for (const char* when : {"enemy.shields <= many", "enemy.shields <= 99999999999", "enemy.shields >= 2",
                           "enemy.faction == rebels", "ally.limited", "enemy.limited or enemy.limited"}) {
    INFO(when);
    CHECK_THROWS_WITH(notes(when), Contains("cannot limit who has a condition; write enemy.limited"));
  }
}

TEST_CASE("rerolled: dice as they are after a reroll", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nwhen = \"self.rerolled and count(attack.hit) == 1\"\nmay = true\n"
      "do = [{ verb = \"add\", dice = \"attack\", to = \"hit\" }]");
  json scenario = duel(1, 0);
  check_value(card, scenario, 0.5);
  scenario["ships"]["red"]["tokens"] = {{"lock", {"black"}}, {"focus", 1}};
  // Every die is better rerolled: a hit then counts twice, a critical hit or a focus result once.
  check_value(card, scenario, 3. / 8 * 2 + 1. / 8 + 2. / 8);
}

TEST_CASE("reroll: the effect counts what it rerolled", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\n"
      "do = [{ verb = \"reroll\", dice = \"attack\", from = [\"blank\"], n = 1 },\n"
      "      { verb = \"damage\", who = \"foe\", amount = \"count(roll.focus)\" }]");
  check_value(card, duel(2, 0), 2 * 0.5 + (1 - 9. / 16) * 0.75);  // a blank becomes a result, or a focus a damage
}

TEST_CASE("attacker-stays: a destroyed ship attacks in the same round", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"always\"\ndo = [{ verb = \"treat\", fact = \"attacker-stays\", amount = \"1\" }]");
  json scenario = duel(1, 0);
  scenario["objective"] = "exchange";
  scenario["ships"]["red"].update({{"agility", 0}, {"hull", 1}});
  scenario["ships"]["black"].update({{"attack", 1}, {"hull", 3}});
  scenario["attacks"] = {{{"by", "black"}, {"on", "red"}}, {{"by", "red"}, {"on", "black"}}};
  check_value(card, scenario, 0.5 - 0.5 / 3);  // shares of health: all of one point for black, one of three for red
}

TEST_CASE("gained: a gain of 0 tokens is none", "[cards][verbs]") {
  const std::string card = effect(
                               "side = \"attacker\"\nat = \"declare\"\n"
                               "do = [{ verb = \"gain\", token = \"focus\", amount = \"self.evade\" }]") +
                           effect(
                               "side = \"attacker\"\nat = \"aftermath\"\nwhen = \"gained.focus\"\n"
                               "do = [{ verb = \"damage\", who = \"foe\" }]");
  json scenario = duel(1, 0);
  check_value(card, scenario, 0.5);
  scenario["ships"]["red"]["tokens"] = {{"evade", 1}};
  check_value(card, scenario, 0.75 + 1);
}

TEST_CASE("a jammed ship spends no green token that it gains in an attack", "[cards][verbs]") {
  const auto card = [](int n) {
    return effect("side = \"attacker\"\nat = \"declare\"\ndo = [{ verb = \"gain\", token = \"focus\", n = " +
                  std::to_string(n) + " }]");
  };
  json scenario = duel(1, 0);
  scenario["ships"]["red"]["tokens"] = {{"jam", 1}};
  check_value(card(1), scenario, 0.5);
  check_value(card(2), scenario, 0.75);  // one of them is left
}

TEST_CASE("a ship of the second edition has each upgrade once", "[cards]") {
  json scenario = duel(1, 0);
  scenario["ships"]["red"]["upgrades"] = {"card", "card"};
  const auto notes = play({{"card", "charges = 1\n"}}, scenario).question.labels.notes;
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Catch::Contains("card is listed twice"));
}
