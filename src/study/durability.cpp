// Durability: see durability.h.
#include "study/durability.h"

#include <algorithm>
#include <set>

#include "answer/answer.h"
#include "study/duel.h"

namespace salvo::study {
namespace {

/// The scenario with its overrides, and with policies that play one shot at a time.
Scenario settled(Scenario scenario, const DurabilityOptions& options) {
  apply(options.answer.overrides, scenario);
  if (scenario.damage_deck != "none")
    throw ScenarioError("", "durability counts damage without damage cards; leave out the damage deck");
  for (auto* policy : {&scenario.attacker_policy, &scenario.defender_policy}) {
    if (!*policy) *policy = "greedy";
    // With everything refreshed after each shot and damage that is not capped, the best play of one shot is the best.
    if (**policy == "optimal" && (options.round != 1 || scenario.objective != "damage")) {
      throw ScenarioError(
          "",
          "the policy optimal looks ahead over all shots, and there is no last one; durability plays greedy or hold");
    }
  }
  return scenario;
}

/// One ship under fire.
struct Played {
  Labels labels;
  DurabilityRow row;

  const std::string& attacker() const { return labels.ship_titles[static_cast<std::size_t>(labels.attacks[0].first)]; }
};

Played play(const Catalogue& catalogue, const Scenario& given, const std::string& id, const DurabilityOptions& options,
            exact::PlayedShots* shots = nullptr) {
  const Question question = compile_question(catalogue, settled(given, options));
  const auto defender = static_cast<std::size_t>(question.labels.attacks[0].second);
  const ShipPlan& ship = question.plan.ships[defender];
  if (!ship.destructible)
    throw ScenarioError("", "the defender has no hull, so nothing destroys it; add hull=n or ship=ID");
  exact::DurabilityOptions how;
  how.round = options.round;
  how.tail = options.tail;
  how.budget = budget_of(options.answer);
  return {question.labels,
          {id, question.labels.ship_titles[defender], ship.hull + ship.shields,
           exact::durability(question.plan, how, shots)}};
}

}  // namespace

DurabilityStudy durability(const Catalogue& catalogue, const Scenario& scenario, const DurabilityOptions& options) {
  check(options.answer);
  Played played = play(catalogue, scenario, scenario.attacks[0].on, options);
  return {played.labels, played.attacker(), options.round, options.tail, false, {std::move(played.row)}};
}

DurabilityStudy durability(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                           const std::vector<std::string>& ids, const DurabilityOptions& options) {
  check(options.answer);
  std::vector<Played> played(scenarios.size());
  exact::PlayedShots shots;
  for_each(options.answer.threads, scenarios.size(),
           [&](std::size_t i) { played[i] = play(catalogue, scenarios[i], ids[i], options, &shots); });
  DurabilityStudy out{.round = options.round, .tail = options.tail, .all = true};
  std::set<std::string> assumed, unmodelled, partly;
  for (Played& one : played) {
    out.labels = one.labels;
    out.attacker = one.attacker();
    assumed.insert(one.labels.assumed_facts.begin(), one.labels.assumed_facts.end());
    unmodelled.insert(one.labels.unmodelled.begin(), one.labels.unmodelled.end());
    partly.insert(one.labels.partly.begin(), one.labels.partly.end());
    out.rows.push_back(std::move(one.row));
  }
  out.labels.assumed_facts.assign(assumed.begin(), assumed.end());
  out.labels.unmodelled.assign(unmodelled.begin(), unmodelled.end());
  out.labels.partly.assign(partly.begin(), partly.end());
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const auto& a, const auto& b) { return a.shots.mean > b.shots.mean; });
  return out;
}

}  // namespace salvo::study
