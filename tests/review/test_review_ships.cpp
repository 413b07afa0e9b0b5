// Ships over the game of a log: destroyed ships and their last attacks, Force and charges, tokens gained and lost by
// attacks. The lines of a game add up to its result.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "salvo/review.h"
#include "support/differential.h"

using namespace salvo;

namespace {

Approx exactly(double x) { return Approx(x).margin(1e-9).epsilon(1e-9); }

Review reviewed(const std::string& text) {
  return review_game(differential::catalogue(), parse_log(differential::catalogue(), text, "game"));
}

bool said(const Review& game, const std::string& words) {
  return std::any_of(game.filled_in.begin(), game.filled_in.end(),
                     [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

void refused(const std::string& log, const std::string& words) {
  CAPTURE(log, words);
  CHECK_THROWS_WITH(reviewed(log), Catch::Matchers::Contains(words));
}

/// Ships of one hull that shoot one die; two of them share an initiative.
std::string four(const std::string& rules = "") {
  return rules +
         "player Ann\nx: attack=1 agility=0 hull=1 initiative=4\nx2: attack=1 agility=0 hull=1 initiative=2\n"
         "player Bob\ny: attack=1 agility=0 hull=1 initiative=4\ny2: attack=1 agility=0 hull=1 initiative=2\n";
}

}  // namespace

// ---------------------------------------------------------------- ships in play

TEST_CASE("A ship that was destroyed at its own initiative still shoots and is shot at", "[review]") {  // 000
  const Review game = reviewed(four() +
                               "objective kill\nround 1\n"
                               "x > y r2: hit\n"
                               "y > x r2: hit\n"
                               "x > y r2: crit\n"  // a bonus attack
                               "x2 > y2 r2: hit\ny2 > x2 r2: hit\n");
  REQUIRE(game.attacks.size() == 5);
  CHECK(game.attacks[0].luck.expected.value == exactly(0.5));
  CHECK(game.attacks[1].luck.result.value == exactly(1));
  CHECK(game.attacks[2].luck.expected.damage ==
        exactly(0.5));  // damage beyond its hull counts, but it is destroyed once
  CHECK(game.attacks[2].luck.expected.value == 0);
  CHECK(game.attacks[2].luck.result.value == 0);
  CHECK(game.attacks[2].luck.destroyed == 0);
  CHECK(game.players[0].dealt == 3);
}

TEST_CASE("A destroyed ship neither shoots nor is shot at", "[review]") {
  const std::string gone = four() + "round 1\nx > y r2: hit\n";
  refused(gone + "y2 > x r2: hit\nx2 > y r2: hit\n",
          "game:10: y has left play: it was destroyed in line 8 (1 damage), at initiative 4, and this attack is at 2");
  refused(gone + "round 2\ny > x r2: hit\n",
          "game:10: y has left play: it was destroyed in line 8 (1 damage), in an earlier round");
  refused(gone + "round 2\nx > y r2: hit\n", "in an earlier round");
  // Destroyed at a higher initiative than its own.
  refused(four() + "round 1\nx > y2 r2: hit\ny2 > x r2: hit\n",
          "game:9: y2 has left play: it was destroyed in line 8 (1 damage), at initiative 4, and its own is 2");
  // Some cards let a ship attack at another initiative than its own.
  CHECK(reviewed(four() + "round 1\nx > y2 r2: hit\ny2 > x r2 initiative=4: hit\n").attacks.size() == 2);
  // A bomb before the first attack; damage from a card in the attack before.
  refused(four() + "round 1\ny damage 1\ny > x r2: hit\n", "before any ship shot in this round");
  CHECK(reviewed(four() + "round 1\nx > y r2: blank\ny damage 1\ny > x r2: hit\n").attacks.size() == 2);
  // The damage was corrected to less.
  CHECK(reviewed(gone + "round 2\ny damage 0\nx > y r2: hit\n").attacks.size() == 2);
}

TEST_CASE("Without reported initiatives a destroyed ship shoots once more", "[review]") {
  const std::string two = "player Ann\nx: attack=1 agility=0 hull=1\nplayer Bob\ny: attack=1 agility=0 hull=1\n";
  const Review game = reviewed(two + "round 1\nx > y r2: hit\ny > x r2: hit\n");
  CHECK(said(game, "attack 2: initiatives of y and of who destroyed it in line 6: not reported"));
  CHECK(reviewed(two + "x > y r2: hit\ny > x r2: hit\n").attacks.size() == 2);
  refused(two + "round 1\ny > x r2: blank\nx > y r2: hit\ny > x r2: hit\n", "after its own attack in that round");
  refused(two + "round 1\nx > y r2: hit\nround 2\ny > x r2: hit\n", "in an earlier round");
  refused(two + "z: attack=1 agility=0 hull=9\n" + "x > y r2: hit\ny > x r2: hit\nx > z r2: hit\ny > x r2: hit\n",
          "game:9: y has left play: it was destroyed in line 6 (1 damage), and has shot since then");
  refused(two + "x > y r2: hit\nx > y r2: hit\n", "y has left play");
}

TEST_CASE("The simultaneous attack rule of the first edition", "[review]") {  // 002, and 003 for its errata
  const std::string head = four("rules first-edition\n") + "round 1\n";
  CHECK(reviewed(head + "x > y r2: hit\ny > x r2: hit\n").attacks.size() == 2);
  // A ship that has attacked is removed at once, and so is one of a different pilot skill.
  refused(head + "y > x r2: blank\nx > y r2: hit\ny > x r2: hit\n", "after its own attack in that round");
  refused(head + "x > y r2: hit\ny > x2 r2: hit\nx > y r2: hit\n", "and has made its own attack");
  refused(head + "x > y2 r2: hit\nx > y2 r2: hit\n", "which is not its own");
}

TEST_CASE("Initiatives come from the pilots' cards", "[review]") {
  const std::string head =
      "player Ann\nfel: pilot=soontirfel\nplayer Bob\nwedge: pilot=wedgeantilles ship=t65xwing\nluke: "
      "pilot=lukeskywalker\n"
      "round 1\nfel damage 2\n";
  CHECK(reviewed(head + "wedge > fel r1: ?; ? | ?; ? = 2\nfel > wedge r2: ?; ? | ?; ? = 1\n").attacks.size() == 2);
  refused(head + "luke > fel r1: ?; ? | ?; ? = 2\nfel > wedge r2: ?; ? | ?; ? = 1\n",
          "at initiative 5, and its own is 6");
  refused("player Ann\nx: attack=1 initiative=high\n", "\"high\" is not an initiative");
}

// ---------------------------------------------------------------- Force and charges

namespace {

const std::string kForce =
    "player Ann\nx: attack=2 agility=0 hull=9 force=2\nplayer Bob\ny: attack=1 agility=0 hull=9\n";

}  // namespace

TEST_CASE("Force decreases when spent and recovers in the End Phase", "[review]") {
  const Review game = reviewed(kForce +
                               "round 1\n"
                               "x > y r2: 2 focus; 2 force\n"
                               "x > y r2: hit focus; nothing\n"
                               "round 2\n"
                               "x > y r2: hit focus; force\n"
                               "round 4\n"
                               "x > y r2: 2 focus; 2 force\n"
                               "x (force=1) > y r2: 2 focus; force\n");
  // Two dice: Force changes up to n focus results to hits; 1 hit in 2, 1 focus result in 4.
  CHECK(game.attacks[0].luck.expected.damage == exactly(1.5));
  CHECK(game.attacks[1].luck.expected.damage == exactly(1));
  CHECK(game.attacks[1].luck.skill.damage == 0);
  CHECK(game.attacks[2].luck.expected.damage == exactly(1.5 - 1.0 / 16));
  CHECK(game.attacks[3].luck.expected.damage == exactly(1.5));
  CHECK(game.attacks[4].luck.expected.damage == exactly(1.5 - 1.0 / 16));
  CHECK(!said(game, "force of x"));  // it was stated
}

TEST_CASE("Spending more Force than is left is refused, with the reason", "[review]") {
  refused(kForce + "round 1\nx > y r2: 2 focus; 2 force\nround 2\nx > y r2: 2 focus; 2 force\n",
          "game:8: x spends 2 force, but has 1 of 2: spent in line 6, and 1 returns after each round; correct that, "
          "or write what it has after its name, with its other tokens, as in x (force=2)");
  refused(kForce + "round 1: x force=0\nx > y r2: 2 focus; force\n", "but has 0 of 2, as the log says");
  // Without rounds it is unknown whether it has recovered.
  const Review open = reviewed(kForce + "x > y r2: 2 focus; 2 force\nx > y r2: 2 focus; force\n");
  CHECK(said(open, "attack 2: force of x: assumed to be 1, as many as were spent; no rounds are reported"));
  CHECK(open.attacks[1].luck.expected.damage == exactly(1.5 - 1.0 / 16));
  // Earlier spending is only assumed.
  const Review assumed = reviewed(kForce + "round 1\nx > y r2: 2 focus; ? = 2\nx > y r2: 2 focus; force\n");
  CHECK(said(assumed, "attack 2: force of x: assumed to be 1, as many as were spent; that more of them"));
}

TEST_CASE("Unreported Force is that of the card, which is noted once", "[review]") {
  const Review game = reviewed(
      "player Ann\nluke: pilot=lukeskywalker\nplayer Bob\ny: attack=1 agility=0 hull=9\nround 1\n"
      "luke > y r2: hit hit focus; force\nluke > y r2: hit hit focus; force\nround 2\n"
      "luke > y r2: hit hit focus; force\n");
  CHECK(said(game, "attack 1: force of luke: not reported; assumed to be 2 of 2 here, and counted from here on"));
  CHECK(std::count_if(game.filled_in.begin(), game.filled_in.end(),
                      [](const std::string& one) { return one.find("force of luke") != std::string::npos; }) == 1);
}

TEST_CASE("Charges of cards are counted", "[review]") {
  const std::string head =
      "player Ann\nx: pilot=redsquadronveteran protontorpedoes\nplayer Bob\ny: attack=1 agility=0 hull=99\n";
  const std::string shot = "x > y r2 weapon=protontorpedoes: hit hit blank blank; nothing\n";
  const Review game = reviewed(head + "round 1: x lock=y\n" + shot + "round 2: x lock=y\n" + shot);
  CHECK(said(game, "attack 1: charges of protontorpedoes of x: not reported; assumed to be 2 of 2 here"));
  refused(head + "round 1: x lock=y\n" + shot + "round 2\n" + shot + "round 3\n" + shot,
          "game:10: x spends 1 charge of protontorpedoes, but has 0 of 2: spent in lines 6, 8; correct that, or write "
          "what it has after its name, with its other tokens, as in x (protontorpedoes=1)");
  refused(head + "round 1: x protontorpedoes=0 lock=y\n" + shot, "but has 0 of 2, as the log says");
  CHECK(reviewed(head + "round 1: x lock=y\n" + shot + "round 2\n" + shot + "round 3: x protontorpedoes=1\n" + shot)
            .attacks.size() == 3);
  refused(head + "round 1: x protontorpedoes=3\n" + shot, "game:5: x: protontorpedoes has 2 charges at most, not 3");
  refused(head + "round 1: x crackshot=1\n" + shot, "game:5: x: unknown token 'crackshot'");
  refused(head + "round 1: x none\n" + shot, "game:6: attacks[0].weapon: 'protontorpedoes' needs a lock on y");
}

TEST_CASE("A spent charge cannot be used again", "[review]") {
  const std::string head =
      "player Ann\nx: pilot=redsquadronveteran crackshot\nplayer Bob\ny: attack=1 agility=1 hull=9\nround 1\n";
  const Review game = reviewed(head +
                               "x > y r2: hit hit hit; crackshot | evade\n"
                               "x > y r2: hit hit hit; nothing | evade\n");
  CHECK(game.attacks[0].luck.expected.damage > game.attacks[1].luck.expected.damage + 0.1);
  CHECK(game.errors.empty());
}

TEST_CASE("Unknown rules are refused", "[review]") {
  const std::string lines = R"({"rules": "nine", "squads": {}}
{"round": 1, "by": "x", "on": "y"})";
  refused(lines, "no ship is named before");
  refused("player Ann\nx: attack=1\nrules first-edition\n", "game:3: rules come before the ships");
  Overrides nine;
  nine.rules = "nine";
  const GameLog log = parse_log(differential::catalogue(), kForce + "round 1: x focus\nx > y r2: ? = 1\n", "game");
  CHECK_THROWS_WITH(review_game(differential::catalogue(), log, {.overrides = nine}),
                    Catch::Matchers::Contains("nine"));
}

TEST_CASE("Names of a log are read by the requested rules", "[review]") {
  Overrides first;
  first.rules = "first-edition";
  const std::string text =
      "player Ann\nred: pilot=redsquadronpilot\nplayer Bob\nhowl: howlrunner\nred > howl r2: ? = 1\n";
  const GameLog log = parse_log(differential::catalogue(), text, "game", {}, first);
  CHECK(review_game(differential::catalogue(), log, {.overrides = first}).rules == "first-edition");
  CHECK_THROWS_AS(parse_log(differential::catalogue(), text, "game"), LoadError);
}

TEST_CASE("Attacks remove and give tokens", "[review]") {
  // A strained ship rolls one die fewer, once.
  const std::string head = "player Ann\nx: attack=2 agility=0\nplayer Bob\ny: attack=1 agility=2 hull=9\n";
  const Review strained = reviewed(head + "round 1: y strain\nx > y r2: 2 hit | blank\nx > y r2: 2 hit | 2 blank\n");
  CHECK(strained.attacks[1].luck.expected.damage < strained.attacks[0].luck.expected.damage);
  // A new lock replaces the previous one.
  const std::string third = head + "y2: attack=1 agility=2 hull=9\n";
  const Review locks = reviewed(third + "round 1: x lock=y\nx > y r2: 2 hit | 2 blank\nround 2: x lock=y2\n" +
                                "x > y r2: 2 hit | 2 blank\nround 3: x lock=none\nx > y2 r2: 2 hit | 2 blank\n");
  CHECK(locks.attacks[0].luck.expected.damage > locks.attacks[1].luck.expected.damage);
  CHECK(locks.attacks[1].luck.expected.damage == exactly(locks.attacks[2].luck.expected.damage));
  const Review spent = reviewed(head + "round 1: x focus\nx > y r2: blank hit; lock blank -> hit | 2 blank\n");
  CHECK(said(spent, "lock of x on y: not reported; assumed to be there, since it was spent"));
}

// ---------------------------------------------------------------- sums

namespace {

/// A game with errors by both players, one of them only in damage, and with gaps in the log. All probabilities are
/// multiples of 1/4, so that the table rounds nothing.
std::string game_with_errors(const std::string& objective) {
  return "objective " + objective +
         "\nplayer Ann\nx: attack=1 agility=0 hull=9\nx2: attack=2 agility=0 hull=2\n"
         "player Bob\ny: attack=1 agility=0 hull=9\ny2: attack=2 agility=0 hull=1\n"
         "round 1: x focus; y focus; x2 focus; y2 focus\n"
         "x > y r2: focus; nothing\n"
         "y > x r2: focus; focus\n"
         "x2 > y2 r2: hit focus; nothing\n"  // destroys with and without the focus
         "y > x2 r2: ? = 1\n"
         "round 2: y lock=x\n"
         "y > x r2: hit; lock hit -> blank\n"
         "x (focus) > y r2: focus; ? = 0\n"
         "y (focus) > x2 r2: focus; nothing\n";
}

void require_sums(const Review& game) {
  for (const std::size_t p : {0u, 1u}) {
    const PlayerReview &player = game.players[p], &other = game.players[1 - p];
    CHECK(player.dealt - player.taken == exactly(player.expected_dealt - player.expected_taken + player.luck -
                                                 player.damage_lost + other.damage_lost));
    CHECK(player.luck == exactly(player.attacking + player.defending));
  }
  double skill = 0, lost = 0;
  for (const ReviewedAttack& attack : game.attacks) {
    const Luck& luck = attack.luck;
    CHECK(luck.expected.damage + luck.luck.damage + luck.skill.damage == exactly(luck.result.damage));
    CHECK(luck.expected.value + luck.luck.value + luck.skill.value == exactly(luck.result.value));
    skill += (attack.player == 0 ? 1 : -1) * luck.skill.damage;
  }
  for (const std::size_t p : {0u, 1u}) lost += (p == 0 ? -1 : 1) * game.players[p].damage_lost;
  CHECK(skill == exactly(lost));
}

/// The numbers in the table row with this beginning.
std::array<double, 2> row(const std::string& table, const std::string& words) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(words) != 2) continue;
    std::istringstream cells(line.substr(words.size() + 2));
    std::array<double, 2> out{};
    cells >> out[0] >> out[1];
    return out;
  }
  FAIL("no row " << words);
  return {};
}

}  // namespace

TEST_CASE("The lines of a game add up to its result under each objective", "[review]") {
  for (const char* objective : {"damage", "kill", "health", "exchange"}) {
    CAPTURE(objective);
    const Review game = reviewed(game_with_errors(objective));
    require_sums(game);
    const std::string table = to_table(game);
    for (const std::size_t p : {0u, 1u}) {
      double sum = 0;
      for (const char* part : {"= expected, with best play", "+ luck ", "+ own decisions", "+ the other's decisions"})
        sum += row(table, part)[p];
      CHECK(sum == exactly(row(table, "dealt less taken")[p]));
      CHECK(row(table, "dealt less taken")[p] == exactly(game.players[p].dealt - game.players[p].taken));
    }
  }
}

TEST_CASE("Under kill an error may cost only damage, under health it does not count", "[review]") {
  const auto with = [&](const std::string& objective, int hull, const std::string& spent) {
    return reviewed(
        fmt::format("objective {}\nplayer Ann\nx: attack=2 agility=0 hull=9\nplayer Bob\n"
                    "y: attack=1 agility=0 hull={}\nx (focus) > y r2: hit focus; {}\n",
                    objective, hull, spent));
  };
  const Review kill = with("kill", 9, "nothing");
  REQUIRE(kill.errors.size() == 1);
  CHECK(kill.players[0].loss == 0);
  CHECK(kill.players[0].damage_lost == exactly(1));
  // One hit destroys: the focus adds damage beyond the hull, and best play saves it.
  const Review health = with("health", 1, "focus");
  CHECK(health.errors.empty());
  CHECK(health.players[0].damage_lost == exactly(-1));
  CHECK(health.sentence.find("brought Ann 1.00") != std::string::npos);
  require_sums(health);
  CHECK(with("health", 9, "nothing").errors.size() == 1);
  CHECK(with("damage", 1, "nothing").errors.size() == 1);
  CHECK(to_table(kill).find("-1.00") != std::string::npos);
}
