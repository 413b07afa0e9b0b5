// The window damage-due and the verb prevent, against closed forms. Both engines play each home-made card.
#include "support/home_cards.h"

using namespace home_cards;

namespace {

/// Each attack with one die against a ship that has the card "saver".
json attacks_on(const std::string& upgrade, int attacks) {
  json out{{"ships",
            {{"red", {{"attack", 1}, {"upgrades", {upgrade}}}}, {"black", {{"agility", 0}, {"upgrades", {"saver"}}}}}},
           {"attacks", json::array()}};
  for (int i = 0; i < attacks; ++i) out["attacks"].push_back({{"by", "red"}, {"on", "black"}});
  return out;
}

std::string saver(const std::string& n, int charges) {
  return "charges = " + std::to_string(charges) + "\n" +
         effect(
             "at = \"damage-due\"\nmay = true\nrepeats = true\ncost = [{ token = \"charge\" }]\n"
             "do = [{ verb = \"prevent\", " +
             n + " }]");
}

}  // namespace

TEST_CASE("damage-due: damage of effects is prevented, results of attacks are not", "[cards][verbs]") {
  const std::string hits = effect(
      "side = \"attacker\"\nat = \"aftermath\"\nwhen = \"hit\"\ndo = [{ verb = \"damage\", n = 2, who = \"foe\" }]");
  const auto value = [&](const std::string& card, const std::string& save, int attacks) {
    return play({{"card", card}, {"saver", save}}, attacks_on("card", attacks)).value();
  };
  CHECK(value(hits, saver("n = 1", 0 + 1), 1) == Approx(0.5 * 2).margin(1e-12));
  CHECK(value(hits, saver("n = 1", 2), 1) == Approx(0.5 * 1).margin(1e-12));
  CHECK(value(hits, saver("n = \"all\"", 1), 1) == Approx(0.5).margin(1e-12));
  CHECK(value(hits, saver("n = \"all\"", 1), 2) == Approx(2 * 0.5 * 3 - 0.75 * 2).margin(1e-12));
  const std::string option = effect(
      "side = \"attacker\"\nat = \"attack-mod\"\nmay = true\ncost = [{ token = \"focus\" }]\n"
      "do = [{ verb = \"damage\", who = \"foe\" }]");
  json scenario = attacks_on("card", 1);
  scenario["ships"]["red"]["tokens"] = {{"focus", 1}};
  // The token adds 1/4 to the attack, or damage that is prevented.
  CHECK(play({{"card", option}, {"saver", saver("n = \"all\"", 1)}}, scenario).value() == Approx(0.75).margin(1e-12));
  scenario["ships"]["red"]["tokens"] = {{"focus", 2}};
  CHECK(play({{"card", option}, {"saver", saver("n = \"all\"", 1)}}, scenario).value() == Approx(0.75).margin(1e-12));
}

TEST_CASE("damage-due: hits and critical hits of one effect are prevented together", "[cards][verbs]") {
  const std::string both = effect(
      "side = \"attacker\"\nat = \"engage\"\ndo = [{ verb = \"damage\", who = \"foe\" }, { verb = \"damage\", who = "
      "\"foe\", crit = true }]");
  const auto value = [&](const std::string& save) {
    return play({{"card", both}, {"saver", save}}, attacks_on("card", 1)).value();
  };
  CHECK(value(saver("n = \"all\"", 1)) == Approx(0.5).margin(1e-12));
  CHECK(value(saver("amount = \"self.due - 1\"", 1)) == Approx(1.5).margin(1e-12));
}

TEST_CASE("damage-due: after the answer of the other player, and after a roll", "[cards][verbs]") {
  const std::string offers = effect(
      "side = \"attacker\"\nat = \"engage\"\nmay = true\ndo = [{ verb = \"damage\", n = 2, who = \"foe\" }]\n"
      "unless = { do = [{ verb = \"damage\", n = 1, who = \"foe\" }] }");
  const std::string rolls = effect(
      "side = \"attacker\"\nat = \"engage\"\n"
      "do = [{ verb = \"roll\", dice = \"attack\", n = 1 }, { verb = \"damage\", amount = \"count(roll.hit) + "
      "count(roll.crit)\", who = \"foe\" }]");
  const std::string none = effect("at = \"always\"\ndo = [{ verb = \"stat\", stat = \"hull\", n = 1 }]");
  for (const auto& [card, damage] : {std::pair{offers, 1.0}, {rolls, 0.5}}) {
    const auto value = [&, card = card](const std::string& save) {
      return play({{"card", card}, {"saver", save}}, attacks_on("card", 1)).value();
    };
    CHECK(value(none) == Approx(0.5 + damage).margin(1e-12));
    CHECK(value(saver("n = 1", 1)) == Approx(0.5).margin(1e-12));
  }
}
