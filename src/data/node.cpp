#include "data/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "base/index.h"
#include "data/message.h"

namespace salvo::data {

namespace {

/// The value as messages quote it.
std::string describe_value(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Null:
      return "null";
    case Value::Kind::Boolean:
      return value.boolean ? "true" : "false";
    case Value::Kind::Integer:
      return value.huge ? printable(value.text, 40) : std::to_string(value.integer);
    case Value::Kind::Real:
      return printable(value.text, 40) + " (not written as a whole number)";
    case Value::Kind::Text:
      return in_quotes(value.text) + " (text)";
    case Value::Kind::Date:
      return printable(value.text, 40) + " (a date or time)";
    case Value::Kind::Array:
      return "a list";
    case Value::Kind::Table:
      return "a table";
  }
  return {};
}

/// The whole number that the user evidently meant by a value of another kind ("4", 4.0), if within the limits.
std::optional<int> meant_integer(const Value& value, int least, int most) {
  if (value.kind != Value::Kind::Text && value.kind != Value::Kind::Real) return std::nullopt;
  if (value.text.empty() || value.text.size() > 8) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(value.text.c_str(), &end);
  if (*end != '\0' || !(number >= least && number <= most) || number != std::floor(number)) return std::nullopt;
  return static_cast<int>(number);
}

/// Whether `what` is `in` or lies below it. If so, appends its path from `in` to `path`.
bool find_path(const Value& in, const Value& what, std::string& path) {
  if (&in == &what) return true;
  const std::size_t size = path.size();
  for (std::size_t i = 0; i < in.items.size(); ++i) {
    if (in.kind == Value::Kind::Array) {
      path += fmt::format("[{}]", i);
    } else {
      path += (path.empty() ? "" : ".") + in.items[i].key;
    }
    if (find_path(in.items[i], what, path)) return true;
    path.resize(size);
  }
  return false;
}

bool has_control(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return !plain && printable(text, std::string::npos) != text;
}

}  // namespace

Node::Node(const Node& parent, const Value& value)
    : value_(&value), root_(parent.root_), source_(parent.source_), line_(value.line > 0 ? value.line : parent.line_) {}

std::string path_of(const Value& root, const Value& value) {
  std::string path;
  find_path(root, value, path);
  return path;
}

void Node::fail(const std::string& why) const { data::fail(*source_, path(), line_, why); }

void Node::fail_kind(std::string_view needed) const {
  const bool null = is(Value::Kind::Null);
  fail(fmt::format("found {}; {}write {}", describe_value(*value_), null ? "leave the key out or " : "", needed));
}

void Node::fail_number(const std::string& range) const {
  if (!is(Value::Kind::Integer)) fail_kind(range);
  fail(fmt::format("{} is out of range; write {}", describe_value(*value_), range));
}

void Node::fail_choice(const std::vector<std::string>& allowed, const std::string& what) const {
  fail(not_among(value_->text, allowed, what));
}

void Node::need_table(std::string_view needed) const {
  if (!is(Value::Kind::Table)) fail_kind(needed);
}

void Node::need_array(std::string_view needed) const {
  if (!is(Value::Kind::Array)) fail_kind(needed);
}

void Node::allow_only(const std::vector<std::string>& keys,
                      const std::function<std::string(const std::string&)>& hint) const {
  for (const Value& member : value_->items) {
    if (base::contains(keys, member.key)) continue;
    std::string remedy = hint ? hint(member.key) : std::string();
    if (remedy.empty()) remedy = did_you_mean(member.key, keys);
    get(member.key)->fail("unknown key;" + (remedy.empty() ? " the keys here are " + listed(keys) : remedy));
  }
}

std::optional<Node> Node::get(std::string_view name) const {
  const Value* const member = value_->find(name);
  return member == nullptr ? std::nullopt : std::optional(Node(*this, *member));
}

Node Node::need(std::string_view name, std::string_view remedy) const {
  if (const auto member = get(name)) return *member;
  fail(fmt::format("the key \"{}\" is missing; {}", name, remedy));
}

std::vector<Node> Node::children() const {
  std::vector<Node> out;
  out.reserve(value_->items.size());
  for (const Value& item : value_->items) out.push_back(Node(*this, item));
  return out;
}

int Node::integer(int least, int most) const {
  const Value& found = *value_;
  const bool whole = found.kind == Value::Kind::Integer;
  if (whole && !found.huge && found.integer >= least && found.integer <= most) return static_cast<int>(found.integer);
  const std::string range = fmt::format("a whole number from {} to {}", least, most);
  if (whole) fail_number(range);
  const auto meant = meant_integer(found, least, most);
  const bool from_text = is(Value::Kind::Text);
  fail_kind(range + (meant ? fmt::format(", here {}{}", *meant, from_text ? " without quotes" : "") : ""));
}

bool Node::boolean() const {
  if (is(Value::Kind::Boolean)) return value_->boolean;
  const bool digit = is(Value::Kind::Integer) && (value_->integer == 0 || value_->integer == 1);
  const bool word = is(Value::Kind::Text) && (value_->text == "true" || value_->text == "false");
  fail_kind(std::string("true or false") + (digit ? (value_->integer == 1 ? ", here true" : ", here false") : "") +
            (word ? " without quotes" : ""));
}

std::string Node::text() const {
  if (!is(Value::Kind::Text)) fail_kind("a text in quotes");
  if (value_->text.empty()) fail("the text is empty; write a name or leave the key out");
  if (has_control(value_->text)) fail(in_quotes(value_->text) + " has control characters; write plain text");
  return value_->text;
}

std::string Node::one_of(const std::vector<std::string>& allowed) const {
  std::string found = text();
  if (!base::contains(allowed, found)) fail_choice(allowed);
  return found;
}

std::vector<std::string> Node::texts() const {
  if (is(Value::Kind::Text)) fail_kind(fmt::format("a list of texts, here [{}]", in_quotes(value_->text)));
  need_array("a list of texts in quotes");
  std::vector<std::string> out;
  for (const Node& item : children()) out.push_back(item.text());
  return out;
}

std::vector<std::string> Node::texts_once(std::string_view remedy) const {
  std::vector<std::string> found = texts();
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!seen.insert(found[i]).second)
      children()[i].fail(fmt::format("{} is given twice; {}", in_quotes(found[i]), remedy));
  }
  return found;
}

void Node::read(std::string_view name, int least, int most, int& to) const {
  if (const auto member = get(name)) to = member->integer(least, most);
}

void Node::read(std::string_view name, int least, int most, std::optional<int>& to) const {
  if (const auto member = get(name)) to = member->integer(least, most);
}

void Node::read(std::string_view name, bool& to) const {
  if (const auto member = get(name)) to = member->boolean();
}

void Node::read(std::string_view name, std::string& to) const {
  if (const auto member = get(name)) to = member->text();
}

void Node::read(std::string_view name, std::optional<std::string>& to) const {
  if (const auto member = get(name)) to = member->text();
}

void Node::read(std::string_view name, std::vector<std::string>& to) const {
  if (const auto member = get(name)) to = member->texts();
}

}  // namespace salvo::data
