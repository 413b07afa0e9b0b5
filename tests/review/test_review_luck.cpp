// Luck of one attack: closed forms for one and two dice, and attacks that the test rolls and plays by the rules of the
// game.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "salvo/load.h"
#include "salvo/luck.h"
#include "support/differential.h"

using namespace salvo;

namespace {

constexpr double kExact = 1e-9;

Approx exactly(double x) { return Approx(x).margin(1e-12).epsilon(1e-12); }

Luck luck_of(const std::string& attack, const std::string& defend, const PlayedAttack& spec,
             const std::string& objective = "damage", const std::string& deck = "none") {
  Scenario scenario = scenario_from_specs(differential::catalogue(), {attack}, defend);
  scenario.objective = objective;
  scenario.damage_deck = deck;
  return luck(differential::catalogue(), scenario, spec);
}

const LuckPart& part(const Luck& luck, ChanceKind kind) { return luck.parts.at(static_cast<std::size_t>(kind)); }

void require_sum(const Luck& luck) {
  Amount luck_sum, skill_sum;
  for (const LuckPart& one : luck.parts) {
    luck_sum.damage += one.luck.damage;
    luck_sum.value += one.luck.value;
  }
  for (const DecisionMade& one : luck.decisions) {
    skill_sum.damage += one.change.damage;
    skill_sum.value += one.change.value;
  }
  CHECK(std::abs(luck.expected.damage + luck_sum.damage + skill_sum.damage - luck.result.damage) < kExact);
  CHECK(std::abs(luck.expected.value + luck_sum.value + skill_sum.value - luck.result.value) < kExact);
  CHECK(std::abs(luck_sum.value - luck.luck.value) < kExact);
  CHECK(std::abs(skill_sum.value - luck.skill.value) < kExact);
}

}  // namespace

TEST_CASE("Luck of one die against none", "[review]") {
  // Four of eight sides hit.
  for (const auto& [face, damage] : std::map<std::string, int>{{"hit", 1}, {"crit", 1}, {"focus", 0}, {"blank", 0}}) {
    const Luck luck = luck_of("1", "0", {.point = {.rolled = face}});
    CHECK(luck.expected.damage == exactly(0.5));
    CHECK(luck.result.damage == damage);
    CHECK(part(luck, ChanceKind::AttackRoll).luck.damage == exactly(damage - 0.5));
    CHECK(luck.at_least == exactly(damage == 1 ? 0.5 : 1));
    CHECK(luck.at_most == exactly(damage == 1 ? 1 : 0.5));
    require_sum(luck);
  }
}

TEST_CASE("Luck of attack and defense dice apart", "[review]") {
  // A hit in 4 of 8, an evade in 3 of 8: expected 1/2 * 5/8.
  const Luck hit = luck_of("1", "1", {.point = {.rolled = "hit", .defense_rolled = "blank"}});
  CHECK(hit.expected.damage == exactly(5.0 / 16));
  CHECK(part(hit, ChanceKind::AttackRoll).luck.damage == exactly(5.0 / 8 - 5.0 / 16));
  CHECK(part(hit, ChanceKind::DefenseRoll).luck.damage == exactly(1 - 5.0 / 8));
  const Luck evaded = luck_of("1", "1", {.point = {.rolled = "hit", .defense_rolled = "evade"}});
  CHECK(part(evaded, ChanceKind::DefenseRoll).luck.damage == exactly(-5.0 / 8));
  CHECK(evaded.luck.damage == exactly(-5.0 / 16));
  CHECK(evaded.filled_in.empty());
}

TEST_CASE("Unreported dice are averaged over the rolls that fit", "[review]") {
  const Luck one = luck_of("1", "1", {.point = {}, .damage = 1});
  CHECK(part(one, ChanceKind::AttackRoll).luck.damage == exactly(5.0 / 16));
  CHECK(part(one, ChanceKind::DefenseRoll).luck.damage == exactly(3.0 / 8));
  CHECK(one.likelihood == exactly(5.0 / 16));
  CHECK(one.filled_in.size() == 2);
  // No damage has probability 11/16: 1/2 for no hit, 3/16 for an evaded hit.
  const Luck none = luck_of("1", "1", {.point = {}, .damage = 0});
  const double hit = 3.0 / 11;
  CHECK(part(none, ChanceKind::AttackRoll).luck.damage == exactly(hit * 5 / 16 - (1 - hit) * 5 / 16));
  CHECK(part(none, ChanceKind::DefenseRoll).luck.damage == exactly(-hit * 5 / 8));
  CHECK(none.at_most == exactly(11.0 / 16));
  require_sum(none);
}

TEST_CASE("An unspent token is not bad luck", "[review]") {
  // With the focus, 6 of 8 faces hit.
  const Luck unspent = luck_of("1 focus", "0", {.point = {.rolled = "focus", .spent = ""}});
  CHECK(unspent.expected.damage == exactly(0.75));
  CHECK(unspent.luck.damage == exactly(0.25));
  CHECK(unspent.skill.damage == exactly(-1));
  REQUIRE(unspent.decisions.size() == 1);
  CHECK(unspent.decisions[0].play == "spend nothing");
  CHECK(unspent.decisions[0].better == "spend focus");
  CHECK(unspent.decisions[0].loss == exactly(1));
  CHECK(unspent.decisions[0].observed);
  const Luck spent = luck_of("1 focus", "0", {.point = {.rolled = "focus", .spent = "focus"}});
  CHECK(spent.skill.damage == 0);
  CHECK(spent.result.damage == 1);
  // An unreported play is optimal unless that is impossible.
  const Luck silent = luck_of("1 focus", "0", {.point = {.rolled = "focus"}});
  CHECK(silent.result.damage == 1);
  CHECK(!silent.decisions.at(0).observed);
  const Luck must = luck_of("1 focus", "0", {.point = {.rolled = "focus"}, .damage = 0});
  CHECK(must.skill.damage == exactly(-1));
  const Luck blank = luck_of("1 focus", "0", {.point = {}, .damage = 0});
  CHECK(blank.skill.damage == exactly(0));
  CHECK(blank.luck.damage == exactly(-0.75));
}

TEST_CASE("Rerolls have their own luck", "[review]") {
  // A hit, or a reroll that hits: 1/2 + 1/2 * 1/2.
  const Luck luck = luck_of("1 lock", "0", {.point = {.rolled = "blank", .rerolled = "blank=crit", .spent = "lock"}});
  CHECK(luck.expected.damage == exactly(0.75));
  CHECK(part(luck, ChanceKind::AttackRoll).luck.damage == exactly(-0.25));
  CHECK(part(luck, ChanceKind::AttackRerolls).luck.damage == exactly(0.5));
  CHECK(luck.skill.damage == 0);
  // Rerolling a hit loses half of it, whatever the result.
  const Luck wrong = luck_of("1 lock", "0", {.point = {.rolled = "hit", .rerolled = "hit=hit", .spent = "lock"}});
  CHECK(wrong.skill.damage == exactly(-0.5));
  CHECK(part(wrong, ChanceKind::AttackRerolls).luck.damage == exactly(0.5));
  CHECK(wrong.result.damage == 1);
  // The reroll was not reported, but its damage was.
  const Luck hidden = luck_of("1 lock", "0", {.point = {.rolled = "blank", .spent = "lock"}, .damage = 0});
  CHECK(part(hidden, ChanceKind::AttackRerolls).luck.damage == exactly(-0.5));
}

TEST_CASE("Luck in the objective", "[review]") {
  // Two hull, one damage before: a hit destroys. 1 - 1/4 that two dice hit at least once.
  const Luck luck = luck_of("2", "0 hull=2", {.point = {.rolled = "hit crit", .damage = {{"d", 1}}}}, "kill");
  CHECK(luck.expected.damage == exactly(1));
  CHECK(luck.expected.value == exactly(0.75));
  CHECK(luck.luck.damage == exactly(1));
  CHECK(luck.luck.value == exactly(0.25));
  CHECK(luck.destroyed == exactly(0.75));
  CHECK(luck.result.value == exactly(1));
}

TEST_CASE("Luck refuses impossible reports", "[review]") {
  const auto wrong = [](const PlayedAttack& spec, const std::string& member, const std::string& words) {
    CAPTURE(member, words);
    try {
      luck_of("2 focus", "1 hull=3", spec);
      FAIL("not refused");
    } catch (const DecisionError& error) {
      CHECK(error.path == member);
      CHECK_THAT(error.what(), Catch::Matchers::Contains(words));
    }
  };
  wrong({.point = {.rolled = "hit"}}, "rolled", "2 attack dice");
  wrong({.point = {.rolled = "hit evade"}}, "rolled", "no face 'evade'");
  wrong({.point = {.rolled = "hit hit"}, .damage = 3}, "damage", "which gives 1, 2");
  wrong({.point = {.rolled = "hit hit"}}, "damage", "(1, 2)");
  wrong({.point = {.rolled = "hit hit", .spent = "focus"}}, "spent", "cannot be spent");
  wrong({.point = {.damage = {{"d", 3}}}, .damage = 0}, "damaged", "destroys");
  wrong({.point = {.damage = {{"x", 1}}}, .damage = 0}, "damaged", "ship");
}

namespace {

/// A game of dice by the rules: faces 0 blank, 1 focus, 2 hit or evade, 3 crit.
class Table {
 public:
  explicit Table(unsigned seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int attack_die() { return std::array{0, 0, 1, 1, 2, 2, 2, 3}[static_cast<std::size_t>(below(8))]; }
  int defense_die() { return std::array{0, 0, 0, 1, 1, 2, 2, 2}[static_cast<std::size_t>(below(8))]; }

 private:
  std::mt19937 random_;
};

const char* name_of(int face, bool attack) {
  return std::array{"blank", "focus", attack ? "hit" : "evade", "crit"}[static_cast<std::size_t>(face)];
}

std::string names_of(const std::vector<int>& dice, bool attack) {
  std::string out;
  for (const int die : dice) out += std::string(out.empty() ? "" : " ") + name_of(die, attack);
  return out;
}

int count(const std::vector<int>& dice, int face) {
  return static_cast<int>(std::count(dice.begin(), dice.end(), face));
}

/// One attack, played at random and partly reported.
void play_one(Table& table) {
  const int attack = 1 + table.below(4), agility = table.below(4);
  const bool focus = table.below(2) == 0, lock = table.below(2) == 0, defends = table.below(2) == 0,
             evade = table.below(2) == 0;
  PlayedAttack spec;
  std::vector<int> dice(static_cast<std::size_t>(attack)), defense(static_cast<std::size_t>(agility));
  for (int& die : dice) die = table.attack_die();
  spec.point.rolled = names_of(dice, true);
  std::string spent;
  if (lock && table.below(2) == 0) {
    std::string again;
    for (int& die : dice) {
      if (table.below(2) == 0) continue;
      const int after = table.attack_die();
      again += fmt::format("{}={} ", name_of(die, true), name_of(after, true));
      die = after;
    }
    if (!again.empty()) {
      spent = "lock ";
      spec.point.rerolled = again;
    }
  }
  int hits = count(dice, 2);
  const int crits = count(dice, 3);
  if (focus && count(dice, 1) > 0 && table.below(2) == 0) {
    spent += "focus";
    hits += count(dice, 1);
  }
  spec.point.spent = spent;
  for (int& die : defense) die = table.defense_die();
  spec.point.defense_rolled = names_of(defense, false);
  int evades = count(defense, 2);
  spent.clear();
  if (defends && count(defense, 1) > 0 && table.below(2) == 0) {
    spent = "focus ";
    evades += count(defense, 1);
  }
  if (evade && agility > 0 && evades < agility && count(defense, 2) < agility && table.below(2) == 0) {
    // An evade token changes a blank or focus result; after the focus token only a blank is left.
    spent += "evade";
    evades += 1;
  }
  spec.point.defense_spent = spent;
  const int damage = std::max(0, hits + crits - evades);
  switch (table.below(4)) {
    case 0:
      spec.damage = damage;
      break;
    case 1:
      spec.damage = damage;
      spec.point.defense_rolled.reset();
      spec.point.defense_spent.reset();
      break;
    default:
      break;
  }
  const std::string attacker = fmt::format("{}{}{}", attack, focus ? " focus" : "", lock ? " lock" : "");
  const std::string defender = fmt::format("{} hull=3{}{}", agility, defends ? " focus" : "", evade ? " evade" : "");
  CAPTURE(attacker, defender, *spec.point.rolled, spec.point.rerolled.value_or("-"), *spec.point.spent,
          spec.point.defense_rolled.value_or("-"), spec.point.defense_spent.value_or("-"), damage);
  for (const char* objective : {"damage", "kill"}) {
    const Luck luck = luck_of(attacker, defender, spec, objective);
    require_sum(luck);
    CHECK(luck.result.damage == exactly(damage));
    CHECK(luck.result.value == exactly(std::string(objective) == "damage" ? damage : damage >= 3 ? 1 : 0));
    for (const DecisionMade& made : luck.decisions) {
      CHECK((made.role == Role::Attacker ? made.change.value : -made.change.value) <=
            kExact);  // no decision gains value
    }
    double mean = 0;
    for (std::size_t k = 0; k < luck.pmf.size(); ++k) mean += static_cast<double>(k) * luck.pmf[k];
    CHECK(mean == exactly(luck.expected.damage));
  }
}

}  // namespace

TEST_CASE("Expectation, luck and skill add up to the result of random attacks", "[review]") {
  Table table(20261122);
  for (int i = 0; i < 400; ++i) play_one(table);
}

TEST_CASE("Damage cards have their own luck", "[review]") {
  // One crit on a ship with two hull: about 5 of 33 cards of the core deck deal one more damage.
  const Luck plain = luck_of("1", "0 hull=3", {.point = {.rolled = "crit"}, .damage = 1}, "damage", "core");
  const Luck direct = luck_of("1", "0 hull=3", {.point = {.rolled = "crit"}, .damage = 2}, "damage", "core");
  const LuckPart &one = part(plain, ChanceKind::DamageCards), &two = part(direct, ChanceKind::DamageCards);
  CHECK(one.happened);
  CHECK(two.luck.damage - one.luck.damage == exactly(1));
  const double p = -one.luck.damage;
  CHECK(p * two.luck.damage + (1 - p) * one.luck.damage == exactly(0));
  CHECK(p == exactly(5.0 / 33));
  require_sum(direct);
}
