// Sides of a battle from trees. In: a table with ships, as parse_battle_side reads it from text. Out: a BattleSide.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/node.h"
#include "load/specs.h"
#include "load/squads/squad_tree.h"
#include "salvo/battle.h"

namespace salvo::battle {

/// A side without a name where the text gives none. Throws LoadError.
BattleSide read_side(const data::Node& root);

/// A side from SPECs. Throws LoadError with the place of one of them.
BattleSide side_of_specs(const Catalogue& catalogue, const load::GivenSpecs& specs, const std::string& rules,
                         const std::string& cards);
/// The SPECs of a list of a request: "theirs[0]"; in notes "SPEC 1".
load::GivenSpecs specs_of_side(const std::string& key, const std::vector<std::string>& specs);

/// A squad that is to fight `other` (null: nobody yet), read with the card set of that side. Throws LoadError, too,
/// when it is of another edition and neither `cards` nor `rules` are given.
Squad squad_against(const load::SquadReader& read, const BattleSide* other, const std::optional<std::string>& cards,
                    const std::optional<std::string>& rules);

/// What a side is called: its name, or `otherwise` where it has none.
inline std::string called(const BattleSide& side, std::string otherwise) {
  return side.name.empty() ? std::move(otherwise) : side.name;
}

/// SPECs with | between them.
std::vector<std::string> split_specs(const std::string& text);

}  // namespace salvo::battle
