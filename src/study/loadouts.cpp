#include "study/loadouts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "load/chances.h"
#include "load/specs.h"
#include "salvo/load.h"
#include "salvo/references.h"

namespace salvo::study {
namespace {

/// One attack without a defender.
Scenario read_spec(const Catalogue& catalogue, const load::GivenSpec& spec, const LoadoutOptions& how) {
  Scenario out = load::attacks_from_specs(catalogue, how.rules.value_or("second-edition"), how.cards.value_or(""),
                                          {spec.place, {spec}});
  load::resolve_names(catalogue, out);
  return out;
}

}  // namespace

load::GivenSpec item_of(const std::string& text) {
  return load::spec_of(fmt::format("ITEM {}", base::in_quotes(text)), text);
}

void add_squad(const Squad& squad, const LoadoutOptions& how, std::vector<Loadout>& out) {
  if (squad.pilots.empty())
    throw LoadError(fmt::format("{}: none of its pilots is known; {}", squad.source, caveats_of(squad).back()));
  const TokenSet& tokens = *std::find_if(token_sets().begin(), token_sets().end(),
                                         [&](const TokenSet& set) { return set.name == how.tokens; });
  for (const SquadPilot& pilot : squad.pilots) {
    Loadout loadout;
    loadout.name = fmt::format("{} ({})", pilot.name, pilot.ship_name);
    loadout.words = {pilot.name};
    for (const SquadUpgrade& upgrade : pilot.upgrades) loadout.words.push_back(upgrade.id);
    loadout.scenario = duel({squad.rules, squad.cards}, with_tokens(scenario_ship(pilot), tokens), tokens.lock, {},
                            how.weapon, how.range);
    loadout.scenario.source = fmt::format("{}: {}", squad.source, pilot.name);  // for error messages
    loadout.cost = cost_of(pilot);
    loadout.notes = caveats_of(squad);
    out.push_back(std::move(loadout));
  }
}

void add_spec(const Catalogue& catalogue, const load::GivenSpec& spec, const LoadoutOptions& how,
              std::vector<Loadout>& out) {
  Scenario read = read_spec(catalogue, spec, how);
  Loadout loadout;
  loadout.name = spec.text;
  loadout.words = base::words_between(spec.text, " \t\n\v\f\r");
  ScenarioShip& ship = read.ships["a1"];
  load::lock_on(kDefender, ship);
  loadout.scenario = read;
  loadout.scenario.ships.clear();
  for (std::size_t i = 0; i < read.attacks.size(); ++i) {  // x2: two such ships attack one after the other
    ScenarioAttack& attack = loadout.scenario.attacks[i];
    attack.by = i == 0 ? kAttacker : fmt::format("{} {}", kAttacker, i + 1);
    attack.on = kDefender;
    loadout.scenario.ships[attack.by] = ship;
  }
  const auto states = [&](std::string_view key) { return spec.text.find(key) != std::string::npos; };
  const bool weapon = states("weapon="), range = states("range=");
  for (ScenarioAttack& attack : loadout.scenario.attacks) {
    attack.unnamed = UnnamedWeapon::No;
    if (!weapon) attack.weapon = how.weapon;
    if (!range) attack.range = how.range;
  }
  loadout.scenario.lines.clear();
  loadout.scenario.given_by.clear();
  loadout.scenario.source = spec.text;
  loadout.cost = cost_in(catalogue, ship, catalogue.card_set(read.cards, read.rules));
  if (loadout.cost) *loadout.cost *= static_cast<int>(read.attacks.size());
  out.push_back(std::move(loadout));
}

std::vector<Opponent> opponents(const Catalogue& catalogue, const load::GivenSpecs& specs, const std::string& reference,
                                const Scenario& first) {
  std::vector<Opponent> out;
  for (const load::GivenSpec& spec : specs.list) {
    const Scenario read = load::scenario_from_specs(catalogue, first.rules, first.cards,
                                                    load::specs_of_option("--attack", {"1"}), {specs.place, {spec}});
    if (read.attacks[0].defense_rolled || read.attacks[0].defense_results)
      throw LoadError(fmt::format("{}: the roll of one attack is stated; leave it out, since many attacks are compared",
                                  spec.place));
    out.push_back({spec.text, spec.text, read.ships.at("d"), read.notes});
  }
  if (!out.empty()) return out;
  const ReferenceShips references = load_references(catalogue, reference, first.rules);
  for (const ReferenceShip& ship : references.defenders) out.push_back({ship.id, ship.name, ship.ship});
  return out;
}

}  // namespace salvo::study
