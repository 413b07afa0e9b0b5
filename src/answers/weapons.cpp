#include "answers/weapons.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "load/catalogue.h"
#include "load/pilot_stats.h"

namespace salvo::answers {
namespace {

/// The stat line of a ship, even if only its pilot is named; nullptr: it has none.
const load::ShipSpec* ship_of(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship) {
  if (ship.ship) return catalogue.ship(*ship.ship, cards);
  if (!ship.pilot) return nullptr;
  const std::vector<std::string> ships = catalogue.ships_of_pilot(*ship.pilot, cards);
  return ships.size() == 1 ? catalogue.ship(ships.front(), cards) : nullptr;
}

}  // namespace

std::vector<WeaponChoice> weapons_of(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship,
                                     int farthest) {
  std::vector<WeaponChoice> out;
  const load::ShipSpec* spec = ship_of(catalogue, cards, ship);
  const load::PilotSpec* pilot = spec != nullptr && ship.pilot ? load::find_pilot(*spec, *ship.pilot) : nullptr;
  if (spec != nullptr) {
    for (const load::WeaponSpec& weapon : load::primary_weapons_of(*spec, pilot)) {
      const std::string id = "primary:" + weapon.arc;
      const bool known = std::any_of(out.begin(), out.end(), [&](const WeaponChoice& w) { return w.id == id; });
      if (!known) out.push_back({id, weapon.arc, weapon.min_range, std::min(farthest, weapon.max_range)});
    }
  } else if (ship.attack) {
    out.push_back({"primary", "primary", 0, farthest});
  }
  for (const std::string& id : ship.upgrades) {
    const load::CardSpec* card = catalogue.card("upgrade", id, cards);
    if (card == nullptr || !card->weapon || card->weapon->min_range > farthest) continue;
    out.push_back({id, id, card->weapon->min_range, std::min(farthest, card->weapon->max_range)});
  }
  return out;
}

std::vector<std::string> weapon_names(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship) {
  constexpr int kFarthest = 5;
  std::vector<std::string> out;
  for (const WeaponChoice& weapon : weapons_of(catalogue, cards, ship, kFarthest)) out.push_back(weapon.id);
  return out;
}

std::optional<Report> answer_if_possible(const Catalogue& catalogue, const Scenario& scenario,
                                         const AnswerOptions& options, std::string& why_not) {
  try {
    return answer(catalogue, scenario, options);
  } catch (const LoadError& error) {
    if (!error.path.starts_with("attacks[")) throw;
    const ScenarioAttack& attack = scenario.attacks[0];
    const auto names =
        weapon_names(catalogue, catalogue.card_set(scenario.cards, scenario.rules), scenario.ships.at(attack.by));
    if (attack.weapon != "primary" && !base::contains(names, attack.weapon)) throw;
    why_not = error.why;
    return std::nullopt;
  }
}

namespace {

/// One of the weapons of an attack.
struct Tried {
  std::string weapon, arc = {};
  std::optional<double> mean = {};  ///< damage; empty: it cannot be used
  std::string why_not = {};

  std::string text() const {
    if (!mean) return fmt::format("{} (cannot attack: {})", weapon, why_not);
    return fmt::format("{} ({:.3f}{})", weapon, *mean, arc.empty() ? "" : fmt::format(", if in the {} arc", arc));
  }
};

/// Whether an upgrade has a weapon. `names`: the names of cards are given, which are not found, for some of the ids.
bool any_weapon(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship, bool names) {
  return std::any_of(ship.upgrades.begin(), ship.upgrades.end(), [&](const std::string& id) {
    const load::CardSpec* const card = catalogue.card("upgrade", id, cards);
    return card == nullptr ? names : card->weapon.has_value();
  });
}

/// "primary", if there is such a weapon, and the upgrades with one. Empty: no upgrade has one.
std::vector<std::string> choices_of(const Catalogue& catalogue, const Scenario& scenario,
                                    const ScenarioAttack& attack) {
  std::vector<std::string> out;
  const auto by = scenario.ships.find(attack.by);
  if (by == scenario.ships.end() || !scenario.ships.contains(attack.on)) return out;
  const std::string cards = catalogue.card_set(scenario.cards, scenario.rules);
  if (!any_weapon(catalogue, cards, by->second, false)) return out;
  for (const std::string& id : weapon_names(catalogue, cards, by->second))
    base::add_once(out, id.starts_with("primary") ? "primary" : id);
  return out;
}

/// Gives each ship the side that follows from all attacks.
void state_sides(Scenario& scenario) {
  auto& ships = scenario.ships;
  if (std::none_of(ships.begin(), ships.end(), [](const auto& ship) { return ship.second.side.has_value(); }))
    ships[scenario.attacks[0].by].side = "mine";
  for (std::size_t pass = 0; pass < ships.size(); ++pass) {
    for (const ScenarioAttack& attack : scenario.attacks) {
      if (!ships.contains(attack.by) || !ships.contains(attack.on)) continue;  // compiling it reports the error
      auto &by = ships.at(attack.by).side, &on = ships.at(attack.on).side;
      if (by && !on) on = *by == "mine" ? "theirs" : "mine";
      if (on && !by) by = *on == "mine" ? "theirs" : "mine";
    }
  }
}

/// The arc of an upgrade's weapon, unless it is the front arc, which every attack is taken to be in.
std::string arc_of(const Catalogue& catalogue, const Scenario& scenario, const std::string& weapon) {
  const load::CardSpec* const card =
      catalogue.card("upgrade", weapon, catalogue.card_set(scenario.cards, scenario.rules));
  return card == nullptr || !card->weapon || card->weapon->arc == "front" ? "" : card->weapon->arc;
}

/// The damage of the attack alone, with each of the weapons.
std::vector<Tried> try_weapons(const Catalogue& catalogue, const Scenario& scenario, const ScenarioAttack& attack,
                               const std::vector<std::string>& weapons, const AnswerOptions& options) {
  Scenario alone = scenario;
  state_sides(alone);
  alone.attacks = {attack};
  alone.attacks[0].unnamed = UnnamedWeapon::No;
  alone.rounds.clear();
  alone.objective = "damage";
  alone.notes.clear();
  alone.given_by.clear();  // errors name keys rather than SPECs
  std::vector<Tried> out;
  for (const std::string& weapon : weapons) {
    Tried& one = out.emplace_back(Tried{weapon, arc_of(catalogue, scenario, weapon)});
    alone.attacks[0].weapon = weapon;
    try {
      const Report report = answer(catalogue, alone, options);
      one.why_not = "it does not happen";
      if (report.estimates.attacks[0].happens.value > 0) one.mean = report.ship(attack.on).mean_damage.value;
    } catch (const PlanTooLarge&) {
      one.why_not = "too large to compare";
    } catch (const LoadError& error) {  // of other errors the answer to the scenario reports the place
      one.why_not = error.why.empty() ? error.what() : error.why;
    }
  }
  return out;
}

/// The one with the most damage; the first of equal ones.
const Tried& best_of(const std::vector<Tried>& all) {
  constexpr double kEqual = 1e-11;
  const Tried* out = &all.front();
  for (const Tried& one : all) {
    if (one.mean.value_or(-1) > out->mean.value_or(-1) + kEqual) out = &one;
  }
  return *out;
}

/// Names the weapon of an attack. Returns a note.
std::string name_weapon(const Catalogue& catalogue, const AnswerOptions& options, const Scenario& scenario,
                        const std::vector<std::string>& weapons, ScenarioAttack& attack) {
  if (!attack.targets.empty() || scenario.rounds.size() > 1) {
    attack.weapon = kBestWeapon;
    return fmt::format("{} uses the best of the weapons {} that it can use when its attack comes; weapon={} names one",
                       attack.by, base::joined(weapons, ", "), weapons.front());
  }
  const std::vector<Tried> all = try_weapons(catalogue, scenario, attack, weapons, options);
  const Tried& best = best_of(all);
  attack.weapon = best.weapon;
  std::string others;
  for (const Tried& one : all) {
    if (&one != &best) others += (others.empty() ? ", not " : ", ") + one.text();
  }
  return fmt::format("{} uses the weapon {}, chosen by its mean damage in this attack alone{}; weapon= selects another",
                     attack.by, best.text(), others);
}

}  // namespace

bool leaves_weapon_open(const Catalogue& catalogue, const Scenario& scenario) {
  return std::any_of(scenario.attacks.begin(), scenario.attacks.end(), [&](const ScenarioAttack& attack) {
    if (attack.unnamed != UnnamedWeapon::Best) return false;
    const auto by = scenario.ships.find(attack.by);
    return by != scenario.ships.end() &&
           any_weapon(catalogue, catalogue.card_set(scenario.cards, scenario.rules), by->second, true);
  });
}

void name_weapons(const Catalogue& catalogue, const AnswerOptions& options, Scenario& scenario) {
  constexpr std::uint64_t kTrials = 100'000;
  const AnswerOptions one{.budget = options.budget, .trials = kTrials, .threads = options.threads};
  for (ScenarioAttack& attack : scenario.attacks) {
    if (std::exchange(attack.unnamed, UnnamedWeapon::No) != UnnamedWeapon::Best) continue;
    const std::vector<std::string> weapons = choices_of(catalogue, scenario, attack);
    if (!weapons.empty()) base::add_once(scenario.notes, name_weapon(catalogue, one, scenario, weapons, attack));
  }
}

std::vector<std::string> better_weapons(const Catalogue& catalogue, const Scenario& scenario, double budget) {
  const AnswerOptions one{.engine = EngineChoice::Exact, .budget = budget};
  std::vector<std::string> out;
  for (const ScenarioAttack& attack : scenario.attacks) {
    if (attack.unnamed != UnnamedWeapon::Primary || !attack.targets.empty() || !attack.bonus.empty()) continue;
    const std::vector<std::string> weapons = choices_of(catalogue, scenario, attack);
    if (weapons.empty() || weapons[0] != "primary") continue;
    const std::vector<Tried> all = try_weapons(catalogue, scenario, attack, weapons, one);
    const Tried& best = best_of(all);
    if (!all[0].mean || &best == &all[0]) continue;
    base::add_once(out, fmt::format("{} uses its {}, although the weapon {} does more mean damage in this attack alone",
                                    attack.by, all[0].text(), best.text()));
  }
  return out;
}

}  // namespace salvo::answers
