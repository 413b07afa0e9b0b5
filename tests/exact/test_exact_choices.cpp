// Choices among dice and tokens in dense tables: the fast searches must give the results of an exhaustive search
// by the tie rule of value.h.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "exact/graph/graph.h"
#include "exact/tables/token_dice.h"
#include "support/rules_table.h"

using namespace salvo;
using namespace salvo::exact;

namespace {

/// Values with exact ties, near ties, and chains of them.
class Values {
 public:
  double next() {
    const int kind = pick_(random_) % 4;
    if (kind == 0) base_ = pick_(random_) % 5 * 0.25;
    if (kind == 1) return base_ + (pick_(random_) % 7 - 3) * 0.7 * kTie;
    if (kind == 2) return base_ + (pick_(random_) % 3 - 1) * 1e-15;
    return base_;
  }
  int below(int n) { return pick_(random_) % n; }

 private:
  std::mt19937 random_{7};
  std::uniform_int_distribution<int> pick_{0, 1 << 20};
  double base_ = 0.5;
};

/// The rule: best first value; among equal ones best second value; among equal ones the first.
int first_by_rule(const std::vector<Pair>& values, double sign, bool two) {
  double first = -1e300, second = -1e300;
  for (const Pair& value : values) first = std::max(first, sign * value.v);
  for (const Pair& value : values) {
    if (equal(sign * value.v, first)) second = std::max(second, sign * value.w);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (equal(sign * values[i].v, first) && (!two || equal(sign * values[i].w, second))) return static_cast<int>(i);
  }
  return -1;
}

template <typename V>
V of(const Pair& value) {
  return V::of(value.value());
}

template <typename V>
void check_first_best() {
  Values random;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<Pair> values(static_cast<std::size_t>(1 + random.below(8)));
    for (Pair& value : values) value = {random.next(), random.next()};
    for (const double sign : {1.0, -1.0}) {
      const int found = first_best<V>(
          static_cast<int>(values.size()), sign, [&](int i) { return of<V>(values[static_cast<std::size_t>(i)]); },
          [](int) { return true; });
      REQUIRE(found == first_by_rule(values, sign, V::kTwo));
    }
  }
}

/// The best reroll by the rule, with the preferences of docs/format.md: fewest dice, then most blanks.
template <typename V>
Reroll reroll_by_rule(const DiceTable& table, const ThreeFaceRoll& roll, const std::vector<Pair>& kept,
                      const Pair& stay, bool prefers_stay) {
  std::vector<Pair> values;
  std::vector<Reroll> rerolls;
  if (prefers_stay) {
    values.push_back(stay);
    rerolls.emplace_back();
  }
  for (int dice = 1; dice <= roll.focus + roll.blank; ++dice) {
    for (int blanks = dice; blanks >= 0; --blanks) {
      if (blanks > roll.blank || dice - blanks > roll.focus) continue;
      rerolls.push_back({roll.focus - (dice - blanks), roll.blank - blanks, true});
      values.push_back(kept[table.at(roll.success, rerolls.back().focus, rerolls.back().blank)]);
    }
  }
  if (!prefers_stay) {
    values.push_back(stay);
    rerolls.emplace_back();
  }
  return rerolls[static_cast<std::size_t>(first_by_rule(values, 1.0, V::kTwo))];
}

template <typename V>
void check_best_reroll() {
  Values random;
  for (int round = 0; round < 5'000; ++round) {
    const DiceTable table{1 + random.below(5)};
    std::vector<Pair> kept(table.cubes());
    for (Pair& value : kept) value = {random.next(), random.next()};
    std::vector<V> values;
    for (const Pair& value : kept) values.push_back(of<V>(value));
    std::vector<double> most(table.cubes());
    fill_most(table, values.data(), most.data());
    ThreeFaceRoll roll;
    roll.success = random.below(table.n + 1);
    roll.focus = random.below(table.n - roll.success + 1);
    roll.blank = table.n - roll.success - roll.focus;
    const Pair stay{random.next(), random.next()};
    const bool prefers_stay = random.below(2) == 0;
    const Reroll found =
        best_reroll(table, roll, values.data(), most.data(), of<V>(stay), prefers_stay ? 1000 : 1, 100);
    const Reroll want = reroll_by_rule<V>(table, roll, kept, stay, prefers_stay);
    REQUIRE(found.taken == want.taken);
    if (found.taken) REQUIRE((found.focus == want.focus && found.blank == want.blank));
  }
}

}  // namespace

TEST_CASE("The first of the best values is found, chains of near ties included", "[exact][ties]") {
  check_first_best<Single>();
  check_first_best<Pair>();
}

TEST_CASE("The best reroll is found, chains of near ties included", "[exact][ties]") {
  check_best_reroll<Single>();
  check_best_reroll<Pair>();
}

TEST_CASE("Of equal plays the one that saves more tokens is preferred, then the one that saves better tokens",
          "[exact][ties]") {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(
      differential::catalogue(), table::duel(2, 1, {{"focus", 3}, {"calculate", 3}}, {}, true));
  const game::Plan& plan = question.plan;
  game::Plan many = plan;  // more tokens than the fields of a key can hold
  for (game::Resource& resource : many.resources)
    resource.max += resource.rank == salvo::game::SpendRank::None ? 0 : 200;
  const TieKey key(plan, plan.attacks[0], true), key_of_many(many, many.attacks[0], true);
  // docs/format.md: fewest tokens are spent; of equal numbers calculate before focus, and locks last.
  using Kept = std::array<int, 3>;
  const auto worth = [](const Kept& kept) {
    return std::array<int, 4>{kept[0] + kept[1] + kept[2], -kept[0], -kept[1], -kept[2]};
  };
  const auto position_of = [&](const Kept& kept) {
    salvo::game::Position out = game::begin_attack(plan, plan.attacks[0], plan.start);
    for (const salvo::game::Resource& resource : plan.resources) {
      const salvo::game::SpendRank ranks[] = {salvo::game::SpendRank::Calculate, salvo::game::SpendRank::Focus,
                                              salvo::game::SpendRank::Lock};
      for (std::size_t i = 0; i < kept.size(); ++i) {
        if (resource.rank == ranks[i] && resource.dynamic && plan.ships[static_cast<std::size_t>(resource.ship)].mine)
          out.resources.set(resource, kept[i]);
      }
    }
    return out;
  };
  std::vector<Kept> all;
  for (int n = 0; n < 32; ++n) all.push_back({n % 4, n / 4 % 4, n / 16});
  for (const Kept& a : all) {
    for (const Kept& b : all) {
      for (const TieKey* one : {&key, &key_of_many})
        CHECK(((*one)(position_of(a)) > (*one)(position_of(b))) == (worth(a) > worth(b)));
    }
  }
}
