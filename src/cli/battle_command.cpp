// `salvo battle`: two squads fight, round after round.
#include <fmt/format.h>

#include <memory>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/features.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/sides.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "generated/features.h"
#include "jobs/atomic_file.h"
#include "load/flight_file.h"
#include "report/battle_plots.h"
#include "salvo/battle.h"

namespace salvo::cli {
namespace {

struct BattleTexts : RunTexts {
  std::string mine, theirs, flight = "joust", rounds, first, policy, my_policy, their_policy;
  bool reference = false, worth = false;
};

#if SALVO_HAS_BATTLES

struct BattleRequest {
  RunOptions run;
  std::string mine, theirs;
  BattleQuestion question;
  bool reference = false, worth = false;
};

int battle_command(BattleRequest request) {
  end_on_interrupt();
  RunOptions& options = request.run;
  const Catalogue catalogue = open_catalogue(options);
  const Overrides& overrides = options.answer.overrides;
  request.question.mine = read_side(catalogue, request.mine, overrides, nullptr);
  request.question.theirs = read_side(catalogue, request.theirs, overrides, &request.question.mine);
  Progress progress({"fighting", "battles"});
  const AnswerOptions& how = options.answer;
  BattleOptions battle{how.engine, how.budget, how.trials, how.precision, how.seed, how.threads, request.reference, {}};
  // Until the first battles are sampled, Ctrl-C ends the program: the exact engine cannot be stopped.
  battle.progress = [&, update = interruptible(progress)](std::uint64_t done, std::uint64_t planned) {
    if (done <= 1) progress.start();
    return update(done, planned);
  };
  if (request.worth) {
    const BattleWorth worth = battle_worth(catalogue, request.question, battle);
    progress.erase();
    write_output(render(worth, options));
    return worth.interrupted ? kInterrupted : kAnswered;
  }
  const BattleReport report = play_battle(catalogue, request.question, battle);
  progress.erase();
  if (options.plot) jobs::write_file("--plot", *options.plot, report::plot_battle(report));
  write_output(render(report, options));
  if (report.interrupted) return kInterrupted;
  return engines_agree(report) ? kAnswered : kEnginesDisagree;
}

// ---------------------------------------------------------------- command line

BattlePolicy parse_policy_name(const std::string& option, const std::string& text) {
  return static_cast<BattlePolicy>(parse_name(option, text, battle_policy_names()));
}

BattleRequest battle_request(const BattleTexts& texts, const CLI::App& app) {
  BattleRequest out;
  out.run = common_options(texts, app);
  if (!given(app, "MINE") || !given(app, "THEIRS")) {
    throw UsageError(
        "a battle needs two sides: name MINE and THEIRS, each a squad file, a link, a file of ships, or SPECs");
  }
  out.mine = texts.mine;
  out.theirs = texts.theirs;
  out.reference = texts.reference;
  out.worth = texts.worth;
  if (out.worth && out.run.plot) throw UsageError("--plot draws a battle; leave out --worth, or the picture");
  BattleQuestion& question = out.question;
  question.flight = texts.flight;
  if (given(app, "--damage-deck")) question.damage_deck = texts.damage_deck;
  if (given(app, "--rounds"))
    question.rounds = static_cast<int>(parse_count("--rounds", texts.rounds, 1, kMaxBattleRounds));
  if (given(app, "--first"))
    question.first = static_cast<FirstPlayer>(parse_name("--first", texts.first, {"random", "mine", "theirs"}));
  if (given(app, "--policy")) question.my_policy = question.their_policy = parse_policy_name("--policy", texts.policy);
  if (given(app, "--my-policy")) question.my_policy = parse_policy_name("--my-policy", texts.my_policy);
  if (given(app, "--their-policy")) question.their_policy = parse_policy_name("--their-policy", texts.their_policy);
  return out;
}

Task battle_task(const BattleTexts& texts, const CLI::App& app) {
  const BattleRequest request = battle_request(texts, app);
  return {request.run, [request] { return battle_command(request); }};
}

#else

Task battle_task(const BattleTexts&, const CLI::App&) { fail_missing_feature("battles", "battle", "SALVO_BATTLES"); }

#endif

}  // namespace

DeclaredCommand add_battle(CLI::App& top) {
  CLI::App& app = add_command(top, "battle", "Who wins: two squads fight, round after round.",
                              "\nMINE and THEIRS are squad files, links of builders, files of ships ([ships.NAME]\n"
                              "with the keys of a scenario's ships, initiative and points), or SPECs with |\n"
                              "between ships. A flight determines which ships can shoot at which in each round:\n"
                              "joust, turning-fight, ace-hunt, chase, ambush, range-2, or your own file.\n"
                              "Policies: greedy, focus-fire, likeliest-kill, points; best is optimal for the\n"
                              "current engagement, optimal for the whole battle. See docs/battles.md.\n\n"
                              "Examples:\n"
                              "  salvo battle mine.json theirs.json\n"
                              "  salvo battle mine.json theirs.json --flight chase --their-policy points\n"
                              "  salvo battle 'Luke Skywalker' 'Darth Vader' --flight range-2 --rounds 20\n"
                              "  salvo battle 'Luke Skywalker' 'Darth Vader' --policy optimal\n"
                              "  salvo battle mine.json theirs.json --worth");
  const auto texts = std::make_shared<BattleTexts>();
  add_words(app, "MINE", texts->mine, "my ships");
  add_words(app, "THEIRS", texts->theirs, "their ships");
  add_value(app, "Scenario", "--flight", "NAME", texts->flight, "which ships can shoot at which (default joust)");
  add_value(app, "Scenario", "--rounds", "N", texts->rounds, "maximum number of rounds (default 12)");
  add_value(app, "Scenario", "--first", "WHO", texts->first, "first player: random (default), mine, theirs");
  add_value(app, "Scenario", "--policy", "NAME", texts->policy, "how both play (default greedy)");
  add_value(app, "Scenario", "--my-policy", "NAME", texts->my_policy, "how I play");
  add_value(app, "Scenario", "--their-policy", "NAME", texts->their_policy, "how the opponent plays");
  add_value(app, "Scenario", "--damage-deck", "NAME", texts->damage_deck, "damage cards: none (default), core, ...");
  add_flag(app, "Scenario", "--worth", texts->worth, "value my upgrades, pilots and hull instead");
  add_value(app, "Scenario", "--rules", "ID", texts->rules, "edition (default: the squads')");
  add_value(app, "Scenario", "--cards", "SET", texts->cards, "card set (default: the squads')");
  add_card_option(app, *texts);
  add_value(app, "Engines", "--engine", "NAME", texts->engine, "exact, sample, both (default: exact for 3 ships)");
  add_value(app, "Engines", "--budget", "N", texts->budget, "limit of the exact engine: outcomes (default 2e7)");
  add_value(app, "Engines", "--trials", "N", texts->trials, "battles to sample (default 2e5)");
  add_value(app, "Engines", "--precision", "P", texts->precision, "sample until the win probability is within +-P");
  add_value(app, "Engines", "--seed", "N", texts->seed, "seed (default 1)");
  add_flag(app, "Engines", "--plain", texts->reference, "reference simulator: roll every die; slow");
  add_machine_options(app, *texts, "threads (default 0: all cores)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw which ships are alive after each round");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] { return battle_task(*texts, app); }};
}

}  // namespace salvo::cli
