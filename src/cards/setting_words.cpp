// The scenario of a dry run in words: see setting_words.h.
#include "cards/setting_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace salvo::cards {

namespace {

std::string tokens_words(const std::map<std::string, int>& tokens) {
  std::string out;
  for (const auto& [token, n] : tokens) {
    if (n > 0) out += (out.empty() ? "" : ", ") + (n == 1 ? token : fmt::format("{} {}", n, token));
  }
  return out;
}

/// The attacks of the setting in words; empty for a single one.
std::string course_words(const Setting& setting) {
  if (setting.course.size() == 1) return {};
  std::vector<std::string> parts;
  for (const Move move : setting.course) {
    switch (move) {
      case Move::Main:
        parts.push_back(parts.empty() ? "this attack" : "then this attack");
        break;
      case Move::Back:
        parts.push_back(setting.back_dice == 3
                            ? std::string("the defender attacks the attacker")
                            : fmt::format("the defender attacks the attacker with {} dice", setting.back_dice));
        break;
      case Move::BackBeside:
        parts.emplace_back("the defender attacks the attacker's other ship");
        break;
      case Move::Beside:
        parts.push_back(setting.attacks
                            ? fmt::format("the attacker's other ship attacks with {} dice", setting.ally_dice)
                            : std::string("the attacker attacks the defender's other ship"));
        break;
      case Move::BonusSame:
        parts.push_back(fmt::format("the bonus attack of {}", setting.bonus_card));
        break;
      case Move::BonusOther:
        parts.push_back(fmt::format("the bonus attack of {} on another ship of agility 1", setting.bonus_card));
        break;
    }
  }
  if (setting.course == std::vector{Move::Main, Move::Main}) return "; 2 attacks";
  return fmt::format("; in order: {}", base::joined(parts, ", "));
}

}  // namespace

std::string setting_words(const Setting& setting, const load::CardSpec& card) {
  const auto ship = [&](bool own) {
    const bool attacks = own == setting.attacks;
    const std::string& type = own ? setting.own_ship : setting.foe_ship;
    std::string out;
    if (attacks) {
      out = !setting.arc.empty()
                ? fmt::format("a ship with a {}{} weapon", setting.first_weapon ? "front and a " : "", setting.arc)
            : setting.real_ships ? "a T-65 X-wing"
                                 : fmt::format("{} attack dice", setting.attack_dice);
    } else {
      out = setting.real_ships ? "a TIE/ln fighter" : fmt::format("agility {}", setting.agility);
    }
    if (!type.empty()) out += ", ship " + type;
    const std::string tokens = tokens_words(own ? setting.own : setting.foe);
    if (!tokens.empty()) out += ", " + tokens;
    const std::string& size = own ? setting.own_size : setting.foe_size;
    if (size != "small") out += ", " + size;
    if (attacks && !setting.weapon.empty()) out += ", shooting with " + setting.weapon;
    if (!own && !setting.foe_helper.empty()) out += ", with " + setting.foe_helper;
    if (own && setting.by_ally && !setting.ally_helper.empty()) out += ", with " + setting.ally_helper;
    if (own && setting.by_ally) return out;
    if (own && !setting.pilot.empty()) out += ", pilot " + setting.pilot;
    if (own && !setting.helper.empty()) out += ", with " + setting.helper;
    if (own) out += fmt::format(", {}", setting.own_weapon ? "shooting with " + card.id : "with " + card.id);
    return out;
  };
  std::string out =
      fmt::format("attacker: {}; defender: {}; range {}", ship(setting.attacks), ship(!setting.attacks), setting.range);
  if (setting.obstructed) out += ", obstructed";
  for (const auto& [fact, holds] : setting.facts) out += fmt::format(", {}{}", holds ? "" : "not ", fact);
  if (setting.own_initiative) out += fmt::format(", initiative {}", *setting.own_initiative);
  if (setting.back_initiative) out += fmt::format(", other attacks {}", *setting.back_initiative);
  const bool joins = std::find(setting.course.begin(), setting.course.end(), Move::Beside) != setting.course.end();
  if (setting.by_ally || setting.beside || setting.docked || joins) {
    std::map<std::string, int> held = setting.by_ally ? setting.own : std::map<std::string, int>();
    for (const auto& [token, n] : setting.ally) held[token] = n;
    const std::string tokens = tokens_words(held);
    out += fmt::format("; another ship of the {}'s side", setting.attacks ? "attacker" : "defender");
    if (setting.ally_size != "small") out += ", " + setting.ally_size;
    if (!tokens.empty()) out += fmt::format(", {}", tokens);
    if (setting.by_ally && !setting.pilot.empty()) out += ", pilot " + setting.pilot;
    if (setting.by_ally && !setting.helper.empty()) out += ", with " + setting.helper;
    if (!setting.by_ally && !setting.ally_helper.empty()) out += ", with " + setting.ally_helper;
    if (setting.by_ally) out += fmt::format(", with {}", card.id);
    if (setting.docked) out += ", docked with the attacker";
  }
  if (setting.enemy) out += fmt::format("; another ship of the {}'s side", setting.attacks ? "defender" : "attacker");
  out += course_words(setting);
  if (setting.hull) out += fmt::format("; every ship has hull {}, shields {}", *setting.hull, *setting.shields);
  if (setting.objective != "damage") out += "; objective " + setting.objective;
  if (setting.damage_deck != "none")
    out += fmt::format("; damage deck {}, without which what it says about damage cards does nothing",
                       setting.damage_deck);
  return out;
}

}  // namespace salvo::cards
