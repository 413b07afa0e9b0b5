// One attack: Luke, with a focus token and a lock, shoots at a TIE fighter with an evade token at range 1.
#include <salvo/salvo.h>

#include <cstdlib>
#include <iostream>

int main() try {
  const salvo::Catalogue catalogue;

  salvo::Scenario scenario;
  scenario.ships["luke"] = {
      .ship = "t65xwing", .pilot = "lukeskywalker", .tokens = {{"focus", 1}}, .locks = {"mauler"}};
  scenario.ships["mauler"] = {.ship = "tielnfighter", .tokens = {{"evade", 1}}};
  scenario.attacks = {{.by = "luke", .on = "mauler", .range = 1}};

  const salvo::Report report = salvo::answer(catalogue, scenario);
  const salvo::ShipEstimates& mauler = report.ship("mauler");

  std::cout << "mean damage " << mauler.mean_damage.value << '\n';
  for (std::size_t k = 1; k < mauler.at_least.size(); ++k) {
    std::cout << "at least " << k << "  " << mauler.at_least[k].value << '\n';
  }
  std::cout << "destroyed   " << mauler.destroyed.value << '\n';
} catch (const salvo::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
