#include "answers/answer_cache.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "answers/options.h"
#include "base/hash.h"
#include "base/work_limit.h"
#include "compile/plan_builder.h"
#include "compile/plan_cache.h"

namespace salvo::answers {

AnswerKey::AnswerKey(const compile::PlanKey& asked, const AnswerOptions& options)
    : question(asked),
      engine(options.engine),
      edges(budget_of(options).edges),
      certify(options.certify),
      would_add(options.would_add),
      weapon_notes(options.weapon_notes),
      sourced(!asked.scenario.source.empty()) {
  base::Hasher hasher;
  hasher.add(question.hash);
  hasher.add(static_cast<std::uint64_t>(edges) * 8 + (weapon_notes ? 4 : 0) + (certify ? 2 : 0) + (would_add ? 1 : 0));
  hasher.add(engine ? 1 + static_cast<int>(*engine) : 0);
  hash = hasher.value();
}

// ---------------------------------------------------------------- reports

struct AnswerCache::ReportEntry {
  Scenario scenario;
  std::vector<std::uint64_t> cards;
  std::optional<EngineChoice> engine;
  double edges;
  bool certify, would_add, weapon_notes, sourced;
  SharedAnswer answer;
};

SharedAnswer AnswerCache::find(const AnswerKey& key) const {
  const auto entry = reports_.find(key.hash, [&](const ReportEntry& one) {
    return one.engine == key.engine && one.edges == key.edges && one.certify == key.certify &&
           one.would_add == key.would_add && one.weapon_notes == key.weapon_notes && one.sourced == key.sourced &&
           one.cards == key.question.cards && compile::same_question(one.scenario, key.question.scenario);
  });
  return entry == nullptr ? nullptr : entry->answer;
}

void AnswerCache::store(const AnswerKey& key, SharedAnswer answer) const {
  const Estimates& estimates = answer->report.estimates;
  const std::size_t parts = (estimates.ships.size() + estimates.attacks.size()) * (1 + answer->report.rounds.size());
  reports_.insert(key.hash,
                  std::make_shared<const ReportEntry>(ReportEntry{
                      compile::without_origin(key.question.scenario), key.question.cards, key.engine, key.edges,
                      key.certify, key.would_add, key.weapon_notes, key.sourced, std::move(answer)}),
                  parts);
}

// ---------------------------------------------------------------- solutions

struct AnswerCache::SolutionEntry {
  game::Plan plan;
  double edges;
  exact::Solver solver;
  std::shared_ptr<const CachedSolution> solved;
};

namespace {

/// Smaller solutions are computed as fast as they are looked up and copied.
constexpr double kMinCachedEdges = 1000;

/// Whether a lookup can pay: plans without cards are solved as fast as they are looked up.
bool worth_looking_up(const game::Plan& plan) {
  constexpr std::size_t kTokenEffects = 6;  // about as many effects as an attack has without cards
  return plan.damage_deck || std::any_of(plan.attacks.begin(), plan.attacks.end(), [](const game::AttackPlan& attack) {
           return attack.effects.size() > kTokenEffects ||
                  std::any_of(attack.effects.begin(), attack.effects.end(),
                              [](const game::Effect& effect) { return effect.used_bit >= 0; });  // options of cards
         });
}

}  // namespace

std::shared_ptr<const CachedSolution> AnswerCache::find(const game::Plan& plan, std::uint64_t hash,
                                                        const exact::Budget& budget) const {
  const auto entry = solutions_.find(hash, [&](const SolutionEntry& one) {
    return one.edges == budget.edges && one.solver == budget.solver && one.plan == plan;
  });
  return entry == nullptr ? nullptr : entry->solved;
}

void AnswerCache::store(const game::Plan& plan, std::uint64_t hash, const exact::Budget& budget,
                        std::shared_ptr<const CachedSolution> solved) const {
  std::size_t parts = plan.ships.size() * (1 + solved->rounds.size());
  for (const game::AttackPlan& attack : plan.attacks) parts += 1 + attack.effects.size();
  solutions_.insert(
      hash, std::make_shared<const SolutionEntry>(SolutionEntry{plan, budget.edges, budget.solver, std::move(solved)}),
      parts);
}

std::shared_ptr<const CachedSolution> AnswerCache::solve(const game::Plan& plan, const exact::Budget& budget,
                                                         std::optional<exact::Solution>& solution) const {
  const bool cacheable = worth_looking_up(plan);
  const std::uint64_t hash = cacheable ? game::hash_of(plan) : 0;
  if (const auto known = cacheable ? find(plan, hash, budget) : nullptr) {
    if (known->too_large) throw PlanTooLarge(*known->too_large);
    base::spend_work(known->work);
    return known;
  }
  const double begin = base::work_counted();
  try {
    solution = exact::solve(plan, budget);
  } catch (const exact::NoMemory&) {
    throw;
  } catch (const PlanTooLarge& error) {  // cached as well: finding out takes the whole budget
    if (cacheable) store(plan, hash, budget, std::make_shared<const CachedSolution>(CachedSolution{{}, 0, 0, error}));
    throw;
  }
  const auto edges = static_cast<double>(solution->edges);
  auto out = std::make_shared<CachedSolution>(
      CachedSolution{exact::enumerate(plan, *solution), edges, 0, {}, exact::enumerate_rounds(plan, *solution)});
  out->work = base::work_counted() - begin;
  if (cacheable && edges >= kMinCachedEdges && solutions_.seen_before(hash)) store(plan, hash, budget, out);
  return out;
}

const AnswerCache& answer_cache(const load::Edition& edition) {
  return compile::edition_cache(edition).get<AnswerCache>([] { return std::make_unique<const AnswerCache>(); });
}

}  // namespace salvo::answers
