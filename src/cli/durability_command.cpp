// `salvo durability`: how many shots a ship survives, or how many each ship does.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "answer/answer.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/ordered.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "exact/durability.h"
#include "load/load.h"
#include "report/durability.h"
#include "report/plots.h"

namespace salvo::cli {
namespace {

struct DurabilityRequest {
  RunOptions run;      ///< the question and the output
  int round = 1;       ///< shots after which the defender's tokens are back; 0: never
  bool all = false;    ///< every ship of the card set under the attacker, with the tokens of --defend
  double tail = 1e-9;  ///< where the distribution is cut
};

/// Options win over what a file says; without either, both play greedily.
void settle(const RunOptions& options, int round, Scenario& scenario) {
  apply(options.answer.overrides, scenario);
  if (scenario.damage_deck != "none")
    throw UsageError("durability counts damage without damage cards; leave out the damage deck");
  for (auto* policy : {&scenario.attacker_policy, &scenario.defender_policy}) {
    if (!*policy) *policy = "greedy";
    // With everything refreshed after each shot and damage that is not capped, the best play of one shot is the best.
    if (**policy == "optimal" && (round != 1 || scenario.objective != "damage")) {
      throw UsageError(
          "the policy optimal looks ahead over all shots, and there is no last one; durability plays greedy or hold");
    }
  }
}

report::DurabilityRow play(const Question& question, const DurabilityRequest& request, const std::string& id) {
  const Plan& plan = question.plan;
  const auto defender = static_cast<std::size_t>(question.labels.attacks[0].second);
  const ShipPlan& ship = plan.ships[defender];
  if (!ship.destructible) {
    throw LoadError("the defender has no hull, so nothing destroys it; add hull=n or ship=ID");
  }
  exact::DurabilityOptions options;
  options.round = request.round;
  options.tail = request.tail;
  options.budget = budget_of(request.run.answer);
  return {id, question.labels.ship_titles[defender], ship.hull + ship.shields, exact::durability(plan, options)};
}

std::string attacker_title(const Question& question, const RunOptions& options) {
  const std::string& title = question.labels.ship_titles[static_cast<std::size_t>(question.labels.attacks[0].first)];
  return options.attacks.empty() || title != "a1" ? title : options.attacks[0];
}

report::DurabilityReport one_ship(const Catalogue& catalogue, const DurabilityRequest& request) {
  const RunOptions& options = request.run;
  const Overrides& overrides = options.answer.overrides;
  const std::string rules = overrides.rules.value_or("second-edition"), cards = overrides.cards.value_or("");
  Scenario scenario = options.attacks.empty()
                          ? load_durability(options.file)
                          : scenario_from_specs(catalogue, rules, cards, options.attacks, options.defend.value_or(""));
  settle(options, request.round, scenario);
  const Question question = compile_question(catalogue, scenario);
  report::DurabilityReport out{.labels = question.labels, .attacker = attacker_title(question, options)};
  out.rows.push_back(play(question, request, scenario.attacks[0].on));
  return out;
}

struct ShipAnswer {
  Labels labels;
  std::string attacker;
  report::DurabilityRow row;
};

report::DurabilityReport all_ships(const Catalogue& catalogue, const DurabilityRequest& request) {
  const RunOptions& options = request.run;
  const Overrides& overrides = options.answer.overrides;
  const std::string rules = overrides.rules.value_or("second-edition"), cards = overrides.cards.value_or("");
  const std::vector<std::string> ids = catalogue.ship_ids(catalogue.card_set(cards, rules));
  report::DurabilityReport out;
  out.all = true;
  std::set<std::string> assumed, unmodelled, partly;
  std::size_t next = 0;
  in_order(
      options.answer.threads,
      [&]() -> std::optional<std::string> { return next < ids.size() ? std::optional(ids[next++]) : std::nullopt; },
      [&](const std::string& id) {
        Scenario scenario = scenario_from_specs(catalogue, rules, cards, options.attacks,
                                                fmt::format("ship={} {}", id, options.defend.value_or("")));
        settle(options, request.round, scenario);
        const Question question = compile_question(catalogue, scenario);
        return ShipAnswer{question.labels, attacker_title(question, options), play(question, request, id)};
      },
      [&](const ShipAnswer& answer) {
        out.labels = answer.labels;
        out.attacker = answer.attacker;
        assumed.insert(answer.labels.assumed_facts.begin(), answer.labels.assumed_facts.end());
        unmodelled.insert(answer.labels.unmodelled.begin(), answer.labels.unmodelled.end());
        partly.insert(answer.labels.partly.begin(), answer.labels.partly.end());
        out.rows.push_back(answer.row);
      });
  out.labels.assumed_facts.assign(assumed.begin(), assumed.end());
  out.labels.unmodelled.assign(unmodelled.begin(), unmodelled.end());
  out.labels.partly.assign(partly.begin(), partly.end());
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const auto& a, const auto& b) { return a.shots.mean > b.shots.mean; });
  return out;
}

int durability_command(const DurabilityRequest& request) {
  end_on_interrupt();
  const Catalogue catalogue;
  report::DurabilityReport report = request.all ? all_ships(catalogue, request) : one_ship(catalogue, request);
  report.round = request.round;
  report.tail = request.tail;
  if (request.run.plot) write_file("--plot", *request.run.plot, report::plot_durability(report));
  write_output(render(report, request.run));
  return kAnswered;
}

// ---------------------------------------------------------------- the command line

struct DurabilityTexts : RunTexts {
  std::string refresh = "shot", round, tail;
  bool all = false;
};

int round_of(const DurabilityTexts& texts, const CLI::App& app) {
  const std::size_t mode = parse_name("--refresh", texts.refresh, {"shot", "round", "never"});
  if (mode != 1 && given(app, "--round")) throw UsageError("--round: only with --refresh round");
  if (mode == 0) return 1;
  if (mode == 2) return 0;
  if (!given(app, "--round")) throw UsageError("--refresh round needs --round N, the number of shots in a round");
  return static_cast<int>(parse_count("--round", texts.round, 1, 1000));
}

DurabilityRequest durability_request(const DurabilityTexts& texts, const CLI::App& app) {
  DurabilityRequest out;
  out.run = common_options(texts, app);
  out.round = round_of(texts, app);
  out.all = texts.all;
  if (given(app, "--tail")) out.tail = parse_share("--tail", texts.tail, 1e-15, 0.5);
  const bool file = given(app, "FILE"), attack = !out.run.attacks.empty();
  if (file && (attack || out.run.defend || out.all)) {
    throw UsageError("both a FILE and --attack, --defend or --all; give one of them");
  }
  if (!file && !attack) throw UsageError("no question; name a file, - for standard input, or give --attack");
  if (out.run.attacks.size() > 1) throw UsageError("--attack: given more than once; durability has one attacker");
  if (!file && !out.all && !out.run.defend) {
    throw UsageError("--attack without --defend; say who is shot at, or --all for every ship");
  }
  return out;
}

}  // namespace

DeclaredCommand add_durability(CLI::App& top) {
  CLI::App& app =
      add_command(top, "durability", "How many shots a ship survives.",
                  "\nFILE is JSON or TOML: {\"defender\": {\"dice\", \"hull\", \"shields\", tokens...},\n"
                  "\"attacker\": {\"dice\", tokens...}, \"attack\": {\"range\", ...}}, or a scenario with one\n"
                  "attack. Each shot has a fresh attacker; --refresh says when the defender's tokens\n"
                  "are back.\n\n"
                  "  salvo durability --attack '3 focus' --defend 'ship=t65xwing focus'\n"
                  "  salvo durability --attack '3 focus lock' --all --defend focus");
  const auto texts = std::make_shared<DurabilityTexts>();
  app.add_option("FILE", texts->file, "the question; - reads standard input")->type_name("");
  add_specs(app, "--attack", texts->attacks, "the attacker and its attack");
  add_value(app, "Scenario", "--defend", "SPEC", texts->defend, "the ship; with --all, the tokens of every ship");
  app.add_flag("--all", texts->all, "every ship of the card set")->group("Scenario")->disable_flag_override();
  add_value(app, "Scenario", "--refresh", "WHEN", texts->refresh,
            "the defender's tokens: shot (default), round, never");
  add_value(app, "Scenario", "--round", "N", texts->round, "shots in a round, for --refresh round");
  add_rules_options(app, *texts);
  add_policy_options(app, *texts);
  add_value(app, "Engines", "--budget", "N", texts->budget, "transitions the exact engine may use (default 5e6)");
  add_value(app, "Engines", "--tail", "P", texts->tail, "cut the distribution below P (default 1e-9)");
  add_threads_option(app, *texts, "threads for --all (default 0: all cores)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw the curves");
  return {&app, [&app, texts] {
            const DurabilityRequest request = durability_request(*texts, app);
            return Task{request.run, [request] { return durability_command(request); }};
          }};
}

}  // namespace salvo::cli
