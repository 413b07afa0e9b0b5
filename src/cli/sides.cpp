// Sides of a battle: see sides.h.
#include "cli/sides.h"

#include <fmt/format.h>

#include "battle/sides.h"
#include "cli/output.h"
#include "load/file.h"
#include "load/squad_link.h"

namespace salvo::cli {
namespace {

bool is_specs(const std::string& text) {
  return text != "-" && !load::is_file(text) && !load::is_link(text) && !text.ends_with(".json") &&
         !text.ends_with(".toml");
}

/// A table of ships, not what a squad builder exports.
bool is_ships(const std::string& text, const std::string& path) {
  return path.ends_with(".toml") || text.find("\"ships\"") != std::string::npos;
}

}  // namespace

BattleSide read_side(const Catalogue& catalogue, const std::string& text, const Overrides& overrides,
                     const BattleSide* other) {
  if (is_specs(text)) {
    const std::string rules = overrides.rules.value_or(other != nullptr ? other->rules : "");
    return battle_side(catalogue, battle::split_specs(text), rules,
                       overrides.cards.value_or(other != nullptr ? other->cards : ""));
  }
  if (!load::is_link(text)) {
    const std::string content = load::read_file(text);
    if (is_ships(content, text)) {
      BattleSide out = parse_battle_side(content, text);
      if (overrides.rules) out.rules = *overrides.rules;
      if (overrides.cards) out.cards = *overrides.cards;
      return out;
    }
    std::optional<std::string> cards = overrides.cards;
    if (!cards && other != nullptr && !other->cards.empty()) cards = other->cards;
    const Squad squad = parse_squad(catalogue, content, text, cards, overrides.rules);
    warn_of_unknown(squad);
    return battle_side(squad);
  }
  const Squad squad = load_squad(catalogue, text, overrides.cards, overrides.rules);
  warn_of_unknown(squad);
  return battle_side(squad);
}

}  // namespace salvo::cli
