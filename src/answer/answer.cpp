// The front door: see salvo/answer.h.
#include "answer/answer.h"

#include <fmt/format.h>

#include "answer/cross_check.h"
#include "base/text.h"
#include "exact/certificate.h"
#include "figures/figures.h"
#include "load/scenario_names.h"

namespace salvo {
namespace {

std::string transitions(double n) { return text::with_separators(static_cast<std::uint64_t>(n)); }

/// Why the exact engine does not do it.
std::string reason(const PlanTooLarge& error, const exact::Budget& budget) {
  if (!(error.budget > 0)) return error.what();
  return fmt::format("the exact engine needs more than its budget of {} transitions", transitions(budget.edges));
}

/// A question being answered. Whether the asker named a role's policy: one that is only the default may become greedy
/// when it does not fit.
struct Task {
  const AnswerOptions& options;
  exact::Budget budget;
  Question question;
  bool attacker_policy_named = false, defender_policy_named = false;
};

/// Makes a default policy that does not fit greedy. Throws `error` on when the user asked for an optimal one.
void settle_for_greedy(Task& task, const PlanTooLarge& error) {
  const auto settle = [&](PolicyKind& policy, std::string& label, bool named) {
    if (policy != PolicyKind::Optimal) return;
    if (named) throw error;
    policy = PolicyKind::Greedy;
    label = "greedy";
  };
  auto& [plan, labels] = task.question;
  settle(plan.attacker_policy, labels.attacker_policy, task.attacker_policy_named);
  settle(plan.defender_policy, labels.defender_policy, task.defender_policy_named);
}

bool any_optimal(const Plan& plan) {
  return plan.attacker_policy == PolicyKind::Optimal || plan.defender_policy == PolicyKind::Optimal;
}

/// The policy for a plan that the exact engine cannot solve, and why it is so.
Policy unsolved_policy(Task& task, const PlanTooLarge& error, std::string& why) {
  why = reason(error, task.budget);
  if (any_optimal(task.question.plan)) {
    settle_for_greedy(task, error);
    why += "; the default policy became greedy";
  }
  return exact::greedy_policy(task.question.plan, task.budget);
}

/// What the engines found.
struct Found {
  std::string engine_reason;  ///< why that engine; may be empty
  std::optional<Distribution> exact, sample;
  std::optional<CrossCheck> cross_check;
  std::optional<Certificate> certificate;
};

Distribution sampled(const Task& task, const Policy& policy) {
  if (task.options.sampling_begins) task.options.sampling_begins();
  return sample::run(task.question.plan, policy, sampling_of(task.options));
}

Found answer_sample(Task& task) {
  Found found;
  const Plan& plan = task.question.plan;
  Policy policy;
  try {
    policy = exact::solve(plan, task.budget).policy;
  } catch (const PlanTooLarge& error) {
    const bool replaced = any_optimal(plan);
    std::string why;
    policy = unsolved_policy(task, error, why);
    if (replaced) found.engine_reason = why;
  }
  found.sample = sampled(task, policy);
  return found;
}

/// The exact answer, certified when that was asked for.
Found answer_exact(const Task& task, const exact::Solution& solution) {
  const Plan& plan = task.question.plan;
  Found found;
  found.exact = exact::enumerate(plan, solution);
  if (exact::kCertifies && task.options.certify) found.certificate = exact::certify(plan, solution);
  return found;
}

Found answer_both(const Task& task) {
  const exact::Solution solution = exact::solve(task.question.plan, task.budget);
  Found found = answer_exact(task, solution);
  found.sample = sampled(task, solution.policy);
  if (found.sample->trials > 0) found.cross_check = cross_check(*found.exact, *found.sample, task.question.labels);
  return found;
}

/// The user left the choice to us.
Found answer_best(Task& task) {
  Found found;
  const Plan& plan = task.question.plan;
  std::optional<exact::Solution> solution;
  try {
    solution = exact::solve(plan, task.budget);
    found.exact = exact::enumerate(plan, *solution);
    found.engine_reason = fmt::format("it fits its budget ({} of {} transitions)",
                                      text::with_separators(solution->edges), transitions(task.budget.edges));
  } catch (const PlanTooLarge& error) {
    // Solved but too large to enumerate: the solved policy can still be sampled.
    found.engine_reason = reason(error, task.budget);
    const Policy policy = solution ? solution->policy : unsolved_policy(task, error, found.engine_reason);
    found.sample = sampled(task, policy);
  }
  return found;
}

/// Whether attackers of both sides shoot.
bool both_sides_shoot(const Plan& plan) {
  bool mine = false, theirs = false;
  for (const AttackPlan& attack : plan.attacks) {
    (plan.ships[static_cast<std::size_t>(attack.attacker)].mine ? mine : theirs) = true;
  }
  return mine && theirs;
}

}  // namespace

Asked ask(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  check(options);
  Asked out{scenario, {}};
  apply(options.overrides, out.scenario);
  out.question = compile_named(catalogue, out.scenario);
  return out;
}

Question compile_named(const Catalogue& catalogue, Scenario& scenario) {
  try {
    try {
      return compile(catalogue, scenario);
    } catch (const load::NoSuchId&) {  // the rare case, so that ids cost nothing
      load::names_to_ids(catalogue, scenario);
      return compile(catalogue, scenario);
    }
  } catch (const ScenarioError& error) {
    throw LoadError(describe(scenario, error), error.path, error.what());
  }
}

Question compile_question(const Catalogue& catalogue, const Scenario& scenario) {
  Scenario named = scenario;
  return compile_named(catalogue, named);
}

namespace {

constexpr double kWouldAddBudget = 20'000;  // transitions: some ten milliseconds

/// What the usual damage deck of the edition (its deck "core") would change about an exact answer without one. Empty
/// where the scenario has a deck, ships without hull, no critical hit that reaches a hull, or is too large to tell
/// fast.
std::optional<DeckWouldAdd> would_add(const Catalogue& catalogue, const Scenario& scenario, const Report& report) {
  if (report.engine == "sample" || scenario.damage_deck != "none") return std::nullopt;
  Scenario with = scenario;
  with.damage_deck = "core";
  if (catalogue.deck(with.damage_deck, scenario.rules) == nullptr) return std::nullopt;
  try {
    const Question question = compile(catalogue, with);
    const exact::Budget budget{.edges = kWouldAddBudget};
    const exact::Solution solution = exact::solve(question.plan, budget);
    const Figures dealt = make_figures(question.labels, exact::enumerate(question.plan, solution));
    DeckWouldAdd out{.deck = question.labels.damage_deck, .mean = {}};
    bool any = false;
    for (std::size_t s = 0; s < dealt.ships.size(); ++s) {
      if (!question.plan.ships[s].attacked) continue;
      const ShipFigures &with_deck = dealt.ships[s], &without = report.figures.ships[s];
      any = any || with_deck.faceup.value > 0;
      out.mean.emplace_back(with_deck.name, with_deck.mean_damage.value - without.mean_damage.value);
    }
    return any ? std::optional(out) : std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // a ship without hull, or too large: the sentence is left out
  }
}

/// Lets the engine answer that the asker chose, or the best.
Found find(Task& task) {
  const AnswerOptions& options = task.options;
  if (!options.engine && !options.certify) return answer_best(task);
  if (options.engine == EngineChoice::Sample) return answer_sample(task);
  if (options.engine == EngineChoice::Both) return answer_both(task);
  return answer_exact(task, exact::solve(task.question.plan, task.budget));
}

Report report_of(const Question& question, const Found& found, const AnswerOptions& options) {
  Report report = make_report(question.labels, found.exact ? *found.exact : *found.sample);
  if (found.sample) {
    report.engine = found.exact ? "both" : "sample";
    if (!report.sample) add_sample(report, *found.sample);
  }
  if (options.trials && options.precision && report.sample && !report.sample->interrupted)
    report.sample->ended_by = report.sample->trials < *options.trials ? "precision" : "trials";
  report.engine_reason = found.engine_reason;
  report.both_sides_shoot = both_sides_shoot(question.plan);
  report.cross_check = found.cross_check;
  report.certificate = found.certificate;
  return report;
}

}  // namespace

Report answer(const Catalogue& catalogue, const Scenario& given, const AnswerOptions& options) {
  auto [scenario, question] = ask(catalogue, given, options);
  Task task{options, budget_of(options), std::move(question), scenario.attacker_policy.has_value(),
            scenario.defender_policy.has_value()};
  Report report = report_of(task.question, find(task), options);
  if (options.would_add) report.would_add = would_add(catalogue, scenario, report);
  return report;
}

}  // namespace salvo
