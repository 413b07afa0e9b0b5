// Reads the sides of a battle from trees and SPECs.
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

/// Reads a table with ships, as parse_battle_side reads it from text. The name may be empty. Throws LoadError.
BattleSide read_side(const data::Node& root);

/// A side from SPECs. Throws LoadError with the place of the SPEC at fault.
BattleSide side_of_specs(const Catalogue& catalogue, const load::GivenSpecs& specs, const std::string& rules,
                         const std::string& cards);
/// The SPECs of a list of a request. Errors call one "theirs[0]", notes "SPEC 1".
load::GivenSpecs specs_of_side(const std::string& key, const std::vector<std::string>& specs);

/// Reads the squad that fights `other` (null: not known yet) with the card set of that side. Throws LoadError, also
/// when it has another edition and neither `cards` nor `rules` is given.
Squad squad_against(const load::SquadReader& read, const BattleSide* other, const std::optional<std::string>& cards,
                    const std::optional<std::string>& rules);

/// The name of a side, or `otherwise` if it has none.
inline std::string called(const BattleSide& side, std::string otherwise) {
  return side.name.empty() ? std::move(otherwise) : side.name;
}

/// Splits SPECs at |.
std::vector<std::string> split_specs(const std::string& text);

}  // namespace salvo::battle
