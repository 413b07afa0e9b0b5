// Cards about damage cards: exposing, options before a card is dealt faceup, and conditions about them. Expected values
// are closed forms, or come from a physical model of the deck outside salvo that knows the identity of facedown cards.
#include <catch2/catch.hpp>

#include "support/damage_deck.h"

using namespace salvo;
using namespace salvo::decks;
using Catch::Matchers::Contains;

namespace {

std::string effect(const std::string& head, const std::string& operations) {
  return "[[effect]]\n" + head + "\ndo = [" + operations + "]\n";
}

/// An option of the defender at `window`, at the price of a charge.
std::string plate(const std::string& window, const std::string& as, const std::string& more = "") {
  return "charges = 1\n" +
         effect("at = \"" + window + "\"\nmay = true\nrepeats = true\n" + more + "cost = [{ token = \"charge\" }]",
                "{ verb = \"deal\", as = \"" + as + "\" }");
}

const std::string kAfter = "side = \"attacker\"\nat = \"aftermath\"\n";
const std::string kExpose = "{ verb = \"expose\", who = \"foe\" }";

const Home& home() {
  const std::string several = fmt::format(
      "[[card]]\nid = \"bang\"\ncopies = 3\n{}\n[[card]]\nid = \"leak\"\ncopies = 3\n{}\n"
      "[[card]]\nid = \"breach\"\ncopies = 2\n{}\n{}8\n",
      kBang, kLeak, kBreach, kOthers);
  const std::string traits = fmt::format(
      "[[card]]\nid = \"bang\"\ncopies = 5\ntrait = \"ship\"\n{}\n[[card]]\nid = \"dizzy\"\ncopies = 10\n"
      "trait = \"pilot\"\n{}18\n",
      kBang, kOthers);
  static const Home profiles(
      {{"exposed", deck_of(5, kBang)}, {"several", several}, {"traits", traits}, {"fail", deck_of(2, kFail)}},
      {{"puncher", effect(kAfter, "{ verb = \"damage\", who = \"foe\" }")},
       {"exposer", effect(kAfter, kExpose)},
       {"eager", "charges = 1\n" + effect("side = \"attacker\"\nat = \"attack-mod\"\nmay = true\n"
                                          "must = true\ncost = [{ token = \"charge\" }]",
                                          kExpose)},
       {"turner", plate("card-due", "facedown")},
       {"thrower", plate("card-due", "discarded")},
       {"looker", plate("card-seen", "facedown")},
       {"plating", plate("card-seen", "discarded", "when = \"drawn.ship\"\n")},
       {"fuse", "charges = 1\n" + effect("at = \"card-due\"\nrepeats = true\n"
                                         "cost = [{ token = \"charge\" }]",
                                         "{ verb = \"deal\", as = \"discarded\" }, "
                                         "{ verb = \"gain\", token = \"stress\" }")},
       {"saver", "charges = 1\n" + effect("at = \"damage-due\"\nmay = true\ncost = [{ token = \"charge\" }]",
                                          "{ verb = \"prevent\", n = \"all\" }")},
       {"redrawer", plate("card-seen", "redrawn")},
       {"chooser",
        effect("side = \"attacker\"\nat = \"always\"", "{ verb = \"pick\", of = \"drawn\", n = 2, who = \"foe\" }")},
       {"picky", effect("at = \"always\"", "{ verb = \"pick\", of = \"drawn\", n = 2 }")},
       {"lookout", effect("at = \"always\"", "{ verb = \"pick\", of = \"facedown\" }")},
       {"spy", effect(kAfter, "{ verb = \"expose\", who = \"foe\", pick = true }")},
       {"mender", effect("side = \"attacker\"\nat = \"declare\"\nmay = true", "{ verb = \"repair\" }")},
       {"gossip",
        effect(kAfter + "when = \"foe.dealt.pilot\"\n", "{ verb = \"gain\", token = \"stress\", who = \"foe\" }")},
       {"teller", effect(kAfter,
                         "{ verb = \"gain\", token = \"stress\", who = \"foe\", "
                         "amount = \"foe.faceup\" }")},
       {"counter", effect(kAfter,
                          "{ verb = \"gain\", token = \"stress\", who = \"foe\", "
                          "amount = \"foe.facedown\" }")}});
  return profiles;
}

using Attacks = std::vector<std::pair<std::string, std::string>>;

std::string ships(int red, const std::string& cards, const std::string& black = "") {
  return fmt::format("[ships.red]\nattack = {}\nhull = 20\nupgrades = [{}]\n[ships.black]\nattack = 3\nhull = 20\n{}",
                     red, cards, black);
}

Answer play(const std::string& rules, const std::string& deck, const std::string& ships, const Attacks& attacks) {
  return answer(home().catalogue(), scenario(rules, deck, ships, attacks));
}

double some(int special, int drawn) { return 1 - hypergeometric(0, special, drawn); }

}  // namespace

TEST_CASE("an exposed card is a random facedown card", "[deck][cards][exact]") {
  const std::string both = "\"puncher\", \"exposer\"";
  const Answer once = play("sure", "exposed", ships(0, both), {{"red", "black"}});
  CHECK(once.exact.value == Approx(1 + 5.0 / 33));
  CHECK(once.ship("black").faceup == Approx(1));
  check_pmf(once.ship("black").damage, 1, {28.0 / 33, 5.0 / 33});

  // A card that was turned facedown again can be exposed again: it is one of three cards, the others are unknown.
  const Answer twice = play("sure", "exposed", ships(0, both), {{"red", "black"}, {"red", "black"}});
  CHECK(twice.exact.value == Approx(2 + 5.0 / 33 * (1 + 1.0 / 3 + 2.0 / 3 * 4 / 32) + 28.0 / 33 * 5 / 32));

  // Without a facedown card nothing is exposed; only a bang leaves some: itself and the card of its damage.
  const Answer none = play("sure", "exposed", ships(1, "\"exposer\""), {{"red", "black"}});
  CHECK(none.ship("black").faceup == Approx(1 + 5.0 / 33));
  CHECK(none.exact.value == Approx(1 + 5.0 / 33 * (1 + 1.0 / 2 + 1.0 / 2 * 4 / 32)));
}

TEST_CASE("damage of damage cards is prevented before it is suffered", "[deck][cards][exact]") {
  const std::string saver = "upgrades = [\"saver\"]\n";
  const Answer one = play("sure", "exposed", ships(1, "", saver), {{"red", "black"}});
  CHECK(one.exact.value == Approx(1));  // against 1 + 5/33
  CHECK(one.left("black", "charge:saver") == Approx(28.0 / 33));
  const Answer two = play("sure", "exposed", ships(2, "", saver), {{"red", "black"}});
  CHECK(two.exact.value == Approx(2 + hypergeometric(2, 5, 2)));
  // Of an exposed card: the damage of the effect that deals it comes first, and preventing that exposes nothing.
  const Answer exposed = play("sure", "exposed", ships(0, "\"puncher\", \"exposer\"", saver), {{"red", "black"}});
  CHECK(exposed.exact.value == Approx(0).margin(1e-14));
  const Answer leaks = play("coin", "several", ships(2, "\"puncher\"", saver), {{"red", "black"}});
  CHECK(leaks.exact.value < play("coin", "several", ships(2, "\"puncher\""), {{"red", "black"}}).exact.value - 0.9);
}

TEST_CASE("exposed cards have their lasting effects", "[deck][cards][exact]") {
  const Answer fails = play("sure", "fail", ships(0, "\"puncher\", \"exposer\""), {{"red", "black"}, {"black", "red"}});
  CHECK(fails.exact.attacks[1].attack_dice == Approx(3 - 2.0 / 33));
  // Before the dice: the second attack exposes the card of the first, with a price that was not paid before.
  const Answer eager = play("sure", "fail", ships(0, "\"puncher\", \"eager\""),
                            {{"red", "black"}, {"black", "red"}, {"red", "black"}, {"black", "red"}});
  CHECK(eager.exact.attacks[1].attack_dice == Approx(3));
  CHECK(eager.exact.attacks[3].attack_dice == Approx(3 - 2.0 / 33));
  CHECK(eager.left("red", "charge:eager") == Approx(0).margin(1e-14));
  const Answer nothing = play("sure", "fail", ships(0, "\"eager\""), {{"red", "black"}});
  CHECK(nothing.left("red", "charge:eager") == Approx(1));
}

TEST_CASE("exposing agrees with a physical model of the deck", "[deck][cards][exact]") {
  const std::string wing =
      ships(1, "\"exposer\"") + "[ships.blue]\nside = \"mine\"\nattack = 2\nupgrades = [\"exposer\"]\n";
  CHECK(play("coin", "several", wing, {{"red", "black"}, {"red", "black"}}).exact.value == Approx(112533.0 / 41600));
  CHECK(play("coin", "several", wing, {{"blue", "black"}, {"red", "black"}}).exact.value ==
        Approx(1296190291.0 / 314496000));
}

TEST_CASE("exposing with the second edition's deck agrees with a physical model", "[deck][cards][exact]") {
  Catalogue catalogue(fs::path(SALVO_SOURCE_DIR "/profiles"));
  const fs::path file = fs::temp_directory_path() / ("salvo_exposer_" + std::to_string(::getpid()) + ".toml");
  std::ofstream(file) << "id = \"exposer\"\nkind = \"upgrade\"\n" << effect(kAfter + "when = \"hit\"", kExpose);
  catalogue.add_card(file.string());
  fs::remove(file);
  const auto value = [&](const std::string& black, int blue) {
    const std::string text = fmt::format(
        "[ships.red]\nattack = 3\nupgrades = [\"exposer\"]\n[ships.blue]\nside = \"mine\"\nattack = {}\n"
        "upgrades = [\"exposer\"]\n[ships.black]\nship = \"tielnfighter\"\n{}",
        blue, black);
    Attacks attacks{{"red", "black"}};
    if (blue > 0) attacks.emplace_back("blue", "black");
    return answer(catalogue, scenario("second-edition", "core", text, attacks)).exact.value;
  };
  CHECK(value("agility = 0\n", 0) == Approx(1.69798779252807));
  CHECK(value("agility = 1\n", 1) == Approx(1.7433752453479072));
  // A ship with less hull than its stat line already has facedown cards.
  CHECK(value("agility = 0\nhull = 2\n", 0) == Approx(1.7075017777291603));
  CHECK(value("agility = 1\nhull = 2\nshields = 1\n", 1) == Approx(1.7246345683840865));
}

TEST_CASE("a damage card is dealt facedown or discarded for a charge", "[deck][cards][exact]") {
  const auto black = [](const std::string& card) { return "upgrades = [\"" + card + "\"]\n"; };
  const Answer one = play("sure", "exposed", ships(1, "", black("turner")), {{"red", "black"}});
  CHECK(one.exact.value == Approx(1));
  CHECK(one.ship("black").faceup == Approx(0).margin(1e-14));
  CHECK(play("sure", "exposed", ships(2, "", black("turner")), {{"red", "black"}}).exact.value == Approx(2 + 5.0 / 33));
  // Shields do not matter.
  CHECK(play("sure", "exposed", ships(2, "", "shields = 1\n" + black("turner")), {{"red", "black"}}).exact.value ==
        Approx(2));

  const Answer thrown = play("sure", "exposed", ships(1, "", black("thrower")), {{"red", "black"}});
  CHECK(thrown.exact.value == Approx(0).margin(1e-14));
  check_pmf(thrown.ship("black").damage, 0, {1, 0});
  CHECK(thrown.ship("black").joint(0, 1) == Approx(1));
  CHECK(play("sure", "exposed", ships(3, "", black("thrower")), {{"red", "black"}}).exact.value ==
        Approx(2 + 10.0 / 33));

  // A mandatory effect is used on the first card.
  const Answer fuse = play("sure", "exposed", ships(2, "", black("fuse")), {{"red", "black"}});
  CHECK(fuse.exact.value == Approx(1 + 5.0 / 33));
  CHECK(fuse.left("black", "stress") == Approx(1));
}

TEST_CASE("a decision about a seen card depends on its identity", "[deck][cards][exact]") {
  const std::string looker = "upgrades = [\"looker\"]\n", plating = "upgrades = [\"plating\"]\n";
  CHECK(play("sure", "exposed", ships(3, "", looker), {{"red", "black"}}).exact.value ==
        Approx(3 + 15.0 / 33 - some(5, 3)));
  // A card that was seen before it was turned facedown is known when it is exposed.
  const Answer known = play("sure", "exposed", ships(1, "\"exposer\"", looker), {{"red", "black"}});
  CHECK(known.exact.value == Approx(1 + 5.0 / 33));
  // The first bang is discarded: neither it nor its damage counts.
  const Answer two = play("sure", "traits", ships(2, "", plating), {{"red", "black"}});
  CHECK(two.exact.value ==
        Approx(2 * hypergeometric(0, 5, 2) + 1 * hypergeometric(1, 5, 2) + 2 * hypergeometric(2, 5, 2)));
  CHECK(two.ship("black").faceup == Approx(2 - some(5, 2)));
  // Two attacks: the seen cards have left the deck.
  const Answer later = play("sure", "traits", ships(1, "", plating), {{"red", "black"}, {"red", "black"}});
  CHECK(later.exact.value == Approx(two.exact.value));
}

TEST_CASE("a player picks the damage card that is dealt faceup", "[deck][cards][exact]") {
  const auto black = [](const std::string& card) { return "upgrades = [\"" + card + "\"]\n"; };
  const double both = 5. * 4 / (33 * 32);
  const Answer one = play("sure", "exposed", ships(1, "\"chooser\""), {{"red", "black"}});
  CHECK(one.exact.value == Approx(1 + some(5, 2)));
  CHECK(one.ship("black").faceup == Approx(1));
  // The discarded cards are out of the deck, and every pair of cards is as likely as the first.
  CHECK(play("sure", "exposed", ships(2, "\"chooser\""), {{"red", "black"}}).exact.value == Approx(2 + 2 * some(5, 2)));
  CHECK(play("sure", "exposed", ships(2, "", black("picky")), {{"red", "black"}}).exact.value == Approx(2 + 2 * both));
  // Only one replaces the draw: that of the ship which is dealt the card.
  CHECK(play("sure", "exposed", ships(1, "\"chooser\"", black("picky")), {{"red", "black"}}).exact.value ==
        Approx(1 + both));
  // The card that was picked can be discarded for a charge.
  const Answer thrown = play("sure", "exposed", ships(1, "\"chooser\"", black("plating")), {{"red", "black"}});
  CHECK(thrown.exact.value == Approx(1 + some(5, 2)));  // its cards have no trait
  const Answer seen = play("sure", "exposed", ships(1, "\"chooser\"", black("looker")), {{"red", "black"}});
  CHECK(seen.exact.value == Approx(1));
}

TEST_CASE("a player picks the damage card that is exposed", "[deck][cards][exact]") {
  const auto play_two = [](const std::string& card, const std::string& black) {
    return play("sure", "exposed",
                ships(0, "\"puncher\", \"" + card + "\"", black) +
                    "[ships.blue]\nside = \"mine\"\nattack = 0\nupgrades = [\"puncher\"]\n",
                {{"blue", "black"}, {"red", "black"}});
  };
  const Answer spy = play_two("spy", "");
  CHECK(spy.exact.value == Approx(2 + some(5, 2)));
  CHECK(spy.ship("black").faceup == Approx(1));
  const double both = 5. * 4 / (33 * 32);
  CHECK(play_two("exposer", "upgrades = [\"lookout\"]\n").exact.value == Approx(2 + both));
  CHECK(play_two("spy", "upgrades = [\"lookout\"]\n").exact.value == Approx(2 + both));
}

TEST_CASE("a damage card is drawn again, and one is repaired", "[deck][cards][exact]") {
  const Answer again = play("sure", "exposed", ships(1, "", "upgrades = [\"redrawer\"]\n"), {{"red", "black"}});
  CHECK(again.exact.value == Approx(1 + 5. / 33 * 4 / 32));
  CHECK(again.ship("black").faceup == Approx(1));
  const auto dice = [](const std::string& black) {
    return play("sure", "fail", ships(1, "", black), {{"red", "black"}, {"black", "red"}}).exact.attacks[1].attack_dice;
  };
  CHECK(dice("") == Approx(3 - 2. / 33));
  CHECK(dice("upgrades = [\"mender\"]\n") == Approx(3));
}

TEST_CASE("conditions read dealt and lasting damage cards", "[deck][cards][exact]") {
  const Answer pilot = play("sure", "traits", ships(3, "\"gossip\""), {{"red", "black"}});
  CHECK(pilot.left("black", "stress") == Approx(some(10, 3)));
  const Answer again =
      play("sure", "traits", ships(3, "\"gossip\"") + "[ships.blue]\nattack = 0\nupgrades = [\"gossip\"]\n",
           {{"red", "black"}, {"blue", "black"}});
  CHECK(again.left("black", "stress") == Approx(some(10, 3)));

  const Answer faceup = play("sure", "traits", ships(3, "\"teller\""), {{"red", "black"}});
  CHECK(faceup.left("black", "stress") == Approx(3 - 15.0 / 33));
  const Answer facedown = play("sure", "traits", ships(3, "\"counter\""), {{"red", "black"}});
  CHECK(facedown.left("black", "stress") == Approx(2 * 15.0 / 33));  // each bang and the card of its damage
}

TEST_CASE("cards about damage cards do nothing without a deck", "[deck][cards]") {
  const Home& profiles = home();
  const auto value = [&](const std::string& red, const std::string& black) {
    const std::string text = "upgrades = [" + black + "]\n";
    return exact::solve(compile::compile_scenario(profiles.catalogue(),
                                                  scenario("sure", "none", ships(2, red, text), {{"red", "black"}}))
                            .plan)
        .value;
  };
  CHECK(value("\"exposer\", \"eager\", \"gossip\", \"teller\", \"counter\"",
              "\"turner\", \"thrower\", \"plating\", \"fuse\"") == Approx(2));
}

TEST_CASE("sampling and the certificate agree about cards of the library", "[deck][cards][sample]") {
  const Catalogue catalogue(fs::path(SALVO_SOURCE_DIR "/profiles"));
  for (const char* objective : {"damage", "kill"}) {
    for (const auto& [policy, weapon] :
         {std::pair{"optimal", "primary"}, {"greedy", "primary"}, {"optimal", "concussionmissiles"}}) {
      const std::string text = fmt::format(
          "rules = \"second-edition\"\ndamage_deck = \"core\"\nobjective = \"{0}\"\nattacker_policy = \"{1}\"\n"
          "defender_policy = \"{1}\"\n"
          "[ships.red]\nship = \"t65xwing\"\nupgrades = [\"deadeyeshot\", \"concussionmissiles\"]\n"
          "tokens = {{ lock = [\"black\"] }}\nattack = 3\n"
          "[ships.black]\npilot = \"chewbacca\"\nship = \"modifiedyt1300lightfreighter\"\nagility = 0\nhull = 3\n"
          "shields = 1\n"
          "upgrades = [\"imperviumplating\"]\n"
          "[[attacks]]\nby = \"red\"\non = \"black\"\nweapon = \"{2}\"\n",
          objective, policy, weapon);
      answer(catalogue, parse_scenario(text, "test"));
    }
  }
}

TEST_CASE("wrong words about damage cards are refused", "[deck][cards][load]") {
  const auto card = [](const std::string& text) { Home({{"wrong", deck_of(5, kBang)}}, {{"wrong", text}}); };
  const std::string deal = "{ verb = \"deal\", as = \"facedown\" }";
  CHECK_THROWS_WITH(card(effect(kAfter, deal)), Contains("card-due"));
  CHECK_THROWS_WITH(card(effect("at = \"card-due\"\nmay = true", "{ verb = \"gain\", token = \"stress\" }")),
                    Contains("verb deal once"));
  CHECK_THROWS_WITH(card(effect("at = \"card-due\"\nmay = true", deal + ", { verb = \"damage\" }")),
                    Contains("only gain, lose and, for an ally, damage"));
  CHECK_THROWS_WITH(card(effect("at = \"card-seen\"\nmay = true\nby = \"foe\"", deal)), Contains("own ship alone"));
  CHECK_THROWS_WITH(card(effect("at = \"card-due\"\nmay = true\ncost = [{ token = \"shield\" }]", deal)),
                    Contains("shields"));
  CHECK_THROWS_WITH(card(effect(kAfter, "{ verb = \"expose\", n = 4 }")), Contains("1 to 3"));
  CHECK_THROWS_WITH(card(effect(kAfter, "{ verb = \"expose\", n = \"all\" }")), Contains("whole number"));
  CHECK_THROWS_WITH(card(effect("at = \"card-due\"\nmay = true", "{ verb = \"deal\", as = \"faceup\" }")),
                    Contains("facedown"));
  CHECK_THROWS_WITH(card(effect("at = \"card-due\"\nmay = true", "{ verb = \"deal\", as = \"redrawn\" }")),
                    Contains("at card-seen"));
  CHECK_THROWS_WITH(card(effect("at = \"always\"", "{ verb = \"pick\", of = \"faceup\" }")), Contains("drawn"));
  CHECK_THROWS_WITH(card(effect(kAfter, "{ verb = \"repair\", of = \"engine\" }")), Contains("pilot"));

  const auto deck = [](const std::string& text) {
    const Home profiles({{"wrong", text}});
    profiles.catalogue().deck("wrong", "sure");
  };
  CHECK_THROWS_WITH(deck("[[card]]\nid = \"a\"\ncopies = 1\ntrait = \"faceup\"\n"), Contains("not a trait"));
  std::string many;
  for (const char* trait : {"a", "b", "c", "d"})
    many += fmt::format("[[card]]\nid = \"{0}\"\ncopies = 1\ntrait = \"{0}\"\n", trait);
  CHECK_THROWS_WITH(deck(many), Contains("more than 3 traits"));
  CHECK_THROWS_WITH(deck("[[card]]\nid = \"a\"\ncopies = 1\n[[card.effect]]\nat = \"card-due\"\ndo = [" + deal + "]\n"),
                    Contains("use dealt"));

  const Home misspelt({{"typo", deck_of(5, kBang)}},
                      {{"misspelt", effect(kAfter + "when = \"foe.dealt.plot\"", kExpose)}});
  CHECK_THROWS_WITH(compile::compile_scenario(misspelt.catalogue(),
                                              scenario("sure", "typo", ships(1, "\"misspelt\""), {{"red", "black"}})),
                    Contains("did you mean 'pilot'"));
}
