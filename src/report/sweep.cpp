// Writes text by hand, since a sweep has millions of rows.
#include "report/sweep.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "report/columns.h"
#include "report/json_writer.h"
#include "report/provenance.h"

namespace salvo::report {

using study::SweepRow;
using study::SweepShip;

namespace {

std::string quoted(const std::string& text) {
  std::string out;
  append_json(out, text);
  return out;
}

void add_ship(const SweepShip& ship, bool sampled, std::string& out) {
  append_json(out, ship.name);
  out += ": {\"mean\": ";
  append_json(out, ship.mean);
  if (sampled) {
    out += ", \"mean_se\": ";
    append_json(out, ship.mean_se);
  }
  out += ", \"at_least\": [";
  for (std::size_t k = 0; k < ship.at_least.size(); ++k) {
    if (k > 0) out += ", ";
    append_json(out, ship.at_least[k]);
  }
  out += "]";
  if (sampled) {
    out += ", \"at_least_se\": [";
    for (std::size_t k = 0; k < ship.at_least_se.size(); ++k) {
      if (k > 0) out += ", ";
      append_json(out, ship.at_least_se[k]);
    }
    out += "]";
  }
  out += ", \"destroyed\": ";
  if (ship.destructible) {
    append_json(out, ship.destroyed);
  } else {
    out += "null";
  }
  if (sampled && ship.destructible) {
    out += ", \"destroyed_se\": ";
    append_json(out, ship.destroyed_se);
  }
  out += '}';
}

/// The label of an axis without JSON's quotes, for CSV.
std::string plain_label(const std::string& label) {
  if (!label.starts_with('"')) return label;
  return json_unquoted(label);
}

}  // namespace

RowWriter::RowWriter(const load::Grid& grid, bool csv, int (*status)(ErrorKind))
    : grid_(grid), ships_(csv ? attacked_ships(grid) : std::vector<std::string>()), status_(status) {
  for (std::size_t a = 0; a < grid.axes().size(); ++a) {
    for (const load::Grid::Column& column : grid.axes()[a].columns) {
      columns_.push_back({&column, a, quoted(column.name) + ": ", {}});
      for (const std::string& label : column.labels)
        columns_.back().fields.push_back(base::csv_field(plain_label(label)));
    }
  }
}

void RowWriter::add_json_line(const SweepRow& row, std::string& out) const {
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{{\"cell\": {}, \"set\": {{"), row.cell);
  const std::vector<std::size_t> at = grid_.coordinates(row.cell);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (c > 0) out += ", ";
    out += columns_[c].name;
    out += columns_[c].of->labels[at[columns_[c].axis]];
  }
  out += '}';
  if (row.error) {
    out += fmt::format(", \"error\": {{\"place\": {}, \"message\": {}, \"status\": {}}}}}\n", quoted(row.error->place),
                       quoted(row.error->message), status_(row.error->kind));
    return;
  }
  const bool sampled = row.engine == Engine::Sample;
  out += ", \"engine\": \"";
  out += to_string(row.engine);
  out += "\", \"value\": ";
  append_json(out, row.value);
  if (sampled) {
    out += ", \"value_se\": ";
    append_json(out, row.value_se);
  }
  out += ", \"ships\": {";
  for (std::size_t s = 0; s < row.ships.size(); ++s) {
    if (s > 0) out += ", ";
    add_ship(row.ships[s], sampled, out);
  }
  out += '}';
  for (std::size_t i = 0; i < kCaveatKeys.size(); ++i) {
    const std::vector<std::string>& list = row.*kCaveatLists[i];
    if (list.empty()) continue;
    fmt::format_to(std::back_inserter(out), FMT_COMPILE(", \"{}\": "), kCaveatKeys[i]);
    JsonWriter json;
    json.value(list);
    out += json.take();
  }
  out += "}\n";
}

std::string RowWriter::csv_head() const {
  std::string out = "cell";
  for (const AxisColumn& column : columns_) out += "," + base::csv_field(column.of->name);
  out += ",engine,value,value_se";
  for (const std::string& ship : ships_) {
    for (const char* figure : {"mean", "mean_se", "destroyed"}) out += "," + base::csv_field(ship + "." + figure);
    for (std::size_t k = 1; k <= kCsvTails; ++k) out += "," + base::csv_field(fmt::format("{}.at_least_{}", ship, k));
  }
  out += ",error";
  for (const char* key : kCaveatKeys) out += fmt::format(",{}", key);
  for (const std::string& ship : ships_) {
    out += "," + base::csv_field(ship + ".destroyed_se");
    for (std::size_t k = 1; k <= kCsvTails; ++k)
      out += "," + base::csv_field(fmt::format("{}.at_least_{}_se", ship, k));
  }
  return out + "\n";
}

void RowWriter::add_csv_line(const SweepRow& row, std::string& out) const {
  const auto number = [&out](double x) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), x == 0 ? 0.0 : x);
  };
  const bool sampled = row.engine == Engine::Sample, failed = row.error.has_value();
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), row.cell);
  const std::vector<std::size_t> at = grid_.coordinates(row.cell);
  for (const AxisColumn& column : columns_) {
    out += ',';
    out += column.fields[at[column.axis]];
  }
  out += ',';
  if (!failed) out += to_string(row.engine);
  out += ',';
  if (!failed) number(row.value);
  out += ',';
  if (sampled) number(row.value_se);
  for (const std::string& name : ships_) {
    const auto ship =
        std::find_if(row.ships.begin(), row.ships.end(), [&](const SweepShip& x) { return x.name == name; });
    const bool known = ship != row.ships.end();
    out += ',';
    if (known) number(ship->mean);
    out += ',';
    if (known && sampled) number(ship->mean_se);
    out += ',';
    if (known && ship->destructible) number(ship->destroyed);
    for (std::size_t k = 1; k <= kCsvTails; ++k) {
      out += ',';
      if (known) number(k < ship->at_least.size() ? ship->at_least[k] : 0.0);
    }
  }
  out += ',';
  if (failed) {
    out += base::csv_field(row.error->place.empty() ? row.error->message
                                                    : fmt::format("{}: {}", row.error->place, row.error->message));
  }
  for (const auto list : kCaveatLists) {
    out += ',';
    if (!(row.*list).empty()) out += base::csv_field(base::joined(row.*list, "; "));
  }
  for (const std::string& name : ships_) {
    const auto ship =
        std::find_if(row.ships.begin(), row.ships.end(), [&](const SweepShip& x) { return x.name == name; });
    const bool known = sampled && ship != row.ships.end();
    out += ',';
    if (known && ship->destructible) number(ship->destroyed_se);
    for (std::size_t k = 1; k <= kCsvTails; ++k) {
      out += ',';
      if (known) number(k < ship->at_least_se.size() ? ship->at_least_se[k] : 0.0);
    }
  }
  out += '\n';
}

}  // namespace salvo::report
