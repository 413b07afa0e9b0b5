// `salvo compare`: loadouts against defenders, ranked.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/question.h"
#include "cli/terminal.h"
#include "load/file.h"
#include "load/load.h"
#include "load/scenario_names.h"
#include "load/squad_link.h"
#include "report/comparison.h"
#include "salvo/references.h"
#include "salvo/squad.h"

namespace salvo::cli {
namespace {

struct CompareRequest {
  RunOptions run;
  std::vector<std::string> items;      ///< XWS files, or SPECs of attacks
  std::vector<std::string> defenders;  ///< SPECs; empty: the reference defenders
  std::string reference;               ///< file of reference ships; empty: the typical ones of the rules
  std::string tokens = "focus";        ///< of the ships of squads: a name of study::token_sets
  int range = 2;                       ///< of the ships of squads
  std::string weapon = kBestWeapon;    ///< of the ships of squads, and of SPECs that name none
  study::FigureChoice by;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// The ships of a squad, each with the weapon asked for.
void add_squad(const Catalogue& catalogue, const std::string& file, const CompareRequest& request,
               std::vector<study::Loadout>& out) {
  const Squad squad =
      load_squad(catalogue, file, request.run.answer.overrides.cards, request.run.answer.overrides.rules);
  warn_of_unknown(squad);
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
                                   tokens.lock, {}, request.weapon, request.range);
    loadout.scenario.source = fmt::format("{}: {}", file, pilot.name);  // for messages
    loadout.cost = cost_of(pilot);
    loadout.notes = caveats_of(squad);
    out.push_back(std::move(loadout));
  }
}

/// A SPEC as `salvo run --attack` takes it.
void add_spec(const Catalogue& catalogue, const std::string& spec, const CompareRequest& request,
              std::vector<study::Loadout>& out) {
  const RunOptions& options = request.run;
  Scenario read;
  try {
    read = scenario_from_specs(catalogue, options.answer.overrides.rules.value_or("second-edition"),
                               options.answer.overrides.cards.value_or(""), {spec}, "0");
    load::names_to_ids(catalogue, read);
  } catch (const LoadError& error) {  // it is no --attack here, but an ITEM
    if (error.why.empty()) throw;
    throw UsageError(fmt::format("ITEM {}: {}", in_quotes(spec), error.why));
  } catch (const ScenarioError& error) {
    throw UsageError(fmt::format("ITEM {}: {}", in_quotes(spec), error.what()));
  }
  if (read.attacks.size() != 1)
    throw UsageError(fmt::format("ITEM {}: compare one ship at a time, without x2", in_quotes(spec)));
  study::Loadout loadout;
  loadout.name = spec;
  loadout.words = words_of(spec);
  ScenarioShip& ship = read.ships["a1"];
  for (std::string& lock : ship.locks) lock = study::kDefender;
  loadout.scenario = read;
  loadout.scenario.ships = {{study::kAttacker, ship}};
  loadout.scenario.attacks[0].by = study::kAttacker;
  loadout.scenario.attacks[0].on = study::kDefender;
  const bool named = std::any_of(loadout.words.begin(), loadout.words.end(),
                                 [](const std::string& word) { return word.starts_with("weapon="); });
  if (!named) loadout.scenario.attacks[0].weapon = request.weapon;
  loadout.scenario.lines.clear();
  loadout.scenario.source = spec;
  loadout.cost = total_cost(catalogue, ship, catalogue.card_set(read.cards, read.rules));
  out.push_back(std::move(loadout));
}

std::vector<study::Opponent> opponents(const Catalogue& catalogue, const CompareRequest& request,
                                       const Scenario& first) {
  const std::string& rules = first.rules;
  std::vector<study::Opponent> out;
  for (const std::string& spec : request.defenders) {
    const Scenario read = scenario_from_specs(catalogue, rules, first.cards, {"1"}, spec);
    out.push_back({spec, spec, read.ships.at("d")});
  }
  if (!out.empty()) return out;
  const References references = load_references(catalogue, request.reference, rules);
  for (const ReferenceShip& ship : references.defenders) out.push_back({ship.id, ship.name, ship.ship});
  return out;
}

int compare_command(CompareRequest request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue = open_catalogue(request.run);
  std::vector<study::Loadout> loadouts;
  for (const std::string& item : request.items) {
    if (load::is_file(item) || load::is_link(item) || item.ends_with(".json") || item == "-") {
      add_squad(catalogue, item, request, loadouts);
    } else {
      add_spec(catalogue, item, request, loadouts);
    }
  }
  if (request.by.name == "per_point" &&
      std::any_of(loadouts.begin(), loadouts.end(), [](const study::Loadout& x) { return !x.cost; })) {
    throw UsageError(
        "--by per_point: only pilots have a cost; compare squad files or SPECs with pilot=, or by another figure");
  }
  study::CompareOptions how{request.by, options.answer};
  how.answer.overrides.rules = how.answer.overrides.cards = std::nullopt;  // the squads and SPECs were read with them
  auto against = opponents(catalogue, request, loadouts.front().scenario);
  const study::Comparison comparison = study::compare(catalogue, std::move(loadouts), std::move(against), how);
  if (options.plot) write_file("--plot", *options.plot, report::plot_comparison(comparison));
  write_output(render(comparison, options, report::to_json, report::to_csv, report::to_table));
  return kAnswered;
}

// ---------------------------------------------------------------- the command line

struct CompareTexts : RunTexts {
  std::vector<std::string> items, defenders;
  std::string by, reference, tokens = "focus", range, weapon = kBestWeapon;
};

study::FigureChoice parse_figure(const std::string& text) {
  study::FigureChoice out;
  const std::size_t colon = text.find(':');
  const std::vector<std::string> known = {"mean", "hit", "destroyed", "at_least", "per_point"};
  out.name = known[parse_name("--by", text.substr(0, colon), known)];
  if ((out.name == "at_least") != (colon != std::string::npos)) {
    throw UsageError(out.name == "at_least" ? "--by at_least needs a number, as at_least:2"
                                            : fmt::format("--by {}: takes no number", out.name));
  }
  if (colon != std::string::npos) out.k = static_cast<int>(parse_count("--by", text.substr(colon + 1), 1, 99));
  return out;
}

CompareRequest compare_request(const CompareTexts& texts, const CLI::App& app) {
  CompareRequest out;
  out.run = common_options(texts, app);
  out.items = texts.items;
  out.defenders = texts.defenders;
  out.reference = texts.reference;
  out.tokens = texts.tokens;
  if (out.items.empty()) throw UsageError("nothing to compare; name squad files, or SPECs such as '3 focus'");
  parse_name("--tokens", texts.tokens, {"none", "focus", "lock", "focus+lock"});
  if (given(app, "--range")) out.range = static_cast<int>(parse_count("--range", texts.range, 0, 5));
  out.weapon = texts.weapon;
  if (given(app, "--by")) out.by = parse_figure(texts.by);
  if (out.run.answer.precision) throw UsageError("--precision: compare samples a number of trials; give --trials");
  return out;
}

}  // namespace

DeclaredCommand add_compare(CLI::App& top) {
  CLI::App& app = add_command(top, "compare", "Rank loadouts by what they do to defenders.",
                              "\nAn ITEM is a squad file (XWS), of which each ship is a loadout, or a SPEC as\n"
                              "salvo run --attack takes it. With --engine sample all are played with the same\n"
                              "random numbers, and differences have the standard error of the pairs.\n\n"
                              "Examples:\n"
                              "  salvo compare '3 focus' '3 lock' '3 focus lock' --by destroyed\n"
                              "  salvo compare mine.json --tokens focus+lock --plot map.svg");
  const auto texts = std::make_shared<CompareTexts>();
  add_words(app, "ITEM", texts->items, "squad files or SPECs");
  add_specs(app, "-d,--defend", texts->defenders, "a defender; repeatable (default: references)");
  add_value(app, "Scenario", "--reference", "FILE", texts->reference, "reference defenders and attackers");
  add_value(app, "Scenario", "--tokens", "SET", texts->tokens, "of squads' ships: none, focus, lock, focus+lock");
  add_value(app, "Scenario", "--range", "N", texts->range, "of squads' ships (default 2)");
  add_value(app, "Scenario", "--weapon", "NAME", texts->weapon,
            "best for each defender (default), primary, upgrade id");
  add_rules_options(app, *texts);
  add_card_option(app, *texts);
  add_policy_options(app, *texts);
  add_engine_options(app, *texts);
  add_threads_option(app, *texts, "threads (default 0: all cores)");
  add_value(app, "Output", "--by", "FIGURE", texts->by, "mean, hit, destroyed, at_least:K or per_point");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw a heat map");
  return {&app, [&app, texts] {
            const CompareRequest request = compare_request(*texts, app);
            return Task{request.run, [request] { return compare_command(request); }};
          }};
}

}  // namespace salvo::cli
