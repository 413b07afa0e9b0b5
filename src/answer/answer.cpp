// The front door: see answer.h.
#include "answer/answer.h"

#include <fmt/format.h>

#include "answer/cross_check.h"
#include "base/text.h"
#include "exact/certificate.h"
#include "load/load.h"

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
Policy unsolved_policy(Task& task, const AnswerOptions& options, const PlanTooLarge& error, std::string& why) {
  why = reason(error, options.budget);
  if (any_optimal(task.question.plan)) {
    settle_for_greedy(task, error);
    why += "; the default policy became greedy";
  }
  return exact::greedy_policy(task.question.plan, options.budget);
}

Distribution sampled(const Question& question, const Policy& policy, const AnswerOptions& options) {
  if (options.sampling_begins) options.sampling_begins();
  return sample::run(question.plan, policy, options.sampling);
}

void answer_sample(Task& task, const AnswerOptions& options, Report& report) {
  const Question& question = task.question;
  Policy policy;
  try {
    policy = exact::solve(question.plan, options.budget).policy;
  } catch (const PlanTooLarge& error) {
    const bool replaced = any_optimal(question.plan);
    std::string why;
    policy = unsolved_policy(task, options, error, why);
    if (replaced) report.engine_reason = why;
  }
  report.engine = "sample";
  report.sample = sampled(question, policy, options);
}

/// The exact answer, certified when that was asked for.
void answer_exact(const Question& question, const exact::Solution& solution, const AnswerOptions& options,
                  Report& report) {
  report.exact = exact::enumerate(question.plan, solution);
  if (options.certify) report.certificate = exact::certify(question.plan, solution);
}

void answer_both(const Question& question, const AnswerOptions& options, Report& report) {
  const exact::Solution solution = exact::solve(question.plan, options.budget);
  report.engine = "both";
  answer_exact(question, solution, options, report);
  report.sample = sampled(question, solution.policy, options);
  if (report.sample->trials > 0) report.cross_check = cross_check(*report.exact, *report.sample, question.labels);
}

/// The user left the choice to us.
void answer_best(Task& task, const AnswerOptions& options, Report& report) {
  const Question& question = task.question;
  std::optional<exact::Solution> solution;
  try {
    solution = exact::solve(question.plan, options.budget);
    report.exact = exact::enumerate(question.plan, *solution);
    report.engine = "exact";
    report.engine_reason = fmt::format("it fits its budget ({} of {} transitions)",
                                       text::with_separators(solution->edges), transitions(options.budget.edges));
  } catch (const PlanTooLarge& error) {
    // Solved but too large to enumerate: the solved policy can still be sampled.
    report.engine_reason = reason(error, options.budget);
    const Policy policy = solution ? solution->policy : unsolved_policy(task, options, error, report.engine_reason);
    report.engine = "sample";
    report.sample = sampled(question, policy, options);
  }
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

void apply(const Overrides& overrides, Scenario& scenario) {
  const auto replace = [&](const char* key, const char* option, const std::optional<std::string>& value, auto& target) {
    if (!value) return;
    target = *value;
    scenario.given_by[key] = option;
  };
  replace("rules", "--rules", overrides.rules, scenario.rules);
  replace("cards", "--cards", overrides.cards, scenario.cards);
  replace("objective", "--objective", overrides.objective, scenario.objective);
  replace("damage_deck", "--damage-deck", overrides.damage_deck, scenario.damage_deck);
  replace("attacker_policy", "--attacker-policy", overrides.attacker_policy, scenario.attacker_policy);
  replace("defender_policy", "--defender-policy", overrides.defender_policy, scenario.defender_policy);
}

Question compile_question(const Catalogue& catalogue, const Scenario& scenario) {
  try {
    return compile(catalogue, scenario);
  } catch (const ScenarioError& error) {
    throw LoadError(describe(scenario, error), error.path, error.what());
  }
}

namespace {

constexpr double kWouldAddBudget = 20'000;  // transitions: some ten milliseconds

double mean_of(const Eigen::ArrayXd& pmf) {
  double mean = 0;
  for (Eigen::Index k = 0; k < pmf.size(); ++k) mean += static_cast<double>(k) * pmf(k);
  return mean;
}

/// What the usual damage deck of the edition (its deck "core") would change about an exact answer without one. Empty
/// where the scenario has a deck, ships without hull, no critical hit that reaches a hull, or is too large to tell
/// fast.
std::optional<DeckWouldAdd> would_add(const Catalogue& catalogue, const Scenario& scenario, const Report& report) {
  if (!report.exact || scenario.damage_deck != "none") return std::nullopt;
  Scenario with = scenario;
  with.damage_deck = "core";
  if (catalogue.deck(with.damage_deck, scenario.rules) == nullptr) return std::nullopt;
  try {
    const Question question = compile(catalogue, with);
    const exact::Budget budget{.edges = kWouldAddBudget};
    const exact::Solution solution = exact::solve(question.plan, budget);
    const Distribution dealt = exact::enumerate(question.plan, solution);
    DeckWouldAdd out{.deck = question.labels.damage_deck, .mean = {}};
    bool any = false;
    for (std::size_t s = 0; s < dealt.ships.size(); ++s) {
      if (!question.plan.ships[s].attacked) continue;
      any = any || dealt.ships[s].faceup > 0;
      out.mean.emplace_back(question.labels.ships[s],
                            mean_of(dealt.ships[s].damage) - mean_of(report.exact->ships[s].damage));
    }
    return any ? std::optional(out) : std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // a ship without hull, or too large: the sentence is left out
  }
}

}  // namespace

std::vector<std::string> sampling_notes(const Distribution& sampled) {
  if (sampled.kernel_fallback.empty()) return {};
  return {sampled.kernel_fallback};
}

Report answer(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  Task task{compile_question(catalogue, scenario), scenario.attacker_policy.has_value(),
            scenario.defender_policy.has_value()};
  Report report;
  report.both_sides_shoot = both_sides_shoot(task.question.plan);
  if (!options.engine && !options.certify) {
    answer_best(task, options, report);
  } else if (options.engine == EngineChoice::Sample) {
    answer_sample(task, options, report);
  } else if (options.engine == EngineChoice::Both) {
    answer_both(task.question, options, report);
  } else {
    const exact::Solution solution = exact::solve(task.question.plan, options.budget);
    report.engine = "exact";
    answer_exact(task.question, solution, options, report);
  }
  report.labels = std::move(task.question.labels);
  if (report.sample) {
    for (std::string& note : sampling_notes(*report.sample)) report.labels.notes.push_back(std::move(note));
  }
  if (options.would_add) report.would_add = would_add(catalogue, scenario, report);
  return report;
}

}  // namespace salvo
