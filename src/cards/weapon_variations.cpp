#include "cards/variations.h"

#include <algorithm>
#include <string>

#include "base/stable_sort.h"

namespace salvo::cards {

namespace {

/// Weapons without the tokens that they require, the strongest first.
void add_weapons_without_tokens(std::vector<const load::CardSpec*> weapons, Variation& out) {
  base::stable_sort(
      weapons, [](const load::CardSpec* a, const load::CardSpec* b) { return a->weapon->attack > b->weapon->attack; });
  for (const load::CardSpec* other : weapons) {
    if (other->weapon->requires_tokens.empty()) continue;
    const Change shoot = shoot_with(*other);
    out.push_back([other, shoot](Trial& trial) {
      const auto tokens = trial.own;
      shoot(trial);
      trial.own = tokens;
      trial.own["force"] = 1;
      if (trial.by_ally) trial.ally["lock"] = 1;
      trial.weapon_by_card = true;
      for (const std::string& token : other->weapon->requires_tokens) trial.own.erase(token);
    });
  }
}

}  // namespace

void add_bonus(const load::CardSpec& card, const std::map<std::string, const load::CardSpec*>& weapons,
               Variation& out) {
  for (const load::EffectSpec& effect : card.effects) {
    for (const load::OperationSpec& operation : effect.operations) {
      if (operation.verb != load::Verb::Bonus) continue;
      for (const char* turret : {"single-turret", "double-turret"}) {
        const bool primary_arc = operation.weapon.starts_with("primary:");
        const std::string arc = primary_arc ? operation.weapon.substr(8) : operation.weapon == "turret" ? turret : "";
        const auto at = arc.empty() ? weapons.find(operation.weapon) : weapons.end();
        const load::CardSpec* upgrade = at == weapons.end() ? nullptr : at->second;
        for (const TrialAttack move : {TrialAttack::BonusOther, TrialAttack::BonusSame}) {
          out.push_back([&card, arc, move, upgrade](Trial& trial) {
            trial.bonus_card = card.id;
            trial.course = {TrialAttack::Main, move};
            trial.bonus_weapon = arc.empty() ? "primary" : "primary:" + arc;
            if (!arc.empty()) trial.arc = arc;
            trial.first_weapon = !arc.empty();
            if (upgrade == nullptr) return;
            trial.helper = trial.bonus_weapon = upgrade->id;
            for (const load::CostSpec& cost : upgrade->weapon->cost) {
              if (cost.token != "charge") trial.own[cost.token] += cost.n + 1;  // the card can cost one as well
            }
          });
        }
        if (operation.weapon != "turret") break;
      }
    }
  }
}

Change shoot_with(const load::CardSpec& weapon) {
  return [&weapon](Trial& trial) {
    trial.weapon = weapon.id;
    trial.range = std::clamp(trial.range, weapon.weapon->min_range, weapon.weapon->max_range);
    auto& tokens = trial.attacks ? trial.own : trial.foe;
    for (const std::string& token : weapon.weapon->requires_tokens) tokens[token] = 1;
    for (const load::CostSpec& cost : weapon.weapon->cost) {
      if (cost.token != "charge") tokens[cost.token] = std::max(tokens[cost.token], cost.n);
    }
  };
}

Variation weapon_variation(const load::CardSpec& card, const Dependencies& dependencies,
                           const std::vector<const load::CardSpec*>& weapons) {
  Variation out;
  if (dependencies.bonus) {  // a ship with two weapons that attacks with the first
    for (const char* arc : {"single-turret", "rear"}) {
      out.push_back([arc](Trial& trial) {
        trial.arc = arc;
        trial.first_weapon = true;
      });
    }
  }
  if (dependencies.names.contains("arc")) {
    for (const char* arc : {"rear", "single-turret", "double-turret", "bullseye", "full-front"}) {
      out.push_back([arc](Trial& trial) { trial.arc = arc; });
    }
  }
  const bool special = dependencies.names.contains("special") || dependencies.names.contains("primary") ||
                       dependencies.names.contains("ordnance") || dependencies.names.contains("weapon");
  if (dependencies.waive) add_weapons_without_tokens(weapons, out);
  bool ordnance_added = false, plain_added = false;
  for (const load::CardSpec* other : weapons) {
    if (!special || other->id == card.id) continue;
    bool& added = other->weapon->ordnance ? ordnance_added : plain_added;
    if (added && !dependencies.texts.contains(other->id)) continue;
    added = true;
    out.push_back(shoot_with(*other));
  }
  return out;
}

}  // namespace salvo::cards
