// Questions about the same ships share tables of attacks. No answer may depend on what was asked before.
#include "battle/table_cache.h"

#include <catch2/catch.hpp>

#include "battle/game.h"
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

/// What the tables of the battle depend on.
battle::TablesKey key_of(const Catalogue& asked, const BattleQuestion& question) {
  battle::TablesKey out;
  const auto remember = [&](const battle::TablesKey& key) {
    out = key;
    return std::shared_ptr<battle::AttackTables>();
  };
  const battle::Game game(asked, question, 1e6, remember);
  return out;
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
  const TableCache& kept = table_cache(asked);
  BattleQuestion question = two_on_two();
  CHECK(kept.find(key_of(asked, question)) == nullptr);
  answer(asked, question);
  const auto tables = kept.find(key_of(asked, question));
  REQUIRE(tables != nullptr);
  const std::size_t solved = tables->solved();
  CHECK(solved > 100);
  answer(asked, question);
  CHECK(kept.find(key_of(asked, question)) == tables);
  CHECK(tables->solved() == solved);

  SECTION("flight and policy are of no concern to them") {
    question.flight = "chase";
    question.their_policy = BattlePolicy::Greedy;
    CHECK(kept.find(key_of(asked, question)) == tables);
  }
  SECTION("other ships replace them") {
    BattleQuestion other = question;
    other.mine.ships[0].ship.upgrades.clear();
    CHECK(kept.find(key_of(asked, other)) == nullptr);
    answer(asked, other, 1);
    CHECK(kept.find(key_of(asked, question)) == nullptr);
    other.damage_deck = "core";
    CHECK(kept.find(key_of(asked, other)) == nullptr);
  }
  SECTION("tables that are too large are not kept") {
    kept.keep(key_of(asked, question), nullptr);
    CHECK(kept.find(key_of(asked, question)) == nullptr);
  }
  SECTION("a copy of the catalogue starts without them, and cards of one's own drop them") {
    Catalogue copy = asked;
    CHECK(table_cache(copy).find(key_of(copy, question)) == nullptr);
    answer(copy, question, 1);
    CHECK(table_cache(copy).find(key_of(copy, question)) != nullptr);
    copy.add_card_text("id = \"predator\"\nkind = \"upgrade\"\n", "a home-made card");
    CHECK(table_cache(copy).find(key_of(copy, question)) == nullptr);
    CHECK(answer(copy, question) != answer(asked, question));
  }
  SECTION("a catalogue that moves makes new ones") {
    Catalogue first(asked);
    answer(first, question, 1);
    const Catalogue moved(std::move(first));
    CHECK(table_cache(moved).find(key_of(moved, question)) == nullptr);
    CHECK(answer(moved, question) == answer(asked, question));
  }
}

TEST_CASE("A battle that is refused leaves the kept tables", "[battle]") {
  const Catalogue asked(catalogue());
  answer(asked, two_on_two(), 1);
  BattleQuestion refused = two_on_two();
  refused.theirs.ships[0].ship.upgrades = {"no-such-card"};
  CHECK_THROWS_AS(answer(asked, refused), LoadError);
  CHECK(battle::table_cache(asked).find(key_of(asked, two_on_two())) != nullptr);
}
