// `salvo compare`: see compare_command.h.
#include "cli/compare_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "load/file.h"
#include "load/load.h"
#include "load/references.h"
#include "report/compare_report.h"
#include "salvo/squad.h"

namespace salvo::cli {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// The ships of a squad, each with its primary weapon.
void add_squad(const Catalogue& catalogue, const std::string& file, const CompareRequest& request,
               std::vector<study::Loadout>& out) {
  const Squad squad = load_squad(catalogue, file, request.run.answer.overrides.cards);
  for (const UnknownId& id : squad.unknown) {
    fmt::print(stderr, "salvo: warning: {}: {}: unknown {} \"{}\"; {}\n", file, id.path, id.kind, id.id, id.reason);
  }
  if (squad.pilots.empty()) throw UsageError(fmt::format("{}: none of its pilots is known", file));
  const auto& sets = study::token_sets();
  const study::TokenSet& tokens =
      *std::find_if(sets.begin(), sets.end(), [&](const study::TokenSet& set) { return set.name == request.tokens; });
  for (const SquadPilot& pilot : squad.pilots) {
    study::Loadout loadout;
    loadout.name = fmt::format("{} ({})", pilot.name, pilot.ship_name);
    loadout.words = {pilot.name};
    for (const SquadUpgrade& upgrade : pilot.upgrades) loadout.words.push_back(upgrade.id);
    loadout.scenario = study::duel({squad.rules, squad.cards}, study::with_tokens(scenario_ship(pilot), tokens),
                                   tokens.lock, {}, "primary", request.range);
    loadout.cost = pilot.points.value_or(total_cost(pilot));
    out.push_back(std::move(loadout));
  }
}

/// A SPEC as `salvo run --attack` takes it.
void add_spec(const Catalogue& catalogue, const std::string& spec, const RunOptions& options,
              std::vector<study::Loadout>& out) {
  Scenario read = scenario_from_specs(catalogue, options.answer.overrides.rules.value_or("second-edition"),
                                      options.answer.overrides.cards.value_or(""), {spec}, "0");
  study::Loadout loadout;
  loadout.name = spec;
  loadout.words = words_of(spec);
  ScenarioShip& ship = read.ships["a1"];
  for (std::string& lock : ship.locks) lock = study::kDefender;
  loadout.scenario = read;
  loadout.scenario.ships = {{study::kAttacker, ship}};
  loadout.scenario.attacks[0].by = study::kAttacker;
  loadout.scenario.attacks[0].on = study::kDefender;
  loadout.scenario.lines.clear();
  loadout.scenario.source = spec;
  out.push_back(std::move(loadout));
}

std::vector<study::Opponent> opponents(const Catalogue& catalogue, const CompareRequest& request,
                                       const std::string& rules) {
  std::vector<study::Opponent> out;
  for (const std::string& spec : request.defenders) {
    const Scenario read =
        scenario_from_specs(catalogue, rules, request.run.answer.overrides.cards.value_or(""), {"1"}, spec);
    out.push_back({spec, spec, read.ships.at("d")});
  }
  if (!out.empty()) return out;
  const References references = load_references(catalogue, request.reference, rules);
  for (const ReferenceShip& ship : references.defenders) out.push_back({ship.id, ship.name, ship.ship});
  return out;
}

}  // namespace

int compare_command(const CompareRequest& request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue(Catalogue::find_profiles());
  std::vector<study::Loadout> loadouts;
  for (const std::string& item : request.items) {
    if (load::is_file(item) || item.ends_with(".json") || item == "-") {
      add_squad(catalogue, item, request, loadouts);
    } else {
      add_spec(catalogue, item, options, loadouts);
    }
  }
  if (request.by.name == "per_point" &&
      std::any_of(loadouts.begin(), loadouts.end(), [](const study::Loadout& x) { return !x.cost; })) {
    throw UsageError("--by per_point: only ships of squads have a cost; compare squad files, or by another figure");
  }
  study::CompareOptions how{request.by, options.answer};
  how.answer.overrides.rules = how.answer.overrides.cards = std::nullopt;  // the squads and SPECs were read with them
  auto against = opponents(catalogue, request, loadouts.front().scenario.rules);
  const study::Comparison comparison = study::compare(catalogue, std::move(loadouts), std::move(against), how);
  if (options.plot) write_file("--plot", *options.plot, study::plot(comparison));
  write_output(render(comparison, options));
  return kAnswered;
}

}  // namespace salvo::cli
