// `salvo compare`: ranks loadouts by their effect on defenders.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "data/file.h"
#include "jobs/atomic_file.h"
#include "load/specs.h"
#include "load/squads/squad_link.h"
#include "report/comparison.h"
#include "salvo/squad.h"
#include "study/loadouts.h"

namespace salvo::cli {
namespace {

struct CompareRequest {
  RunOptions run;
  std::vector<std::string> items;      ///< XWS files, or SPECs of attacks
  std::vector<std::string> defenders;  ///< SPECs; empty: the reference defenders
  std::string reference;               ///< file of reference ships; empty: the typical ones of the rules
  study::LoadoutOptions loadouts;      ///< except rules and cards
  study::FigureChoice by;
};

int compare_command(CompareRequest request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue = open_catalogue(request.run);
  study::LoadoutOptions read = request.loadouts;
  const Overrides& overrides = options.answer.overrides;
  read.rules = overrides.rules;
  read.cards = overrides.cards;
  std::vector<study::Loadout> loadouts;
  for (const std::string& item : request.items) {
    if (data::is_file(item) || load::is_link(item) || item.ends_with(".json") || item == "-") {
      const Squad squad = load_squad(catalogue, item, overrides.cards, overrides.rules);
      warn_of_unknown(squad);
      study::add_squad(squad, read, loadouts);
    } else {
      study::add_spec(catalogue, study::item_of(item), read, loadouts);
    }
  }
  if (request.by.name == "per_point" &&
      std::any_of(loadouts.begin(), loadouts.end(), [](const study::Loadout& x) { return !x.cost; })) {
    throw UsageError(
        "--by per_point: only pilots have a cost; compare squad files or SPECs with pilot=, or by another figure");
  }
  study::CompareOptions how;
  how.by = request.by;
  how.answer = options.answer;
  how.answer.overrides.rules.reset();  // the squads and SPECs were read with them
  how.answer.overrides.cards.reset();
  auto against =
      study::opponents(catalogue, load::specs_of_option("--defend", request.defenders, load::Numbered::IfSeveral),
                       request.reference, loadouts.front().scenario);
  const study::Comparison comparison = study::compare(catalogue, std::move(loadouts), std::move(against), how);
  if (options.plot) jobs::write_file("--plot", *options.plot, report::plot_comparison(comparison));
  write_output(render(comparison, options, report::to_json, report::to_csv, report::to_table));
  return kAnswered;
}

// ---------------------------------------------------------------- command line

struct CompareTexts : RunTexts {
  std::vector<std::string> items, defenders;
  std::string by, reference, tokens = "focus", range, weapon = kBestWeapon;
};

study::FigureChoice parse_figure(const std::string& text) {
  study::FigureChoice out;
  const std::size_t colon = text.find(':');
  out.name = study::figure_names()[parse_name("--by", text.substr(0, colon), study::figure_names())];
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
  out.loadouts.tokens = texts.tokens;
  if (out.items.empty()) throw UsageError("nothing to compare; name squad files, or SPECs such as '3 focus'");
  parse_name("--tokens", texts.tokens, {"none", "focus", "lock", "focus+lock"});
  if (given(app, "--range")) out.loadouts.range = static_cast<int>(parse_count("--range", texts.range, 0, 5));
  out.loadouts.weapon = texts.weapon;
  if (given(app, "--by")) out.by = parse_figure(texts.by);
  if (out.run.answer.precision) throw UsageError("--precision: compare samples a number of trials; give --trials");
  return out;
}

}  // namespace

DeclaredCommand add_compare(CLI::App& top) {
  CLI::App& app = add_command(top, "compare", "Rank loadouts by what they do to defenders.",
                              "\nAn ITEM is a squad file (XWS) with a loadout for each ship, or a SPEC as for\n"
                              "salvo run --attack. --engine sample uses the same random numbers for all\n"
                              "loadouts; differences have the standard error of the pairs.\n\n"
                              "Examples:\n"
                              "  salvo compare '3 focus' '3 lock' '3 focus lock' --by destroyed\n"
                              "  salvo compare 'X-wing protontorpedoes lock' 'X-wing focus x2'\n"
                              "  salvo compare mine.json --tokens focus+lock --plot map.svg");
  const auto texts = std::make_shared<CompareTexts>();
  add_words(app, "ITEM", texts->items, "squad files or SPECs");
  add_specs(app, "-d,--defend", texts->defenders, "a defender; repeatable (default: references)");
  add_value(app, "Scenario", "--reference", "FILE", texts->reference, "reference defenders and attackers");
  add_value(app, "Scenario", "--tokens", "SET", texts->tokens, "tokens of squad ships: none, focus, lock, focus+lock");
  add_value(app, "Scenario", "--range", "N", texts->range, "range for loadouts without one (default 2)");
  add_value(app, "Scenario", "--weapon", "NAME", texts->weapon, "best for each target (default), primary, upgrade");
  add_rules_options(app, *texts);
  add_card_option(app, *texts);
  add_policy_options(app, *texts);
  add_engine_options(app, *texts);
  add_machine_options(app, *texts, "threads (default 0: all cores)");
  add_value(app, "Output", "--by", "FIGURE", texts->by, "mean, hit, destroyed, at_least:K or per_point");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw a heat map");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            const CompareRequest request = compare_request(*texts, app);
            return Task{request.run, [request] { return compare_command(request); }};
          }};
}

}  // namespace salvo::cli
