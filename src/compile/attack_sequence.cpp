// Builds the attack sequence: the attacks of the scenario, unlisted bonus attacks against the same ship, and the
// effects before engagements.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/index.h"
#include "compile/compile_parts.h"
#include "load/card_file.h"

namespace salvo::compile {
namespace {

/// Whether a card of the ship, or of a friend for its friends, has an effect at this window before an engagement.
bool has_effects_at(const Draft& draft, const ShipDraft& ship, load::Window window) {
  return std::any_of(draft.ships.begin(), draft.ships.end(), [&](const ShipDraft& owner) {
    if (owner.mine != ship.mine) return false;
    const char* other = &owner == &ship ? "ally" : "self";
    return std::any_of(owner.cards.begin(), owner.cards.end(), [&](const load::CardSpec* card) {
      return std::any_of(card->effects.begin(), card->effects.end(),
                         [&](const load::EffectSpec& effect) { return effect.at == window && effect.whose != other; });
    });
  });
}

/// Whether the ship can have a damage card with an effect at this window when attack `index` begins.
bool has_damage_cards_at(const Draft& draft, const ShipDraft& ship, load::Window window, std::size_t index) {
  if (!has_damage_cards(ship)) return false;
  const auto earlier = std::span(draft.scenario.attacks).first(index);
  const auto exposes = [](const load::CardSpec* card) {
    return has_operation(*card, [](const auto& o) { return o.verb == load::Verb::Expose; });
  };
  const bool dealt =
      ship.dealt_cards &&
      (std::any_of(earlier.begin(), earlier.end(),
                   [&](const ScenarioAttack& attack) { return may_be_on(attack, ship.name); }) ||
       (ship.lost_hull > 0 && std::any_of(draft.ships.begin(), draft.ships.end(), [&](const ShipDraft& other) {
          return std::any_of(other.cards.begin(), other.cards.end(), exposes);
        })));
  const auto& cards = draft.deck->cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const auto& effects = cards[c].card.effects;
    if ((dealt || (!ship.faceup.empty() && ship.faceup[c] > 0)) &&
        std::any_of(effects.begin(), effects.end(), [&](const auto& effect) { return effect.at == window; }))
      return true;
  }
  return false;
}

void push(Draft& draft, SequenceEntry&& attack) {
  attack.by = draft.find_ship(attack.given.by);
  attack.on = draft.find_ship(attack.given.on);
  draft.attacks.push_back(std::move(attack));
}

/// Adds an entry for the effects of a ship before an engagement, based on an attack by it, or on one against it with
/// the roles swapped (mirrored).
void add_engagement(Draft& draft, std::size_t index, const std::string& ship, load::Window window, bool again) {
  SequenceEntry out{.given = draft.scenario.attacks[index],
                    .path = attack_path(draft.scenario, index),
                    .inserted = true,
                    .engagement = window,
                    .again = again,
                    .mirrored = draft.scenario.attacks[index].by != ship};
  out.given.bonus.clear();
  if (out.mirrored) {
    out.given.on = ship;  // one of several possible targets
    std::swap(out.given.by, out.given.on);
    for (std::string& fact : out.given.facts) fact = mirrored(draft, fact);
  }
  push(draft, std::move(out));
}

/// The range of attacks of one round: [begin, end).
struct RoundAttacks {
  std::size_t begin = 0, end = 0;
};

RoundAttacks round_of(const Draft& draft, std::size_t index) {
  const auto& attacks = draft.scenario.attacks;
  RoundAttacks out{index, index};
  while (out.begin > 0 && attacks[out.begin - 1].round == attacks[index].round) --out.begin;
  while (out.end < attacks.size() && attacks[out.end].round == attacks[index].round) ++out.end;
  return out;
}

/// Adds the effects before or after the attacks of a round for a ship that takes part in no attack. The ship acts as if
/// it were about to attack the enemy ship in the first of them, but without the facts of that attack.
void add_idle_engagement(Draft& draft, const ShipDraft& ship, const ScenarioAttack& first, load::Window window) {
  const bool with_attacker = base::nth(draft.ships, draft.ship_index(first.by, "")).mine == ship.mine;
  SequenceEntry out{.given = {.by = ship.name, .on = with_attacker ? first.on : first.by, .round = first.round},
                    .path = fmt::format("ships.{}", ship.name),
                    .inserted = true,
                    .engagement = window,
                    .idle = true};
  push(draft, std::move(out));
}

/// Adds the effects of a ship before an engagement: with attack `index`, and for effects used once per round also with
/// every other ship that it meets in the round, so that its player chooses among them.
void add_engagements(Draft& draft, std::size_t index, const ShipDraft& ship, load::Window window) {
  add_engagement(draft, index, ship.name, window, false);
  const bool chooses = std::any_of(ship.cards.begin(), ship.cards.end(), [&](const load::CardSpec* card) {
    return std::any_of(card->effects.begin(), card->effects.end(),
                       [&](const load::EffectSpec& effect) { return effect.at == window && effect.once_per_round; });
  });
  if (!chooses) return;
  std::set<std::string> met{draft.attacks.back().given.on};
  const RoundAttacks round = round_of(draft, index);
  for (std::size_t k = round.begin; k < round.end; ++k) {
    const ScenarioAttack& attack = draft.scenario.attacks[k];
    if (attack.by != ship.name && !may_be_on(attack, ship.name)) continue;
    if (met.insert(attack.by == ship.name ? attack.on : attack.by).second)
      add_engagement(draft, k, ship.name, window, true);
  }
}

/// Adds the effects of a ship before the first attack of a round, or after the last one.
void add_round_effects(Draft& draft, const ShipDraft& ship, RoundAttacks round, load::Window window) {
  if (!has_effects_at(draft, ship, window) && !has_damage_cards_at(draft, ship, window, round.begin)) return;
  const auto attacks = std::span(draft.scenario.attacks).subspan(round.begin, round.end - round.begin);
  auto at = std::find_if(attacks.begin(), attacks.end(), [&](const auto& attack) { return attack.by == ship.name; });
  if (at == attacks.end())
    at = std::find_if(attacks.begin(), attacks.end(), [&](const auto& a) { return may_be_on(a, ship.name); });
  if (at == attacks.end()) return add_idle_engagement(draft, ship, attacks.front(), window);
  const std::size_t index = round.begin + static_cast<std::size_t>(at - attacks.begin());
  add_engagements(draft, index, ship, window);
}

/// Whether the weapon of a card is usable in an attack: range, required tokens, price.
bool can_use(const Draft& draft, const ShipDraft& ship, const load::CardSpec& card, const ScenarioAttack& attack) {
  const load::WeaponSpec& weapon = *card.weapon;
  if (attack.range < weapon.min_range || attack.range > weapon.max_range) return false;
  const auto has = [&](const std::string& token) {
    const auto& locks = ship.given->locks;
    if (token == "lock") return base::contains(locks, attack.on) || gains_lock(draft, ship, attack.on);
    const int index = draft.token_index(token);
    return index >= 0 && max_stated(draft, ship, index) > 0;
  };
  const auto& needed = weapon.requires_tokens;
  return (needed.empty() || std::any_of(needed.begin(), needed.end(), has)) &&
         std::all_of(weapon.cost.begin(), weapon.cost.end(), [&](const load::CostSpec& cost) {
           return cost.token == "charge" ? card.charges >= cost.n : has(cost.token);
         });
}

/// The weapons of the ship that a bonus attack can use: one, or the usable upgrades of a slot. `same`: that of the
/// attack before.
std::vector<std::string> weapons_for_bonus(const Draft& draft, const ShipDraft& ship, const load::OperationSpec& bonus,
                                           const ScenarioAttack& attack, const std::string& same) {
  const std::string& name = bonus.weapon;
  const bool turret = name == "turret";
  std::vector<std::string> out;
  if (name.empty()) out.push_back(same);
  if (name == "primary" && !ship.weapons.empty()) out.push_back(name);
  const std::string arc = turret ? "turret" : name.substr(std::min(name.size(), name.find(':') + 1));
  for (const load::WeaponSpec& weapon : ship.weapons) {
    if (turret && (same == "primary" || same == "primary:" + weapon.arc) && ship.weapons.size() == 1) continue;
    if (turret ? weapon.arc.ends_with(arc) : weapon.arc == arc) out.push_back("primary:" + weapon.arc);
  }
  for (const load::CardSpec* card : ship.cards) {
    if (!card->weapon || name.empty() || name == "primary" || (turret && card->id == same)) continue;
    const bool usable = card->id == name || can_use(draft, ship, *card, attack);
    if (usable && is_bonus_weapon(draft, ship, card->id, name)) out.push_back(card->id);
  }
  if (out.empty() && base::contains(ship.given->upgrades, name)) out.push_back(name);
  if (bonus.another) std::erase(out, same);
  return out;
}

/// Stated faces are those of one attack, not of attacks that follow from it.
void forget_rolls(ScenarioAttack& attack) {
  for (auto* faces : {&attack.rolled, &attack.results, &attack.defense_rolled, &attack.defense_results}) faces->reset();
}

/// Adds an attack, twice if its weapon attacks twice.
void add_attack(Draft& draft, SequenceEntry&& attack) {
  const load::CardSpec* card = weapon_card(draft, attack.given);
  if (card != nullptr && card->weapon && card->weapon->twice && draft.scenario.roll.empty()) {
    attack.twice = SequenceEntry::Twice::First;
    push(draft, SequenceEntry(attack));
    attack.twice = SequenceEntry::Twice::Second;
    forget_rolls(attack.given);
  }
  push(draft, std::move(attack));
}

/// Adds the bonus attacks after attack `index`, the last one so far, that the scenario does not list. They take their
/// circumstances from `base`.
void add_bonus_attacks(Draft& draft, std::size_t index, const ScenarioAttack& base) {
  const auto& attacks = draft.scenario.attacks;
  const std::size_t end = round_of(draft, index).end;
  const auto listed = [&](const std::string& by, const std::string& card) {
    for (std::size_t k = index + 1; k < end && !attacks[k].bonus.empty(); ++k) {
      if (attacks[k].by == by && attacks[k].bonus == card) return true;
    }
    return false;
  };
  const std::size_t roles[2] = {static_cast<std::size_t>(draft.attacks.back().on),
                                static_cast<std::size_t>(draft.attacks.back().by)};
  for (const ShipDraft& owner : draft.ships) {
    const bool attacks_now = owner.mine == draft.ships[roles[1]].mine;
    const bool own = &owner == &draft.ships[roles[attacks_now]];
    for (const load::CardSpec* card : owner.cards) {
      for (const load::EffectSpec& effect : card->effects) {
        if (!has_verb(effect, load::Verb::Bonus) || effect.at == load::Window::EngagementStart) continue;
        if (effect.side != "any" && (effect.side == "attacker") != attacks_now) continue;
        if (effect.whose == (own ? "ally" : "self")) continue;
        for (const load::OperationSpec& operation : effect.operations) {
          if (operation.verb != load::Verb::Bonus || operation.target != "foe") continue;
          const ShipDraft& by = operation.who == "friend" ? draft.ships[roles[attacks_now]] : owner;
          if (listed(by.name, card->id)) continue;
          SequenceEntry bonus{
              .given = base, .path = attack_path(draft.scenario, index), .inserted = true, .engagement = std::nullopt};
          if (!attacks_now)
            bonus.given = {.by = "", .on = "", .range = base.range, .obstructed = base.obstructed, .round = base.round};
          forget_rolls(bonus.given);
          bonus.given.by = by.name;
          bonus.given.on = draft.ships[roles[!attacks_now]].name;
          bonus.given.initiative = base.initiative;
          bonus.given.bonus = card->id;
          const std::string same = by.name == base.by ? base.weapon : "primary";
          for (const std::string& weapon : weapons_for_bonus(draft, by, operation, bonus.given, same)) {
            bonus.given.weapon = weapon;
            add_attack(draft, SequenceEntry(bonus));
          }
        }
      }
    }
  }
}

/// The weapons to choose from: the one named, or for kBestWeapon all usable ones.
std::vector<std::string> weapons_for(const Draft& draft, const ScenarioAttack& attack, const ShipDraft& by) {
  if (attack.weapon != kBestWeapon) return {attack.weapon};
  std::vector<std::string> out;
  if (!by.weapons.empty()) out.emplace_back("primary");
  for (const std::string& id : by.given->upgrades) {
    const load::CardSpec* card = draft.catalogue.card("upgrade", id, draft.cards);
    const bool again = base::contains(out, id);
    if (card != nullptr && card->weapon && !again && can_use(draft, by, *card, attack)) out.push_back(id);
  }
  if (out.empty()) out.emplace_back("primary");  // its error message names the missing token
  return out;
}

/// All combinations of target and weapon from which the attacker chooses one; empty if the attack names both.
std::vector<ScenarioAttack> alternatives(const Draft& draft, const ScenarioAttack& attack, const ShipDraft& by) {
  if (attack.targets.empty() && attack.weapon != kBestWeapon) return {};
  std::vector<std::string> targets = attack.targets;
  targets.insert(targets.begin(), attack.on);
  std::vector<ScenarioAttack> out;
  for (const std::string& target : targets) {
    ScenarioAttack one = attack;
    one.on = target;
    one.targets.clear();
    for (std::string& weapon : weapons_for(draft, one, by)) {
      one.weapon = std::move(weapon);
      out.push_back(one);
    }
  }
  return out;
}

void check_bonus_after_choice(const Draft& draft, std::size_t index) {
  const auto& attacks = draft.scenario.attacks;
  const bool chosen = !attacks[index].targets.empty() || attacks[index].weapon == kBestWeapon;
  const bool bonus = !attacks[index].bonus.empty();
  const bool bonus_next = index + 1 < round_of(draft, index).end && !attacks[index + 1].bonus.empty();
  if (!chosen || !(bonus || bonus_next)) return;
  throw ScenarioError(attack_path(draft.scenario, index) + ".on",
                      "target and weapon can be left to the attacker only where no bonus attack is listed with the "
                      "attack; name one ship and one weapon, or leave the bonus attack out");
}

/// Adds an attack of the scenario. If it leaves target or weapon open, adds the choice and its alternatives.
void add_scenario_attack(Draft& draft, std::size_t index, const std::string& path, const ShipDraft& by) {
  const ScenarioAttack& given = draft.scenario.attacks[index];
  check_bonus_after_choice(draft, index);
  const std::vector<ScenarioAttack> among = alternatives(draft, given, by);
  int choice = 0;
  if (among.size() > 1) {
    for (const SequenceEntry& entry : draft.attacks) choice = std::max(choice, entry.choice);
    ++choice;
    push(draft, {.given = among.front(),
                 .path = path,
                 .inserted = true,
                 .engagement = load::Window::Declare,
                 .choice = choice,
                 .chooses = true});
  }
  for (const ScenarioAttack& attack : among.empty() ? std::span(&given, 1) : std::span(among)) {
    SequenceEntry entry{.given = attack, .path = path, .inserted = false, .engagement = std::nullopt, .choice = choice};
    play_roll_alone(draft.scenario, entry.given);
    add_attack(draft, std::move(entry));
    if (attack.bonus.empty() && draft.scenario.roll.empty()) add_bonus_attacks(draft, index, attack);
  }
}

/// Whether a card lets its ship make this bonus attack before all others.
bool granted_at_start(const Draft& draft, const ScenarioAttack& attack) {
  const auto& cards = base::nth(draft.ships, draft.find_ship(attack.by)).cards;
  return std::any_of(cards.begin(), cards.end(), [&](const load::CardSpec* card) {
    return card->id == attack.bonus &&
           std::any_of(card->effects.begin(), card->effects.end(), [](const load::EffectSpec& effect) {
             return effect.at == load::Window::EngagementStart && has_verb(effect, load::Verb::Bonus);
           });
  });
}

/// Adds for each ship the effects between two rounds: the End Phase of the previous round, and what the ship gains.
void add_round_start(Draft& draft, int round) {
  for (const ShipDraft& ship : draft.ships) {
    if (round == 0 && !draft.scenario.rounds.front().gains.contains(ship.name)) continue;
    push(draft, {.given = {.by = ship.name, .on = ship.name, .round = round},
                 .path = fmt::format("rounds[{}]", round),
                 .inserted = true,
                 .engagement = load::Window::EngagementStart,
                 .begins_round = true});
  }
}

/// Adds the effects after the attacks of the round that ends before attack `begin`. They belong to the round that
/// begins, since the answer reports what ships have left of the other one before its End Phase.
void add_round_end(Draft& draft, std::size_t begin) {
  const std::size_t first = draft.attacks.size();
  const RoundAttacks round = round_of(draft, begin - 1);
  for (const ShipDraft& ship : draft.ships) add_round_effects(draft, ship, round, load::Window::RoundEnd);
  for (std::size_t i = first; i < draft.attacks.size(); ++i)
    draft.attacks[i].given.round = draft.scenario.attacks[begin].round;
}

/// Adds the attacks of a round with everything before the first of them.
void add_round(Draft& draft, RoundAttacks round) {
  const auto& attacks = draft.scenario.attacks;
  if (round.begin > 0) add_round_end(draft, round.begin);
  if (!draft.scenario.rounds.empty()) add_round_start(draft, attacks[round.begin].round);
  for (const ShipDraft& ship : draft.ships) add_round_effects(draft, ship, round, load::Window::EngagementStart);
  draft.attacks.reserve(draft.attacks.size() + round.end - round.begin);
  for (std::size_t i = round.begin; i < round.end; ++i) {
    std::string path = attack_path(draft.scenario, i);
    if (!attacks[i].bonus.empty() && i == round.begin && !granted_at_start(draft, attacks[i]))
      throw ScenarioError(path + ".bonus",
                          "a bonus attack follows the attack that grants it, and no attack precedes this one");
    const ShipDraft& by = base::nth(draft.ships, draft.find_ship(attacks[i].by));
    const auto earlier = std::span(attacks).subspan(round.begin, i - round.begin);
    const bool first = std::none_of(earlier.begin(), earlier.end(),
                                    [&](const ScenarioAttack& a) { return a.by == by.name && a.bonus.empty(); });
    if (first && attacks[i].bonus.empty() &&
        (has_effects_at(draft, by, load::Window::Engage) || has_damage_cards_at(draft, by, load::Window::Engage, i)))
      add_engagements(draft, i, by, load::Window::Engage);
    add_scenario_attack(draft, i, path, by);
  }
}

}  // namespace

bool is_bonus_weapon(const Draft& draft, const ShipDraft& ship, const std::string& weapon, const std::string& name) {
  if (name.empty() || name == weapon) return true;
  const auto is_turret = [&](std::string_view arc) { return name == "turret" && arc.ends_with("turret"); };
  if (weapon == "primary") {
    const load::WeaponSpec* used = strongest(ship.weapons);
    if (used == nullptr || ship.ship == nullptr)
      return name == "turret" || name.starts_with("primary:");  // unknown arcs
    return name == "primary:" + used->arc || is_turret(used->arc);
  }
  if (weapon.starts_with("primary:")) return name == "primary" || is_turret(weapon);
  const load::CardSpec* card = draft.catalogue.card("upgrade", weapon, draft.cards);
  if (card != nullptr && card->weapon && is_turret(arc_on_ship(draft, ship, weapon, card->weapon->arc))) return true;
  return base::contains(load::weapon_slots(), name) && in_slot(draft, weapon, name);
}

bool may_be_on(const ScenarioAttack& attack, const std::string& ship) {
  return attack.on == ship || base::contains(attack.targets, ship);
}

namespace {

std::string swapped(std::string_view fact) {
  if (fact == "bullseye") return "in-defender-bullseye";
  if (fact == "in-defender-bullseye") return "bullseye";
  constexpr std::string_view kIn = "in-", kInOther = "in-defender-", kAttacker = "attacker", kDefender = "defender";
  if (fact.starts_with(kInOther)) return std::string(kIn).append(fact.substr(kInOther.size()));
  if (fact.starts_with(kIn)) return std::string(kInOther).append(fact.substr(kIn.size()));
  std::string out(fact);
  for (std::size_t at = 0; at + kAttacker.size() <= out.size(); ++at) {
    const std::string_view word = std::string_view(out).substr(at, kAttacker.size());
    if (word == kAttacker || word == kDefender) out.replace(at, word.size(), word == kAttacker ? kDefender : kAttacker);
  }
  return out;
}

}  // namespace

std::string mirrored(Draft& draft, std::string_view fact) {
  if (fact.starts_with("not ")) return "not " + mirrored(draft, fact.substr(4));
  const std::string_view name = fact.substr(0, fact.find_first_of(" ="));
  const std::string other = swapped(name);
  return draft.is_board_fact(other) ? other + std::string(fact.substr(name.size())) : std::string(fact);
}

void build_attack_sequence(Draft& draft) {
  for (std::size_t begin = 0; begin < draft.scenario.attacks.size();) {
    const RoundAttacks round = round_of(draft, begin);
    add_round(draft, round);
    begin = round.end;
  }
}

}  // namespace salvo::compile
