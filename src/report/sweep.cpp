// Writes text by hand, since a sweep has millions of rows.
#include "report/sweep.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "report/json_writer.h"
#include "report/provenance.h"

namespace salvo::report {

namespace {

std::string quoted(const std::string& text) {
  std::string out;
  append_json(out, text);
  return out;
}

void add_number(std::string& out, std::string_view before, double x) {
  out += before;
  append_json(out, x);
}

void add_list(std::string& out, std::string_view key, const std::vector<double>& list) {
  out += key;
  for (std::size_t k = 0; k < list.size(); ++k) add_number(out, k > 0 ? ", " : "[", list[k]);
  out += list.empty() ? "[]" : "]";
}

void add_ship(const study::SweepShip& ship, bool sampled, std::string& out) {
  append_json(out, ship.name);
  add_number(out, ": {\"mean\": ", ship.mean);
  if (sampled) add_number(out, ", \"mean_se\": ", ship.mean_se);
  add_list(out, ", \"at_least\": ", ship.at_least);
  if (sampled) add_list(out, ", \"at_least_se\": ", ship.at_least_se);
  if (ship.destructible) {
    add_number(out, ", \"destroyed\": ", ship.destroyed);
    if (sampled) add_number(out, ", \"destroyed_se\": ", ship.destroyed_se);
  } else {
    out += ", \"destroyed\": null";
  }
  out += '}';
}

}  // namespace

RowWriter::RowWriter(const load::Grid& grid, int (*status)(ErrorKind)) : grid_(grid), status_(status) {
  for (std::size_t a = 0; a < grid.axes().size(); ++a) {
    for (const load::Grid::Column& column : grid.axes()[a].columns)
      columns_.push_back({&column, a, quoted(column.name) + ": "});
  }
}

void RowWriter::add_json_line(const study::SweepRow& row, std::string& out) const {
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
  add_number(out, "\", \"value\": ", row.value);
  if (sampled) add_number(out, ", \"value_se\": ", row.value_se);
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

}  // namespace salvo::report
