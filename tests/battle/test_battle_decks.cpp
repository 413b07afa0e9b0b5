// Battles with damage decks: against closed forms, against battles played here with a real pile of cards, and tables
// against dice. The references share no code with src/.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/g_test.h"
#include "battle/exact.h"
#include "battle/reference.h"
#include "battle/sample.h"
#include "salvo/gauntlet.h"
#include "salvo/salvo.h"
#include "support/battles.h"
#include "support/g_test_of_two.h"

using namespace salvo;

namespace {

using battles::catalogue, battles::kAlike, battles::kBare, battles::kBudget;

BattleShip ship(const std::string& name, int attack, int agility, int hull, int shields, int initiative) {
  BattleShip out = battles::ship(name, attack, agility, hull, initiative);
  out.ship.shields = shields;
  return out;
}

BattleQuestion question(std::vector<BattleShip> mine, std::vector<BattleShip> theirs, int rounds = 12) {
  BattleQuestion out = battles::question(std::move(mine), std::move(theirs), rounds);
  out.damage_deck = "core";
  return out;
}

BattleReport exactly(const BattleQuestion& asked) { return battles::exactly(asked, 1e8); }

battle::BattleTally play(const battle::Game& game, std::uint64_t n, battle::ReferenceDice* dice = nullptr,
                         int threads = 1) {
  return battle::play_many(game, 0, n, {.seed = 11, .threads = threads, .dice = dice, .progress = {}});
}

// ---------------------------------------------------------------- the reference: a pile of cards on a table

/// The 33 cards of the second edition.
enum Card { DirectHit, FuelLeak, HullBreach, Structural, WeaponsFailure, ConsoleFire, Other };
constexpr std::array<std::pair<Card, int>, 7> kDeck{{{DirectHit, 5},
                                                     {FuelLeak, 4},
                                                     {HullBreach, 2},
                                                     {Structural, 2},
                                                     {WeaponsFailure, 2},
                                                     {ConsoleFire, 2},
                                                     {Other, 16}}};

class Table {
 public:
  explicit Table(std::uint64_t seed, bool wrong = false) : random_(seed), wrong_(wrong) {}

  struct Model {
    int attack = 0, agility = 0, hull = 0, shields = 0;
  };

  /// My ships engage first. Returns result, rounds, and points of both.
  std::array<int, 4> battle(const Model& mine, const Model& his, int rounds) {
    std::array<One, 2> ships{One{mine, pile()}, One{his, pile()}};
    int round = 0;
    while (round < rounds && ships[0].hull > 0 && ships[1].hull > 0) {
      ++round;
      for (std::size_t s = 0; s < 2; ++s) {
        if (ships[s].gone) continue;
        burn(ships[s]);
        if (!ships[1 - s].gone) attack(ships[s], ships[1 - s]);
        for (One& one : ships) one.gone = one.hull <= 0;  // at the end of an initiative
      }
    }
    const auto points = [](const One& one) {
      const int health = std::max(0, one.hull) + one.shields, full = one.model.hull + one.model.shields;
      return one.hull <= 0 ? 10 : 2 * health <= full ? 5 : 0;
    };
    const int earned = points(ships[1]), given = points(ships[0]);
    int result = earned > given ? 1 : earned < given ? -1 : 0;
    if (ships[0].gone != ships[1].gone) result = ships[1].gone ? 1 : -1;
    return {result, round, earned, given};
  }

 private:
  struct One {
    One(const Model& one, std::vector<Card> cards)
        : model(one), pile(std::move(cards)), hull(one.hull), shields(one.shields) {}
    Model model;
    std::vector<Card> pile;
    int hull, shields;
    std::multiset<Card> faceup;
    int due = 0;  // critical damage
    bool gone = false;
    int has(Card card) const { return static_cast<int>(faceup.count(card)); }
  };

  std::vector<Card> pile() {
    std::vector<Card> out;
    for (const auto& [card, n] : kDeck) out.insert(out.end(), static_cast<std::size_t>(n), card);
    std::shuffle(out.begin(), out.end(), random_);
    return out;
  }
  int side() { return static_cast<int>(random_() % 8); }

  static Card draw(One& one) {
    const Card out = one.pile.back();
    one.pile.pop_back();
    return out;
  }
  static void flip(One& one, Card card) { one.faceup.erase(one.faceup.find(card)); }

  static void hit(One& one, int n) {
    if (one.has(HullBreach) > 0) {
      one.due += n;
      return;
    }
    for (int i = 0; i < n; ++i) {
      if (one.shields > 0) {
        --one.shields;
      } else {
        --one.hull;
        draw(one);
      }
    }
  }

  void suffer_due(One& one) const {
    while (one.due > 0) {
      --one.due;
      const int leaks = one.has(FuelLeak);
      const bool shielded = one.shields > 0;
      Card card = Other;
      if (shielded) {
        --one.shields;
      } else {
        --one.hull;
        card = draw(one);
        one.faceup.insert(card);
      }
      for (int i = 0; i < leaks; ++i) {
        hit(one, 1);
        flip(one, FuelLeak);
      }
      if (card == DirectHit) {
        if (!wrong_) hit(one, 1);
        flip(one, DirectHit);
      }
    }
  }

  void burn(One& one) {
    int hits = 0;
    for (int i = 0; i < one.has(ConsoleFire); ++i) hits += side() < 3 ? 1 : 0;
    hit(one, hits);
    suffer_due(one);
  }

  void attack(One& by, One& on) {
    int hits = 0, crits = 0, evades = 0;
    for (int i = by.has(WeaponsFailure); i < by.model.attack; ++i) {
      const int rolled = side();
      hits += rolled < 3 ? 1 : 0;
      crits += rolled == 3 ? 1 : 0;
    }
    for (int i = on.has(Structural); i < on.model.agility; ++i) evades += side() < 3 ? 1 : 0;
    const int off = std::min(hits, evades);
    crits -= std::min(crits, evades - off);
    hit(on, hits - off);
    on.due += crits;
    suffer_due(on);
  }

  std::mt19937_64 random_;
  bool wrong_;
};

base::CountMap<std::array<int, 4>> on_a_table(const Table::Model& mine, const Table::Model& his, int rounds,
                                              int battles, bool wrong = false) {
  Table table(20, wrong);
  base::CountMap<std::array<int, 4>> out;
  for (int b = 0; b < battles; ++b) ++out[table.battle(mine, his, rounds)];
  return out;
}

}  // namespace

TEST_CASE("One die against two hull in one round: a Direct Hit destroys, or a Console Fire when the ship engages",
          "[battle][deck]") {
  for (const bool engages_later : {false, true}) {
    BattleQuestion asked = question({ship("a", 1, 0, 2, 0, 5)}, {ship("b", 0, 0, 2, 0, engages_later ? 1 : 9)}, 1);
    const double more = 1.0 / 8 * 5 / 33 + (engages_later ? 1.0 / 8 * 2 / 33 * 3 / 8 : 0);
    CHECK(exactly(asked).ships[1].survives.value == Approx(1 - more).epsilon(1e-12));
    CHECK(exactly(asked).ships[1].damage_taken.value == Approx(0.5 + more).epsilon(1e-12));
    asked.damage_deck = kNoDeck;
    CHECK(exactly(asked).ships[1].survives.value == Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("Two single dice against four hull: cards last into the next round and have left the deck",
          "[battle][deck]") {
  // Two Direct Hits; a Fuel Leak triggered by a Direct Hit; a Console Fire that burns before the second attack, which
  // is a Direct Hit. A Hull Breach makes the next hit or critical hit, and the damage of a Direct Hit, critical: two of
  // these. It does so with the damage of a Fuel Leak that it triggers: one.
  const double crit = 1.0 / 8, hit = 3.0 / 8;
  const double destroyed = crit * crit * (5.0 / 33 * 4 / 32 + 4.0 / 33 * 5 / 32 + 2.0 / 33 * hit * 5 / 32) +
                           crit * (crit + hit) * 2 / 33 * 5 / 32 * 4 / 31 + crit * crit * 4 / 33 * 2 / 32 * 5 / 31;
  const BattleReport found = exactly(question({ship("a", 1, 0, 9, 0, 5)}, {ship("b", 0, 0, 4, 0, 9)}, 2));
  CHECK(1 - found.ships[1].survives.value == Approx(destroyed).epsilon(1e-10));
  CHECK(found.damage_deck == "core");
}

TEST_CASE("Exact battles equal those with a pile of cards, and a Direct Hit without effect is noticed",
          "[battle][deck]") {
  const Table::Model mine{3, 2, 2, 1}, his{3, 1, 3, 0};
  const BattleQuestion asked = question({ship("a", 3, 2, 2, 1, 5)}, {ship("b", 3, 1, 3, 0, 2)}, 2);
  const battle::Game game(catalogue(), asked, kBudget);
  const battle::ExactBattle exact = battle::play_exactly(game, {1e8, 1e12});
  double sum = 0;
  for (const auto& [end, p] : exact.ends) sum += p;
  CHECK(sum == Approx(1).epsilon(1e-9));
  CHECK(base::g_test_of_sample(on_a_table(mine, his, 2, 200'000), exact.ends) > kAlike);
  CHECK(base::g_test_of_sample(on_a_table(mine, his, 2, 200'000, true), exact.ends) < kAlike);
  CHECK(base::g_test_of_sample(play(game, 20'000).ends, exact.ends) > kAlike);
}

TEST_CASE("Sampled battles of many rounds equal those with a pile of cards", "[battle][deck]") {
  const Table::Model mine{3, 2, 5, 2}, his{4, 1, 7, 0};
  const BattleQuestion asked = question({ship("a", 3, 2, 5, 2, 5)}, {ship("b", 4, 1, 7, 0, 2)}, 8);
  const battle::Game game(catalogue(), asked, kBudget);
  const auto tables = play(game, 20'000).ends;
  CHECK(tests::g_test_of_two(tables, on_a_table(mine, his, 8, 100'000)) > kAlike);
  CHECK(tests::g_test_of_two(tables, on_a_table(mine, his, 8, 100'000, true)) < kAlike);
  battle::ReferenceDice dice(game.tables(), kBudget);
  CHECK(tests::g_test_of_two(play(game, 1'500, &dice).ends, on_a_table(mine, his, 8, 100'000)) > kAlike);
}

namespace {

/// Locks, charges, Force, stress, a pilot who changes how cards are dealt, and two ships that share a deck.
BattleQuestion lively(const char* my_first) {
  BattleQuestion out;
  out.my_policy = out.their_policy = BattlePolicy::Greedy;
  out.flight = "range-2";
  out.mine = battle_side(catalogue(), {my_first, "pilot=bluesquadronpilot"}, "", "");
  out.theirs = battle_side(catalogue(), {"pilot=darthvader", "pilot=academypilot"}, "", "");
  out.rounds = 5;
  out.damage_deck = "core";
  return out;
}

}  // namespace

TEST_CASE("Tables and dice give the same battles with a damage deck, which differ from those without",
          "[battle][deck]") {
  struct Case {
    const char* first;
    std::uint64_t tables, dice;
  };
  // Attacks by and on Chewbacca need separate tables of dice and cards, which take long to build.
  for (const Case& one : {Case{"pilot=lukeskywalker", 20'000, 1'500}, Case{"pilot=chewbacca", 500, 300}}) {
    BattleQuestion asked = lively(one.first);
    const battle::Game game(catalogue(), asked, kBudget);
    const auto tables = play(game, one.tables).ends;
    battle::ReferenceDice dice(game.tables(), kBudget);
    CHECK(tests::g_test_of_two(tables, play(game, one.dice, &dice).ends) > kAlike);
    if (one.tables < 10'000) continue;
    asked.damage_deck = kNoDeck;
    const battle::Game without(catalogue(), asked, kBudget);
    CHECK(tests::g_test_of_two(tables, play(without, one.tables).ends) < kAlike);
  }
}

TEST_CASE("Threads change nothing about battles with a damage deck", "[battle][deck]") {
  const battle::Game one(catalogue(), lively("pilot=lukeskywalker"), kBudget),
      other(catalogue(), lively("pilot=lukeskywalker"), kBudget);
  const battle::BattleTally alone = play(one, 2'500), many = play(other, 2'500, nullptr, 3);
  CHECK(alone.ends == many.ends);
  CHECK(alone.ships == many.ships);
}

TEST_CASE("A gauntlet with a damage deck equals its battles", "[battle][deck]") {
  for (const char* special : {"pilot=lukeskywalker", "pilot=chewbacca"}) {
    GauntletQuestion asked;
    for (const char* spec : {special, "pilot=darthvader", "pilot=soontirfel"})
      asked.sides.push_back(battle_side(catalogue(), {spec}, "", ""));
    asked.flight = "range-2";
    asked.rounds = 3;
    asked.damage_deck = "core";
    BattleOptions options;
    options.engine = EngineChoice::Sample;
    options.trials = 500;
    const GauntletReport all = gauntlet(catalogue(), asked, options);
    BattleQuestion pair;
    pair.mine = asked.sides[1];
    pair.theirs = asked.sides[2];
    pair.flight = asked.flight;
    pair.rounds = asked.rounds;
    pair.damage_deck = "core";
    const BattleReport one = play_battle(catalogue(), pair, options);
    CHECK(all.win[1][2].value == one.win.value + one.draw.value / 2);
    CHECK(all.damage_deck == "core");
  }
}

TEST_CASE("Answers name a damage deck that is used; one that cannot be used is refused", "[battle][deck]") {
  BattleQuestion asked = question({ship("a", 2, 1, 2, 0, 5)}, {ship("b", 1, 1, 1, 0, 2)}, 1);
  const std::string with = to_json(exactly(asked));
  CHECK(with.find("\"damage_deck\": \"core\"") != std::string::npos);
  CHECK(with.find("damage cards are not repaired") != std::string::npos);
  asked.damage_deck = kNoDeck;
  CHECK(to_json(exactly(asked)).find("damage_deck") == std::string::npos);
  asked.damage_deck = "crore";
  CHECK_THROWS_WITH(exactly(asked), Catch::Contains("core"));
  asked.damage_deck = "core";
  asked.my_policy = BattlePolicy::Optimal;
  CHECK_THROWS_WITH(exactly(asked), Catch::Contains("without a damage deck"));
}
