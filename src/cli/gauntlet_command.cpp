// `salvo gauntlet`: plays every squad against every other.
#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "battle/equilibrium.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/features.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/sides.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "data/file.h"
#include "generated/features.h"
#include "jobs/atomic_file.h"
#include "load/squads/squad_link.h"
#include "report/battle_plots.h"
#include "salvo/gauntlet.h"

namespace salvo::cli {
namespace {

struct GauntletTexts : RunTexts {
  std::vector<std::string> squads;
  std::string flight = "joust", rounds, policy;
};

#if SALVO_HAS_BATTLES

struct GauntletRequest {
  RunOptions run;
  std::vector<std::string> squads;
  GauntletQuestion question;
};

/// Splits a squad with a weight, such as mine.json@3.
std::string without_weight(const std::string& text, double& weight) {
  const std::size_t mark = text.rfind('@');
  if (mark == std::string::npos || data::is_file(text)) return text;
  const std::string squad = text.substr(0, mark), number = text.substr(mark + 1);
  const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  if (!digits && load::is_link(text)) return text;  // the @ is part of the link
  constexpr std::size_t kMaxDigits = 7;
  constexpr int kMaxWeight = 1'000'000;
  const int read = digits && number.size() <= kMaxDigits ? std::stoi(number) : -1;
  if (read < 0 || read > kMaxWeight) {
    throw UsageError(
        fmt::format("{}: the weight after the @ must be a whole number from 0 to {}, not "
                    "{}; write {}@3, or {} alone for once",
                    base::in_quotes(text), base::with_separators(kMaxWeight), base::in_quotes(number), squad, squad));
  }
  weight = read;
  return squad;
}

int gauntlet_command(GauntletRequest request) {
  end_on_interrupt();
  RunOptions& options = request.run;
  const Catalogue catalogue = open_catalogue(options);
  const AnswerOptions& how = options.answer;
  GauntletQuestion& question = request.question;
  for (const std::string& text : request.squads) {
    double weight = 1;
    const std::string squad = without_weight(text, weight);
    question.sides.push_back(
        read_side(catalogue, squad, how.overrides, question.sides.empty() ? nullptr : &question.sides.front()));
    question.weights.push_back(weight);
  }
  Progress progress({"fighting", "pairs"});
  BattleOptions battle{how.engine, how.budget, how.trials, how.precision, how.seed, how.threads, false, {}};
  progress.start();
  battle.progress = interruptible(progress);  // until there are pairs to print, Ctrl-C ends the program
  GauntletReport report = gauntlet(catalogue, question, battle);
  progress.erase();
  add_equilibrium(report, battle::equilibrium);
  if (options.plot) jobs::write_file("--plot", *options.plot, report::plot_gauntlet(report));
  write_output(render(report, options));
  return report.interrupted ? kInterrupted : kAnswered;
}

// ---------------------------------------------------------------- command line

GauntletRequest gauntlet_request(const GauntletTexts& texts, const CLI::App& app) {
  GauntletRequest out;
  out.run = common_options(texts, app);
  out.squads = texts.squads;
  if (out.squads.size() < 2)
    throw UsageError("a gauntlet needs two squads or more: name squad files, links, files of ships, or SPECs");
  out.question.flight = texts.flight;
  if (given(app, "--damage-deck")) out.question.damage_deck = texts.damage_deck;
  if (given(app, "--rounds"))
    out.question.rounds = static_cast<int>(parse_count("--rounds", texts.rounds, 1, kMaxBattleRounds));
  if (given(app, "--policy"))
    out.question.policy = static_cast<BattlePolicy>(parse_name("--policy", texts.policy, battle_policy_names()));
  return out;
}

Task gauntlet_task(const GauntletTexts& texts, const CLI::App& app) {
  const GauntletRequest request = gauntlet_request(texts, app);
  return {request.run, [request] { return gauntlet_command(request); }};
}

#else

Task gauntlet_task(const GauntletTexts&, const CLI::App&) {
  fail_missing_feature("battles", "gauntlet", "SALVO_BATTLES");
}

#endif

}  // namespace

DeclaredCommand add_gauntlet(CLI::App& top) {
  CLI::App& app = add_command(top, "gauntlet", "Which list: squads, each against each.",
                              "\nA SQUAD is a side as for salvo battle; SQUAD@WEIGHT is its share of the field\n"
                              "(default 1). Prints the win probability of each squad against each other and\n"
                              "against the field, and the equilibrium: how often to bring each squad so that\n"
                              "no opponent can exploit it.\n\n"
                              "Examples:\n"
                              "  salvo gauntlet lists/*.json --plot heat.svg\n"
                              "  salvo gauntlet mine.json popular.json@3 rare.json --flight turning-fight");
  const auto texts = std::make_shared<GauntletTexts>();
  add_words(app, "SQUAD", texts->squads, "squads");
  add_value(app, "Scenario", "--flight", "NAME", texts->flight, "which ships can shoot at which (default joust)");
  add_value(app, "Scenario", "--rounds", "N", texts->rounds, "maximum number of rounds (default 12)");
  add_value(app, "Scenario", "--policy", "NAME", texts->policy, "how all play (default greedy)");
  add_value(app, "Scenario", "--damage-deck", "NAME", texts->damage_deck, "damage cards: none (default), core, ...");
  add_value(app, "Scenario", "--rules", "ID", texts->rules, "edition (default: the squads')");
  add_value(app, "Scenario", "--cards", "SET", texts->cards, "card set (default: the squads')");
  add_card_option(app, *texts);
  add_value(app, "Engines", "--engine", "NAME", texts->engine, "exact or sample (default: exact for three ships)");
  add_value(app, "Engines", "--budget", "N", texts->budget, "limit of the exact engine: outcomes (default 2e7)");
  add_value(app, "Engines", "--trials", "N", texts->trials, "battles of a pair (default 2e4)");
  add_value(app, "Engines", "--precision", "P", texts->precision, "sample until each win probability is within +-P");
  add_value(app, "Engines", "--seed", "N", texts->seed, "seed (default 1)");
  add_machine_options(app, *texts, "threads (default 0: all cores)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw a heat map");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] { return gauntlet_task(*texts, app); }};
}

}  // namespace salvo::cli
