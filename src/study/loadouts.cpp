// Loadouts: see loadouts.h.
#include "study/loadouts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "load/load.h"
#include "load/scenario_names.h"
#include "salvo/references.h"

namespace salvo::study {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  constexpr const char* kBlanks = " \t\n\v\f\r";
  std::vector<std::string> out;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return out;
}

[[noreturn]] void refuse(const std::string& spec, const std::string& why) {
  throw LoadError(fmt::format("ITEM {}: {}", text::in_quotes(spec), why));
}

/// One attack on nothing in particular. It is no --attack here, but an ITEM.
Scenario read_spec(const Catalogue& catalogue, const std::string& spec, const LoadoutOptions& how) {
  try {
    Scenario out =
        scenario_from_specs(catalogue, how.rules.value_or("second-edition"), how.cards.value_or(""), {spec}, "0");
    load::names_to_ids(catalogue, out);
    constexpr std::string_view kPlace = "--attack 1: ";
    for (std::string& note : out.notes) {
      if (note.starts_with(kPlace))
        note = fmt::format("ITEM {}: {}", text::in_quotes(spec), note.substr(kPlace.size()));
    }
    return out;
  } catch (const LoadError& error) {
    if (error.why.empty()) throw;
    refuse(spec, error.why);
  } catch (const ScenarioError& error) {
    refuse(spec, error.what());
  }
}

}  // namespace

void add_squad(const Squad& squad, const LoadoutOptions& how, std::vector<Loadout>& out) {
  if (squad.pilots.empty()) throw LoadError(fmt::format("{}: none of its pilots is known", squad.source));
  const TokenSet& tokens = *std::find_if(token_sets().begin(), token_sets().end(),
                                         [&](const TokenSet& set) { return set.name == how.tokens; });
  for (const SquadPilot& pilot : squad.pilots) {
    Loadout loadout;
    loadout.name = fmt::format("{} ({})", pilot.name, pilot.ship_name);
    loadout.words = {pilot.name};
    for (const SquadUpgrade& upgrade : pilot.upgrades) loadout.words.push_back(upgrade.id);
    loadout.scenario = duel({squad.rules, squad.cards}, with_tokens(scenario_ship(pilot), tokens), tokens.lock, {},
                            how.weapon, how.range);
    loadout.scenario.source = fmt::format("{}: {}", squad.source, pilot.name);  // for messages
    loadout.cost = cost_of(pilot);
    loadout.notes = caveats_of(squad);
    out.push_back(std::move(loadout));
  }
}

void add_spec(const Catalogue& catalogue, const std::string& spec, const LoadoutOptions& how,
              std::vector<Loadout>& out) {
  Scenario read = read_spec(catalogue, spec, how);
  Loadout loadout;
  loadout.name = spec;
  loadout.words = words_of(spec);
  ScenarioShip& ship = read.ships["a1"];
  for (std::string& lock : ship.locks) lock = kDefender;
  loadout.scenario = read;
  loadout.scenario.ships.clear();
  for (std::size_t i = 0; i < read.attacks.size(); ++i) {  // x2: two such ships, one after the other
    ScenarioAttack& attack = loadout.scenario.attacks[i];
    attack.by = i == 0 ? kAttacker : fmt::format("{} {}", kAttacker, i + 1);
    attack.on = kDefender;
    loadout.scenario.ships[attack.by] = ship;
  }
  const bool named = std::any_of(loadout.words.begin(), loadout.words.end(),
                                 [](const std::string& word) { return word.starts_with("weapon="); });
  for (ScenarioAttack& attack : loadout.scenario.attacks) {
    if (!named) attack.weapon = how.weapon;
  }
  loadout.scenario.lines.clear();
  loadout.scenario.source = spec;
  loadout.cost = cost_in(catalogue, ship, catalogue.card_set(read.cards, read.rules));
  if (loadout.cost) *loadout.cost *= static_cast<int>(read.attacks.size());
  out.push_back(std::move(loadout));
}

std::vector<Opponent> opponents(const Catalogue& catalogue, const std::vector<std::string>& specs,
                                const std::string& reference, const Scenario& first) {
  std::vector<Opponent> out;
  for (const std::string& spec : specs) {
    const Scenario read = scenario_from_specs(catalogue, first.rules, first.cards, {"1"}, spec);
    out.push_back({spec, spec, read.ships.at("d")});
  }
  if (!out.empty()) return out;
  const References references = load_references(catalogue, reference, first.rules);
  for (const ReferenceShip& ship : references.defenders) out.push_back({ship.id, ship.name, ship.ship});
  return out;
}

}  // namespace salvo::study
