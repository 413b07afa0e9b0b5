// Questions about the same ships share tables of attacks. No answer may depend on what was asked before.
#include "battle/kept_tables.h"

#include <catch2/catch.hpp>

#include "support/battles.h"

namespace {

using namespace salvo;
using battles::catalogue;

BattleShip pilot(const std::string& id, std::vector<std::string> upgrades = {}) {
  BattleShip out{id, {}, {}, {}};
  out.ship.pilot = id;
  out.ship.upgrades = std::move(upgrades);
  return out;
}

/// Two on two, with charges, locks and cards that read the health of their ship.
BattleQuestion two_on_two() {
  BattleQuestion out;
  out.mine.ships = {pilot("lukeskywalker", {"instinctiveaim"}), pilot("wedgeantilles", {"predator"})};
  out.theirs.ships = {pilot("darthvader", {"marksmanship"}), pilot("maulermithel-battleofyavin")};
  return out;
}

std::string answer(const Catalogue& asked, const BattleQuestion& question, std::uint64_t trials = 40) {
  BattleOptions how;
  how.trials = trials;
  how.threads = 1;
  how.sensitivity = false;
  return to_json(play_battle(asked, question, how));
}

}  // namespace

TEST_CASE("The answer to a battle does not depend on the battles before it", "[battle]") {
  std::vector<BattleQuestion> questions(6, two_on_two());
  questions[1].flight = "range-2";
  questions[2].my_policy = BattlePolicy::Points;
  questions[3].damage_deck = "core";
  questions[4].mine.ships.pop_back();  // two ships are solved
  questions[4].theirs.ships.pop_back();
  questions[4].rounds = 2;
  std::swap(questions[5].mine, questions[5].theirs);
  std::vector<std::string> alone;
  for (const BattleQuestion& question : questions) alone.push_back(answer(Catalogue(catalogue()), question));
  const Catalogue used(catalogue());
  for (const std::size_t i : {0u, 1u, 2u, 0u, 3u, 0u, 4u, 2u, 4u, 5u, 0u}) {
    CAPTURE(i);
    CHECK(answer(used, questions[i]) == alone[i]);
  }
}

TEST_CASE("Tables are kept for the same ships, cards and deck", "[battle]") {
  using namespace salvo::battle;
  const Catalogue asked(catalogue());
  const KeptTables& kept = kept_tables(asked);
  BattleQuestion question = two_on_two();
  CHECK(kept.find(*tables_key(asked, question)) == nullptr);
  answer(asked, question);
  const auto tables = kept.find(*tables_key(asked, question));
  REQUIRE(tables != nullptr);
  const std::size_t solved = tables->solved();
  CHECK(solved > 100);
  answer(asked, question);
  CHECK(kept.find(*tables_key(asked, question)) == tables);
  CHECK(tables->solved() == solved);

  SECTION("flight and policy are of no concern to them") {
    question.flight = "chase";
    question.their_policy = BattlePolicy::Greedy;
    CHECK(kept.find(*tables_key(asked, question)) == tables);
  }
  SECTION("other ships replace them") {
    BattleQuestion other = question;
    other.mine.ships[0].ship.upgrades.clear();
    CHECK(kept.find(*tables_key(asked, other)) == nullptr);
    answer(asked, other, 1);
    CHECK(kept.find(*tables_key(asked, question)) == nullptr);
    other.damage_deck = "core";
    CHECK(kept.find(*tables_key(asked, other)) == nullptr);
  }
  SECTION("tables that are too large are not kept") {
    kept.keep(*tables_key(asked, question), nullptr);
    CHECK(kept.find(*tables_key(asked, question)) == nullptr);
  }
  SECTION("a copy of the catalogue starts without them, and cards of one's own drop them") {
    Catalogue copy = asked;
    CHECK(kept_tables(copy).find(*tables_key(copy, question)) == nullptr);
    answer(copy, question, 1);
    CHECK(kept_tables(copy).find(*tables_key(copy, question)) != nullptr);
    copy.add_card_text("id = \"predator\"\nkind = \"upgrade\"\n", "a home-made card");
    CHECK(kept_tables(copy).find(*tables_key(copy, question)) == nullptr);
    CHECK(answer(copy, question) != answer(asked, question));
  }
  SECTION("a catalogue that moves makes new ones") {
    Catalogue first(asked);
    answer(first, question, 1);
    const Catalogue moved(std::move(first));
    CHECK(kept_tables(moved).find(*tables_key(moved, question)) == nullptr);
    CHECK(answer(moved, question) == answer(asked, question));
  }
}

TEST_CASE("Ships that a battle refuses have no tables", "[battle]") {
  BattleQuestion question = two_on_two();
  question.mine.ships.assign(kMaxBattleShips + 1, question.mine.ships[0]);
  CHECK_FALSE(battle::tables_key(catalogue(), question));
  question = two_on_two();
  question.theirs.ships[0].ship.upgrades = {"no-such-card"};
  CHECK_FALSE(battle::tables_key(catalogue(), question));
  CHECK_THROWS_AS(answer(catalogue(), question), LoadError);
}
