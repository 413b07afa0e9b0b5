// Verbs, windows and prices of cards against closed forms. Each home-made card is played by both engines.
#include "support/home_cards.h"

using namespace home_cards;

TEST_CASE("spend: a result is the price of damage", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\n"
      "do = [{ verb = \"spend\", dice = \"attack\", from = [\"focus\"] }, { verb = \"damage\", who = \"foe\" }]");
  check_value(card, duel(1, 0), 0.5 + 0.25);
  const std::string two = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\n"
      "do = [{ verb = \"spend\", dice = \"attack\", from = [\"blank\"], n = 2 }, { verb = \"damage\", who = \"foe\" "
      "}]");
  check_value(two, duel(1, 0), 0.5);          // one blank does not pay a price of two
  check_value(two, duel(2, 0), 1 + 1. / 16);  // both blank
}

TEST_CASE("unless: the other player pays instead", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\n"
      "do = [{ verb = \"spend\", dice = \"attack\", from = [\"focus\"] }, { verb = \"damage\", n = 2, who = \"foe\" "
      "}]\n"
      "unless = { cost = [{ token = \"focus\", who = \"foe\" }] }");
  check_value(card, duel(1, 0), 0.5 + 0.25 * 2);
  json with_focus = duel(1, 0);
  with_focus["ships"]["black"]["tokens"] = {{"focus", 1}};
  const Answer paid = play({{"card", card}}, with_focus);
  CHECK(paid.value() == Approx(0.5).margin(1e-12));
  CHECK(paid.left("black", "focus") == 1);  // the price would be paid, so the result is not spent for nothing
}

TEST_CASE("unless: one damage is preferred to two", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"damage\", n = 2, who = \"foe\" }]\n"
      "unless = { do = [{ verb = \"damage\", n = 1, who = \"foe\" }] }");
  check_value(card, duel(1, 0), 0.5 + 1);
}

TEST_CASE("roll: dice of an effect", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"defender\"\nat = \"aftermath\"\n"
      "do = [{ verb = \"roll\", dice = \"attack\", n = 2 },\n"
      "  { verb = \"damage\", amount = \"count(roll.hit) + count(roll.crit)\", who = \"foe\" },\n"
      "  { verb = \"gain\", token = \"focus\", amount = \"count(roll.focus)\" }]");
  const Answer answer = play({{"card", card}}, defended(3, 0));
  CHECK(answer.value() == Approx(1.5 - 1).margin(1e-12));
  CHECK(answer.left("black", "focus") == Approx(0.5).margin(1e-12));
  const std::string defense = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nmay = true\n"
      "do = [{ verb = \"roll\", dice = \"defense\" }, { verb = \"damage\", amount = \"count(roll.evade)\", who = "
      "\"foe\" }]");
  check_value(defense, duel(1, 0), 0.5 + 3. / 8);
}

TEST_CASE("declare: a number named before the roll", "[cards][verbs]") {
  const std::string card =
      effect(
          "side = \"defender\"\nat = \"defense-pool\"\nmay = true\ndeclare = [1, 2]\n"
          "do = [{ verb = \"pool\", dice = \"defense\", n = 1 }, { verb = \"pool\", dice = \"defense\", n = -1 }]") +
      effect(
          "side = \"defender\"\nat = \"defense-rolled\"\nwhen = \"declared.card >= 1 and count(defense.evade) == "
          "declared.card\"\ndo = [{ verb = \"add\", dice = \"defense\", to = \"evade\" }]");
  check_value(card, defended(2, 1), 5. / 8);  // 1 is declared: two evades with probability 3/8, else none
}

TEST_CASE("hit: the defender may take a damage and skip the dice", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"declare\"\nmay = true\nby = \"foe\"\n"
      "do = [{ verb = \"damage\", who = \"foe\" }, { verb = \"hit\", skip = true }]");
  const Answer answer = play({{"card", card}}, duel(4, 0));
  CHECK(answer.value() == Approx(1).margin(1e-12));  // preferred to two
  CHECK(answer.exact.attacks[0].hit_probability == Approx(1));
  CHECK(answer.exact.attacks[0].attack_dice == 0);
  check_value(card, duel(1, 0), 0.5);
}

TEST_CASE("bonus: one bonus attack a round", "[cards][verbs]") {
  const std::string always = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nmay = true\ndo = [{ verb = \"bonus\", weapon = \"primary\", target = "
      "\"foe\" }]");
  check_value(always, duel(1, 0), 1);
  const std::string missed = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nwhen = \"not hit\"\nmay = true\n"
      "do = [{ verb = \"bonus\", weapon = \"primary\", target = \"foe\" }, { verb = \"gain\", token = \"stress\" }]");
  const Answer answer = play({{"card", missed}}, duel(1, 0));
  CHECK(answer.value() == Approx(0.75).margin(1e-12));
  CHECK(answer.exact.attacks.size() == 2);
  CHECK(answer.exact.attacks[1].happens == Approx(0.5));
  CHECK(answer.left("red", "stress") == Approx(0.5));
  REQUIRE(answer.question.labels.attacks.size() == 2);
  CHECK(answer.question.labels.attacks[0].bonus.empty());
  CHECK(answer.question.labels.attacks[1].bonus == "card");
  json both = duel(1, 0);
  both["ships"]["red"]["upgrades"] = {"card", "other"};
  CHECK(play({{"card", always}, {"other", always}}, both).value() == Approx(1).margin(1e-12));
}

TEST_CASE("bonus: listed, against another ship", "[cards][verbs]") {
  const std::string card = effect("side = \"attacker\"\nat = \"aftermath\"\nmay = true\ndo = [{ verb = \"bonus\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["grey"] = {{"agility", 0}, {"side", "theirs"}};
  CHECK(play({{"card", card}}, scenario).exact.attacks.size() == 1);
  scenario["attacks"].push_back({{"by", "red"}, {"on", "grey"}, {"range", 1}, {"bonus", "card"}});
  const Answer answer = play({{"card", card}}, scenario);
  CHECK(answer.value() == Approx(0.5 + 1).margin(1e-12));
  json wrong = scenario;
  wrong["attacks"][1]["bonus"] = "nocard";
  CHECK_THROWS_AS(play({{"card", card}}, wrong), ScenarioError);
  std::swap(wrong["attacks"][0], wrong["attacks"][1]);
  CHECK_THROWS_AS(play({{"card", card}}, wrong), ScenarioError);
}

TEST_CASE("bonus: with one of several weapons, or another than that of the attack before", "[cards][verbs]") {
  const auto value = [](const std::string& keys, const std::string& first, const std::string& then) {
    const std::map<std::string, std::string> cards{
        {"card",
         effect("side = \"attacker\"\nat = \"aftermath\"\nmay = true\ndo = [{ verb = \"bonus\", " + keys + " }]")},
        {"gun", "weapon = { arc = \"front\", attack = 2, min_range = 0, max_range = 3 }\n"},
        {"rifle", "weapon = { arc = \"front\", attack = 4, min_range = 0, max_range = 3 }\n"}};
    json scenario = duel(1, 0);
    scenario["ships"]["red"]["upgrades"] = {"card", "gun", "rifle"};
    scenario["attacks"][0]["weapon"] = first;
    scenario["attacks"].push_back({{"by", "red"}, {"on", "black"}, {"weapon", then}, {"bonus", "card"}});
    return play(cards, scenario).value();
  };
  CHECK(value("weapon = [\"gun\", \"rifle\"]", "primary", "gun") == Approx(0.5 + 1));
  CHECK(value("weapon = [\"gun\", \"rifle\"]", "primary", "rifle") == Approx(0.5 + 2));
  CHECK(value("weapon = [\"gun\", \"rifle\"]", "gun", "primary") == Approx(1));
  CHECK(value("weapon = [\"gun\", \"rifle\"]", "gun", "gun") == Approx(1 + 1));
  CHECK(value("weapon = [\"gun\", \"rifle\"], another = true", "gun", "gun") == Approx(1));
  CHECK(value("weapon = [\"gun\", \"rifle\"], another = true", "gun", "rifle") == Approx(1 + 2));
}

namespace {

/// A card that spends each focus token of its ship for nothing.
const std::string kSpends = effect(
    "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\nrepeats = true\ncost = [{ token = \"focus\" }]\n"
    "do = [{ verb = \"add\", dice = \"attack\", to = \"blank\" }]");

json with_tokens(json scenario, const std::string& ship, const json& tokens) {
  scenario["ships"][ship]["tokens"] = tokens;
  return scenario;
}

}  // namespace

TEST_CASE("each: once for each token that was spent", "[cards][verbs]") {
  const std::string damages = "side = \"attacker\"\nat = \"aftermath\"\neach = \"spent.focus\"\n";
  const std::string damage = "do = [{ verb = \"damage\", who = \"foe\" }]";
  for (const char* may : {"", "may = true\n"}) {
    const std::string card = kSpends + effect(damages + may + damage);
    check_value(card, duel(1, 0), 0.5);
    check_value(card, with_tokens(duel(1, 0), "red", {{"focus", 1}}), 0.75 + 1);
    check_value(card, with_tokens(duel(1, 0), "red", {{"focus", 3}}), 0.75 + 3);
    check_value(card, with_tokens(duel(1, 0), "red", {{"calculate", 1}}), 0.75);
  }
  // A token that can turn no result is not spent for the damage.
  const std::string alone = effect(damages + damage);
  check_value(alone, with_tokens(duel(1, 0), "red", {{"focus", 2}}), 0.75 + 0.25);
}

TEST_CASE("each: tokens spent for an answer, or for an effect that waits for one", "[cards][verbs]") {
  // A focus token instead of two damage, and then damage for the token.
  const std::string asks = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\ndo = [{ verb = \"damage\", n = 2, who = \"foe\" }]\n"
      "unless = [{ cost = [{ token = \"focus\", who = \"foe\" }] }]");
  const std::string strikes = effect(
      "side = \"defender\"\nat = \"aftermath\"\neach = \"spent.focus\"\ndo = [{ verb = \"damage\", who = \"foe\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["black"]["upgrades"] = {"strikes"};
  CHECK(play({{"card", asks}, {"strikes", strikes}}, scenario).value() == Approx(0.5 + 2).margin(1e-12));
  scenario = with_tokens(scenario, "black", {{"focus", 1}});
  CHECK(play({{"card", asks}, {"strikes", strikes}}, scenario).value() == Approx(0.5 - 1).margin(1e-12));
  // The defender takes one damage rather than two. A focus result would be worth as much as that.
  const std::string pays = effect(
                               "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"focus\" }]\n"
                               "do = [{ verb = \"damage\", n = 2, who = \"foe\" }]\nunless = { do = [{ verb = "
                               "\"damage\", who = \"foe\" }] }") +
                           effect(
                               "side = \"attacker\"\nat = \"aftermath\"\neach = \"spent.focus\"\ndo = [{ verb = "
                               "\"damage\", who = \"foe\" }]");
  check_value(pays, with_tokens(duel(1, 0), "red", {{"focus", 1}}), 0.5 + 1 + 1);
}

TEST_CASE("each: the price of a weapon counts", "[cards][verbs]") {
  const std::string card =
      "weapon = { arc = \"front\", attack = 1, min_range = 0, max_range = 3, cost = [{ token = \"focus\", n = 1 }] "
      "}\n" +
      effect(
          "side = \"attacker\"\nat = \"aftermath\"\neach = \"spent.focus\"\ndo = [{ verb = \"damage\", who = \"foe\" "
          "}]");
  json scenario = duel(1, 0);
  check_value(card, with_tokens(scenario, "red", {{"focus", 1}}), 0.75 + 0.25);  // with another weapon
  scenario["attacks"][0]["weapon"] = "card";
  check_value(card, with_tokens(scenario, "red", {{"focus", 1}}), 0.5 + 1);
  check_value(card, with_tokens(scenario, "red", {{"focus", 2}}), 0.75 + 1 + 0.25);  // the other turns a focus result
}

TEST_CASE("each: what one attack leaves is gone in the next", "[cards][verbs]") {
  const std::string card = kSpends + effect(
                                         "side = \"attacker\"\nat = \"aftermath\"\neach = \"spent.focus\"\n"
                                         "when = \"range == 3\"\ndo = [{ verb = \"damage\", who = \"foe\" }]");
  json scenario = with_tokens(duel(0, 0), "red", {{"focus", 2}});
  scenario["attacks"] = {{{"by", "red"}, {"on", "black"}, {"range", 2}},
                         {{"by", "red"}, {"on", "black"}, {"range", 3}}};
  check_value(card, scenario, 2);  // both are spent in the second attack
  scenario["ships"]["red"]["upgrades"] = {"card", "forces"};
  const std::string forces = effect(
      "side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"range == 2 and self.focus >= 1\"\ntimes = \"2\"\n"
      "cost = [{ token = \"focus\" }]\ndo = [{ verb = \"pool\", dice = \"attack\", n = -1 }]");
  CHECK(play({{"card", card}, {"forces", forces}}, scenario).value() == Approx(0).margin(1e-12));
}

TEST_CASE("each: cards pass each token on once", "[cards][verbs]") {
  const std::string gets =
      effect("side = \"attacker\"\nat = \"declare\"\ndo = [{ verb = \"gain\", token = \"stress\", n = 2 }]");
  const std::string takes = effect(
      "for = \"friend\"\nat = [\"attack-mod\", \"aftermath\"]\neach = \"ally.gained.stress\"\n"
      "when = \"ally.stress >= 1\"\nmay = true\ndo = [{ verb = \"lose\", token = \"stress\", who = \"ally\" },\n"
      "  { verb = \"gain\", token = \"stress\" }, { verb = \"damage\", who = \"foe\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["gold"] = {{"side", "mine"}, {"agility", 1}, {"upgrades", {"takes"}}};
  const Answer one = play({{"card", gets}, {"takes", takes}}, scenario);
  CHECK(one.value() == Approx(0.5 + 2).margin(1e-12));
  CHECK(one.left("red", "stress") == 0);
  CHECK(one.left("gold", "stress") == 2);
  // Two such ships do not pass it to and fro.
  scenario["ships"]["pink"] = scenario["ships"]["gold"];
  const Answer two = play({{"card", gets}, {"takes", takes}}, scenario);
  CHECK(two.value() == Approx(0.5 + 2).margin(1e-12));
  CHECK(two.left("gold", "stress") + two.left("pink", "stress") == Approx(2));
}

TEST_CASE("each: faulty", "[cards][verbs]") {
  const auto refused = [](const std::string& keys) {
    const std::string card = effect("at = \"aftermath\"\n" + keys + "\ndo = [{ verb = \"damage\", who = \"foe\" }]");
    return play({{"card", card}}, duel(1, 0)).value();
  };
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(refused("each = \"focus\""), Contains("each = \"spent.focus\""));
  CHECK_THROWS_WITH(refused("each = \"spent.fokus\""), Contains("fokus"));
  CHECK_THROWS_WITH(refused("each = \"spent.focus\"\ntimes = \"2\""), Contains("leave out repeats"));
  CHECK_THROWS_WITH(refused("each = \"spent.focus\"\nmay = true\nrepeats = true"), Contains("leave out repeats"));
}

TEST_CASE("at: an effect in several windows", "[cards][verbs]") {
  const std::string keys = "side = \"attacker\"\nmay = true\ndo = [{ verb = \"damage\", who = \"foe\" }]\nat = ";
  check_value(effect(keys + "[\"attack-mod\", \"aftermath\"]"), duel(1, 0), 0.5 + 2);
  check_value(effect(keys + "[\"attack-mod\", \"aftermath\"]\nchoice = \"one\""), duel(1, 0), 0.5 + 1);
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(play({{"card", effect(keys + "[]")}}, duel(1, 0)), Contains("at least one window"));
  CHECK_THROWS_WITH(play({{"card", effect(keys + "[\"aftermath\", \"aftermath\"]")}}, duel(1, 0)),
                    Contains("each window once"));
  CHECK_THROWS_WITH(play({{"card", effect(keys + "[\"after\"]")}}, duel(1, 0)), Contains("after"));
}

TEST_CASE("suffered.crit: critical damage of the attack's results and of effects", "[cards][verbs]") {
  const std::string answers = effect(
      "at = \"suffered\"\nwhen = \"self.suffered.crit and self.suffered >= 1\"\n"
      "do = [{ verb = \"damage\", who = \"foe\" }]");
  check_value(answers, defended(1, 0), 0.5 - 1. / 8);
  const auto with = [&](const std::string& keys) {
    json scenario = duel(1, 0);
    scenario["ships"]["black"]["upgrades"] = {"answers"};
    const std::string card =
        effect("side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"damage\", who = \"foe\"" + keys + " }]");
    return play({{"card", card}, {"answers", answers}}, scenario).value();
  };
  CHECK(with("") == Approx(0.5 + 1 - 1. / 8).margin(1e-12));
  CHECK(with(", crit = true") == Approx(0.5 + 1 - 1).margin(1e-12));
  // What depends on a roll is not read: it may be none.
  CHECK(with(" }, { verb = \"roll\", dice = \"attack\" }, { verb = \"damage\", amount = \"count(roll.crit)\", who = "
             "\"foe\", crit = true") == Approx(0.5 + 1 + 1. / 8 - 1. / 8).margin(1e-12));
}

TEST_CASE("for: another ship's card helps its friends", "[cards][verbs]") {
  const std::string friends = effect(
      "side = \"attacker\"\nfor = \"friend\"\nat = \"attack-mod\"\nmay = true\ndo = [{ verb = \"reroll\", dice = "
      "\"attack\", n = 1 }]");
  json scenario = duel(1, 0);
  scenario["ships"]["red"].erase("upgrades");
  scenario["ships"]["gold"] = {{"side", "mine"}, {"agility", 1}, {"upgrades", {"card"}}};
  check_value(friends, scenario, 0.75);
  check_value(friends, duel(1, 0), 0.75);  // itself too
  std::string ally = friends;
  ally.replace(ally.find("friend"), 6, "ally");
  check_value(ally, scenario, 0.75);
  check_value(ally, duel(1, 0), 0.5);
  scenario["ships"]["gold"]["side"] = "theirs";
  check_value(friends, scenario, 0.5);
}

TEST_CASE("who: tokens of another friendly ship", "[cards][verbs]") {
  const std::string card = effect(
      "at = \"own-mod\"\nmay = true\ncost = [{ token = \"calculate\", who = \"ally\" }]\n"
      "do = [{ verb = \"change\", dice = \"own\", from = [\"focus\"], to = \"success\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["gold"] = {{"side", "mine"}, {"agility", 1}, {"tokens", {{"calculate", 1}}}};
  const Answer answer = play({{"card", card}}, scenario);
  CHECK(answer.value() == Approx(0.75).margin(1e-12));
  CHECK(answer.left("gold", "calculate") == Approx(0.75).margin(1e-12));
  const std::string passed = effect(
      "side = \"attacker\"\nat = \"declare\"\nmay = true\n"
      "do = [{ verb = \"lose\", token = \"calculate\", who = \"ally\" }, { verb = \"gain\", token = \"calculate\" }]");
  const Answer moved = play({{"card", passed}}, scenario);
  CHECK(moved.value() == Approx(0.75).margin(1e-12));
  CHECK(moved.left("gold", "calculate") + moved.left("red", "calculate") == Approx(0.75).margin(1e-12));
}

TEST_CASE("damage: a friend suffers in place of the defender", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"defender\"\nfor = \"ally\"\nat = \"before-neutralize\"\nmay = true\n"
      "do = [{ verb = \"spend\", dice = \"attack\", from = [\"hit\", \"crit\"] }, { verb = \"damage\", who = \"self\" "
      "}]");
  json scenario = duel(1, 0);
  scenario["objective"] = "kill";
  scenario["ships"]["red"].erase("upgrades");
  scenario["ships"]["black"]["hull"] = 1;
  scenario["ships"]["gold"] = {{"side", "theirs"}, {"agility", 1}, {"hull", 2}, {"upgrades", {"card"}}};
  const Answer answer = play({{"card", card}}, scenario);
  CHECK(answer.value() == Approx(0).margin(1e-12));
  CHECK(answer.exact.ships[1].damage(1) == Approx(0.5).margin(1e-12));  // gold
}

TEST_CASE("gain: a lock for the next attack, in place of another", "[cards][verbs]") {
  const std::string card =
      effect("side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"gain\", token = \"lock\" }]");
  json scenario = duel(1, 0);
  scenario["attacks"].push_back({{"by", "red"}, {"on", "black"}});
  const Answer answer = play({{"card", card}}, scenario);
  CHECK(answer.value() == Approx(0.5 + 0.75).margin(1e-12));
  CHECK(answer.left("red", "lock") == Approx(1).margin(1e-12));
  json other = duel(1, 0);
  other["ships"]["grey"] = {{"agility", 0}};
  other["ships"]["red"]["tokens"] = {{"lock", {"grey"}}};
  other["attacks"].push_back({{"by", "red"}, {"on", "grey"}});
  CHECK(play({{"card", card}}, other).value() == Approx(1).margin(1e-12));  // the lock on grey is lost
}

TEST_CASE("waive: a requirement is waived for a price", "[cards][verbs]") {
  const std::string weapon =
      "weapon = { arc = \"front\", attack = 2, min_range = 1, max_range = 3, requires = [\"lock\"] }\n";
  const std::string card = effect(
      "side = \"attacker\"\nat = \"always\"\ncost = [{ token = \"force\" }]\ndo = [{ verb = \"waive\", token = "
      "\"lock\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["red"]["upgrades"] = {"card", "rocket"};
  scenario["ships"]["red"]["tokens"] = {{"force", 1}};
  scenario["attacks"][0]["weapon"] = "rocket";
  const Answer answer = play({{"card", card}, {"rocket", weapon}}, scenario);
  CHECK(answer.value() == Approx(1).margin(1e-12));
  CHECK(answer.left("red", "force") == 0);
  scenario["ships"]["red"]["tokens"] = {{"lock", {"black"}}, {"force", 1}};
  // The lock exists, so nothing is paid for it, and both remain for the dice (all rerolls of two dice enumerated).
  CHECK(play({{"card", card}, {"rocket", weapon}}, scenario).value() == Approx(463. / 256).margin(1e-12));
  scenario["ships"]["red"]["tokens"] = json::object();
  CHECK_THROWS_AS(play({{"card", card}, {"rocket", weapon}}, scenario), ScenarioError);
}

TEST_CASE("stat: upgrades of a slot are in another arc, others stay in theirs", "[cards][verbs]") {
  const std::string weapon = "weapon = { arc = \"front\", attack = 2, min_range = 1, max_range = 3 }\n";
  const std::string another_die = effect(
      "side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"arc == 'single-turret'\"\n"
      "do = [{ verb = \"pool\", dice = \"attack\", n = 1 }]");
  const std::string turned = effect(
      "at = \"always\"\ndo = [{ verb = \"stat\", stat = \"attack\", weapon = \"torpedo\", to = \"single-turret\" }]");
  const std::string second = effect(
      "at = \"always\"\ndo = [{ verb = \"stat\", stat = \"attack\", weapon = \"primary:front\", to = "
      "\"single-turret\", n = 2 }]");
  for (const auto& [effects, torpedo, missile] :
       {std::tuple{turned, 1.5, 1.0}, std::tuple{second, 1.0, 1.0}, std::tuple{std::string(), 1.0, 1.0}}) {
    for (const auto& [name, value] :
         {std::pair{"protontorpedoes", torpedo}, std::pair{"concussionmissiles", missile}}) {
      INFO(effects << name);
      json scenario = duel(1, 0);
      scenario["ships"]["red"]["upgrades"] = {"card", name};
      scenario["attacks"][0]["weapon"] = name;
      CHECK(play({{"card", effects + another_die}, {name, weapon}}, scenario).value() == Approx(value).margin(1e-12));
    }
  }
}

TEST_CASE("reroll: a price that rerolls only blanks is not a lock", "[cards][verbs]") {
  // A die hits with 1/2; it is blank with 1/4 and then rerolled.
  const std::string card =
      "charges = 1\n" + effect(
                            "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"charge\" }]\n"
                            "do = [{ verb = \"reroll\", dice = \"attack\", from = [\"blank\"], n = \"any\" }]");
  check_value(card, duel(1, 0), 0.5 + 0.25 * 0.5);
  check_value(card, duel(2, 0), 2 * (0.5 + 0.25 * 0.5));
}

TEST_CASE("forbid: after one reroll the lock may not be spent", "[cards][verbs]") {
  const std::string reroll = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nwhen = \"self.lock >= 1\"\nmay = true\ndo = [{ verb = \"reroll\", "
      "dice = \"attack\", n = 1 }]");
  const std::string forbids = effect(
      "side = \"attacker\"\nat = \"always\"\nwhen = \"used.card\"\ndo = [{ verb = \"forbid\", what = \"spend\", source "
      "= [\"lock\"] }]");
  json scenario = duel(2, 0);
  scenario["ships"]["red"]["tokens"] = {{"lock", {"black"}}};
  // The card rerolls one die, which may not be rerolled again; the second die needs the lock.
  check_value(reroll, scenario, 1.5);
  check_value(reroll + forbids, scenario, 1.5);
  const Answer limited = play({{"card", reroll + forbids}}, scenario);
  CHECK(limited.left("red", "lock") == Approx(0.75).margin(1e-12));  // spent only for two dice
}

TEST_CASE("forbid: dice not modified with green tokens, or only in one way", "[cards][verbs]") {
  const std::string green = effect(
      "side = \"attacker\"\nat = \"always\"\ndo = [{ verb = \"forbid\", what = \"modify\", who = \"foe\", dice = "
      "\"defense\", source = [\"green\"] }]");
  json scenario = duel(1, 1);
  scenario["ships"]["black"]["tokens"] = {{"focus", 1}, {"force", 1}};
  check_value(green, scenario, 0.5 * 3 / 8);
  scenario["ships"]["black"]["tokens"] = {{"focus", 1}};
  check_value(green, scenario, 0.5 * 5 / 8);
  const std::string only = effect(
      "side = \"attacker\"\nat = \"always\"\ndo = [{ verb = \"forbid\", what = \"modify\", who = \"foe\", dice = "
      "\"defense\", except = [\"focus\"] }]");
  scenario["ships"]["black"]["tokens"] = {{"evade", 1}};
  check_value(only, scenario, 0.5 * 5 / 8);
  scenario["ships"]["black"]["tokens"] = {{"focus", 1}};
  check_value(only, scenario, 0.5 * 3 / 8);
  const std::string own = effect(
                              "side = \"attacker\"\nat = \"always\"\ndo = [{ verb = \"forbid\", what = \"modify\", "
                              "dice = \"attack\", except = [\"card\"] }]") +
                          effect(
                              "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ndo = [{ verb = \"change\", dice = "
                              "\"attack\", from = [\"focus\"], to = \"hit\" }]");
  json alone = duel(1, 0);
  alone["ships"]["red"]["tokens"] = {{"lock", {"black"}}};
  check_value(own, alone, 0.75);
}

TEST_CASE("limit: no more defense dice than results", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"defense-pool\"\ndo = [{ verb = \"limit\", dice = \"defense\", max = "
      "\"count(attack.hit) + count(attack.crit)\" }]");
  check_value(card, duel(1, 3), 0.5 * 5 / 8);
}

TEST_CASE("engage and engagement-start: tokens before the first attack", "[cards][verbs]") {
  for (const std::string window : {"engage", "engagement-start"}) {
    const std::string card =
        effect("at = \"" + window + "\"\nmay = true\ndo = [{ verb = \"gain\", token = \"focus\" }]");
    const Answer answer = play({{"card", card}}, duel(1, 0));
    CHECK(answer.value() == Approx(0.75).margin(1e-12));
    CHECK(answer.exact.attacks.size() == 1);
    CHECK(play({{"card", card}}, defended(1, 1)).value() ==
          Approx(window == "engage" ? 0.5 * 5 / 8 : 0.5 * 3 / 8).margin(1e-12));
  }
  const std::string lock = effect("at = \"engage\"\nmay = true\ndo = [{ verb = \"gain\", token = \"lock\" }]");
  check_value(lock, duel(1, 0), 0.75);
}

TEST_CASE("engagement-start: a friend without an attack transfers its token", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"engagement-start\"\nmay = true\n"
      "do = [{ verb = \"gain\", token = \"focus\", who = \"ally\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["red"].erase("upgrades");
  scenario["ships"]["gold"] = {{"side", "mine"}, {"agility", 1}, {"upgrades", {"card"}}};
  check_value(card, scenario, 0.75);
  scenario["ships"]["gold"]["side"] = "theirs";
  scenario["ships"]["black"]["agility"] = 1;
  check_value(card, scenario, 0.5 * 3 / 8);
}

TEST_CASE("engage: a card that helps friends", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nfor = \"ally\"\nat = \"engage\"\nmay = true\n"
      "do = [{ verb = \"gain\", token = \"focus\", who = \"friend\" }]");
  json scenario = duel(1, 0);
  check_value(card, scenario, 0.5);
  scenario["ships"]["red"].erase("upgrades");
  scenario["ships"]["gold"] = {{"side", "mine"}, {"agility", 1}, {"upgrades", {"card"}}};
  check_value(card, scenario, 0.75);
}

TEST_CASE("a disarm token gained before or during an attack prevents later attacks", "[cards][verbs]") {
  // 000: Disarmed. Feedback Array: one damage in place of 2 dice against 3 with a focus at range 0.
  const std::string before = effect(
      "side = \"attacker\"\nat = \"engage\"\nmay = true\n"
      "do = [{ verb = \"gain\", token = \"disarm\" }, { verb = \"damage\", who = \"foe\" }]");
  json scenario = duel(2, 3);
  scenario["ships"]["black"]["tokens"] = {{"focus", 1}};
  scenario["attacks"][0]["range"] = 0;
  const Answer answer = play({{"card", before}}, scenario);
  CHECK(answer.value() == Approx(1).margin(1e-12));
  CHECK(answer.exact.attacks.at(0).happens == 0);
  const std::string after =
      effect("side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"gain\", token = \"disarm\" }]");
  json twice = duel(2, 0);
  twice["attacks"].push_back(twice["attacks"][0]);
  check_value(after, twice, 1);
  const std::string foe =
      effect("side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"gain\", token = \"cloak\", who = \"foe\" }]");
  json back = duel(2, 0);
  back["attacks"].push_back({{"by", "black"}, {"on", "red"}});
  check_value(foe, back, 1);  // a cloaked ship does not attack either
}

TEST_CASE("stat: numbers stated by the scenario are noted", "[cards][verbs]") {
  const std::string card = effect("at = \"always\"\ndo = [{ verb = \"stat\", stat = \"hull\", n = 1 }]");
  json scenario = duel(1, 0);
  scenario["ships"]["red"]["hull"] = 3;
  const auto notes = play({{"card", card}}, scenario).question.labels.notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == "red: card does not change the hull 3 that the scenario states; state the changed number");
  scenario["ships"]["red"].erase("hull");
  CHECK(play({{"card", card}}, scenario).question.labels.notes.empty());
}

TEST_CASE("cost: a shield is paid for a die", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-pool\"\nmay = true\ncost = [{ token = \"shield\" }]\ndo = [{ verb = "
      "\"pool\", dice = \"attack\", n = 1 }]");
  json scenario = duel(1, 0);
  scenario["ships"]["red"]["hull"] = 2;
  scenario["ships"]["red"]["shields"] = 1;
  check_value(card, scenario, 1);  // a shield is no damage
  scenario["objective"] = "health";
  scenario["ships"]["black"]["hull"] = 2;
  check_value(card, scenario, 0.5);  // one of its own for half a damage is not worth it
  scenario["objective"] = "kill";
  const Answer answer = play({{"card", card}}, scenario);
  CHECK(answer.value() == Approx(0.25).margin(1e-12));
  CHECK(answer.exact.ships[1].shields(0) == Approx(1));
  scenario["ships"]["red"]["shields"] = 0;
  check_value(card, scenario, 0);
}

TEST_CASE("spent and suffered: events of this attack", "[cards][verbs]") {
  const std::string card =
      effect("at = \"aftermath\"\nwhen = \"spent.focus\"\ndo = [{ verb = \"gain\", token = \"focus\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["red"]["tokens"] = {{"focus", 1}};
  CHECK(play({{"card", card}}, scenario).left("red", "focus") == Approx(1).margin(1e-12));
  const std::string hurt = effect(
      "side = \"defender\"\nat = \"aftermath\"\nwhen = \"self.suffered >= 1\"\ndo = [{ verb = \"gain\", token = "
      "\"evade\", amount = \"self.suffered\" }]");
  CHECK(play({{"card", hurt}}, defended(2, 0)).left("black", "evade") == Approx(1).margin(1e-12));
}

TEST_CASE("amount: one reroll for each friendly lock", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ndo = [{ verb = \"reroll\", dice = \"attack\", amount = "
      "\"friends.lock\" }]");
  json scenario = duel(2, 0);
  check_value(card, scenario, 1);
  scenario["ships"]["gold"] = {{"side", "mine"}, {"agility", 1}, {"tokens", {{"lock", {"black"}}}}};
  check_value(card, scenario, 1 + 0.5 * 0.75);  // probability 3/4 that a die failed
  scenario["ships"]["grey"] = scenario["ships"]["gold"];
  check_value(card, scenario, 1.5);
}

TEST_CASE("rolling: one more die, up to four", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"rolling < 4\"\nmay = true\ndo = [{ verb = \"pool\", dice = "
      "\"attack\", n = 1 }]");
  check_value(card, duel(3, 0), 2);
  check_value(card, duel(4, 0), 2);
}

TEST_CASE("a mandatory reroll must be done, the player chooses which dice", "[cards][verbs]") {
  const std::string must = effect(
      "side = \"attacker\"\nat = \"defense-mod\"\ndo = [{ verb = \"reroll\", dice = \"defense\", n = 1, exact = true "
      "}]");
  check_value(must, duel(1, 1), 0.5 * 5 / 8);
  std::string may = must;
  may.replace(may.find("do ="), 4, "may = true\ndo =");
  check_value(may, duel(1, 1), 0.5 * (1 - 9. / 64));
}

TEST_CASE("prevent and convert: results are removed before damage, but the attack still hits", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"defender\"\nat = \"damage\"\nmay = true\ncost = [{ token = \"evade\" }]\n"
      "do = [{ verb = \"cancel\", dice = \"attack\", from = [\"crit\", \"hit\"], n = \"all\" }]");
  json scenario = defended(2, 0);
  scenario["ships"]["black"]["tokens"] = {{"evade", 1}};
  const std::string asks =
      effect("side = \"attacker\"\nat = \"aftermath\"\nwhen = \"hit\"\ndo = [{ verb = \"gain\", token = \"stress\" }]");
  scenario["ships"]["red"]["upgrades"] = {"asks"};
  const Answer answer = play({{"card", card}, {"asks", asks}}, scenario);
  CHECK(answer.value() == Approx(0).margin(1e-12));
  CHECK(answer.left("red", "stress") == Approx(0.75).margin(1e-12));
  const std::string ion = effect(
      "side = \"attacker\"\nat = \"damage\"\ndo = [{ verb = \"gain\", token = \"ion\", amount = "
      "\"count(attack.crit)\", who = \"foe\" },\n"
      "  { verb = \"cancel\", dice = \"attack\", from = [\"crit\"], n = \"all\" }]");
  const Answer converted = play({{"card", ion}}, duel(2, 0));
  CHECK(converted.value() == Approx(0.75).margin(1e-12));
  CHECK(converted.left("black", "ion") == Approx(0.25).margin(1e-12));
}

TEST_CASE("min and max in counts", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"damage\", amount = \"max(1, min(3, count(attack.all) "
      "+ 2)) - 1\", who = \"foe\" }]");
  check_value(card, duel(1, 0), 0.5 + 1);
}

TEST_CASE("lend: another ship's token pays for a friend's card", "[cards][verbs]") {
  // Red has a card that changes a blank for a focus token, blue has the token.
  const std::string optics = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"focus\" }]\n"
      "do = [{ verb = \"change\", dice = \"attack\", from = [\"blank\"], to = \"hit\", n = 1 }]");
  const std::string lender = effect(
      "id = \"lends\"\nfor = \"ally\"\nat = \"always\"\nwhen = \"self.strain == 0\"\n"
      "do = [{ verb = \"lend\", token = \"focus\" }, { verb = \"gain\", token = \"strain\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["blue"] = {{"side", "mine"}, {"tokens", {{"focus", 2}}}, {"upgrades", {"lender"}}};
  const Answer lent = play({{"card", optics}, {"lender", lender}}, scenario);
  CHECK(lent.value() == Approx(1).margin(1e-12));  // a focus result by the rule of focus tokens, a blank by the card
  CHECK(lent.left("blue", "focus") == Approx(1.5).margin(1e-12));
  CHECK(lent.left("blue", "strain") == Approx(0.5).margin(1e-12));
  scenario["ships"]["blue"]["tokens"]["strain"] = 1;
  CHECK(play({{"card", optics}, {"lender", lender}}, scenario).value() == Approx(0.5).margin(1e-12));
}

TEST_CASE("a lost shield counts, but is not suffered damage", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"outcome\"\nwhen = \"hit\"\n"
      "do = [{ verb = \"lose\", token = \"shield\", who = \"foe\" }]");
  const std::string sensitive =
      effect("at = \"suffered\"\nwhen = \"self.suffered >= 2\"\ndo = [{ verb = \"gain\", token = \"stress\" }]") +
      effect("at = \"suffered\"\nwhen = \"self.lost.shields >= 2\"\ndo = [{ verb = \"gain\", token = \"strain\" }]");
  json scenario = duel(1, 0);
  scenario["ships"]["black"] = {{"agility", 0}, {"hull", 3}, {"shields", 2}, {"upgrades", {"sensitive"}}};
  const Answer answer = play({{"card", card}, {"sensitive", sensitive}}, scenario);
  CHECK(answer.value() == Approx(0.5 * 2).margin(1e-12));
  CHECK(answer.left("black", "stress") == 0);
  CHECK(answer.left("black", "strain") == Approx(0.5).margin(1e-12));
  scenario["ships"]["black"]["shields"] = 0;
  CHECK(play({{"card", card}, {"sensitive", sensitive}}, scenario).value() == Approx(0.5).margin(1e-12));
}

TEST_CASE("suffered: any ship with damage, even from before the engagement", "[cards][verbs]") {
  const std::string hurts = effect(
      "side = \"attacker\"\nat = \"engagement-start\"\nmay = true\nonce_per_round = true\n"
      "do = [{ verb = \"damage\", who = \"foe\" }]");
  const std::string tough =
      effect("at = \"suffered\"\nwhen = \"self.suffered >= 1\"\ndo = [{ verb = \"gain\", token = \"evade\" }]");
  json scenario = duel(0, 1);
  scenario["ships"]["black"]["upgrades"] = {"tough"};
  const Answer answer = play({{"card", hurts}, {"tough", tough}}, scenario);
  CHECK(answer.value() == Approx(1).margin(1e-12));
  CHECK(answer.left("black", "evade") == 1);
}

TEST_CASE("conditions on damage read the damage of the scenario", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"defender-damaged\"\n"
      "do = [{ verb = \"pool\", dice = \"attack\", n = 1 }]");
  json scenario = duel(1, 0);
  scenario["ships"]["black"] = {{"agility", 0}, {"hull", 5}};
  scenario["attacks"].push_back(scenario["attacks"][0]);
  check_value(card, scenario, 0.5 + 0.5 + 0.5 * 0.5);
  scenario["attacks"][1]["facts"] = {"defender-damaged"};  // stated, but the first attack may have missed
  check_value(card, scenario, 0.5 + 0.5 + 0.5 * 0.5);
  scenario["attacks"].erase(1);
  scenario["attacks"][0]["facts"] = {"defender-damaged"};  // from before the scenario
  check_value(card, scenario, 1);
  scenario["ships"]["black"].erase("hull");
  check_value(card, scenario, 1);
}

TEST_CASE("a change that is not a modification applies to unmodifiable dice", "[cards][verbs]") {
  const auto card = [](const char* rest) {
    return effect(
               "side = \"attacker\"\nat = \"always\"\ndo = [{ verb = \"forbid\", what = \"modify\", who = \"all\", "
               "dice = \"attack\" }]") +
           effect(std::string("side = \"attacker\"\nat = \"outcome\"\nwhen = \"hit\"\n"
                              "do = [{ verb = \"add\", dice = \"attack\", to = \"crit\", n = 1") +
                  rest + " }]");
  };
  check_value(card(""), duel(1, 0), 0.5);
  check_value(card(", modifies = false"), duel(1, 0), 1);
}

TEST_CASE("a friend suffers in place of the defender only if there is damage", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"defender\"\nfor = \"ally\"\nat = \"before-neutralize\"\nwhen = \"count(attack.crit) >= 1\"\nmay = "
      "true\n"
      "do = [{ verb = \"cancel\", dice = \"attack\", from = [\"crit\"], n = 1 }, { verb = \"damage\", who = \"self\" "
      "}]");
  json scenario = duel(3, 0);
  scenario["ships"]["red"].erase("upgrades");
  scenario["ships"]["blue"] = {{"side", "theirs"}, {"upgrades", {"card"}}};
  const Answer answer = play({{"card", card}}, scenario);
  CHECK(answer.value() == Approx(1.5).margin(1e-12));
  CHECK(answer.exact.attacks[0].mean_hits + answer.exact.attacks[0].mean_crits == Approx(1.5).margin(1e-12));
}

TEST_CASE("enemy: an effect on each other ship of the other side", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"attacker\"\nat = \"outcome\"\nwhen = \"hit and enemy.stress == 0\"\n"
      "do = [{ verb = \"damage\", who = \"enemy\" }, { verb = \"gain\", token = \"stress\", who = \"enemy\" }]");
  check_value(card, duel(1, 0), 0.5);  // no such ship
  json scenario = duel(1, 0);
  scenario["ships"]["grey"] = {{"agility", 0}, {"side", "theirs"}};
  scenario["ships"]["white"] = {{"agility", 0}, {"side", "theirs"}, {"tokens", {{"stress", 1}}}};
  scenario["ships"]["blue"] = {{"attack", 1}, {"side", "mine"}};
  check_value(card, scenario, 0.5 + 0.5);  // the stressed ship, the defender and the card's friend suffer nothing
  const Answer hit = play({{"card", card}}, scenario);
  CHECK(hit.damage("grey") == Approx(0.5).margin(1e-12));
  CHECK(hit.damage("white") == 0);
  const std::string defends = effect(
      "side = \"defender\"\nat = \"aftermath\"\nmay = true\n"
      "cost = [{ token = \"focus\", who = \"enemy\" }]\ndo = [{ verb = \"damage\", who = \"enemy\" }]");
  json shot = defended(1, 0);
  shot["ships"]["blue"] = {{"attack", 1}, {"side", "mine"}, {"tokens", {{"focus", 1}}}};
  check_value(defends, shot, 0.5 - 1);  // the attacker's friend pays and suffers
}

TEST_CASE("after an attack, bonus attacks are granted after all else", "[cards][verbs]") {
  const std::string granted = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nwhen = \"self.stress >= 1\"\n"
      "do = [{ verb = \"bonus\", weapon = \"primary\", target = \"foe\" }]");
  const std::string stressed =
      effect("side = \"attacker\"\nat = \"aftermath\"\nmay = true\ndo = [{ verb = \"gain\", token = \"stress\" }]");
  check_value(granted, duel(1, 0), 0.5);
  check_value(granted + stressed, duel(1, 0), 1.0);  // an option, before the bonus attack that has to be granted
}
