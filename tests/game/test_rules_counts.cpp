// Counts of rolls and of distinct positions at each step, for small plans. The expected numbers are combinatorial; C(n,
// k) is the number of ways to choose k of n. A pool of n dice with f faces is one of C(n + f - 1, f - 1).
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>

#include "exact/graph/graph.h"
#include "support/rules_table.h"

using namespace salvo;
using game::NextEvent;
using table::duel;

namespace {

int choose(int n, int k) {
  if (k < 0 || k > n) return 0;
  double out = 1;
  for (int i = 0; i < k; ++i) out = out * (n - i) / (i + 1);
  return static_cast<int>(std::lround(out));
}

double factorial(int n) { return n <= 1 ? 1.0 : n * factorial(n - 1); }

/// n! / (k1! k2! ...) s1^k1 s2^k2 ... / sides^n: all integers far below 2^53, so this is exact.
double multinomial(const game::Die& die, int n, game::Pool pool) {
  double ways = factorial(n);
  for (int face = 0; face < die.faces; ++face) {
    ways /= factorial(pool.count(face));
    ways *= std::pow(die.sides_of_face[static_cast<std::size_t>(face)], pool.count(face));
  }
  return ways / std::pow(die.sides, n);
}

void check_rolls(const game::Die& die, const std::vector<std::size_t>& classes) {
  for (int n = 0; n < static_cast<int>(classes.size()); ++n) {
    const auto outcomes = exact::roll_outcomes(die, n);
    CAPTURE(n);
    CHECK(outcomes.size() == classes[static_cast<std::size_t>(n)]);
    std::set<std::uint64_t> pools;
    double sum = 0;
    for (const exact::RollOutcome& outcome : outcomes) {
      CHECK(outcome.pool.size() == n);
      CHECK(outcome.pool == outcome.pool.unmarked());
      CHECK(outcome.probability == multinomial(die, n, outcome.pool));
      pools.insert(outcome.pool.bits());
      sum += outcome.probability;
    }
    CHECK(pools.size() == outcomes.size());
    CHECK(sum == 1.0);  // multiples of 8^-6: no rounding
  }
}

/// The number of distinct positions by the next event they wait for.
struct Counts {
  std::size_t attacker_decisions = 0, rerolls = 0, defense_rolls = 0, defender_decisions = 0, ends = 0;
  bool operator==(const Counts&) const = default;
};

/// Visits every position of the first attack of a plan.
class Walk {
 public:
  explicit Walk(const game::Plan& plan) : plan_(plan), attack_(plan.attacks[0]) {
    visit(game::begin_attack(plan, attack_, plan.start));
  }
  Counts counts;

 private:
  void visit(salvo::game::Position p) {
    const NextEvent event = game::advance(plan_, attack_, p);
    if (!seen_
             .insert(
                 {p.resources.words, p.attack_pool.bits(), p.defense_pool.bits(), p.step, p.pending, p.hits, p.crits})
             .second)
      return;
    switch (event) {
      case NextEvent::Decision:
        return decide(p);
      case NextEvent::AttackRoll:
        return roll(p, plan_.attack_die);
      case NextEvent::DefenseRoll:
        ++counts.defense_rolls;
        return roll(p, plan_.defense_die);
      case NextEvent::Reroll:
        ++counts.rerolls;
        for (int face = 0; face < plan_.attack_die.faces; ++face) visit(game::after_reroll(p, face));
        return;
      case NextEvent::Draw:
        throw std::logic_error("these plans have no damage deck");
      case NextEvent::Finished:
        ++counts.ends;
    }
  }
  void decide(const salvo::game::Position& p) {
    ++(attack_.steps[p.step].attacker_decides ? counts.attacker_decisions : counts.defender_decisions);
    std::vector<game::Option> options;
    game::legal_options(plan_, attack_, p, options);
    for (const salvo::game::Option& option : options) visit(game::take(plan_, attack_, p, option));
  }
  void roll(const salvo::game::Position& p, const game::Die& die) {
    for (const auto& outcome : exact::roll_outcomes(die, game::roll_size(p)))
      visit(game::after_roll(attack_, p, outcome.pool));
  }

  const game::Plan& plan_;
  const salvo::game::AttackPlan& attack_;
  std::set<std::tuple<std::array<std::uint64_t, 2>, std::uint64_t, std::uint64_t, int, int, int, int>> seen_;
};

Counts count(const Scenario& scenario) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), scenario);
  return Walk(question.plan).counts;
}

std::size_t number(int n) { return static_cast<std::size_t>(n); }

void check(const Counts& got, const Counts& want) {
  CHECK(got.attacker_decisions == want.attacker_decisions);
  CHECK(got.rerolls == want.rerolls);
  CHECK(got.defense_rolls == want.defense_rolls);
  CHECK(got.defender_decisions == want.defender_decisions);
  CHECK(got.ends == want.ends);
}

}  // namespace

TEST_CASE("rolls of 0 to 6 dice fall into C(n+3,3) or C(n+2,2) classes of exact probability", "[rules][exact]") {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), duel(1, 1));
  check_rolls(question.plan.attack_die, {1, 4, 10, 20, 35, 56, 84});
  check_rolls(question.plan.defense_die, {1, 3, 6, 10, 15, 21, 28});
}

TEST_CASE("positions: without tokens", "[rules]") {
  // n attack dice: C(n+3,3) pools wait for the defense roll. Every h + c <= n can be left over: C(n+2,2).
  for (int n = 0; n <= 6; ++n) {
    for (const int agility : {0, 2}) {
      CAPTURE(n, agility);
      check(count(duel(n, agility)), {0, 0, number(choose(n + 3, 3)), 0, number(choose(n + 2, 2))});
    }
  }
}

TEST_CASE("positions: a focus token", "[rules]") {
  // Decisions: pools with a focus result, C(n+3,3) less the C(n+2,2) pools of the other three faces. Defense rolls: all
  // pools with the token; without it pools of hit, crit, blank with at least one hit: C(n+1,2). Ends likewise: all
  // h + c <= n with the token, those with h >= 1 without it: C(n+1,2).
  for (int n = 1; n <= 6; ++n) {
    CAPTURE(n);
    check(count(duel(n, 0, {{"focus", 1}})),
          {number(choose(n + 3, 3) - choose(n + 2, 2)), 0, number(choose(n + 3, 3) + choose(n + 1, 2)), 0,
           number(choose(n + 2, 2) + choose(n + 1, 2))});
  }
}

TEST_CASE("positions: a lock", "[rules]") {
  // Decisions: every pool. Dice in the hand: r >= 1 picked up, the other n - r of 4 faces with or without mark:
  // sum over r of C(n-r+7,7) = C(n+7,8). Then all pools of 8 kinds, the unmarked ones still with the lock: C(n+7,7);
  // 1,716 for six dice. Ends: all h + c <= n with the lock and without it.
  for (int n = 1; n <= 6; ++n) {
    CAPTURE(n);
    check(count(duel(n, 0, {}, {}, true)), {number(choose(n + 3, 3)), number(choose(n + 7, 8)),
                                            number(choose(n + 7, 7)), 0, number(2 * choose(n + 2, 2))});
  }
  CHECK(count(duel(6, 0, {}, {}, true)).defense_rolls == 1716);
}

TEST_CASE("positions: a lock and a focus token", "[rules]") {
  // Decisions: with both, every pool, C(n+3,3). With the lock alone (focus spent first): hit, crit, blank with a hit,
  // C(n+1,2). With the focus token alone: marked pools with a focus result: of 8 kinds without the unmarked,
  // C(n+7,7) - C(n+3,3), less those of the other 6 kinds, C(n+5,5) - C(n+2,2).
  for (int n = 1; n <= 4; ++n) {
    const int with_focus = choose(n + 7, 7) - choose(n + 3, 3) - (choose(n + 5, 5) - choose(n + 2, 2));
    CAPTURE(n);
    CHECK(count(duel(n, 0, {{"focus", 1}}, {}, true)).attacker_decisions ==
          number(choose(n + 3, 3) + choose(n + 1, 2) + with_focus));
  }
}

TEST_CASE("positions: a defender with focus and evade tokens", "[rules]") {
  // m defense dice, for each of the C(n+3,3) attack pools. Decisions with both tokens: any focus or blank,
  // C(m+2,2) - 1; with the focus token alone: an evade and a focus result, C(m,2); with the evade token alone: an evade
  // result, no focus result and a blank, m - 1.
  // Ends for n, m >= 2: all h + c <= n with both tokens, <= n - 1 with either, <= n - 2 with none.
  for (int n = 2; n <= 4; ++n) {
    for (int m = 2; m <= 4; ++m) {
      CAPTURE(n, m);
      check(count(duel(n, m, {}, {{"focus", 1}, {"evade", 1}})),
            {0, 0, number(choose(n + 3, 3)), number(choose(n + 3, 3) * (choose(m + 2, 2) - 1 + choose(m, 2) + m - 1)),
             number(choose(n + 2, 2) + 2 * choose(n + 1, 2) + choose(n, 2))});
    }
  }
}
