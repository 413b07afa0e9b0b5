// Reads squads from any source: a file, a link, a part of a request.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "data/value.h"
#include "load/specs.h"
#include "salvo/squad.h"

namespace salvo::load {

inline constexpr std::size_t kMaxSquadShips = 40, kMaxShipUpgrades = 30;  ///< more than any game allows

/// Whether a text is TOML with a list of pilots: [[pilots]] or pilots = [{...}].
bool is_toml_squad(std::string_view text);

/// parse_squad() for a parsed text.
Squad read_squad(const Catalogue& catalogue, const data::Value& value, const std::string& source,
                 const std::optional<std::string>& cards, const std::optional<std::string>& rules);

/// squad_from_spec() for a SPEC with its own place.
Squad squad_from_spec(const Catalogue& catalogue, const GivenSpec& spec, const std::optional<std::string>& cards,
                      const std::optional<std::string>& rules);

/// Reads a squad with a card set and rules; empty: inferred from the squad.
using SquadReader =
    std::function<Squad(const std::optional<std::string>& cards, const std::optional<std::string>& rules)>;

/// load_opposing_squad() for any source. `as_mine`: the user chose card set or rules, so the squad is read like `mine`.
Squad opposing_squad(const SquadReader& read, const Squad& mine, bool as_mine);

}  // namespace salvo::load
