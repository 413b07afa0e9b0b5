// Weapons and bonus attacks of dry runs: see weapon_dimensions.h.
#include "cards/weapon_variations.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/stable_sort.h"

namespace salvo::cards {

namespace {

/// Weapons without the tokens that they require, the strongest first.
void add_weapons_without_tokens(std::vector<const load::CardSpec*> weapons, Dimension& out) {
  base::stable_sort(
      weapons, [](const load::CardSpec* a, const load::CardSpec* b) { return a->weapon->attack > b->weapon->attack; });
  for (const load::CardSpec* other : weapons) {
    if (other->weapon->requires_tokens.empty()) continue;
    const Change shoot = shoot_with(*other);
    out.push_back([other, shoot](Setting& setting) {
      const auto tokens = setting.own;
      shoot(setting);
      setting.own = tokens;
      setting.own["force"] = 1;
      if (setting.by_ally) setting.ally["lock"] = 1;
      setting.weapon_by_card = true;
      for (const std::string& token : other->weapon->requires_tokens) setting.own.erase(token);
    });
  }
}

}  // namespace

void add_bonus(const load::CardSpec& card, Dimension& out) {
  for (const load::EffectSpec& effect : card.effects) {
    for (const load::OperationSpec& operation : effect.operations) {
      if (operation.verb != load::Verb::Bonus) continue;
      for (const char* turret : {"single-turret", "double-turret"}) {
        const bool primary_arc = operation.weapon.starts_with("primary:");
        const std::string arc = primary_arc ? operation.weapon.substr(8) : operation.weapon == "turret" ? turret : "";
        for (const Move move : {Move::BonusOther, Move::BonusSame}) {
          out.push_back([&card, arc, move](Setting& setting) {
            setting.bonus_card = card.id;
            setting.course = {Move::Main, move};
            setting.bonus_weapon = arc.empty() ? "primary" : "primary:" + arc;
            if (!arc.empty()) setting.arc = arc;
            setting.first_weapon = !arc.empty();
          });
        }
        if (operation.weapon != "turret") break;
      }
    }
  }
}

Change shoot_with(const load::CardSpec& weapon) {
  return [&weapon](Setting& setting) {
    setting.weapon = weapon.id;
    setting.range = std::clamp(setting.range, weapon.weapon->min_range, weapon.weapon->max_range);
    auto& tokens = setting.attacks ? setting.own : setting.foe;
    for (const std::string& token : weapon.weapon->requires_tokens) tokens[token] = 1;
    for (const load::CostSpec& cost : weapon.weapon->cost) {
      if (cost.token != "charge") tokens[cost.token] = std::max(tokens[cost.token], cost.n);
    }
  };
}

Dimension weapon_dimension(const load::CardSpec& card, const Mentions& mentions,
                           const std::vector<const load::CardSpec*>& weapons) {
  Dimension out;
  if (mentions.bonus) {  // a ship with two weapons, shooting with the first
    for (const char* arc : {"single-turret", "rear"}) {
      out.push_back([arc](Setting& setting) {
        setting.arc = arc;
        setting.first_weapon = true;
      });
    }
  }
  if (mentions.names.contains("arc")) {
    for (const char* arc : {"rear", "single-turret", "double-turret", "bullseye", "full-front"}) {
      out.push_back([arc](Setting& setting) { setting.arc = arc; });
    }
  }
  const bool special = mentions.names.contains("special") || mentions.names.contains("primary") ||
                       mentions.names.contains("ordnance") || mentions.names.contains("weapon");
  if (mentions.waive) add_weapons_without_tokens(weapons, out);
  bool ordnance_added = false, plain_added = false;
  for (const load::CardSpec* other : weapons) {
    if (!special || other->id == card.id) continue;
    bool& added = other->weapon->ordnance ? ordnance_added : plain_added;
    if (added && !mentions.texts.contains(other->id)) continue;
    added = true;
    out.push_back(shoot_with(*other));
  }
  return out;
}

}  // namespace salvo::cards
