#include "questions/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "data/message.h"
#include "load/answer_keys.h"
#include "questions/question.h"

namespace salvo::questions {
namespace {

using data::Node;
using data::Value;

/// Whether a member is one that scenarios have, too, when the question is about a scenario.
bool is_of_scenario(const Field& field) {
  return field.of_scenario || field.kind == Kind::Specs || field.kind == Kind::ScenarioKey;
}

/// "--defend" of "-d,--defend".
std::string long_name(const std::string& option) {
  const std::string names = option.substr(option.find("--"));
  return names.substr(0, names.find(','));
}

/// A text, or a list of texts.
std::vector<std::string> texts_of(const Node& node) {
  return node.is(Value::Kind::Text) ? std::vector{node.text()} : node.texts();
}

/// The scenario field, unless SPECs state the scenario.
const Field* scenario_of(const Node& table, const FieldList& list) {
  const auto found = std::find_if(list.fields().begin(), list.fields().end(),
                                  [](const Field& field) { return field.kind == Kind::Scenario; });
  if (found == list.fields().end() || list.as_options()) return nullptr;
  const bool specs = std::any_of(list.fields().begin(), list.fields().end(), [&](const Field& field) {
    const auto member = field.kind == Kind::Specs ? table.get(field.name.key) : std::nullopt;
    return member && !member->is(Value::Kind::Table);
  });
  return specs ? nullptr : &*found;
}

/// Reads the fields that the table has; returns their keys.
std::vector<std::string_view> read_members(const Node& table, const FieldList& list, bool scenario) {
  std::vector<std::string_view> known;
  for (const Field& field : list.fields()) {
    if (scenario && (is_of_scenario(field) || field.kind == Kind::Scenario)) continue;
    if ((list.as_options() ? field.name.option : field.name.key) == nullptr) continue;
    const std::string member = list.as_options() ? field.option_member() : field.name.key;
    if (field.name.key != nullptr) known.emplace_back(field.name.key);
    if (const auto node = table.get(member)) {
      field.assign(*node);
    } else if (field.required) {
      table.need(member, fmt::format("write {}", field.name.meaning));
    }
  }
  return known;
}

/// The remedy for a key of other questions; empty if there are none.
std::string questions_with(const std::string& key) {
  std::vector<std::string> names;
  for (const Question* question : all()) {
    if (question->begin(false).list->find(key) != nullptr) names.emplace_back(question->name);
  }
  return names.empty() ? "" : fmt::format(" it is a key of {}; leave it out", base::enumerated(names));
}

}  // namespace

bool Field::is_list() const {
  return kind == Kind::Words || kind == Kind::Texts || kind == Kind::Specs || kind == Kind::Items ||
         kind == Kind::Numbers;
}

std::string Field::long_option() const { return is_operand() ? name.option : long_name(name.option); }

std::string Field::option_member() const { return long_option().substr(is_operand() ? 0 : 2); }

void FieldList::add(const Name& name, Kind kind, const NodeSetter& assign) {
  fields_.push_back({.name = name, .kind = kind, .group = group_, .assign = assign});
}

void FieldList::flag(const Name& name, bool& to, bool meaning) {
  add(name, Kind::Flag, [&to, meaning](const Node& node) { to = node.boolean() == meaning; });
}

void FieldList::integer(const Name& name, int least, int most, int& to) {
  add(name, Kind::Integer, [&to, least, most](const Node& node) { to = node.integer(least, most); });
  last().least = static_cast<std::uint64_t>(least);
  last().most = static_cast<std::uint64_t>(most);
}

void FieldList::integer(const Name& name, int least, int most, std::optional<int>& to) {
  add(name, Kind::Integer, [&to, least, most](const Node& node) { to = node.integer(least, most); });
  last().least = static_cast<std::uint64_t>(least);
  last().most = static_cast<std::uint64_t>(most);
}

void FieldList::count(const Name& name, std::uint64_t least, const SmallSetter<std::uint64_t>& to) {
  add(name, Kind::Integer, [to, least](const Node& node) { to(load::read_count(node, least)); });
  last().least = least;
  last().most = least == 0 ? std::numeric_limits<std::uint64_t>::max() : kMaxTrials;
}

void FieldList::share(const Name& name, double most, const SmallSetter<double>& to) {
  add(name, Kind::Real, [to, most](const Node& node) { to(load::read_share(node, most)); });
  last().limit = most;
}

void FieldList::choice(const Name& name, const std::vector<std::string>& words, const SmallSetter<std::size_t>& to) {
  add(name, Kind::Choice, [to, &words](const Node& node) {
    const std::string word = node.one_of(words);
    to(static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin()));
  });
  last().words = &words;
}

void FieldList::text(const Name& name, std::optional<std::string>& to) {
  add(name, Kind::Text, [&to](const Node& node) { to = node.text(); });
}

void FieldList::text(const Name& name, std::string& to) {
  add(name, Kind::Text, [&to](const Node& node) { to = node.text(); });
}

void FieldList::texts(const Name& name, std::vector<std::string>& to) {
  add(name, Kind::Texts, [&to](const Node& node) { to = texts_of(node); });
}

void FieldList::specs(const Name& name, load::GivenSpecs& to, load::Numbered numbered) {
  to.place = as_options() ? long_name(name.option) : name.key;
  add(name, Kind::Specs, [&to, name, numbered](const Node& node) {
    const std::string option = long_name(name.option);
    to = is_option(node) ? load::specs_of_option(option, texts_of(node), numbered)
                         : load::specs_of_key(name.key, option, texts_of(node), numbered);
  });
}

void FieldList::scenario_key(const char* key, const char* help, const char* schema) {
  add({key, nullptr, nullptr, help}, Kind::ScenarioKey,
      [](const Node& node) { node.fail("it is a key of a scenario, which SPECs replace; give one of them"); });
  last().schema = schema;
}

const Field* FieldList::find(std::string_view key) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [key](const Field& field) {
    return field.name.key != nullptr && field.name.key == key;
  });
  return found == fields_.end() ? nullptr : &*found;
}

Field& FieldList::at(std::string_view key) {
  const Field* const found = find(key);
  return fields_.at(found == nullptr ? fields_.size() : static_cast<std::size_t>(found - fields_.data()));
}

std::string FieldList::mention(std::string_view text) const {
  std::string out;
  for (std::size_t open; (open = text.find('{')) != std::string_view::npos;) {
    const std::size_t close = text.find('}', open);
    const std::string_view key = text.substr(open + 1, close - open - 1);
    const Field* const field = as_options() ? find(key) : nullptr;
    out += text.substr(0, open);
    out += field != nullptr && field->name.option != nullptr ? field->long_option() : std::string(key);
    text.remove_prefix(close + 1);
  }
  return out.append(text);
}

void read(const Node& table, const FieldList& list) {
  const Field* const scenario = scenario_of(table, list);
  const std::vector<std::string_view> known = read_members(table, list, scenario != nullptr);
  if (scenario != nullptr) {
    Value rest = table.value();
    load::take_members(rest, known);
    scenario->assign(Node(rest, table.source()));
  } else if (!list.as_options()) {
    table.allow_only({known.begin(), known.end()}, questions_with);
  }
}

}  // namespace salvo::questions
