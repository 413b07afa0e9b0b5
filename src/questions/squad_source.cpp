#include "questions/squad_source.h"

#include <fmt/format.h>

#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"
#include "load/squads/squad_tree.h"
#include "questions/field.h"

namespace salvo::questions {
namespace {

using data::Value;

/// Whether a text ends like the name of a file, ".txt", or begins like a path. "TIE/ln" is a ship.
bool looks_like_file(const std::string& text) {
  constexpr std::size_t kLongestEnding = 5;
  if (load::begins_export(text) || text.find('\n') != std::string::npos) return false;
  const std::size_t dot = std::min(text.rfind('.'), text.size() - 1);
  const std::string ending = base::lower_case(std::string_view(text).substr(dot + 1));
  const bool ends = !ending.empty() && ending.size() <= kLongestEnding &&
                    ending.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  const bool windows = text.find('\\') != std::string::npos && text.find(' ') == std::string::npos;
  return ends || windows || text.find('/') < text.find_first_not_of("./~");
}

}  // namespace

bool names_file(const data::Node& node) {
  const std::string& text = node.value().text;
  return is_option(node) && !load::is_link(text) && (text == "-" || data::is_file(text) || looks_like_file(text));
}

SquadSource::SquadSource(const data::Node& node, bool takes_spec)
    : value_(node.value()), place_(node.path()), option_(is_option(node)) {
  if (node.is(Value::Kind::Array) && !value_.items.empty() && value_.items.front().kind == Value::Kind::Text) {
    const std::vector<std::string> texts = node.texts();
    if (texts.size() == 1) {
      *this = SquadSource(node.children().front(), takes_spec);
      return;
    }
    for (const data::Node& one : node.children()) {
      if (takes_spec && load::is_link(one.value().text))
        one.fail("is a link, which holds a whole squad; give it alone");
    }
    value_ = Value::of(base::joined(texts, takes_spec ? "|" : "\n"));
    name_ = base::joined(texts, ", ");
    form_ = takes_spec ? Form::Spec : Form::Text;
    return;
  }
  if (node.is(Value::Kind::Table) || node.is(Value::Kind::Array)) {  // of one squad
    form_ = Form::Tree;
    return;
  }
  if (!node.is(Value::Kind::Text))
    node.fail_kind(takes_spec ? "XWS as an object, a link, a list of ships or a SPEC"
                              : "XWS as an object, a link or a list of ships");
  const std::string& text = value_.text;
  if (load::is_link(text)) {
    form_ = Form::Text;
  } else if (names_file(node)) {
    place_ = text;
    value_.text = data::read_file(text);  // only once, since it may be standard input
    form_ = Form::Text;
  } else if (load::is_squad_text(text) || !takes_spec) {
    form_ = Form::Text;
    if (is_option(node)) place_ = fmt::format("list {}", base::in_quotes(text));
  }
}

Squad SquadSource::read_any(const Catalogue& catalogue, const std::optional<std::string>& cards,
                            const std::optional<std::string>& rules) const {
  const bool option = !kOnlyJson && option_;
  const auto here = [&](const auto& read) { return option ? read() : data::within(place_, read); };
  const std::string source = place_;
  if (form_ == Form::Tree) return here([&] { return load::read_squad(catalogue, value_, source, cards, rules); });
  if (form_ == Form::Text) return here([&] { return parse_squad(catalogue, value_.text, source, cards, rules); });
  if (!option) {
    Squad out = load::squad_from_spec(catalogue, load::spec_of(place_, value_.text), cards, rules);
    if (!name_.empty()) out.name = out.source = name_;
    return out;
  }
  try {
    const std::string set = catalogue.card_set(cards.value_or(""), rules.value_or("second-edition"));
    const bool crew = catalogue.upgrade_exists(value_.text, set);  // alone it is the pilot of that id
    const bool pilot = crew && !catalogue.ships_of_pilot(value_.text, set).empty();
    return squad_from_spec(catalogue, (pilot ? "pilot=" : "") + value_.text, cards, rules);
  } catch (const LoadError& error) {
    if (value_.text.empty() || value_.text.find_first_of(" =") != std::string::npos) throw;
    throw data::error_at(value_.text, fmt::format("there is no such file, and as a name {}",
                                                  error.why.empty() ? error.what() : error.why));
  }
}

Squad SquadSource::checked(Squad squad) const {
  if (!squad.pilots.empty()) return squad;
  throw data::error_at(option_ ? squad.source : place_, no_pilot_known(squad, "there is nothing to report"));
}

Squad SquadSource::read(const Catalogue& catalogue, const std::optional<std::string>& cards,
                        const std::optional<std::string>& rules) const {
  return checked(read_any(catalogue, cards, rules));
}

Squad SquadSource::read_against(const Catalogue& catalogue, const Squad& mine, bool as_mine) const {
  return checked(load::opposing_squad(
      [&](const auto& cards, const auto& rules) { return read_any(catalogue, cards, rules); }, mine, as_mine));
}

std::string no_pilot_known(const Squad& squad, std::string_view consequence) {
  std::string out = fmt::format("none of its pilots is known, so {}; check", consequence);
  for (const UnknownId& id : squad.unknown)
    out += fmt::format("{} {} \"{}\" ({}: {})", out.ends_with(')') ? "," : "", id.kind, base::printable(id.id, 60),
                       id.path, id.reason);
  return out;
}

void warn_of_unknown(const Squad& squad, std::vector<std::string>& warnings) {
  for (const UnknownId& id : squad.unknown)
    warnings.push_back(fmt::format("{}: {}: unknown {} \"{}\"; {}", squad.source, id.path, id.kind, id.id, id.reason));
}

}  // namespace salvo::questions
