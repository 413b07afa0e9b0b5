// Several rounds with End Phases between them, compared with closed forms and with a game of two ships that is played
// here from the rules, die by die and token by token, without code from src/.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "answers/cross_check.h"
#include "compile/compile.h"
#include "exact/durability.h"
#include "exact/exact.h"
#include "salvo/salvo.h"
#include "sample/sample.h"
#include "study/durability.h"
#include "support/battles.h"
#include "support/cases.h"

using namespace salvo;
using Catch::Contains;

namespace {

/// A card whose charge recovers at the end of a round: changes a blank result of its attack to a hit.
constexpr const char* kRecurring = R"(format = 1
id = "homecharge"
kind = "upgrade"
charges = 1
charges_recover = 1
[[effect]]
side = "attacker"
at = "attack-mod"
may = true
cost = [{ token = "charge", n = 1 }]
do = [{ verb = "change", dice = "attack", from = ["blank"], to = "hit", n = 1 }]
)";

/// The same once per round, without a cost.
constexpr const char* kOnceARound = R"(format = 1
id = "homeuse"
kind = "upgrade"
[[effect]]
side = "attacker"
at = "attack-mod"
may = true
once_per_round = true
do = [{ verb = "change", dice = "attack", from = ["blank"], to = "hit", n = 1 }]
)";

const Catalogue& catalogue() {
  static const Catalogue profiles = [] {
    Catalogue out = battles::catalogue();
    out.add_card_text(kRecurring, "homecharge");
    out.add_card_text(kOnceARound, "homeuse");
    return out;
  }();
  return profiles;
}

Report answered(const Scenario& scenario, EngineChoice engine = EngineChoice::Exact) {
  AnswerOptions options;
  options.engine = engine;
  options.trials = 100'000;
  return answer(catalogue(), scenario, options);
}

// ---------------------------------------------------------------- the reference

using Who = std::size_t;  // 0 or 1
constexpr std::array<Who, 2> kBoth{0, 1};

struct Tokens {
  int focus = 0, evade = 0, force = 0, lock = 0, charge = 0, use = 0;
};

struct Ship {
  int attack = 0, agility = 0, health = 0;
  Tokens tokens;
};

/// Dice on the table, counted by result.
struct Dice {
  int success = 0, focus = 0, blank = 0;
};

enum class Goal { Damage, Kill, Health };

/// A game of two ships over several rounds. Ship 0 wants a large result, ship 1 a small one.
struct Game {
  std::array<Ship, 2> ships;
  std::vector<std::array<Tokens, 2>> gains;       // by round: tokens gained at its start
  std::vector<std::vector<Who>> attacks;          // by round: who attacks the other
  std::array<int, 2> force_limit{}, recurring{};  // capacity of Force; whether the charge recovers
  Goal goal = Goal::Damage;

  struct Now {
    std::array<Tokens, 2> tokens;
    std::array<int, 2> health{};
  };
  mutable std::map<std::vector<int>, double> known;

  double value() const {
    Now now;
    for (const Who s : kBoth) {
      now.tokens[s] = ships[s].tokens;
      now.health[s] = ships[s].health;
    }
    return before_round(0, now);
  }

  double before_round(std::size_t round, Now now) const {
    if (round == attacks.size()) return 0;
    for (const Who s : kBoth) {
      Tokens& t = now.tokens[s];
      if (round > 0) {
        t.focus = t.evade = 0;
        t.force = std::min(t.force + 1, force_limit[s]);
        t.charge = std::min(1, t.charge + recurring[s]);
        t.use = ships[s].tokens.use;
      }
      const Tokens& more = gains[round][s];
      t.focus += more.focus;
      t.evade += more.evade;
      t.lock = std::min(1, t.lock + more.lock);
    }
    return before_attack(round, 0, now);
  }

  double before_attack(std::size_t round, std::size_t k, const Now& now) const {
    if (k == attacks[round].size()) return before_round(round + 1, now);
    std::vector<int> key{static_cast<int>(round), static_cast<int>(k)};
    for (const Who s : kBoth) {
      const Tokens& t = now.tokens[s];
      for (const int n : {t.focus, t.evade, t.force, t.lock, t.charge, t.use, now.health[s]}) key.push_back(n);
    }
    const auto at = known.find(key);
    if (at != known.end()) return at->second;
    const Who by = attacks[round][k];
    double out = 0;
    const bool gone = goal != Goal::Damage && (now.health[0] <= 0 || now.health[1] <= 0);
    if (gone) {
      out = before_attack(round, k + 1, now);
    } else {
      each_roll(ships[by].attack, 4.0 / 8, 2.0 / 8,
                [&](const Dice& dice, double p) { out += p * attack_dice(round, k, now, dice, true, true); });
    }
    return known[key] = out;
  }

  /// Visits all rolls of n dice.
  template <typename Visit>
  static void each_roll(int n, double success, double focus, const Visit& visit) {
    for (int s = 0; s <= n; ++s) {
      for (int f = 0; s + f <= n; ++f) {
        double p = 1;
        for (int i = 0; i < n; ++i) {
          p *= (i + 1.0) / (i < s ? i + 1.0 : i < s + f ? i - s + 1.0 : i - s - f + 1.0);
          p *= i < s ? success : i < s + f ? focus : 1 - success - focus;
        }
        visit(Dice{s, f, n - s - f}, p);
      }
    }
  }

  double better(Who who, double a, double b) const { return who == 0 ? std::max(a, b) : std::min(a, b); }

  /// The attacker has rolled and may use its effects in any order, a card once per attack.
  double attack_dice(std::size_t round, std::size_t k, const Now& now, const Dice& dice, bool charge, bool use) const {
    const Who by = attacks[round][k];
    double best = 0;
    each_roll(ships[1 - by].agility, 3.0 / 8, 2.0 / 8,
              [&](const Dice& defense, double p) { best += p * defense_dice(round, k, now, dice.success, defense); });
    const auto play = [&](int Tokens::*token, const Dice& then, bool charge_left, bool use_left) {
      Now next = now;
      --(next.tokens[by].*token);
      best = better(by, best, attack_dice(round, k, next, then, charge_left, use_left));
    };
    const Tokens& t = now.tokens[by];
    const auto all_focus = Dice{dice.success + dice.focus, 0, dice.blank};
    const auto one_focus = Dice{dice.success + 1, dice.focus - 1, dice.blank};
    const auto one_blank = Dice{dice.success + 1, dice.focus, dice.blank - 1};
    if (t.focus > 0 && dice.focus > 0) play(&Tokens::focus, all_focus, charge, use);
    if (t.force > 0 && dice.focus > 0) play(&Tokens::force, one_focus, charge, use);
    if (t.charge > 0 && charge && dice.blank > 0) play(&Tokens::charge, one_blank, false, use);
    if (t.use > 0 && use && dice.blank > 0) play(&Tokens::use, one_blank, charge, false);
    if (t.lock == 0) return best;
    for (int s = 0; s <= dice.success; ++s) {
      for (int f = 0; f <= dice.focus; ++f) {
        for (int b = 0; b <= dice.blank; ++b) {
          if (s + f + b == 0) continue;
          Now next = now;
          next.tokens[by].lock = 0;
          double sum = 0;
          each_roll(s + f + b, 4.0 / 8, 2.0 / 8, [&](const Dice& again, double p) {
            const Dice then{dice.success - s + again.success, dice.focus - f + again.focus,
                            dice.blank - b + again.blank};
            sum += p * attack_dice(round, k, next, then, charge, use);
          });
          best = better(by, best, sum);
        }
      }
    }
    return best;
  }

  double defense_dice(std::size_t round, std::size_t k, const Now& now, int successes, const Dice& dice) const {
    const Who by = attacks[round][k], on = 1 - by;
    double best = suffer(round, k, now, std::max(0, successes - dice.success));
    const auto play = [&](int Tokens::*token, const Dice& then) {
      Now next = now;
      --(next.tokens[on].*token);
      best = better(on, best, defense_dice(round, k, next, successes, then));
    };
    const Tokens& t = now.tokens[on];
    if (t.focus > 0 && dice.focus > 0) play(&Tokens::focus, {dice.success + dice.focus, 0, dice.blank});
    if (t.force > 0 && dice.focus > 0) play(&Tokens::force, {dice.success + 1, dice.focus - 1, dice.blank});
    if (t.evade > 0 && dice.blank > 0) play(&Tokens::evade, {dice.success + 1, dice.focus, dice.blank - 1});
    if (t.evade > 0 && dice.focus > 0) play(&Tokens::evade, {dice.success + 1, dice.focus - 1, dice.blank});
    return best;
  }

  double suffer(std::size_t round, std::size_t k, Now now, int damage) const {
    const Who by = attacks[round][k], on = 1 - by;
    const int before = now.health[on];
    if (goal != Goal::Damage) now.health[on] = std::max(0, before - damage);
    const double gain = goal == Goal::Damage   ? damage
                        : goal == Goal::Health ? before - now.health[on]
                                               : (before > 0 && now.health[on] == 0 ? 1 : 0);
    return (by == 0 ? gain : -gain) + before_attack(round, k + 1, now);
  }
};

constexpr const char* kNames[] = {"red", "blue"};

std::map<std::string, int> named(const Tokens& tokens) {
  std::map<std::string, int> out;
  if (tokens.focus > 0) out["focus"] = tokens.focus;
  if (tokens.evade > 0) out["evade"] = tokens.evade;
  if (tokens.force > 0) out["force"] = tokens.force;
  return out;
}

/// For messages: dice, health, and focus, evade, Force, lock, charge, use of each ship; the same of gains; who attacks.
std::string text_of(const Game& game) {
  const auto tokens = [](const Tokens& t) {
    return fmt::format("{}{}{}{}{}{}", t.focus, t.evade, t.force, t.lock, t.charge, t.use);
  };
  std::string out = fmt::format("goal {}", static_cast<int>(game.goal));
  for (const Ship& one : game.ships)
    out += fmt::format(", {} : {}, {} hull, {}", one.attack, one.agility, one.health, tokens(one.tokens));
  for (std::size_t r = 0; r < game.attacks.size(); ++r) {
    out += fmt::format("; {} {}", tokens(game.gains[r][0]), tokens(game.gains[r][1]));
    for (const Who by : game.attacks[r]) out += fmt::format(" {}", by);
  }
  return out;
}

/// The same game as a scenario.
Scenario scenario_of(const Game& game) {
  Scenario out;
  out.objective = game.goal == Goal::Damage ? "damage" : game.goal == Goal::Kill ? "kill" : "health";
  for (const Who s : kBoth) {
    const Ship& ship = game.ships[s];
    ScenarioShip& to = out.ships[kNames[s]];
    to.side = s == 0 ? "mine" : "theirs";
    to.attack = ship.attack;
    to.agility = ship.agility;
    to.hull = ship.health;
    to.tokens = named(ship.tokens);
    if (ship.tokens.lock > 0) to.locks = {kNames[1 - s]};
    if (ship.tokens.charge > 0) to.upgrades.emplace_back("homecharge");
    if (ship.tokens.use > 0) to.upgrades.emplace_back("homeuse");
  }
  for (std::size_t r = 0; r < game.attacks.size(); ++r) {
    ScenarioRound& round = out.rounds.emplace_back();
    for (const Who s : kBoth) {
      const Tokens& gained = game.gains[r][s];
      GainedTokens to{named(gained), {}};
      if (gained.lock > 0) to.locks = {kNames[1 - s]};
      if (!(to == GainedTokens())) round.gains[kNames[s]] = to;
    }
    for (const Who by : game.attacks[r])
      out.attacks.push_back({.by = kNames[by], .on = kNames[1 - by], .round = static_cast<int>(r)});
  }
  return out;
}

Game any_game(std::mt19937& random) {
  const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); };
  Game out;
  out.goal = std::array{Goal::Damage, Goal::Kill, Goal::Health}[static_cast<std::size_t>(up_to(2))];
  for (const Who s : kBoth) {
    Ship& ship = out.ships[s];
    ship = {1 + up_to(1), up_to(1), 1 + up_to(2), {up_to(1), up_to(1), up_to(2), up_to(1), up_to(1), up_to(1)}};
    out.force_limit[s] = ship.tokens.force;
    out.recurring[s] = ship.tokens.charge;  // the ship with the card
  }
  const int rounds = 2 + up_to(1);
  for (int r = 0; r < rounds; ++r) {
    std::array<Tokens, 2> gains;
    for (Tokens& one : gains) one = {up_to(1), up_to(1), 0, up_to(1), 0, 0};
    out.gains.push_back(gains);
    const auto who = [&] { return static_cast<Who>(up_to(1)); };
    const Who first = who(), second = who();
    out.attacks.push_back(up_to(1) == 0 ? std::vector<Who>{0} : std::vector<Who>{first, second});
  }
  return out;
}

const ShipEstimates& ship(const Estimates& estimates, const char* name) { return estimates.ship(name); }

double left(const ShipEstimates& ship, std::string_view kind) {
  for (const auto& [name, figure] : ship.tokens_left) {
    if (name == kind) return figure.value;
  }
  return -1;
}

/// One attacker and one defender without tokens.
Scenario bare(int attack, int agility, int hull, int rounds) {
  Scenario out;
  out.objective = "health";
  out.ships["red"].attack = attack;
  out.ships["blue"].agility = agility;
  out.ships["blue"].hull = hull;
  out.attacks.push_back({.by = "red", .on = "blue"});
  repeat_attacks(out, rounds);
  return out;
}

std::string refused(const std::string& text) {
  try {
    answer(catalogue(), parse_scenario(text, "test.toml"));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kShips = R"(
[ships.red]
attack = 2
tokens = { focus = 1, lock = ["blue"] }
[ships.blue]
agility = 1
hull = 3
)";

}  // namespace

TEST_CASE("best play over rounds equals that of a game played die by die", "[rounds]") {
  std::mt19937 random(19);
  int spent = 0;
  for (int i = 0; i < 60; ++i) {
    const Game game = any_game(random);
    const Scenario scenario = scenario_of(game);
    const Report found = answered(scenario);
    INFO("game " << i << ": " << text_of(game));
    CHECK(found.estimates.value.value == Approx(game.value()).margin(1e-9));
    spent += found.estimates.value.value != 0 ? 1 : 0;
  }
  CHECK(spent > 40);
}

TEST_CASE("a reference with wrong recovery of charges or Force differs", "[rounds]") {
  Game game;
  game.ships = {Ship{2, 0, 3, {0, 0, 1, 0, 1, 0}}, Ship{0, 1, 4, {}}};
  game.force_limit = {1, 0};
  game.recurring = {1, 0};
  game.gains.resize(3);
  game.attacks = {{0}, {0}, {0}};
  const double value = answered(scenario_of(game)).estimates.value.value;
  CHECK(value == Approx(game.value()).margin(1e-9));
  Game wrong = game;
  wrong.recurring = {0, 0};
  wrong.known.clear();
  CHECK(std::abs(value - wrong.value()) > 0.01);
  wrong = game;
  wrong.force_limit = {2, 0};
  wrong.known.clear();
  CHECK(std::abs(value - wrong.value()) > 0.01);
}

TEST_CASE("lasting tokens are saved for a later round where they are worth more", "[rounds]") {
  // The lock could be spent now. Next round the defender has almost no agility and more dice are rolled.
  Scenario scenario;
  scenario.ships["red"].attack = 2;
  scenario.ships["red"].locks = {"blue"};
  scenario.ships["blue"].agility = 3;
  scenario.ships["blue"].tokens = {{"evade", 1}};
  scenario.attacks = {{.by = "red", .on = "blue"}, {.by = "red", .on = "blue", .range = 1, .round = 1}};
  scenario.rounds.resize(2);
  const DecisionSpec point{.attack = 1, .rolled = "hit blank"};
  const Advice advice = advise(catalogue(), scenario, point);
  const auto option = [&](bool lock) {
    return *std::find_if(advice.options.begin(), advice.options.end(), [&](const PlayOption& play) {
      return (std::find(play.parts.spends.begin(), play.parts.spends.end(), "lock") != play.parts.spends.end()) == lock;
    });
  };
  CHECK(advice.options.front().parts.spends.empty());
  CHECK(option(true).now > option(false).now);
  CHECK(option(true).later < option(false).later);
  // Without a later round the lock is spent.
  scenario.attacks.pop_back();
  scenario.rounds.clear();
  CHECK(advise(catalogue(), scenario, point).options.front().parts.spends == std::vector<std::string>{"lock"});
  // The same attack in two rounds, as option of advise.
  AnswerOptions twice;
  twice.overrides.rounds = 2;
  const Advice both = advise(catalogue(), scenario, point, twice);
  CHECK(both.options.front().later > 0);
}

TEST_CASE("damage of rounds adds up, and destroyed ships are not attacked again", "[rounds]") {
  // 2 dice, no agility: 0, 1, 2 damage with 1/4, 1/2, 1/4.
  const double one[] = {0.25, 0.5, 0.25};
  const Report found = answered(bare(2, 0, 2, 2));
  REQUIRE(found.rounds.size() == 2);
  const auto& first = ship(found.rounds[0], "blue");
  for (std::size_t k = 0; k < 3; ++k) CHECK(first.pmf.at(k).value == Approx(one[k]));
  CHECK(first.destroyed.value == Approx(0.25));
  CHECK(ship(found.rounds[1], "blue").destroyed.value == Approx(0.25 + 0.5 * 0.75 + 0.25 * 0.25));
  CHECK(found.estimates.attacks.at(1).happens.value == Approx(0.75));
  CHECK(found.estimates.attacks.at(1).round == 2);
  CHECK(found.rounds[1].ship("blue").destroyed.value == found.estimates.ship("blue").destroyed.value);
  // Simultaneous fire: a destroyed ship still fires in its round, but not in the next.
  Scenario fire;
  fire.objective = "kill";
  for (const char* name : {"red", "blue"}) fire.ships[name] = {.attack = 1, .agility = 0, .hull = 1};
  fire.attacks = {{.by = "red", .on = "blue", .initiative = 3}, {.by = "blue", .on = "red", .initiative = 3}};
  repeat_attacks(fire, 2);
  const Report both = answered(fire);
  CHECK(both.estimates.attacks.at(1).happens.value == 1);
  CHECK(both.estimates.attacks.at(2).happens.value == Approx(0.25));
  CHECK(both.estimates.attacks.at(3).happens.value == Approx(0.25));
  CHECK(ship(both.rounds[0], "red").destroyed.value == Approx(0.5));
}

TEST_CASE("the End Phase removes green tokens, not locks or stress; Force recovers up to its capacity", "[rounds]") {
  Scenario scenario;
  // Nothing is spent, since there are no dice.
  scenario.ships["red"] = {.attack = 0, .tokens = {{"focus", 2}, {"stress", 1}, {"force", 2}}, .locks = {"blue"}};
  scenario.ships["blue"] = {.agility = 0, .hull = 3, .tokens = {{"evade", 1}, {"tractor", 1}, {"strain", 0}}};
  scenario.attacker_policy = scenario.defender_policy = "hold";
  for (int r = 0; r < 3; ++r) scenario.attacks.push_back({.by = "red", .on = "blue", .round = r});
  scenario.rounds.resize(3);
  scenario.rounds[1].gains["blue"].tokens = {{"focus", 3}};
  scenario.rounds[2].again = true;
  scenario.rounds[2].gains["red"].tokens = {{"stress", -2}, {"focus", 1}};
  for (const EngineChoice engine : {EngineChoice::Exact, EngineChoice::Sample}) {
    const Report found = answered(scenario, engine);
    REQUIRE(found.rounds.size() == 3);
    const auto of = [&](int round, const char* name, const char* kind) {
      return left(ship(found.rounds[static_cast<std::size_t>(round)], name), kind);
    };
    CHECK(of(0, "red", "focus") == 2);
    CHECK(of(1, "red", "focus") == 0);
    CHECK(of(2, "red", "focus") == 3);
    CHECK(of(1, "red", "stress") == 1);
    CHECK(of(2, "red", "stress") == 0);
    CHECK(of(2, "red", "lock") == 1);
    CHECK(of(2, "red", "force") == 2);
    CHECK(of(0, "blue", "tractor") == 1);
    CHECK(of(1, "blue", "tractor") == 0);
    CHECK(of(1, "blue", "focus") == 3);
    CHECK(of(2, "blue", "evade") == 1);
    CHECK(of(2, "blue", "focus") == 0);
    CHECK(of(2, "blue", "tractor") == 0);
  }
}

TEST_CASE("the engines agree over rounds, after each of them", "[rounds]") {
  std::mt19937 random(4);
  for (int i = 0; i < 6; ++i) {
    Game game = any_game(random);
    for (Ship& one : game.ships) one.attack = 3, one.agility = 2;
    const Scenario scenario = scenario_of(game);
    const Report exact = answered(scenario, EngineChoice::Both), sampled = answered(scenario, EngineChoice::Sample);
    CHECK(exact.cross_check->agree);
    REQUIRE(exact.rounds.size() == sampled.rounds.size());
    for (std::size_t r = 0; r < exact.rounds.size(); ++r) {
      for (const char* name : kNames) {
        const ShipEstimates &a = ship(exact.rounds[r], name), &b = ship(sampled.rounds[r], name);
        CHECK(std::abs(a.mean_damage.value - b.mean_damage.value) <= 7 * b.mean_damage.se + 1e-9);
        CHECK(std::abs(a.destroyed.value - b.destroyed.value) <= 7 * b.destroyed.se + 1e-9);
        REQUIRE(a.tokens_left.size() == b.tokens_left.size());
        for (std::size_t t = 0; t < a.tokens_left.size(); ++t) {
          const Estimate &x = a.tokens_left[t].second, &y = b.tokens_left[t].second;
          CHECK(std::abs(x.value - y.value) <= 7 * y.se + 1e-9);
        }
      }
    }
  }
}

TEST_CASE("the cross-check compares each round", "[rounds][cross_check]") {
  Scenario scenario = bare(3, 2, 9, 3);
  scenario.ships["red"].tokens = {{"focus", 1}};
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
  const exact::Solution solution = exact::solve(question.plan);
  const salvo::game::Distribution whole = exact::enumerate(question.plan, solution);
  const std::vector<salvo::game::Distribution> rounds = exact::enumerate_rounds(question.plan, solution);
  REQUIRE(rounds.size() == 2);
  const auto played = [&](const game::Plan& plan, std::size_t attacks) {
    sample::Options options;
    options.trials = 20'000;
    return sample::run(game::first_attacks(plan, attacks), solution.policy, options);
  };
  const std::vector<std::size_t>& ends = question.plan.round_ends;
  REQUIRE(ends.size() == 3);
  const salvo::game::Distribution sampled = played(question.plan, ends[2]);
  const std::vector<salvo::game::Distribution> right = {played(question.plan, ends[0]), played(question.plan, ends[1])};
  const CrossCheck check = answers::cross_check(whole, sampled, question.labels, {rounds, right});
  CHECK(check.agree);
  CHECK(check.largest_difference >= answers::cross_check(whole, sampled, question.labels).largest_difference);
  // A sampler whose attack die has a hit instead of a blank in one round only.
  game::Plan wrong = question.plan;
  --wrong.attack_die.sides_of_face[static_cast<std::size_t>(wrong.attack_die.blank)];
  ++wrong.attack_die.sides_of_face[static_cast<std::size_t>(wrong.attack_die.hit)];
  for (std::size_t r = 0; r < 2; ++r) {
    std::vector<salvo::game::Distribution> spoilt = right;
    spoilt[r] = played(wrong, ends[r]);
    const CrossCheck found = answers::cross_check(whole, sampled, question.labels, {rounds, spoilt});
    CHECK_FALSE(found.agree);
    CHECK(found.p < 1e-6);
    CHECK(found.largest_difference > 7);
    CHECK(found.largest_name == fmt::format("mean damage of blue after round {}", r + 1));
  }
  CHECK_FALSE(answers::cross_check(whole, played(wrong, ends[2]), question.labels, {rounds, right}).agree);
  // With both engines, rounds are compared as well: for some seeds a round differs most.
  bool in_a_round = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    AnswerOptions options;
    options.engine = EngineChoice::Both;
    options.trials = 20'000;
    options.seed = seed;
    const Report both = answer(catalogue(), scenario, options);
    REQUIRE(both.cross_check);
    CHECK(both.cross_check->agree);
    in_a_round = in_a_round || both.cross_check->largest_name.find(" after round ") != std::string::npos;
  }
  CHECK(in_a_round);
}

TEST_CASE("the cross-check names the rounds that it could not compare", "[rounds][cross_check]") {
  const Scenario scenario = bare(3, 2, 9, 3);
  AnswerOptions options;
  options.engine = EngineChoice::Both;
  options.trials = 50'000'000;
  int calls = 0;
  options.progress = [&](std::uint64_t, std::uint64_t) { return ++calls < 3; };
  const Report stopped = answer(catalogue(), scenario, options);
  REQUIRE(stopped.cross_check);
  CHECK(stopped.sample->interrupted);
  CHECK(stopped.cross_check->agree);
  CHECK(stopped.cross_check->rounds_left_out == 2);
  CHECK_THAT(to_table(stopped, 80, false), Contains("NOT compared"));
  CHECK(nlohmann::json::parse(to_json(stopped)).at("cross_check").at("rounds_left_out") == 2);
  CHECK_THAT(to_csv(stopped), Contains("cross_check_rounds_left_out"));
  // Rounds are compared as far as they were sampled: a wrong one is found even if the next is missing.
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue(), scenario);
  const exact::Solution solution = exact::solve(question.plan);
  const salvo::game::Distribution whole = exact::enumerate(question.plan, solution);
  const std::vector<salvo::game::Distribution> rounds = exact::enumerate_rounds(question.plan, solution);
  sample::Options few;
  few.trials = 20'000;
  const salvo::game::Distribution sampled = sample::run(question.plan, solution.policy, few);
  const std::vector<salvo::game::Distribution> first = {sampled};  // all attacks, not just those of the first round
  const CrossCheck check = answers::cross_check(whole, sampled, question.labels, {rounds, first});
  CHECK(check.rounds_left_out == 1);
  CHECK_FALSE(check.agree);
  // Without an interruption there is no note.
  options.trials = 20'000;
  options.progress = nullptr;
  const Report played = answer(catalogue(), scenario, options);
  CHECK(played.cross_check->rounds_left_out == 0);
  CHECK(to_json(played).find("rounds_left_out") == std::string::npos);
}

// ---------------------------------------------------------------- advice in a later round

namespace {

/// Mean damage of 2 attack dice (3 hits, 1 critical hit, 2 focus, 2 blank of 8) against defense dice (3 evades of 8).
struct Shot {
  bool focus = false;  ///< all focus results count as hits
  int force = 0;       ///< as many count
  int agility = 2;
  int evades = 0;  ///< further results changed to evades by a token

  double mean() const {
    double out = 0;
    for (int a = 0; a < 64; ++a) {
      int hits = 0, eyes = 0;
      for (const int die : {a / 8, a % 8}) die < 4 ? ++hits : eyes += die < 6 ? 1 : 0;
      hits += focus ? eyes : std::min(eyes, force);
      int all = 1;
      for (int i = 0; i < agility; ++i) all *= 8;
      for (int d = 0; d < all; ++d) {
        int evaded = 0;
        for (int i = 0, rest = d; i < agility; ++i, rest /= 8) evaded += rest % 8 < 3 ? 1 : 0;
        out += std::max(0, hits - std::min(agility, evaded + evades)) / 64.0 / all;
      }
    }
    return out;
  }
};

double sum_of(const std::vector<Shot>& shots) {
  double out = 0;
  for (const Shot& shot : shots) out += shot.mean();
  return out;
}

/// Red shoots at blue with 2 dice against 2 in each round.
Scenario rounds_of(int rounds, const std::map<std::string, int>& tokens) {
  Scenario out;
  out.ships["red"] = {.attack = 2, .tokens = tokens};
  out.ships["blue"] = {.agility = 2};
  for (int r = 0; r < rounds; ++r) {
    out.rounds.push_back({.again = r > 0});
    out.attacks.push_back({.by = "red", .on = "blue", .round = r});
  }
  return out;
}

using Told = std::map<std::string, ReportedTokens>;

Advice advice_at(const Scenario& scenario, int attack, const Told& reported = {}) {
  return advise(catalogue(), scenario, {.attack = attack, .tokens = reported});
}

std::string refused_at(const Scenario& scenario, int attack, const Told& reported) {
  try {
    advice_at(scenario, attack, reported);
  } catch (const DecisionError& error) {
    return error.path + ": " + error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("in a later round ships have the tokens that the End Phase left and the round gave", "[rounds][decide]") {
  const Shot with{.focus = true}, without{};
  // The green token of the first round is removed.
  Scenario once = rounds_of(2, {{"focus", 1}});
  once.rounds[1].again = false;
  CHECK(advice_at(once, 1).value == Approx(sum_of({with, without})));
  CHECK(advice_at(once, 2).value == Approx(without.mean()));
  CHECK_THAT(advice_at(once, 2).situation, Contains("red has no tokens"));
  // Tokens of a round exist only in that round, including the first.
  Scenario gains = rounds_of(3, {});
  gains.rounds[1].gains["red"].tokens = {{"focus", 1}};
  CHECK(advice_at(gains, 1).value == Approx(sum_of({without, with, without})));
  CHECK(advice_at(gains, 2).value == Approx(sum_of({with, without})));
  CHECK_THAT(advice_at(gains, 2).situation, Contains("red has focus"));
  CHECK(advice_at(gains, 3).value == Approx(without.mean()));
  gains.rounds[0].gains["red"].tokens = {{"focus", 1}};
  CHECK(advice_at(gains, 1).value == Approx(sum_of({with, with, without})));
  // Lasting tokens remain, and tokens spent in a round do not.
  Scenario strained = rounds_of(3, {});
  strained.ships["blue"].tokens = {{"strain", 1}};
  strained.rounds[2].gains["blue"].tokens = {{"strain", -1}};
  CHECK(advice_at(strained, 2).value == Approx(sum_of({{.agility = 1}, without})));
  CHECK(advice_at(strained, 3).value == Approx(without.mean()));
  // The answer names the round.
  CHECK(advice_at(gains, 2).round == 2);
  CHECK_THAT(to_table(advice_at(gains, 2)), Contains("attack 2, round 2: red"));
  CHECK(nlohmann::json::parse(to_json(advice_at(gains, 3))).at("round") == 3);
  Scenario without_rounds = rounds_of(1, {});
  without_rounds.rounds.clear();
  CHECK_FALSE(nlohmann::json::parse(to_json(advice_at(without_rounds, 1))).contains("round"));
}

TEST_CASE("luck names its round", "[rounds][luck]") {
  const Scenario scenario = rounds_of(3, {{"focus", 1}});
  const Luck third = luck(catalogue(), scenario, {.point = {.attack = 3}, .damage = 1});
  CHECK(third.round == 3);
  CHECK_THAT(to_table(third), Contains("attack 3, round 3: red"));
  CHECK(nlohmann::json::parse(to_json(third)).at("round") == 3);
  Scenario without_rounds = rounds_of(1, {});
  without_rounds.rounds.clear();
  const Luck plain = luck(catalogue(), without_rounds, {.point = {.attack = 1}, .damage = 1});
  CHECK_THAT(to_table(plain), Contains("attack 1: red"));
  CHECK_FALSE(nlohmann::json::parse(to_json(plain)).contains("round"));
}

TEST_CASE("reported tokens are those of the present round, and later rounds add their own", "[rounds][decide]") {
  const Shot with{.focus = true}, without{};
  const Scenario focused = rounds_of(3, {{"focus", 1}});
  CHECK(advice_at(focused, 1).value == Approx(3 * with.mean()));
  // The focus token is spent; the next round brings a new one.
  CHECK(advice_at(focused, 1, {{"red", {.tokens = {{"focus", 0}}}}}).value == Approx(sum_of({without, with, with})));
  CHECK(advice_at(focused, 2, {{"red", {.tokens = {{"focus", 0}}}}}).value == Approx(sum_of({without, with})));
  CHECK(advice_at(focused, 3, {{"red", {.tokens = {{"focus", 0}}}}}).value == Approx(without.mean()));
  CHECK_THAT(advice_at(focused, 2, {{"red", {.tokens = {{"focus", 3}}}}}).situation, Contains("red has 3 focus"));
  CHECK(advice_at(focused, 2, {{"red", {.tokens = {{"focus", 3}}}}}).value == Approx(2 * with.mean()));
  // A token that no ship has in the scenario: one for this round, and one that lasts until used.
  const Scenario plain = rounds_of(3, {});
  for (const int attack : {1, 2}) {
    const int later = 3 - attack;
    CHECK(advice_at(plain, attack, {{"red", {.tokens = {{"focus", 1}}}}}).value ==
          Approx(with.mean() + later * without.mean()));
    CHECK(advice_at(plain, attack, {{"blue", {.tokens = {{"evade", 1}}}}}).value ==
          Approx(Shot{.evades = 1}.mean() + later * without.mean()));
    CHECK(advice_at(plain, attack, {{"blue", {.tokens = {{"strain", 1}}}}}).value ==
          Approx(Shot{.agility = 1}.mean() + later * without.mean()));
  }
  // Force recovers one per round, up to the capacity.
  const Scenario force = rounds_of(3, {{"force", 2}});
  CHECK(advice_at(force, 2, {{"red", {.tokens = {{"force", 0}}}}}).value == Approx(sum_of({without, {.force = 1}})));
  CHECK(advice_at(force, 1, {{"red", {.tokens = {{"force", 0}}}}}).value >
        advice_at(force, 2, {{"red", {.tokens = {{"force", 0}}}}}).value + without.mean());
  CHECK(advice_at(force, 3, {{"red", {.tokens = {{"force", 1}}}}}).value == Approx(Shot{.force = 1}.mean()));
  CHECK(advice_at(force, 3).value == Approx(Shot{.force = 2}.mean()));
  // A spent lock does not return; a reported one exists.
  Scenario locked = plain;
  locked.ships["red"].locks = {"blue"};
  CHECK(advice_at(locked, 2, {{"red", {.locks_complete = true}}}).value == Approx(2 * without.mean()));
  CHECK(advice_at(plain, 2, {{"red", {.locks = {"blue"}}}}).value == Approx(advice_at(locked, 2).value));
  CHECK(advice_at(locked, 2).value > 2 * without.mean() + 0.01);
  // Without rounds, tokens are reported as usual.
  CHECK(advice_at(rounds_of(1, {{"focus", 1}}), 1, {{"red", {.tokens = {{"focus", 0}}}}}).value ==
        Approx(without.mean()));
  // Contradictory input.
  CHECK_THAT(refused_at(plain, 2, {{"rde", {}}}), Contains("tokens: ") && Contains("did you mean red?"));
  CHECK_THAT(refused_at(plain, 2, {{"red", {.tokens = {{"fokus", 1}}}}}),
             Contains("tokens: red: ") && Contains("focus"));
  CHECK_THAT(refused_at(plain, 4, {}),
             Contains("attack: there is no attack 4; the scenario has 3, ") && Contains("through all rounds"));
}

TEST_CASE("advice in a later round equals that of a scenario that begins there", "[rounds][decide]") {
  std::mt19937 random(11);
  for (int i = 0; i < 8; ++i) {
    // Three equal rounds with lasting and circular tokens. From the second, with nothing reported as spent, two are
    // left.
    Scenario scenario = rounds_of(3, {{"focus", static_cast<int>(random() % 2)}, {"force", 1}});
    if (random() % 2 == 0) scenario.ships["red"].locks = {"blue"};
    scenario.ships["blue"].tokens = {{"evade", static_cast<int>(random() % 2)}, {"focus", 1}};
    Scenario two = scenario;
    two.rounds.pop_back();
    two.attacks.pop_back();
    const Advice late = advice_at(scenario, 2), early = advice_at(two, 1);
    CHECK(late.value == Approx(early.value));
    REQUIRE(late.plays.size() == early.plays.size());
    for (std::size_t p = 0; p < late.plays.size(); ++p) CHECK(late.plays[p].play == early.plays[p].play);
    // The same with the tokens reported explicitly.
    Told reported;
    for (const auto& [name, ship] : scenario.ships) reported[name].tokens = ship.tokens;
    CHECK(advice_at(scenario, 2, reported).value == Approx(early.value));
  }
}

TEST_CASE("a number of rounds equals the same rounds written out", "[rounds]") {
  const std::string attack = "by = \"red\"\non = \"blue\"\n";
  const Scenario repeated = parse_scenario(std::string("rounds = 3\n") + kShips + "[[attacks]]\n" + attack, "a.toml");
  std::string text = kShips;
  for (int r = 0; r < 3; ++r)
    text += fmt::format("[[rounds]]\n{}[[rounds.attacks]]\n{}", r > 0 ? "again = true\n" : "", attack);
  const Scenario listed = parse_scenario(text, "b.toml");
  const Report a = answered(repeated), b = answered(listed);
  CHECK(to_json(a) == to_json(b));
  Scenario once = parse_scenario(kShips + std::string("[[attacks]]\n") + attack, "c.toml");
  AnswerOptions options;
  options.engine = EngineChoice::Exact;
  options.overrides.rounds = 3;
  CHECK(to_json(answer(catalogue(), once, options)) == to_json(a));
  // A single round equals the attacks alone.
  options.overrides.rounds = 1;
  CHECK(to_json(answer(catalogue(), once, options)) == to_json(answered(once)));
  CHECK(answered(once).rounds.empty());
}

TEST_CASE("durability counts the rounds of a scenario, and repeats the last", "[rounds]") {
  Scenario scenario = parse_scenario(std::string(kShips) +
                                         "[[rounds]]\n[[rounds.attacks]]\nby = \"red\"\non = \"blue\"\n"
                                         "[[rounds]]\nagain = true\n[[rounds.attacks]]\nby = \"red\"\non = \"blue\"\n"
                                         "[[rounds.attacks]]\nby = \"red\"\non = \"blue\"\nrange = 1\n",
                                     "rounds.toml");
  const auto study = study::durability(catalogue(), scenario, {});
  REQUIRE(study.rows.size() == 1);
  REQUIRE(study.rows[0].rounds);
  const auto& rounds = *study.rows[0].rounds;
  CHECK(study.shots_per_round == 2);
  // The same rounds, written out three times and played by run.
  for (int r = 2; r < 4; ++r) {
    scenario.rounds.push_back(scenario.rounds.back());
    for (std::size_t k : {1u, 2u}) {
      ScenarioAttack attack = scenario.attacks[k];
      attack.round = r;
      scenario.attacks.push_back(attack);
    }
  }
  scenario.attacker_policy = scenario.defender_policy = "greedy";
  scenario.objective = "damage";
  const Report found = answered(scenario);
  for (std::size_t r = 0; r < found.rounds.size(); ++r)
    CHECK(rounds.cdf.at(r + 1) == Approx(ship(found.rounds[r], "blue").destroyed.value).margin(1e-12));
  CHECK(study.rows[0].shots.cdf.at(3) == Approx(rounds.cdf.at(2)));
  double sum = 0;  // E[N] = sum of P(N > n)
  for (const double p : rounds.cdf) sum += 1 - p;
  CHECK(rounds.mean == Approx(sum).epsilon(1e-7));
}

TEST_CASE("invalid rounds are refused with their place", "[rounds]") {
  const std::string ships = kShips, attack = "by = \"red\"\non = \"blue\"\n",
                    round = "[[rounds]]\n[[rounds.attacks]]\n";
  CHECK_THAT(refused(ships + "[[attacks]]\n" + attack + round + attack), Contains("attacks belong to the rounds"));
  CHECK_THAT(refused("rounds = 0\n" + ships + "[[attacks]]\n" + attack), Contains("rounds"));
  CHECK_THAT(refused(ships + "[[rounds]]\nagain = true\n[[rounds.attacks]]\n" + attack), Contains("first round"));
  CHECK_THAT(refused(ships + "[[rounds]]\ntokens = { green = { focus = 1 } }\n[[rounds.attacks]]\n" + attack),
             Contains("green"));
  CHECK_THAT(refused(ships + "[[rounds]]\ntokens = { red = { focsu = 1 } }\n[[rounds.attacks]]\n" + attack),
             Contains("rounds[0].tokens.red.focsu") && Contains("focus"));
  CHECK_THAT(refused(ships + "[[rounds]]\ntokens = { red = { lock = [\"red\"] } }\n[[rounds.attacks]]\n" + attack),
             Contains("lock on itself"));
  CHECK_THAT(refused(ships + round + attack + round + "by = \"red\"\non = \"green\"\n"),
             Contains("rounds[1].attacks[0].on"));
  CHECK_THAT(refused(ships + "[[rounds]]\n"), Contains("attacks"));
  CHECK_THAT(
      refused(ships + round + attack + "[[rounds]]\ntokens = { red = { disarm = 1 } }\n[[rounds.attacks]]\n" + attack),
      Contains("rounds[1].attacks[0].by") && Contains("disarm"));
  // A token that the End Phase removes does not affect later rounds.
  CHECK(refused(ships + "[[rounds]]\ntokens = { blue = { disarm = 1 } }\n[[rounds.attacks]]\n" + attack + round +
                "by = \"blue\"\non = \"red\"\n") == "");
}

TEST_CASE("both engines agree on every card over two rounds", "[rounds][.long]") {
  int played = 0;
  for (const nlohmann::json& one : tests::read_cases("cards.jsonl")) {
    Scenario scenario = parse_scenario(one.at("with").dump(), one.at("card").get<std::string>());
    if (scenario.rounds.empty()) repeat_attacks(scenario, 2);  // some cases have rounds already
    AnswerOptions options;
    options.engine = EngineChoice::Both;
    options.trials = 20'000;
    try {
      const Report found = answer(battles::catalogue(), scenario, options);
      INFO(one.at("card"));
      CHECK(found.cross_check->agree);
      ++played;
    } catch (const PlanTooLarge&) {  // damage decks from which attacks of both rounds draw
      CHECK(scenario.damage_deck != kNoDeck);
    } catch (const LoadError&) {  // two rounds could deal more cards than the deck has
      CHECK(scenario.damage_deck != kNoDeck);
    }
  }
  CHECK(played > 900);
}
