// The list of commands: see commands.h.
#include "cli/commands.h"

namespace salvo::cli {

using Add = DeclaredCommand(CLI::App& top);
Add add_run, add_advise, add_worth, add_order, add_card, add_batch, add_durability, add_squad, add_compare, add_sweep,
    add_hazard, add_rules, add_ships, add_pilots, add_upgrades, add_weapons, add_completions, add_man;

std::vector<DeclaredCommand> add_commands(CLI::App& top) {
  std::vector<DeclaredCommand> out;
  for (Add* const add :
       {add_run, add_advise, add_worth, add_order, add_card, add_batch, add_durability, add_squad, add_compare,
        add_sweep, add_hazard, add_rules, add_ships, add_pilots, add_upgrades, add_weapons, add_completions, add_man})
    out.push_back(add(top));
  return out;
}

}  // namespace salvo::cli
