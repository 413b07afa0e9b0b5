// The steps of an attack, played by hand with chosen dice. Rule pages are named 000: Page (rules reference 1.4.6).
#include <catch2/catch.hpp>

#include "support/rules_table.h"

using namespace salvo;
using game::NextEvent;
using table::dice;
using table::duel;
using table::Table;

namespace {

/// Uncancelled hits and crits at the end of an attack.
std::pair<int, int> results(const Table& at) {
  REQUIRE(at.event == NextEvent::Finished);
  return {at.position.hits, at.position.crits};
}

/// Attack and defense dice of an attack without modifications.
std::pair<int, int> dice_counts(const Scenario& scenario) {
  Table at(scenario);
  REQUIRE(at.event == NextEvent::AttackRoll);
  const int attack = at.dice_due();
  at.roll(std::string(static_cast<std::size_t>(attack), 'b'));
  while (at.event == NextEvent::Decision) at.done();
  REQUIRE(at.event == NextEvent::DefenseRoll);
  return {attack, at.dice_due()};
}

std::pair<int, int> counts_at(int range, int attack, int agility, bool obstructed = false) {
  Scenario scenario = duel(attack, agility);
  scenario.attacks[0].range = range;
  scenario.attacks[0].obstructed = obstructed;
  return dice_counts(scenario);
}

using Pair = std::pair<int, int>;

}  // namespace

TEST_CASE("range bonus: +1 attack die at 1, +1 defense die at 3, +2 at 4 and 5",
          "[rules]") {  // 000: Range_Bouns, Huge_Ships
  const Pair want[] = {{2, 1}, {3, 1}, {2, 1}, {2, 2}, {2, 3}, {2, 3}};
  for (int range = 0; range <= 5; ++range) {
    CAPTURE(range);
    CHECK(counts_at(range, 2, 1) == want[range]);
  }
}

TEST_CASE("an obstructed attack gives the defender one more die", "[rules]") {  // 000: Obstructed
  CHECK(counts_at(2, 2, 0, true) == Pair{2, 1});
  CHECK(counts_at(3, 2, 1, true) == Pair{2, 3});
}

TEST_CASE("the limits of zero and six dice apply after all modifiers",
          "[rules]") {  // 000: Agility, Attack
  CHECK(counts_at(1, 6, 6, true) == Pair{6, 6});
  CHECK(counts_at(5, 20, 20) == Pair{6, 6});
  // 7 - 1 = 6 and 7 + 1 - 2 = 6: the limit applies last.
  Scenario many = duel(7, 7, {{"deplete", 1}}, {{"strain", 1}, {"tractor", 1}});
  many.attacks[0].obstructed = true;
  CHECK(dice_counts(many) == Pair{6, 6});
  many.ships["a"].attack = 6;
  many.ships["d"].agility = 6;
  CHECK(dice_counts(many) == Pair{5, 5});
  CHECK(dice_counts(duel(0, 0, {{"deplete", 1}}, {{"strain", 1}, {"tractor", 1}})) == Pair{0, 0});
  // 0 - 2 + 1 is zero, not one.
  Scenario few = duel(1, 0, {}, {{"strain", 1}, {"tractor", 1}});
  few.attacks[0].obstructed = true;
  CHECK(dice_counts(few) == Pair{1, 0});
}

TEST_CASE("tractor tokens cost a defense die from the threshold of the ship's size on",
          "[rules]") {  // 000: Tractor, Huge_Ships
  const std::map<std::string, int> threshold = {{"small", 1}, {"medium", 2}, {"large", 3}, {"huge", 6}};
  for (const auto& [size, n] : threshold) {
    for (int tokens = 0; tokens <= 7; ++tokens) {
      Scenario scenario = duel(1, 3, {}, {{"tractor", tokens}});
      scenario.ships["d"].size = size;
      CAPTURE(size, tokens);
      CHECK(dice_counts(scenario) == Pair{1, tokens >= n ? 2 : 3});
    }
  }
}

TEST_CASE("a cloaked defender rolls two more dice", "[rules]") {  // 000: Cloak
  CHECK(dice_counts(duel(1, 1, {}, {{"cloak", 1}})) == Pair{1, 3});
}

TEST_CASE("stress, ion and jam tokens change no dice", "[rules]") {
  CHECK(dice_counts(duel(2, 2, {{"stress", 3}, {"ion", 2}, {"jam", 1}}, {{"stress", 1}, {"ion", 3}, {"jam", 2}})) ==
        Pair{2, 2});
}

TEST_CASE("one strain token is removed per attack, even without a die to lose",
          "[rules]") {  // 000: Strain; 001: FAQ
  for (const int agility : {0, 2}) {
    Table at(duel(1, agility, {}, {{"strain", 2}}));
    CHECK(at.tokens("d", "strain") == 2);
    at.roll("b");
    CHECK(at.dice_due() == std::max(0, agility - 1));
    CHECK(at.tokens("d", "strain") == 1);
  }
}

TEST_CASE("one deplete token is removed per attack, even without a die to lose",
          "[rules]") {  // 000: Deplete; 001: FAQ
  for (const int attack : {0, 2}) {
    const Table at(duel(attack, 1, {{"deplete", 2}}));
    CHECK(at.dice_due() == std::max(0, attack - 1));
    CHECK(at.tokens("a", "deplete") == 1);
  }
}

TEST_CASE("strain of the attacker and deplete of the defender stay until their own defense or attack", "[rules]") {
  Table at(duel(2, 2, {{"strain", 1}}, {{"deplete", 1}}));
  CHECK(at.dice_due() == 2);
  at.roll("bb");
  CHECK(at.dice_due() == 2);
  CHECK(at.tokens("a", "strain") == 1);
  CHECK(at.tokens("d", "deplete") == 1);
}

TEST_CASE("at attack range 0 the attacker modifies nothing, the defender does", "[rules]") {  // 000: Attack
  Scenario scenario = duel(2, 1, {{"focus", 1}, {"calculate", 1}, {"force", 1}}, {{"focus", 1}, {"evade", 1}}, true);
  scenario.attacks[0].range = 0;
  Table at(scenario);
  at.roll("fb");
  REQUIRE(at.event == NextEvent::DefenseRoll);
  at.roll("f");
  REQUIRE(at.event == NextEvent::Decision);
  CHECK(at.options_for("focus") == 1);
  CHECK(at.options_for("evade") == 1);
  CHECK(results(at.done()) == Pair{0, 0});
  CHECK(at.tokens("a", "focus") == 1);
  CHECK(at.tokens("a", "lock") == 1);
}

TEST_CASE("at attack range 0 dice are not added, and enemy effects remove none from the defender",
          "[rules]") {  // 000: Attack
  for (const int range : {0, 2}) {
    Scenario scenario =
        duel(2, 3, {{"surge", 1}, {"chaff", 1}, {"glare", 1}, {"crush", 1}}, {{"strain", 1}, {"trance", 1}});
    scenario.rules = "touching";
    scenario.attacks[0].range = range;
    Table at(scenario, differential::test_catalogue());
    CHECK(at.dice_due() == (range == 0 ? 2 : 3));
    at.roll("hh");
    // Effects of the defender on attack dice are not the attacker's, so they remain.
    CHECK(at.options_for("trance") == 1);
    at.done();
    // The defender's own strain counts at range 0 too.
    CHECK(at.dice_due() == (range == 0 ? 2 : 1));
    at.roll("e");
    CHECK(at.options_for("glare") == (range == 0 ? 0 : 1));
    CHECK(at.options_for("crush") == (range == 0 ? 0 : 1));
  }
}

TEST_CASE("a focus token changes every focus result and needs one", "[rules]") {  // 000: Focus
  Table at(duel(4, 0, {{"focus", 1}}));
  at.roll("ffhb");
  CHECK(at.options().size() == 2);
  at.spend("focus");
  CHECK(at.tokens("a", "focus") == 0);
  CHECK(results(at.roll("")) == Pair{3, 0});
  Table without(duel(3, 0, {{"focus", 1}}));
  CHECK(without.roll("hbc").event == NextEvent::DefenseRoll);
}

TEST_CASE("a calculate token or Force charge changes one focus result each", "[rules]") {  // 000: Calculate, Charges
  Table at(duel(3, 3, {{"calculate", 2}}, {{"force", 2}}));
  at.roll("fff").spend("calculate", "f");
  CHECK(at.tokens("a", "calculate") == 1);
  CHECK(at.options_for("calculate") == 1);
  at.spend("calculate", "f");
  REQUIRE(at.event == NextEvent::DefenseRoll);  // no token is left for the third
  at.roll("ffb").spend("force", "f");
  CHECK(at.tokens("d", "force") == 1);
  CHECK(results(at.done()) == Pair{1, 0});
}

TEST_CASE("an evade token changes one blank or focus result of the defender", "[rules]") {  // 000: Evade
  Table at(duel(3, 3, {{"evade", 1}}, {{"evade", 2}}));
  at.roll("hhc");
  REQUIRE(at.event == NextEvent::DefenseRoll);  // evade tokens do nothing for an attacker
  at.roll("bfe");
  CHECK(at.options_for("evade") == 2);
  at.spend("evade", "b").spend("evade", "f");
  CHECK(results(at) == Pair{0, 0});
  Table all(duel(1, 2, {}, {{"evade", 2}}));
  CHECK(all.roll("h").roll("ee").event == NextEvent::Finished);
}

TEST_CASE("a lock rerolls one or more dice: every choice of dice is an option", "[rules]") {  // 000: Lock
  // Per face any number of its dice, but at least one in total: products of (number + 1), minus 1.
  const std::vector<std::pair<std::string, int>> cases = {{"b", 1},    {"hh", 2},      {"hb", 3},      {"hcfb", 15},
                                                          {"bbff", 8}, {"hhhbbb", 15}, {"hhccfb", 35}, {"", 0}};
  for (const auto& [letters, options] : cases) {
    Table at(duel(static_cast<int>(letters.size()), 0, {}, {}, true));
    at.roll(letters);
    CAPTURE(letters);
    CHECK(at.options_for("lock") == options);
  }
}

TEST_CASE("a spent lock is removed and its dice are marked as rerolled", "[rules]") {
  Table at(duel(3, 0, {}, {}, true));
  at.roll("bbh").spend("lock", "bb");
  CHECK(at.event == NextEvent::Reroll);
  CHECK(at.position.pending == 2);
  CHECK(at.position.attack_pool == dice(at.plan().attack_die, "h"));
  CHECK(at.tokens("a", "lock") == 0);
  at.reroll("c");
  CHECK(at.event == NextEvent::Reroll);
  at.reroll("f");
  CHECK(at.event == NextEvent::DefenseRoll);
  CHECK(at.position.attack_pool == dice(at.plan().attack_die, "hCF"));
  CHECK(results(at.roll("")) == Pair{1, 1});
}

TEST_CASE("a rerolled die is not rerolled again, but can be changed", "[rules]") {  // 000: Dice_Modification
  Table at(duel(4, 0, {{"calculate", 1}, {"focus", 1}}, {}, true));
  at.roll("bbff");
  at.position.attack_pool = dice(at.plan().attack_die, "bBfF");
  CHECK(at.options_for("lock") == 3);  // b, f, or both
  CHECK(at.options_for("calculate") == 2);
  at.spend("calculate", "F");
  CHECK(at.position.attack_pool == dice(at.plan().attack_die, "bBfH"));
  at.position.attack_pool = dice(at.plan().attack_die, "HBFF");
  CHECK(at.options_for("lock") == 0);
  CHECK(at.options_for("focus") == 1);
}

TEST_CASE("a lock on another ship cannot be spent", "[rules]") {  // 000: Lock: a lock on the defender
  Scenario scenario = duel(2, 0);
  scenario.ships["e"] = {.side = "theirs", .agility = 0, .hull = 1};
  scenario.ships["a"].locks = {"e"};
  CHECK(Table(scenario).roll("bb").event == NextEvent::DefenseRoll);
}

TEST_CASE("a player without tokens has no options", "[rules]") {
  Table at(duel(3, 3));
  CHECK(at.roll("fff").event == NextEvent::DefenseRoll);
  CHECK(at.roll("fff").event == NextEvent::Finished);
}

TEST_CASE("evades cancel hits, then critical hits", "[rules]") {  // 000: Attack, Neutralize Results
  struct Row {
    std::string attack, defense;
    Pair left;
  };
  const std::vector<Row> rows = {{"hhc", "bbb", {2, 1}}, {"hhc", "ebb", {1, 1}}, {"hhc", "eeb", {0, 1}},
                                 {"hhc", "eee", {0, 0}}, {"ccf", "ebb", {0, 1}}, {"hfb", "eee", {0, 0}},
                                 {"fbb", "bbb", {0, 0}}, {"ccc", "fbb", {0, 3}}};
  for (const Row& row : rows) {
    Table at(duel(3, 3));
    CAPTURE(row.attack, row.defense);
    CHECK(results(at.roll(row.attack).roll(row.defense)) == row.left);
  }
}

TEST_CASE("each reinforce token cancels one result while more than one is left", "[rules]") {  // 000: Reinforce
  struct Row {
    std::string attack;
    int tokens;
    Pair left;
  };
  const std::vector<Row> rows = {{"hhhc", 1, {2, 1}}, {"hhhc", 2, {1, 1}}, {"hhhc", 3, {0, 1}}, {"hhhc", 4, {0, 1}},
                                 {"hh", 1, {1, 0}},   {"hh", 2, {1, 0}},   {"hc", 1, {0, 1}},   {"h", 2, {1, 0}},
                                 {"c", 1, {0, 1}},    {"cc", 1, {0, 1}},   {"hhh", 2, {1, 0}},  {"b", 3, {0, 0}}};
  for (const Row& row : rows) {
    const int n = static_cast<int>(row.attack.size());
    Scenario scenario = duel(n, 0, {}, {{"reinforce", row.tokens}});
    Table at(scenario);
    CAPTURE(row.attack, row.tokens);
    CHECK(results(at.roll(row.attack).roll("")) == row.left);
    CHECK(at.tokens("d", "reinforce") == row.tokens);  // it is not spent
    scenario.attacks[0].reinforced = false;
    Table outside(scenario);
    const auto hits = static_cast<int>(std::count(row.attack.begin(), row.attack.end(), 'h'));
    const auto crits = static_cast<int>(std::count(row.attack.begin(), row.attack.end(), 'c'));
    CHECK(results(outside.roll(row.attack).roll("")) == Pair{hits, crits});
  }
}

TEST_CASE("evades cancel before reinforce tokens count the remaining results", "[rules]") {
  Table one(duel(2, 1, {}, {{"reinforce", 1}}));
  CHECK(results(one.roll("hc").roll("e")) == Pair{0, 1});
  Table two(duel(3, 1, {}, {{"reinforce", 2}}));
  CHECK(results(two.roll("hhc").roll("e")) == Pair{0, 1});
}

TEST_CASE("the gain of an attack by objective", "[rules]") {  // docs/format.md: Objectives
  struct Row {
    std::string objective;
    double first, second;  ///< for two attacks of 3 and 4 hits on hull 3 and shields 2
  };
  const std::vector<Row> rows = {{"damage", 3, 4}, {"kill", 0, 1}, {"health", 3, 2}, {"exchange", 3.0 / 5, 2.0 / 5}};
  for (const Row& row : rows) {
    Scenario scenario = duel(4, 0);
    scenario.objective = row.objective;
    scenario.attacks.push_back(scenario.attacks[0]);
    Table at(scenario);
    CAPTURE(row.objective);
    at.roll("hhcb").roll("");
    CHECK(game::payoff(at.plan(), at.attack(), at.position).value == row.first);
    at.next_attack();
    at.roll("hhhc").roll("");
    CHECK(game::payoff(at.plan(), at.attack(), at.position).value == row.second);
  }
}

TEST_CASE("a third shot at a destroyed ship gains only damage", "[rules]") {
  for (const std::string objective : {"damage", "kill", "health", "exchange"}) {
    Scenario scenario = duel(6, 0);
    scenario.objective = objective;
    scenario.attacks[0].initiative = 4;
    scenario.attacks.push_back(scenario.attacks[0]);
    Table at(scenario);
    at.roll("hhhhhh").roll("");
    at.next_attack();
    at.roll("hhhhhh").roll("");
    CAPTURE(objective);
    CHECK(game::payoff(at.plan(), at.attack(), at.position).value == (objective == "damage" ? 6 : 0));
    CHECK(game::payoff(at.plan(), at.attack(), at.position).damage == (objective == "kill" ? 6 : 0));
  }
}

TEST_CASE("a destroyed ship is removed at once, after its initiative, or never", "[rules]") {  // 000: Simultaneous_Fire
  const auto happens = [](const std::string& objective, std::optional<int> first, std::optional<int> second) {
    Scenario scenario = duel(6, 0);
    scenario.objective = objective;
    scenario.attacks[0].initiative = first;
    scenario.attacks.push_back({.by = "d", .on = "a", .initiative = second});
    Table at(scenario);
    at.roll("hhhhhh").roll("");
    const salvo::game::Resources left = game::end_attack(at.plan(), at.attack(), at.position.resources);
    return game::attack_happens(at.plan(), at.plan().attacks[1], left);
  };
  for (const std::string objective : {"kill", "health", "exchange"}) {
    CAPTURE(objective);
    CHECK_FALSE(happens(objective, std::nullopt, std::nullopt));
    CHECK_FALSE(happens(objective, 4, 3));
    CHECK(happens(objective, 4, 4));
  }
  CHECK(happens("damage", std::nullopt, std::nullopt));
  CHECK(happens("damage", 4, 3));
}
