// Dice, plays and ships in a player's words. In: pools and options of a plan. Out: short English texts.
#pragma once

#include <string>
#include <vector>

#include "compile/compile.h"
#include "salvo/advise.h"
#include "salvo/scenario.h"

namespace salvo::decide {

/// "2 hits, focus and blank"; "no dice".
std::string dice_words(const std::vector<std::string>& faces, game::Pool pool);

/// "hit hit focus blank": one word for each die, as in --rolled.
std::string roll_words(const std::vector<std::string>& faces, game::Pool pool);

/// "spend calculate, then the lock: reroll blank and focus".
std::string play_words(const compile::CompiledScenario& compiled, std::size_t attack,
                       const std::vector<game::Option>& options);

/// The same as data.
PlayParts play_parts(const compile::CompiledScenario& compiled, std::size_t attack,
                     const std::vector<game::Option>& options);

/// Ships whose title differs from their name, with both: "a1 Wedge Antilles (T-65 X-wing)".
std::vector<std::string> ship_titles(const compile::Labels& labels);

/// The ship of that name, or null. no_such_ship() is the error message for null.
ScenarioShip* find_ship(Scenario& scenario, const std::string& name);
std::string no_such_ship(const Scenario& scenario, const std::string& name);

}  // namespace salvo::decide
