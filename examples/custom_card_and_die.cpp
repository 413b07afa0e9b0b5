// A home-made card, played with home-made ten-sided dice: both are texts in the program (docs/cards.md).
#include <salvo/salvo.h>

#include <cstdlib>
#include <iostream>

constexpr const char* kRules = R"(
format = 1
id = "ten-sided"
name = "Ten-sided dice"
sizes = ["small"]
tokens = {}
dice.attack = { hit = 4, crit = 2, blank = 4 }
dice.defense = { evade = 4, blank = 6 }
)";

constexpr const char* kCard = R"(
id = "steady-aim"
kind = "upgrade"
charges = 1

[[effect]]  # spend the charge to reroll up to two blanks
side = "attacker"
at = "attack-mod"
may = true
cost = [{ token = "charge" }]
do = [{ verb = "reroll", dice = "attack", from = ["blank"], n = 2 }]
)";

int main() try {
  salvo::Catalogue catalogue;
  catalogue.add_rules_text(kRules, "ten-sided dice");
  catalogue.add_card_text(kCard, "steady aim");
  const auto scenario = salvo::scenario_from_specs(catalogue, "ten-sided", "", {"3 steady-aim"}, "2 hull=3");
  std::cout << salvo::to_table(salvo::answer(catalogue, scenario));
} catch (const salvo::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
