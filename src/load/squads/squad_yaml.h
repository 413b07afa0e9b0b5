// Reads the part of YAML that exports of squads use when people paste them as YAML.
#pragma once

#include <optional>
#include <string_view>

#include "data/value.h"

namespace salvo::load {

/// The tree of a text in YAML whose member "pilots" is a list of tables; empty: it is no such text. All scalars are
/// texts, or null. Left out: anchors, tags, several documents. Texts over several lines are read as one.
std::optional<data::Value> parse_squad_yaml(std::string_view text);

/// The same of an object such as {'pilots': [...]}: JSON with other quotation marks, as Python prints it, or with none,
/// with comments or with a comma too many.
std::optional<data::Value> parse_flow_yaml(std::string_view text);

}  // namespace salvo::load
