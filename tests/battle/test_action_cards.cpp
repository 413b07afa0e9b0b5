// Cards about actions in battles: what ships can do in their activation, against options derived by hand; a duel in
// closed form; and all engines against each other.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/g_test.h"
#include "battle/action_options.h"
#include "battle/exact.h"
#include "battle/reference.h"
#include "battle/sample.h"
#include "load/actions.h"
#include "support/battles.h"

using namespace salvo;
using battles::catalogue;

namespace {

using Words = std::multiset<std::string>;
using Options = std::set<Words>;

std::vector<std::string> columns(const std::string& line, const std::string& between) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(between, at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end + between.size();
  }
  return out;
}

std::vector<std::vector<std::string>> rows_in(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  std::vector<std::vector<std::string>> out;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') out.push_back(columns(line, "\t"));
  }
  return out;
}

battle::ShipType type_of(const std::string& set, const std::string& spec) {
  const std::string rules = set.substr(0, 5) == "first" ? "first-edition" : "second-edition";
  const BattleSide side = battle_side(catalogue(), {spec}, rules, set);
  std::vector<std::string> notes;
  const battle::GameCards cards{rules, set};
  const auto named = battle::named_ships(catalogue(), cards, side, {"mine", "mine"}, kNoDeck, notes);
  return battle::AttackTables(catalogue(), {rules, set}, named).type(0);
}

std::string name_of_slot(const battle::Slot& slot) {
  const std::size_t colon = slot.label.find(':');
  return colon == std::string::npos ? slot.label : slot.label.substr(colon + 1, slot.label.find('#') - colon - 1);
}

Words words_of_option(const battle::ShipType& type, const battle::ActionOption& option) {
  Words out;
  const auto add = [&](const char* sign, const battle::ActionOption::Amounts& amounts) {
    for (const auto& [slot, n] : amounts)
      out.insert(sign + name_of_slot(type.slots[static_cast<std::size_t>(slot)]) +
                 (n == 1 ? "" : "*" + std::to_string(n)));
  };
  add("", option.tokens);
  add("-", option.spent);
  add("+", option.suffered);
  if (option.lock) out.insert("lock");
  for (const int slot : option.without) out.insert("!" + name_of_slot(type.slots[static_cast<std::size_t>(slot)]));
  if (option.most_stress > 0) out.insert("@" + std::to_string(option.most_stress));
  return out;
}

Options options_of(const battle::ShipType& type) {
  Options out;
  for (const battle::ActionOption& option : type.options) {
    if (option.gives()) out.insert(words_of_option(type, option));
  }
  return out;
}

std::string text_of(const Options& options) {
  std::string out;
  for (const Words& words : options) {
    out += out.empty() ? "" : " | ";
    for (const std::string& word : words) out += word + " ";
  }
  return out;
}

const std::string kCases = std::string(SALVO_SOURCE_DIR) + "/tests/data/action-cards.tsv";

}  // namespace

TEST_CASE("Cards about actions give what their texts say", "[battle][actions]") {
  std::set<std::string> seen;
  for (const auto& row : rows_in(kCases)) {
    REQUIRE(row.size() == 3);
    INFO(row[0] << " " << row[1]);
    const battle::ShipType type = type_of(row[0], row[1]);
    const std::string set = row[0].substr(0, 5) == "first" ? "first-edition-" : "";
    for (const battle::OwnedCard& card : type.action_cards.known) seen.insert(set + card.kind + "/" + card.id);
    Options expected;
    for (const std::string& option : columns(row[2], " | ")) {
      const auto words = columns(option, " ");
      expected.insert(Words(words.begin(), words.end()));
    }
    CHECK(text_of(options_of(type)) == text_of(expected));
  }
  for (const std::string set : {"", "first-edition-"}) {
    for (const auto& row : rows_in(std::string(SALVO_SOURCE_DIR) + "/profiles/cards/" + set + "actions.tsv")) {
      REQUIRE(row.size() == 2);
      if (row[1][0] == '-') continue;
      INFO("a case of tests/data/action-cards.tsv for " << row[0]);
      CHECK(seen.count(set + row[0]) == 1);
    }
  }
}

TEST_CASE("A sentence about actions that cannot be read names the card and a right one", "[battle][actions]") {
  const battle::OwnedCard card{"pilot", "somebody"};
  for (const char* text : {"", "after any", "after: focus", "maneuver:", "before any: focus", "after any spend: focus",
                           "after any spend force*x: focus", "after any: Focus!", "once: focus", "stressed x: any"}) {
    INFO(text);
    CHECK_THROWS_AS(battle::parse_action_ability(card, text, "here"), LoadError);
  }
  const auto read =
      battle::parse_action_ability(card, "once after red,boost spend charge*2 suffer strain: red:lock", "");
  CHECK(read.once);
  CHECK(read.after == std::vector<std::string>{"red", "boost"});
  CHECK(read.spends == battle::TokenAmounts{{"charge", 2}});
  CHECK(read.suffers == battle::TokenAmounts{{"strain", 1}});
  REQUIRE(read.actions.size() == 1);
  CHECK(read.actions[0].name == "lock");
}

namespace {

/// The ship alone shoots, once, at a large hull without defense dice.
double damage(const std::string& spec, const std::string& rules = "second-edition", int rounds = 1) {
  BattleQuestion asked;
  asked.mine = battle_side(catalogue(), {spec}, rules, "");
  asked.theirs.rules = rules;
  asked.theirs.ships = {battles::ship("hull", 0, 0, 40, 0)};
  asked.flight = "range-2";
  asked.rounds = rounds;
  asked.my_policy = asked.their_policy = BattlePolicy::Greedy;
  BattleOptions options;
  options.engine = EngineChoice::Exact;
  return play_battle(catalogue(), asked, options).ships[0].damage_done.value;
}

}  // namespace

TEST_CASE("Vader locks, pays a Force for a focus, and rolls three dice with both", "[battle][actions]") {
  // A lock gives a third die (Advanced Targeting Computer), and rerolls blanks: each of the three dice deals damage but
  // with chance 1/4 * 1/4.
  CHECK(damage("pilot=darthvader force=1") == Approx(3 * 15.0 / 16));
  // Without a Force he has the lock alone, and rerolls blanks and focus results: half of the dice hit, then half of the
  // others.
  CHECK(damage("pilot=darthvader force=0") == Approx(3 * 3.0 / 4));
}

TEST_CASE("Push the Limit adds an action in the rounds without stress", "[battle][actions]") {
  // A generic X-wing with three dice: focus and lock in the first round, 15/16 of each die; it is stressed after it,
  // but still has no use for a lock that it has spent.
  CHECK(damage("ship=xwing initiative=1 pushthelimit", "first-edition") == Approx(3 * 15.0 / 16));
  CHECK(damage("ship=xwing initiative=1", "first-edition") == Approx(3 * 3.0 / 4));
}

TEST_CASE("Vader is an ace: his second action wins duels, and all engines agree on it", "[battle][actions]") {
  BattleQuestion asked;
  asked.mine = battle_side(catalogue(), {"pilot=darthvader"}, "", "");
  asked.theirs = battle_side(catalogue(), {"pilot=poedameron"}, "", "");
  asked.flight = "range-2";
  asked.rounds = 4;
  for (const BattlePolicy policy : {BattlePolicy::Greedy, BattlePolicy::Sound, BattlePolicy::Value}) {
    asked.my_policy = asked.their_policy = policy;
    const battle::Game game(catalogue(), asked, battles::kBudget);
    battle::ReferenceDice dice(game.tables(), battles::kBudget);
    const auto exact = battle::play_exactly(game, {.outcomes = 2e7, .work = HUGE_VAL});
    const auto sampled = battle::play_many(game, 0, 20'000, {.seed = 7, .threads = 1, .dice = nullptr, .progress = {}});
    const auto rolled = battle::play_many(game, 0, 2'000, {.seed = 7, .threads = 1, .dice = &dice, .progress = {}});
    CHECK(base::g_test_of_sample(sampled.ends, exact.ends) > battles::kAlike);
    CHECK(base::g_test_of_sample(rolled.ends, exact.ends) > battles::kAlike);
  }
}

TEST_CASE("Answers name what cards do with actions that battles leave out", "[battle][actions]") {
  BattleQuestion asked;
  asked.mine = battle_side(catalogue(), {"pilot=darthvader afterburners"}, "", "");
  asked.theirs = battle_side(catalogue(), {"pilot=onyxsquadronace"}, "", "");
  asked.flight = "range-2";
  asked.rounds = 1;
  const BattleReport found = play_battle(catalogue(), asked);
  CHECK(std::find(found.no_effect.begin(), found.no_effect.end(), "darthvader") == found.no_effect.end());
  CHECK(std::find(found.no_effect.begin(), found.no_effect.end(), "afterburners") == found.no_effect.end());
  const auto says = [&](const std::string& words) {
    return std::any_of(found.notes.begin(), found.notes.end(),
                       [&](const std::string& note) { return note.find(words) != std::string::npos; });
  };
  CHECK(says("battles leave out what Afterburners does with actions"));
  CHECK(says("its maneuvers are assumed to have the speed that fullthrottle asks for"));
  CHECK_FALSE(says("what Darth Vader does"));
}
