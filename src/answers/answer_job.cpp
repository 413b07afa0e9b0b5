#include "answers/answer_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/cross_check.h"
#include "answers/estimates.h"
#include "answers/options.h"
#include "answers/weapons.h"
#include "base/index.h"
#include "base/text.h"
#include "base/work_limit.h"
#include "exact/certificate.h"
#include "load/scenario_names.h"
#include "load/specs.h"

namespace salvo::answers {
namespace {

std::string transitions(double n) { return base::with_separators(static_cast<std::uint64_t>(n)); }

bool any_optimal(const game::Plan& plan) {
  return plan.attacker_policy == game::PolicyKind::Optimal || plan.defender_policy == game::PolicyKind::Optimal;
}

/// Whether ships of both sides attack.
bool both_sides_shoot(const game::Plan& plan) {
  bool mine = false, theirs = false;
  for (const game::AttackPlan& attack : plan.attacks) {
    if (attack.engagement) continue;
    (base::nth(plan.ships, attack.attacker).mine ? mine : theirs) = true;
  }
  return mine && theirs;
}

/// A deck deals cards only to ships with a hull, so scenarios of bare dice can skip the deck.
bool attacks_without_hull(const game::Plan& plan) {
  return std::any_of(plan.ships.begin(), plan.ships.end(),
                     [](const game::ShipPlan& ship) { return ship.attacked && !ship.destructible; });
}

constexpr double kWouldAddBudget = 20'000;  // transitions: about ten milliseconds

}  // namespace

// ---------------------------------------------------------------- the scenario

AnswerJob::AnswerJob(const Catalogue& catalogue, const Scenario& given, const AnswerOptions& options)
    : catalogue_(catalogue), given_(given), options_(options), budget_(budget_of(options)) {
  check(options);
  if (!(options.overrides == Overrides())) apply(options.overrides, overridden_.emplace(given));
  with_location([&] {
    try {
      if (leaves_weapon_open(catalogue_, with_overrides())) return begin_with_ids();
      builder_.emplace(catalogue_, with_overrides());
    } catch (const load::UnknownIdError&) {
      begin_with_ids();
    }
  });
}

void AnswerJob::begin_with_ids() {
  with_ids_ = with_overrides();
  load::names_to_ids(catalogue_, *with_ids_);
  name_weapons(catalogue_, options_, *with_ids_);
  builder_.emplace(catalogue_, *with_ids_);
}

template <typename Do>
void AnswerJob::with_location(const Do& work) const {
  try {
    work();
  } catch (const ScenarioError& error) {
    throw load::with_location(with_overrides(), error);
  }
}

compile::CompiledScenario& AnswerJob::compile(compile::Lifetime lifetime) {
  with_location([&] {
    try {
      builder_->finish(lifetime);
    } catch (const load::UnknownIdError&) {
      if (with_ids_) throw;
      begin_with_ids();
      builder_->finish(lifetime);
    }
  });
  return builder_->compiled();
}

// ---------------------------------------------------------------- policies

std::string AnswerJob::too_large(const PlanTooLarge& error) const {
  if (!(error.budget > 0)) return error.what();
  return fmt::format("the exact engine needs more than its budget of {} transitions", transitions(budget_.edges));
}

/// Replaces a default policy that does not fit by greedy. Rethrows `error` if the user asked for an optimal one.
void AnswerJob::settle_for_greedy(const PlanTooLarge& error) {
  const auto settle = [&](game::PolicyKind& policy, std::string& label, bool named) {
    if (policy != game::PolicyKind::Optimal) return;
    if (named) throw error;
    policy = game::PolicyKind::Greedy;
    label = "greedy";
  };
  auto& [plan, labels] = builder_->compiled();
  settle(plan.attacker_policy, labels.attacker_policy, scenario().attacker_policy.has_value());
  settle(plan.defender_policy, labels.defender_policy, scenario().defender_policy.has_value());
}

/// The policy for a plan that the exact engine cannot solve. `why` receives the reason.
game::Policy AnswerJob::unsolved_policy(const PlanTooLarge& error, std::string& why) {
  why = too_large(error);
  if (any_optimal(plan())) {
    settle_for_greedy(error);
    why += "; the default policy became greedy";
  }
  return exact::greedy_policy(plan(), budget_);
}

game::Policy AnswerJob::policy_to_sample(std::string& reason) {
  try {
    return exact::solve(plan(), budget_).policy;
  } catch (const PlanTooLarge& error) {
    const bool replaced = any_optimal(plan());
    std::string why;
    game::Policy policy = unsolved_policy(error, why);
    if (replaced) reason = why;
    return policy;
  }
}

// ---------------------------------------------------------------- engines

game::Distribution AnswerJob::sampled(const game::Policy& policy) const {
  if (options_.sampling_begins) options_.sampling_begins();
  return sample::run(plan(), policy, sampling_of(options_));
}

/// Samples each round but the last: the first attacks alone, with the policy of the whole plan. Interrupted trials end
/// the list early.
std::vector<game::Distribution> AnswerJob::first_sampled_rounds(const game::Policy& policy,
                                                                const game::Distribution& whole) const {
  const game::Plan& plan = this->plan();
  sample::Options how = sampling_of(options_);
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

std::vector<game::Distribution> AnswerJob::sampled_rounds(const game::Policy& policy,
                                                          const game::Distribution& whole) const {
  std::vector<game::Distribution> out = first_sampled_rounds(policy, whole);
  if (out.size() + 1 < plan().round_ends.size()) out.clear();
  return out;
}

EngineResults AnswerJob::run_sample() {
  EngineResults out;
  const game::Policy policy = policy_to_sample(out.engine_reason);
  out.sample = sampled(policy);
  out.rounds = sampled_rounds(policy, *out.sample);
  return out;
}

EngineResults AnswerJob::run_exact(const exact::Solution& solution) const {
  EngineResults out;
  out.exact = std::make_shared<const game::Distribution>(exact::enumerate(plan(), solution));
  out.rounds = exact::enumerate_rounds(plan(), solution);
  if (exact::kCertifies && options_.certify) out.certificate = exact::certify(plan(), solution);
  return out;
}

EngineResults AnswerJob::run_both() {
  const exact::Solution solution = exact::solve(plan(), budget_);
  EngineResults out = run_exact(solution);
  out.sample = sampled(solution.policy);
  if (out.sample->trials > 0) {
    const std::vector<game::Distribution> rounds = first_sampled_rounds(solution.policy, *out.sample);
    out.cross_check = cross_check(*out.exact, *out.sample, labels(), {out.rounds, rounds});
  }
  return out;
}

/// Chooses the engine: exact within its budget, else sampling.
EngineResults AnswerJob::run_best() {
  EngineResults out;
  std::optional<exact::Solution> solution;
  try {
    const auto solved = cache().solve(plan(), budget_, solution);
    out.exact = {solved, &solved->distribution};
    out.rounds = solved->rounds;
    out.engine_reason =
        "it fits its budget (" + transitions(solved->edges) + " of " + transitions(budget_.edges) + " transitions)";
  } catch (const PlanTooLarge& error) {
    // Solved but too large to enumerate: the solved policy can still be sampled.
    out.engine_reason = too_large(error);
    const game::Policy policy = solution ? solution->policy : unsolved_policy(error, out.engine_reason);
    out.sample = sampled(policy);
    out.rounds = sampled_rounds(policy, *out.sample);
  }
  return out;
}

/// Runs the requested engine, or the best. PlanTooLarge gets the path of the attack that is too large.
EngineResults AnswerJob::run() try {
  if (!options_.engine && !options_.certify) return run_best();
  if (options_.engine == EngineChoice::Sample) return run_sample();
  if (options_.engine == EngineChoice::Both) return run_both();
  return run_exact(exact::solve(plan(), budget_));
} catch (const PlanTooLarge& error) {
  if (error.attack < 0) throw;
  PlanTooLarge named = error;
  const std::string& path = base::nth(labels().paths, error.attack);
  named.path = load::with_location(with_overrides(), {path, ""}).path;
  throw named;
}

// ---------------------------------------------------------------- reports

Report AnswerJob::report(EngineResults results) const {
  Report out = make_report(labels(), results.exact ? *results.exact : *results.sample);
  if (results.sample) {
    out.engine = results.exact ? Engine::Both : Engine::Sample;
    if (!out.sample) add_sample(out, *results.sample);
  }
  if (options_.trials && options_.precision && out.sample && !out.sample->interrupted)
    out.sample->ended_by = out.sample->trials < *options_.trials ? "precision" : "trials";
  for (const game::Distribution& round : results.rounds) out.rounds.push_back(make_estimates(labels(), round));
  if (!out.rounds.empty()) out.rounds.push_back(out.estimates);
  out.engine_reason = std::move(results.engine_reason);
  out.both_sides_shoot = both_sides_shoot(plan());
  out.cross_check = results.cross_check;
  out.certificate = results.certificate;
  return out;
}

/// What the usual damage deck of the edition (its deck "core") would change about an exact answer without a deck. Empty
/// where the scenario has a deck, ships without hull, no critical hit that reaches a hull, or a plan too large to solve
/// quickly. Clears `complete_` when only a momentary limit made it empty.
std::optional<DeckWouldAdd> AnswerJob::would_add(const Report& report) {
  if (report.engine == Engine::Sample || report.roll || scenario().damage_deck != kNoDeck) return std::nullopt;
  Scenario with = scenario();
  with.damage_deck = "core";
  if (catalogue_.deck(with.damage_deck, with.rules) == nullptr) return std::nullopt;
  try {
    const compile::CompiledScenario compiled = compile::compile_scenario(catalogue_, with);
    const exact::Budget budget{.edges = kWouldAddBudget};
    std::optional<exact::Solution> solution;
    const auto solved = cache().solve(compiled.plan, budget, solution);
    const Estimates dealt = make_estimates(compiled.labels, solved->distribution);
    DeckWouldAdd out{.deck = compiled.labels.damage_deck, .mean = {}};
    bool any = false;
    for (std::size_t s = 0; s < dealt.ships.size(); ++s) {
      if (!compiled.plan.ships[s].attacked) continue;
      const ShipEstimates &with_deck = dealt.ships[s], &without = report.estimates.ships[s];
      any = any || with_deck.faceup.value > 0;
      out.mean.emplace_back(with_deck.name, with_deck.mean_damage.value - without.mean_damage.value);
    }
    return any ? std::optional(out) : std::nullopt;
  } catch (const base::WorkLimitExceeded&) {
    complete_ = false;
  } catch (const exact::NoMemory&) {
    complete_ = false;
  } catch (const std::runtime_error&) {  // a ship without hull, or too large: the report leaves this out
  }
  return std::nullopt;
}

void AnswerJob::add_hints(Report& report) {
  if (!scenario().source.empty())  // else it is one of the attacks of a study, and others may read them
    compile::add_late_notes(labels(), report.notes);
  if (!options_.weapon_notes) return;
  try {
    for (std::string& note : better_weapons(catalogue_, scenario(), kWouldAddBudget))
      report.notes.push_back(std::move(note));
  } catch (const base::WorkLimitExceeded&) {
    complete_ = false;
  } catch (const exact::NoMemory&) {
    complete_ = false;
  } catch (const std::runtime_error&) {  // the weapons cannot be compared: the report leaves this out
  }
}

SharedAnswer AnswerJob::cached() const {
  if (!cacheable()) return nullptr;
  SharedAnswer out = cache().find(key());
  if (out == nullptr) return nullptr;
  base::spend_work(out->work);
  try {
    base::spend_work(out->deck_work);
  } catch (const base::WorkLimitExceeded&) {  // would_add() gives up likewise
    auto less = std::make_shared<CachedReport>(CachedReport{out->report, out->work});
    less->report.would_add.reset();
    return less;
  }
  return out;
}

CachedReport AnswerJob::compute() {
  const double begin = base::work_counted();
  compile();
  if (options_.certify && !labels().roll.empty())
    throw ScenarioError("roll", "a roll alone has no certificate; leave certify out");
  EngineResults results = run();
  const bool sampled = results.sample.has_value();
  CachedReport out{report(std::move(results))};
  const double middle = base::work_counted();
  out.work = middle - begin;
  add_hints(out.report);
  if (options_.would_add && !attacks_without_hull(plan())) out.report.would_add = would_add(out.report);
  out.deck_work = base::work_counted() - middle;
  complete_ = complete_ && !sampled;
  return out;
}

}  // namespace salvo::answers
