// Turns a choice of the tables into options: what is spent, then "no more"; or the reroll.
#include <algorithm>

#include "base/index.h"
#include "exact/tables/token_game.h"

namespace salvo::exact {
namespace {

int digit_value(const game::Plan& plan, const Digit& digit, const game::Resources& resources) {
  return resources.get(base::nth(plan.resources, digit.resource));
}

int box_number(const game::Plan& plan, const TokenBox& box, const game::Resources& resources) {
  int number = 0;
  for (const Digit& digit : box.digits) number += digit_value(plan, digit, resources) * digit.stride;
  return number;
}

std::size_t start_of(const Numbers& starts, int number) {
  return static_cast<std::size_t>(std::find(starts.begin(), starts.end(), number) - starts.begin());
}

/// Adds the options of a spend: single changes of focus results, then those of focus or blank results (blanks first),
/// then those of all focus results.
void spend_options(const TokenBox& box, const Spend& spend, const game::Die& die, int focus, int blank,
                   std::vector<game::Option>& options) {
  for (const bool all : {false, true}) {
    for (const bool blank_too : {false, true}) {
      for (std::size_t i = 0; i < box.conversions.size(); ++i) {
        const Conversion& c = box.conversions[i];
        if (c.all != all || c.blank_too != blank_too) continue;
        for (int n = 0; n < spend.n[i]; ++n) {
          game::Option option{static_cast<std::int16_t>(c.effect), game::Pool()};
          const bool use_blank = blank_too && blank > 0;
          if (!all) option.dice.add(use_blank ? die.blank : die.focus, false, 1);
          if (!all) --(use_blank ? blank : focus);
          options.push_back(option);
        }
      }
    }
  }
}

}  // namespace

void TokenGame::decide(const game::Plan& plan, const game::Resources& start, const game::Position& position,
                       std::vector<game::Option>& options) const {
  const TokenAttack& attack = tokens_->attacks[k_];
  const StateParts& parts = table_.parts;
  std::size_t other = 0;
  std::size_t stride = 1;
  for (const Digit& digit : parts.others) {
    other += static_cast<std::size_t>(digit_value(plan, digit, start)) * stride;
    stride *= static_cast<std::size_t>(digit.size);
  }
  const Choices& choices = table_.choices[other];
  const int n = table_.cases[other].attack_dice;
  const auto width = static_cast<std::size_t>(n + 1);
  const std::size_t d = start_of(parts.defender, box_number(plan, attack.defender_box, start));
  const std::size_t h =
      attack.health < 0 ? 0 : start_of(parts.health, start.get(base::nth(plan.resources, attack.health)));
  const std::size_t pair = d * parts.health.size() + h;
  const int number = box_number(plan, attack.attacker_box, position.resources);
  options.clear();
  const game::Die& red = plan.attack_die;
  if (plan.attacks[k_].steps[position.step].attacker_decides) {
    const int s = position.attack_pool.count(red.hit) + (red.crit >= 0 ? position.attack_pool.count(red.crit) : 0);
    const int f = position.attack_pool.count(red.focus);
    const int b = position.attack_pool.count(red.blank);
    const std::size_t cell = static_cast<std::size_t>(s) * width + static_cast<std::size_t>(f);
    const bool lock = attack.lock >= 0 && attack.attacker_box.value(number, static_cast<std::size_t>(attack.lock)) > 0;
    if (lock) {
      const std::size_t a = start_of(parts.attacker, number);
      if (const int taken = choices.reroll[(pair * parts.attacker.size() + a) * width * width + cell]; taken != 0) {
        game::Option option{static_cast<std::int16_t>(base::nth(attack.attacker_box.conversions, attack.lock).effect),
                            game::Pool()};
        option.dice.add(red.focus, false, f - (taken - 1) / 32);
        option.dice.add(red.blank, false, b - (taken - 1) % 32);
        options.push_back(option);
        return;
      }
    }
    const std::size_t at =
        (pair * static_cast<std::size_t>(attack.attacker_box.size) + static_cast<std::size_t>(number)) * width * width +
        cell;
    spend_options(attack.attacker_box, attack.attacker_box.spends[choices.attack[at]], red, f, b, options);
  } else {
    const game::Die& green = plan.defense_die;
    const int results =
        position.attack_pool.count(red.hit) + (red.crit >= 0 ? position.attack_pool.count(red.crit) : 0);
    const auto c = static_cast<std::size_t>(base::nth(parts.attacker_class, number));
    const int m = table_.cases[other].defense_dice;
    const int f = position.defense_pool.count(green.focus);
    const int b = position.defense_pool.count(green.blank);
    const auto rolls = static_cast<std::size_t>((m + 1) * (m + 2) / 2);
    const auto roll = static_cast<std::size_t>(roll_number(position.defense_pool.count(green.evade), f, m));
    if (results > 0) {
      const std::size_t at =
          (((c * static_cast<std::size_t>(n) + static_cast<std::size_t>(results - 1)) * parts.defender.size() + d) *
               parts.health.size() +
           h) *
              rolls +
          roll;
      spend_options(attack.defender_box, attack.defender_box.spends[choices.defense[at]], green, f, b, options);
    }
  }
  options.push_back(game::Option{});
}

}  // namespace salvo::exact
