// Sweeps: shared work gives the figures of solve and enumerate cell by cell; grids are what their files say.
#include <catch2/catch.hpp>
#include <cmath>

#include "exact/exact.h"
#include "exact/volley.h"
#include "figures/figures.h"
#include "load/grid.h"
#include "report/sweep_report.h"
#include "rules/compile.h"
#include "study/sweep.h"

using namespace salvo;

namespace {

const Catalogue& catalogue() {
  static const Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  return profiles;
}

Report answer(const Scenario& scenario) {
  const Question question = compile(catalogue(), scenario);
  return make_report(question.labels, exact::enumerate(question.plan, exact::solve(question.plan)));
}

study::CellAnswer cell_answer(bool exact = true) {
  return {answer, [] { return study::CellError{2, "", "failed"}; }, exact};
}

struct Compared {
  std::uint64_t cells = 0, shared = 0;
  double worst = 0;
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k)
    worst = std::max(worst, std::abs((k < a.size() ? a[k] : 0) - (k < b.size() ? b[k] : 0)));
  return worst;
}

/// Plays a grid with and without sharing.
Compared compare(const std::string& text) {
  const Grid grid = parse_grid(text, "test.toml");
  const study::Sweep with(catalogue(), grid, cell_answer()), without(catalogue(), grid, cell_answer(false));
  std::vector<study::SweepRow> a, b;
  with.play(0, grid.size(), a);
  without.play(0, grid.size(), b);
  Compared out{grid.size(), with.shared(), 0};
  CHECK(without.shared() == 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("cell " << i);
    REQUIRE(a[i].error.status == b[i].error.status);
    REQUIRE(a[i].ships.size() == b[i].ships.size());
    CHECK(a[i].unmodelled == b[i].unmodelled);
    out.worst = std::max(out.worst, std::abs(a[i].value - b[i].value));
    for (std::size_t s = 0; s < a[i].ships.size(); ++s) {
      const study::SweepShip &x = a[i].ships[s], &y = b[i].ships[s];
      CHECK(x.name == y.name);
      CHECK(x.destructible == y.destructible);
      out.worst = std::max({out.worst, std::abs(x.mean - y.mean), std::abs(x.destroyed - y.destroyed),
                            largest_difference(x.at_least, y.at_least)});
    }
  }
  return out;
}

const std::string kDuel = R"(
[ships.a]
attack = 3
[ships.d]
agility = 2
hull = 3
[[attacks]]
by = "a"
on = "d"
[grid]
)";

}  // namespace

TEST_CASE("sweep: shared work agrees with solve and enumerate in every cell", "[sweep]") {
  const Compared all = compare(kDuel + R"(
"attacks[0].range" = [0, 1, 3]
"attacks[0].obstructed" = [false, true]
"ships.a.attack" = { from = 1, to = 5, step = 2 }
"ships.a.tokens.focus" = [0, 1]
"ships.a.tokens.calculate" = [0, 2]
"ships.a.tokens.force" = [0, 1]
"ships.a.tokens.lock" = [[], ["d"]]
"ships.a.tokens.deplete" = [0, 1]
"ships.d.agility" = [0, 2, 4]
"ships.d.tokens.focus" = [0, 1]
"ships.d.tokens.evade" = [0, 2]
"ships.d.tokens.reinforce" = [0, 2]
"ships.d.tokens.strain" = [0, 1]
)");
  CHECK(all.shared == all.cells);
  CHECK(all.worst <= 1e-12);
}

TEST_CASE("sweep: attackers in a row share what follows, and agree with the exact engine", "[sweep]") {
  const std::string base = R"(
[ships.a]
attack = 3
[ships.b]
attack = 2
tokens = { focus = 1 }
[ships.c]
attack = 3
tokens = { lock = ["d"] }
[ships.d]
agility = 2
hull = 4
[[attacks]]
by = "a"
on = "d"
[[attacks]]
by = "b"
on = "d"
range = 3
[[attacks]]
by = "c"
on = "d"
range = 1
[grid]
)";
  const Compared all = compare(base + R"(
attacker_policy = ["optimal", "hold"]
"ships.a.attack" = [1, 3]
"ships.a.tokens.focus" = [0, 1]
"ships.b.attack" = [2, 4]
"ships.c.tokens.calculate" = [0, 2]
"ships.d.agility" = [1, 3]
"ships.d.tokens.focus" = [0, 1, 2]
"ships.d.tokens.evade" = [0, 2]
"ships.d.tokens.force" = [0, 1]
"ships.d.tokens.reinforce" = [0, 1]
)");
  CHECK(all.shared == all.cells);
  CHECK(all.worst <= 1e-12);
  // Strain goes with the first attack, a greedy player does not look ahead: for themselves, and right.
  const Compared odd = compare(base + R"(
"ships.d.tokens.strain" = [0, 1]
"ships.d.tokens.evade" = [0, 2]
attacker_policy = ["optimal", "greedy"]
defender_policy = ["optimal", "greedy"]
)");
  CHECK(odd.shared < odd.cells);
  CHECK(odd.worst <= 1e-12);
}

TEST_CASE("sweep: policies, ships and sides are shared too", "[sweep]") {
  const Compared all = compare(kDuel + R"(
attacker_policy = ["optimal", "greedy", "hold"]
defender_policy = ["optimal", "hold"]
"ships.a.side" = ["mine", "theirs"]
"ships.a.ship" = ["t65xwing", "tielnfighter", "tieddefender"]
"ships.a.tokens.lock" = [[], ["d"]]
"ships.a.tokens.focus" = [0, 1]
"ships.d.ship" = ["yt2400lightfreighter", "tieininterceptor"]
"ships.d.tokens.focus" = [0, 1]
)");
  CHECK(all.shared > 0);
  CHECK(all.worst <= 1e-12);
}

TEST_CASE("sweep: what cannot be shared is answered cell by cell", "[sweep]") {
  // Cards that touch both ships, another objective, several attacks, cells that are wrong.
  const Compared cards = compare(kDuel + R"(
"ships.a.upgrades" = [[], ["predator"], ["crackshot"], ["shieldupgrade"], ["outmaneuver"]]
"ships.d.upgrades" = [[], ["elusive"], ["lonewolf"], ["stealthdevice"], ["afterburners"]]
"ships.a.tokens.lock" = [[], ["d"]]
"ships.d.tokens.focus" = [0, 1]
)");
  CHECK(cards.shared < cards.cells);
  CHECK(cards.worst <= 1e-12);
  const Compared kill = compare("objective = \"kill\"" + kDuel + "\"ships.d.hull\" = [1, 2, 3]\n");
  CHECK(kill.shared == 0);
  CHECK(kill.worst <= 1e-12);
  const Compared wrong = compare(kDuel + "\"ships.a.attack\" = [99, 3, 2]\n\"ships.d.agility\" = [-1, 1]\n");
  CHECK(wrong.worst <= 1e-12);
}

TEST_CASE("sweep: a partner with a wrong die is noticed", "[sweep]") {
  const Grid grid = parse_grid(kDuel + "\"ships.a.attack\" = [3]\n", "test.toml");
  Plan plan = compile(catalogue(), grid.scenario({0})).plan;
  const auto sides = exact::volley_of(plan);
  REQUIRE(sides);
  --plan.attack_die.sides_of_face[static_cast<std::size_t>(plan.attack_die.blank)];
  ++plan.attack_die.sides_of_face[static_cast<std::size_t>(plan.attack_die.hit)];
  const auto other = exact::volley_of(plan);
  REQUIRE(other);
  const auto damage = [](const exact::Volley& s) {
    return exact::attack(s.attackers[0], exact::defend(s.defender, 0, s.defender.start, 3, nullptr), nullptr);
  };
  const std::vector<double> a = damage(*sides), b = damage(*other);
  const Distribution d = exact::enumerate(plan, exact::solve(plan));
  const auto defender = static_cast<std::size_t>(plan.attacks[0].defender);
  double right = 0, wrong = 0;
  for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(a.size()) && k < d.ships[defender].damage.size(); ++k) {
    right = std::max(right, std::abs(d.ships[defender].damage(k) - b[static_cast<std::size_t>(k)]));
    wrong = std::max(wrong, std::abs(d.ships[defender].damage(k) - a[static_cast<std::size_t>(k)]));
  }
  CHECK(right <= 1e-12);
  CHECK(wrong > 1e-3);
}

TEST_CASE("grid: order, labels and keys", "[sweep]") {
  const Grid grid = parse_grid(kDuel + R"(
"ships.d.agility" = [1, 2]
"ships.a.upgrades" = [[], ["predator"]]
[[axis]]
name = "who"
variant = [{ name = "x-wing", set = { "ships.a.ship" = "t65xwing", "attacks[*].range" = 1 } },
           { name = "tie", set = { "ships.a.ship" = "tielnfighter" } }]
)",
                               "test.toml");
  REQUIRE(grid.size() == 8);
  CHECK(grid.axes()[0].name == "ships.d.agility");
  CHECK(grid.axes()[1].labels[1] == "[\"predator\"]");
  CHECK(grid.axes()[2].labels[0] == "\"x-wing\"");
  CHECK(grid.coordinates(5) == std::vector<std::size_t>{1, 0, 1});
  const Scenario scenario = grid.scenario({1, 1, 0});
  CHECK(scenario.ships.at("d").agility == 2);
  CHECK(scenario.ships.at("a").upgrades == std::vector<std::string>{"predator"});
  CHECK(scenario.ships.at("a").ship == "t65xwing");
  CHECK(scenario.attacks[0].range == 1);
}

TEST_CASE("grid: wrong files are refused", "[sweep]") {
  for (const char* grid :
       {"", "x = 3", "\"ships.d.agility\" = []", "\"attacks[7].range\" = [1]", "\"attacks[x].range\" = [1]",
        "\"attacks..range\" = [1]", "\"ships.d.agility\" = { from = 3, to = 1 }", "\"ships.d.agility\" = { from = 1 }",
        "\"ships.d.agility.x\" = [1]"}) {
    INFO(grid);
    CHECK_THROWS_AS(parse_grid(kDuel + grid, "test.toml"), LoadError);
  }
  CHECK_THROWS_AS(parse_grid("[ships.a]\nattack = 3\n", "test.toml"), LoadError);
}
