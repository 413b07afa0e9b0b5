// Grids: the tree of a scenario, and what each value of an axis puts into it.
#include "load/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "load/file.h"
#include "load/message.h"
#include "load/node.h"
#include "load/scenario_tree.h"

namespace salvo {

using load::Node;
using load::Value;

/// A step of a key path: a name, or an item of a list (-1: all).
struct GridStep {
  std::string name;
  bool item = false;
  int index = 0;
};

/// One key that a value sets.
struct GridSetting {
  std::string path;
  Value value;
  std::vector<GridStep> steps;
};

struct Grid::Content {
  std::string source;
  Value base;
  std::vector<Axis> axes;
  std::vector<std::vector<std::vector<GridSetting>>> settings;  ///< by axis and value
  std::uint64_t size = 1;
};

namespace {

constexpr std::uint64_t kMostCells = 1'000'000'000'000;
constexpr int kMostValues = 1'000'000;

// ---------------------------------------------------------------- keys

[[noreturn]] void fail_path(const Node& node, const std::string& path) {
  node.fail(load::in_quotes(path) + " is not a key of a scenario; write it as ships.red.attack or attacks[0].range");
}

/// "attacks[0].range" -> attacks, item 0, range. Names of ships may hold any character but "." and "[".
std::vector<GridStep> split_path(const Node& node, const std::string& path) {
  std::vector<GridStep> out;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
    if (end == 0) fail_path(node, path);
    out.push_back({std::string(rest.substr(0, end)), false, 0});
    rest.remove_prefix(end);
    while (rest.starts_with('[')) {
      const std::size_t close = rest.find(']');
      if (close == std::string_view::npos || close < 2 || close > 6) fail_path(node, path);
      const std::string_view number = rest.substr(1, close - 1);
      const bool all = number == "*";
      if (!all && number.find_first_not_of("0123456789") != std::string_view::npos) fail_path(node, path);
      out.push_back({"", true, all ? -1 : std::stoi(std::string(number))});
      rest.remove_prefix(close + 1);
    }
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      if (rest.empty()) fail_path(node, path);
    } else if (!rest.empty()) {
      fail_path(node, path);
    }
  }
  if (out.empty()) fail_path(node, path);
  return out;
}

/// The member of a table, added when it is missing.
Value& member(Value& table, const std::string& name) {
  if (table.kind == Value::Kind::Null) table.kind = Value::Kind::Table;
  for (Value& item : table.items) {
    if (item.key == name) return item;
  }
  return table.add(name, Value());
}

/// Puts `value` at the path; false when the path leads through something that is no table or list.
bool put(Value& at, const std::vector<GridStep>& path, std::size_t step, const Value& value) {
  if (step == path.size()) {
    std::string key = std::move(at.key);
    const int line = at.line;
    at = value;
    at.key = std::move(key);
    if (line > 0) at.line = line;
    return true;
  }
  const GridStep& here = path[step];
  if (!here.item) {
    if (at.kind != Value::Kind::Table && at.kind != Value::Kind::Null) return false;
    return put(member(at, here.name), path, step + 1, value);
  }
  if (at.kind != Value::Kind::Array) return false;
  if (here.index >= static_cast<int>(at.items.size())) return false;
  for (std::size_t i = 0; i < at.items.size(); ++i) {
    if (here.index >= 0 && here.index != static_cast<int>(i)) continue;
    if (!put(at.items[i], path, step + 1, value)) return false;
  }
  return !at.items.empty();
}

// ---------------------------------------------------------------- axes

/// JSON text of a value.
std::string label_of(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Null:
      return "null";
    case Value::Kind::Boolean:
      return value.boolean ? "true" : "false";
    case Value::Kind::Integer:
      return value.huge ? value.text : std::to_string(value.integer);
    case Value::Kind::Array:
    case Value::Kind::Table: {
      std::string out;
      for (const Value& item : value.items) {
        out += out.empty() ? "" : ", ";
        if (value.kind == Value::Kind::Table) out += label_of(Value::of(item.key)) + ": ";
        out += label_of(item);
      }
      return value.kind == Value::Kind::Array ? "[" + out + "]" : "{" + out + "}";
    }
    default:
      break;
  }
  std::string out = "\"";
  for (const char c : value.text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::vector<Value> values_of(const Node& node) {
  if (const auto values = node.get("values")) {
    values->need_array("a list of values, or from and to");
    std::vector<Value> out;
    for (const Node& value : values->children()) out.push_back(value.value());
    if (out.empty()) values->fail("the list is empty; give at least one value");
    return out;
  }
  const Node from = node.need("from", "give values = [...], or from and to"), to = node.need("to", "say where it ends");
  const int first = from.integer(-kMostValues, kMostValues), last = to.integer(-kMostValues, kMostValues);
  int step = 1;
  node.read("step", 1, kMostValues, step);
  if (last < first) to.fail("is below from; exchange the two");
  std::vector<Value> out;
  for (int x = first; x <= last; x += step) out.push_back(Value::of(static_cast<std::int64_t>(x)));
  return out;
}

void add_axis(const Node& node, Grid::Axis axis, std::vector<std::vector<GridSetting>> settings, Grid::Content& out) {
  for (auto& of_value : settings) {
    axis.paths.emplace_back();
    for (GridSetting& setting : of_value) {
      setting.steps = split_path(node, setting.path);
      Value trial = out.base;
      if (!put(trial, setting.steps, 0, setting.value)) fail_path(node, setting.path);
      axis.paths.back().push_back(setting.path);
    }
  }
  for (const Grid::Axis& other : out.axes) {
    if (other.name == axis.name) node.fail("another axis has the same name; give it a name of its own");
  }
  if (settings.size() > kMostCells / out.size) node.fail("the grid has more than 1e12 cells; leave values out");
  out.size *= settings.size();
  out.axes.push_back(std::move(axis));
  out.settings.push_back(std::move(settings));
}

void read_axis(const Node& node, Grid::Content& out) {
  node.need_table("an [[axis]] table");
  node.allow_only({"name", "key", "values", "from", "to", "step", "variant"});
  Grid::Axis axis;
  std::vector<std::vector<GridSetting>> settings;
  if (const auto variants = node.get("variant")) {
    if (node.get("key")) node.fail("has both key and variant; give one of them");
    variants->need_array("a list of { name, set }");
    axis.name = node.need("name", "name what varies").text();
    for (const Node& variant : variants->children()) {
      variant.need_table("a table with name and set");
      variant.allow_only({"name", "set"});
      axis.labels.push_back(label_of(Value::of(variant.need("name", "name the variant").text())));
      const Node set = variant.need("set", "say which keys it sets, as { \"ships.red.attack\" = 3 }");
      set.need_table("a table of keys and values");
      std::vector<GridSetting> of_value;
      for (const Node& setting : set.children()) of_value.push_back({setting.key(), setting.value(), {}});
      settings.push_back(std::move(of_value));
    }
    if (settings.empty()) variants->fail("the list is empty; give at least one variant");
  } else {
    const std::string key = node.need("key", "say which key of the scenario varies, as \"ships.red.attack\"").text();
    axis.name = key;
    node.read("name", axis.name);
    for (Value& value : values_of(node)) {
      axis.labels.push_back(label_of(value));
      settings.push_back({{key, std::move(value), {}}});
    }
  }
  add_axis(node, std::move(axis), std::move(settings), out);
}

/// `[grid]` is the short form: a key and its values.
void read_short_axis(const Node& node, Grid::Content& out) {
  Grid::Axis axis;
  axis.name = node.key();
  std::vector<std::vector<GridSetting>> settings;
  std::vector<Value> values;
  if (node.is(Value::Kind::Array)) {
    values = node.value().items;
    if (values.empty()) node.fail("the list is empty; give at least one value");
  } else {
    node.need_table("a list of values, or { from = 0, to = 3 }");
    node.allow_only({"values", "from", "to", "step"});
    values = values_of(node);
  }
  for (Value& value : values) {
    axis.labels.push_back(label_of(value));
    settings.push_back({{node.key(), std::move(value), {}}});
  }
  add_axis(node, std::move(axis), std::move(settings), out);
}

}  // namespace

Grid::Grid(std::unique_ptr<const Content> content) : content_(std::move(content)) {}
Grid::~Grid() = default;
Grid::Grid(Grid&&) noexcept = default;
Grid& Grid::operator=(Grid&&) noexcept = default;

const std::vector<Grid::Axis>& Grid::axes() const { return content_->axes; }
std::uint64_t Grid::size() const { return content_->size; }

std::vector<std::size_t> Grid::coordinates(std::uint64_t cell) const {
  std::vector<std::size_t> out(content_->axes.size());
  for (std::size_t a = out.size(); a-- > 0;) {
    const std::uint64_t values = content_->settings[a].size();
    out[a] = static_cast<std::size_t>(cell % values);
    cell /= values;
  }
  return out;
}

Scenario Grid::scenario(const std::vector<std::size_t>& coordinates) const {
  Value root = content_->base;
  for (std::size_t a = 0; a < coordinates.size(); ++a) {
    for (const GridSetting& setting : content_->settings[a][coordinates[a]]) {
      put(root, setting.steps, 0, setting.value);
    }
  }
  return load::read_scenario(root, content_->source);
}

Grid parse_grid(std::string_view text, const std::string& source) {
  load::check_text(text, source);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  auto out = std::make_unique<Grid::Content>();
  out->source = source;
  out->base = json ? load::parse_json(text, source) : load::parse_toml(text, source);
  if (out->base.kind != Value::Kind::Table) Node(out->base, source).fail_kind("a scenario with [[axis]] tables");
  const std::optional<Value> grid = out->base.take("grid"), axes = out->base.take("axis");
  if (!grid && !axes) {
    load::fail(source, "grid", 0, "the grid has no axis; add a table [grid] with keys and values, or [[axis]] tables");
  }
  if (grid) {
    const Node table(*grid, out->source);
    table.need_table("a table of keys and values");
    for (const Node& axis : table.children()) read_short_axis(axis, *out);
  }
  if (axes) {
    const Node list(*axes, out->source);
    list.need_array("[[axis]] tables, with two brackets");
    for (const Node& axis : list.children()) read_axis(axis, *out);
  }
  if (out->axes.empty()) load::fail(source, "grid", 0, "the grid has no axis; add a key with values");
  return Grid(std::move(out));
}

}  // namespace salvo
