#include "study/duel.h"

#include <algorithm>
#include <utility>

#include "answers/answer.h"
#include "answers/mixture.h"
#include "answers/options.h"
#include "base/index.h"
#include "base/parallel.h"

namespace salvo::study {

const std::vector<TokenSet>& token_sets() {
  static const std::vector<TokenSet> sets{
      {"none", 0, false}, {"focus", 1, false}, {"lock", 0, true}, {"focus+lock", 1, true}};
  return sets;
}

Scenario duel(const Game& game, const ScenarioShip& attacker, bool lock, const ScenarioShip& defender,
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
  out.mean = defender.mean_damage.value;
  out.mean_se = defender.mean_damage.se;
  for (const Estimate& p : defender.at_least) {
    out.at_least.push_back(p.value);
    out.at_least_se.push_back(p.se);
  }
  out.destroyed = defender.destroyed.value;
  out.destroyed_se = defender.destroyed.se;
  out.destructible = !defender.hull.empty();
  out.possible = attack.happens.value > 0;
  const bool several = report.estimates.attacks.size() > 1 && defender.at_least.size() > 1;
  const Estimate& hit = several ? defender.at_least[1]
                                : attack.hit_probability;  // several attacks: the chance that any of them does damage
  out.hit = hit.value;
  out.hit_se = hit.se;
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
  try {
    const Report report = answer(catalogue, duel, options);
    if (from != nullptr) {
      *from = report;
      if (report.engine == Engine::Sample && !report.engine_reason.empty())
        from->notes.push_back("sampled: " + report.engine_reason);
    }
    DuelResult out = result_of(report);
    if (!out.possible) out.why_not = "the attack does not happen";
    return out;
  } catch (const LoadError& error) {
    if (!error.path.starts_with("attacks[")) throw;
    const std::string& weapon = duel.attacks[0].weapon;
    const auto names =
        weapon_names(catalogue, {duel.rules, catalogue.card_set(duel.cards, duel.rules)}, duel.ships.at(kAttacker));
    if (weapon != "primary" && std::find(names.begin(), names.end(), weapon) == names.end()) throw;
    DuelResult out;
    out.possible = false;
    out.engine = Engine::Exact;
    out.why_not = error.why;
    return out;
  }
}

namespace {

/// The stat line of a ship, even if only its pilot is named; nullptr: it has none.
const load::ShipSpec* ship_of(const Catalogue& catalogue, const Game& game, const ScenarioShip& ship) {
  if (ship.ship) return catalogue.ship(*ship.ship, game.cards);
  if (!ship.pilot) return nullptr;
  const std::vector<std::string> ships = catalogue.ships_of_pilot(*ship.pilot, game.cards);
  return ships.size() == 1 ? catalogue.ship(ships.front(), game.cards) : nullptr;
}

}  // namespace

std::vector<WeaponChoice> weapons_of(const Catalogue& catalogue, const Game& game, const ScenarioShip& ship,
                                     int farthest) {
  std::vector<WeaponChoice> out;
  const load::ShipSpec* spec = ship_of(catalogue, game, ship);
  const load::PilotSpec* pilot = nullptr;
  if (spec != nullptr && ship.pilot) {
    for (const load::PilotSpec& candidate : spec->pilots) {
      if (candidate.id == *ship.pilot) pilot = &candidate;
    }
  }
  if (spec != nullptr) {
    for (const load::WeaponSpec& weapon : pilot != nullptr && pilot->own_weapons ? pilot->weapons : spec->weapons) {
      const std::string id = "primary:" + weapon.arc;
      const bool known = std::any_of(out.begin(), out.end(), [&](const WeaponChoice& w) { return w.id == id; });
      if (!known) out.push_back({id, weapon.arc, weapon.min_range, std::min(farthest, weapon.max_range)});
    }
  } else if (ship.attack) {
    out.push_back({"primary", "primary", 0, farthest});
  }
  for (const std::string& id : ship.upgrades) {
    const load::CardSpec* card = catalogue.card("upgrade", id, game.cards);
    if (card == nullptr || !card->weapon || card->weapon->min_range > farthest) continue;
    out.push_back({id, id, card->weapon->min_range, std::min(farthest, card->weapon->max_range)});
  }
  return out;
}

std::vector<std::string> weapon_names(const Catalogue& catalogue, const Game& game, const ScenarioShip& ship) {
  constexpr int kFarthest = 5;
  std::vector<std::string> out;
  for (const WeaponChoice& weapon : weapons_of(catalogue, game, ship, kFarthest)) out.push_back(weapon.id);
  if (!ship.attack || ship_of(catalogue, game, ship) == nullptr) return out;
  // The stated value is that of the strongest primary weapon, which only the word "primary" denotes.
  const auto first_upgrade =
      std::find_if(out.begin(), out.end(), [](const std::string& id) { return !id.starts_with("primary:"); });
  if (first_upgrade != out.begin()) out.insert(out.begin(), "primary");
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
  const ShotPlans question = shot_plans(catalogue, duel, compile::Lifetime::Rounds);
  if (from != nullptr) *from = question.first.labels;
  exact::DurabilityOptions options;  // one shot a round
  // Tokens that are drawn for every shot are not also recovered.
  options.by_rules = duel.ships.at(kDefender).unknowns.empty() && exact::recovers_by_rules(question.first.plan);
  const exact::Durability shots = exact::durability(question.plans, options);
  return {shots.mean, shots.mean_bound, shots.cdf};
}

Shots shots_until_destroyed(const Catalogue& catalogue, const Game& game, const ReferenceShip& attacker,
                            const ScenarioShip& defender, const Overrides& play, Provenance* from) {
  return shots_of(catalogue, duel(game, attacker.ship, attacker.lock, defender, "primary", attacker.range), play, from);
}

void for_each(int threads, std::size_t n, const std::function<void(std::size_t)>& work) {
  base::Threads(threads).for_each(n, work);
}

}  // namespace salvo::study
