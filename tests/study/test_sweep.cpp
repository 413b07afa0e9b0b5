// Sweeps: shared work gives the figures of solve and enumerate cell by cell; grids follow their files.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "answers/estimates.h"
#include "compile/compile.h"
#include "exact/exact.h"
#include "exact/tables/attack_matrix.h"
#include "load/grid.h"
#include "report/columns.h"
#include "report/sweep.h"
#include "study/sweep.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;

struct Compared {
  std::uint64_t cells = 0, shared = 0;
  double worst = 0;
  bool same_bytes = false;
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k)
    worst = std::max(worst, std::abs((k < a.size() ? a[k] : 0) - (k < b.size() ? b[k] : 0)));
  return worst;
}

std::string lines_of(const load::Grid& grid, const std::vector<study::SweepRow>& rows) {
  const report::RowWriter writer(grid, status_of);
  std::string out;
  for (const study::SweepRow& row : rows) writer.add_json_line(row, out);
  return out;
}

/// Plays a grid with and without sharing.
Compared compare(const std::string& text, const Overrides& overrides = {}) {
  const load::Grid grid = load::parse_grid(text, "test.toml");
  const study::Sweep with(catalogue(), grid, {{.overrides = overrides}}),
      without(catalogue(), grid, {{.overrides = overrides}, false});
  std::vector<study::SweepRow> a, b;
  with.play(0, grid.size(), a);
  without.play(0, grid.size(), b);
  Compared out{grid.size(), with.shared(), 0, lines_of(grid, a) == lines_of(grid, b)};
  CHECK(without.shared() == 0);
  const study::Sweep prepared(catalogue(), grid, {{.overrides = overrides}});
  prepared.prepare(1'000'000'000, 2);
  std::vector<study::SweepRow> c;
  prepared.play(0, grid.size(), c);
  CHECK(lines_of(grid, c) == lines_of(grid, a));
  CHECK(prepared.shared() == with.shared());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("cell " << i);
    REQUIRE(a[i].error.has_value() == b[i].error.has_value());
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

TEST_CASE("sweep: consecutive attackers share later states and agree with the exact engine", "[sweep]") {
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
  // The first attack removes strain, and a greedy player does not look ahead: these are solved separately, and right.
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

TEST_CASE("sweep: cells that cannot share are answered one by one", "[sweep]") {
  // Cards that affect both ships, another objective, several attacks, invalid cells.
  const Compared cards = compare(kDuel + R"(
"ships.a.upgrades" = [[], ["predator"], ["crackshot"], ["shieldupgrade"], ["outmaneuver"]]
"ships.d.upgrades" = [[], ["elusive"], ["lonewolf"], ["stealthdevice"], ["afterburners"]]
"ships.a.tokens.lock" = [[], ["d"]]
"ships.d.tokens.focus" = [0, 1]
)");
  CHECK(cards.shared < cards.cells);
  CHECK(cards.worst <= 1e-12);
  const Compared health = compare("objective = \"health\"" + kDuel + "\"ships.d.hull\" = [1, 2, 3]\n");
  CHECK(health.shared == 0);
  CHECK(health.worst <= 1e-12);
  const Compared wrong = compare(kDuel + "\"ships.a.attack\" = [99, 3, 2]\n\"ships.d.agility\" = [-1, 1]\n");
  CHECK(wrong.worst <= 1e-12);
}

/// A name for overrides by the keys that they replace.
std::vector<Overrides> all_overrides() {
  std::vector<Overrides> out;
  for (const char* objective : {"damage", "kill", "health", "exchange"}) out.push_back({.objective = objective});
  for (const char* attacker : {"optimal", "greedy", "hold"}) {
    for (const char* defender : {"optimal", "greedy", "hold"}) {
      out.push_back({.attacker_policy = attacker, .defender_policy = defender});
      out.push_back({.objective = "kill", .attacker_policy = attacker, .defender_policy = defender});
    }
  }
  out.push_back({.cards = "legacy"});
  out.push_back({.rules = "first-edition"});
  out.push_back({.damage_deck = "core"});
  out.push_back({.objective = "nonsense"});
  return out;
}

std::string name_of(const Overrides& overrides) {
  std::string out;
  for (const auto* key : {&overrides.rules, &overrides.cards, &overrides.objective, &overrides.damage_deck,
                          &overrides.attacker_policy, &overrides.defender_policy})
    out += key->value_or("-") + " ";
  return out;
}

TEST_CASE("sweep: with options in place of keys, shared rows equal single cells, byte for byte", "[sweep]") {
  // Probabilities of a single attack are whole multiples of a power of two: nothing is rounded.
  for (const Overrides& overrides : all_overrides()) {
    INFO(name_of(overrides));
    const Compared all = compare(kDuel + R"(
"attacks[0].range" = [1, 3]
"ships.a.attack" = [2, 3]
"ships.a.tokens.focus" = [0, 1]
"ships.a.tokens.calculate" = [0, 2]
"ships.a.tokens.lock" = [[], ["d"]]
"ships.d.hull" = [1, 3]
"ships.d.tokens.focus" = [0, 1]
"ships.d.tokens.evade" = [0, 1]
"ships.d.tokens.reinforce" = [0, 1]
)",
                                 overrides);
    CHECK(all.same_bytes);
    const bool mixed = (overrides.attacker_policy == "optimal" && overrides.defender_policy == "greedy") ||
                       (overrides.attacker_policy == "greedy" && overrides.defender_policy == "optimal");
    const std::string objective = overrides.objective.value_or("damage");
    const bool shares =
        !mixed && !overrides.rules && !overrides.damage_deck && (objective == "damage" || objective == "kill");
    if (shares) CHECK(all.shared == all.cells);
  }
}

TEST_CASE("sweep: with options in place of keys, consecutive attackers share later states", "[sweep]") {
  for (const Overrides& overrides : all_overrides()) {
    if (overrides.damage_deck) continue;  // takes minutes, and shares nothing
    INFO(name_of(overrides));
    const Compared all = compare(R"(
[ships.a]
attack = 3
[ships.b]
attack = 3
tokens = { lock = ["d"] }
[ships.d]
agility = 2
hull = 3
[[attacks]]
by = "a"
on = "d"
[[attacks]]
by = "b"
on = "d"
range = 1
[grid]
"ships.a.tokens.focus" = [0, 1]
"ships.b.attack" = [2, 4]
"ships.d.hull" = [1, 4]
"ships.d.tokens.focus" = [0, 2]
"ships.d.tokens.evade" = [0, 2]
)",
                                 overrides);
    CHECK(all.worst <= 1e-12);
  }
}

TEST_CASE("sweep: an option overrides an axis of the same key", "[sweep]") {
  const load::Grid grid = load::parse_grid(kDuel + "objective = [\"damage\", \"kill\"]\n", "test.toml");
  for (const bool share : {true, false}) {
    const study::Sweep sweep(catalogue(), grid, {{.overrides = {.objective = "kill"}}, share});
    std::vector<study::SweepRow> rows;
    sweep.play(0, 2, rows);
    CHECK(rows[0].value == rows[1].value);
    CHECK(rows[0].value == rows[0].ships[0].destroyed);
  }
}

TEST_CASE("sweep: a wrong die is noticed", "[sweep]") {
  const load::Grid grid = load::parse_grid(kDuel + "\"ships.a.attack\" = [3]\n", "test.toml");
  game::Plan plan = compile::compile_scenario(catalogue(), grid.scenario({0})).plan;
  const auto sides = exact::attack_matrix_of(plan);
  REQUIRE(sides);
  --plan.attack_die.sides_of_face[static_cast<std::size_t>(plan.attack_die.blank)];
  ++plan.attack_die.sides_of_face[static_cast<std::size_t>(plan.attack_die.hit)];
  const auto other = exact::attack_matrix_of(plan);
  REQUIRE(other);
  const auto damage = [](const exact::AttackMatrix& s) {
    return exact::attack(s.attackers[0], exact::defend(s.defender, 0, s.defender.start, 3, nullptr), nullptr);
  };
  const std::vector<double> a = damage(*sides), b = damage(*other);
  const salvo::game::Distribution d = exact::enumerate(plan, exact::solve(plan));
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
  const load::Grid grid = load::parse_grid(kDuel + R"(
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
  CHECK(grid.axes()[1].columns[0].labels[1] == "[\"predator\"]");
  CHECK(grid.axes()[2].columns[0].labels[0] == "\"x-wing\"");
  CHECK(grid.coordinates(5) == std::vector<std::size_t>{1, 0, 1});
  const Scenario scenario = grid.scenario({1, 1, 0});
  CHECK(scenario.ships.at("d").agility == 2);
  CHECK(scenario.ships.at("a").upgrades == std::vector<std::string>{"predator"});
  CHECK(scenario.ships.at("a").ship == "t65xwing");
  CHECK(scenario.attacks[0].range == 1);
}

TEST_CASE("grid: a star means every attack, a number one of them", "[sweep]") {
  const std::string two =
      "[ships.a]\nattack = 3\n[ships.d]\nagility = 2\n[[attacks]]\nby = \"a\"\non = \"d\"\n"
      "[[attacks]]\nby = \"a\"\non = \"d\"\n[grid]\n";
  const auto ranges = [&](const std::string& key) {
    const Scenario scenario = load::parse_grid(two + key + " = [3]\n", "test.toml").scenario({0});
    return std::vector<int>{scenario.attacks[0].range, scenario.attacks[1].range};
  };
  CHECK(ranges("\"attacks[*].range\"") == std::vector<int>{3, 3});
  CHECK(ranges("\"attacks[1].range\"") == std::vector<int>{2, 3});
}

TEST_CASE("grid: lists that vary together", "[sweep]") {
  const load::Grid grid = load::parse_grid(kDuel + R"(
[[axis]]
zip = { "ships.d.agility" = [1, 2, 3], "attacks[0].range" = { from = 1, to = 3 } }
[[axis]]
key = "ships.a.attack"
values = [2, 4]
)",
                                           "test.toml");
  REQUIRE(grid.size() == 6);  // 3 pairs by 2 values
  REQUIRE(grid.axes()[0].columns.size() == 2);
  CHECK(grid.axes()[0].columns[1].name == "attacks[0].range");
  CHECK(grid.axes()[0].columns[1].labels == std::vector<std::string>{"1", "2", "3"});
  const Scenario scenario = grid.scenario({1, 1});
  CHECK(scenario.ships.at("d").agility == 2);
  CHECK(scenario.attacks[0].range == 2);
  CHECK(scenario.ships.at("a").attack == 4);
  for (const char* wrong : {"zip = { \"ships.d.agility\" = [1, 2], \"attacks[0].range\" = [1] }", "zip = {}",
                            "zip = [1]", "key = \"ships.d.agility\"\nzip = { \"ships.d.agility\" = [1] }",
                            "zip = { \"ships.d.agility\" = [1] }\n[[axis]]\nkey = \"ships.d.agility\"\nvalues = [1]"}) {
    INFO(wrong);
    CHECK_THROWS_AS(load::parse_grid(kDuel + "[[axis]]\n" + wrong, "test.toml"), LoadError);
  }
}

TEST_CASE("grid: all upgrades of a card set", "[sweep]") {
  const std::string duel = "cards = \"2025\"\n" + kDuel.substr(0, kDuel.find("[grid]"));
  const auto columns = [&](const std::string& axis, const std::string& base) {
    return load::parse_grid(base + "[grid]\n" + axis, "test.toml", &catalogue()).axes().front().columns;
  };
  const auto has = [](const load::Grid::Column& column, const std::string& id) {
    return std::find(column.labels.begin(), column.labels.end(), "\"" + id + "\"") != column.labels.end();
  };
  CHECK(columns("\"ships.a.ship\" = \"all\"", duel)[0].labels.size() == catalogue().ship_ids("2025").size());
  const auto pilots = columns("\"ships.a.pilot\" = \"all\"", duel);
  REQUIRE(pilots.size() == 2);
  CHECK(pilots[0].labels.size() == catalogue().pilot_ids("2025").size());
  CHECK(pilots[1].name == "ships.a.ship");

  // By the cards, Luke Skywalker of the Rebel Alliance has a Force, a torpedo and an astromech slot, but no crew;
  // Battle Meditation belongs to the Republic.
  const std::string luke =
      "cards = \"2025\"\n[ships.a]\npilot = \"lukeskywalker\"\n[ships.d]\nagility = 2\n"
      "[[attacks]]\nby = \"a\"\non = \"d\"\n";
  const auto force = columns("\"ships.a.upgrades\" = { all = \"force-power\" }", luke)[0];
  CHECK(force.labels.front() == "\"\"");
  CHECK(has(force, "sense"));
  CHECK_FALSE(has(force, "battlemeditation"));
  CHECK_FALSE(has(force, "protontorpedoes"));
  const auto all = columns("\"ships.a.upgrades\" = \"all\"", luke)[0];
  CHECK(has(all, "protontorpedoes"));
  CHECK(has(all, "r2d2"));
  CHECK_FALSE(has(all, "novicetechnician"));           // crew: an X-wing has none
  CHECK_FALSE(has(all, "attackspeed-battleofyavin"));  // standard loadouts only
  const auto both = load::parse_grid(duel + "[[axis]]\nkey = \"ships.a.pilot\"\nvalues = \"all\"\nslot = \"torpedo\"\n",
                                     "test.toml", &catalogue());
  CHECK(both.axes()[0].columns.size() == 3);
  CHECK(both.size() > catalogue().pilot_ids("2025").size());
  const Scenario first = both.scenario({0});
  CHECK(first.ships.at("a").upgrades.empty());
  for (const char* wrong : {"\"ships.d.agility\" = \"all\"", "\"ships.a.upgrades\" = { all = \"talent\", to = 3 }",
                            "\"attacks[0].range\" = \"all\""}) {
    INFO(wrong);
    CHECK_THROWS_AS(columns(wrong, duel), LoadError);
  }
  CHECK_THROWS_AS(load::parse_grid(duel + "[grid]\n\"ships.a.ship\" = \"all\"\n", "test.toml"), LoadError);
}

TEST_CASE("sweep: chosen columns", "[sweep]") {
  const load::Grid grid = load::parse_grid(kDuel + "\"ships.d.agility\" = [1, 2]\n", "test.toml");
  study::SweepOptions options;
  options.costs = true;
  const study::Sweep sweep(catalogue(), grid, options);
  std::vector<study::SweepRow> rows;
  sweep.play(0, 2, rows);
  report::SweepColumns columns(grid);
  std::string whole, without_costs;
  columns.add_csv_line(rows[1], whole);
  report::SweepColumns(grid, true).add_csv_line(rows[1], without_costs);
  CHECK(whole == without_costs.substr(0, without_costs.size() - 1) + ",,\n");  // the costs of both ships are unknown
  columns.choose({"axes", "mean", "d.at_least_1", "at_least_9"});
  CHECK(columns.csv_head() == "ships.d.agility,d.mean,d.at_least_1,d.at_least_9\n");
  std::string line;
  columns.add_json_line(rows[1], line);
  CHECK(line.starts_with("{\"ships.d.agility\": 2, \"d.mean\": "));
  CHECK(line.ends_with("\"d.at_least_9\": 0.0}\n"));
  for (const char* wrong : {"nope", "a.mean", "d.at_least_0", "d.at_least_x", "d.at_least_1000", ""})
    CHECK_THROWS_AS(columns.choose({wrong}), ScenarioError);
  CHECK_THROWS_AS(columns.choose({"mean", "d.mean"}), ScenarioError);
  CHECK_THROWS_AS(columns.choose({}), ScenarioError);
}

TEST_CASE("grid: wrong files are refused", "[sweep]") {
  for (const char* grid :
       {"", "x = 3", "\"ships.d.agility\" = []", "\"attacks[7].range\" = [1]", "\"attacks[x].range\" = [1]",
        "\"attacks..range\" = [1]", "\"ships.d.agility\" = { from = 3, to = 1 }", "\"ships.d.agility\" = { from = 1 }",
        "\"ships.d.agility.x\" = [1]"}) {
    INFO(grid);
    CHECK_THROWS_AS(load::parse_grid(kDuel + grid, "test.toml"), LoadError);
  }
  CHECK_THROWS_AS(load::parse_grid("[ships.a]\nattack = 3\n", "test.toml"), LoadError);
}
