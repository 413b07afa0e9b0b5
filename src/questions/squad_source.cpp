#include "questions/squad_source.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_tree.h"
#include "questions/field.h"

namespace salvo::questions {
namespace {

using data::Value;

/// Whether a command-line argument is a SPEC rather than the name of a file.
bool is_spec(const std::string& text) {
  return text != "-" && !data::is_file(text) && !text.ends_with(".json") &&
         text.find_first_of(" =") != std::string::npos;
}

/// The text of a file, read only once, since it may be standard input.
Value tree_of_file(const std::string& path) {
  const std::string text = data::read_file(path);
  return data::parse_json(data::check_text(text, path), path);
}

}  // namespace

SquadSource::SquadSource(const data::Node& node, bool takes_spec)
    : value_(node.value()), place_(node.path()), option_(is_option(node)), tree_(node.is(Value::Kind::Table)) {
  if (tree_) return;
  const char* const forms = takes_spec ? "XWS as an object, a link or a SPEC" : "XWS as an object, or a link";
  if (!node.is(Value::Kind::Text)) node.fail_kind(forms);
  if (load::is_link(value_.text)) return;
  if (!is_option(node) && !takes_spec) node.fail("write the squad as an object (XWS), or as a link of yasb.app");
  if (!is_option(node) || (takes_spec && is_spec(value_.text))) return;
  tree_ = true;
  const std::string path = std::move(value_.text);
  value_ = tree_of_file(path);
  place_ = path;
}

Squad SquadSource::read_any(const Catalogue& catalogue, const std::optional<std::string>& cards,
                            const std::optional<std::string>& rules) const {
  const bool option = !kOnlyJson && option_;
  const auto here = [&](const auto& read) { return option ? read() : data::within(place_, read); };
  if (tree_) return here([&] { return load::read_squad(catalogue, value_, option ? place_ : "-", cards, rules); });
  if (load::is_link(value_.text))
    return here([&] { return load::parse_squad_link(catalogue, value_.text, cards, rules); });
  return option ? squad_from_spec(catalogue, value_.text, cards, rules)
                : load::squad_from_spec(catalogue, load::spec_of(place_, value_.text), cards, rules);
}

Squad SquadSource::checked(Squad squad) const {
  if (!squad.pilots.empty()) return squad;
  std::string ids;
  for (const UnknownId& id : squad.unknown)
    ids += fmt::format("{}{} \"{}\" ({}: {})", ids.empty() ? "" : ", ", id.kind, base::printable(id.id, 60), id.path,
                       id.reason);
  throw data::error_at(option_ ? squad.source : place_,
                       fmt::format("none of its pilots is known, so there is nothing to report; check {}", ids));
}

Squad SquadSource::read(const Catalogue& catalogue, const std::optional<std::string>& cards,
                        const std::optional<std::string>& rules) const {
  return checked(read_any(catalogue, cards, rules));
}

Squad SquadSource::read_against(const Catalogue& catalogue, const Squad& mine, bool as_mine) const {
  return checked(load::opposing_squad(
      [&](const auto& cards, const auto& rules) { return read_any(catalogue, cards, rules); }, mine, as_mine));
}

void warn_of_unknown(const Squad& squad, std::vector<std::string>& warnings) {
  for (const UnknownId& id : squad.unknown)
    warnings.push_back(fmt::format("{}: {}: unknown {} \"{}\"; {}", squad.source, id.path, id.kind, id.id, id.reason));
}

}  // namespace salvo::questions
