#include "battle/tactics.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace salvo::battle {
namespace {

/// Whether players see the slot on the table.
bool is_visible(const Slot& slot) { return slot.token >= 0 || slot.label.rfind("charge:", 0) == 0; }

std::string label_of(const Slot& slot) {
  if (slot.token >= 0) return slot.label;
  const std::size_t from = slot.label.find(':') + 1;
  return "charge of " + slot.label.substr(from, slot.label.find('#') - from);
}

bool has_several_enemies(const Game& game, int s) {
  const Game::Range enemies = game.enemies_of(s);
  return enemies.end - enemies.first > 1;
}

}  // namespace

std::string action_words(const Game& game, int s, const Action& action) {
  if (action.option < 0) return "none";
  std::string out = game.type_of(s).options[at(action.option)].name;
  if (action.target >= 0 && has_several_enemies(game, s)) out += fmt::format(" ({})", game.ship(action.target).name);
  return out;
}

std::string weapon_words(const Game& game, int s, int target, int weapon) {
  std::string out = game.type_of(s).weapons[at(weapon)].id;
  if (has_several_enemies(game, s)) out += fmt::format(" ({})", game.ship(target).name);
  return out;
}

void TacticTally::add_spent(const Game& game, const BattleState& now, int s, int target, const Outcome& outcome,
                            double p) {
  const auto spent = [&](int ship, int before, int after, std::map<std::string, double>& to) {
    const ShipType& type = game.type_of(ship);
    const int t = game.ship(ship).type;
    const Counts &had = game.tables().states().counts(t, before), &has = game.tables().states().counts(t, after);
    for (std::size_t i = 0; i < had.size(); ++i) {
      if (is_visible(type.slots[i]) && had[i] > has[i]) to[label_of(type.slots[i])] += p * (had[i] - has[i]);
    }
  };
  const ShipState &me = now.ship[at(s)], &him = now.ship[at(target)];
  OfShip& mine = ships[at(s)];
  spent(s, me.state, outcome.attacker, mine.attack_spends);
  spent(target, him.state, outcome.defender, ships[at(target)].defense_spends);
  if (me.lock == target && !outcome.lock) mine.attack_spends["lock"] += p;
}

BattleTactic TacticTally::tactic(const Game& game, const BattleState& state, int s) const {
  const OfShip& seen = ships[at(s)];
  BattleTactic out;
  const ShipState& ship = state.ship[at(s)];
  if (ship.gone) return out;
  out.health = ship.health;
  const ShipType& type = game.type_of(s);
  const Counts& counts = game.tables().states().counts(game.ship(s).type, ship.state);
  const auto say = [&](const std::string& words) { out.has += (out.has.empty() ? "" : ", ") + words; };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (is_visible(type.slots[i]) && counts[i] > 0) say(fmt::format("{} {}", counts[i], label_of(type.slots[i])));
  }
  if (ship.lock >= 0) say(fmt::format("lock on {}", game.ship(ship.lock).name));
  const auto list = [](const std::map<std::string, double>& from) {
    std::vector<BattleTactic::Frequency> to;
    for (const auto& [what, share] : from) to.push_back({what, share});
    std::stable_sort(to.begin(), to.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
    return to;
  };
  out.actions = list(seen.actions);
  out.weapons = list(seen.weapons);
  out.attack_spends = list(seen.attack_spends);
  out.defense_spends = list(seen.defense_spends);
  return out;
}

}  // namespace salvo::battle
