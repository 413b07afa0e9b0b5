// Comparisons: ranks, differences, and standard errors of pairs.
#include <catch2/catch.hpp>
#include <cmath>

#include "study/compare.h"

using namespace salvo;

namespace {

const Catalogue& catalogue() {
  static const Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  return profiles;
}

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

TEST_CASE("compare: ranked, with differences and without what is common", "[compare]") {
  const study::Comparison c =
      study::compare(catalogue(), {loadout(2, 1), loadout(3, 0), loadout(3, 1)}, opponents(), {{}, {.threads = 2}});
  REQUIRE(c.rows.size() == 3);
  CHECK(c.common == std::vector<std::string>{"same"});
  CHECK(c.rows[0].loadout.label == "3 focus");
  CHECK(c.rows[0].behind == 0);
  CHECK(c.rows[0].figures[0] == Approx(3 * 0.75));
  CHECK(c.rows[1].average == Approx((1.5 + c.rows[1].figures[1]) / 2));
  for (const study::CompareRow& row : c.rows) CHECK(row.behind == Approx(c.rows[0].average - row.average));
  CHECK(c.blocks == 0);
}

TEST_CASE("compare: sampled differences are as certain as their standard error says", "[compare]") {
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
  // Common random numbers: the two share their dice.
  CHECK(paired < 0.8 * apart);
}
