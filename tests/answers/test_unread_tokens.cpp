// No token is accepted that nothing reads: it changes a figure, or is refused, or a note names it.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/report.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

/// `focus`: of each ship, for tokens that act on others.
Scenario attack_with(const std::string& rules, int focus = 0) {
  Scenario out;
  out.rules = rules;
  out.source = "a.toml";
  out.ships["a"] = {.attack = 3, .agility = 2, .hull = 4};
  out.ships["d"] = {.attack = 3, .agility = 2, .hull = 4};
  ScenarioAttack& attack = out.attacks.emplace_back();
  attack.by = "a";
  attack.on = "d";
  for (auto& [name, ship] : out.ships) {
    if (focus > 0) ship.tokens["focus"] = focus;
  }
  return out;
}

bool same_figures(const Report& x, const Report& y) {
  for (const std::string ship : {"a", "d"}) {
    if (x.ship(ship).mean_damage.value != y.ship(ship).mean_damage.value) return false;
    if (x.ship(ship).destroyed.value != y.ship(ship).destroyed.value) return false;
  }
  const AttackEstimates &one = x.estimates.attacks[0], &other = y.estimates.attacks[0];
  return one.attack_dice.value == other.attack_dice.value && one.defense_dice.value == other.defense_dice.value &&
         one.mean_crits.value == other.mean_crits.value;
}

/// Read by the rules, but only when a token is gained or for one side.
const std::set<std::string> kActsOnEvents{"jam", "devoted"};

}  // namespace

TEST_CASE("tokens of all editions change a figure or are named", "[answers][tokens]") {
  const AnswerOptions options;
  int noted = 0, used = 0;
  for (const std::string& rules : tests::catalogue().edition_ids()) {
    const Report bare = answer(tests::catalogue(), attack_with(rules), options);
    const Report focused = answer(tests::catalogue(), attack_with(rules, 1), options);
    for (const load::TokenSpec& token : tests::catalogue().edition(rules)->tokens) {
      for (const std::string ship : {"a", "d"}) {
        INFO(rules << ": " << token.id << " of " << ship);
        Scenario scenario = attack_with(rules);
        scenario.ships[ship].tokens[token.id] = 1;
        Report report;
        try {
          report = answer(tests::catalogue(), scenario, options);
        } catch (const LoadError& error) {
          CHECK(std::string(error.what()).find(token.id) != std::string::npos);
          continue;
        }
        bool named = false;
        for (const std::string& note : report.notes)
          named = named || note == ship + ": nothing in these attacks reads its " + token.id + " token";
        Scenario with_focus = attack_with(rules, 1);
        with_focus.ships[ship].tokens[token.id] = 1;
        const bool same =
            same_figures(bare, report) && same_figures(focused, answer(tests::catalogue(), with_focus, options));
        if (kActsOnEvents.count(token.id) == 0) CHECK(named == same);
        ++(named ? noted : used);
      }
    }
  }
  CHECK(noted > 20);
  CHECK(used > 10);
}
