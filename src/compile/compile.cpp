// The order of the phases from a scenario to a plan.
#include "compile/compile.h"
#include "base/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "compile/compile_parts.h"
#include "compile/plan_builder.h"
#include "game/plan_resources.h"
#include "load/chances.h"
#include "load/infinite_loops.h"
#include "load/pilot_stats.h"

namespace salvo::compile {
namespace {

game::Objective objective_of(const std::string& name) {
  if (name == "damage") return game::Objective::Damage;
  if (name == "kill") return game::Objective::Kill;
  if (name == "health") return game::Objective::Health;
  if (name == "exchange") return game::Objective::Exchange;
  throw ScenarioError("objective", base::unknown("objective", name, {"damage", "kill", "health", "exchange"}));
}

game::PolicyKind policy_of(const char* key, const std::string& name, const PolicySpec* rules) {
  if (rules != nullptr) return game::PolicyKind::Rules;
  if (name == "optimal") return game::PolicyKind::Optimal;
  if (name == "greedy") return game::PolicyKind::Greedy;
  if (name == "hold") return game::PolicyKind::Hold;
  throw ScenarioError(
      key, base::unknown("policy", name, {"optimal", "greedy", "hold"}) +
               "; policy files, whose names end in .toml or .json, are for run, advise, worth, order and card");
}

/// Throws LoadError if a player could use effects without end. Cards that are finite alone can form a loop when one
/// gains what another spends.
void reject_infinite_loop(const Draft& draft) {
  for (const ShipDraft& ship : draft.ships) {
    // Otherwise only effects of the edition are repeatable, and those were checked when it was read.
    const bool repeated = std::any_of(ship.cards.begin(), ship.cards.end(),
                                      [](const load::CardSpec* card) { return prepared(*card).repeats; });
    if (!repeated) continue;
    std::vector<load::OwnedEffect> effects;
    for (const load::CardSpec* card : ship.cards) {
      for (const load::EffectSpec& effect : card->effects) effects.push_back({&effect, card});
    }
    for (const load::EffectSpec& effect : draft.edition.effects) effects.push_back({&effect, nullptr});
    load::reject_infinite_loop(effects);
  }
}

/// Fills in the card set, if the scenario uses ids of it and the profiles state its date.
void note_card_set(Draft& draft) {
  const auto names_ids = [](const auto& ship) {
    return ship.second.ship || ship.second.pilot || !ship.second.upgrades.empty();
  };
  const auto& ships = draft.scenario.ships;
  if (std::none_of(ships.begin(), ships.end(), names_ids)) return;
  const DataSet data = draft.catalogue.data_set(draft.cards);
  if (data.date.empty()) return;
  draft.out.labels.cards = draft.cards;
  draft.out.labels.cards_date = data.date;
}

/// Identifies the cards of ships and weapons in this catalogue, which may contain cards of its own.
std::vector<std::uint64_t> cards_of(const Draft& draft) {
  std::vector<std::uint64_t> out;
  out.reserve(draft.ships.size() + draft.scenario.attacks.size());
  for (const ShipDraft& ship : draft.ships) {
    for (const load::CardSpec* card : ship.cards) out.push_back(prepared(*card).number);
    out.push_back(0);
    each_condition(ship.cards, [&](const load::CardSpec&, const load::EffectSpec&, const load::OperationSpec& gain) {
      const load::CardSpec* condition = draft.catalogue.card("condition", gain.of, draft.cards);
      if (condition != nullptr) out.push_back(prepared(*condition).number);
    });
  }
  for (const ScenarioAttack& attack : draft.scenario.attacks) {
    const load::CardSpec* card = weapon_card(draft, attack);
    out.push_back(card == nullptr ? 0 : prepared(*card).number);
  }
  return out;
}

/// Files list attacks in order; scenarios built by a program may not.
void check_rounds(const Scenario& scenario) {
  const int rounds = std::max(1, static_cast<int>(scenario.rounds.size()));
  int before = 0;
  for (const ScenarioAttack& attack : scenario.attacks) {
    if (attack.round < before || attack.round >= rounds)
      throw ScenarioError(
          "attacks", fmt::format("an attack of round {} follows one of round {}, of {} rounds from 0 on", attack.round,
                                 before, rounds));
    before = attack.round;
  }
}

/// A plan has one value for each key.
void check_no_unknowns(const Scenario& scenario) {
  if (!load::has_unknowns(scenario)) return;
  throw ScenarioError(load::unknowns_of(scenario).front().path,
                      "chances are not weighted here; give it one value (run without parts, compare, durability, squad "
                      "and sweep weight them)");
}

/// Whether the attack is listed as the bonus attack that its weapon's card lists: no other attack grants it.
bool is_own_bonus(const Catalogue& catalogue, const std::string& cards, const ScenarioAttack& attack) {
  if (attack.bonus.empty() || attack.bonus != attack.weapon) return false;
  const load::CardSpec* card = catalogue.card("upgrade", attack.weapon, cards);
  return card != nullptr && card->weapon && card->weapon->bonus;
}

/// The card that grants a bonus attack: several pilots may share one, so that the id of a pilot means its card.
std::string bonus_card(const Catalogue& catalogue, const std::string& cards, const Scenario& scenario,
                       const std::string& id) {
  for (const auto& [name, ship] : scenario.ships) {
    if (ship.pilot != id) continue;
    const load::PilotSpec* const pilot = load::find_pilot_stats(catalogue, ship, cards).pilot;
    const load::CardSpec* const card = pilot == nullptr ? nullptr : catalogue.card("pilot", pilot->card, cards);
    if (card != nullptr) return card->id;
  }
  return id;
}

/// The scenario with the cards of bonus attacks settled; `copy` holds it if this changes any.
const Scenario& with_settled_bonus(const Catalogue& catalogue, const std::string& cards, const Scenario& scenario,
                                   std::optional<Scenario>& copy) {
  for (std::size_t i = 0; i < scenario.attacks.size(); ++i) {
    const ScenarioAttack& attack = scenario.attacks[i];
    if (attack.bonus.empty()) continue;
    const std::string card =
        is_own_bonus(catalogue, cards, attack) ? "" : bonus_card(catalogue, cards, scenario, attack.bonus);
    if (card == attack.bonus) continue;
    if (!copy) copy = scenario;
    copy->attacks[i].bonus = card;
  }
  return copy ? *copy : scenario;
}

/// Starts a draft of `compiled` with its ships. The compiled scenario depends on their cards and the scenario alone.
/// `plain` holds the scenario if it has to be changed.
std::unique_ptr<Draft> begin(const Catalogue& catalogue, const Scenario& given, std::optional<Scenario>& plain,
                             CompiledScenario& compiled) {
  const load::Edition* edition = catalogue.edition(given.rules);
  if (edition == nullptr) throw ScenarioError("rules", base::unknown("rules", given.rules, catalogue.edition_ids()));
  const std::string cards = catalogue.card_set(given.cards, given.rules);
  const Scenario& scenario = with_settled_bonus(catalogue, cards, given, plain);
  const auto& sets = edition->card_sets.empty() ? Catalogue::card_sets() : edition->card_sets;
  if (!base::contains(sets, cards))
    throw ScenarioError("cards", base::unknown("card set", cards, sets) + " with rules " + edition->id);
  if (scenario.attacks.empty()) throw ScenarioError("attacks", "no attack; add [[attacks]] with by and on");
  check_rounds(scenario);
  check_no_unknowns(scenario);
  std::unique_ptr<Draft> out(new Draft{.catalogue = catalogue,
                                       .scenario = scenario,
                                       .edition = *edition,
                                       .cards = cards,
                                       .ships = {},
                                       .attacks = {},
                                       .deck = nullptr,
                                       .out = compiled});
  Draft& draft = *out;
  game::Plan& plan = draft.out.plan;
  Labels& labels = draft.out.labels;
  plan.attack_die = prepared(*edition).attack_die;
  plan.defense_die = prepared(*edition).defense_die;
  plan.objective = objective_of(scenario.objective);
  note_card_set(draft);
  labels.notes = scenario.notes;
  labels.attacker_policy = scenario.attacker_policy.value_or("optimal");
  labels.defender_policy = scenario.defender_policy.value_or("optimal");
  plan.attacker_policy = policy_of("attacker_policy", labels.attacker_policy, scenario.attacker_rules.get());
  plan.defender_policy = policy_of("defender_policy", labels.defender_policy, scenario.defender_rules.get());
  draft_ships(draft);
  return out;
}

/// Whether End Phases restore something that a ship lacks.
bool any_recovers(const Draft& draft) {
  return std::any_of(draft.ships.begin(), draft.ships.end(), [&](const ShipDraft& ship) {
    bool out = ship.ship != nullptr && ship.ship->shields_recover > 0;
    for (std::size_t t = 0; t < ship.tokens.size(); ++t) out = out || recovers_charges(draft.edition, ship, t);
    return out;
  });
}

void label_rules(Draft& draft) {
  Labels& labels = draft.out.labels;
  labels.faces = prepared(draft.edition).faces;
  labels.rules = draft.scenario.rules;
  labels.objective = draft.scenario.objective;
  labels.roll = draft.scenario.roll;
}

}  // namespace

PlanBuilder::PlanBuilder(const Catalogue& catalogue, const Scenario& scenario)
    : draft_(begin(catalogue, scenario, plain_, out_)), key_(plan_key(draft_->scenario, cards_of(*draft_))) {}

PlanBuilder::~PlanBuilder() = default;

const load::Edition& PlanBuilder::edition() const { return draft_->edition; }

CompiledScenario& PlanBuilder::finish(Lifetime lifetime) {
  Draft& draft = *draft_;
  draft.lifetime = lifetime;
  PlanCache& plans = prepared(draft.edition).plans;
  // The key does not include `lifetime`, which matters for ships that pay or recover shields, or recover charges.
  const bool same_as_round = !any_card(draft, &PreparedCard::costs_shield) &&
                             (lifetime == Lifetime::Shots || (lifetime == Lifetime::Rounds && !any_recovers(draft)));
  const bool cacheable = lifetime == Lifetime::Round || same_as_round;
  const auto known = cacheable ? plans.find(key_) : nullptr;
  if (known) return out_ = *known;
  label_rules(draft);
  note_other_ships(draft);
  dock_ships(draft);
  assign_sides(draft);
  assign_conditions(draft);
  reject_infinite_loop(draft);
  find_deck(draft);
  build_attack_sequence(draft);
  create_resources(draft);
  compile_attacks(draft);
  label_unread_tokens(draft);
  check_deck_capacity(draft);
  finalize_deck(draft);
  pack_resources(draft.out.plan);
  add_policy_rules(draft);
  mark_live_resources(draft.out.plan);
  check_given_rolls(draft);
  if (cacheable) plans.insert(key_, out_);
  return out_;
}

const load::DerivedData& edition_cache(const load::Edition& edition) { return prepared(edition).edition_cache; }

CompiledScenario compile_scenario(const Catalogue& catalogue, const Scenario& scenario, Lifetime lifetime) {
  return std::move(PlanBuilder(catalogue, scenario).finish(lifetime));
}

}  // namespace salvo::compile
