// The cross-check raises no false alarm and detects one wrong face of a die.
// Seeds are fixed. Three dice have 10 joint outcomes; with 20,000 trials each expects more than 10.
#include <catch2/catch.hpp>

#include "answers/cross_check.h"
#include "support/report_examples.h"

using namespace salvo;
using namespace report_examples;

TEST_CASE("samples of the exact distribution agree", "[report][cross_check]") {
  const salvo::game::Distribution truth = exact_answer();
  int below_1_percent = 0, below_half = 0, large = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const CrossCheck check = answers::cross_check(truth, sampled(20'000, seed));
    REQUIRE(check.agree);
    CHECK(check.df == 9);
    below_1_percent += check.p < 0.01;
    below_half += check.p < 0.5;
    large += check.largest_difference > 4;
  }
  // Binomial(200, 0.01) exceeds 10 with probability 8e-6; Binomial(200, 0.5) leaves 60..140 with 7e-9.
  CHECK(below_1_percent <= 10);
  CHECK(below_half >= 60);
  CHECK(below_half <= 140);
  // Seven figures vary, each beyond 4 standard errors with probability 6e-5: more than 3 in 1,400 with 3e-7.
  CHECK(large <= 3);
}

TEST_CASE("one wrong face of a die disagrees", "[report][cross_check]") {
  const CrossCheck check = answers::cross_check(exact_answer(), sampled(20'000, 1, kWrongDie), labels());
  CHECK_FALSE(check.agree);
  CHECK(check.p < 1e-6);
  CHECK(check.largest_difference > 7);
  CHECK(check.largest_name == "focus left of red");  // 3/8 -> 2/8 per die moves that most
}

TEST_CASE("an impossible outcome disagrees even once", "[report][cross_check]") {
  const salvo::game::Distribution truth = exact_answer();
  salvo::game::Distribution sample = sampled(20'000, 1);
  Eigen::ArrayXXd joint = Eigen::ArrayXXd::Zero(5, 4);
  joint.topRows(4) = sample.ships[1].joint;
  joint(4, 0) = 1.0 / 20'000;
  joint(0, 0) -= 1.0 / 20'000;
  sample.ships[1].joint = joint;
  const CrossCheck check = answers::cross_check(truth, sample);
  CHECK(check.p == 0);
  CHECK_FALSE(check.agree);
}

TEST_CASE("a distribution padded with zeros is unchanged", "[report][cross_check]") {
  const salvo::game::Distribution sample = sampled(20'000, 3);
  salvo::game::Distribution wide = sample;
  wide.ships[1].joint = Eigen::ArrayXXd::Zero(7, 9);
  wide.ships[1].joint.topLeftCorner(4, 4) = sample.ships[1].joint;
  CHECK(answers::cross_check(exact_answer(), wide).p == answers::cross_check(exact_answer(), sample).p);
  CHECK(answers::cross_check(exact_answer(), wide).df == 9);
}

TEST_CASE("cells with few expected counts are pooled", "[report][cross_check]") {
  // 40 trials: expectations 5, 3.75, 0.94, 0.08, 11.25, 5.6, 0.7, 8.4, 2.1, 2.1 give three cells of 10 or more.
  CHECK(answers::cross_check(exact_answer(), sampled(40, 1)).df == 2);
  CHECK(answers::cross_check(exact_answer(), sampled(5, 1)).df == 0);
  CHECK(answers::cross_check(exact_answer(), sampled(5, 1)).p == 1);
}

TEST_CASE("p is corrected for the number of ships", "[report][cross_check]") {
  salvo::game::Distribution truth = exact_answer(), sample = sampled(20'000, 4);
  const CrossCheck one = answers::cross_check(truth, sample);
  truth.ships.push_back(truth.ships[1]);
  sample.ships.push_back(sample.ships[1]);
  const CrossCheck two = answers::cross_check(truth, sample);
  CHECK(two.p == Approx(std::min(1.0, 2 * one.p)));
  CHECK(two.g == one.g);
}

TEST_CASE("figures without variance", "[report][cross_check]") {
  const salvo::game::Distribution truth = exact_answer();
  salvo::game::Distribution sample = sampled(20'000, 1);
  SECTION("a wrong number of dice disagrees") {
    sample.attacks[0].attack_dice = 4;
    const CrossCheck check = answers::cross_check(truth, sample);
    CHECK_FALSE(check.agree);
    CHECK(check.largest_name == "attack dice of attack 1");
  }
  SECTION("rounding is no difference") {
    sample.attacks[0].attack_dice = 3 + 1e-13;
    CHECK(answers::cross_check(truth, sample).agree);
  }
  SECTION("an impossible token disagrees") {
    sample.ships[1].tokens_left(3) = 1e-4;
    const CrossCheck check = answers::cross_check(truth, sample, labels());
    CHECK_FALSE(check.agree);
    CHECK(check.largest_name == "evade left of black");
  }
  SECTION("a rare outcome that was not sampled agrees") {
    salvo::game::Distribution rare = truth;
    rare.ships[1].tokens_left(3) = 1e-5;  // 0.2 expected in 20,000 trials
    CHECK(answers::cross_check(rare, sample, labels()).agree);
  }
}

TEST_CASE("dice of an attack that never happened are not compared", "[report][cross_check]") {
  salvo::game::Distribution truth = exact_answer(), sample = sampled(1000, 1);
  truth.attacks.push_back({.happens = 1e-6, .attack_dice = 3});
  sample.attacks.push_back({});
  CHECK(answers::cross_check(truth, sample).agree);
}
