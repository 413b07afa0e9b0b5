// Faces that the scenario states in place of a roll (docs/format.md: Results in place of dice). The roll becomes one of
// no dice, and an effect adds the stated ones, so that the engines need not know about it.
#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "compile/attack_draft.h"
#include "game/play.h"

namespace salvo::compile {
namespace {

using load::Window;

constexpr std::string_view kGivenRoll = "stated roll";  ///< id of the effects, for labels

/// What the scenario states about the dice of one role.
struct GivenRoll {
  const char *rolled_key, *results_key;
  const ScenarioAttack::Faces &rolled, &results;

  bool stated() const { return rolled || results; }
  const std::vector<std::string>& faces() const { return rolled ? *rolled : *results; }
  const char* key() const { return rolled ? rolled_key : results_key; }
};

GivenRoll given_roll(const ScenarioAttack& attack, bool attackers) {
  if (attackers) return {"rolled", "results", attack.rolled, attack.results};
  return {"defense_rolled", "defense_results", attack.defense_rolled, attack.defense_results};
}

/// Adds a mandatory effect of the attacker's or the defender's side in front of all others of the window.
void add_first(AttackDraft& attack, Window window, bool attackers, std::vector<game::Operation> operations) {
  game::Effect effect;
  effect.operations = std::move(operations);
  const int index = store_effect(attack, std::move(effect), {}, {.id = kGivenRoll, .detail = ""});
  attack.in_windows.insert(attack.in_windows.begin(), {window, false, attackers, index});
}

/// Leaves only the windows of the roll that the scenario is.
void drop_other_windows(AttackDraft& attack) {
  const bool attackers = attack.draft.scenario.roll == "attack";
  const Window first = attackers ? Window::Always : Window::DefenseValue;
  const Window last = attackers ? Window::AttackSet : Window::DefenseMod;
  std::erase_if(attack.in_windows,
                [&](const WindowEffect& effect) { return effect.window < first || effect.window > last; });
}

void place_roll(AttackDraft& attack, bool attackers) {
  const GivenRoll given = given_roll(attack.given, attackers);
  if (!given.stated()) return;
  if (given.rolled && given.results) {
    throw ScenarioError(fmt::format("{}.{}", attack.path, given.results_key),
                        fmt::format("the attack has {0} as well; give what was rolled ({0}), or what the modifications "
                                    "left of it ({1})",
                                    given.rolled_key, given.results_key));
  }
  const std::string path = fmt::format("{}.{}", attack.path, given.key());
  const std::vector<std::string>& faces = given.faces();
  if (faces.size() > static_cast<std::size_t>(base::kMaxPool))
    throw ScenarioError(path, fmt::format("{} dice; at most {} are allowed", faces.size(), base::kMaxPool));
  const load::DieSpec& die = attackers ? attack.draft.edition.attack_die : attack.draft.edition.defense_die;
  std::vector<game::Operation> add;
  for (std::size_t face = 0; face < die.faces.size(); ++face) {
    const auto n = static_cast<int>(std::count(faces.begin(), faces.end(), die.faces[face].name));
    if (n == 0) continue;
    add.push_back({.kind = game::Operation::Kind::Add, .attack_dice = attackers, .to = static_cast<int>(face), .n = n});
  }
  for (const std::string& face : faces) {
    if (face_of(die, face) >= 0) continue;
    std::vector<std::string> known;
    for (const load::FaceSpec& one : die.faces) known.push_back(one.name);
    throw ScenarioError(path, unknown(attackers ? "face of an attack die" : "face of a defense die", face, known));
  }
  // In each window the effects of the player who does not roll come first.
  if (given.results) {
    const Window first = attackers ? Window::AttackRolled : Window::DefenseRolled;
    const Window last = attackers ? Window::AttackSet : Window::DefenseMod;
    std::erase_if(attack.in_windows,
                  [&](const WindowEffect& effect) { return effect.window >= first && effect.window <= last; });
  }
  if (!add.empty())
    add_first(attack, attackers ? Window::AttackRolled : Window::DefenseRolled, !attackers, std::move(add));
  add_first(attack, attackers ? Window::AttackPool : Window::DefensePool, attackers,
            {{.kind = game::Operation::Kind::Limit, .attack_dice = attackers, .min = 0, .max = 0}});
}

/// The number of dice that the role rolls if the attack is the first; nothing if a decision comes before.
std::optional<int> dice_of(const game::Plan& plan, game::AttackPlan attack, bool attackers) {
  if (!game::attack_happens(plan, attack, plan.start)) return std::nullopt;
  for (game::Effect& effect : attack.effects) {
    for (game::Operation& operation : effect.operations) {
      const bool given = operation.kind == game::Operation::Kind::Limit && operation.attack_dice == attackers &&
                         operation.max == 0 && operation.amount.empty() && effect.when.empty();
      if (given) operation.max = base::kMaxPool;
    }
  }
  game::Position position = game::begin_attack(plan, attack, plan.start);
  game::NextEvent event = game::advance(plan, attack, position);
  if (event == game::NextEvent::AttackRoll && !attackers) {
    position = game::after_roll(attack, position, game::Pool());
    event = game::advance(plan, attack, position);
  }
  const auto wanted = attackers ? game::NextEvent::AttackRoll : game::NextEvent::DefenseRoll;
  return event == wanted ? std::optional(game::roll_size(position)) : std::nullopt;
}

/// Whether the scenario says with how many dice the ship rolls.
bool states_dice(const ShipDraft& ship, bool attackers) {
  return ship.ship != nullptr || (attackers ? ship.given->attack : ship.given->agility).has_value();
}

}  // namespace

void play_roll_alone(const Scenario& scenario, ScenarioAttack& attack) {
  if (scenario.roll.empty()) return;
  const auto refuse = [](const char* key, const std::string& why) { throw ScenarioError(key, why); };
  if (scenario.roll != "attack" && scenario.roll != "defense")
    refuse("roll", unknown("roll", scenario.roll, {"attack", "defense"}));
  if (scenario.attacks.size() > 1 || !scenario.rounds.empty() || !scenario.attacks[0].targets.empty() ||
      attack.weapon == kBestWeapon)
    refuse("roll", "a roll alone is that of one attack with one weapon on one ship; state one, or leave roll out");
  if (scenario.objective != "damage")
    refuse("objective", "a roll alone damages no ship, so it has no objective; leave the key out");
  if (scenario.damage_deck != kNoDeck)
    refuse("damage_deck", "a roll alone has results, but deals no damage cards; leave the deck out");
  const bool attackers = scenario.roll == "attack";
  if (given_roll(attack, !attackers).stated()) {
    refuse("roll", fmt::format("the {} alone is rolled; leave out the stated {} dice", scenario.roll,
                               attackers ? "defense" : "attack"));
  }
  // Nothing meets the attack dice, and the defense dice meet more hits than they can cancel.
  if (attackers) attack.defense_results.emplace();
  if (!attackers) attack.results.emplace(static_cast<std::size_t>(base::kMaxPool), "hit");
}

void place_given_rolls(AttackDraft& attack) {
  if (!attack.draft.scenario.roll.empty()) drop_other_windows(attack);
  place_roll(attack, true);
  place_roll(attack, false);
}

std::array<int, 2> given_dice(const ScenarioAttack& attack) {
  std::array<int, 2> out{-1, -1};
  for (const bool attackers : {false, true}) {
    const GivenRoll given = given_roll(attack, attackers);
    if (given.stated()) base::nth(out, attackers ? 1 : 0) = static_cast<int>(given.faces().size());
  }
  return out;
}

void check_given_rolls(const Draft& draft) {
  const game::Plan& plan = draft.out.plan;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const SequenceEntry& entry = draft.attacks[draft.compiled[k]];
    for (const bool attackers : {true, false}) {
      const GivenRoll given = given_roll(entry.given, attackers);
      const int ship = attackers ? plan.attacks[k].attacker : plan.attacks[k].defender;
      // Earlier attacks may have changed what the ship rolls.
      const bool first = std::none_of(plan.attacks.begin(), plan.attacks.begin() + static_cast<std::ptrdiff_t>(k),
                                      [&](const auto& a) { return a.attacker == ship || a.defender == ship; });
      if (entry.engagement || !given.rolled || !first || !states_dice(base::nth(draft.ships, ship), attackers))
        continue;
      const auto dice = dice_of(plan, plan.attacks[k], attackers);
      if (!dice || static_cast<std::size_t>(*dice) == given.faces().size()) continue;
      throw ScenarioError(fmt::format("{}.{}", entry.path, given.rolled_key),
                          fmt::format("{} dice are given, but '{}' rolls {} {} dice here; give each die, or what the "
                                      "modifications left of them as {}",
                                      given.faces().size(), base::nth(draft.ships, ship).name, *dice,
                                      attackers ? "attack" : "defense", given.results_key));
    }
  }
}

}  // namespace salvo::compile
