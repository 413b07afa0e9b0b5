// Examples for the tests of the report room: three attack dice on a ship with hull, exact or rolled.
// In: the sides of a die, number of trials, seed. Out: a Distribution whose every figure follows from the same rolls,
// and its Report.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "answers/estimates.h"

namespace report_examples {

/// Sides of an attack die with hit, crit, focus, blank.
using Sides = std::array<int, 4>;
inline constexpr Sides kFairDie = {3, 1, 2, 2};
inline constexpr Sides kWrongDie = {4, 1, 1, 2};  ///< one focus side shows a hit

/// An outcome of three dice: hits, crits, and whether the focus token was spent (any focus result was rolled).
struct Roll {
  int hits = 0, crits = 0;
  bool focus_spent = false;
};

inline Roll roll_of(int a, int b, int c) {
  Roll roll;
  for (const int face : {a, b, c}) {
    if (face == 0) ++roll.hits;
    if (face == 1) ++roll.crits;
    if (face == 2) roll.focus_spent = true;
  }
  return roll;
}

/// Ship 0 "red" attacks ship 1 "black" (hull 1, shields 1); resources: focus and two locks of red, evade of black.
inline salvo::compile::Labels labels() {
  salvo::compile::Labels out;
  out.rules = "second-edition";
  out.objective = "damage";
  out.attacker_policy = "optimal";
  out.defender_policy = "hold";
  out.ships = {"red", "black"};
  out.ship_titles = {"T-65 X-wing", "TIE/ln Fighter"};
  out.resources = {{.name = "focus", .ship = 0, .is_token = true},
                   {.name = "lock", .ship = 0, .is_token = true},
                   {.name = "lock", .ship = 0, .is_token = true},
                   {.name = "evade", .ship = 1, .is_token = true},
                   {.name = "health", .ship = 1}};
  out.attacks = {{.by = 0, .on = 1, .weapon = "primary (front)", .range = 2}};
  return out;
}

/// Adds an outcome that has probability `p` in all figures but the token errors.
inline void add(salvo::game::Distribution& out, const Roll& roll, double p) {
  salvo::game::ShipDistribution& black = out.ships[1];
  const int damage = roll.hits + roll.crits;
  black.joint(roll.hits, roll.crits) += p;
  black.damage(damage) += p;
  black.hull(damage >= 2 ? 0 : 1) += p;
  black.shields(damage >= 1 ? 0 : 1) += p;
  if (damage >= 2) black.destroyed += p;
  out.ships[0].tokens_left(0) += roll.focus_spent ? 0 : p;
  out.attacks[0].hit_probability += damage > 0 ? p : 0;
  out.attacks[0].mean_hits += p * roll.hits;
  out.attacks[0].mean_crits += p * roll.crits;
  out.value += p * damage;
}

inline salvo::game::Distribution empty() {
  salvo::game::Distribution out;
  out.ships.resize(2);
  for (auto& ship : out.ships) ship.tokens_left = Eigen::ArrayXd::Zero(5);
  out.ships[0].tokens_left(1) = out.ships[0].tokens_left(2) = 0.75;
  out.ships[0].joint = Eigen::ArrayXXd::Ones(1, 1);
  out.ships[0].damage = Eigen::ArrayXd::Ones(1);
  out.ships[1].joint = Eigen::ArrayXXd::Zero(4, 4);
  out.ships[1].damage = Eigen::ArrayXd::Zero(6);
  out.ships[1].hull = out.ships[1].shields = Eigen::ArrayXd::Zero(2);
  out.attacks.resize(1);
  out.attacks[0].happens = 1;
  out.attacks[0].attack_dice = 3;
  return out;
}

/// The exact distribution for three dice with these sides.
inline salvo::game::Distribution exact_answer(const Sides& sides = kFairDie) {
  salvo::game::Distribution out = empty();
  const auto at = [&](int face) { return sides[static_cast<std::size_t>(face)] / 8.0; };
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      for (int c = 0; c < 4; ++c) add(out, roll_of(a, b, c), at(a) * at(b) * at(c));
  return out;
}

inline int face_of(const Sides& sides, int side) {
  int face = 0;
  while (side >= sides[static_cast<std::size_t>(face)]) side -= sides[static_cast<std::size_t>(face++)];
  return face;
}

/// The same from `trials` rolls.
inline salvo::game::Distribution sampled(std::uint64_t trials, std::uint64_t seed, const Sides& sides = kFairDie) {
  std::mt19937_64 random(seed);
  salvo::game::Distribution out = empty();
  const auto n = static_cast<double>(trials);
  std::vector<double> counts(64);
  for (std::uint64_t i = 0; i < trials; ++i) {
    const std::uint64_t bits = random();
    const auto face = [&](int die) { return face_of(sides, static_cast<int>(bits >> 3 * die & 7)); };
    ++counts[static_cast<std::size_t>(16 * face(0) + 4 * face(1) + face(2))];
  }
  for (int i = 0; i < 64; ++i) add(out, roll_of(i / 16, i / 4 % 4, i % 4), counts[static_cast<std::size_t>(i)] / n);
  out.trials = trials;
  out.seed = seed;
  out.generator = "mt19937_64";
  for (auto& ship : out.ships) ship.tokens_left_se = Eigen::ArrayXd::Zero(5);
  const double left = out.ships[0].tokens_left(0);
  out.ships[0].tokens_left_se(0) = std::sqrt(left * (1 - left) / n);
  out.ships[0].tokens_left_se(1) = out.ships[0].tokens_left_se(2) = 1e-4;
  auto& attack = out.attacks[0];
  attack.mean_hits_se = std::sqrt(3 * (sides[0] / 8.0) * (1 - sides[0] / 8.0) / n);
  attack.mean_crits_se = std::sqrt(3 * (1 / 8.0) * (7 / 8.0) / n);
  out.value_se = std::sqrt(attack.mean_hits_se * attack.mean_hits_se + attack.mean_crits_se * attack.mean_crits_se);
  return out;
}

inline salvo::Report exact_report() { return salvo::answers::make_report(labels(), exact_answer()); }

inline salvo::Report sampled_report(std::uint64_t trials = 10'000) {
  return salvo::answers::make_report(labels(), sampled(trials, 7));
}

/// Both engines; the figures are the exact ones.
inline salvo::Report both_report(const salvo::CrossCheck& check) {
  salvo::Report report = exact_report();
  report.engine = salvo::Engine::Both;
  salvo::answers::add_sample(report, sampled(1000, 1));
  report.cross_check = check;
  return report;
}

}  // namespace report_examples
