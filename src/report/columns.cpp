#include "report/columns.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "base/text.h"
#include "report/json_writer.h"
#include "report/provenance.h"

namespace salvo::report {

using study::SweepRow;
using study::SweepShip;

namespace {

constexpr std::size_t kMaxTail = 99;

/// The value of a label: a whole number, a text without its quotes, or 1 and 0 for true and false unless in `csv`.
Cell cell_of(const std::string& label, bool csv) {
  if (label.starts_with('"')) return json_unquoted(label);
  if (!csv && (label == "true" || label == "false")) return std::int64_t{label == "true"};
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
  if (error == std::errc() && end == label.data() + label.size()) return number;
  return label;
}

/// Appends a value as a field of CSV.
void add_field(const Cell& cell, std::string& out) {
  if (const auto* text = std::get_if<std::string>(&cell)) out += base::csv_field(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), *number);
  if (const auto* number = std::get_if<double>(&cell))
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), *number == 0 ? 0.0 : *number);
}

}  // namespace

std::vector<std::string> attacked_ships(const load::Grid& grid) {
  std::set<std::string> names;
  const Scenario first = grid.scenario(std::vector<std::size_t>(grid.axes().size(), 0));
  for (const ScenarioAttack& attack : first.attacks) {
    names.insert(attack.on);
    names.insert(attack.targets.begin(), attack.targets.end());
  }
  return {names.begin(), names.end()};
}

SweepColumns::Column SweepColumns::axis_column(const load::Grid::Column& column, std::size_t axis, bool csv) {
  Column out{column.name, Kind::Integer, Estimate::Axis, "", 0, false, axis};
  for (const std::string& label : column.labels) {
    out.values.push_back(cell_of(label, csv));
    if (std::holds_alternative<std::string>(out.values.back())) out.kind = Kind::Text;
  }
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const bool text = std::holds_alternative<std::string>(out.values[i]);
    if (out.kind == Kind::Text && !text) out.values[i] = column.labels[i];  // all of one kind
    add_field(out.values[i], out.fields.emplace_back());
  }
  return out;
}

SweepColumns::Column SweepColumns::tail(const std::string& ship, std::size_t k, bool se) {
  return {fmt::format("{}.at_least_{}{}", ship, k, se ? "_se" : ""), Kind::Real, Estimate::Tail, ship, k, se};
}

SweepColumns::SweepColumns(const load::Grid& grid, bool csv) : grid_(grid), attacked_(attacked_ships(grid)) {
  all_.push_back({"cell", Kind::Integer, Estimate::Number});
  for (std::size_t a = 0; a < grid.axes().size(); ++a) {
    for (const load::Grid::Column& column : grid.axes()[a].columns) all_.push_back(axis_column(column, a, csv));
  }
  all_.push_back({"engine", Kind::Text, Estimate::Engine});
  all_.push_back({"value", Kind::Real, Estimate::Value});
  all_.push_back({"value_se", Kind::Real, Estimate::Value, "", 0, true});
  for (const std::string& ship : attacked_) {
    all_.push_back({ship + ".mean", Kind::Real, Estimate::Mean, ship});
    all_.push_back({ship + ".mean_se", Kind::Real, Estimate::Mean, ship, 0, true});
    all_.push_back({ship + ".destroyed", Kind::Real, Estimate::Destroyed, ship});
    for (std::size_t k = 1; k <= kCsvTails; ++k) all_.push_back(tail(ship, k, false));
  }
  all_.push_back({"error", Kind::Text, Estimate::Error});
  for (std::size_t k = 0; k < kCaveatKeys.size(); ++k)
    all_.push_back({kCaveatKeys[k], Kind::Text, Estimate::Caveat, "", k});
  for (const std::string& ship : attacked_) {
    all_.push_back({ship + ".destroyed_se", Kind::Real, Estimate::Destroyed, ship, 0, true});
    for (std::size_t k = 1; k <= kCsvTails; ++k) all_.push_back(tail(ship, k, true));
  }
  if (!csv) {
    for (const std::string& ship : grid.ships()) all_.push_back({ship + ".cost", Kind::Integer, Estimate::Cost, ship});
  }
  chosen_ = all_;
}

void SweepColumns::add_named(const std::string& name, std::vector<Column>& out) const {
  const std::size_t before = out.size();
  for (const Column& column : all_) {
    const bool figure_of_all = !column.ship.empty() && column.name == column.ship + "." + name;
    const bool tails = name == "at_least" && column.figure == Estimate::Tail && !column.se;
    const bool group =
        (name == "axes" && column.figure == Estimate::Axis) || (name == "caveats" && column.figure == Estimate::Caveat);
    if (column.name == name || figure_of_all || tails || group) out.push_back(column);
  }
  if (out.size() > before) return;
  for (const std::string& ship : attacked_) {  // CSV has fewer tails
    const std::string_view head = "at_least_";
    std::string_view rest = name;
    if (rest.starts_with(ship + ".")) {
      rest.remove_prefix(ship.size() + 1);
    } else if (!rest.starts_with(head)) {
      continue;
    }
    if (!rest.starts_with(head)) continue;
    std::size_t k = 0;
    const auto [end, error] = std::from_chars(rest.data() + head.size(), rest.data() + rest.size(), k);
    if (error == std::errc() && end == rest.data() + rest.size() && k >= 1 && k <= kMaxTail)
      out.push_back(tail(ship, k, false));
  }
  if (out.size() > before) return;
  std::vector<std::string> known{"axes", "mean", "destroyed", "at_least", "cost", "caveats"};
  for (const Column& column : all_) known.push_back(column.name);
  throw ScenarioError("columns",
                      fmt::format("there is no column {:?}; there are {}",
                                  base::clip_to_width(base::strip_control(name), 60), base::joined(known, ", ")));
}

void SweepColumns::choose(const std::vector<std::string>& names) {
  std::vector<Column> chosen;
  for (const std::string& name : names) add_named(name, chosen);
  std::set<std::string> once;
  for (const Column& column : chosen) {
    if (!once.insert(column.name).second)
      throw ScenarioError("columns", fmt::format("the column {} is named twice; name it once", column.name));
  }
  if (chosen.empty()) throw ScenarioError("columns", "no column is named; name at least one");
  chosen_ = std::move(chosen);
}

bool SweepColumns::has_costs() const {
  return std::any_of(chosen_.begin(), chosen_.end(), [](const Column& one) { return one.figure == Estimate::Cost; });
}

Cell SweepColumns::of_ship(const Column& column, const SweepShip& ship) const {
  if (column.figure == Estimate::Mean) return column.se ? ship.mean_se : ship.mean;
  if (column.figure == Estimate::Destroyed) {
    if (!ship.destructible) return {};
    return column.se ? ship.destroyed_se : ship.destroyed;
  }
  const std::vector<double>& list = column.se ? ship.at_least_se : ship.at_least;
  return column.k < list.size() ? list[column.k] : 0.0;
}

Cell SweepColumns::value(std::size_t number, const SweepRow& row, const std::vector<std::size_t>& at) const {
  const Column& column = chosen_[number];
  const bool failed = row.error.has_value();
  switch (column.figure) {
    case Estimate::Number:
      return static_cast<std::int64_t>(row.cell);
    case Estimate::Axis:
      return column.values[at[column.axis]];
    case Estimate::Error:
      if (!failed) return {};
      return row.error->place.empty() ? row.error->message
                                      : fmt::format("{}: {}", row.error->place, row.error->message);
    case Estimate::Caveat: {
      const std::vector<std::string>& list = row.*kCaveatLists[column.k];
      return list.empty() ? Cell() : Cell(base::joined(list, "; "));
    }
    case Estimate::Cost: {
      const auto cost =
          std::find_if(row.costs.begin(), row.costs.end(), [&](const auto& one) { return one.first == column.ship; });
      return cost == row.costs.end() ? Cell() : Cell(std::int64_t{cost->second});
    }
    default:
      break;
  }
  if (failed || (column.se && row.engine != Engine::Sample)) return {};
  if (column.figure == Estimate::Engine) return std::string(to_string(row.engine));
  if (column.figure == Estimate::Value) return column.se ? row.value_se : row.value;
  const auto ship =
      std::find_if(row.ships.begin(), row.ships.end(), [&](const SweepShip& one) { return one.name == column.ship; });
  return ship == row.ships.end() ? Cell() : of_ship(column, *ship);
}

std::string SweepColumns::csv_head() const {
  std::string out;
  for (const Column& column : chosen_) out += (out.empty() ? "" : ",") + base::csv_field(column.name);
  return out + "\n";
}

void SweepColumns::add_csv_line(const SweepRow& row, std::string& out) const {
  const std::vector<std::size_t> at = grid_.coordinates(row.cell);
  for (std::size_t c = 0; c < size(); ++c) {
    if (c > 0) out += ',';
    const Column& column = chosen_[c];
    if (column.figure == Estimate::Axis) {
      out += column.fields[at[column.axis]];
    } else {
      add_field(value(c, row, at), out);
    }
  }
  out += '\n';
}

void SweepColumns::add_json_line(const SweepRow& row, std::string& out) const {
  const std::vector<std::size_t> at = grid_.coordinates(row.cell);
  out += json_line([&](JsonWriter& json) {
    for (std::size_t c = 0; c < size(); ++c) {
      const Cell cell = value(c, row, at);
      if (const auto* text = std::get_if<std::string>(&cell)) {
        json.member(name(c), *text);
      } else if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        json.member(name(c), *number);
      } else if (const auto* real = std::get_if<double>(&cell)) {
        json.member(name(c), *real);
      } else {
        json.member(name(c), std::nullopt);
      }
    }
  });
  out += '\n';
}

}  // namespace salvo::report
