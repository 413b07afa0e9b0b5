// Should I spend my focus now? Both ships still shoot in this round, and each has one pool of tokens for both attacks.
#include <salvo/salvo.h>

#include <cstdlib>
#include <iostream>

int main() try {
  const salvo::Catalogue catalogue;

  salvo::Scenario duel;
  duel.objective = "exchange";  // the share of health that each side loses: theirs minus mine
  duel.ships["red"] = {.ship = "t65xwing", .tokens = {{"focus", 1}}, .locks = {"black"}};
  duel.ships["black"] = {.ship = "tieininterceptor", .tokens = {{"focus", 1}, {"evade", 1}}};
  duel.attacks = {{.by = "red", .on = "black", .initiative = 4}, {.by = "black", .on = "red", .initiative = 4}};

  const salvo::Advice advice = salvo::advise(catalogue, duel, {.attack = 1, .rolled = "hit focus blank"});

  std::cout << advice.situation << '\n';
  for (const salvo::PlayOption& option : advice.options) {
    std::cout << option.value << "  " << option.play;
    if (option.loss > 0) std::cout << "  (loses " << option.loss << ')';
    std::cout << '\n';
  }
} catch (const salvo::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
