#include "review/ship_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/answer.h"
#include "base/index.h"
#include "load/pilot_stats.h"
#include "review/ledger.h"

namespace salvo::review {
namespace {

const load::TokenSpec* token_spec(const load::Edition* edition, const std::string& word) {
  if (edition == nullptr) return nullptr;
  const auto at = std::find_if(edition->tokens.begin(), edition->tokens.end(),
                               [&](const load::TokenSpec& token) { return token.id == word; });
  return at == edition->tokens.end() ? nullptr : &*at;
}

}  // namespace

bool is_charge(const load::Edition* edition, const std::string& word) {
  const load::TokenSpec* spec = token_spec(edition, word);
  return spec != nullptr && spec->charge;
}

bool is_round_token(const load::Edition* edition, const std::string& word) {
  const load::TokenSpec* spec = token_spec(edition, word);
  return spec != nullptr && !spec->charge;
}

/// Compiles an attack on the ship and reads its health and its charges from the plan.
void add_starting_state(const Catalogue& catalogue, const GameLog& log, const Scenario& base, const std::string& name,
                        const LoggedShip& logged, ShipState& now) {
  const load::Edition* edition = catalogue.edition(base.rules);
  Scenario scenario = base;
  scenario.objective = "damage";
  scenario.damage_deck = kNoDeck;
  ScenarioShip& ship = scenario.ships[name] = logged.ship;
  for (const auto& [token, n] : logged.ship.tokens) {
    if (n == 0 && is_charge(edition, token)) ship.tokens.erase(token);  // it may recover
  }
  const std::string other = name + "'";
  scenario.ships[other].attack = 1;
  scenario.attacks = {{.by = other, .on = name}};
  compile::CompiledScenario compiled;
  try {
    compiled = answers::compile_copy(catalogue, scenario);
  } catch (const LoadError& error) {
    fail_at(log, logged.line, fmt::format("{}: {}", name, error.why.empty() ? error.what() : error.why));
  }
  const game::Plan& plan = compiled.plan;
  for (std::size_t s = 0; s < plan.ships.size(); ++s) {
    if (compiled.labels.ships[s] == name && plan.ships[s].destructible)
      now.health = plan.ships[s].hull + plan.ships[s].shields;
  }
  for (std::size_t r = 0; r < plan.resources.size(); ++r) {
    const game::Resource& resource = plan.resources[r];
    if (!resource.charge || base::nth(compiled.labels.ships, resource.ship) != name) continue;
    Charges& charges = now.charges[compiled.labels.resources[r].name];
    charges.max += resource.max;
    charges.left += resource.initial;
    charges.end.recover += resource.end.recover;
  }
  for (const auto& [token, n] : logged.ship.tokens) {
    const auto charges = now.charges.find(token);
    if (charges == now.charges.end() || !is_charge(edition, token)) continue;
    charges->second.left = n;
    charges->second.stated = true;
  }
  const std::string cards = catalogue.card_set(base.cards, base.rules);
  const load::PilotStats flown = load::find_pilot_stats(catalogue, logged.ship, cards);
  now.initiative = logged.initiative;
  if (!now.initiative && flown.pilot != nullptr) now.initiative = flown.pilot->initiative;
}

}  // namespace salvo::review
