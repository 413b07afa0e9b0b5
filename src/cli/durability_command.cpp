// `salvo durability`: see durability_command.h.
#include "cli/durability_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "answer/answer.h"
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

}  // namespace

int durability_command(const DurabilityRequest& request) {
  end_on_interrupt();
  const Catalogue catalogue(Catalogue::find_profiles());
  report::DurabilityReport report = request.all ? all_ships(catalogue, request) : one_ship(catalogue, request);
  report.round = request.round;
  report.tail = request.tail;
  if (request.run.plot) write_file("--plot", *request.run.plot, report::plot_durability(report));
  write_output(render(report, request.run));
  return kAnswered;
}

}  // namespace salvo::cli
