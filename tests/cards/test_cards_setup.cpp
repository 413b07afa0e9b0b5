// Cards that change the setup of a scenario or read it, against closed forms: tokens, facts treated as others, actions
// forbidden to one ship, ships chosen before an engagement, destroyed ships, counted facts. Both engines play.
#include "support/home_cards.h"

using namespace home_cards;

namespace {

/// What the ship starts with.
int initial(const Answer& answer, const std::string& ship, const std::string& token) {
  const salvo::compile::Labels& labels = answer.question.labels;
  for (std::size_t r = 0; r < labels.resources.size(); ++r) {
    if (labels.ships[static_cast<std::size_t>(labels.resources[r].ship)] == ship && labels.resources[r].name == token)
      return answer.question.plan.resources[r].initial;
  }
  return 0;
}

/// The message with which the scenario is refused.
std::string refusal(const std::map<std::string, std::string>& cards, const json& scenario) {
  try {
    play(cards, scenario);
  } catch (const LoadError& error) {
    return error.what();
  } catch (const ScenarioError& error) {
    return error.path + ": " + error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("tokens that a card brings add to the pilot's, unless the scenario states the token", "[cards][verbs]") {
  const std::map<std::string, std::string> card{{"card", "tokens = { force = 1 }\n"}};
  json scenario = duel(1, 0);
  CHECK(play(card, scenario).value() == Approx(0.75));  // one focus result becomes a hit
  scenario["ships"]["red"]["tokens"] = {{"force", 0}};
  CHECK(play(card, scenario).value() == Approx(0.5));
  json with_pilot = duel(1, 0);
  with_pilot["ships"]["red"] = {{"pilot", "ezrabridger"}, {"upgrades", {"card"}}};  // Force 1
  CHECK(initial(play(card, with_pilot), "red", "force") == 2);
  with_pilot["ships"]["red"]["tokens"] = {{"force", 1}};
  CHECK(initial(play(card, with_pilot), "red", "force") == 1);
}

TEST_CASE("the Force of a card adds to the capacity of the ship", "[cards][verbs]") {
  const std::map<std::string, std::string> card{
      {"card",
       "tokens = { force = 1 }\n" +
           effect("side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"gain\", token = \"force\", n = 2 }]")}};
  json scenario = duel(0, 0);
  scenario["ships"]["red"]["tokens"] = {{"force", 0}};
  CHECK(play(card, scenario).left("red", "force") == 1);
  const std::map<std::string, std::string> wrong{{"card", "tokens = { foorce = 1 }\n"}};
  CHECK_THAT(refusal(wrong, duel(1, 0)), Catch::Contains("tokens.foorce") && Catch::Contains("no such token"));
}

TEST_CASE("treat: a ship shares the initiative of a friend", "[cards][verbs]") {
  const std::map<std::string, std::string> card{
      {"card", effect("side = \"attacker\"\nfor = \"ally\"\nat = \"always\"\nwhen = \"attacker-shares-initiative\"\n"
                      "do = [{ verb = \"treat\", fact = \"initiative\", amount = \"self.initiative\" }]")}};
  json scenario = {{"objective", "kill"},
                   {"ships",
                    {{"red", {{"attack", 0}, {"upgrades", {"card"}}}},
                     {"blue", {{"attack", 2}, {"hull", 1}}},
                     {"black", {{"attack", 1}, {"hull", 1}}}}},
                   {"attacks",
                    {{{"by", "red"}, {"on", "black"}, {"initiative", 5}},
                     {{"by", "black"}, {"on", "blue"}, {"initiative", 5}},
                     {{"by", "blue"}, {"on", "black"}, {"initiative", 3}}}}};
  CHECK(play(card, scenario).value() == Approx(0.5 * 0.75 - 0.5));  // blue shoots if it survives
  scenario["attacks"][2]["facts"] = {"attacker-shares-initiative"};
  CHECK(play(card, scenario).value() == Approx(0.75 - 0.5));
  scenario["attacks"][1]["initiative"] = 4;
  CHECK_THAT(refusal(card, scenario), Catch::Contains("attacks[2].initiative") && Catch::Contains("5 follows 4"));
}

TEST_CASE("treat: the range, obstruction and board facts", "[cards][verbs]") {
  const auto card = [](const std::string& when, const std::string& fact, const std::string& amount) {
    return std::map<std::string, std::string>{
        {"card", effect("side = \"attacker\"\nat = \"always\"\nwhen = \"" + when +
                        "\"\ndo = [{ verb = \"treat\", fact = \"" + fact + "\", amount = \"" + amount + "\" }]")}};
  };
  json close = duel(1, 0);
  close["ships"]["red"]["tokens"] = {{"focus", 1}};
  close["attacks"][0]["range"] = 0;
  CHECK(play(card("range == 3", "range", "1"), close).value() ==
        Approx(0.5));  // 000: Attack: it cannot modify its dice
  CHECK(play(card("range == 0", "range", "1"), close).value() == Approx(2 * 0.75));
  json obstructed = duel(1, 0);
  obstructed["attacks"][0]["obstructed"] = true;
  CHECK(play(card("range == 3", "obstructed", "0"), obstructed).value() == Approx(0.5 * 5 / 8));
  CHECK(play(card("range == 2", "obstructed", "0"), obstructed).value() == Approx(0.5));
  auto two = card("range == 2", "bullseye", "1");
  two["other"] = effect(
      "side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"bullseye\"\n"
      "do = [{ verb = \"pool\", dice = \"attack\", n = 1 }]");
  json with_two = duel(1, 0);
  with_two["ships"]["red"]["upgrades"] = {"card", "other"};
  CHECK(play(two, with_two).value() == Approx(1));
  CHECK_THAT(refusal(card("self.focus >= 1", "range", "1"), close),
             Catch::Contains("may not depend on dice or tokens"));
  CHECK_THAT(refusal(card("range == 0", "rnage", "1"), close), Catch::Contains("nothing can be treated as 'rnage'"));
}

TEST_CASE("forbid: one ship, a side, or everybody", "[cards][verbs]") {
  const auto value = [](const std::string& who, const std::string& acts) {
    const std::map<std::string, std::string> cards{
        {"card", effect("side = \"attacker\"\nat = \"always\"\ndo = [{ verb = \"forbid\", what = \"modify\", who = \"" +
                        who + "\", dice = \"defense\" }]")},
        {"lent", effect("side = \"defender\"\nfor = \"ally\"\nacts = \"" + acts +
                        "\"\nat = \"defense-mod\"\nmay = true\ndo = [{ verb = \"change\", dice = \"defense\", from = "
                        "[\"focus\"], to = \"evade\", n = 1 }]")}};
    json scenario = duel(1, 1);
    scenario["ships"]["white"] = {{"side", "theirs"}, {"upgrades", {"lent"}}};
    return play(cards, scenario).value();
  };
  const double changed = 0.5 * 3 / 8;
  const double unchanged = 0.5 * 5 / 8;
  CHECK(value("self", "friend") == Approx(changed));
  CHECK(value("friends", "self") == Approx(changed));
  CHECK(value("foe", "friend") == Approx(unchanged));  // the defender changes its die
  CHECK(value("foe", "self") == Approx(changed));      // the ship with the card does
  CHECK(value("foes", "self") == Approx(unchanged));
  CHECK(value("all", "self") == Approx(unchanged));
}

TEST_CASE("forbid: tokens that only one ship may not spend", "[cards][verbs]") {
  const auto value = [](const std::string& payer) {
    const std::map<std::string, std::string> cards{
        {"card",
         effect("side = \"attacker\"\nat = \"always\"\ndo = [{ verb = \"forbid\", what = \"spend\", who = \"foe\", "
                "source = [\"calculate\"] }]")},
        {"lent", effect("side = \"defender\"\nfor = \"ally\"\nat = \"defense-mod\"\nmay = true\ncost = [{ token = "
                        "\"calculate\", who = \"" +
                        payer +
                        "\" }]\ndo = [{ verb = \"change\", dice = \"defense\", from = [\"blank\"], to = \"evade\", n = "
                        "1 }]")}};
    json scenario = duel(1, 1);
    scenario["ships"]["black"]["tokens"] = {{"calculate", 1}};
    scenario["ships"]["white"] = {{"side", "theirs"}, {"upgrades", {"lent"}}, {"tokens", {{"calculate", 1}}}};
    return play(cards, scenario).value();
  };
  CHECK(value("friend") == Approx(0.5 * 5 / 8));
  CHECK(value("self") == Approx(0.5 * 2 / 8));  // only a focus result is left
}

TEST_CASE("once a round before the engagement: any one of the matching ships", "[cards][verbs]") {
  const auto value = [](bool chooses, const json& attacks) {
    const std::map<std::string, std::string> card{
        {"card",
         effect(std::string("at = \"engagement-start\"\nwhen = \"bullseye\"\nmay = true\n") +
                (chooses ? "once_per_round = true\n" : "") + "do = [{ verb = \"damage\", n = 1, who = \"foe\" }]")}};
    const json ships = {
        {"red", {{"attack", 0}, {"upgrades", {"card"}}}}, {"grey", json::object()}, {"black", json::object()}};
    return play(card, {{"ships", ships}, {"attacks", attacks}}).value();
  };
  const json plain = {{"by", "red"}, {"on", "grey"}};
  json facts = plain, second = {{"by", "red"}, {"on", "black"}, {"facts", {"bullseye"}}};
  facts["facts"] = {"bullseye"};
  CHECK(value(false, {plain, second}) == Approx(0));  // without: the ship of the first attack
  CHECK(value(true, {plain, second}) == Approx(1));
  CHECK(value(true, {facts, second}) == Approx(1));  // not both
  CHECK(value(true, {facts, {{"by", "red"}, {"on", "black"}}}) == Approx(1));
  const json back = {{"by", "black"}, {"on", "red"}, {"facts", {"in-defender-bullseye"}}};
  CHECK(value(true, {plain, back}) == Approx(1));
}

TEST_CASE("destroyed: by this attack, once", "[cards][verbs]") {
  const std::map<std::string, std::string> card{
      {"card", effect("side = \"attacker\"\nat = \"aftermath\"\nwhen = \"foe.destroyed\"\n"
                      "do = [{ verb = \"gain\", token = \"evade\" }]")}};
  json scenario = duel(2, 0);
  CHECK(play(card, scenario).left("red", "evade") == 0);  // a ship without hull cannot be destroyed
  scenario["ships"]["black"]["hull"] = 2;
  for (const char* objective : {"damage", "kill"}) {
    scenario["objective"] = objective;
    CHECK(play(card, scenario).left("red", "evade") == Approx(0.25));
  }
  scenario["objective"] = "damage";
  scenario["attacks"].push_back(scenario["attacks"][0]);
  CHECK(play(card, scenario).left("red", "evade") == Approx(11. / 16));  // two or more of four dice
}

TEST_CASE("destroyed: a friend", "[cards][verbs]") {
  const std::map<std::string, std::string> card{
      {"card", effect("for = \"ally\"\nat = \"aftermath\"\nwhen = \"friend.destroyed\"\n"
                      "do = [{ verb = \"gain\", token = \"stress\", who = \"foe\", n = 2 }]")}};
  json scenario = duel(2, 0);
  scenario["ships"]["red"].erase("upgrades");
  scenario["ships"]["black"]["hull"] = 1;
  scenario["ships"]["white"] = {{"side", "theirs"}, {"upgrades", {"card"}}};
  CHECK(play(card, scenario).left("red", "stress") == Approx(2 * 0.75));
}

TEST_CASE("facts with a number", "[cards][verbs]") {
  const std::map<std::string, std::string> card{
      {"card",
       effect("side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ndo = [{ verb = \"reroll\", dice = \"attack\", "
              "amount = \"attacker-friend-near-defender\" }]")}};
  const auto scenario = [](const std::string& fact) {
    json out = duel(2, 0);
    out["attacks"][0]["facts"] = {fact};
    return out;
  };
  const auto value = [&](const std::string& fact) { return play(card, scenario(fact)).value(); };
  const std::string name = "attacker-friend-near-defender";
  CHECK(value(name + " = 2") == Approx(2 * 0.75));
  CHECK(value(name + "=1") == Approx(1 + 0.75 * 0.5));
  CHECK(value(name) == Approx(1 + 0.75 * 0.5));
  CHECK(value(name + " = 0") == Approx(1));
  CHECK(value("not " + name) == Approx(1));
  CHECK_THAT(refusal(card, scenario("bullseye = 2")),
             Catch::Contains("facts[0]") && Catch::Contains("without a number"));
  for (const char* wrong : {" = 21", " = two", " ="}) {
    CHECK_THAT(refusal(card, scenario(name + wrong)), Catch::Contains("needs a number from 0 to 20"));
  }
  const Home home(card);
  const Catalogue catalogue(home.root());
  const Scenario flags =
      scenario_from_specs(catalogue, "second-edition", "", {"2 card attacker-friend-near-defender=2"}, "0");
  CHECK(exact::solve(compile::compile_scenario(catalogue, flags).plan).value == Approx(2 * 0.75));
}

TEST_CASE("a fact that nothing reads is noted with those that the cards read", "[cards][verbs]") {
  const std::map<std::string, std::string> card{
      {"card", effect("side = \"attacker\"\nat = \"attack-mod\"\nwhen = \"in-front-arc and bullseye\"\nmay = true\n"
                      "do = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]")}};
  const auto notes = [&](const std::vector<std::string>& facts) {
    json scenario = duel(2, 0);
    scenario["attacks"][0]["facts"] = facts;
    return play(card, scenario).question.labels.notes;
  };
  const std::string unread = "attacks[0]: it makes no difference whether the defender is in the attacker's rear arc";
  CHECK(notes({"in-rear-arc"}) ==
        std::vector<std::string>{unread + "; the cards in this attack read \"bullseye\", \"in-front-arc\""});
  CHECK(notes({"in-rear-arc", "bullseye"}) ==
        std::vector<std::string>{unread + "; the cards in this attack read \"in-front-arc\""});
  CHECK(notes({"in-rear-arc", "bullseye", "in-front-arc"}) == std::vector<std::string>{unread});
}

TEST_CASE("a narrower fact that no card reads tells whether ships are in reach", "[cards][verbs]") {
  const std::string reroll = "may = true\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]";
  const std::map<std::string, std::string> cards{
      {"card", "facts = { friends-in-reach = true }\n" + effect("side = \"attacker\"\nfor = \"ally\"\n"
                                                                "at = \"attack-mod\"\nwhen = \"friends-in-reach\"\n" +
                                                                reroll)},
      {"other", "facts = { attacker-friend-within-1 = true }\n" +
                    effect("side = \"defender\"\nat = \"defense-mod\"\nwhen = \"attacker-friend-within-1\"\n"
                           "may = true\ndo = [{ verb = \"reroll\", dice = \"defense\", n = 1 }]")}};
  const auto played = [&](const std::vector<std::string>& facts, const char* upgrade = "") {
    json scenario = duel(1, 0);
    scenario["ships"]["red"].erase("upgrades");
    scenario["ships"]["gold"] = {{"side", "mine"}, {"upgrades", {"card"}}};
    if (*upgrade != 0) scenario["ships"]["black"]["upgrades"] = {upgrade};
    scenario["attacks"][0]["facts"] = facts;
    return play(cards, scenario);
  };
  for (const char* fact : {"attacker-friend-within-1", "attacker-friend-within-3 = 2", "attacker-in-arc-of-friend"}) {
    CHECK(played({fact}).value() == Approx(0.75));
    CHECK(played({fact}).question.labels.notes.empty());
  }
  CHECK(played({"not attacker-friend-within-1"}).value() == Approx(0.5));
  CHECK(played({"not attacker-friend-within-1"}).question.labels.notes.empty());
  CHECK(played({"attacker-friend-within-2", "not attacker-beside-friend"}).value() == Approx(0.5));  // both hold
  CHECK(played({"friends-in-reach", "not attacker-friend-within-1"}).value() == Approx(0.75));
  CHECK(played({"not attacker-friend-within-1"}, "other").value() == Approx(0.75));  // stated for the other card
  for (const char* fact : {"not attacker-friend-near-defender", "not defender-friend-within-1"}) {  // not about both
    CHECK(played({fact}).value() == Approx(0.75));
    CHECK(played({fact}).question.labels.notes.size() == 1);
  }
}

TEST_CASE("the least number of narrower facts says how many friends are in reach", "[cards][verbs]") {
  const std::map<std::string, std::string> cards{
      {"card", "facts = { friends-in-reach = true }\n" +
                   effect("side = \"attacker\"\nat = \"attack-mod\"\nwhen = \"friends-in-reach\"\nmay = true\n"
                          "cost = [{ token = \"focus\", who = \"ally\" }]\n"
                          "do = [{ verb = \"change\", dice = \"attack\", from = [\"blank\"], to = \"hit\", n = 1 }]")}};
  const auto value = [&](const std::vector<std::string>& facts) {
    json scenario = duel(3, 0);
    for (const char* friendly : {"blue", "gold", "green"})
      scenario["ships"][friendly] = {{"side", "mine"}, {"tokens", {{"focus", 1}}}};
    scenario["attacks"][0].update({{"rolled", {"blank", "blank", "blank"}}, {"facts", facts}});
    return play(cards, scenario).value();
  };
  const std::string any = "attacker-in-arc-of-friend", one = "attacker-friend-within-2 = 1",
                    two = "attacker-friend-within-3 = 2";
  CHECK(value({any}) == Approx(3));
  CHECK(value({any, two}) == Approx(2));
  CHECK(value({two, any}) == Approx(2));
  CHECK(value({two, one}) == Approx(1));
  CHECK(value({one, two}) == Approx(1));
}

TEST_CASE("a weapon for bonus attacks makes no other attacks", "[cards][verbs]") {
  const std::string reroll = "may = true\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]";
  const auto value = [&](const std::string& when, bool bonus, json scenario) {
    const std::string gun = bonus ? "weapon = { arc = \"front\", attack = 2, bonus = true }\n"
                                  : "weapon = { arc = \"front\", attack = 2 }\n";
    const std::string card =
        effect("side = \"attacker\"\nat = \"attack-mod\"\nwhen = \"primary and " + when + "\"\n" + reroll);
    return play({{"card", card}, {"gun", gun}}, scenario).value();
  };
  json follows = duel(1, 0);  // one die, then two
  follows["ships"]["red"]["upgrades"] = {"card", "gun"};
  follows["attacks"].push_back({{"by", "red"}, {"on", "black"}, {"weapon", "gun"}});
  CHECK(value("not attacks-follow", false, follows) == Approx(0.5 + 1));
  CHECK(value("not attacks-follow", true, follows) == Approx(0.75 + 1));
  follows["attacks"][1]["bonus"] = "gun";  // the same, spelled out
  CHECK(value("not attacks-follow", true, follows) == Approx(0.75 + 1));
  json ordered = duel(1, 0);
  ordered["ships"]["red"]["agility"] = 0;
  ordered["ships"]["black"]["upgrades"] = {"gun"};
  ordered["attacks"] = {{{"by", "red"}, {"on", "black"}, {"initiative", 5}},
                        {{"by", "black"}, {"on", "red"}, {"weapon", "gun"}, {"initiative", 5}}};
  // Without a pilot, the initiative of black is that of its first attack.
  const double of_attack = value("foe.initiative == 5", false, ordered);
  CHECK(of_attack - value("foe.initiative == 5", true, ordered) == Approx(0.25));
}

TEST_CASE("last: no other bonus attack follows", "[cards][verbs]") {
  const auto value = [](const std::string& last) {
    const std::map<std::string, std::string> cards{
        {"card",
         effect("side = \"attacker\"\nat = \"aftermath\"\nmay = true\nwhen = \"not bonus-attack\"\ndo = [{ verb = "
                "\"bonus\", target = \"foe\"" +
                last + " }]")},
        {"other",
         effect("side = \"attacker\"\nat = \"aftermath\"\nmay = true\nwhen = \"granted-by == 'card'\"\ndo = [{ verb "
                "= \"bonus\", target = \"foe\" }]")}};
    json scenario = duel(1, 0);
    scenario["ships"]["red"]["upgrades"] = {"card", "other"};
    scenario["ships"]["red"]["size"] = "huge";  // any number of bonus attacks (000: Huge_Ships)
    return play(cards, scenario).value();
  };
  CHECK(value("") == Approx(1.5));
  CHECK(value(", last = true") == Approx(1));
}

TEST_CASE("waive: while a friend has a lock", "[cards][verbs]") {
  const std::string gun = "weapon = { arc = \"front\", attack = 2, requires = [\"lock\"] }\n";
  const std::string card = effect(
      "side = \"attacker\"\nat = \"always\"\nwhen = \"ally.lock >= 1\"\ndo = [{ verb = \"waive\", token = \"lock\" }]");
  const std::string loses =
      effect("side = \"attacker\"\nat = \"declare\"\ndo = [{ verb = \"lose\", token = \"lock\" }]");
  json scenario = {
      {"ships",
       {{"red", {{"upgrades", {"card", "gun"}}}},
        {"white", {{"attack", 0}, {"tokens", {{"lock", {"black"}}}}}},
        {"black", json::object()}}},
      {"attacks", {{{"by", "white"}, {"on", "black"}}, {{"by", "red"}, {"on", "black"}, {"weapon", "gun"}}}}};
  CHECK(play({{"card", card}, {"gun", gun}}, scenario).value() == Approx(1));
  scenario["ships"]["white"]["upgrades"] = {"loses"};
  const Answer without = play({{"card", card}, {"gun", gun}, {"loses", loses}}, scenario);
  CHECK(without.value() == 0);
  CHECK(without.exact.attacks[1].happens == 0);
}

TEST_CASE("tokens that a friend spent in this attack", "[cards][verbs]") {
  const std::map<std::string, std::string> card{
      {"card",
       effect("side = \"defender\"\nfor = \"ally\"\nat = \"aftermath\"\nwhen = \"friend.spent.focus\"\ndo = [{ verb = "
              "\"gain\", token = \"evade\", who = \"friend\" }]")}};
  json scenario = duel(6, 1);
  scenario["ships"]["red"].erase("upgrades");
  scenario["ships"]["black"]["tokens"] = {{"focus", 1}};
  scenario["ships"]["white"] = {{"side", "theirs"}, {"upgrades", {"card"}}};
  // The token is spent for a focus result, 1/4, unless all six attack dice miss.
  CHECK(play(card, scenario).left("black", "evade") == Approx(0.25 * (1 - 1. / 64)));
}

TEST_CASE("a docked ship is in reserve", "[cards][verbs]") {
  const std::map<std::string, std::string> cards{
      {"gun", "weapon = { arc = \"rear\", attack = \"docked\" }\n"},
      {"card",
       effect(
           "side = \"attacker\"\nfor = \"ally\"\nat = \"attack-pool\"\ndo = [{ verb = \"pool\", dice = \"attack\", n "
           "= 1 }]") +
           effect(
               "side = \"attacker\"\nfor = \"ally\"\nat = \"attack-pool\"\nwhen = \"friend.carrier\"\ndo = [{ verb = "
               "\"pool\", dice = \"attack\", n = 2 }]")}};
  json scenario = {{"ships",
                    {{"red", {{"attack", 1}, {"upgrades", {"gun"}}, {"docked", "white"}}},
                     {"white", {{"attack", 3}, {"upgrades", {"card"}}}},
                     {"black", {{"attack", 1}}}}},
                   {"attacks", {{{"by", "red"}, {"on", "black"}, {"weapon", "primary:rear"}}}}};
  CHECK(play(cards, scenario).exact.attacks[0].attack_dice == 5);  // 3 of the docked ship's weapon and 2 of its card
  scenario["attacks"][0]["weapon"] = "primary:front";
  CHECK(play(cards, scenario).exact.attacks[0].attack_dice == 3);
  scenario["attacks"].push_back({{"by", "black"}, {"on", "white"}});
  CHECK_THAT(refusal(cards, scenario), Catch::Contains("attacks[1].on") && Catch::Contains("'white' is docked"));
  scenario["attacks"].erase(1);
  scenario["ships"]["red"]["docked"] = "red";
  CHECK_THAT(refusal(cards, scenario), Catch::Contains("ships.red.docked"));
  scenario["ships"]["red"]["docked"] = "black";
  CHECK_THAT(refusal(cards, scenario), Catch::Contains("docked"));
  scenario["ships"]["red"]["docked"] = "whte";
  CHECK_THAT(refusal(cards, scenario), Catch::Contains("did you mean 'white'"));
}

TEST_CASE("charges that a card loses in the setup", "[cards][verbs]") {
  const std::string changes = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"charge\" }]\n"
      "do = [{ verb = \"change\", dice = \"attack\", from = [\"blank\"], to = \"hit\", n = 1 }]");
  check_value("charges = 1\n" + changes, duel(1, 0), 0.75);
  check_value("charges = 1\ntokens = { charge = -1 }\n" + changes, duel(1, 0), 0.5);
  CHECK_THAT(refusal({{"card", "charges = 1\ntokens = { charge = 1 }\n" + changes}}, duel(1, 0)),
             Catch::Contains("negative"));
}

TEST_CASE("no more than one die may be rerolled, by any effect", "[cards][verbs]") {
  const std::string limit =
      "at = \"always\"\ndo = [{ verb = \"forbid\", what = \"reroll\", who = \"foe\", dice = \"attack\", max = 1 }]";
  json scenario = defended(2, 0);
  scenario["ships"]["red"]["tokens"] = {{"lock", {"black"}}};
  check_value(effect("side = \"defender\"\n" + limit), scenario, 1.375);  // 1 + 3/4 * 1/2
  SECTION("while something holds") {
    const std::string card = effect("side = \"defender\"\nwhen = \"foe.stress >= 1\"\n" + limit);
    check_value(card, scenario, 1.5);
    scenario["ships"]["red"]["tokens"]["stress"] = 1;
    check_value(card, scenario, 1.375);
  }
  SECTION("dice of the other color are not limited") {
    json back = scenario;
    back["ships"]["black"]["tokens"] = {{"lock", {"red"}}};
    back["ships"]["black"]["attack"] = 2;
    back["ships"]["red"]["agility"] = 0;
    back["attacks"].push_back({{"by", "black"}, {"on", "red"}});
    check_value(effect("side = \"defender\"\n" + limit), back, 1.375 - 1.5);
  }
  const std::string wrong =
      "at = \"always\"\ndo = [{ verb = \"forbid\", what = \"modify\", dice = \"attack\", max = 1 }]";
  CHECK_THAT(refusal({{"card", effect("side = \"defender\"\n" + wrong)}}, defended(1, 0)), Catch::Contains("max = 1"));
}

TEST_CASE("primary weapons that a card brings, or turns into another arc", "[cards][verbs]") {
  const auto stat = [](const std::string& keys) {
    return effect("id = \"stat-line\"\nat = \"always\"\ndo = [{ verb = \"stat\", stat = \"attack\", " + keys + " }]");
  };
  json scenario = duel(0, 0);
  scenario["ships"]["red"] = {{"ship", "tielnfighter"}, {"upgrades", {"card"}}};  // two dice to the front
  scenario["attacks"][0]["range"] = 2;
  scenario["attacks"][0]["weapon"] = "primary:rear";
  check_value(stat("weapon = \"primary:rear\", n = 4"), scenario, 2.0);
  scenario["attacks"][0]["weapon"] = "primary:front";
  check_value(stat("weapon = \"primary:rear\", n = 4"), scenario, 1.0);
  const std::string turned = stat("weapon = \"primary:front\", to = \"rear\", n = 3");
  CHECK_THAT(refusal({{"card", turned}}, scenario), Catch::Contains("front"));
  scenario["attacks"][0]["weapon"] = "primary:rear";
  check_value(turned, scenario, 1.5);
}

TEST_CASE("Force charges that are not active, and the price of a weapon as spent", "[cards][verbs]") {
  const std::string adds = "do = [{ verb = \"pool\", dice = \"attack\", n = 1 }]";
  json scenario = duel(1, 0);
  scenario["ships"]["red"] = {{"ship", "attackshuttle"},
                              {"pilot", "ezrabridger"},
                              {"upgrades", {"card"}},
                              {"attack", 1},
                              {"tokens", {{"force", 0}}}};  // one of one
  scenario["attacks"][0]["range"] = 2;
  const std::string card =
      effect("side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"self.inactive.force >= 1\"\n" + adds);
  check_value(card, scenario, 1.0);
  scenario["ships"]["red"]["tokens"]["force"] = 1;
  check_value(card, scenario, 0.75);
  json shot = duel(1, 0);
  shot["ships"]["red"]["tokens"] = {{"lock", {"black"}}};
  shot["attacks"][0]["weapon"] = "card";
  shot["attacks"][0]["range"] = 2;
  check_value(
      "weapon = { arc = \"front\", attack = 1, min_range = 1, max_range = 3, cost = [{ token = \"lock\" }] }\n" +
          effect("side = \"attacker\"\nat = \"attack-pool\"\nwhen = \"spent.lock\"\n" + adds),
      shot, 1.0);
}

TEST_CASE("no more than one focus result may be modified", "[cards][verbs]") {
  const std::string card = effect(
      "side = \"defender\"\nat = \"always\"\n"
      "do = [{ verb = \"forbid\", what = \"modify\", who = \"foe\", dice = \"attack\", from = [\"focus\"], max = 1 }]");
  json scenario = defended(2, 0);
  scenario["ships"]["red"]["tokens"] = {{"focus", 1}};
  check_value(card, scenario, 1.4375);  // 1 + 7/16
  scenario["ships"]["red"]["tokens"] = {{"calculate", 2}};
  check_value(card, scenario, 1.4375);
  scenario["ships"]["red"]["tokens"] = {{"lock", {"black"}}};
  check_value(card, scenario, 1.46875);  // 3/2 - 1/16 * 1/2
  SECTION("while something holds") {
    const std::string sometimes = effect(
        "side = \"defender\"\nat = \"always\"\nwhen = \"foe.stress >= 1\"\n"
        "do = [{ verb = \"forbid\", what = \"modify\", who = \"foe\", dice = \"attack\", from = [\"focus\"], max = 1 "
        "}]");
    check_value(sometimes, scenario, 1.5);
    scenario["ships"]["red"]["tokens"]["stress"] = 1;
    check_value(sometimes, scenario, 1.46875);
  }
}

TEST_CASE("windows: which player's effects come first", "[cards][verbs]") {
  // Once dice are rolled, the opponent of the player whose dice or attack it is; before that, the attacker.
  const std::vector<std::pair<std::string, bool>> attacker_first = {
      {"declare", true},        {"attack-value", false}, {"attack-pool", false},      {"attack-rolled", false},
      {"attack-mod", false},    {"attack-set", false},   {"defense-value", true},     {"defense-pool", true},
      {"defense-rolled", true}, {"defense-mod", true},   {"before-neutralize", true}, {"neutralize", false},
      {"outcome", false},       {"damage", false},       {"suffered", false},         {"aftermath", false}};
  for (const auto& row : attacker_first) {
    const std::string& window = row.first;
    const bool attacker = row.second;
    INFO(window);
    // Red tokens, which no effect of the rules reads during an attack.
    const auto option = [&](const std::string& side) {
      return effect("side = \"" + side + "\"\nat = \"" + window +
                    "\"\nmay = true\ndo = [{ verb = \"gain\", token = \"deplete\", who = \"self\" }]");
    };
    json scenario = duel(2, 1);
    scenario["ships"]["black"]["upgrades"] = {"other"};
    const Home home({{"card", option("attacker")}, {"other", option("defender")}});
    const game::Plan plan =
        compile::compile_scenario(Catalogue(home.root()), parse_scenario(scenario.dump(), "windows")).plan;
    std::vector<bool> found;
    for (const game::Step& step : plan.attacks.at(0).steps) {
      if (step.kind == game::Step::Kind::Window) found.push_back(step.attacker_decides);
    }
    CHECK(found == std::vector<bool>{attacker, !attacker});
  }
}
