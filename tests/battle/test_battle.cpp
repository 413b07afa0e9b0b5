// Battles against closed forms and against Markov chains computed here from the dice; sampled battles against exact
// ones, and both against the plain mode, which rolls every die. The references share no code with src/.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "base/g_test.h"
#include "battle/exact.h"
#include "battle/reference.h"
#include "battle/sample.h"
#include "load/actions.h"
#include "load/flight_file.h"
#include "salvo/salvo.h"
#include "support/battles.h"
#include "support/closed_forms.h"
#include "support/g_test_of_two.h"

using namespace salvo;

namespace {

using battles::catalogue, battles::exactly, battles::kAlike, battles::kBare, battles::kBudget, battles::question,
    battles::ship;
using tests::binomial, tests::damage;

// ---------------------------------------------------------------- the reference

/// The same with a focus token that is spent whenever it helps: attackers see theirs first (5 evades in 8 with focus).
std::vector<double> damage_focus(int attack, bool attacker_focus, int agility, bool defender_focus,
                                 double* unspent_attack, double* unspent_defense) {
  std::vector<double> out(static_cast<std::size_t>(attack) + 1, 0.0);
  *unspent_attack = *unspent_defense = 0;
  const auto faces = [](int n, int good, int focus, double p_good, double p_focus) {
    return binomial(n, good, p_good) * binomial(n - good, focus, p_focus / (1 - p_good));
  };
  for (int h = 0; h <= attack; ++h) {
    for (int f = 0; h + f <= attack; ++f) {
      const double p = faces(attack, h, f, 0.5, 0.25);
      const bool spends = attacker_focus && f > 0;
      const int results = h + (spends ? f : 0);
      if (attacker_focus && !spends) *unspent_attack += p;
      for (int e = 0; e <= agility; ++e) {
        for (int g = 0; e + g <= agility; ++g) {
          const double q = p * faces(agility, e, g, 0.375, 0.25);
          const bool defends = defender_focus && g > 0 && results > e;
          if (defender_focus && !defends) *unspent_defense += q;
          out[static_cast<std::size_t>(std::max(0, results - e - (defends ? g : 0)))] += q;
        }
      }
    }
  }
  return out;
}

struct Reference {
  double win = 0, draw = 0, loss = 0;
  std::vector<double> rounds, my_alive, his_alive;
};

/// A duel without tokens, round by round: the health of both, with fire in order or simultaneous; points at the end.
Reference duel(int my_hull, int his_hull, const std::vector<double>& mine, const std::vector<double>& his, int first,
               int most_rounds, int my_points, int his_points) {
  Reference out;
  std::map<std::pair<int, int>, double> now{{{my_hull, his_hull}, 1.0}};
  out.my_alive = out.his_alive = {1.0};
  const auto lost = [](int health, int hull, int points) {
    return health <= 0 ? points : 2 * health <= hull ? points / 2 : 0;
  };
  double my_past = 0, his_past = 0;
  for (int round = 1; round <= most_rounds; ++round) {
    std::map<std::pair<int, int>, double> next;
    for (const auto& [health, p] : now) {
      for (std::size_t a = 0; a < mine.size(); ++a) {
        for (std::size_t b = 0; b < his.size(); ++b) {
          int me = health.first, him = health.second;
          if (first >= 0) him -= static_cast<int>(a);
          if (first <= 0 || him > 0) me -= static_cast<int>(b);
          if (first < 0 && me > 0) him -= static_cast<int>(a);
          next[{std::max(0, me), std::max(0, him)}] += p * mine[a] * his[b];
        }
      }
    }
    now.clear();
    out.rounds.resize(static_cast<std::size_t>(round) + 1, 0.0);
    double me_here = my_past, he_here = his_past;
    for (const auto& [health, p] : next) {
      const auto [me, him] = health;
      if (me > 0) me_here += p;
      if (him > 0) he_here += p;
      if (me > 0 && him > 0 && round < most_rounds) {
        now[health] = p;
        continue;
      }
      out.rounds.back() += p;
      if (me > 0) my_past += p;
      if (him > 0) his_past += p;
      const int mine_earned = lost(him, his_hull, his_points), his_earned = lost(me, my_hull, my_points);
      int result = mine_earned > his_earned ? 1 : mine_earned < his_earned ? -1 : 0;
      if ((me > 0) != (him > 0)) result = me > 0 ? 1 : -1;
      (result > 0 ? out.win : result < 0 ? out.loss : out.draw) += p;
    }
    out.my_alive.push_back(me_here);
    out.his_alive.push_back(he_here);
  }
  return out;
}

void same(const BattleReport& found, const Reference& reference) {
  CHECK(found.win.value == Approx(reference.win).margin(1e-12));
  CHECK(found.draw.value == Approx(reference.draw).margin(1e-12));
  CHECK(found.loss.value == Approx(reference.loss).margin(1e-12));
  for (std::size_t k = 0; k < found.rounds.size(); ++k)
    CHECK(found.rounds[k].value == Approx(reference.rounds[k]).margin(1e-12));
  for (std::size_t k = 0; k < found.ships[0].alive.size(); ++k) {
    CHECK(found.ships[0].alive[k].value == Approx(reference.my_alive[k]).margin(1e-12));
    CHECK(found.ships[1].alive[k].value == Approx(reference.his_alive[k]).margin(1e-12));
  }
}

}  // namespace

TEST_CASE("One hull each at the same initiative: simultaneous fire gives draws in closed form", "[battle]") {
  const double p = 1 - damage(3, 2)[0], q = 1 - damage(2, 1)[0], nothing = (1 - p) * (1 - q);
  const int n = 9;
  const double often = (1 - std::pow(nothing, n)) / (1 - nothing), still = std::pow(nothing, n);
  const BattleReport found = exactly(question({ship("a", 3, 1, 1, 4)}, {ship("b", 2, 2, 1, 4)}, n));
  CHECK(found.win.value == Approx(p * (1 - q) * often).epsilon(1e-12));
  CHECK(found.loss.value == Approx(q * (1 - p) * often).epsilon(1e-12));
  CHECK(found.draw.value == Approx(p * q * often + still).epsilon(1e-12));
  CHECK(found.engine == Engine::Exact);
}

TEST_CASE("One hull each at different initiatives: who fires first", "[battle]") {
  const double p = 1 - damage(3, 2)[0], q = 1 - damage(2, 1)[0], nothing = (1 - p) * (1 - q);
  const double often = (1 - std::pow(nothing, 12)) / (1 - nothing);
  for (const bool me_first : {true, false}) {
    const BattleReport found =
        exactly(question({ship("a", 3, 1, 1, me_first ? 5 : 3)}, {ship("b", 2, 2, 1, me_first ? 3 : 5)}));
    CHECK(found.win.value == Approx((me_first ? p : p * (1 - q)) * often).epsilon(1e-12));
    CHECK(found.loss.value == Approx((me_first ? q * (1 - p) : q) * often).epsilon(1e-12));
    CHECK(found.draw.value == Approx(std::pow(nothing, 12)).epsilon(1e-12));
  }
}

TEST_CASE("A duel of attrition is the chain of healths, and points decide when the rounds are over", "[battle]") {
  for (const int first : {1, 0, -1}) {
    for (const int rounds : {1, 3, 12}) {
      const BattleReport found =
          exactly(question({ship("a", 3, 1, 4, 3 + first, 7)}, {ship("b", 2, 2, 5, 3, 5)}, rounds));
      same(found, duel(4, 5, damage(3, 2), damage(2, 1), first, rounds, 7, 5));
    }
  }
}

TEST_CASE("Tokens are spent in the round and gone in the next", "[battle]") {
  // Both start with one focus token. The ship with the higher initiative uses it to attack, and to defend if it is
  // left; the other ship to defend first. From round 2 on no ship has any.
  BattleQuestion asked = question({ship("a", 3, 2, 9, 5)}, {ship("b", 2, 3, 9, 3)}, 2);
  for (BattleSide* side : {&asked.mine, &asked.theirs}) side->ships[0].ship.tokens["focus"] = 1;
  double a_unspent = 0, b_unspent = 0, unused = 0;
  // The tokens that b has left and the damage are not independent, but means add up.
  const auto mean = [](const std::vector<double>& p) {
    double out = 0;
    for (std::size_t k = 0; k < p.size(); ++k) out += static_cast<double>(k) * p[k];
    return out;
  };
  const double first_shot = mean(damage_focus(3, true, 3, true, &a_unspent, &b_unspent));
  // The return attack depends on the tokens left: four cases, weighted by the joint distribution of the first attack.
  double both = 0, only_a = 0, only_b = 0, none = 0;
  for (int h = 0; h <= 3; ++h) {
    for (int f = 0; h + f <= 3; ++f) {
      const double p = binomial(3, h, 0.5) * binomial(3 - h, f, 0.5);
      const bool spends = f > 0;
      for (int e = 0; e <= 3; ++e) {
        for (int g = 0; e + g <= 3; ++g) {
          const double q = p * binomial(3, e, 0.375) * binomial(3 - e, g, 0.4);
          const bool defends = g > 0 && h + f > e;
          (spends ? (defends ? none : only_b) : (defends ? only_a : both)) += q;
        }
      }
    }
  }
  CHECK(both + only_a == Approx(a_unspent));
  CHECK(both + only_b == Approx(b_unspent));
  double second_shot = 0;
  for (const auto& [chance, a, b] : {std::tuple(both, true, true), std::tuple(only_a, true, false),
                                     std::tuple(only_b, false, true), std::tuple(none, false, false)})
    second_shot += chance * mean(damage_focus(2, b, 2, a, &unused, &unused));
  const BattleReport found = exactly(asked);
  CHECK(found.ships[0].damage_done.value == Approx(first_shot + mean(damage(3, 3))).epsilon(1e-12));
  CHECK(found.ships[1].damage_done.value == Approx(second_shot + mean(damage(2, 2))).epsilon(1e-12));
  CHECK(found.ships[1].damage_taken.value == Approx(found.ships[0].damage_done.value).epsilon(1e-12));
}

TEST_CASE("Two against one: the chain of three healths", "[battle]") {
  // The two fire first, both at the single ship; it fires at the ship without agility, where it expects more damage,
  // and at the other once that is destroyed.
  const std::vector<double> at_him = damage(2, 1), at_weak = damage(3, 0), at_strong = damage(3, 2);
  std::map<std::array<int, 3>, double> now{{{2, 3, 4}, 1.0}};
  double win = 0, loss = 0;
  const int rounds = 40;
  for (int round = 0; round < rounds; ++round) {
    std::map<std::array<int, 3>, double> next;
    for (const auto& [health, p] : now) {
      const auto [weak, strong, him] = health;
      std::vector<double> hits{1.0};
      for (const int one : {weak, strong}) {
        if (one == 0) continue;
        std::vector<double> sum(hits.size() + at_him.size() - 1, 0.0);
        for (std::size_t i = 0; i < hits.size(); ++i) {
          for (std::size_t k = 0; k < at_him.size(); ++k) sum[i + k] += hits[i] * at_him[k];
        }
        hits = sum;
      }
      for (std::size_t d = 0; d < hits.size(); ++d) {
        const int left = him - static_cast<int>(d);
        if (left <= 0) {
          win += p * hits[d];
          continue;
        }
        // Expected damage is capped at the health of the target.
        double weak_mean = 0, strong_mean = 0;
        for (std::size_t k = 0; k < at_weak.size(); ++k) {
          weak_mean += at_weak[k] * std::min<int>(static_cast<int>(k), weak);
          strong_mean += at_strong[k] * std::min<int>(static_cast<int>(k), strong);
        }
        const bool on_weak = weak > 0 && weak_mean >= strong_mean;
        const std::vector<double>& fire = on_weak ? at_weak : at_strong;
        for (std::size_t k = 0; k < fire.size(); ++k) {
          const int w = on_weak ? std::max(0, weak - static_cast<int>(k)) : weak;
          const int s = on_weak ? strong : std::max(0, strong - static_cast<int>(k));
          const double q = p * hits[d] * fire[k];
          if (w + s == 0) {
            loss += q;
          } else {
            next[{w, s, left}] += q;
          }
        }
      }
    }
    now = next;
  }
  const BattleReport found =
      exactly(question({ship("weak", 2, 0, 2, 5), ship("strong", 2, 2, 3, 5)}, {ship("him", 3, 1, 4, 2)}, rounds));
  CHECK(found.win.value == Approx(win).margin(1e-9));
  CHECK(found.loss.value == Approx(loss).margin(1e-9));
  double sum = 0;
  for (const BattleShipEstimates& one : found.ships) sum += one.last.value;
  CHECK(sum <= 1 + 1e-12);
}

TEST_CASE("Errors in a ship of a side name the ship and the side", "[battle]") {
  const auto place = [](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.path;
    }
    return std::string("none");
  };
  BattleQuestion asked = question({ship("red", 3, 1, 4, 3)}, {ship("d", 3, 1, 4, 3)});
  asked.theirs.ships[0].ship.tokens["fokus"] = 1;
  CHECK(place([&] { exactly(asked); }) == "theirs.ships.d.tokens.fokus");
  std::swap(asked.mine, asked.theirs);
  asked.mine.ships[0].name = "blue";
  CHECK(place([&] { exactly(asked); }) == "mine.ships.blue.tokens.fokus");
  GauntletQuestion each{{asked.theirs, asked.theirs, asked.mine}, {}, "", kBare};
  CHECK(place([&] { gauntlet(catalogue(), each, {}); }) == "squads[2].ships.blue.tokens.fokus");
  each.sides[1].ships.clear();
  CHECK(place([&] { gauntlet(catalogue(), each, {}); }) == "squads[1]");
}

TEST_CASE("Exchanged sides exchange the figures", "[battle]") {
  const BattleSide rebels = battle_side(catalogue(), {"pilot=wedgeantilles predator"}, "", "");
  const BattleSide empire = battle_side(catalogue(), {"pilot=howlrunner"}, "", "");
  BattleQuestion asked;
  asked.flight = "range-2";
  for (const auto& [first, other] :
       {std::pair(FirstPlayer::Mine, FirstPlayer::Theirs), std::pair(FirstPlayer::Random, FirstPlayer::Random)}) {
    asked.mine = rebels;
    asked.theirs = empire;
    asked.first = first;
    const BattleReport one = exactly(asked);
    asked.mine = empire;
    asked.theirs = rebels;
    asked.first = other;
    const BattleReport two = exactly(asked);
    CHECK(one.win.value == Approx(two.loss.value).epsilon(1e-12));
    CHECK(one.my_points.value == Approx(two.their_points.value).epsilon(1e-12));
    CHECK(one.win.value + one.draw.value + one.loss.value == Approx(1).epsilon(1e-12));
  }
}

namespace {

/// Five kinds of state that lasts or is removed: locks, charges, Force, stress from red linked actions, a turret.
BattleQuestion lively(const std::string& flight, const std::string& rules = "") {
  BattleQuestion out;
  out.my_policy = out.their_policy = BattlePolicy::Greedy;
  out.flight = flight;
  out.mine = battle_side(catalogue(), {"pilot=lukeskywalker protontorpedoes", "pilot=bluesquadronpilot"}, "", "");
  out.theirs = battle_side(catalogue(), {"pilot=darthvader", "pilot=soontirfel predator"}, "", "");
  if (!rules.empty()) out.mine.rules = out.theirs.rules = rules;
  out.rounds = 6;
  return out;
}

battle::BattleTally play(const battle::Game& game, std::uint64_t n, battle::ReferenceDice* dice = nullptr,
                         int threads = 1, std::vector<std::uint8_t>* results = nullptr) {
  return battle::play_many(game, 0, n, {.seed = 7, .threads = threads, .dice = dice, .progress = {}}, results);
}

}  // namespace

TEST_CASE("The sampled duel is the exact one", "[battle]") {
  for (const char* flight : {"range-2", "turning-fight"}) {
    BattleQuestion asked = lively(flight);
    if (flight == std::string("turning-fight")) {
      asked.mine = battle_side(catalogue(), {"pilot=redsquadronveteran"}, "", "");
      asked.theirs = battle_side(catalogue(), {"pilot=academypilot x2"}, "", "");
      asked.theirs.ships.pop_back();
    }
    asked.mine.ships.resize(1);
    asked.theirs.ships.resize(1);
    const battle::Game game(catalogue(), asked, kBudget);
    const battle::ExactBattle exact = battle::play_exactly(game, {1e8, 1e12});
    double sum = 0;
    for (const auto& [end, p] : exact.ends) sum += p;
    CHECK(sum == Approx(1).epsilon(1e-10));
    CHECK(base::g_test_of_sample(play(game, 20'000).ends, exact.ends) > kAlike);
    battle::ReferenceDice dice(game.tables(), kBudget);
    CHECK(base::g_test_of_sample(play(game, 1'500, &dice).ends, exact.ends) > kAlike);
  }
}

TEST_CASE("Tables and dice give the same battles, and one wrong face is found", "[battle]") {
  const battle::Game game(catalogue(), lively("range-2"), kBudget);
  const auto tables = play(game, 20'000).ends;
  battle::ReferenceDice dice(game.tables(), kBudget);
  CHECK(tests::g_test_of_two(tables, play(game, 2'000, &dice).ends) > kAlike);

  // Attack dice with a focus result in place of a blank.
  std::ifstream file(SALVO_SOURCE_DIR "/profiles/rules/second-edition.toml");
  std::stringstream text;
  text << file.rdbuf();
  std::string rules = text.str();
  const auto replace = [&rules](const std::string& from, const std::string& to) {
    REQUIRE(rules.find(from) != std::string::npos);
    rules.replace(rules.find(from), from.size(), to);
  };
  replace("crit = 1, focus = 2, blank = 2", "crit = 1, focus = 3, blank = 1");
  replace("id = \"second-edition\"", "id = \"wrong-face\"");
  Catalogue wrong = catalogue();
  wrong.add_rules_text(rules, "wrong face");
  const battle::Game partner(wrong, lively("range-2", "wrong-face"), kBudget);
  battle::ReferenceDice wrong_dice(partner.tables(), kBudget);
  CHECK(tests::g_test_of_two(tables, play(partner, 2'000, &wrong_dice).ends) < kAlike);
}

TEST_CASE("Threads change nothing about sampled battles", "[battle]") {
  const battle::Game one(catalogue(), lively("range-2"), kBudget), other(catalogue(), lively("range-2"), kBudget);
  std::vector<std::uint8_t> results, again;
  const battle::BattleTally alone = play(one, 2'500, nullptr, 1, &results);
  const battle::BattleTally many = play(other, 2'500, nullptr, 3, &again);
  CHECK(alone.ends == many.ends);
  CHECK(alone.ships == many.ships);
  CHECK(results == again);
  std::vector<std::uint8_t> single;
  battle::play_many(other, 2'345, 2'346, {.seed = 7, .threads = 1, .dice = nullptr, .progress = {}}, &single);
  CHECK(single == std::vector{again[2'345]});
}

namespace {

/// Chance scripted by a test.
struct Script {
  bool no_action = false, blue = true;
  std::size_t outcome = 0;
  bool percent(int slot, int of_hundred) const {
    if (slot == 0) return true;
    return of_hundred > 0 && of_hundred < 100 ? blue : of_hundred == 100;
  }
  std::size_t pick(int /*slot*/, const battle::GeometryDistribution& /*cases*/) const { return 0; }
  battle::Outcome attack(int /*slot*/, const battle::AttackKey& /*key*/, const battle::Outcomes& outcomes) const {
    return outcomes.list[std::min(outcome, outcomes.list.size() - 1)];
  }
};

int count(const battle::Game& game, const battle::BattleState& now, int s, const std::string& label) {
  const battle::ShipType& type = game.type_of(s);
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    if (type.slots[i].label == label)
      return game.tables().states().counts(game.ship(s).type, now.ship[static_cast<std::size_t>(s)].state)[i];
  }
  return -1;
}

}  // namespace

TEST_CASE("The End Phase removes circular tokens only; Force and charges recover", "[battle]") {
  BattleQuestion asked = lively("range-2");
  asked.mine.ships[0].ship.tokens = {{"focus", 2}, {"evade", 1},  {"stress", 2},  {"strain", 1},
                                     {"ion", 1},   {"disarm", 1}, {"tractor", 1}, {"force", 0}};
  const battle::Game game(catalogue(), asked, kBudget);
  battle::BattleState now = game.start();
  now.ship[0].lock = 2;
  CHECK(count(game, now, 0, "force") == 0);
  game.end(now);
  for (const char* gone : {"focus", "evade", "disarm", "tractor"}) CHECK(count(game, now, 0, gone) == 0);
  CHECK(count(game, now, 0, "stress") == 2);
  CHECK(count(game, now, 0, "strain") == 1);
  CHECK(count(game, now, 0, "ion") == 1);
  CHECK(now.ship[0].lock == 2);
  CHECK(now.round == 1);
}

TEST_CASE("Force recovers by one each round, up to the capacity of the pilot", "[battle]") {
  const battle::Game game(catalogue(), lively("range-2"), kBudget);
  battle::BattleState now = game.start();
  const int full = count(game, now, 0, "force");
  CHECK(full >= 2);
  battle::Counts counts = game.tables().states().counts(game.ship(0).type, now.ship[0].state);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (game.type_of(0).slots[i].label == "force") counts[i] = 0;
  }
  now.ship[0].state = static_cast<std::uint16_t>(game.tables().states().state_of(game.ship(0).type, counts));
  game.end(now);
  CHECK(count(game, now, 0, "force") == 1);
  for (int round = 0; round < 5; ++round) game.end(now);
  CHECK(count(game, now, 0, "force") == full);
}

TEST_CASE("A ship stated to have no Force attacks without it", "[battle]") {
  BattleQuestion asked = lively("range-2");
  const battle::Game full(catalogue(), asked, kBudget);
  for (const bool defends : {false, true}) {
    BattleSide& side = defends ? asked.theirs : asked.mine;
    side.ships[0].ship.tokens = {{"force", 0}};
  }
  const battle::Game none(catalogue(), asked, kBudget);
  const auto force_of = [](const battle::Game& game, int by, int on) {
    const battle::AttackKey key{.attacker = game.ship(by).type,
                                .defender = game.ship(on).type,
                                .shot = battle::Shot{2, false, false}.number(),
                                .attacker_state = game.tables().states().start_state(game.ship(by).type),
                                .defender_state = game.tables().states().start_state(game.ship(on).type)};
    const auto question = game.tables().compile(key);
    int out = 0;
    for (std::size_t r = 0; r < question->plan.resources.size(); ++r)
      out += question->labels.resources[r].name == "force" ? question->plan.resources[r].initial : 0;
    return out;
  };
  CHECK(force_of(full, 0, 2) >= 4);  // Luke Skywalker and Darth Vader
  CHECK(force_of(none, 0, 2) == 0);
  CHECK(force_of(none, 2, 0) == 0);
}

TEST_CASE("A stressed ship has no action unless a blue maneuver helps, an ionized one may only focus", "[battle]") {
  BattleQuestion asked = lively("turning-fight");
  asked.mine.ships[0].ship.tokens = {{"stress", 1}, {"force", 2}};
  asked.theirs.ships[0].ship.tokens = {{"ion", 1}, {"force", 3}};
  const battle::Game game(catalogue(), asked, kBudget);
  for (const bool blue : {true, false}) {
    battle::BattleState now = game.start();
    Script script{.blue = blue};
    game.begin(now, script);
    const int got = count(game, now, 0, "focus") + (now.ship[0].lock >= 0 ? 1 : 0);
    if (!blue) {
      // Script accepts only chances of 100 %: every ship acts, and none flies a blue maneuver.
      CHECK(count(game, now, 0, "stress") == 1);
      CHECK(got == 0);
    } else {
      CHECK(count(game, now, 0, "stress") == 0);
    }
    CHECK(count(game, now, 2, "ion") == 0);
    CHECK(count(game, now, 2, "evade") == 0);
    CHECK(now.ship[2].lock == -1);
  }
}

TEST_CASE("A destroyed ship still fires at its own initiative, and is removed afterwards", "[battle]") {
  // Damage 1 in every shot: 4 dice at agility 0 and 1 hull, outcomes with damage are drawn.
  const battle::Game game(catalogue(),
                          question({ship("a", 4, 0, 1, 4)}, {ship("b", 4, 0, 1, 4), ship("c", 4, 0, 1, 3)}), kBudget);
  battle::BattleState now = game.start();
  Script script{.outcome = 99};  // the last: most damage
  game.begin(now, script);
  int shots = 0;
  for (int place = 0; place < game.places(); ++place) shots += game.engage(now, place, script).shooter >= 0 ? 1 : 0;
  CHECK(shots == 2);  // a and b at each other; c at initiative 3 has no target
  CHECK(now.ship[0].gone);
  CHECK(now.ship[1].gone);
  CHECK_FALSE(now.ship[2].gone);
  game.end(now);
  CHECK(game.over(now));
  CHECK(game.result(now) == -1);
  CHECK(game.points(now, true) == 10);
  CHECK(game.points(now, false) == 10);
}

TEST_CASE("Half of a ship's points are lost with half of its health", "[battle]") {
  const battle::Game game(catalogue(), question({ship("a", 1, 0, 5, 4, 7)}, {ship("b", 1, 0, 4, 4, 6)}), kBudget);
  CHECK(game.points_lost(0, 5) == 0);
  CHECK(game.points_lost(0, 3) == 0);
  CHECK(game.points_lost(0, 2) == 3);
  CHECK(game.points_lost(0, 0) == 7);
  CHECK(game.points_lost(1, 2) == 3);
}

namespace {

/// The first target of my first ship.
std::string first_target(BattleQuestion asked, BattlePolicy policy) {
  asked.my_policy = policy;
  const battle::Game game(catalogue(), asked, kBudget);
  battle::BattleState now = game.start();
  Script script;
  game.begin(now, script);
  return game.ship(game.choose_attack(now, 0).target).name;
}

}  // namespace

TEST_CASE("Policies choose different targets", "[battle]") {
  // x: most health and easy to hit; y: nearly destroyed; z: most points.
  const BattleQuestion asked = question(
      {ship("a", 3, 1, 4, 4)}, {ship("x", 1, 0, 6, 3, 1), ship("y", 1, 1, 1, 3, 2), ship("z", 1, 2, 2, 3, 90)});
  CHECK(first_target(asked, BattlePolicy::Greedy) == "x");
  CHECK(first_target(asked, BattlePolicy::FocusFire) == "y");
  CHECK(first_target(asked, BattlePolicy::LikeliestKill) == "y");
  CHECK(first_target(asked, BattlePolicy::Points) == "z");
}

TEST_CASE("The policy value weighs dice, damage and kills", "[battle]") {
  // Three dice do 1.5 damage without defense dice, and at least one with probability 7/8. The values lost, dice times
  // (chance of a kill + share of the health that is shot away): x 1 * 1.5/6, y 1 * (7/8 + 7/8), z 5 * 1.5/4.
  BattleQuestion asked =
      question({ship("a", 3, 1, 4, 4)}, {ship("x", 1, 0, 6, 3, 9), ship("y", 1, 0, 1, 3, 2), ship("z", 5, 0, 4, 3, 1)});
  CHECK(first_target(asked, BattlePolicy::Greedy) == "x");
  CHECK(first_target(asked, BattlePolicy::LikeliestKill) == "y");
  CHECK(first_target(asked, BattlePolicy::Value) == "z");
  asked.theirs.ships[2].ship.attack = 4;  // 4 * 1.5/4 is less than y
  CHECK(first_target(asked, BattlePolicy::Value) == "y");
}

TEST_CASE("The policy sound finishes wounded ships and shoots first at those that still fire", "[battle]") {
  // x and y differ in nothing but what the case changes.
  BattleQuestion asked =
      question({ship("a", 3, 1, 4, 4), ship("b", 3, 1, 4, 4)}, {ship("x", 3, 0, 4, 4), ship("y", 3, 0, 4, 4)});
  asked.my_policy = BattlePolicy::Sound;
  const auto target = [&](int wounded, int left) {
    const battle::Game game(catalogue(), asked, kBudget);
    battle::BattleState now = game.start();
    Script script;
    game.begin(now, script);
    now.ship[static_cast<std::size_t>(wounded)].health = static_cast<std::uint8_t>(left);
    return game.ship(game.choose_attack(now, 0).target).name;
  };
  CHECK(target(2, 4) == "x");  // the first of two equals
  CHECK(target(2, 1) == "x");
  CHECK(target(3, 1) == "y");
  // Each can be destroyed by one shot, but only a ship of lower initiative has not fired when it is.
  asked.theirs.ships[0].ship.hull = asked.theirs.ships[1].ship.hull = 1;
  CHECK(target(2, 1) == "x");
  asked.theirs.ships[1].initiative = 3;
  CHECK(target(2, 1) == "y");
}

TEST_CASE("A shot with no expected damage is fired, and makes the defender spend its charge", "[battle]") {
  // Iden Versio of the card set 2025 spends her one charge to prevent the damage of one attack. Each attack is one die
  // that hits half the time against no defense dice; the second hit destroys her one hull.
  BattleQuestion asked = question({ship("a", 1, 0, 9, 6)}, {ship("b", 0, 0, 1, 1)}, 3);
  asked.mine.cards = asked.theirs.cards = "2025";
  asked.theirs.ships[0].ship.ship = "tielnfighter";
  asked.theirs.ships[0].ship.pilot = "idenversio";
  for (const BattlePolicy policy : {BattlePolicy::Greedy, BattlePolicy::FocusFire, BattlePolicy::LikeliestKill,
                                    BattlePolicy::Points, BattlePolicy::Value, BattlePolicy::Sound}) {
    asked.my_policy = policy;
    const BattleReport found = exactly(asked);
    CHECK(found.win.value == Approx(1 - (1 + 3) / 8.0).epsilon(1e-12));
    CHECK(found.ships[0].shots.value == Approx(3 - 0.25).epsilon(1e-12));  // none in the third after two hits
  }
}

TEST_CASE("A flight is checked like a card", "[battle]") {
  const auto message = [](const std::string& text) -> std::string {
    try {
      load::parse_flight("format = 1\nid = \"f\"\n" + text, "f.toml");
    } catch (const LoadError& error) {
      return error.what();
    }
    return "";
  };
  using Catch::Contains;
  CHECK(message("[[round]]\npair = [{ of = [\"any\", \"any\"], range = { 1 = 60, 2 = 50 } }]\n").empty() == false);
  CHECK_THAT(message("[[round]]\npair = [{ of = [\"any\", \"any\"], range = { 1 = 60, 2 = 50 } }]\n"),
             Contains("f.toml:4") && Contains("110 percent"));
  CHECK_THAT(message("[[round]]\nshot = [{ by = \"any\", on = \"aces\", arc = 5 }]\n"),
             Contains("aces") && Contains("ace"));
  CHECK_THAT(message("[[round]]\nshot = [{ by = \"any\", arc = 5 }]\n"), Contains("on"));
  CHECK_THAT(message("[[round]]\nshot = [{ by = \"any\", on = \"any\", arc = 101 }]\n"), Contains("101"));
  CHECK_THAT(message("[[round]]\nship = [{ is = \"mine-9\", blue = 1 }]\n"), Contains("mine-9"));
  CHECK_THAT(message(""), Contains("round"));
  CHECK_THAT(message("[[round]]\nwings = 1\n"), Contains("wings"));
  CHECK_THROWS_WITH(load::load_flight(catalogue().root(), "jost"), Contains("joust"));
  for (const std::string& id : load::flight_ids(catalogue().root()))
    CHECK(load::load_flight(catalogue().root(), id).id == id);
  CHECK(load::flight_ids(catalogue().root()).size() >= 6);
}

TEST_CASE("Draws follow the chances of the flight", "[battle]") {
  BattleQuestion asked = question({ship("a", 1, 0, 5, 4)}, {ship("b", 1, 0, 5, 4)}, 1);
  asked.flight_text = R"(format = 1
id = "f"
[[round]]
ship = [{ is = "any", no_action = 100 }]
pair = [{ of = ["any", "any"], range = { 1 = 25, 3 = 50 } }]
shot = [{ by = "mine", on = "any", arc = 40 }, { by = "theirs-1", on = "mine jouster", arc = 0 }]
)";
  const BattleReport found = exactly(asked);
  CHECK(found.ships[0].shots.value == Approx(0.75 * 0.4));
  CHECK(found.ships[1].shots.value == 0);
  // Range 1: two dice at agility 0; range 3: one die, one defense die.
  CHECK(found.ships[0].damage_done.value == Approx(0.4 * (0.25 * 1.0 + 0.5 * 0.5 * 0.625)));
  BattleOptions options;
  options.engine = EngineChoice::Both;
  options.trials = 50'000;
  CHECK(play_battle(catalogue(), asked, options).g_test > kAlike);
}

TEST_CASE("Action bars come from the data, including red and linked actions", "[battle]") {
  const auto bar = load::parse_actions("focus red:lock barrel-roll>red:focus purple:evade", "here");
  REQUIRE(bar.size() == 4);
  using Difficulty = load::Action::Difficulty;
  CHECK(bar[1].difficulty == Difficulty::Red);
  CHECK(bar[2].linked.at(0).name == "focus");
  CHECK(bar[2].linked.at(0).difficulty == Difficulty::Red);
  CHECK(bar[3].difficulty == Difficulty::Purple);
  CHECK_THROWS_AS(load::parse_actions("Focus!", "here"), LoadError);
  for (const char* set : {"xwa", "2025", "legacy", "first-edition"}) {
    std::size_t with = 0;
    for (const std::string& id : catalogue().ship_ids(set)) {
      const auto actions = load::actions_of(catalogue(), set, id, "", {});
      if (!actions.empty()) ++with;
    }
    CHECK(with > catalogue().ship_ids(set).size() * 9 / 10);
  }
}

TEST_CASE("A precision is reached with no more battles than needed", "[battle]") {
  BattleOptions options;
  options.engine = EngineChoice::Sample;
  options.precision = 0.02;
  const BattleReport found = play_battle(catalogue(), lively("range-2"), options);
  CHECK(1.96 * found.win.se <= 0.02);
  CHECK(found.trials < 17'000);
}

TEST_CASE("Battles that cannot be played are refused", "[battle]") {
  using Catch::Contains;
  BattleQuestion asked = question({ship("a", 1, 0, 5, 4)}, {ship("b", 1, 0, 5, 4)});
  asked.theirs.ships.clear();
  CHECK_THROWS_WITH(exactly(asked), Contains("no ship"));
  asked = question({ship("a", 1, 0, 5, 4)}, {ship("b", 1, 0, 5, 4)});
  asked.mine.ships[0].ship.hull.reset();
  CHECK_THROWS_WITH(exactly(asked), Contains("hull"));
  asked = question({ship("a", 1, 0, 5, 4)}, {ship("b", 1, 0, 5, 4)}, 101);
  CHECK_THROWS_WITH(exactly(asked), Contains("100"));
  asked = question({ship("a", 1, 0, 5, 4)}, {ship("b", 1, 0, 5, 4)});
  asked.mine.rules = "second-edition";
  asked.theirs.rules = "first-edition";
  CHECK_THROWS_WITH(exactly(asked), Contains("one edition"));
  BattleOptions options;
  options.engine = EngineChoice::Exact;
  options.budget = 10;
  CHECK_THROWS_AS(play_battle(catalogue(), lively("joust"), options), PlanTooLarge);
}

// ---------------------------------------------------------------- solved play

namespace {

/// A duel in which both have one Force, recovered each round, and decide whether to spend it on a focus result of their
/// attack or to save it for their defense. `free`: which players decide; the others spend it as soon as it helps. I
/// fire first. Computed from the dice alone.
class ForceDuel {
 public:
  int dice = 2, agility = 1, my_hull = 2, his_hull = 3, rounds = 4;
  std::array<bool, 2> free{true, true};  ///< mine, his
  double left = 0.5;                     ///< value of an unfinished duel; negative: decided by points

  double value() { return from(0, my_hull, his_hull); }

 private:
  double from(int round, int me, int him) {
    if (me <= 0 || him <= 0) return me > 0 ? 1 : 0;
    if (round == rounds) {
      if (left >= 0) return left;
      const bool mine = 2 * me <= my_hull, his = 2 * him <= his_hull;  // half of the points are lost; all are worth 10
      return mine == his ? 0.5 : his ? 1 : 0;
    }
    const auto known = known_.find({round, me, him});
    if (known != known_.end()) return known->second;
    // My attack, then his with the Force that both have left.
    const double out = attack(true, true, true, him, [&](int damage, bool my_force, bool his_force) {
      const int still = him - damage;
      if (still <= 0) return 1.0;
      return attack(false, his_force, my_force, me,
                    [&](int hurt, bool, bool) { return from(round + 1, me - hurt, still); });
    });
    known_[{round, me, him}] = out;
    return out;
  }

  /// `after(damage, attacker_force, defender_force)`: the value to me of the position after the attack.
  template <typename After>
  double attack(bool mine, bool attacker_force, bool defender_force, int health, const After& after) {
    double sum = 0;
    const auto best = [](bool maximise, double a, double b) { return maximise ? std::max(a, b) : std::min(a, b); };
    const auto go_on = [&](int damage, bool a, bool d) {
      return after(std::min(damage, health), mine ? a : d, mine ? d : a);
    };
    for (int h = 0; h <= dice; ++h) {
      for (int f = 0; h + f <= dice; ++f) {
        const double p = binomial(dice, h, 0.5) * binomial(dice - h, f, 0.5);
        const auto defended = [&](int hits, bool force) {
          double out = 0;
          for (int e = 0; e <= agility; ++e) {
            for (int g = 0; e + g <= agility; ++g) {
              const double q = binomial(agility, e, 0.375) * binomial(agility - e, g, 0.4);
              const int plain = std::max(0, hits - e), helped = std::max(0, hits - e - 1);
              double worth = go_on(plain, force, defender_force);
              if (defender_force && g > 0) {
                const double spent = go_on(helped, force, false);
                if (free[mine ? 1 : 0]) {
                  worth = best(!mine, worth, spent);
                } else if (helped < plain) {
                  worth = spent;
                }
              }
              out += q * worth;
            }
          }
          return out;
        };
        double worth = defended(h, attacker_force);
        if (attacker_force && f > 0) {
          const double spent = defended(h + 1, false);
          worth = free[mine ? 0 : 1] ? best(mine, worth, spent) : spent;
        }
        sum += p * worth;
      }
    }
    return sum;
  }

  std::map<std::array<int, 3>, double> known_;
};

BattleQuestion force_question(const ForceDuel& duel) {
  BattleQuestion out = question({ship("a", duel.dice, duel.agility, duel.my_hull, 5)},
                                {ship("b", duel.dice, duel.agility, duel.his_hull, 3)}, duel.rounds);
  for (BattleSide* side : {&out.mine, &out.theirs}) side->ships[0].ship.tokens["force"] = 1;
  return out;
}

double worth(const BattleReport& report) { return report.win.value + report.draw.value / 2; }

}  // namespace

TEST_CASE("Optimal play of a duel equals brute force over the dice", "[battle]") {
  for (const int rounds : {1, 2, 5}) {
    for (const auto& [mine, theirs] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true), std::pair(false, false)}) {
      ForceDuel duel;
      duel.rounds = rounds;
      duel.free = {mine, theirs};
      duel.left = -1;
      BattleQuestion asked = force_question(duel);
      asked.my_policy = mine ? BattlePolicy::Optimal : BattlePolicy::Greedy;
      asked.their_policy = theirs ? BattlePolicy::Optimal : BattlePolicy::Greedy;
      const BattleReport found = play_battle(catalogue(), asked);
      CHECK(worth(found) == Approx(duel.value()).margin(1e-12));
      CHECK(found.win.value + found.draw.value + found.loss.value == Approx(1).epsilon(1e-12));
      CHECK(found.bounds.has_value() == (mine || theirs));
    }
  }
}

TEST_CASE("The bounds on play to the end enclose it and are close", "[battle]") {
  ForceDuel duel;
  BattleQuestion asked = force_question(duel);
  asked.my_policy = asked.their_policy = BattlePolicy::Optimal;
  const BattleReport found = play_battle(catalogue(), asked);
  duel.rounds = 300;
  const double end = duel.value();
  REQUIRE(found.bounds);
  CHECK(found.bounds->lower <= end + 1e-12);
  CHECK(found.bounds->upper >= end - 1e-12);
  CHECK(found.bounds->upper - found.bounds->lower < 1e-4);
  CHECK(found.bounds->rounds > 1);
  CHECK(found.bounds->rounds < kMaxBattleRounds);
}

TEST_CASE("No policy does better against optimal play, which does best against all others", "[battle]") {
  BattleQuestion asked = lively("range-2");
  asked.mine = battle_side(catalogue(), {"pilot=redsquadronveteran"}, "", "");
  asked.theirs = battle_side(catalogue(), {"pilot=obsidiansquadronpilot x2"}, "", "");
  const auto value = [&](BattlePolicy mine, BattlePolicy theirs) {
    asked.my_policy = mine;
    asked.their_policy = theirs;
    return worth(play_battle(catalogue(), asked));
  };
  const double optimal = value(BattlePolicy::Optimal, BattlePolicy::Optimal);
  for (const BattlePolicy other : {BattlePolicy::Greedy, BattlePolicy::FocusFire, BattlePolicy::Best}) {
    CHECK(value(other, BattlePolicy::Optimal) <= optimal + 1e-12);
    CHECK(value(BattlePolicy::Optimal, other) >= optimal - 1e-12);
    CHECK(value(other, BattlePolicy::Optimal) < value(BattlePolicy::Optimal, BattlePolicy::Optimal));
  }
}

TEST_CASE("The policy best wins more points in the next engagement than any other", "[battle]") {
  BattleQuestion asked = lively("range-2");
  asked.rounds = 1;
  asked.mine = battle_side(catalogue(), {"pilot=wedgeantilles"}, "", "");
  asked.theirs = battle_side(catalogue(), {"pilot=academypilot x2"}, "", "");
  const auto ahead = [&](BattlePolicy mine) {
    asked.my_policy = mine;
    asked.their_policy = BattlePolicy::Best;
    const BattleReport found = play_battle(catalogue(), asked);
    double out = 0;
    for (const BattleShipEstimates& one : found.ships)
      out += (one.mine ? -1 : 1) * one.points * one.damage_taken.value / (one.hull + one.shields);
    return out;
  };
  const double best = ahead(BattlePolicy::Best);
  for (const BattlePolicy other : {BattlePolicy::Greedy, BattlePolicy::Points, BattlePolicy::LikeliestKill})
    CHECK(best >= ahead(other) - 1e-12);
}

TEST_CASE("Reported positions of optimal play add up", "[battle]") {
  BattleQuestion asked = lively("range-2");
  asked.mine.ships.resize(1);
  asked.theirs.ships.resize(1);
  asked.mine.ships[0].ship.upgrades.clear();
  asked.my_policy = asked.their_policy = BattlePolicy::Optimal;
  const BattleReport found = play_battle(catalogue(), asked);
  REQUIRE_FALSE(found.positions.empty());
  CHECK(found.positions[0].round == 1);
  CHECK(found.positions[0].probability == Approx(1));
  CHECK(found.positions[0].value == Approx(worth(found)));
  for (const BattlePosition& position : found.positions) {
    CHECK(position.ships.size() == 2);
    for (const BattleTactic& one : position.ships) {
      double acted = 0;
      for (const auto& action : one.actions) acted += action.share;
      CHECK(acted == Approx(1));
    }
  }
}

TEST_CASE("Without decisions, solved play equals the exact chain in every round", "[battle]") {
  // In the second flight no ships meet after the first round.
  const std::string brief =
      "format = 1\nid = \"brief\"\n[[round]]\nship = [{ is = \"any\", no_action = 100 }]\n"
      "[[round]]\npair = [{ of = [\"any\", \"any\"], range = { 0 = 0 } }]\n"
      "ship = [{ is = \"any\", no_action = 100 }]\n";
  for (const std::string& flight : {std::string(kBare), brief}) {
    BattleQuestion asked = question({ship("a", 3, 1, 4, 3, 7)}, {ship("b", 2, 2, 5, 3, 5)}, 6);
    asked.flight_text = flight;
    const BattleReport given = exactly(asked);
    asked.my_policy = asked.their_policy = BattlePolicy::Optimal;
    const BattleReport solved = exactly(asked);
    CHECK(solved.win.value == Approx(given.win.value).margin(1e-12));
    CHECK(solved.draw.value == Approx(given.draw.value).margin(1e-12));
    REQUIRE(solved.rounds.size() == given.rounds.size());
    for (std::size_t k = 0; k < given.rounds.size(); ++k)
      CHECK(solved.rounds[k].value == Approx(given.rounds[k].value).margin(1e-12));
    for (std::size_t s = 0; s < 2; ++s) {
      CHECK(solved.ships[s].shots.value == Approx(given.ships[s].shots.value).epsilon(1e-12));
      CHECK(solved.ships[s].damage_taken.value == Approx(given.ships[s].damage_taken.value).epsilon(1e-12));
      CHECK(solved.ships[s].points_earned.value == Approx(given.ships[s].points_earned.value).epsilon(1e-12));
      CHECK(solved.ships[s].survives.value == Approx(given.ships[s].survives.value).epsilon(1e-12));
      for (std::size_t k = 0; k < given.ships[s].alive.size(); ++k)
        CHECK(solved.ships[s].alive[k].value == Approx(given.ships[s].alive[k].value).margin(1e-12));
    }
  }
}

TEST_CASE("The sampling engine refuses solved play", "[battle]") {
  using Catch::Contains;
  BattleQuestion asked = lively("range-2");
  asked.my_policy = BattlePolicy::Optimal;
  CHECK_THROWS_WITH(play_battle(catalogue(), asked), Contains("3 ships at most"));
  asked.mine.ships.resize(1);
  asked.theirs.ships.resize(1);
  BattleOptions options;
  options.engine = EngineChoice::Sample;
  CHECK_THROWS_WITH(play_battle(catalogue(), asked, options), Contains("solved"));
}
