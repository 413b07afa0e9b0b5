#include "battle/board_facts.h"

#include "salvo/catalogue.h"

namespace salvo::battle {

std::vector<std::string> known_facts(const Catalogue& catalogue, const KnownOfAttack& known) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& name, bool holds) { out.push_back(holds ? name : "not " + name); };
  add("bullseye", known.shot.bullseye);
  if (known.shot.bullseye) add("in-front-arc", true);
  const bool near = known.shot.range <= 1;
  add("enemy-near-attacker", near);
  add("enemy-near-defender", near);
  if (known.shot.range > 0) add("enemy-touches-attacker", false);
  if (known.attacker_alone) {
    for (const std::string& name : catalogue.facts_of_attackers_friends()) add(name, false);
  }
  if (known.defender_alone) {
    for (const std::string& name : catalogue.facts_of_defenders_friends()) add(name, false);
  }
  return out;
}

std::string name_of_fact(const std::string& stated) { return stated.starts_with("not ") ? stated.substr(4) : stated; }

}  // namespace salvo::battle
