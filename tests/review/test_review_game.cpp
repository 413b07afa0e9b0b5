// Games from their logs: the meaning of both forms, refused logs, and thousands of games whose dice the test rolls:
// percentiles must be uniform, mean luck zero, and a loaded die must be noticed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "salvo/review.h"
#include "support/differential.h"

using namespace salvo;

namespace {

Approx exactly(double x) { return Approx(x).margin(1e-12).epsilon(1e-12); }

Review reviewed(const std::string& text) {
  return review_game(differential::catalogue(), parse_log(differential::catalogue(), text, "game"));
}

const std::string kHead =
    "player Ann\n"
    "x: attack=1 agility=0 hull=9\n"
    "player Bob\n"
    "y: attack=1 agility=0 hull=9\n";

}  // namespace

TEST_CASE("A game of single dice against none", "[review]") {
  // Each attack is a coin: one damage or none, half and half.
  const Review game = reviewed(kHead + "round 1\nx > y r2: hit\ny > x r2: blank\nround 2\nx > y r2: crit\n");
  REQUIRE(game.attacks.size() == 3);
  CHECK(game.players[0].luck == exactly(1.5));
  CHECK(game.players[1].luck == exactly(-1.5));
  CHECK(game.players[0].dealt == 2);
  CHECK(game.players[0].expected_dealt == exactly(1));
  CHECK(game.players[1].expected_dealt == exactly(0.5));
  // Two coins minus one: -1, 0, 1, 2 with 1, 3, 3, 1 eighths; the result is 2.
  CHECK(game.least == -1);
  REQUIRE(game.pmf.size() == 4);
  for (const std::size_t i : {0u, 1u, 2u, 3u}) CHECK(game.pmf[i] == exactly(std::array{1, 3, 3, 1}[i] / 8.0));
  CHECK(game.expected == exactly(0.5));
  CHECK(game.reached == exactly(2));
  CHECK(game.below == exactly(7.0 / 8));
  CHECK(game.tied == exactly(1.0 / 8));
  CHECK(game.players[0].percentile == exactly(15.0 / 16));
  CHECK(game.players[1].percentile == exactly(1.0 / 16));
  CHECK(game.players[0].own[0] == exactly(1));
  CHECK(game.players[0].enemy[0] == exactly(0.5));
  CHECK(game.attacks[2].so_far == exactly(1.5));
  CHECK(game.attacks[2].round == 2);
  CHECK(game.errors.empty());
}

TEST_CASE("Errors of a game, the largest first", "[review]") {
  const Review game = reviewed(kHead +
                               "x (focus) > y r2: focus; nothing\n"
                               "y (lock) > x r2: blank; nothing\n"
                               "x (focus) > y r2: focus; focus\n");
  REQUIRE(game.errors.size() == 2);
  const auto& first = game.attacks[game.errors[0].attack].luck.decisions[game.errors[0].decision];
  CHECK(first.better == "spend focus");
  CHECK(first.loss == exactly(1));
  CHECK(game.errors[0].player == 0);
  CHECK(game.attacks[game.errors[1].attack].luck.decisions[game.errors[1].decision].loss == exactly(0.5));
  CHECK(game.errors[1].player == 1);
  CHECK(game.players[0].damage_lost == exactly(1));
  // 3/4 expected each time, and 1 for a focus result: errors are not bad luck.
  CHECK(game.players[0].attacking == exactly(0.5));
}

TEST_CASE("The text form of a log", "[review]") {
  const GameLog log =
      parse_log(differential::catalogue(),
                "# a comment\n"
                "objective kill\n"
                "deck core\n"
                "player Ann\n"
                "luke: pilot=lukeskywalker\n"
                "player Bob\n"
                "vader: pilot=darthvader ship=tieadvancedx1 # here, too\n"
                "\n"
                "round 3: luke focus 2 evade lock=vader; vader calculate=2\n"
                "luke > Vader r2 obstructed bullseye: 3 dice hit focus blank; lock blank -> crit; focus "
                "| 3 dice evade focus blank; evade = 1\n"
                "lukesky > vader weapon=primary: ? | no dice = miss\n"
                "vader > luke (none) r1: 2 hit focus; lock 2 hit -> blank focus, 2 calculate; ?\n"
                "luke damage 2\n",
                "game");
  CHECK(log.objective == "kill");
  CHECK(log.damage_deck == "core");
  CHECK(log.players == std::vector<std::string>{"Ann", "Bob"});
  REQUIRE(log.lines.size() == 5);
  const LoggedLine &round = log.lines[0], &first = log.lines[1], &second = log.lines[2], &third = log.lines[3];
  CHECK(round.round == 3);
  CHECK(!round.attack);
  CHECK(round.tokens.at("luke").tokens == std::map<std::string, int>{{"focus", 1}, {"evade", 2}});
  CHECK(round.tokens.at("luke").locks == std::vector<std::string>{"vader"});
  CHECK(round.tokens.at("vader").tokens.at("calculate") == 2);
  CHECK(first.line == 10);
  CHECK(first.round == 3);
  CHECK(first.shot.on == "vader");
  CHECK(first.shot.range == 2);
  CHECK(first.shot.obstructed);
  CHECK(first.shot.facts == std::vector<std::string>{"bullseye"});
  CHECK(first.spec.point.rolled == "hit focus blank");
  CHECK(first.spec.point.rerolled == "blank=crit");
  CHECK(first.spec.point.spent == "lock focus");
  CHECK(first.spec.point.defense_rolled == "evade focus blank");
  CHECK(!first.spec.point.defense_rerolled);
  CHECK(first.spec.point.defense_spent == "evade");
  CHECK(first.spec.damage == 1);
  CHECK(second.shot.by == "luke");
  CHECK(!second.spec.point.rolled);
  CHECK(!second.spec.point.spent);
  CHECK(second.spec.point.defense_rolled == "");
  CHECK(second.spec.damage == 0);
  CHECK(third.tokens.at("luke").tokens.empty());
  CHECK(third.spec.point.rolled == "hit hit focus");
  CHECK(third.spec.point.rerolled == "hit=blank hit=focus");
  CHECK(!third.spec.point.spent);
  CHECK(!third.spec.point.defense_spent);
  CHECK(log.lines[4].damage.at("luke") == 2);
}

TEST_CASE("A log may have a byte order mark, tabs, and capitals at the beginning of lines", "[review]") {
  const std::string plain = kHead + "round 1\nx > y r2: hit\ny damage 3\nx > y r2: crit\n";
  const std::string typed =
      "\xEF\xBB\xBFPlayer Ann\nx: attack=1\tagility=0 hull=9\nPLAYER\tBob\ny: attack=1 agility=0 hull=9\n"
      "Round\t1\r\nx > y\tr2: hit\ny Damage 3\nx > y r2: crit\n";
  CHECK(to_json(reviewed(typed)) == to_json(reviewed(plain)));
  CHECK(reviewed(typed).players[1].name == "Bob");
}

TEST_CASE("A log may use synonyms", "[review]") {
  const std::string head =
      "player Ann\nx: attack=3 agility=1 hull=4\nplayer Bob\ny: attack=3 agility=1 hull=4\nround 1: ";
  const std::string plain = head +
                            "x focus evade lock=y; y none\nx > y r3: 2 hit focus; focus | 2 blank\nx > y r2: ?; "
                            "? | ?; ? = 0\nx > y r2: ? = 1\n";
  const std::string other = head +
                            "X Focus, Evade, Lock=Y; y None\nx -> Y range 3: 2 hits, Focus; Focus | 2 blanks\n"
                            "x > y: Miss\nx > y = 1\n";
  CHECK(to_json(reviewed(other)) == to_json(reviewed(plain)));
}

TEST_CASE("Both forms of a log are equivalent", "[review]") {
  const std::string text =
      "player Ann\nx: attack=2 agility=1 hull=4\nplayer Bob\ny: attack=2 agility=1 hull=4\n"
      "round 1: x focus lock=y\n"
      "x > y r2: hit blank; lock blank -> focus; focus | evade = 1\n";
  const std::string lines =
      R"({"format": 1, "ships": {"x": {"player": "Ann", "spec": "attack=2 agility=1 hull=4"},)"
      R"( "y": {"player": "Bob", "spec": "attack=2 agility=1 hull=4"}}})"
      "\n"
      R"({"round": 1, "by": "x", "on": "y", "tokens": {"x": {"focus": 1, "lock": ["y"]}}, "rolled": "hit blank",)"
      R"( "rerolled": "blank=focus", "spent": "lock focus", "defense_rolled": "evade", "defense_spent": "", "damage": 1})"
      "\n";
  CHECK_THROWS_WITH(reviewed(lines + "{\"round\": 3, \"damaged\": {}}\n{\"round\": 2, \"damaged\": {}}\n"),
                    Catch::Matchers::Contains("game:4: round 2 comes after round 3"));
  const Review one = reviewed(text), two = reviewed(lines);
  CHECK(one.players[0].luck == two.players[0].luck);
  CHECK(one.pmf == two.pmf);
  CHECK(one.filled_in == two.filled_in);
  // At another initiative, and without the lock.
  std::string changed = lines;
  changed.replace(changed.find("[\"y\"]"), 5, "[]");
  changed.replace(changed.find("\"on\""), 4, "\"initiative\": 5, \"on\"");
  const GameLog log = parse_log(differential::catalogue(), changed, "game");
  CHECK(log.lines[0].shot.initiative == 5);
  CHECK(log.lines[0].tokens.at("x").locks_complete);
  CHECK(log.lines[0].tokens.at("x").locks.empty());
}

TEST_CASE("Gaps in a log are filled in and noted", "[review]") {
  const Review game = reviewed(kHead + "x > y r2: focus; focus\ny > x r2: ? = 1\n");
  CHECK(game.attacks[0].luck.expected.damage == exactly(0.75));  // with the focus token that it spent
  const auto said = [&](const std::string& words) {
    return std::any_of(game.filled_in.begin(), game.filled_in.end(),
                       [&](const std::string& one) { return one.find(words) != std::string::npos; });
  };
  CHECK(said("attack 1: tokens of x: not reported; assumed to be what it spent, focus"));
  CHECK(said("attack 2: attack roll: not reported"));
}

TEST_CASE("Tokens and damage carry over from attack to attack", "[review]") {
  const Review game = reviewed(
      "player Ann\nx: attack=2 agility=0 hull=2\nplayer Bob\ny: attack=1 agility=0 hull=3\n"
      "objective kill\nround 1: x focus lock=y; y none\n"
      "x > y r2: hit focus; focus\n"      // 2 damage
      "x > y r2: blank focus; nothing\n"  // no focus token left
      "round 2\n"
      "x (none) > y r2: blank blank; lock 2 blank -> hit blank\n");
  CHECK(game.attacks[0].luck.result.value == 0);
  CHECK(game.attacks[1].luck.skill.value < -0.1);  // it still had the lock
  CHECK(game.attacks[2].luck.result.value == 1);   // 3 damage in all
  CHECK(game.attacks[2].luck.skill.value == exactly(0));
}

TEST_CASE("An impossible log is refused with its line", "[review]") {
  const auto wrong = [](const std::string& lines, const std::string& words) {
    CAPTURE(lines, words);
    CHECK_THROWS_WITH(reviewed(kHead + lines), Catch::Matchers::Contains(words));
  };
  wrong("", "no attack");
  wrong("x > z r2: hit\n", "game:5: no ship \"z\"");
  wrong("x > y r2: 2 dice hit\n", "game:5: 2 dice are announced and 1 written");
  wrong("x > y r2: hit hit\n", "game:5: rolled: 2 dice are given, but this attack rolls 1");
  wrong("x > y r2: evade\n", "game:5: rolled: the attack die has no face 'evade'");
  wrong("x > y r2: hit = 2\n", "game:5: damage: 2 damage does not fit the rest of the report");
  wrong("x > y r2: hit; -> hit\n", "game:5: an arrow");
  wrong("x (focus) > y r2: focus; focu\n", "did you mean 'focus'");
  wrong("x > y r2: hit; focu\n", "nothing can be spent");
  wrong("x > x r2: hit\n", "ships of one player");
  wrong("x > y zzz: hit\n", "game:5:");
  wrong("x (focus > y: hit\n", "bracket");
  wrong("y damage 9\nx > y r2: hit\n", "game:6: y has left play");
  wrong("y damage 8\nx > y r2: hit\nx > y r2: hit\n", "game:7: y has left play: it was destroyed in line 6");
  wrong("player Cid\n", "third player");
  wrong("x: attack=1\n", "twice");
  wrong("hello world\n", "is not a line of a log");
  wrong("x > y: hit | | blank\n", "more than one |");
  wrong("round 1: x lock\n", "on which ship");
  wrong("round 1: x lock=x\n", "game:5: x has no lock on itself");
  wrong("x (lock=x) > y r2: hit\n", "game:5: x has no lock on itself");
  CHECK_THROWS_WITH(reviewed("{\"ships\": {\"x\": {\"player\": \"A\", \"spec\": \"attack=1\"}}}\n"
                             "{\"round\": 1, \"tokens\": {\"x\": {\"lock\": [\"x\"]}}}\n"),
                    Catch::Matchers::Contains("game:2") && Catch::Matchers::Contains("no lock on itself"));
  wrong("round 2\nx > y r2: hit\nround 1\nx > y r2: hit\n", "game:7: round 1 comes after round 2");
  CHECK_THROWS_WITH(parse_log(differential::catalogue(), "x: attack=1\n", "game"),
                    Catch::Matchers::Contains("player NAME"));
  CHECK_THROWS_WITH(reviewed("{\"ships\": {}}\n{\"by\": \"x\"}\n"), Catch::Matchers::Contains("game:2"));
  CHECK_THROWS_WITH(reviewed("{\"ships\": {}}\n\n{\"by\": \"\\u0078\"}\n"), Catch::Matchers::Contains("game:3"));
  CHECK_THROWS_WITH(reviewed("{\"ships\": {}}\n\n{\"by\": \n"), Catch::Matchers::Contains("game:3"));
}

namespace {

/// Dice of a game; `loaded`: blanks of the attack dice of Ann show a hit.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  double uniform() { return (static_cast<double>(random_()) + 0.5) / 4294967296.0; }
  const char* attack(bool loaded = false) {
    constexpr const char* kFaces[] = {"blank", "blank", "focus", "focus", "hit", "hit", "hit", "crit"};
    const std::size_t side = random_() % 8;
    return loaded && side == 0 ? "hit" : kFaces[side];
  }
  const char* defense() {
    constexpr const char* kFaces[] = {"blank", "blank", "blank", "focus", "focus", "evade", "evade", "evade"};
    return kFaces[random_() % 8];
  }

 private:
  std::mt19937 random_;
};

/// A game of eight attacks with two dice a side and a focus token for each of three ships. Spending is not reported, so
/// optimal play is assumed.
std::string game_text(Dice& dice, bool loaded = false) {
  std::string out =
      "player Ann\nx: attack=2 agility=2\nx2: attack=3 agility=1\nplayer Bob\ny: attack=2 agility=2\n"
      "y2: attack=3 agility=1\n";
  for (int round = 1; round <= 2; ++round) {
    for (const auto& [by, on, rolled, against] : {std::tuple{"x (focus)", "y (none)", 2, 2},
                                                  {"x2 (none)", "y2 (focus)", 3, 1},
                                                  {"y (focus)", "x2 (none)", 2, 1},
                                                  {"y2 (none)", "x (focus)", 3, 2}}) {
      out += fmt::format("{} > {} r2:", by, on);
      for (int i = 0; i < rolled; ++i) out += std::string(" ") + dice.attack(loaded && by[0] == 'x');
      out += "; ? |";
      for (int i = 0; i < against; ++i) out += std::string(" ") + dice.defense();
      out += "; ?\n";
    }
  }
  return out;
}

struct Simulated {
  std::vector<double> percentiles;
  double mean = 0, square = 0;
};

/// Percentiles with ties broken at random: uniform if the distribution is right.
Simulated simulate(unsigned seed, int games, bool loaded = false) {
  Dice dice(seed);
  Simulated out;
  for (int i = 0; i < games; ++i) {
    const Review game = reviewed(game_text(dice, loaded));
    out.percentiles.push_back(game.below + dice.uniform() * game.tied);
    out.mean += game.players[0].luck / games;
    out.square += game.players[0].luck * game.players[0].luck / games;
  }
  return out;
}

/// The Kolmogorov-Smirnov statistic: the largest distance from the uniform distribution, times the root of the number.
double distance(std::vector<double> list) {
  std::sort(list.begin(), list.end());
  double out = 0;
  const auto n = static_cast<double>(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    out = std::max({out, static_cast<double>(i + 1) / n - list[i], list[i] - static_cast<double>(i) / n});
  }
  return out * std::sqrt(n);
}

void require_fair(const Simulated& fair, int games) {
  CHECK(distance(fair.percentiles) < 1.95);  // a chance of 1 in 1000
  CHECK(std::abs(fair.mean) < 3.3 * std::sqrt(fair.square / games));
}

}  // namespace

TEST_CASE("Percentiles of games are uniform and mean luck is zero", "[review]") {
  require_fair(simulate(7, 200), 200);
  // A loaded die must be noticed.
  CHECK(distance(simulate(7, 200, true).percentiles) > 1.95);
}

TEST_CASE("Ten thousand games", "[review][.long]") { require_fair(simulate(19, 10000), 10000); }
