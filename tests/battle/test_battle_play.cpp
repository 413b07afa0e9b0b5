// Solved play merges what plays the same and nothing else: sizes of graphs, brute force over the dice, the exact chain.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "battle/optimal.h"
#include "battle/play_graph.h"
#include "salvo/salvo.h"
#include "support/battles.h"
#include "support/closed_forms.h"

using namespace salvo;
using Catch::Detail::Approx;

namespace {

using battles::catalogue, battles::exactly, battles::kBudget, battles::question, battles::ship;

double worth(const BattleReport& report) { return report.win.value + report.draw.value / 2; }

/// One ship against two that are equal as they begin: which to shoot at is the only decision. I fire first; no ship has
/// tokens.
class TwoTargets {
 public:
  int dice = 3, my_hull = 4, his_dice = 2, his_agility = 1, his_hull = 2, rounds = 3;

  double value() { return from(0, my_hull, {his_hull, his_hull}); }

 private:
  using Hulls = std::array<int, 2>;

  double from(int round, int me, Hulls him) {
    if (me == 0 || him == Hulls{0, 0}) return me > 0 ? 1 : him == Hulls{0, 0} ? 0.5 : 0;
    if (round == rounds) return by_points(me, him);
    const auto [place, added] = known_.try_emplace({round, me, him[0], him[1]});
    if (!added) return place->second;
    double best = 0;
    for (std::size_t target = 0; target < him.size(); ++target) {
      if (him[target] == 0) continue;
      const std::vector<double> hit = tests::damage(dice, his_agility);
      double sum = 0;
      for (std::size_t d = 0; d < hit.size(); ++d) {
        Hulls left = him;
        left[target] = std::max(0, left[target] - static_cast<int>(d));
        sum += hit[d] * answered(round, me, left, 0);
      }
      best = std::max(best, sum);
    }
    return known_[{round, me, him[0], him[1]}] = best;
  }

  /// The opponent's ships fire, the one after the other.
  double answered(int round, int me, Hulls him, std::size_t ship) {
    if (ship == him.size()) return from(round + 1, me, him);
    if (him[ship] == 0) return answered(round, me, him, ship + 1);
    const std::vector<double> hit = tests::damage(his_dice, 0);
    double out = 0;
    for (std::size_t d = 0; d < hit.size(); ++d)
      out += hit[d] * answered(round, std::max(0, me - static_cast<int>(d)), him, ship + 1);
    return out;
  }

  /// Each ship is worth 10 points, half of them once it has lost half.
  double by_points(int me, Hulls him) const {
    const auto lost = [](int left, int full) { return left == 0 ? 10 : 2 * left <= full ? 5 : 0; };
    const int mine = lost(him[0], his_hull) + lost(him[1], his_hull), his = lost(me, my_hull);
    return mine > his ? 1 : mine < his ? 0 : 0.5;
  }

  std::map<std::array<int, 4>, double> known_;
};

}  // namespace

TEST_CASE("Positions are one where no ship can use its tokens", "[battle]") {
  BattleQuestion asked;
  asked.mine = asked.theirs = battle_side(catalogue(), {"pilot=academypilot"}, "", "");
  asked.my_policy = asked.their_policy = BattlePolicy::Optimal;
  const auto sizes = [&](const std::string& arc) {
    asked.flight_text =
        "format = 1\nid = \"arcs\"\n[[round]]\nship = [{ is = \"any\", no_action = 0 }]\n"
        "shot = [{ by = \"any\", on = \"any\", arc = " +
        arc + " }]\n";
    const battle::Game game(catalogue(), asked, kBudget);
    const battle::PlayGraph graph(game, {1e6, kBudget});
    std::vector<std::size_t> out;
    for (const battle::PlayGraph::Layer& layer : graph.layers()) out.push_back(layer.points.size());
    return out;
  };
  const std::vector<std::size_t> apart = sizes("0"), together = sizes("100");
  // The player who goes first is drawn, and decides about other ships.
  CHECK(apart == std::vector<std::size_t>{2, 2, 2, 2});
  CHECK(together.back() > 10);
}

TEST_CASE("Attacks at ranges with the same dice are one", "[battle]") {
  const auto attacks = [](const std::string& pair) {
    BattleQuestion asked = question({ship("a", 3, 1, 2, 5)}, {ship("b", 2, 2, 2, 3)});
    asked.my_policy = asked.their_policy = BattlePolicy::Optimal;
    asked.flight_text =
        "format = 1\nid = \"ranges\"\n[[round]]\nship = [{ is = \"any\", no_action = 100 }]\n"
        "pair = [{ of = [\"any\", \"any\"], " +
        pair + " }]\n";
    const battle::Game game(catalogue(), asked, kBudget);
    return battle::PlayGraph(game, {1e6, kBudget}).layers()[2].attacks.size();
  };
  const std::size_t one = attacks("range = { 2 = 100 }");
  CHECK(attacks("range = { 2 = 100 }, obstructed = 50") == 2 * one);
  // The obstacle at range 2 and the distance of range 3 give the defender one die each.
  CHECK(attacks("range = { 2 = 50, 3 = 50 }, obstructed = 50") == 3 * one);
}

TEST_CASE("Of two equal targets, the one that is damaged is told apart", "[battle]") {
  for (const int dice : {1, 2, 3}) {
    TwoTargets duel;
    duel.dice = dice;
    BattleQuestion asked = question({ship("a", duel.dice, 0, duel.my_hull, 5)},
                                    {ship("b", duel.his_dice, duel.his_agility, duel.his_hull, 3),
                                     ship("c", duel.his_dice, duel.his_agility, duel.his_hull, 3)},
                                    duel.rounds);
    asked.my_policy = BattlePolicy::Optimal;
    CHECK(worth(exactly(asked)) == Approx(duel.value()).margin(1e-12));
  }
}

TEST_CASE("Of two equal ships, the one with a lock or damage plays as in the exact chain", "[battle]") {
  BattleQuestion asked = question({}, {ship("b", 3, 2, 4, 3)}, 3);
  asked.mine = battle_side(catalogue(), {"pilot=greensquadronpilot x2"}, "", "");
  asked.their_target_order = {asked.mine.ships[1].name};  // no decision is left
  asked.flight_text =
      "format = 1\nid = \"wild\"\n[[round]]\n"
      "ship = [{ is = \"mine\", no_action = 30 }, { is = \"theirs\", no_action = 100 }]\n"
      "shot = [{ by = \"any\", on = \"any\", arc = 70 }]\n";
  const BattleReport given = exactly(asked);
  asked.their_policy = BattlePolicy::Optimal;
  const BattleReport solved = exactly(asked);
  CHECK(solved.win.value == Approx(given.win.value).margin(1e-12));
  CHECK(solved.draw.value == Approx(given.draw.value).margin(1e-12));
  REQUIRE(solved.ships.size() == given.ships.size());
  for (std::size_t s = 0; s < given.ships.size(); ++s) {
    CHECK(solved.ships[s].shots.value == Approx(given.ships[s].shots.value).epsilon(1e-12));
    CHECK(solved.ships[s].damage_taken.value == Approx(given.ships[s].damage_taken.value).epsilon(1e-12));
    CHECK(solved.ships[s].points_earned.value == Approx(given.ships[s].points_earned.value).epsilon(1e-12));
    CHECK(solved.ships[s].survives.value == Approx(given.ships[s].survives.value).epsilon(1e-12));
  }
}

namespace {

/// An X-wing against two TIEs in a flight with these ranges.
BattleQuestion wild(const std::string& ranges) {
  BattleQuestion out = question({}, {}, 4);
  out.mine = battle_side(catalogue(), {"pilot=redsquadronveteran"}, "", "");
  out.theirs = battle_side(catalogue(), {"pilot=academypilot x2"}, "", "");
  out.flight_text =
      "format = 1\nid = \"wild\"\n[[round]]\nship = [{ is = \"any\", no_action = 30 }]\n"
      "shot = [{ by = \"any\", on = \"any\", arc = 70 }]\npair = [{ of = [\"any\", \"any\"], range = { " +
      ranges + " } }]\n";
  out.my_policy = out.their_policy = BattlePolicy::Optimal;
  return out;
}

}  // namespace

TEST_CASE("Policies in the graph of optimal play do as in the exact chain, at the same work", "[battle]") {
  // At range 0 no weapon can be used, but policies count the target of an enemy.
  const std::string ranges = GENERATE("1 = 40, 3 = 60", "0 = 40, 1 = 60");
  const BattleQuestion best = wild(ranges);
  const battle::Game solved(catalogue(), best, kBudget);
  const battle::PlayBudget budget{1e7, kBudget};
  const double work = battle::play_equilibrium(solved, nullptr, budget, 1).work;
  for (const BattlePolicy policy :
       {BattlePolicy::Greedy, BattlePolicy::FocusFire, BattlePolicy::LikeliestKill, BattlePolicy::Value}) {
    BattleQuestion asked = best;
    asked.my_policy = asked.their_policy = policy;
    const battle::Game game(catalogue(), asked, kBudget, battle::sharing(solved.shared_tables()));
    const battle::ExactBattle chain = battle::play_exactly(game, {1e8, 1e12});
    const battle::ExactBattle found = battle::play_equilibrium(solved, &game, budget, 1);
    CHECK(found.work == work);
    CHECK(found.win == Approx(chain.win).margin(1e-12));
    CHECK(found.draw == Approx(chain.draw).margin(1e-12));
    for (std::size_t s = 0; s < 3; ++s) {
      CHECK(found.shots[s] == Approx(chain.shots[s]).margin(1e-12));
      CHECK(found.done[s] == Approx(chain.done[s]).margin(1e-12));
      CHECK(found.survives[s] == Approx(chain.survives[s]).margin(1e-12));
    }
  }
}

TEST_CASE("Solving a battle that is too large is given up early, one that fits is solved", "[battle]") {
  BattleQuestion asked = wild("1 = 40, 3 = 60");
  const auto among = GENERATE(table<std::string, std::string, int>({
      {"pilot=redsquadronveteran", "pilot=academypilot x2", 12},
      {"pilot=redsquadronveteran", "pilot=academypilot", 100},
      {"pilot=greensquadronpilot", "pilot=greensquadronpilot protontorpedoes", 12},
      {"ship=t65xwing force=1 initiative=3", "pilot=academypilot", 12},
  }));
  asked.mine = battle_side(catalogue(), {std::get<0>(among)}, "", "");
  asked.theirs = battle_side(catalogue(), {std::get<1>(among)}, "", "");
  asked.rounds = std::get<2>(among);
  const battle::Game game(catalogue(), asked, kBudget);
  const auto work_within = [&](double limit) { return battle::PlayGraph(game, {1e7, kBudget, limit}).work(); };
  const double work = work_within(HUGE_VAL);
  CHECK(work_within(work) == work);
  try {
    work_within(work / 8);
    FAIL("it takes eight times as much");
  } catch (const PlanTooLarge& error) {
    CHECK(error.found < work);
    if (asked.mine.ships.size() + asked.theirs.ships.size() > 2) CHECK(error.found > work / 8 * 1.1);  // foreseen
  }
}
