// Reads the sides of battles. Not in programs without battles.

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "battle/sides.h"
#include "data/file.h"
#include "data/message.h"
#include "load/flight_file.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"
#include "load/squads/squad_tree.h"
#include "questions/battle_fields.h"
#include "questions/squad_source.h"

namespace salvo::questions {
namespace {

using data::Node;
using data::Value;

/// Whether it is XWS, or a list of one squad.
bool is_xws(const Node& node) {
  const bool list = node.is(Value::Kind::Array) && !node.value().items.empty();
  return (list ? node.value().items.front() : node.value()).kind == Value::Kind::Table;
}

/// Whether a text is a whole squad: a link, or a list of ships.
bool is_squad(const Node& node) {
  const std::string& text = node.value().text;
  return node.is(Value::Kind::Text) && (load::is_link(text) || load::is_squad_text(text));
}

/// Whether a text is a table of ships rather than the export of a squad builder.
bool is_ships(const std::string& text, const std::string& path) {
  if (path.ends_with(".toml")) return !load::is_toml_squad(text);
  return text.find("\"ships\"") != std::string::npos && text.find("\"pilots\"") == std::string::npos;
}

/// A list of SPECs, or one text with | between them, which is then the place of all errors.
load::GivenSpecs specs_of(const Node& node) {
  if (!node.is(Value::Kind::Text)) return battle::specs_of_side(node.path(), node.texts());
  load::GivenSpecs out = battle::specs_of_side(node.path(), battle::split_specs(node.text()));
  for (load::GivenSpec& spec : out.list) spec.place = node.path();
  return out;
}

BattleSide with_overrides(BattleSide side, const Overrides& given) {
  if (given.rules) side.rules = *given.rules;
  if (given.cards) side.cards = *given.cards;
  return side;
}

/// The pilots, as the name of a squad that has none: "Darth Vader, Academy Pilot x2".
std::string pilots_of(const Squad& squad) {
  std::vector<std::pair<std::string, int>> counts;
  for (const SquadPilot& pilot : squad.pilots) {
    if (counts.empty() || counts.back().first != pilot.name) counts.emplace_back(pilot.name, 0);
    ++counts.back().second;
  }
  std::vector<std::string> names;
  for (const auto& [name, many] : counts) names.push_back(many == 1 ? name : fmt::format("{} x{}", name, many));
  return base::joined(names, ", ");
}

/// A file with a table of ships.
BattleSide read_ships(const std::string& text, const std::string& path, const Overrides& given) {
  BattleSide out = with_overrides(parse_battle_side(text, path), given);
  if (out.name.empty() && path != "-") out.name = std::filesystem::path(path).stem().string();
  return out;
}

}  // namespace

BattleSide read_side(const Catalogue& catalogue, const Node& node, const Overrides& given, const BattleSide* other,
                     std::vector<std::string>& warnings) {
  const std::string& word = node.value().text;
  const bool file = names_file(node), squad_text = !file && is_squad(node);
  const std::string text = file ? data::read_file(word) : "";
  if (file && is_ships(text, word)) return read_ships(text, word, given);
  if (squad_text && is_ships(word, "")) {
    return data::within(node.path(), [&] { return with_overrides(parse_battle_side(word, node.source()), given); });
  }
  if (node.is(Value::Kind::Table) && node.get("ships")) return with_overrides(battle::read_side(node), given);
  if (file || squad_text || is_xws(node)) {
    const auto read = [&](const auto& cards, const auto& rules) {
      if (file) return parse_squad(catalogue, text, word, cards, rules);
      return squad_text ? parse_squad(catalogue, word, node.source(), cards, rules)
                        : load::read_squad(catalogue, node.value(), node.source(), cards, rules);
    };
    const auto squad = [&] { return battle::squad_against(read, other, given.cards, given.rules); };
    Squad out = is_option(node) ? squad() : data::within(node.path(), squad);
    if (out.pilots.empty()) {
      const std::string why = no_pilot_known(out, "there is no ship to fight");
      if (!is_option(node)) node.fail(why);
      if (file) data::fail(word, "", 0, why);
      throw data::error_at(fmt::format("list {}", base::in_quotes(word)), why);
    }
    if (is_option(node)) warn_of_unknown(out, warnings);
    if (out.name.empty() && !file) out.name = pilots_of(out);
    return battle_side(out);
  }
  const std::string rules = given.rules.value_or(other != nullptr ? other->rules : "");
  const std::string cards = given.cards.value_or(other != nullptr ? other->cards : "");
  if (is_option(node)) return battle_side(catalogue, battle::split_specs(word), rules, cards);
  if (!node.is(Value::Kind::Text) && !node.is(Value::Kind::Array))
    node.fail_kind("XWS as an object, an object with ships, a link, a SPEC or a list of SPECs");
  return battle::side_of_specs(catalogue, specs_of(node), rules, cards);
}

void read_flight(const Catalogue& catalogue, const BattleFields& question, std::string& id, std::string& text) {
  const auto flight = question.root().get("flight");
  if (!flight) return;
  const std::string given = flight->is(Value::Kind::Text) ? flight->value().text : flight->text();
  if (is_option(*flight)) {
    id = given;
  } else if (given.find('\n') != std::string::npos || given.starts_with('{')) {
    data::within(flight->path(), [&] { return load::parse_flight(given, "flight"); });
    text = given;
  } else {
    id = flight->one_of(load::flight_ids(catalogue.profiles()));
  }
}

BattleOptions battle_options(const AnswerOptions& how) {
  BattleOptions out{how.engine, how.budget, how.trials, how.precision, how.seed, how.threads, false, {}};
  if (how.overrides.as_options) out.progress = how.progress;
  return out;
}

}  // namespace salvo::questions
