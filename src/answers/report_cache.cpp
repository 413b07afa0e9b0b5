// Kept answers: see kept_answers.h.
#include "answers/report_cache.h"

#include "base/hash.h"

#include <string>
#include <utility>
#include <vector>

#include "answers/options.h"
#include "compile/plan_builder.h"
#include "compile/plan_cache.h"

namespace salvo::answers {
namespace {

// ---------------------------------------------------------------- bytes, about

constexpr std::size_t kNode = 48;  ///< of a map or list, beside what it holds

std::size_t bytes_of(const std::string& text) { return sizeof(text) + (text.size() > 15 ? text.capacity() : 0); }

std::size_t bytes_of(const std::vector<std::string>& texts) {
  std::size_t out = 0;
  for (const std::string& text : texts) out += bytes_of(text);
  return out;
}

template <typename T>
std::size_t bytes_of(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

std::size_t bytes_of(const ShipEstimates& ship) {
  std::size_t out = sizeof ship + bytes_of(ship.name) + bytes_of(ship.title) + bytes_of(ship.pmf) +
                    bytes_of(ship.at_least) + bytes_of(ship.joint) + bytes_of(ship.hull) + bytes_of(ship.shields) +
                    bytes_of(ship.tokens_left) + bytes_of(ship.states);
  for (const auto& [kind, pmf] : ship.tokens_pmf) out += bytes_of(kind) + bytes_of(pmf);
  return out;
}

std::size_t bytes_of(const Report& report) {
  std::size_t out = sizeof report;
  for (const ShipEstimates& ship : report.estimates.ships) out += bytes_of(ship);
  for (const Estimates& round : report.rounds) {
    for (const ShipEstimates& ship : round.ships) out += bytes_of(ship);
  }
  for (const AttackEstimates& attack : report.estimates.attacks) {
    out += sizeof attack;
    for (const auto* text : {&attack.by, &attack.on, &attack.weapon, &attack.bonus}) out += bytes_of(*text);
  }
  for (const auto* list : {&report.assumed_facts, &report.unmodelled, &report.no_effect, &report.partly, &report.notes})
    out += bytes_of(*list);
  return out;
}

std::size_t bytes_of(const Scenario& scenario) {
  std::size_t out = sizeof scenario + bytes_of(scenario.notes);
  for (const auto& [name, ship] : scenario.ships) {
    out += kNode + bytes_of(name) + sizeof ship + bytes_of(ship.upgrades) + bytes_of(ship.conditions) +
           bytes_of(ship.locks) + bytes_of(ship.aids) +
           ship.tokens.size() * (kNode + sizeof(std::string) + sizeof(int));
  }
  for (const ScenarioAttack& attack : scenario.attacks)
    out += sizeof attack + bytes_of(attack.facts) + bytes_of(attack.targets);
  for (const ScenarioRound& round : scenario.rounds) {
    out += sizeof round;
    for (const auto& [name, gains] : round.gains)
      out += kNode + bytes_of(name) + sizeof gains + bytes_of(gains.locks) +
             gains.tokens.size() * (kNode + sizeof(std::string) + sizeof(int));
  }
  return out;
}

std::size_t bytes_of(const game::Effect& effect) {
  std::size_t out = sizeof effect + bytes_of(effect.when) + bytes_of(effect.times) + bytes_of(effect.cost);
  for (const game::Operation& operation : effect.operations)
    out += sizeof operation + bytes_of(operation.from) + bytes_of(operation.amount) + bytes_of(operation.displaces);
  return out;
}

std::size_t bytes_of(const game::Plan& plan) {
  std::size_t out = sizeof plan + bytes_of(plan.ships) + bytes_of(plan.resources);
  for (const game::AttackPlan& attack : plan.attacks) {
    out += sizeof attack + bytes_of(attack.steps) + bytes_of(attack.prevented);
    for (const game::Effect& effect : attack.effects) out += bytes_of(effect);
    for (const game::Step& step : attack.steps) out += bytes_of(step.effects);
    for (const game::DealPlan& deal : attack.deals) out += sizeof deal + bytes_of(deal.kinds);
  }
  return out;
}

std::size_t bytes_of(const game::Distribution& distribution) {
  std::size_t out = sizeof distribution + bytes_of(distribution.attacks);
  const auto numbers = [](const auto& array) { return static_cast<std::size_t>(array.size()) * sizeof(double); };
  for (const game::ShipDistribution& ship : distribution.ships) {
    out += sizeof ship + numbers(ship.joint) + numbers(ship.damage) + numbers(ship.hull) + numbers(ship.shields) +
           numbers(ship.tokens_left);
    for (const auto& [resource, pmf] : ship.tokens_pmf) out += kNode + sizeof pmf + numbers(pmf);
  }
  return out;
}

}  // namespace

// ---------------------------------------------------------------- answers

struct ReportCache::Entry {
  Scenario scenario;
  std::vector<std::uint64_t> cards;
  std::optional<EngineChoice> engine;
  double edges;
  bool certify, would_add;
  SharedAnswer answer;
};

AnswerKey::AnswerKey(const compile::PlanKey& asked, const AnswerOptions& options)
    : question(asked),
      engine(options.engine),
      edges(budget_of(options).edges),
      certify(options.certify),
      would_add(options.would_add) {
  base::Hasher mixer;
  mixer.add(question.hash);
  mixer.add(static_cast<std::uint64_t>(edges) * 4 + (certify ? 2 : 0) + (would_add ? 1 : 0));
  mixer.add(engine ? 1 + static_cast<int>(*engine) : 0);
  hash = mixer.value();
}

SharedAnswer ReportCache::find(const AnswerKey& key) {
  const auto entry = entries_.find(key.hash, [&](const Entry& one) {
    return one.engine == key.engine && one.edges == key.edges && one.certify == key.certify &&
           one.would_add == key.would_add && one.cards == key.question.cards &&
           compile::same_question(one.scenario, key.question.scenario);
  });
  return entry == nullptr ? nullptr : entry->answer;
}

void ReportCache::keep(const AnswerKey& key, SharedAnswer answer) {
  constexpr std::size_t kText = 2;  // what is made of the report is as large as it is, about
  const std::size_t bytes = kText * bytes_of(answer->report) + bytes_of(key.question.scenario) + sizeof(Entry);
  entries_.keep(
      key.hash,
      std::make_shared<const Entry>(Entry{compile::without_places(key.question.scenario), key.question.cards,
                                          key.engine, key.edges, key.certify, key.would_add, std::move(answer)}),
      bytes);
}

// ---------------------------------------------------------------- solutions

struct SolutionCache::Entry {
  game::Plan plan;
  double edges;
  exact::Solver solver;
  std::shared_ptr<const SolvedExactly> solved;
};

std::shared_ptr<const SolvedExactly> SolutionCache::find(const game::Plan& plan, std::uint64_t hash,
                                                         const exact::Budget& budget) {
  const auto entry = entries_.find(hash, [&](const Entry& one) {
    return one.edges == budget.edges && one.solver == budget.solver && one.plan == plan;
  });
  return entry == nullptr ? nullptr : entry->solved;
}

void SolutionCache::keep(const game::Plan& plan, std::uint64_t hash, const exact::Budget& budget,
                         std::shared_ptr<const SolvedExactly> solved) {
  std::size_t bytes = bytes_of(plan) + bytes_of(solved->distribution) + sizeof(Entry);
  for (const game::Distribution& round : solved->rounds) bytes += bytes_of(round);
  entries_.keep(hash, std::make_shared<const Entry>(Entry{plan, budget.edges, budget.solver, std::move(solved)}),
                bytes);
}

const FrontDoor& front_door(const load::Edition& edition) {
  return compile::kept_above(edition).get<FrontDoor>([] { return std::make_unique<const FrontDoor>(); });
}

}  // namespace salvo::answers
