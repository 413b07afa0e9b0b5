#include "study/duel.h"

#include <utility>

#include "answers/answer.h"
#include "answers/mixture.h"
#include "answers/options.h"
#include "answers/weapons.h"
#include "base/index.h"
#include "base/parallel.h"

namespace salvo::study {

const std::vector<TokenSet>& token_sets() {
  static const std::vector<TokenSet> sets{
      {"none", 0, false}, {"focus", 1, false}, {"lock", 0, true}, {"focus+lock", 1, true}};
  return sets;
}

Scenario duel(const RulesAndCards& game, const ScenarioShip& attacker, bool lock, const ScenarioShip& defender,
              const std::string& weapon, int range) {
  Scenario out;
  out.rules = game.rules;
  out.cards = game.cards;
  ScenarioShip& by = out.ships[kAttacker] = attacker;
  if (lock) by.locks = {kDefender};
  out.ships[kDefender] = defender;
  ScenarioAttack attack;
  attack.by = kAttacker;
  attack.on = kDefender;
  attack.weapon = weapon;
  attack.range = range;
  out.attacks.push_back(attack);
  return out;
}

ScenarioShip with_tokens(ScenarioShip ship, const TokenSet& tokens) {
  if (tokens.focus > 0) ship.tokens["focus"] += tokens.focus;
  return ship;
}

DuelResult result_of(const Report& report) {
  const ShipEstimates& defender = report.ship(kDefender);
  const AttackEstimates& attack = report.estimates.attacks[0];
  DuelResult out;
  out.engine = report.engine;
  out.mean = defender.mean_damage;
  out.at_least = defender.at_least;
  out.destroyed = defender.destroyed;
  out.destructible = !defender.hull.empty();
  out.possible = attack.happens.value > 0;
  const bool several = report.estimates.attacks.size() > 1 && defender.at_least.size() > 1;
  out.hit = several ? defender.at_least[1]
                    : attack.hit_probability;  // several attacks: the chance that any of them does damage
  return out;
}

void merge(Provenance& into, const Provenance& from) {
  const Provenance before = std::exchange(into, from);
  if (into.cards.empty()) {  // an answer without cards must not hide the card set of the others
    into.cards = before.cards;
    into.cards_date = before.cards_date;
  }
  for (const auto list : kCaveatLists) {
    into.*list = before.*list;
    for (const std::string& item : from.*list) base::add_once(into.*list, item);
  }
}

DuelResult play_duel(const Catalogue& catalogue, const Scenario& duel, const AnswerOptions& options, Provenance* from) {
  DuelResult out;
  const std::optional<Report> report = answers::answer_if_possible(catalogue, duel, options, out.why_not);
  if (!report) {
    out.possible = false;
    out.engine = Engine::Exact;
    return out;
  }
  if (from != nullptr) {
    *from = *report;
    if (report->engine == Engine::Sample && !report->engine_reason.empty())
      from->notes.push_back("sampled: " + report->engine_reason);
  }
  out = result_of(*report);
  if (!out.possible) out.why_not = "the attack does not happen";
  return out;
}

ShotPlans shot_plans(const Catalogue& catalogue, const Scenario& scenario, compile::Lifetime lifetime) {
  const answers::Cases cases(scenario);
  ShotPlans out;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    compile::CompiledScenario one = answers::compile_copy(catalogue, cases.scenario(i), lifetime);
    out.plans.push_back({one.plan, cases.weight(i)});
    if (i == 0) {
      out.first = std::move(one);
    } else {
      merge(out.first.labels, one.labels);
      std::vector<compile::Unread>& unread = out.first.labels.unread_tokens;
      unread.insert(unread.end(), one.labels.unread_tokens.begin(), one.labels.unread_tokens.end());
    }
  }
  std::vector<std::string>& notes = out.first.labels.notes;
  if (load::has_unknowns(scenario)) notes.insert(notes.begin(), cases.note() + "; every shot draws its values anew");
  return out;
}

Shots shots_of(const Catalogue& catalogue, Scenario duel, const Overrides& play, Provenance* from) {
  Overrides one_shot = play;
  one_shot.damage_deck.reset();
  for (auto* policy : {&one_shot.attacker_policy, &one_shot.defender_policy}) {
    if (!*policy || **policy == "optimal") *policy = "greedy";
  }
  answers::apply(one_shot, duel);
  const ShotPlans compiled = shot_plans(catalogue, duel, compile::Lifetime::Rounds);
  if (from != nullptr) *from = compiled.first.labels;
  exact::DurabilityOptions options;  // one shot a round
  // Tokens that are drawn for every shot are not also recovered.
  options.by_rules = duel.ships.at(kDefender).unknowns.empty() && exact::recovers_by_rules(compiled.first.plan);
  const exact::Durability shots = exact::durability(compiled.plans, options);
  return {shots.mean, shots.mean_bound, shots.cdf};
}

Shots shots_until_destroyed(const Catalogue& catalogue, const RulesAndCards& game, const ReferenceShip& attacker,
                            const ScenarioShip& defender, const Overrides& play, Provenance* from) {
  return shots_of(catalogue, duel(game, attacker.ship, attacker.lock, defender, "primary", attacker.range), play, from);
}

void for_each(int threads, std::size_t n, const std::function<void(std::size_t)>& work) {
  base::Threads(threads).for_each(n, work);
}

}  // namespace salvo::study
