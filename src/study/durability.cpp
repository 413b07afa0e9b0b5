#include "study/durability.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/answer.h"
#include "base/index.h"
#include "base/stable_sort.h"
#include "base/text.h"
#include "load/chances.h"
#include "salvo/load.h"
#include "study/duel.h"

namespace salvo::study {
namespace {

/// Applies the overrides and chooses policies that play one shot at a time.
Scenario prepared(Scenario scenario, const DurabilityOptions& options, Refresh refresh) {
  answers::apply(options.answer.overrides, scenario);
  if (scenario.damage_deck != kNoDeck)
    throw ScenarioError("", "durability counts damage without damage cards; leave out the damage deck");
  for (auto* policy : {&scenario.attacker_policy, &scenario.defender_policy}) {
    if (!*policy) *policy = "greedy";
    // If everything is refreshed after each shot and damage is not capped, playing each shot optimally is optimal.
    if (**policy == "optimal" && (refresh != Refresh::Shot || scenario.objective != "damage")) {
      throw ScenarioError(
          "",
          "the policy optimal looks ahead over all shots, and there is no last one; durability plays greedy or hold");
    }
  }
  return scenario;
}

/// One ship under fire.
struct ShipUnderFire {
  compile::Labels labels;
  DurabilityRow row;
  std::string attacker;
  int attackers = 1;
  Refresh refresh = Refresh::Shot;
  int shots_per_round = 1;
};

/// For each shot, the index in the plan at which it begins: effects before the attack, the attack, bonus attacks after
/// it.
std::vector<std::size_t> shots_in(const compile::CompiledScenario& compiled) {
  std::vector<std::size_t> out;
  std::size_t reported = 0, begin = 0;  // reported attacks so far; the index after the last of them
  for (std::size_t k = 0; k < compiled.plan.attacks.size(); ++k) {
    if (compiled.plan.attacks[k].engagement) continue;
    const compile::AttackLabel& label = compiled.labels.attacks[reported];
    if (label.bonus.empty() && !label.second) out.push_back(begin);
    begin = k + 1;
    ++reported;
  }
  return out;
}

/// The shot with which each round of the scenario begins; empty for a single round.
std::vector<std::size_t> rounds_in(const compile::CompiledScenario& compiled) {
  std::vector<std::size_t> out;
  std::size_t shot = 0;
  const auto& attacks = compiled.labels.attacks;
  for (std::size_t a = 0; a < attacks.size(); ++a) {
    if (!attacks[a].bonus.empty() || attacks[a].second) continue;
    if (a == 0 || attacks[a].round != attacks[a - 1].round) out.push_back(shot);
    ++shot;
  }
  return out.size() > 1 ? out : std::vector<std::size_t>();
}

/// Throws unless all attacks are on one ship.
void check_shots(const Scenario& scenario) {
  for (std::size_t i = 1; i < scenario.attacks.size(); ++i) {
    if (scenario.attacks[i].on == scenario.attacks[0].on) continue;
    throw LoadError(fmt::format("{}.on: {} is another ship than {}; durability is about one ship under fire",
                                attack_path(scenario, i), scenario.attacks[i].on, scenario.attacks[0].on));
  }
}

void add_note(const compile::CompiledScenario& compiled, Refresh refresh, compile::Labels& labels) {
  if (!exact::has_charges(compiled.plan)) return;
  if (refresh == Refresh::Shot) {
    labels.notes.emplace_back(
        "Force and charges of the defender return after each shot, as its tokens do; --refresh round lets them "
        "recover by the rules");
  } else if (refresh == Refresh::Round) {
    labels.notes.emplace_back(
        "between rounds the defender regains its other tokens, and its Force and charges recover by the rules, up to "
        "what it began with or can hold");
  }
}

/// Notes changes of hull and shields that do not last from shot to shot.
void note_parts(const compile::CompiledScenario& compiled, compile::Labels& labels) {
  if (base::nth(compiled.plan.ships, compiled.labels.attacks[0].on).hull_left < 0) return;
  labels.notes.emplace_back(
      "shields that cards give back do not last from shot to shot, and damage that would pass shields takes them "
      "first");
}

/// Notes the shields that the defender recovers each round, or that a huge ship's recovery is not known.
void note_huge(const Catalogue& catalogue, const Scenario& given, Refresh refresh,
               const compile::CompiledScenario& compiled, compile::Labels& labels) {
  const auto defender = static_cast<std::size_t>(compiled.labels.attacks[0].on);
  const game::ShipPlan& plan = compiled.plan.ships[defender];
  if (refresh == Refresh::Shot && plan.shields_recover > 0)
    labels.notes.emplace_back("shields that a huge ship recovers are not counted; --refresh round counts them");
  if (refresh != Refresh::Round) return;
  if (plan.shields_recover > 0) {
    labels.notes.push_back(fmt::format("{} recovers {} shield{} after each round, up to {}",
                                       compiled.labels.ship_titles[defender], plan.shields_recover,
                                       plan.shields_recover == 1 ? "" : "s", plan.most_shields));
    return;
  }
  const ScenarioShip& ship = given.ships.at(given.attacks[0].on);
  const std::string cards = catalogue.card_set(given.cards, given.rules);
  std::vector<std::string> ids;
  if (ship.pilot) ids = catalogue.ships_of_pilot(*ship.pilot, cards);
  if (ship.ship) ids = {*ship.ship};
  const load::ShipSpec* spec = ids.size() == 1 ? catalogue.ship(ids[0], cards) : nullptr;
  if (ship.size.value_or(spec != nullptr ? spec->size : "") != "huge") return;
  labels.notes.emplace_back("shields and energy that a huge ship recovers between rounds are not counted");
}

/// Throws for chances that are not those of a shot.
void check_chances(const Scenario& scenario, Refresh refresh) {
  for (const load::PlacedUnknown& at : load::unknowns_of(scenario)) {
    const bool of_shot = refresh != Refresh::Rounds && !at.path.starts_with("ships." + scenario.attacks[0].on + ".");
    if (of_shot || refresh == Refresh::Shot) continue;
    throw load::with_location(
        scenario,
        {at.path, refresh == Refresh::Rounds
                      ? "durability weights chances of every shot anew, not of the rounds of a scenario; give "
                        "it one value"
                      : "the defender's tokens are for several shots, so none of them has a chance of its own; "
                        "give it one value, or choose --refresh shot"});
  }
}

ShipUnderFire play(const Catalogue& catalogue, const Scenario& given, const std::string& id,
                   const DurabilityOptions& options, exact::ShotCache* played = nullptr) {
  check_shots(given);
  const bool rounds = given.rounds.size() > 1;
  if (rounds && (options.refresh || options.shots_per_round))
    throw ScenarioError("refresh", "the scenario's rounds say what returns, and when; leave it out");
  ShipUnderFire out;
  out.attackers = static_cast<int>(given.attacks.size());
  out.refresh = rounds ? Refresh::Rounds : options.refresh.value_or(out.attackers > 1 ? Refresh::Round : Refresh::Shot);
  const Scenario scenario = prepared(given, options, out.refresh);
  check_chances(scenario, out.refresh);
  ShotPlans shots = shot_plans(catalogue, scenario,
                               out.refresh == Refresh::Round ? compile::Lifetime::Rounds : compile::Lifetime::Shots);
  compile::add_late_notes(shots.first.labels, shots.first.labels.notes);
  const compile::CompiledScenario& compiled = shots.first;
  const auto defender = static_cast<std::size_t>(compiled.labels.attacks[0].on);
  const game::ShipPlan& ship = compiled.plan.ships[defender];
  if (out.attackers > 1 && options.shots_per_round)
    throw ScenarioError("round", "with several attackers a round is one shot of each; leave it out");
  if (!ship.destructible)
    throw ScenarioError("", "the defender has no hull, so nothing can destroy it; add hull=N or ship=ID");
  exact::DurabilityOptions how;
  if (out.attackers > 1) how.shots = shots_in(compiled);
  if (rounds) how.rounds = rounds_in(compiled);
  const std::size_t first = rounds ? how.rounds.back() : 0;  // of the repeated round
  const int length =
      out.attackers > 1 ? static_cast<int>(how.shots.size() - first) : options.shots_per_round.value_or(1);
  how.round = rounds || out.refresh == Refresh::Never ? 0 : out.refresh == Refresh::Shot ? 1 : length;
  how.by_rules = out.refresh == Refresh::Round;
  how.tail = options.tail;
  how.budget = answers::budget_of(options.answer);
  out.labels = compiled.labels;
  if (rounds) {
    out.labels.notes.emplace_back(
        "the rounds are those of the scenario, and the last one is repeated; all ships keep what "
        "the End Phase leaves them");
  } else {
    add_note(compiled, out.refresh, out.labels);
  }
  note_parts(compiled, out.labels);
  note_huge(catalogue, given, out.refresh, compiled, out.labels);
  const auto& titles = compiled.labels.ship_titles;
  out.row = {id, titles[defender], ship.hull + ship.shields, exact::durability(shots.plans, how, played), {}};
  const bool counted = out.attackers > 1 || out.refresh == Refresh::Round;
  out.shots_per_round = counted ? length : out.refresh == Refresh::Shot ? 1 : 0;
  if (counted) out.row.rounds = exact::in_rounds(out.row.shots, how);
  std::vector<std::string> names;
  for (const ScenarioAttack& attack : given.attacks) {
    if (rounds && attack.round != given.attacks.back().round) continue;  // only the repeated round
    for (std::size_t s = 0; s < titles.size(); ++s) {
      if (compiled.labels.ships[s] == attack.by) names.push_back(titles[s]);
    }
  }
  out.attacker = base::joined(names, ", ");
  if (rounds) out.attackers = length;
  return out;
}

DurabilityStudy study_of(const ShipUnderFire& played, bool all) {
  DurabilityStudy out;
  out.labels = played.labels;
  out.attacker = played.attacker;
  out.attackers = played.attackers;
  out.refresh = played.refresh;
  out.shots_per_round = played.shots_per_round;
  out.all = all;
  return out;
}

}  // namespace

DurabilityStudy durability(const Catalogue& catalogue, const Scenario& scenario, const DurabilityOptions& options) {
  answers::check(options.answer);
  ShipUnderFire played = play(catalogue, scenario, scenario.attacks[0].on, options);
  DurabilityStudy out = study_of(played, false);
  out.tail = options.tail;
  out.rows.push_back(std::move(played.row));
  return out;
}

DurabilityStudy durability(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                           const std::vector<std::string>& ids, const DurabilityOptions& options) {
  answers::check(options.answer);
  std::vector<ShipUnderFire> played(scenarios.size());
  exact::ShotCache shots;
  for_each(options.answer.threads, scenarios.size(),
           [&](std::size_t i) { played[i] = play(catalogue, scenarios[i], ids[i], options, &shots); });
  DurabilityStudy out = study_of(played.back(), true);
  out.tail = options.tail;
  Provenance all;
  for (ShipUnderFire& one : played) {
    merge(all, one.labels);
    out.rows.push_back(std::move(one.row));
  }
  for (const auto list : kCaveatLists) std::sort((all.*list).begin(), (all.*list).end());
  static_cast<Caveats&>(out.labels) = all;
  base::stable_sort(out.rows, [](const auto& a, const auto& b) { return a.shots.mean > b.shots.mean; });
  return out;
}

namespace {

/// Whether attackers have only the default names of SPECs: "a1", or "a1, a2".
bool is_nameless(const std::string& attackers) {
  return attackers.find_first_not_of("a0123456789, ") == std::string::npos;
}

}  // namespace

DurabilityStudy durability_of_specs(const Catalogue& catalogue, const load::GivenSpecs& attacks,
                                    const load::GivenSpecs& defend, bool all, const DurabilityOptions& options) {
  const Overrides& overrides = options.answer.overrides;
  const std::string rules = overrides.rules.value_or("second-edition"), cards = overrides.cards.value_or("");
  const load::GivenSpec own = defend.list.empty() ? load::spec_of(defend.place, "") : defend.list.front();
  const auto read = [&](const std::string& words) {
    return load::scenario_from_specs(catalogue, rules, cards, attacks, {defend.place, {{words, own.place, own.name}}});
  };
  DurabilityStudy out;
  if (all) {
    const std::vector<std::string> ids = catalogue.ship_ids(catalogue.card_set(cards, rules));
    std::vector<Scenario> scenarios;
    for (const std::string& id : ids) scenarios.push_back(read(fmt::format("ship={} {}", id, own.text)));
    out = durability(catalogue, scenarios, ids, options);
  } else {
    out = durability(catalogue, read(own.text), options);
  }
  if (is_nameless(out.attacker)) {
    std::vector<std::string> words;
    for (const load::GivenSpec& attack : attacks.list) words.push_back(attack.text);
    out.attacker = base::joined(words, " | ");
  }
  return out;
}

}  // namespace salvo::study
