// Plays one attack of a plan by hand: dice are laid down face by face, tokens spent by name.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "game/play.h"
#include "support/differential.h"

namespace table {

/// Two ships a and d with this hull; a attacks d.
inline salvo::Scenario duel(int attack, int agility, const std::map<std::string, int>& attacker = {},
                            const std::map<std::string, int>& defender = {}, bool lock = false) {
  salvo::Scenario out;
  out.ships["a"] = {.attack = attack, .agility = 0, .hull = 3, .tokens = attacker};
  if (lock) out.ships["a"].locks = {"d"};
  out.ships["d"] = {.attack = 0, .agility = agility, .hull = 3, .shields = 2, .tokens = defender};
  out.attacks = {{.by = "a", .on = "d"}};
  return out;
}

/// A pool from letters: h hit, c crit, f focus, e evade, b blank; capital letters are rerolled dice.
inline salvo::game::Pool dice(const salvo::game::Die& die, const std::string& letters) {
  salvo::game::Pool out;
  for (const char letter : letters) {
    const bool rerolled = letter >= 'A' && letter <= 'Z';
    const std::string lower = "hcfeb";
    const int faces[] = {die.hit, die.crit, die.focus, die.evade, die.blank};
    const std::size_t at = lower.find(rerolled ? static_cast<char>(letter - 'A' + 'a') : letter);
    if (at == std::string::npos || faces[at] < 0) throw std::invalid_argument("the die has no such face");
    out.add(faces[at], rerolled, 1);
  }
  return out;
}

class Table {
 public:
  explicit Table(const salvo::Scenario& scenario, const salvo::Catalogue& catalogue = differential::catalogue(),
                 std::size_t attack = 0)
      : question_(salvo::compile::compile_scenario(catalogue, scenario)), index_(attack) {
    begin(plan().start);
  }

  /// Starts another attack of the scenario with the resources at the end of this one.
  void next_attack() {
    const salvo::game::Resources left = salvo::game::end_attack(plan(), attack(), position.resources);
    ++index_;
    begin(left);
  }

  const salvo::game::Plan& plan() const { return question_.plan; }
  const salvo::game::AttackPlan& attack() const { return plan().attacks[index_]; }

  /// Lays down the dice of the next first roll, regardless of their number.
  Table& roll(const std::string& letters) {
    const bool attack_dice = event == salvo::game::NextEvent::AttackRoll;
    if (!attack_dice && event != salvo::game::NextEvent::DefenseRoll) throw std::logic_error("no roll is due");
    position = salvo::game::after_roll(attack(), position,
                                       dice(attack_dice ? plan().attack_die : plan().defense_die, letters));
    return advance();
  }
  /// Lays down the dice that were picked up.
  Table& reroll(const std::string& letters) {
    for (const char letter : letters) {
      const salvo::game::Die& die = position.pending_attack ? plan().attack_die : plan().defense_die;
      const salvo::game::Pool one = dice(die, std::string(1, letter));
      for (int face = 0; face < die.faces; ++face) {
        if (one.count(face) == 0) continue;
        position = salvo::game::after_reroll(position, face);
        break;
      }
    }
    return advance();
  }
  /// Takes the option that costs `token` and applies to `letters` (all dice if the player has no choice).
  Table& spend(const std::string& token, const std::string& letters = "") {
    const salvo::game::Step& step = attack().steps[position.step];
    const salvo::game::Pool chosen = dice(step.attacker_decides ? plan().attack_die : plan().defense_die, letters);
    for (const salvo::game::Option& option : options()) {
      if (!costs(option, token) || !(option.dice == chosen)) continue;
      position = salvo::game::take(plan(), attack(), position, option);
      return advance();
    }
    throw std::logic_error("no such option: " + token);
  }
  /// The deciding player passes.
  Table& done() {
    position = salvo::game::take(plan(), attack(), position, salvo::game::Option{});
    return advance();
  }

  std::vector<salvo::game::Option> options() const {
    std::vector<salvo::game::Option> out;
    salvo::game::legal_options(plan(), attack(), position, out);
    return out;
  }
  /// The number of options that cost this token.
  int options_for(const std::string& token) const {
    if (event != salvo::game::NextEvent::Decision) return 0;
    const auto all = options();
    return static_cast<int>(
        std::count_if(all.begin(), all.end(), [&](const auto& option) { return costs(option, token); }));
  }

  /// The number of tokens of a ship, 0 if it has none.
  int tokens(const std::string& ship, const std::string& token) const {
    for (std::size_t r = 0; r < plan().resources.size(); ++r) {
      const auto owner = static_cast<std::size_t>(question_.labels.resources[r].ship);
      if (question_.labels.ships[owner] == ship && question_.labels.resources[r].name == token)
        return position.resources.get(plan().resources[r]);
    }
    return 0;
  }
  int dice_due() const { return salvo::game::roll_size(position); }

  salvo::game::NextEvent event = salvo::game::NextEvent::Finished;
  salvo::game::Position position;

 private:
  void begin(const salvo::game::Resources& resources) {
    position = salvo::game::begin_attack(plan(), attack(), resources);
    advance();
  }
  Table& advance() {
    event = salvo::game::advance(plan(), attack(), position);
    return *this;
  }
  bool costs(const salvo::game::Option& option, const std::string& token) const {
    if (option.effect < 0) return false;
    const auto& cost = attack().effects[static_cast<std::size_t>(option.effect)].cost;
    return std::any_of(cost.begin(), cost.end(), [&](const salvo::game::Cost& price) {
      return question_.labels.resources[static_cast<std::size_t>(price.resource)].name == token;
    });
  }

  salvo::compile::CompiledScenario question_;
  std::size_t index_ = 0;
};

}  // namespace table
