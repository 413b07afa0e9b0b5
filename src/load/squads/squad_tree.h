// Squads from what holds them, whatever they came in: a file, a link, a part of a request.
// In: the tree of an XWS object, or whatever reads a squad. Out: the squad.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "data/value.h"
#include "load/specs.h"
#include "salvo/squad.h"

namespace salvo::load {

/// parse_squad() of a text that is a tree already.
Squad read_squad(const Catalogue& catalogue, const data::Value& value, const std::string& source,
                 const std::optional<std::string>& cards, const std::optional<std::string>& rules);

/// squad_from_spec() of a SPEC from anywhere.
Squad squad_from_spec(const Catalogue& catalogue, const GivenSpec& spec, const std::optional<std::string>& cards,
                      const std::optional<std::string>& rules);

/// Reads one squad with a card set and rules; empty: found by what it says.
using SquadReader =
    std::function<Squad(const std::optional<std::string>& cards, const std::optional<std::string>& rules)>;

/// load_opposing_squad() of a squad from anywhere. `as_mine`: card set or rules were chosen, so it is read as `mine`.
Squad opposing_squad(const SquadReader& read, const Squad& mine, bool as_mine);

}  // namespace salvo::load
