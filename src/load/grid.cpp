#include "load/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "load/scenario_tree.h"
#include "load/slot_rules.h"

namespace salvo::load {

using data::Node;
using data::Value;

/// A step of a key path: a member name, or the index of a list item (-1: all).
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

/// The card set that "all" refers to.
struct CardSource {
  const Catalogue* catalogue = nullptr;
  std::string cards;
};

constexpr std::uint64_t kMaxCells = 1'000'000'000'000;
constexpr int kMaxValues = 1'000'000;

// ---------------------------------------------------------------- keys

[[noreturn]] void fail_path(const Node& node, const std::string& path) {
  node.fail(base::in_quotes(path) + " is not a key of a scenario; write it as ships.red.attack or attacks[0].range");
}

/// "attacks[0].range" -> attacks, item 0, range. Names of ships may contain any character but "." and "[".
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

/// The member of a table, added if missing.
Value& member(Value& table, const std::string& name) {
  if (table.kind == Value::Kind::Null) table.kind = Value::Kind::Table;
  Value* const known = table.find(name);
  return known != nullptr ? *known : table.add(name, Value());
}

/// Sets the value at the path. Returns false if the path leads through something that is not a table or list.
bool set_at(Value& at, const std::vector<GridStep>& path, std::size_t step, const Value& value) {
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
    return set_at(member(at, here.name), path, step + 1, value);
  }
  if (at.kind != Value::Kind::Array) return false;
  if (here.index >= static_cast<int>(at.items.size())) return false;
  for (std::size_t i = 0; i < at.items.size(); ++i) {
    if (here.index >= 0 && here.index != static_cast<int>(i)) continue;
    if (!set_at(at.items[i], path, step + 1, value)) return false;
  }
  return !at.items.empty();
}

// ---------------------------------------------------------------- axes

/// A value as JSON text.
std::string label_of(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Null:
      return "null";
    case Value::Kind::Boolean:
      return value.boolean ? "true" : "false";
    case Value::Kind::Integer:
      return value.huge ? value.text : std::to_string(value.integer);
    case Value::Kind::Real:
      if (value.text.find_first_not_of("+-.0123456789eE") == std::string::npos) return value.text;
      break;
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
  const int first = from.integer(-kMaxValues, kMaxValues), last = to.integer(-kMaxValues, kMaxValues);
  int step = 1;
  node.read("step", 1, kMaxValues, step);
  if (last < first) to.fail("is below from; swap the two");
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
      if (!set_at(trial, setting.steps, 0, setting.value)) fail_path(node, setting.path);
      axis.paths.back().push_back(setting.path);
    }
  }
  for (const Grid::Axis& other : out.axes) {
    const bool same = std::any_of(axis.columns.begin(), axis.columns.end(), [&](const Grid::Column& mine) {
      return std::any_of(other.columns.begin(), other.columns.end(),
                         [&](const Grid::Column& column) { return column.name == mine.name; });
    });
    if (same || other.name == axis.name) node.fail("another axis has the same name; choose a different one");
  }
  if (settings.size() > kMaxCells / out.size) node.fail("the grid has more than 1e12 cells; leave values out");
  out.size *= settings.size();
  out.axes.push_back(std::move(axis));
  out.settings.push_back(std::move(settings));
}

/// An axis under construction.
struct AxisDraft {
  Grid::Axis axis;
  std::vector<std::vector<GridSetting>> settings;  ///< by value

  void add(const std::string& label, std::vector<GridSetting> of_value) {
    if (axis.columns.empty()) axis.columns.push_back({axis.name, {}});
    axis.columns.front().labels.push_back(label);
    settings.push_back(std::move(of_value));
  }
};

AxisDraft variants_of(const Node& node, const Node& variants) {
  if (node.get("key")) node.fail("has both key and variant; give one of them");
  variants.need_array("a list of { name, set }");
  AxisDraft out;
  out.axis.name = node.need("name", "name what varies").text();
  for (const Node& variant : variants.children()) {
    variant.need_table("a table with name and set");
    variant.allow_only({"name", "set"});
    const std::string label = label_of(Value::of(variant.need("name", "name the variant").text()));
    const Node set = variant.need("set", "say which keys it sets, for example { \"ships.red.attack\" = 3 }");
    set.need_table("a table of keys and values");
    std::vector<GridSetting> of_value;
    for (const Node& setting : set.children()) of_value.push_back({setting.key(), setting.value(), {}});
    out.add(label, std::move(of_value));
  }
  if (out.settings.empty()) variants.fail("the list is empty; give at least one variant");
  return out;
}

/// A list, or a table with values or from and to.
std::vector<Value> short_values(const Node& node) {
  if (!node.is(Value::Kind::Array)) {
    node.need_table("a list of values, or { from = 0, to = 3 }");
    node.allow_only({"values", "from", "to", "step"});
    return values_of(node);
  }
  if (node.value().items.empty()) node.fail("the list is empty; give at least one value");
  return node.value().items;
}

/// Lists that vary together: the first values, the second values, ...
AxisDraft zipped(const Node& node, const Node& zip) {
  if (node.get("key")) node.fail("has both key and zip; give one of them");
  zip.need_table("a table of keys and lists of the same length");
  AxisDraft out;
  for (const Node& list : zip.children()) {
    std::vector<Value> values = short_values(list);
    if (out.axis.columns.empty()) {
      out.axis.name = list.key();
      out.settings.resize(values.size());
    }
    if (values.size() != out.settings.size()) {
      list.fail(fmt::format("has {} values and the lists before it have {}; give each the same number", values.size(),
                            out.settings.size()));
    }
    Grid::Column& column = out.axis.columns.emplace_back(Grid::Column{list.key(), {}});
    for (std::size_t i = 0; i < values.size(); ++i) {
      column.labels.push_back(label_of(values[i]));
      out.settings[i].push_back({list.key(), std::move(values[i]), {}});
    }
  }
  if (out.settings.empty()) zip.fail("the table is empty; give at least one key and its list");
  node.read("name", out.axis.name);
  return out;
}

AxisDraft axis_of_values(const std::string& key, const std::string& name, std::vector<Value> values) {
  AxisDraft out;
  out.axis.name = name;
  for (Value& value : values) {
    const std::string label = label_of(value);
    out.add(label, {{key, std::move(value), {}}});
  }
  return out;
}

// ---------------------------------------------------------------- "all"

/// The value at a path of names, or nullptr.
const Value* value_at(const Value& base, const std::vector<GridStep>& path) {
  const Value* at = &base;
  for (const GridStep& step : path) {
    at = step.item || at->kind != Value::Kind::Table ? nullptr : at->find(step.name);
    if (at == nullptr) break;
  }
  return at;
}

/// The text at a path of names; empty: none.
std::string text_at(const Value& base, const std::vector<GridStep>& path) {
  const Value* const at = value_at(base, path);
  return at != nullptr && at->kind == Value::Kind::Text ? at->text : "";
}

/// Expands "all", as in `"ships.red.pilot" = "all"`.
class AllReader {
 public:
  AllReader(const Node& node, const std::string& key, const CardSource& source, const Grid::Content& content)
      : node_(node), key_(key), source_(source), content_(content) {
    if (source.catalogue == nullptr) node.fail("\"all\" needs the profiles; list the values");
    const std::size_t dot = std::min(key.rfind('.'), key.size());
    ship_key_ = key.substr(0, dot);
    what_ = key.substr(std::min(dot + 1, key.size()));
    ship_ = here("ship");
    pilot_ = here("pilot");
  }

  /// `slot`: slot of the upgrades; empty: any.
  AxisDraft read(const std::string& slot) {
    if (what_ == "ship") {
      for (const std::string& id : source_.catalogue->ship_ids(source_.cards)) add({{"ship", id}});
    } else if (what_ == "pilot") {
      for (const auto& [pilot, ship] : pilots()) {
        if (slot.empty()) {
          add({{"pilot", pilot}, {"ship", ship}});
          continue;
        }
        for (const std::string& upgrade : upgrades(pilot, ship, slot))
          add({{"pilot", pilot}, {"ship", ship}, {"upgrades", upgrade}});
      }
    } else if (what_ == "upgrades") {
      for (const std::string& upgrade : upgrades(pilot_, ship_, slot)) add({{"upgrades", upgrade}});
    } else {
      node_.fail("\"all\" stands for the values of ship, pilot and upgrades; list the values of others");
    }
    if (out_.settings.empty()) {
      node_.fail(fmt::format("the card set {} has nothing for \"all\" here; list the values", source_.cards));
    }
    return std::move(out_);
  }

 private:
  std::string here(const std::string& key) const {
    return text_at(content_.base, split_path(node_, ship_key_ + "." + key));
  }

  /// Pilots with their ships: those of the ship that the scenario names, or else all.
  std::vector<std::pair<std::string, std::string>> pilots() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const std::string& pilot : source_.catalogue->pilot_ids(source_.cards)) {
      for (const std::string& ship : source_.catalogue->ships_of_pilot(pilot, source_.cards)) {
        if (ship_.empty() || ship == ship_) out.emplace_back(pilot, ship);
      }
    }
    return out;
  }

  /// Upgrades that may be added. The empty text, for none, comes first.
  std::vector<std::string> upgrades(const std::string& pilot, const std::string& ship, const std::string& slot) {
    std::vector<std::string> out{""};
    if (!slot_rules_) slot_rules_.emplace(*source_.catalogue, source_.cards);
    for (const std::string& id : source_.catalogue->upgrade_ids(source_.cards)) {
      if (slot_rules_->can_equip(ship, pilot, id, slot)) out.push_back(id);
    }
    return out;
  }

  /// Adds a value, given as what it sets for each key of the ship.
  void add(const std::vector<std::pair<std::string, std::string>>& values) {
    if (out_.axis.columns.empty()) {
      out_.axis.name = key_;
      for (const auto& [key, value] : values) out_.axis.columns.push_back({ship_key_ + "." + key, {}});
    }
    std::vector<GridSetting>& settings = out_.settings.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& [key, value] = values[i];
      out_.axis.columns[i].labels.push_back(label_of(Value::of(value)));
      settings.push_back({ship_key_ + "." + key, key == "upgrades" ? with_upgrade(value) : Value::of(value), {}});
    }
  }

  /// The upgrades of the scenario plus one more.
  Value with_upgrade(const std::string& id) const {
    Value list;
    const Value* const at = value_at(content_.base, split_path(node_, ship_key_ + ".upgrades"));
    if (at != nullptr && at->kind == Value::Kind::Array) list = *at;
    list.key.clear();
    list.kind = Value::Kind::Array;
    if (!id.empty()) list.items.push_back(Value::of(id));
    return list;
  }

  const Node& node_;
  const std::string key_;
  const CardSource& source_;
  const Grid::Content& content_;
  std::string ship_key_, what_, ship_, pilot_;
  std::optional<SlotRules> slot_rules_;
  AxisDraft out_;
};

bool is_all(const Node& node) { return node.is(Value::Kind::Text) && node.text() == "all"; }

// ---------------------------------------------------------------- the forms of an axis

void read_axis(const Node& node, const CardSource& source, Grid::Content& out) {
  node.need_table("an [[axis]] table");
  node.allow_only({"name", "key", "values", "from", "to", "step", "variant", "zip", "slot"});
  AxisDraft draft;
  if (const auto variants = node.get("variant")) {
    draft = variants_of(node, *variants);
  } else if (const auto zip = node.get("zip")) {
    draft = zipped(node, *zip);
  } else {
    const std::string key =
        node.need("key", "say which key of the scenario varies, for example \"ships.red.attack\"").text();
    std::string name = key, slot;
    node.read("name", name);
    node.read("slot", slot);
    const auto values = node.get("values");
    if (values && is_all(*values)) {
      draft = AllReader(node, key, source, out).read(slot);
    } else {
      if (!slot.empty()) node.fail("slot goes with values = \"all\"; leave it out");
      draft = axis_of_values(key, name, values_of(node));
    }
  }
  add_axis(node, std::move(draft.axis), std::move(draft.settings), out);
}

/// An entry of [grid], the short form: a key and its values.
void read_short_axis(const Node& node, const CardSource& source, Grid::Content& out) {
  const std::string key = node.key();
  std::optional<AxisDraft> draft;
  if (is_all(node)) {
    draft = AllReader(node, key, source, out).read("");
  } else if (node.is(Value::Kind::Table) && node.get("all")) {
    node.allow_only({"all"});
    draft = AllReader(node, key, source, out).read(node.get("all")->text());
  } else {
    draft = axis_of_values(key, key, short_values(node));
  }
  add_axis(node, std::move(draft->axis), std::move(draft->settings), out);
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
      set_at(root, setting.steps, 0, setting.value);
    }
  }
  return read_scenario(root, content_->source);
}

std::vector<std::string> Grid::ships() const {
  std::vector<std::string> out;
  for (const auto& [name, ship] : scenario(std::vector<std::size_t>(axes().size(), 0)).ships) out.push_back(name);
  return out;
}

Grid parse_grid(std::string_view text, const std::string& source, const Catalogue* catalogue,
                const std::optional<std::string>& cards) {
  text = data::check_text(text, source);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  auto out = std::make_unique<Grid::Content>();
  out->source = source;
  out->base = json ? data::parse_json(text, source) : data::parse_toml(text, source);
  if (out->base.kind != Value::Kind::Table) Node(out->base, source).fail_kind("a scenario with [[axis]] tables");
  const std::optional<Value> grid = out->base.take("grid"), axes = out->base.take("axis");
  CardSource where{catalogue, ""};
  if (catalogue != nullptr) {
    const std::string rules = text_at(out->base, {{"rules"}});
    where.cards =
        catalogue->card_set(cards.value_or(text_at(out->base, {{"cards"}})), rules.empty() ? Scenario().rules : rules);
  }
  if (!grid && !axes) {
    data::fail(source, "grid", 0, "the grid has no axis; add a table [grid] with keys and values, or [[axis]] tables");
  }
  if (grid) {
    const Node table(*grid, out->source);
    table.need_table("a table of keys and values");
    for (const Node& axis : table.children()) read_short_axis(axis, where, *out);
  }
  if (axes) {
    const Node list(*axes, out->source);
    list.need_array("[[axis]] tables, with two brackets");
    for (const Node& axis : list.children()) read_axis(axis, where, *out);
  }
  if (out->axes.empty()) data::fail(source, "grid", 0, "the grid has no axis; add a key with values");
  return Grid(std::move(out));
}

}  // namespace salvo::load
