#include "cli/sides.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "battle/sides.h"
#include "cli/output.h"
#include "data/file.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"

namespace salvo::cli {
namespace {

bool is_specs(const std::string& text) {
  return text != "-" && !data::is_file(text) && !load::is_link(text) && !load::is_squad_text(text) &&
         !text.ends_with(".json") && !text.ends_with(".toml");
}

/// Whether a file is a table of ships rather than the export of a squad builder.
bool is_ships(const std::string& text, const std::string& path) {
  return path.ends_with(".toml") || text.find("\"ships\"") != std::string::npos;
}

}  // namespace

BattleSide read_side(const Catalogue& catalogue, const std::string& text, const Overrides& overrides,
                     const BattleSide* other) {
  const auto squad_side = [&](const load::SquadReader& read) {
    const Squad squad = battle::squad_against(read, other, overrides.cards, overrides.rules);
    warn_of_unknown(squad);
    return battle_side(squad);
  };
  if (is_specs(text)) {
    const std::string rules = overrides.rules.value_or(other != nullptr ? other->rules : "");
    return battle_side(catalogue, battle::split_specs(text), rules,
                       overrides.cards.value_or(other != nullptr ? other->cards : ""));
  }
  if (load::is_squad_text(text) && !data::is_file(text)) {
    return squad_side([&](const auto& cards, const auto& rules) {
      return parse_squad(catalogue, text, fmt::format("list {}", base::in_quotes(text)), cards, rules);
    });
  }
  if (!load::is_link(text)) {
    const std::string content = data::read_file(text);
    if (is_ships(content, text)) {
      BattleSide out = parse_battle_side(content, text);
      if (out.name.empty() && text != "-") out.name = std::filesystem::path(text).stem().string();
      if (overrides.rules) out.rules = *overrides.rules;
      if (overrides.cards) out.cards = *overrides.cards;
      return out;
    }
    return squad_side(
        [&](const auto& cards, const auto& rules) { return parse_squad(catalogue, content, text, cards, rules); });
  }
  return squad_side([&](const auto& cards, const auto& rules) { return load_squad(catalogue, text, cards, rules); });
}

}  // namespace salvo::cli
