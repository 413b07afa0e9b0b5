// Answer: see answer.h.
#include "cli/answer.h"

#include <fmt/format.h>

#include "exact/certificate.h"
#include "report/cross_check.h"
#include "report/digits.h"
#include "salvo/scenario.h"

namespace salvo::cli {
namespace {

std::string transitions(double n) { return report::with_separators(static_cast<std::uint64_t>(n)); }

/// Why the exact engine does not do it.
std::string reason(const PlanTooLarge& error, const exact::Budget& budget) {
  if (!(error.budget > 0)) return error.what();
  return fmt::format("the exact engine needs more than its budget of {} transitions", transitions(budget.edges));
}

/// Makes a default policy that does not fit greedy. Throws `error` on when the user asked for an optimal one.
void settle_for_greedy(Question& question, const AnswerOptions& options, const PlanTooLarge& error) {
  const auto settle = [&](PolicyKind& policy, std::string& label, bool named) {
    if (policy != PolicyKind::Optimal) return;
    if (named) throw error;
    policy = PolicyKind::Greedy;
    label = "greedy";
  };
  settle(question.plan.attacker_policy, question.labels.attacker_policy, options.attacker_policy_named);
  settle(question.plan.defender_policy, question.labels.defender_policy, options.defender_policy_named);
}

bool any_optimal(const Plan& plan) {
  return plan.attacker_policy == PolicyKind::Optimal || plan.defender_policy == PolicyKind::Optimal;
}

/// The policy for a plan that the exact engine cannot solve, and why it is so.
Policy unsolved_policy(Question& question, const AnswerOptions& options, const PlanTooLarge& error, std::string& why) {
  why = reason(error, options.budget);
  if (any_optimal(question.plan)) {
    settle_for_greedy(question, options, error);
    why += "; the default policy became greedy";
  }
  return exact::greedy_policy(question.plan, options.budget);
}

Distribution sampled(const Question& question, const Policy& policy, const AnswerOptions& options) {
  if (options.sampling_begins) options.sampling_begins();
  return sample::run(question.plan, policy, options.sampling);
}

void answer_sample(Question& question, const AnswerOptions& options, Report& report) {
  Policy policy;
  try {
    policy = exact::solve(question.plan, options.budget).policy;
  } catch (const PlanTooLarge& error) {
    const bool replaced = any_optimal(question.plan);
    std::string why;
    policy = unsolved_policy(question, options, error, why);
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
void answer_best(Question& question, const AnswerOptions& options, Report& report) {
  std::optional<exact::Solution> solution;
  try {
    solution = exact::solve(question.plan, options.budget);
    report.exact = exact::enumerate(question.plan, *solution);
    report.engine = "exact";
    report.engine_reason = fmt::format("it fits its budget ({} of {} transitions)",
                                       report::with_separators(solution->edges), transitions(options.budget.edges));
  } catch (const PlanTooLarge& error) {
    // Solved but too large to enumerate: the solved policy can still be sampled.
    report.engine_reason = reason(error, options.budget);
    const Policy policy = solution ? solution->policy : unsolved_policy(question, options, error, report.engine_reason);
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

AnswerOptions answer_options(const RunOptions& options, const Scenario& scenario) {
  AnswerOptions out;
  out.engine = options.engine;
  out.attacker_policy_named = scenario.attacker_policy.has_value();
  out.defender_policy_named = scenario.defender_policy.has_value();
  out.certify = options.certify;
  if (options.budget) out.budget.edges = *options.budget;
  if (options.precision) {
    out.sampling.precision = *options.precision;
    out.sampling.trials = kTrialsForPrecision;
  }
  if (options.trials) out.sampling.trials = *options.trials;
  out.sampling.seed = options.seed;
  out.sampling.threads = options.threads;
  if (options.generator) out.sampling.generator = *sample::generator_of(*options.generator);
  out.sampling.target = options.target.value_or("");
  out.sampling.tokens = options.count_tokens;
  return out;
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

}  // namespace

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

Report answer(Question question, const AnswerOptions& options) {
  Report report;
  report.both_sides_shoot = both_sides_shoot(question.plan);
  if (!options.engine && !options.certify) {
    answer_best(question, options, report);
  } else if (options.engine == EngineChoice::Sample) {
    answer_sample(question, options, report);
  } else if (options.engine == EngineChoice::Both) {
    answer_both(question, options, report);
  } else {
    const exact::Solution solution = exact::solve(question.plan, options.budget);
    report.engine = "exact";
    answer_exact(question, solution, options, report);
  }
  report.labels = std::move(question.labels);
  return report;
}

}  // namespace salvo::cli
