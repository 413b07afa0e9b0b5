#include "cards/dry_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/text.h"
#include "cards/condition.h"
#include "cards/variations.h"
#include "compile/plan_cache.h"
#include "exact/exact.h"
#include "load/pilot_stats.h"
#include "salvo/load.h"

namespace salvo::cards {

namespace {

/// A solved scenario.
struct DryRunAnswer {
  compile::CompiledScenario question;
  game::Distribution distribution;
};

constexpr double kSame = 1e-12;       ///< smaller differences are rounding errors
constexpr double kEdges = 3e4;        ///< of one trial; larger scenarios are skipped
constexpr double kDeckEdges = 4e4;    ///< of one trial with a damage deck
constexpr double kDeckWeight = 4;     ///< cost of an edge with damage cards
constexpr double kCompileEdges = 40;  ///< cost of compiling one ship of one attack, in edges
constexpr double kSolveEdges = 380;   ///< fixed cost of solving an attack, in edges
constexpr double kMaxEdges = 1.1e6;   ///< of all trials of a card together: a quarter of a second

/// Compiles and solves the scenarios of a card, each plan once, within a budget. The budget limits work instead of
/// time, so that a card gets the same answer on every machine.
class BudgetedSolver {
 public:
  bool spent() const { return edges_left_ < 0; }

  /// The compiled scenario, or nothing if the trial is not allowed or too large.
  std::optional<compile::CompiledScenario> compiled(const Catalogue& catalogue, const Scenario& scenario) {
    edges_left_ -= kCompileEdges * static_cast<double>(scenario.ships.size() * scenario.attacks.size());
    try {
      compile::CompiledScenario out = compile::compile_scenario(catalogue, scenario);
      return out.labels.has_ungranted_bonus ? std::nullopt : std::optional(std::move(out));
    } catch (const ScenarioError&) {
      return std::nullopt;
    } catch (const PlanTooLarge&) {
      edges_left_ -= kEdges;
      return std::nullopt;
    }
  }

  /// The solved scenario, or nothing if it is too large.
  std::optional<DryRunAnswer> solve(compile::CompiledScenario question) {
    const double most = question.plan.damage_deck ? kDeckEdges : kEdges;
    DryRunAnswer out{std::move(question), {}};
    auto& known = solved_[game::hash_of(out.question.plan)];
    for (const Solved& other : known) {
      if (!(other.plan == out.question.plan)) continue;
      if (!other.distribution) return std::nullopt;
      out.distribution = *other.distribution;
      return out;
    }
    known.push_back({out.question.plan, distribution(out.question.plan, most)});
    if (!known.back().distribution) return std::nullopt;
    out.distribution = *known.back().distribution;
    return out;
  }

  std::optional<DryRunAnswer> solve(const Catalogue& catalogue, const Scenario& scenario) {
    auto question = compiled(catalogue, scenario);
    return question ? solve(std::move(*question)) : std::nullopt;
  }

 private:
  struct Solved {
    game::Plan plan;
    std::optional<game::Distribution> distribution;  ///< empty: too large
  };

  std::optional<game::Distribution> distribution(const game::Plan& plan, double most) {
    try {
      edges_left_ -= kSolveEdges * static_cast<double>(plan.attacks.size());
      exact::Budget budget;
      budget.edges = most;
      const exact::Solution solution = exact::solve(plan, budget);
      edges_left_ -= static_cast<double>(solution.edges) * (plan.damage_deck ? kDeckWeight : 1);
      return exact::enumerate(plan, solution);
    } catch (const PlanTooLarge&) {
      edges_left_ -= most;  // about as many were built before it gave up
      return std::nullopt;
    }
  }

  double edges_left_ = kMaxEdges;
  std::unordered_map<std::uint64_t, std::vector<Solved>> solved_;
};

/// Mean tokens left by ship and name, without charges and uses of cards, which only one of the scenarios has.
std::map<std::string, double> tokens(const DryRunAnswer& answer) {
  std::map<std::string, double> out;
  const compile::Labels& labels = answer.question.labels;
  for (std::size_t i = 0; i < labels.resources.size(); ++i) {
    if (!labels.resources[i].is_token || labels.resources[i].name.starts_with("charge:")) continue;
    const auto ship = static_cast<std::size_t>(labels.resources[i].ship);
    out[labels.ships[ship] + ": " + labels.resources[i].name] +=
        answer.distribution.ships[ship].tokens_left(static_cast<Eigen::Index>(i));
  }
  return out;
}

bool same_joint(const Eigen::ArrayXXd& a, const Eigen::ArrayXXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a - b).abs().maxCoeff() < kSame;
}

double mean(const Eigen::ArrayXd& pmf) {
  double out = 0;  // summed in this order on every machine
  for (Eigen::Index k = 0; k < pmf.size(); ++k) out += static_cast<double>(k) * pmf(k);
  return out;
}

void compare(const std::string& what, double without, double with, std::vector<std::string>& out) {
  if (std::abs(with - without) > kSame) out.push_back(fmt::format("{} {:.4g} → {:.4g}", what, without, with));
}

void compare_tokens(const DryRunAnswer& with, const DryRunAnswer& without, std::vector<std::string>& out) {
  std::map<std::string, double> before = tokens(without);
  const std::map<std::string, double> after = tokens(with);
  for (const auto& [name, n] : after) before.try_emplace(name, 0);
  for (const auto& [name, n] : before) {
    const auto at = after.find(name);
    compare(name + " left", n, at == after.end() ? 0 : at->second, out);
  }
}

/// Compares the dice of each attack. A bonus attack that only the card grants counts as 0 dice without it.
void compare_dice(const DryRunAnswer& with, const DryRunAnswer& without, std::vector<std::string>& out) {
  const auto &after = with.distribution.attacks, &before = without.distribution.attacks;
  const auto &labels = with.question.labels.attacks, &labels_before = without.question.labels.attacks;
  std::size_t same = 0;  // index of the attack without the card that matches the next one with the card
  for (std::size_t k = 0; k < after.size(); ++k) {
    const bool both = same < before.size() && labels_before[same].bonus == labels[k].bonus;
    const game::AttackDistribution other = both ? before[same++] : game::AttackDistribution{};
    compare(fmt::format("attack {}: attack dice", k + 1), other.attack_dice, after[k].attack_dice, out);
    compare(fmt::format("attack {}: defense dice", k + 1), other.defense_dice, after[k].defense_dice, out);
  }
}

/// All differences between the answers that a user could see.
std::vector<std::string> differences(const DryRunAnswer& with, const DryRunAnswer& without) {
  std::vector<std::string> out;
  const game::Distribution &a = with.distribution, &b = without.distribution;
  compare("value", b.value, a.value, out);
  for (std::size_t s = 0; s < a.ships.size(); ++s) {
    const std::string& name = with.question.labels.ships[s];
    const std::size_t before = out.size();
    compare(name + ": damage", mean(b.ships[s].damage), mean(a.ships[s].damage), out);
    compare(name + ": destroyed", b.ships[s].destroyed, a.ships[s].destroyed, out);
    if (a.ships[s].hull.size() != b.ships[s].hull.size()) {
      compare(name + ": hull", static_cast<double>(b.ships[s].hull.size()) - 1,
              static_cast<double>(a.ships[s].hull.size()) - 1, out);
    }
    if (a.ships[s].shields.size() != b.ships[s].shields.size()) {
      compare(name + ": shields", static_cast<double>(b.ships[s].shields.size()) - 1,
              static_cast<double>(a.ships[s].shields.size()) - 1, out);
    }
    if (out.size() == before && !same_joint(a.ships[s].joint, b.ships[s].joint)) {
      out.push_back(name + ": the distribution of hits and critical hits");
    }
  }
  compare_dice(with, without, out);
  compare_tokens(with, without, out);
  return out;
}

/// Whether an upgrade of the ship has a weapon, which a SPEC would use in place of the primary one.
bool has_weapon_card(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards) {
  return std::any_of(ship.upgrades.begin(), ship.upgrades.end(), [&](const std::string& id) {
    const load::CardSpec* const card = catalogue.card("upgrade", id, cards);
    return card != nullptr && card->weapon;
  });
}

/// The SPEC of a ship for `salvo run`, or nothing if options cannot express it.
std::optional<std::string> spec_of(const Catalogue& catalogue, const ScenarioShip& ship, const ScenarioAttack* attack,
                                   const std::string& cards) {
  if (ship.docked) return std::nullopt;
  std::vector<std::string> out;
  const bool stat_line = ship.ship || ship.pilot;
  const auto add = [&](const char* key, const auto& value) {
    if (value) out.push_back(fmt::format("{}={}", key, *value));
  };
  if (!stat_line) out.push_back(std::to_string(attack != nullptr ? ship.attack.value_or(0) : ship.agility.value_or(0)));
  add("ship", ship.ship);
  add("pilot", ship.pilot);
  const load::PilotSpec* const pilot = load::find_pilot_stats(catalogue, ship, cards).pilot;
  if (pilot != nullptr && !pilot->standard_loadout.empty()) out.emplace_back("loadout=none");
  if (stat_line) add("attack", ship.attack);
  if (stat_line) add("agility", ship.agility);
  add("hull", ship.hull);
  add("shields", ship.shields);
  for (const auto& [token, n] : ship.tokens) out.push_back(n == 1 ? token : fmt::format("{}={}", token, n));
  if (!ship.locks.empty()) {
    if (attack == nullptr) return std::nullopt;
    out.emplace_back("lock");
  }
  if (ship.size && *ship.size != "small") add("size", ship.size);
  for (const std::string& upgrade : ship.upgrades) out.push_back(upgrade);
  if (attack != nullptr) {
    if (attack->weapon != "primary" || has_weapon_card(catalogue, ship, cards))
      out.push_back("weapon=" + attack->weapon);
    if (attack->range != 2) out.push_back(fmt::format("range={}", attack->range));
    if (attack->obstructed) out.emplace_back("obstructed");
    add("initiative", attack->initiative);
    for (const std::string& fact : attack->facts) {
      if (fact.starts_with("not ")) return std::nullopt;
      out.push_back(fact);
    }
  }
  return base::joined(out, " ");
}

/// For a pilot's card: the ship flown by that pilot, instead of carrying the card as an upgrade.
ScenarioShip flown_by(const Catalogue& catalogue, ScenarioShip ship, const load::CardSpec& card,
                      const std::string& cards) {
  if (card.kind != "pilot" || std::erase(ship.upgrades, card.id) == 0) return ship;
  ship.pilot = card.id;
  const auto ships = catalogue.ships_of_pilot(card.id, cards);
  if (!ship.ship && ships.size() > 1) ship.ship = ships.front();
  return ship;
}

/// The value of the scenario that the options describe, if they describe one.
std::optional<double> value_of_flags(const Catalogue& catalogue, const Scenario& scenario, const std::string& attacker,
                                     const std::string& defender, BudgetedSolver& solver) {
  try {
    Scenario asked = scenario_from_specs(catalogue, scenario.rules, scenario.cards, {attacker}, defender);
    asked.objective = scenario.objective;
    asked.damage_deck = scenario.damage_deck;
    const auto answer = solver.solve(catalogue, asked);
    return answer ? std::optional(answer->distribution.value) : std::nullopt;
  } catch (const LoadError&) {
    return std::nullopt;
  }
}

/// Arguments that describe the same scenario and give the same value; empty if options cannot express it.
std::vector<std::string> command_of(const Catalogue& library, const Scenario& scenario, const load::CardFile& card,
                                    double value, BudgetedSolver& solver) {
  if (card.spec.kind == "ship" || scenario.attacks.size() != 1 || scenario.ships.size() != 2) return {};
  Catalogue catalogue = library;
  catalogue.replace_card(card.spec);
  const auto spec = [&](const char* name, const ScenarioAttack* attack) {
    return spec_of(catalogue, flown_by(catalogue, scenario.ships.at(name), card.spec, scenario.cards), attack,
                   scenario.cards);
  };
  const auto attacker = spec("a1", &scenario.attacks.front());
  const auto defender = spec("d", nullptr);
  if (!attacker || !defender) return {};
  const auto same = value_of_flags(catalogue, scenario, *attacker, *defender, solver);
  if (!same || std::abs(*same - value) > kSame) return {};
  std::vector<std::string> out{"run", "--card", card.path, "--attack", *attacker, "--defend", *defender};
  if (scenario.objective != "damage") out.insert(out.end(), {"--objective", scenario.objective});
  if (scenario.damage_deck != kNoDeck) out.insert(out.end(), {"--damage-deck", scenario.damage_deck});
  if (scenario.rules != "second-edition") out.insert(out.end(), {"--rules", scenario.rules});
  if (scenario.cards != catalogue.card_set("", scenario.rules)) out.insert(out.end(), {"--cards", scenario.cards});
  return out;
}

/// A ship of the card set with a primary weapon of this arc, or empty.
std::string ship_with_arc(const Catalogue& catalogue, const std::string& card_set, const std::string& arc,
                          bool first_weapon) {
  if (arc.empty()) return {};
  for (const std::string& id : catalogue.ship_ids(card_set)) {
    const load::ShipSpec* ship = catalogue.ship(id, card_set);
    const bool found = ship != nullptr &&
                       std::any_of(ship->weapons.begin(), ship->weapons.end(),
                                   [&](const load::WeaponSpec& weapon) { return weapon.arc == arc; }) &&
                       (!first_weapon || (ship->weapons.size() > 1 && ship->weapons.front().arc != arc));
    if (found) return id;
  }
  return {};
}

/// Upgrades of the library and, if wanted, pilots of the card set.
SupportingCards supporting_cards(const Catalogue& catalogue, const std::string& card_set, bool pilots) {
  SupportingCards out;
  const int usual_range = Trial().range;
  for (const load::CardPlace& place : load::library_cards(catalogue.profiles(), card_set)) {
    if (place.kind != "upgrade") continue;
    const load::CardSpec* card = catalogue.card(place.kind, place.id, card_set);
    if (card == nullptr) continue;
    out.upgrades.push_back(card);
    if (!card->weapon || card->weapon->min_range > usual_range || card->weapon->max_range < usual_range) continue;
    out.weapons.try_emplace(card->id, card);
    const auto cost = catalogue.upgrade_cost(place.id, card_set);
    if (!cost || !card->weapon->requires_tokens.empty()) continue;
    for (const std::string& slot : cost->slots) out.weapons.try_emplace(slot, card);
  }
  if (!pilots) return out;
  const load::PilotSpec *highest = nullptr, *lowest = nullptr;
  for (const std::string& id : catalogue.ship_ids(card_set)) {
    const load::ShipSpec* ship = catalogue.ship(id, card_set);
    if (ship == nullptr || ship->size != "small") continue;
    for (const load::PilotSpec& pilot : ship->pilots) {
      const bool plain = pilot.limited == 0 && pilot.ship_ability.empty();
      if (pilot.limited == 0 && pilot.force > 0 && out.force_pilot.empty()) out.force_pilot = pilot.id;
      if (!plain) continue;
      if (highest == nullptr || pilot.initiative > highest->initiative) highest = &pilot;
      if (lowest == nullptr || pilot.initiative < lowest->initiative) lowest = &pilot;
    }
  }
  if (highest != nullptr) out.plain_pilots = {highest->id, lowest->id};
  return out;
}

/// How conditions name a token or a face that was written without its owner; empty for other words.
std::string suggest_fact(const load::Edition& edition, const std::string& name) {
  std::string word = name.starts_with("count(") && name.ends_with(")") ? name.substr(6, name.size() - 7) : name;
  if (word.starts_with("self.") || word.starts_with("foe.")) return {};
  word = word.substr(word.find('.') + 1);
  const auto is_word = [&word](const std::string& known) { return word == known || word == known + "s"; };
  std::vector<std::string> out;
  for (const load::TokenSpec& token : edition.tokens) {
    if (is_word(token.id)) out.push_back(fmt::format("self.{0} or foe.{0} for tokens", token.id));
  }
  for (const auto& [die, pool] :
       {std::pair(&edition.attack_die, "attack"), std::pair(&edition.defense_die, "defense")}) {
    for (const load::FaceSpec& face : die->faces) {
      if (is_word(face.name)) out.push_back(fmt::format("count({}.{}) for dice", pool, face.name));
    }
  }
  return out.empty() ? "" : fmt::format(" write {}", base::joined(out, ", "));
}

/// Compiles the card on an attacker and on a defender, so that each condition is read. An unknown name is reported with
/// its line and the nearest known name.
void check_names(const Catalogue& catalogue, const load::CardFile& card, const std::string& rules,
                 const std::string& card_set, const Dependencies& dependencies) {
  for (const bool attacks : {true, false}) {
    Trial trial;
    trial.attacks = attacks;
    if (card.spec.weapon) trial.range = card.spec.weapon->min_range;
    try {
      compile::compile_scenario(catalogue, scenario_of(trial, card.spec, true, rules, card_set, ""));
    } catch (const LoadError& error) {
      const std::string message = error.what();
      // In "in 'the whole condition': what is wrong", only the last part identifies the name.
      const std::size_t quoted = message.find(": in '");
      const std::string wrong = quoted == std::string::npos ? message : message.substr(message.find("': ", quoted) + 1);
      std::vector<std::string> known = common_names();
      for (const auto& [name, meaning] : catalogue.facts()) known.push_back(name);
      for (const load::TokenSpec& token : catalogue.edition(rules)->tokens) {
        for (const char* who : {"self.", "foe."}) {
          known.push_back(who + token.id);
          if (!token.state.empty()) known.push_back(who + token.state);
        }
      }
      for (const std::string& name : dependencies.names) {
        const std::string inside = name.starts_with("count(") ? name.substr(6, name.size() - 7) : name;
        const std::string face = inside.substr(inside.find('.') + 1);
        const bool meant = wrong.find("'" + name + "'") != std::string::npos ||
                           (inside != name && (wrong.find("'" + face + "'") != std::string::npos ||
                                               wrong.find("'" + inside + "'") != std::string::npos));
        if (!meant) continue;
        std::string near = suggest_fact(*catalogue.edition(rules), name);
        if (near.empty()) near = base::did_you_mean(name, known);
        throw UnknownName(message, name, near.empty() ? " board facts are listed in rules/facts.toml" : near);
      }
      throw;
    }
  }
}

}  // namespace

DryRun try_card(const Catalogue& library, const load::CardFile& card, const std::string& rules,
                const std::string& card_set) {
  Catalogue catalogue = library;
  load::CardFile carried = card;
  carried.spec.kind = "upgrade";
  catalogue.replace_card(carried.spec);
  const Dependencies dependencies = dependencies_of(card.spec);
  check_names(catalogue, card, rules, card_set, dependencies);
  DryRun out;
  std::map<std::pair<std::string, bool>, std::string> ships;
  BudgetedSolver solver;
  const SupportingCards supporting = supporting_cards(library, card_set, wants_pilots(dependencies));
  for (const Trial& trial : trials_for(card.spec, dependencies, supporting)) {
    if (solver.spent()) break;
    const std::pair<std::string, bool> key{trial.arc, trial.first_weapon};
    if (!ships.contains(key)) ships[key] = ship_with_arc(catalogue, card_set, trial.arc, trial.first_weapon);
    if (!trial.arc.empty() && ships[key].empty()) continue;
    const Scenario scenario = scenario_of(trial, card.spec, true, rules, card_set, ships[key]);
    auto asked = solver.compiled(catalogue, scenario);
    if (!asked) continue;
    auto plain = solver.compiled(catalogue, scenario_of(trial, card.spec, false, rules, card_set, ships[key]));
    if (!plain) continue;
    // Equal plans have equal answers: the card does nothing here, so neither needs solving.
    if (out.tried > 0 && asked->plan == plain->plan) {
      ++out.tried;
      continue;
    }
    const auto with = solver.solve(std::move(*asked));
    if (!with) continue;
    const auto without = solver.solve(std::move(*plain));
    if (!without) continue;
    ++out.tried;
    std::vector<std::string> changes = differences(*with, *without);
    if (out.tried > 1 && changes.empty()) continue;
    out.scenario = scenario;
    out.words = trial_words(trial, card.spec);
    out.with = with->distribution.value;
    out.without = without->distribution.value;
    out.assumed_facts = with->question.labels.assumed_facts;
    out.changes = std::move(changes);
    if (!out.changes.empty()) break;
  }
  if (out.tried > 0) out.command = command_of(library, out.scenario, card, out.with, solver);
  return out;
}

}  // namespace salvo::cards
