// The settings in which a card is tried: see settings.h.
#include "cards/trial_scenarios.h"

#include <algorithm>

namespace salvo::cards {

namespace {

constexpr std::size_t kMaxDeviations = 3;
constexpr std::size_t kMaxSettings = 400;  ///< of one kind with the same number of deviations

/// All combinations of `left` more deviations from `base`, at most until `out` has `most` settings. The last `usual`
/// dimensions are not the card's; at least one of them has to take part unless `usual` is 0.
void add_settings(const Setting& base, const std::vector<Dimension>& all, std::size_t from, std::size_t left,
                  std::size_t usual, std::size_t most, std::vector<Setting>& out) {
  if (left == 0) {
    if (out.size() < most) out.push_back(base);
    return;
  }
  const std::size_t first = left == 1 && usual > 0 ? std::max(from, all.size() - usual) : from;
  for (std::size_t d = first; d < all.size() && out.size() < most; ++d) {
    const std::size_t still = d >= all.size() - usual ? 0 : usual;
    for (const Change& change : all[d]) {
      Setting setting = base;
      change(setting);
      ++setting.deviations;
      add_settings(setting, all, d + 1, left - 1, still, most, out);
    }
  }
}

/// An attack that deals damage cards. Small, since decks make large game graphs; a second attack is a deviation.
void with_damage_cards(Setting& setting) {
  setting.damage_deck = "core";
  setting.attack_dice = 2;
  setting.hull = 3;
  setting.shields = 0;
  setting.agility = 1;
  setting.course = {Move::Main};
}

/// The card's own weapon with what it needs.
void shoot_with_own(const load::CardSpec& card, Setting& setting) {
  setting.docked = card.weapon->of_docked;
  setting.own_weapon = true;
  setting.range = std::clamp(setting.range, card.weapon->min_range, card.weapon->max_range);
  for (const std::string& token : card.weapon->requires_tokens) setting.own[token] = 1;
  for (const load::CostSpec& cost : card.weapon->cost) {
    if (cost.token != "charge") setting.own[cost.token] = std::max(setting.own[cost.token], cost.n);
  }
}

/// A setting to deviate from, and how often.
struct Base {
  Setting setting;
  std::size_t deviations = 0;
};

/// Where the card may be: on the attacker, on the defender, on another ship of its side.
std::vector<Base> bases_of(const load::CardSpec& card, const Mentions& mentions, std::size_t deviations) {
  std::vector<Base> out;
  for (const bool attacks : {!mentions.defense_stat, mentions.defense_stat}) {
    const bool wanted = mentions.sides.contains("any") || mentions.sides.contains(attacks ? "attacker" : "defender");
    if (!wanted) continue;
    Setting base;
    base.attacks = attacks;
    base.real_ships = mentions.stat;
    base.beside = mentions.beside;
    base.enemy = mentions.enemy;
    base.docked = mentions.docked;
    if (mentions.stat) base.objective = "kill";
    if (mentions.cards) with_damage_cards(base);
    if (mentions.ally && !card.weapon) {
      Setting carried = base;
      carried.by_ally = true;
      out.push_back({carried, deviations});
      if (!mentions.self) continue;
    }
    if (attacks && card.weapon) shoot_with_own(card, base);
    out.push_back({base, deviations});
    if (mentions.cards) {  // the second attack finds the damage cards of the first
      Setting again = base;
      again.course = {Move::Main, Move::Main};
      again.objective = "kill";  // a smaller graph: damage past the hull does not matter
      again.hull = 2;
      out.push_back({again, deviations});
    }
    if (base.own_weapon && deviations > 0) {  // other effects of the card may need the primary weapon
      base.own_weapon = false;
      out.push_back({base, deviations - 1});
    }
  }
  return out;
}

}  // namespace

std::vector<Setting> settings_for(const load::CardSpec& card, const Mentions& mentions, const Props& props) {
  std::vector<const load::CardSpec*> weapons;
  for (const load::CardSpec* upgrade : props.upgrades) {
    if (upgrade->weapon && upgrade->weapon->attack > 0) weapons.push_back(upgrade);
  }
  const std::vector<Dimension> own = own_dimensions(card, mentions, props, weapons);
  const std::vector<Dimension> usual = usual_dimensions(card, weapons);
  std::vector<Dimension> all = own;
  all.insert(all.end(), usual.begin(), usual.end());
  std::vector<Setting> out;
  // First what the card speaks of, on whichever ship it is, then what any card may need.
  for (std::size_t deviations = 0; deviations <= kMaxDeviations; ++deviations) {
    const std::vector<Base> bases = bases_of(card, mentions, deviations);
    for (const Base& base : bases)
      add_settings(base.setting, own, 0, base.deviations, 0, out.size() + kMaxSettings, out);
    for (const Base& base : bases) {
      if (base.deviations == 0) continue;
      add_settings(base.setting, all, 0, base.deviations, usual.size(), out.size() + kMaxSettings, out);
    }
  }
  return out;
}

}  // namespace salvo::cards
