// `salvo review`: luck and the cost of decisions in a game, from its log.
#include <fmt/format.h>

#include "cli/decision_options.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "data/file.h"
#include "jobs/atomic_file.h"
#include "salvo/review.h"

namespace salvo::cli {
namespace {

struct ReviewTexts : RunTexts {
  std::string mine, theirs;
};

struct ReviewRequest {
  RunOptions run;
  std::optional<std::string> mine, theirs;
};

int review_command(ReviewRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  LogSquads squads;
  const Overrides& overrides = request.run.answer.overrides;
  if (request.mine) squads.push_back(load_squad(catalogue, *request.mine, overrides.cards, overrides.rules));
  if (request.theirs) {
    squads.push_back(load_opposing_squad(catalogue, *request.theirs, squads.front(), overrides.cards, overrides.rules));
  }
  const GameLog log = parse_log(catalogue, data::read_file(request.run.file), request.run.file, squads, overrides);
  const Review answer = review_game(catalogue, log, request.run.answer);
  if (request.run.plot) jobs::write_file("--plot", *request.run.plot, plot_luck(answer));
  print_decision(answer, request.run);
  return kAnswered;
}

constexpr const char* kReviewFooter =
    "\nLOG is text, as written at the table, or JSON lines (docs/review.md):\n"
    "  player Ann\n"
    "  luke: pilot=lukeskywalker\n"
    "  player Bob\n"
    "  vader: pilot=darthvader ship=tieadvancedx1\n"
    "  round 1: luke focus lock=vader; vader focus\n"
    "  luke > vader r2: hit focus blank; lock blank -> crit; focus | evade focus\n"
    "After the | follows the defender. ? is an unknown result, = 2 the damage.\n\n"
    "Example:\n"
    "  salvo review profiles/logs/evening.txt --plot luck.svg";

}  // namespace

DeclaredCommand add_review(CLI::App& top) {
  const auto texts = std::make_shared<ReviewTexts>();
  ReviewTexts& t = *texts;
  CLI::App& app = add_command(top, "review", "Who was lucky? A game from its log.", kReviewFooter);
  add_words(app, "LOG", t.file, "the log; - reads standard input");
  add_value(app, "Scenario", "--mine", "SQUAD", t.mine, "squad of the first player: a file or a link");
  add_value(app, "Scenario", "--theirs", "SQUAD", t.theirs, "squad of the second player");
  add_rules_options(app, t);
  add_card_option(app, t);
  add_objective_options(app, t);
  add_exact_options(app, t);
  add_output_options(app, t, "table or json (default: table on a terminal)");
  add_plot_option(app, t, "also draw luck over time");
  add_progress_option(app, t);
  return {&app, [&app, texts] {
            ReviewRequest request;
            request.run = common_options(*texts, app);
            if (request.run.format == Format::Csv) throw UsageError("--format: review prints table or json");
            if (!given(app, "LOG")) throw UsageError("no log; name a file, or - for standard input");
            request.run.file = texts->file;
            request.mine = if_given(app, "--mine", texts->mine);
            request.theirs = if_given(app, "--theirs", texts->theirs);
            if (request.theirs && !request.mine) throw UsageError("--theirs without --mine; name both squads");
            return Task{request.run, [request] { return review_command(request); }};
          }};
}

}  // namespace salvo::cli
