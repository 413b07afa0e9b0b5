// The weapons of a ship, and the choice of one for an attack that names none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/report.h"
#include "salvo/squad_report.h"

namespace salvo::answers {

/// All weapons of a ship and its upgrades with a range of at most `farthest`, primary weapons first. `cards`: the card
/// set.
std::vector<WeaponChoice> weapons_of(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship,
                                     int farthest = 3);

/// The values of `weapon` that name each weapon of the ship once.
std::vector<std::string> weapon_names(const Catalogue& catalogue, const std::string& cards, const ScenarioShip& ship);

/// The answer to a scenario; nothing, and the reason in `why_not`, if its first attack cannot be made with its weapon
/// (a torpedo without its lock). A weapon that the ship does not have is an error. Throws what answer() throws.
std::optional<Report> answer_if_possible(const Catalogue& catalogue, const Scenario& scenario,
                                         const AnswerOptions& options, std::string& why_not);

/// Whether the weapon of an attack is open (UnnamedWeapon::Best) and its ship may have one among its upgrades.
bool leaves_weapon_open(const Catalogue& catalogue, const Scenario& scenario);

/// Names the weapons of such attacks, with a note for each. The best is the one with the highest mean damage in that
/// attack alone; the first of equal ones. In several rounds, or with several targets, the attacker chooses when it
/// attacks. Names in the scenario must be ids.
void name_weapons(const Catalogue& catalogue, const AnswerOptions& options, Scenario& scenario);

/// Notes on attacks with the primary weapon for want of a name (UnnamedWeapon::Primary) although another weapon of the
/// ship does more damage. Only what is solved within `budget` transitions is compared.
std::vector<std::string> better_weapons(const Catalogue& catalogue, const Scenario& scenario, double budget);

}  // namespace salvo::answers
