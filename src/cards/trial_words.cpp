#include "cards/trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace salvo::cards {

namespace {

std::string tokens_words(const std::map<std::string, int>& tokens) {
  std::string out;
  for (const auto& [token, n] : tokens) {
    if (n > 0) out += (out.empty() ? "" : ", ") + base::with_count(n, token);
  }
  return out;
}

/// The attacks of the trial in words; empty for a single attack.
std::string course_words(const Trial& trial) {
  if (trial.course.size() == 1) return {};
  std::vector<std::string> parts;
  for (const TrialAttack move : trial.course) {
    switch (move) {
      case TrialAttack::Main:
        parts.push_back(parts.empty() ? "this attack" : "then this attack");
        break;
      case TrialAttack::Back:
        parts.push_back(trial.back_dice == 3
                            ? std::string("the defender attacks the attacker")
                            : fmt::format("the defender attacks the attacker with {} dice", trial.back_dice));
        break;
      case TrialAttack::BackBeside:
        parts.emplace_back("the defender attacks the attacker's other ship");
        break;
      case TrialAttack::Beside:
        parts.push_back(trial.attacks ? fmt::format("the attacker's other ship attacks with {} dice", trial.ally_dice)
                                      : std::string("the attacker attacks the defender's other ship"));
        break;
      case TrialAttack::BonusSame:
        parts.push_back(fmt::format("the bonus attack of {}", trial.bonus_card));
        break;
      case TrialAttack::BonusOther:
        parts.push_back(fmt::format("the bonus attack of {} on another ship of agility 1", trial.bonus_card));
        break;
    }
  }
  if (trial.course == std::vector{TrialAttack::Main, TrialAttack::Main}) return "; 2 attacks";
  return fmt::format("; in order: {}", base::joined(parts, ", "));
}

}  // namespace

std::string trial_words(const Trial& trial, const load::CardSpec& card) {
  const auto ship = [&](bool own) {
    const bool attacks = own == trial.attacks;
    const std::string& type = own ? trial.own_ship : trial.foe_ship;
    std::string out;
    if (attacks) {
      out = !trial.arc.empty()
                ? fmt::format("a ship with a {}{} weapon", trial.first_weapon ? "front and a " : "", trial.arc)
            : trial.real_ships ? "a T-65 X-wing"
                               : fmt::format("{} attack dice", trial.attack_dice);
    } else {
      out = trial.real_ships ? "a TIE/ln fighter" : fmt::format("agility {}", trial.agility);
    }
    if (!type.empty()) out += ", ship " + type;
    const std::string tokens = tokens_words(own ? trial.own : trial.foe);
    if (!tokens.empty()) out += ", " + tokens;
    const std::string& size = own ? trial.own_size : trial.foe_size;
    if (size != "small") out += ", " + size;
    if (attacks && !trial.weapon.empty()) out += ", shooting with " + trial.weapon;
    if (!own && !trial.foe_helper.empty()) out += ", with " + trial.foe_helper;
    if (own && trial.by_ally && !trial.ally_helper.empty()) out += ", with " + trial.ally_helper;
    if (own && trial.by_ally) return out;
    if (own && !trial.pilot.empty()) out += ", pilot " + trial.pilot;
    if (own && !trial.helper.empty()) out += ", with " + trial.helper;
    if (own) out += fmt::format(", {}", trial.own_weapon ? "shooting with " + card.id : "with " + card.id);
    return out;
  };
  std::string out =
      fmt::format("attacker: {}; defender: {}; range {}", ship(trial.attacks), ship(!trial.attacks), trial.range);
  if (trial.obstructed) out += ", obstructed";
  for (const auto& [fact, holds] : trial.facts) out += fmt::format(", {}{}", holds ? "" : "not ", fact);
  if (trial.own_initiative) out += fmt::format(", initiative {}", *trial.own_initiative);
  if (trial.back_initiative) out += fmt::format(", other attacks {}", *trial.back_initiative);
  const bool joins = std::find(trial.course.begin(), trial.course.end(), TrialAttack::Beside) != trial.course.end();
  if (trial.by_ally || trial.beside || trial.docked || joins) {
    std::map<std::string, int> held = trial.by_ally ? trial.own : std::map<std::string, int>();
    for (const auto& [token, n] : trial.ally) held[token] = n;
    const std::string tokens = tokens_words(held);
    out += fmt::format("; another ship of the {}'s side", trial.attacks ? "attacker" : "defender");
    if (trial.ally_size != "small") out += ", " + trial.ally_size;
    if (!tokens.empty()) out += fmt::format(", {}", tokens);
    if (trial.by_ally && !trial.pilot.empty()) out += ", pilot " + trial.pilot;
    if (trial.by_ally && !trial.helper.empty()) out += ", with " + trial.helper;
    if (!trial.by_ally && !trial.ally_helper.empty()) out += ", with " + trial.ally_helper;
    if (trial.by_ally) out += fmt::format(", with {}", card.id);
    if (trial.docked) out += ", docked with the attacker";
  }
  if (trial.enemy) out += fmt::format("; another ship of the {}'s side", trial.attacks ? "defender" : "attacker");
  out += course_words(trial);
  if (trial.hull) out += fmt::format("; every ship has hull {}, shields {}", *trial.hull, *trial.shields);
  if (trial.objective != "damage") out += "; objective " + trial.objective;
  if (trial.damage_deck != kNoDeck)
    out +=
        fmt::format("; damage deck {}, without which what it says about damage cards does nothing", trial.damage_deck);
  return out;
}

}  // namespace salvo::cards
