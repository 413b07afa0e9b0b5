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

/// Whether scenario files may have the key, too.
bool is_of_scenario(const Field& field) {
  return field.of_scenario || field.kind == Kind::Scenario || field.kind == Kind::ScenarioKey;
}

/// "--defend" of "-d,--defend".
std::string long_name(const std::string& option) {
  const std::string names = option.substr(option.find("--"));
  return names.substr(0, names.find(','));
}

auto is_called(std::string_view key) {
  return [key](const Field& field) { return field.name.key != nullptr && field.name.key == key; };
}

/// The scenario field, unless SPECs state the scenario.
const Field* scenario_of(const Node& table, const FieldList& list) {
  const auto found = std::find_if(list.fields().begin(), list.fields().end(),
                                  [](const Field& field) { return field.kind == Kind::Scenario; });
  if (found == list.fields().end() || list.as_options()) return nullptr;
  const bool specs = std::any_of(list.fields().begin(), list.fields().end(), [&](const Field& field) {
    const auto member = field.kind == Kind::Specs ? table.get(field.name.key) : std::nullopt;
    if (!member) return false;
    return field.of_scenario ? !member->is(Value::Kind::Table)
                             : !member->is(Value::Kind::Array) || !member->value().items.empty();
  });
  return specs ? nullptr : &*found;
}

/// Reads the fields that the table has; returns their keys.
std::vector<std::string_view> read_members(const Node& table, const FieldList& list, bool scenario) {
  std::vector<std::string_view> known;
  for (const Field& field : list.fields()) {
    if (scenario && is_of_scenario(field)) continue;
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

std::vector<std::string> texts_of(const Node& node) {
  return node.is(Value::Kind::Text) ? std::vector{node.text()} : node.texts();
}

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

void FieldList::integer(const Name& name, int least, int most, const SmallSetter<int>& to) {
  add(name, Kind::Integer, [to, least, most](const Node& node) { to(node.integer(least, most)); });
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
    std::vector<std::string> texts;  // may be empty, which the reader of SPECs explains
    if (is_option(node)) {
      for (const Node& text : node.children()) texts.push_back(text.value().text);
    } else {
      texts = node.is(Value::Kind::Text) ? std::vector{node.value().text} : node.texts();
    }
    to = is_option(node) ? load::specs_of_option(option, texts, numbered)
                         : load::specs_of_key(name.key, option, texts, numbered);
  });
}

void FieldList::scenario_key(const char* key, const char* help, const char* schema) {
  add({key, nullptr, nullptr, help}, Kind::ScenarioKey,
      [](const Node& node) { node.fail("it is a key of a scenario, which SPECs replace; give one of them"); });
  last().schema = schema;
}

const Field* FieldList::find(std::string_view key) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), is_called(key));
  return found == fields_.end() ? nullptr : &*found;
}

Field& FieldList::at(std::string_view key) { return *std::find_if(fields_.begin(), fields_.end(), is_called(key)); }

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

void read(Value table, const std::string& source, const FieldList& list) {
  const Node node(table, source);
  const Field* const scenario = scenario_of(node, list);
  const std::vector<std::string_view> known = read_members(node, list, scenario != nullptr);
  if (scenario != nullptr) {
    load::take_members(table, known);
    scenario->assign(node);
  } else if (!list.as_options()) {
    node.allow_only({known.begin(), known.end()}, questions_with);
  }
}

}  // namespace salvo::questions
