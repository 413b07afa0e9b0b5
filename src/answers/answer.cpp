// The front door: see salvo/answer.h.
#include "answers/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/cross_check.h"
#include "answers/estimates.h"
#include "answers/report_cache.h"
#include "answers/sampling.h"
#include "base/text.h"
#include "base/work_limit.h"
#include "compile/plan_builder.h"
#include "exact/certificate.h"
#include "game/plan_hash.h"
#include "load/scenario_names.h"
#include "load/specs.h"

namespace salvo::answers {
namespace {

std::string transitions(double n) { return base::with_separators(static_cast<std::uint64_t>(n)); }

/// Why the exact engine does not do it.
std::string reason(const PlanTooLarge& error, const exact::Budget& budget) {
  if (!(error.budget > 0)) return error.what();
  return fmt::format("the exact engine needs more than its budget of {} transitions", transitions(budget.edges));
}

/// A question being answered. Whether the asker named a role's policy: one that is only the default may become greedy
/// when it does not fit.
struct Task {
  const AnswerOptions& options;
  SolutionCache& solutions;
  exact::Budget budget;
  compile::CompiledScenario question;
  bool attacker_policy_named = false, defender_policy_named = false;
};

/// `scenario` is what the question was compiled from.
Task task_of(compile::CompiledScenario&& question, const Scenario& scenario, const AnswerOptions& options,
             SolutionCache& solutions) {
  return {options,
          solutions,
          budget_of(options),
          std::move(question),
          scenario.attacker_policy.has_value(),
          scenario.defender_policy.has_value()};
}

/// Makes a default policy that does not fit greedy. Throws `error` on when the user asked for an optimal one.
void settle_for_greedy(Task& task, const PlanTooLarge& error) {
  const auto settle = [&](game::PolicyKind& policy, std::string& label, bool named) {
    if (policy != game::PolicyKind::Optimal) return;
    if (named) throw error;
    policy = game::PolicyKind::Greedy;
    label = "greedy";
  };
  auto& [plan, labels] = task.question;
  settle(plan.attacker_policy, labels.attacker_policy, task.attacker_policy_named);
  settle(plan.defender_policy, labels.defender_policy, task.defender_policy_named);
}

bool any_optimal(const game::Plan& plan) {
  return plan.attacker_policy == game::PolicyKind::Optimal || plan.defender_policy == game::PolicyKind::Optimal;
}

/// The policy for a plan that the exact engine cannot solve, and why it is so.
game::Policy unsolved_policy(Task& task, const PlanTooLarge& error, std::string& why) {
  why = reason(error, task.budget);
  if (any_optimal(task.question.plan)) {
    settle_for_greedy(task, error);
    why += "; the default policy became greedy";
  }
  return exact::greedy_policy(task.question.plan, task.budget);
}

/// What the engines found.
struct Found {
  std::string engine_reason;                        ///< why that engine; may be empty
  std::shared_ptr<const game::Distribution> exact;  ///< null: the exact engine did not answer
  std::optional<game::Distribution> sample;
  /// After each round but the last, by the engine whose figures are told (Plan::round_ends).
  std::vector<game::Distribution> rounds;
  std::optional<CrossCheck> cross_check;
  std::optional<Certificate> certificate;
};

game::Distribution sampled(const Task& task, const game::Policy& policy) {
  if (task.options.sampling_begins) task.options.sampling_begins();
  return sample::run(task.question.plan, policy, sampling_of(task.options));
}

/// What is sampled after each round but the last: the first attacks alone, with the policy of all of them. Where the
/// trials were interrupted only the rounds before that.
std::vector<game::Distribution> first_sampled_rounds(const Task& task, const game::Policy& policy,
                                                     const game::Distribution& whole) {
  const game::Plan& plan = task.question.plan;
  sample::Options how = sampling_of(task.options);
  how.trials = whole.trials;
  how.precision = 0;
  std::vector<game::Distribution> out;
  for (std::size_t round = 0; round + 1 < plan.round_ends.size() && !whole.interrupted; ++round) {
    out.push_back(sample::run(game::first_attacks(plan, plan.round_ends[round]), policy, how));
    if (!out.back().interrupted) continue;
    out.pop_back();
    break;
  }
  return out;
}

/// The same, but none where it is not all of them.
std::vector<game::Distribution> sampled_rounds(const Task& task, const game::Policy& policy,
                                               const game::Distribution& whole) {
  std::vector<game::Distribution> out = first_sampled_rounds(task, policy, whole);
  if (out.size() + 1 < task.question.plan.round_ends.size()) out.clear();
  return out;
}

/// The policy for the sampling engine alone; `reason`: where it is not the one that was asked for.
game::Policy policy_to_sample(Task& task, std::string& reason) {
  const game::Plan& plan = task.question.plan;
  try {
    return exact::solve(plan, task.budget).policy;
  } catch (const PlanTooLarge& error) {
    const bool replaced = any_optimal(plan);
    std::string why;
    game::Policy policy = unsolved_policy(task, error, why);
    if (replaced) reason = why;
    return policy;
  }
}

Found answer_sample(Task& task) {
  Found found;
  const game::Policy policy = policy_to_sample(task, found.engine_reason);
  found.sample = sampled(task, policy);
  found.rounds = sampled_rounds(task, policy, *found.sample);
  return found;
}

/// The exact answer, certified when that was asked for.
Found answer_exact(const Task& task, const exact::Solution& solution) {
  const game::Plan& plan = task.question.plan;
  Found found;
  found.exact = std::make_shared<const game::Distribution>(exact::enumerate(plan, solution));
  found.rounds = exact::enumerate_rounds(plan, solution);
  if (exact::kCertifies && task.options.certify) found.certificate = exact::certify(plan, solution);
  return found;
}

Found answer_both(const Task& task) {
  const exact::Solution solution = exact::solve(task.question.plan, task.budget);
  Found found = answer_exact(task, solution);
  found.sample = sampled(task, solution.policy);
  if (found.sample->trials > 0) {
    const std::vector<game::Distribution> rounds = first_sampled_rounds(task, solution.policy, *found.sample);
    found.cross_check = cross_check(*found.exact, *found.sample, task.question.labels, {found.rounds, rounds});
  }
  return found;
}

/// exact::solve(); that a plan does not fit is kept as well, since it takes the whole budget to find out.
exact::Solution solve_or_keep_why_not(SolutionCache& kept, const game::Plan& plan, std::uint64_t hash,
                                      const exact::Budget& budget) {
  try {
    return exact::solve(plan, budget);
  } catch (const exact::NoMemory&) {
    throw;
  } catch (const PlanTooLarge& error) {
    kept.keep(plan, hash, budget, std::make_shared<const SolvedExactly>(SolvedExactly{{}, 0, error}));
    throw;
  }
}

/// Tokens alone are played as fast as a plan is looked up.
bool worth_looking_up(const game::Plan& plan) {
  constexpr std::size_t kOfTokens = 6;  // effects that an attack has without cards, or hardly more
  return plan.damage_deck || std::any_of(plan.attacks.begin(), plan.attacks.end(), [](const game::AttackPlan& attack) {
           return attack.effects.size() > kOfTokens;
         });
}

/// What exact::solve() and exact::enumerate() find, or found before. `solution`: what the first returned, as soon as it
/// did. Throws PlanTooLarge.
std::shared_ptr<const SolvedExactly> solve_kept(SolutionCache& kept, const game::Plan& plan,
                                                const exact::Budget& budget, std::optional<exact::Solution>& solution) {
  const bool may_be_kept = worth_looking_up(plan);
  const std::uint64_t hash = may_be_kept ? game::hash_of(plan) : 0;
  if (auto known = may_be_kept ? kept.find(plan, hash, budget) : nullptr) {
    if (known->too_large) throw PlanTooLarge(*known->too_large);
    base::spend_work(known->edges);
    return known;
  }
  solution = may_be_kept ? solve_or_keep_why_not(kept, plan, hash, budget) : exact::solve(plan, budget);
  const auto edges = static_cast<double>(solution->edges);
  auto out = std::make_shared<const SolvedExactly>(
      SolvedExactly{exact::enumerate(plan, *solution), edges, {}, exact::enumerate_rounds(plan, *solution)});
  if (may_be_kept && edges >= SolutionCache::kWorthKeeping && kept.seen_before(hash))
    kept.keep(plan, hash, budget, out);
  return out;
}

/// The user left the choice to us.
Found answer_best(Task& task) {
  Found found;
  const game::Plan& plan = task.question.plan;
  std::optional<exact::Solution> solution;
  try {
    const auto solved = solve_kept(task.solutions, plan, task.budget, solution);
    found.exact = {solved, &solved->distribution};
    found.rounds = solved->rounds;
    found.engine_reason = fmt::format("it fits its budget ({} of {} transitions)", transitions(solved->edges),
                                      transitions(task.budget.edges));
  } catch (const PlanTooLarge& error) {
    // Solved but too large to enumerate: the solved policy can still be sampled.
    found.engine_reason = reason(error, task.budget);
    const game::Policy policy = solution ? solution->policy : unsolved_policy(task, error, found.engine_reason);
    found.sample = sampled(task, policy);
    found.rounds = sampled_rounds(task, policy, *found.sample);
  }
  return found;
}

/// Whether attackers of both sides shoot.
bool both_sides_shoot(const game::Plan& plan) {
  bool mine = false, theirs = false;
  for (const game::AttackPlan& attack : plan.attacks) {
    if (attack.engagement) continue;
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

namespace {

/// A question on its way from a scenario to a plan. A scenario with names in place of ids, the rare case, is copied and
/// gets ids. All that can be wrong is told in the words of the scenario's source. The arguments have to outlive it.
class Compilation {
 public:
  Compilation(const Catalogue& catalogue, const Scenario& scenario) : catalogue_(catalogue), given_(scenario) {
    told([&] {
      try {
        begun_.emplace(catalogue, scenario);
      } catch (const load::NoSuchId&) {
        begin_with_ids();
      }
    });
  }

  const compile::PlanKey& key() const { return begun_->key(); }
  const load::Edition& edition() const { return begun_->edition(); }
  /// With ids.
  const Scenario& scenario() const { return named_ ? *named_ : given_; }

  compile::CompiledScenario finish(compile::Lifetime lasts = compile::Lifetime::Round) {
    compile::CompiledScenario out;
    told([&] {
      try {
        out = begun_->finish(lasts);
      } catch (const load::NoSuchId&) {
        if (named_) throw;
        begin_with_ids();
        out = begun_->finish(lasts);
      }
    });
    return out;
  }

 private:
  void begin_with_ids() {
    named_ = given_;
    load::names_to_ids(catalogue_, *named_);
    begun_.emplace(catalogue_, *named_);
  }

  template <typename Do>
  void told(const Do& work) const {
    try {
      work();
    } catch (const ScenarioError& error) {
      throw load::located(given_, error);
    }
  }

  const Catalogue& catalogue_;
  const Scenario& given_;
  std::optional<Scenario> named_;
  std::optional<compile::PlanBuilder> begun_;
};

}  // namespace

compile::CompiledScenario compile_named(const Catalogue& catalogue, Scenario& scenario, compile::Lifetime lasts) {
  Compilation compilation(catalogue, scenario);
  compile::CompiledScenario out = compilation.finish(lasts);
  if (&compilation.scenario() != &scenario) scenario = compilation.scenario();
  return out;
}

compile::CompiledScenario compile_question(const Catalogue& catalogue, const Scenario& scenario,
                                           compile::Lifetime lasts) {
  return Compilation(catalogue, scenario).finish(lasts);
}

namespace {

/// A deck deals its cards to ships with a hull only, and scenarios of bare dice need not look for one.
bool attacks_without_hull(const game::Plan& plan) {
  return std::any_of(plan.ships.begin(), plan.ships.end(),
                     [](const game::ShipPlan& ship) { return ship.attacked && !ship.destructible; });
}

constexpr double kWouldAddBudget = 20'000;  // transitions: some ten milliseconds

/// What the usual damage deck of the edition (its deck "core") would change about an exact answer without one. Empty
/// where the scenario has a deck, ships without hull, no critical hit that reaches a hull, or is too large to tell
/// fast. `whole` becomes false where only the limits of this moment made it empty.
std::optional<DeckWouldAdd> would_add(const Catalogue& catalogue, const Scenario& scenario, const Report& report,
                                      SolutionCache& kept, bool& whole) {
  if (report.engine == "sample" || scenario.damage_deck != "none") return std::nullopt;
  Scenario with = scenario;
  with.damage_deck = "core";
  if (catalogue.deck(with.damage_deck, scenario.rules) == nullptr) return std::nullopt;
  try {
    const compile::CompiledScenario question = compile::compile_scenario(catalogue, with);
    const exact::Budget budget{.edges = kWouldAddBudget};
    std::optional<exact::Solution> solution;
    const auto solved = solve_kept(kept, question.plan, budget, solution);
    const Estimates dealt = make_estimates(question.labels, solved->distribution);
    DeckWouldAdd out{.deck = question.labels.damage_deck, .mean = {}};
    bool any = false;
    for (std::size_t s = 0; s < dealt.ships.size(); ++s) {
      if (!question.plan.ships[s].attacked) continue;
      const ShipEstimates &with_deck = dealt.ships[s], &without = report.estimates.ships[s];
      any = any || with_deck.faceup.value > 0;
      out.mean.emplace_back(with_deck.name, with_deck.mean_damage.value - without.mean_damage.value);
    }
    return any ? std::optional(out) : std::nullopt;
  } catch (const base::TooMuchWork&) {
    whole = false;
  } catch (const exact::NoMemory&) {
    whole = false;
  } catch (const std::runtime_error&) {  // a ship without hull, or too large: the sentence is left out
  }
  return std::nullopt;
}

/// Lets the engine answer that the asker chose, or the best.
Found find(Task& task) {
  const AnswerOptions& options = task.options;
  if (!options.engine && !options.certify) return answer_best(task);
  if (options.engine == EngineChoice::Sample) return answer_sample(task);
  if (options.engine == EngineChoice::Both) return answer_both(task);
  return answer_exact(task, exact::solve(task.question.plan, task.budget));
}

/// find(), whose error has the place of the attack that is too large.
Found find_or_name(Task& task, const Scenario& scenario) try { return find(task); } catch (const PlanTooLarge& error) {
  if (error.attack < 0) throw;
  PlanTooLarge named = error;
  named.path = load::located(scenario, {task.question.labels.paths[static_cast<std::size_t>(error.attack)], ""}).path;
  throw named;
}

Report report_of(const compile::CompiledScenario& question, const Found& found, const AnswerOptions& options) {
  Report report = make_report(question.labels, found.exact ? *found.exact : *found.sample);
  if (found.sample) {
    report.engine = found.exact ? "both" : "sample";
    if (!report.sample) add_sample(report, *found.sample);
  }
  if (options.trials && options.precision && report.sample && !report.sample->interrupted)
    report.sample->ended_by = report.sample->trials < *options.trials ? "precision" : "trials";
  for (const game::Distribution& round : found.rounds) report.rounds.push_back(make_estimates(question.labels, round));
  if (!report.rounds.empty()) report.rounds.push_back(report.estimates);
  report.engine_reason = found.engine_reason;
  report.both_sides_shoot = both_sides_shoot(question.plan);
  report.cross_check = found.cross_check;
  report.certificate = found.certificate;
  return report;
}

/// The options, and the scenario with their overrides.
class Asker {
 public:
  Asker(const Scenario& given, const AnswerOptions& options) : given_(given) {
    check(options);
    if (options.overrides == Overrides()) return;
    changed_ = given;
    apply(options.overrides, *changed_);
  }
  const Scenario& scenario() const { return changed_ ? *changed_ : given_; }

 private:
  const Scenario& given_;
  std::optional<Scenario> changed_;
};

/// A question from the moment it is asked to its answer. The arguments have to outlive it.
class Asking {
 public:
  Asking(const Catalogue& catalogue, const Scenario& given, const AnswerOptions& options)
      : catalogue_(catalogue),
        options_(options),
        asker_(given, options),
        compilation_(catalogue, asker_.scenario()),
        door_(front_door(compilation_.edition())) {}
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  /// The answer that is kept, counted as work; null: there is none.
  SharedAnswer known() const {
    if (!may_be_kept()) return nullptr;
    SharedAnswer out = door_.answers.find(key());
    if (out == nullptr) return nullptr;
    base::spend_work(out->work);
    try {
      base::spend_work(out->deck_work);
    } catch (const base::TooMuchWork&) {  // as would_add() has it
      auto less = std::make_shared<CachedReport>(CachedReport{out->report, out->work});
      less->report.would_add.reset();
      return less;
    }
    return out;
  }

  CachedReport work_out() {
    const double begin = base::work_counted();
    Task task = task_of(compilation_.finish(), asker_.scenario(), options_, door_.solutions);
    const Found found = find_or_name(task, asker_.scenario());
    CachedReport out{report_of(task.question, found, options_)};
    const double middle = base::work_counted();
    out.work = middle - begin;
    if (options_.would_add && !attacks_without_hull(task.question.plan))
      out.report.would_add = would_add(catalogue_, compilation_.scenario(), out.report, door_.solutions, whole_);
    out.deck_work = base::work_counted() - middle;
    whole_ = whole_ && !found.sample;
    return out;
  }

  /// Whether the answer, once it is worked out, is for those who ask the same again: an exact one, of a question that
  /// was asked before.
  bool worth_keeping() const { return may_be_kept() && whole_ && door_.answers.seen_before(key()); }
  void keep(SharedAnswer answer) const { door_.answers.keep(key(), std::move(answer)); }

 private:
  bool may_be_kept() const { return options_.engine.value_or(EngineChoice::Exact) == EngineChoice::Exact; }
  /// After work_out() names may have become ids: then it is another.
  AnswerKey key() const { return {compilation_.key(), options_}; }

  const Catalogue& catalogue_;
  const AnswerOptions& options_;
  const Asker asker_;
  Compilation compilation_;
  const FrontDoor& door_;
  bool whole_ = true;  ///< nothing was sampled, or left out for want of time or memory
};

}  // namespace

struct Sampling::Content {
  Content(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& given)
      : options(given), task(task_of(ask(catalogue, scenario, options))), how(sampling_of(options)) {
    policy = policy_to_sample(task, engine_reason);
  }

  Task task_of(Asked&& asked) {
    return answers::task_of(std::move(asked.question), asked.scenario, options, solutions);
  }

  AnswerOptions options;
  SolutionCache solutions;
  Task task;
  sample::Options how;
  std::string engine_reason;
  game::Policy policy;
  std::optional<sample::Parts> parts;
};

Sampling::Sampling(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options)
    : content_(new Content(catalogue, scenario, options)) {}
Sampling::~Sampling() = default;

const game::Plan& Sampling::plan() const { return content_->task.question.plan; }
std::uint64_t Sampling::trials() const { return content_->how.trials; }

sample::Parts& Sampling::parts() {
  if (!content_->parts) content_->parts.emplace(plan(), content_->policy, content_->how);
  return *content_->parts;
}

Report Sampling::report(const sample::Tally& all, const sample::PlayedBy& by) const {
  Found found;
  found.engine_reason = content_->engine_reason;
  found.sample = sample::distribution_of(plan(), all, content_->how, by);
  found.rounds = sampled_rounds(content_->task, content_->policy, *found.sample);
  return report_of(content_->task.question, found, content_->options);
}

SharedAnswer answer_shared(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  Asking asking(catalogue, scenario, options);
  if (SharedAnswer known = asking.known()) return known;
  SharedAnswer fresh = std::make_shared<const CachedReport>(asking.work_out());
  if (asking.worth_keeping()) asking.keep(fresh);
  return fresh;
}

}  // namespace salvo::answers

salvo::Report salvo::answer(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  answers::Asking asking(catalogue, scenario, options);
  if (const answers::SharedAnswer known = asking.known()) return known->report;
  answers::CachedReport fresh = asking.work_out();
  if (asking.worth_keeping()) asking.keep(std::make_shared<const answers::CachedReport>(fresh));
  return std::move(fresh.report);
}
