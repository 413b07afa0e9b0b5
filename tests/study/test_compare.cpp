// Comparisons: ranks, differences, and standard errors of pairs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "study/compare.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;

study::Loadout loadout(int dice, int focus) {
  ScenarioShip ship, target;
  ship.attack = dice;
  ship.tokens["focus"] = focus;
  study::Loadout out;
  out.words = {std::to_string(dice), focus > 0 ? "focus" : "none", "same"};
  out.scenario = study::duel({}, ship, false, target, "primary", 2);
  return out;
}

std::vector<study::Opponent> opponents() {
  study::Opponent easy{"easy", "easy", {}}, hard{"hard", "hard", {}};
  easy.ship.agility = 0;
  easy.ship.hull = 2;
  hard.ship.agility = 3;
  return {easy, hard};
}

}  // namespace

TEST_CASE("compare: ranked, with differences and without common words", "[compare]") {
  const study::Comparison c =
      study::compare(catalogue(), {loadout(2, 1), loadout(3, 0), loadout(3, 1)}, opponents(), {{}, {.threads = 2}});
  REQUIRE(c.rows.size() == 3);
  CHECK(c.common == std::vector<std::string>{"same"});
  CHECK(c.rows[0].loadout.label == "3 focus");
  CHECK(c.rows[0].behind == 0);
  CHECK(c.rows[0].estimates[0].value == Approx(3 * 0.75));
  CHECK(c.rows[1].average == Approx((1.5 + c.rows[1].estimates[1].value) / 2));
  for (const study::CompareRow& row : c.rows) CHECK(row.behind == Approx(c.rows[0].average - row.average));
  CHECK(c.blocks == 0);
}

TEST_CASE("compare: sampled differences have right standard errors", "[compare]") {
  const auto exactly = study::compare(catalogue(), {loadout(3, 1), loadout(3, 0)}, opponents(), {});
  study::CompareOptions options;
  options.answer.engine = EngineChoice::Sample;
  options.answer.trials = 20'000;
  int close = 0;
  double paired = 0, apart = 0;
  for (std::uint64_t run = 0; run < 20; ++run) {
    options.answer.seed = 1000 * run + 1;
    const auto sampled = study::compare(catalogue(), {loadout(3, 1), loadout(3, 0)}, opponents(), options);
    REQUIRE(sampled.rows[1].behind_se);
    const double se = *sampled.rows[1].behind_se;
    CHECK(se > 0);
    // 49 degrees of freedom: beyond 5 standard errors with probability 8e-6, so 2e-4 in all.
    CHECK(std::abs(sampled.rows[1].behind - exactly.rows[1].behind) < 5 * se);
    if (std::abs(sampled.rows[1].behind - exactly.rows[1].behind) < 2.01 * se) ++close;
    paired += se;
    apart += std::hypot(*sampled.rows[0].average_se, *sampled.rows[1].average_se);
  }
  CHECK(close >= 13);  // 95 % each: fewer than 13 of 20 have probability 1e-6
  // Common random numbers: both share their dice.
  CHECK(paired < 0.8 * apart);
}

namespace {

study::Loadout wedge(const std::string& weapon, bool lock) {
  ScenarioShip ship;
  ship.pilot = "wedgeantilles";
  ship.ship = "t65xwing";
  ship.upgrades = {"protontorpedoes", "afterburners"};
  ship.tokens["focus"] = 1;
  study::Loadout out;
  out.name = "Wedge";
  out.words = {weapon};
  out.scenario = study::duel({"second-edition", "2025"}, ship, lock, {}, weapon, 2);
  return out;
}

}  // namespace

TEST_CASE("compare: each ship uses the best weapon for each target, or the named one", "[compare]") {
  const auto best = study::compare(catalogue(), {wedge(kBestWeapon, true), wedge("primary", true)}, opponents(), {});
  REQUIRE(best.rows.size() == 2);
  CHECK(best.rows[0].loadout.words == std::vector<std::string>{"best"});
  CHECK(best.rows[0].weapons == std::vector<std::string>{"protontorpedoes", "protontorpedoes"});
  CHECK(best.rows[1].weapons == std::vector<std::string>{"primary", "primary"});
  // Torpedoes roll one more die and change a hit to a critical hit; their figures equal those of the named weapon.
  const auto named = study::compare(catalogue(), {wedge("protontorpedoes", true)}, opponents(), {});
  CHECK(named.rows[0].average == best.rows[0].average);
  CHECK(best.rows[0].average > best.rows[1].average + 0.2);
  // Without a lock they cannot be used.
  const auto without = study::compare(catalogue(), {wedge(kBestWeapon, false)}, opponents(), {});
  CHECK(without.rows[0].weapons == std::vector<std::string>{"primary:front", "primary:front"});
  const auto& notes = without.from.notes;
  CHECK(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("protontorpedoes is not used") != std::string::npos && note.find("lock") != std::string::npos;
  }));
  const auto cannot = study::compare(catalogue(), {wedge("protontorpedoes", false)}, opponents(), {});
  CHECK(cannot.rows[0].average == 0);
  REQUIRE_FALSE(cannot.from.notes.empty());
  CHECK(cannot.from.notes.back().find("lock") != std::string::npos);
}

TEST_CASE("compare: a missing weapon is an error, and so are two editions", "[compare]") {
  CHECK_THROWS_AS(study::compare(catalogue(), {wedge("ioncannon", true)}, opponents(), {}), LoadError);
  CHECK_THROWS_AS(study::compare(catalogue(), {wedge("primary:rear", true)}, opponents(), {}), LoadError);
  study::Loadout old = loadout(3, 1);
  old.scenario.rules = "first-edition";
  CHECK_THROWS_AS(study::compare(catalogue(), {loadout(3, 0), old}, opponents(), {}), LoadError);
}

TEST_CASE("compare: assumptions and omissions are those of all cells", "[compare]") {
  study::Loadout marksman = wedge("primary", true);
  marksman.scenario.ships["attacker"].upgrades = {"predator", "afterburners"};
  marksman.notes = {"a note of the squad"};
  const auto c = study::compare(catalogue(), {marksman, loadout(3, 0)}, opponents(), {});
  CHECK(c.from.assumed_facts == std::vector<std::string>{"bullseye (predator)"});
  CHECK(c.from.unmodelled.empty());
  CHECK(c.from.no_effect == std::vector<std::string>{"afterburners"});  // without effect on dice
  CHECK(std::find(c.from.notes.begin(), c.from.notes.end(), "a note of the squad") != c.from.notes.end());
  study::Loadout far = loadout(3, 0);
  far.scenario.attacks[0].range = 4;
  const auto beyond = study::compare(catalogue(), {far}, opponents(), {});
  REQUIRE(beyond.from.notes.size() == 1);
  CHECK(beyond.from.notes[0].find("range 4") != std::string::npos);
}

TEST_CASE("compare: every sampled figure has its standard error", "[compare]") {
  study::CompareOptions options;
  options.answer.engine = EngineChoice::Sample;
  options.answer.trials = 100'000;
  options.by = {"at_least", 2};
  const auto c = study::compare(catalogue(), {loadout(3, 1)}, opponents(), options);
  for (std::size_t i = 0; i < 2; ++i) {
    const DuelResult& cell = c.rows[0].cells[i];
    const double p = cell.at_least[2].value;
    // From 50 blocks: the error of a share, accurate to about 10 %.
    CHECK(cell.at_least[2].se == Approx(std::sqrt(p * (1 - p) / 100'000)).epsilon(0.5));
    CHECK(c.rows[0].estimates[i].se == cell.at_least[2].se);
    CHECK(cell.hit.se > 0);
  }
}
