// Damage decks: draws against the hypergeometric distribution, cards against closed forms, the second edition's deck
// against the literal reference, sampling against the exact engine, and errors.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "support/damage_deck.h"
#include "support/differential.h"

using namespace salvo;
using namespace salvo::decks;

namespace {

/// A deck with one card that deals a damage when dealt, and cards without effect.
std::string bang_and(int others) {
  return fmt::format("[[card]]\nid = \"card\"\ncopies = 1\n{}\n{}{}\n", kBang, kOthers, others);
}

const Home& home() {
  static const Home profiles({{"bang", deck_of(5, kBang)},
                              {"leak", deck_of(4, kLeak)},
                              {"fail", deck_of(2, kFail)},
                              {"shock", deck_of(2, kShock)},
                              {"fire", deck_of(2, kFire)},
                              {"breach", deck_of(33 - 1, kBreach)},
                              {"few", "[[card]]\nid = \"card\"\ncopies = 3\n"},
                              {"three", bang_and(2)},
                              {"four", bang_and(3)}});
  return profiles;
}

Answer home_answer(const std::string& rules, const std::string& deck, const std::string& ships,
                   const std::vector<std::pair<std::string, std::string>>& attacks) {
  return answer(home().catalogue(), scenario(rules, deck, ships, attacks));
}

}  // namespace

TEST_CASE("cards are drawn without replacement from the deck of the ship's side", "[deck][exact]") {
  const Answer one = home_answer("sure", "bang", kRedBlack, {{"red", "black"}});
  std::vector<double> want;
  for (int k = 0; k <= 3; ++k) want.push_back(hypergeometric(k, 5, 3));
  check_pmf(one.ship("black").damage, 3, want);
  CHECK(one.ship("black").faceup == Approx(3));
  CHECK(one.exact.value == Approx(3 + 3 * 5.0 / 33));
  CHECK(one.ship("black").joint(0, 3) == Approx(1));

  // Two attacks draw from the same deck; the other side has its own.
  const Answer both = home_answer("sure", "bang", kRedBlack, {{"red", "black"}, {"black", "red"}, {"red", "black"}});
  want.clear();
  for (int k = 0; k <= 5; ++k) want.push_back(hypergeometric(k, 5, 6));
  check_pmf(both.ship("black").damage, 6, want);
  want.clear();
  for (int k = 0; k <= 2; ++k) want.push_back(hypergeometric(k, 5, 2));
  check_pmf(both.ship("red").damage, 2, want);

  // Two ships of one side draw five cards in total.
  const Answer wing =
      home_answer("sure", "bang",
                  kRedBlack + "[ships.grey]\nside = \"theirs\"\nhull = 20\n[ships.blue]\nside = \"mine\"\nattack = 2\n",
                  {{"red", "black"}, {"blue", "grey"}});
  CHECK(mean(wing.ship("black").damage) == Approx(3 + 3 * 5.0 / 33));
  CHECK(mean(wing.ship("grey").damage) == Approx(2 + 2 * 5.0 / 33));
}

TEST_CASE("shields take damage before cards are dealt, hits come before critical hits", "[deck][exact]") {
  const std::string shielded = "[ships.red]\nattack = 3\n[ships.black]\nhull = 20\nshields = 2\n";
  const Answer crits = home_answer("sure", "bang", shielded, {{"red", "black"}});
  CHECK(crits.ship("black").faceup == Approx(1));
  CHECK(mean(crits.ship("black").damage) == Approx(3 + 5.0 / 33));
  // Of three coins, the last result is dealt as a card; it is a critical hit unless all three are hits.
  const Answer coins = home_answer("coin", "bang", shielded, {{"red", "black"}});
  CHECK(coins.ship("black").faceup == Approx(7.0 / 8));
}

TEST_CASE("the next critical damage triggers a Fuel Leak", "[deck][exact]") {
  // Cards dealt by the first two of three critical hits leak.
  const Answer leak = home_answer("sure", "leak", kRedBlack, {{"red", "black"}});
  CHECK(mean(leak.ship("black").damage) == Approx(3 + 2 * 4.0 / 33));
  const Answer later = home_answer("sure", "leak", kRedBlack, {{"red", "black"}, {"red", "black"}});
  CHECK(mean(later.ship("black").damage) == Approx(6 + 5 * 4.0 / 33));
}

TEST_CASE("each faceup copy takes a die, in later attacks of the ship only", "[deck][exact]") {
  const Answer fail = home_answer("sure", "fail", kRedBlack, {{"black", "red"}, {"red", "black"}});
  CHECK(fail.exact.attacks[1].attack_dice == Approx(3 - 2 * 2.0 / 33));
  check_pmf(fail.ship("black").damage, 1, {hypergeometric(2, 2, 2), hypergeometric(1, 2, 2), hypergeometric(0, 2, 2)});
  const Answer before = home_answer("sure", "fail", kRedBlack, {{"red", "black"}, {"black", "red"}});
  CHECK(before.exact.attacks[0].attack_dice == Approx(3));
  CHECK(before.exact.attacks[1].attack_dice == Approx(2 - 3 * 2.0 / 33));
}

TEST_CASE("dealt cards give tokens", "[deck][exact]") {
  const Answer shock = home_answer("sure", "shock", kRedBlack, {{"red", "black"}});
  CHECK(shock.left("black", "stress") == Approx(2 * 3 * 2.0 / 33));
}

TEST_CASE("Console Fire rolls before the ship engages", "[deck][exact]") {
  // Black deals each coin as a card with 1/2; every copy burns with 1/2 before red attacks.
  const Answer fire = home_answer("coin", "fire", kRedBlack, {{"black", "red"}, {"red", "black"}});
  CHECK(mean(fire.ship("red").damage) == Approx(2 + 2 * 0.5 * 2.0 / 33 * 0.5));
  CHECK(fire.exact.value == Approx(2 + 2 * 0.5 * 2.0 / 33 * 0.5 - 3));
  CHECK(fire.exact.attacks.size() == 2);
  const Answer never = home_answer("coin", "fire", kRedBlack, {{"red", "black"}, {"red", "black"}});
  CHECK(mean(never.ship("black").damage) == Approx(6));
}

TEST_CASE("with a Hull Breach hits are dealt faceup", "[deck][exact]") {
  // 32 of 33 cards breach. The first attack of two coins deals c cards; the second deals both results faceup if one
  // of them is a breach (c = 1: 32/33; c = 2: always), else its critical hits.
  const Answer breach = home_answer("coin", "breach", "[ships.red]\nattack = 2\n[ships.black]\nhull = 20\n",
                                    {{"red", "black"}, {"red", "black"}});
  const double breached = 0.25 + 0.5 * 32 / 33;
  CHECK(breach.ship("black").faceup == Approx(1 + breached * 2 + (1 - breached) * 1));
  CHECK(mean(breach.ship("black").damage) == Approx(4));
}

TEST_CASE("state that nothing reads is merged", "[deck][exact]") {
  // The last attack on a ship that does not attack afterwards: a failing weapon is an ordinary card.
  const salvo::compile::CompiledScenario last = compile::compile_scenario(
      home().catalogue(), scenario("sure", "fail", kRedBlack, {{"red", "black"}, {"red", "black"}}));
  for (const salvo::game::AttackPlan& attack : last.plan.attacks)
    CHECK(attack.deals[salvo::game::kDefender].kinds.size() == 1);
  // Nothing reads the seen cards, so counting them would only enlarge the tables.
  for (const salvo::game::Resource& resource : last.plan.resources)
    CHECK(resource.kind != salvo::game::Resource::Kind::Seen);
  const salvo::compile::CompiledScenario used = compile::compile_scenario(
      home().catalogue(), scenario("sure", "fail", kRedBlack, {{"black", "red"}, {"red", "black"}}));
  CHECK(used.plan.attacks[0].deals[salvo::game::kDefender].kinds.size() == 2);
  CHECK(used.plan.attacks[1].deals[salvo::game::kDefender].kinds.size() == 1);
}

TEST_CASE("objectives with a deck", "[deck][exact]") {
  Scenario kill = scenario("sure", "bang", "[ships.red]\nattack = 3\n[ships.black]\nhull = 4\n", {{"red", "black"}});
  kill.objective = "kill";
  const Answer killed = answer(home().catalogue(), kill);
  CHECK(killed.exact.value == Approx(1 - hypergeometric(0, 5, 3)));
  CHECK(killed.ship("black").destroyed == Approx(1 - hypergeometric(0, 5, 3)));
  kill.objective = "health";
  CHECK(answer(home().catalogue(), kill).exact.value == Approx(3 + 1 - hypergeometric(0, 5, 3)));
}

namespace {

/// After black's attack of 3 dice on red (3 dice) without modifications: red's mean attack dice, 0 when blinded; the
/// probability of being blinded; mean cards dealt faceup and damage by cards. 2 cards blind, 2 fail, 7 are direct hits,
/// 2 explode.
struct AfterCards {
  double dice = 0, blinded = 0, faceup = 0, damage = 0;
};

/// Draws `due` cards one after another. With `chain`, an explosion draws another card with probability 3/8, without it
/// deals damage.
void draw_cards(int due, bool chain, double p, std::array<int, 4> seen, int drawn, int extra, AfterCards& out) {
  if (due == 0) {
    const auto [blinded, failing, direct, exploded] = seen;
    if (blinded > 0) out.blinded += p;
    if (blinded == 0) out.dice += p * (3 - failing);
    out.faceup += p * drawn;
    out.damage += p * (direct + extra);
    return;
  }
  const std::array<int, 4> cards{2, 2, 7, 2};
  double other = 33 - drawn;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const double left = cards[kind] - seen[kind];
    other -= left;
    if (left <= 0) continue;
    auto then = seen;
    ++then[kind];
    const double q = p * left / (33 - drawn);
    const bool explodes = kind == 3;
    draw_cards(due - 1, chain, explodes ? q * 5 / 8 : q, then, drawn + 1, extra, out);
    if (explodes) draw_cards(due - 1 + (chain ? 1 : 0), chain, q * 3 / 8, then, drawn + 1, extra + 1, out);
  }
  draw_cards(due - 1, chain, p * other / (33 - drawn), seen, drawn + 1, extra, out);
}

AfterCards after_cards(bool chain) {
  AfterCards out;
  for (int c = 0; c <= 3; ++c)
    draw_cards(c, chain, choose(3, c) * std::pow(1.0 / 8, c) * std::pow(7.0 / 8, 3 - c), {}, 0, 0, out);
  return out;
}

const std::string kDuel = "[ships.red]\nattack = 3\nhull = 20\n[ships.black]\nattack = 3\nhull = 20\n";

}  // namespace

TEST_CASE("first edition, original deck", "[deck][exact]") {
  const AfterCards want = after_cards(false);
  const Answer duel =
      home_answer("first-edition", "core", kDuel, {{"black", "red"}, {"red", "black"}, {"red", "black"}});
  CHECK(duel.exact.attacks[1].attack_dice == Approx(want.dice));
  CHECK(duel.exact.attacks[1].happens == Approx(1));
  // Blinded pilots see again; weapons still fail: E[3 - f] over all.
  CHECK(duel.exact.attacks[2].attack_dice == Approx(3 - 3.0 / 8 * 2.0 / 33));
  // Direct hits count twice; a minor explosion does 1 damage with 3/8.
  CHECK(mean(duel.ship("red").damage) == Approx(3 * 0.5 + 3.0 / 8 * (7.0 / 33 + 2.0 / 33 * 3.0 / 8)));
  CHECK(mean(duel.ship("red").damage) == Approx(3 * 0.5 + want.damage));
  CHECK(duel.left("red", "stress") == Approx(3.0 / 8 * 2.0 / 33));
  CHECK(duel.question.labels.partly.size() == 2);
}

TEST_CASE("first edition, structural damage lowers agility, not below 0", "[deck][exact]") {
  for (const int agility : {0, 1, 3}) {
    const Answer hit =
        home_answer("first-edition", "core",
                    fmt::format("[ships.red]\nattack = 3\n[ships.black]\nagility = {}\nhull = 20\n", agility),
                    {{"red", "black"}, {"red", "black"}});
    CHECK(hit.exact.attacks[1].defense_dice <= agility);
    if (agility == 0) CHECK(hit.exact.attacks[1].defense_dice == Approx(0).margin(1e-15));
    if (agility == 3)
      CHECK(hit.exact.attacks[1].defense_dice == Approx(3 - hit.ship("black").faceup * 2.0 / 33).epsilon(0.02));
  }
}

TEST_CASE("first edition, The Force Awakens", "[deck][exact]") {
  const AfterCards want = after_cards(true);
  const Answer duel =
      home_answer("first-edition", "force-awakens", kDuel, {{"black", "red"}, {"red", "black"}, {"red", "black"}});
  CHECK(duel.question.labels.damage_deck == "core-tfa");
  CHECK(duel.exact.attacks[1].happens == Approx(1 - want.blinded));
  CHECK(duel.exact.attacks[1].attack_dice == Approx(want.dice / (1 - want.blinded)));
  CHECK(duel.exact.attacks[2].happens == Approx(1));
  // A major explosion's critical damage deals another card.
  CHECK(duel.ship("red").faceup == Approx(want.faceup));
  CHECK(mean(duel.ship("red").damage) == Approx(3 * 0.5 + want.damage));
}

// ---------------------------------------------------------------- second edition

namespace {

/// A random scenario of ships with hull and a size that uses the deck, small enough for the literal reference, which
/// enumerates every card.
literal::Scenario random_with_deck(differential::Pick& pick) {
  literal::Scenario out = differential::random_scenario(pick);
  out.deck = true;
  const std::size_t attacks = out.attacks.size();
  for (literal::Ship& ship : out.ships) {
    if (ship.hull < 0) ship.hull = 1 + pick.below(4);
    if (ship.size == "huge") ship.size = "large";
    if (!pick.one_in(3)) ship.shields = 0;
    ship.attack = std::min(ship.attack, attacks == 1 ? 3 : 2);
    ship.agility = std::min(ship.agility, attacks == 1 ? 3 : 1);
    if (attacks > 1 && !ship.tokens.empty()) {
      const bool one_green = pick.one_in(2);  // at most one kind of green token
      for (const char* green : {"focus", "calculate", "evade", "force"}) {
        if (const auto at = ship.tokens.find(green); at != ship.tokens.end()) {
          if (one_green && ship.tokens.size() < 3)
            at->second = 1;
          else
            ship.tokens.erase(at);
        }
      }
    }
    if (attacks > 2) ship.locks.clear();
  }
  return out;
}

struct Tally {
  int wrong = 0;      ///< the value differs: never
  int undecided = 0;  ///< only other figures differ, where the tie rule allows several plays
};

/// `most`: positions that the reference may store.
void compare(const literal::Scenario& scenario, int number, Tally& tally, std::size_t most = 10'000'000) {
  const salvo::compile::CompiledScenario question =
      compile::compile_scenario(differential::catalogue(), differential::to_salvo(scenario));
  const literal::Result want = literal::solve(scenario, most);
  const exact::Solution solution = exact::solve(question.plan);
  const salvo::game::Distribution got = exact::enumerate(question.plan, solution);
  const std::vector<std::string> found = differential::differences(question, got, want);
  if (found.empty()) return;
  ++(differential::differences(question, got, want, true).empty() ? tally.undecided : tally.wrong);
  UNSCOPED_INFO("scenario " << number << ":\n" << differential::text_of(scenario));
  for (std::size_t k = 0; k < found.size() && k < 4; ++k) UNSCOPED_INFO(found[k]);
}

}  // namespace

TEST_CASE("the exact engine deals damage cards like the literal reference", "[deck][exact][literal]") {
  differential::Pick pick(77);
  Tally tally;
  for (int i = 0; i < 120 && tally.wrong < 3; ++i) {
    const literal::Scenario scenario = random_with_deck(pick);
    if (scenario.attacks.size() == 1) compare(scenario, i, tally);  // the reference is slow for more
  }
  CHECK(tally.wrong == 0);
  CHECK(tally.undecided == 0);
}

TEST_CASE("the exact engine deals damage cards like the literal reference, at length",
          "[.long][deck][exact][literal]") {
  differential::Pick pick(78);
  Tally tally;
  int compared = 0, several = 0;  // with several attacks
  for (int i = 0; i < 1'000 && tally.wrong < 3; ++i) {
    const literal::Scenario scenario = random_with_deck(pick);
    try {
      compare(scenario, i, tally, 200'000);  // some scenarios would need too much memory
      ++compared;
      several += scenario.attacks.size() > 1 ? 1 : 0;
    } catch (const literal::TooLarge&) {
      continue;
    }
  }
  CHECK(tally.wrong == 0);
  CHECK(tally.undecided <= 5);
  CHECK(compared > 500);
  CHECK(several > 200);
}

TEST_CASE("sampled random scenarios with decks agree with the exact engine", "[deck][sample][exact]") {
  differential::Pick pick(79);
  for (int i = 0; i < 25; ++i) {
    const literal::Scenario from = random_with_deck(pick);
    CAPTURE(i, differential::text_of(from));
    answer(differential::catalogue(), differential::to_salvo(from));
  }
}

TEST_CASE("the sample does not depend on the number of threads", "[deck][sample]") {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(
      differential::catalogue(),
      scenario("second-edition", "core", kDuel + "tokens = { focus = 1 }\n", {{"black", "red"}, {"red", "black"}}));
  const salvo::game::Policy policy = exact::solve(question.plan).policy;
  const salvo::game::Distribution one =
      sample::run(question.plan, policy, {.trials = 100'000, .seed = 3, .threads = 1});
  const salvo::game::Distribution two =
      sample::run(question.plan, policy, {.trials = 100'000, .seed = 3, .threads = 2});
  CHECK(one.kernel == "lanes");
  CHECK(one.value == two.value);
  CHECK(one.ships[0].faceup == two.ships[0].faceup);
}

TEST_CASE("two against two with a deck fits", "[deck][exact]") {
  Scenario four = load_scenario(SALVO_SOURCE_DIR "/profiles/scenarios/two-against-two.toml");
  four.damage_deck = "core";
  const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), four);
  const exact::Solution solution = exact::solve(question.plan, {.edges = 2e7});
  const salvo::game::Distribution got = exact::enumerate(question.plan, solution);
  for (const salvo::game::ShipDistribution& ship : got.ships) CHECK(ship.damage.sum() == Approx(1).epsilon(1e-12));
}

// ---------------------------------------------------------------- what is refused

TEST_CASE("an unusable damage deck is an error that says why", "[deck][compile]") {
  const auto fails = [](const Catalogue& catalogue, const Scenario& from, const std::string& path,
                        const std::string& part) {
    try {
      compile::compile_scenario(catalogue, from);
    } catch (const ScenarioError& error) {
      CHECK(error.path == path);
      CHECK_THAT(error.what(), Catch::Contains(part));
      return;
    }
    FAIL("no error");
  };
  const auto& profiles = differential::catalogue();
  fails(profiles, scenario("second-edition", "coer", kDuel, {{"red", "black"}}), "damage_deck", "did you mean 'core'");
  fails(profiles, scenario("second-edition", "core-tfa", kDuel, {{"red", "black"}}), "damage_deck", "core");
  fails(profiles, scenario("second-edition", "../rules/facts", kDuel, {{"red", "black"}}), "damage_deck", "core");
  fails(profiles, scenario("second-edition", "core", "[ships.red]\nattack = 3\n[ships.black]\n", {{"red", "black"}}),
        "ships.black.hull", "hull");
  fails(home().catalogue(), scenario("sure", "few", kRedBlack, {{"red", "black"}, {"red", "black"}}), "damage_deck",
        "up to 6 damage cards");
  CHECK_NOTHROW(compile::compile_scenario(home().catalogue(), scenario("sure", "few", kRedBlack, {{"red", "black"}})));
  // Three critical hits, and a card for the damage that one of their cards deals.
  fails(home().catalogue(), scenario("sure", "three", kRedBlack, {{"red", "black"}}), "damage_deck",
        "up to 4 damage cards");
  CHECK_NOTHROW(compile::compile_scenario(home().catalogue(), scenario("sure", "four", kRedBlack, {{"red", "black"}})));
  // A ship that is never attacked needs no hull.
  CHECK_NOTHROW(compile::compile_scenario(
      profiles,
      scenario("second-edition", "core", "[ships.red]\nattack = 3\n[ships.black]\nhull = 3\n", {{"red", "black"}})));
}

TEST_CASE("huge ships have another deck", "[deck][compile]") {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(
      differential::catalogue(),
      scenario("second-edition", "core", "[ships.red]\nattack = 3\n[ships.black]\nhull = 8\nsize = \"huge\"\n",
               {{"red", "black"}}));
  CHECK(question.labels.partly.size() == 1);
  CHECK(question.plan.attacks[0].deals[salvo::game::kDefender].kinds.empty());
  const salvo::game::Distribution got = exact::enumerate(question.plan, exact::solve(question.plan));
  CHECK(got.ships[0].faceup == 0);
  CHECK(got.value == Approx(1.5));
}

TEST_CASE("broken deck files are refused with their place", "[deck][load]") {
  const std::map<std::string, std::pair<std::string, std::string>> broken = {
      {"empty", {"card = []\n", "at least one card"}},
      {"large", {"[[card]]\nid = \"x\"\ncopies = 63\n[[card]]\nid = \"y\"\ncopies = 1\n", "at most 63"}},
      {"twice", {"[[card]]\nid = \"x\"\ncopies = 1\n[[card]]\nid = \"x\"\ncopies = 1\n", "listed twice"}},
      {"option",
       {deck_of(1, "[[card.effect]]\nat = \"dealt\"\nmay = true\ndo = [{ verb = \"damage\" }]"), "mandatory"}},
      {"convert",
       {deck_of(1, "[[card.effect]]\nat = \"always\"\ndo = [{ verb = \"convert\", from = [\"crit\"], to = \"hit\" }]"),
        "converted"}},
      {"chance", {deck_of(1, "[[card.effect]]\nat = \"opportunity\"\ndo = [{ verb = \"damage\" }]"), "opportunity"}},
      {"copies", {"[[card]]\nid = \"x\"\n", "copies"}},
      {"key", {"[[card]]\nid = \"x\"\ncopies = 1\ntext = \"\"\n", "text"}}};
  std::map<std::string, std::string> decks;
  for (const auto& [id, deck] : broken) decks[id] = deck.first;
  const Home profiles(decks);
  for (const auto& [id, deck] : broken) {
    CAPTURE(id);
    CHECK_THROWS_WITH(profiles.catalogue().deck(id, "sure"), Catch::Contains(deck.second) && Catch::Contains(id));
  }
}
