// Effects that could repeat without end are rejected; effects that use something up are not.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "compile/compile.h"
#include "load/infinite_loops.h"
#include "load/linear_feasibility.h"
#include "load/load.h"

using namespace salvo;
using Catch::Matchers::Contains;

namespace {

salvo::load::OperationSpec operation(load::Verb verb, std::string dice, std::vector<std::string> from, std::string to,
                                     int n = 1) {
  salvo::load::OperationSpec out;
  out.verb = verb;
  out.dice = std::move(dice);
  out.from = std::move(from);
  out.to = std::move(to);
  out.n = n;
  return out;
}

salvo::load::OperationSpec gain(std::string token, int n = 1, std::string who = "self") {
  salvo::load::OperationSpec out;
  out.verb = load::Verb::Gain;
  out.token = std::move(token);
  out.n = n;
  out.who = std::move(who);
  return out;
}

salvo::load::EffectSpec repeated(std::vector<salvo::load::CostSpec> cost,
                                 std::vector<salvo::load::OperationSpec> operations, std::string side = "attacker") {
  salvo::load::EffectSpec out;
  out.side = std::move(side);
  out.at = salvo::load::Window::AttackMod;
  out.may = true;
  out.repeats = true;
  out.cost = std::move(cost);
  out.operations = std::move(operations);
  out.place = "card.toml:4";
  return out;
}

/// Number of effects in the loop, if one card has all of these.
std::size_t loop(std::vector<salvo::load::EffectSpec> effects) {
  salvo::load::CardSpec card;
  card.id = "card";
  card.effects = std::move(effects);
  return load::find_infinite_loop(load::effects_of(card)).size();
}

salvo::load::OperationSpec change(std::string from, std::string to) {
  return operation(load::Verb::Change, "attack", {std::move(from)}, std::move(to));
}

}  // namespace

TEST_CASE("linear sums that can all be non-negative are found, others are not", "[rules][endless]") {
  using load::nonnegative_solution;
  // 1 - 2 = -1 and 3 - 1 = 2 a use: three times as often the second as the first makes 3 - 1, 1 - 2 ... by hand:
  // x - 2y >= 0 and -x + 3y >= 0 hold for x = 5, y = 2.
  const std::vector<double> x = nonnegative_solution({{1, -2}, {-1, 3}}, {true, true});
  REQUIRE(x.size() == 2);
  CHECK(x[0] + x[1] == Approx(1));
  CHECK(x[0] - 2 * x[1] >= -1e-12);
  CHECK(3 * x[1] - x[0] >= -1e-12);
  CHECK(nonnegative_solution({{1, -2}, {-1, 1}}, {true, true}).empty());  // sum of both rows: -y >= 0, so y = 0, x = 0
  CHECK(nonnegative_solution({{-1}}, {true}).empty());
  CHECK(nonnegative_solution({}, {true}) == std::vector<double>{1});
}

TEST_CASE("a repeated effect must use something up", "[rules][endless]") {
  SECTION("no cost") {
    CHECK(loop({repeated({}, {gain("focus")})}) == 1);
    CHECK(loop({repeated({}, {operation(load::Verb::Add, "attack", {}, "hit")})}) == 1);
    CHECK(loop({repeated({}, {operation(load::Verb::Pool, "attack", {}, "", -1)})}) == 1);
  }
  SECTION("the cost is regained") {
    CHECK(loop({repeated({{"focus", 1}}, {gain("focus")})}) == 1);
    CHECK(loop({repeated({{"focus", 2}}, {gain("focus")})}) == 0);
    CHECK(loop({repeated({{"focus", 1, "foe"}}, {gain("focus", 1, "foe")})}) == 1);
    CHECK(loop({repeated({{"focus", 1, "foe"}}, {gain("focus")})}) == 0);
    CHECK(loop({repeated({{"charge", 1}}, {gain("charge")})}) == 1);
  }
  SECTION("dice end it") {
    CHECK(loop({repeated({}, {change("focus", "hit")})}) == 0);
    CHECK(loop({repeated({}, {operation(load::Verb::Reroll, "attack", {}, "")})}) == 0);
    CHECK(loop({repeated({}, {operation(load::Verb::Cancel, "attack", {"any"}, "")})}) == 0);
    CHECK(loop({repeated({}, {operation(load::Verb::Change, "attack", {"any"}, "success")})}) == 0);
  }
  SECTION("dice replaced by a gain do not") {
    CHECK(loop({repeated({}, {change("focus", "hit"), gain("evade")})}) == 1);
  }
  SECTION("an effect used once") {
    salvo::load::EffectSpec once = repeated({}, {gain("focus")});
    once.once_per_attack = true;
    CHECK(loop({once}) == 0);
    salvo::load::EffectSpec plain = repeated({}, {gain("focus")});
    plain.repeats = false;
    CHECK(loop({plain}) == 0);
  }
}

TEST_CASE("effects that pay for each other form a loop", "[rules][endless]") {
  SECTION("tokens") {
    const salvo::load::EffectSpec a = repeated({{"focus", 1}}, {gain("evade")}),
                                  b = repeated({{"evade", 1}}, {gain("focus")});
    CHECK(loop({a, b}) == 2);
    CHECK(loop({a, repeated({{"evade", 2}}, {gain("focus")})}) == 0);
    // Twice the first and once the second: 2 focus -> 2 evades -> 2 focus.
    CHECK(loop({a, repeated({{"evade", 2}}, {gain("focus", 2)})}) == 2);
    salvo::load::EffectSpec elsewhere = b;
    elsewhere.at = salvo::load::Window::DefenseMod;
    CHECK(loop({a, elsewhere}) == 0);
    salvo::load::EffectSpec other_side = b;
    other_side.side = "defender";
    CHECK(loop({a, other_side}) == 0);
  }
  SECTION("faces") {
    CHECK(loop({repeated({}, {change("focus", "hit")}), repeated({}, {change("hit", "focus")})}) == 2);
    CHECK(loop({repeated({}, {change("focus", "hit")}), repeated({{"focus", 1}}, {change("hit", "focus")})}) == 0);
    CHECK(loop({repeated({}, {change("focus", "hit")}), repeated({}, {change("hit", "crit")})}) == 0);
  }
  SECTION("any number of dice against one") {
    salvo::load::OperationSpec all = change("focus", "hit");
    all.all = true;
    CHECK(loop({repeated({}, {change("hit", "focus")}), repeated({}, {all})}) == 2);
    CHECK(loop({repeated({}, {change("hit", "focus")}), repeated({{"focus", 1}}, {all})}) == 0);
  }
}

TEST_CASE("an effect that acts on each token is fed by those that spend or give such tokens", "[rules][endless]") {
  const auto on_each = [](const salvo::load::TokenEvent& each, salvo::load::OperationSpec what) {
    salvo::load::EffectSpec out = repeated({}, {std::move(what)});
    out.repeats = false;
    out.each = each;
    return out;
  };
  const salvo::load::EffectSpec spends = repeated({{"focus", 1}}, {gain("evade")});
  CHECK(loop({on_each({"self", false, "focus"}, gain("stress"))}) == 0);
  CHECK(loop({on_each({"self", false, "focus"}, gain("stress")), spends}) == 0);
  CHECK(loop({on_each({"self", false, "focus"}, gain("focus")), spends}) == 2);
  CHECK(loop({on_each({"foe", false, "focus"}, gain("focus")), spends}) == 0);
  CHECK(loop({on_each({"self", true, "evade"}, gain("focus")), spends}) == 2);
  CHECK(loop({on_each({"self", true, "stress"}, gain("stress"))}) == 0);  // it does not act on its own
  CHECK(loop({on_each({"self", true, "stress"}, gain("strain")), on_each({"self", true, "strain"}, gain("stress"))}) ==
        2);
}

TEST_CASE("the loader and the compiler refuse endless effects", "[load][endless]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "salvo_test_endless";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& id, const std::string& effect) {
    const std::filesystem::path path = folder / (id + ".toml");
    std::ofstream(path) << "id = \"" << id << "\"\nkind = \"upgrade\"\n\n[[effect]]\nside = \"attacker\"\n"
                        << "at = \"attack-mod\"\nmay = true\nrepeats = true\n"
                        << effect;
    return path.string();
  };
  SECTION("one card") {
    Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
    const std::string path = write("giver", "do = [{ verb = \"gain\", token = \"focus\" }]\n");
    CHECK_THROWS_WITH(catalogue.add_card(path), Contains("giver.toml:4: this effect would never end"));
  }
  SECTION("two cards that are valid separately") {
    Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
    catalogue.add_card(
        write("giver", "cost = [{ token = \"focus\" }]\ndo = [{ verb = \"gain\", token = \"evade\" }]\n"));
    catalogue.add_card(
        write("taker", "cost = [{ token = \"evade\" }]\ndo = [{ verb = \"gain\", token = \"focus\" }]\n"));
    const auto scenario = [](const std::string& upgrades) {
      return parse_scenario(
          "[ships.a]\nattack = 2\nupgrades = [" + upgrades + "]\n[ships.d]\n[[attacks]]\nby = \"a\"\non = \"d\"\n",
          "test.toml");
    };
    CHECK_NOTHROW(compile::compile_scenario(catalogue, scenario("\"giver\"")));
    CHECK_NOTHROW(compile::compile_scenario(catalogue, scenario("\"taker\"")));
    CHECK_THROWS_WITH(compile::compile_scenario(catalogue, scenario("\"giver\", \"taker\"")),
                      Contains("giver.toml:4: ") && Contains("together with taker"));
  }
  std::filesystem::remove_all(folder);
}
