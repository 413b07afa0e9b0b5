#include "report/sqlite_sweep.h"

#include <fmt/format.h>

#include "salvo/errors.h"

namespace salvo::report {
namespace {

std::string quoted_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

const char* type_of(SweepColumns::Kind kind) {
  switch (kind) {
    case SweepColumns::Kind::Integer:
      return "INTEGER";
    case SweepColumns::Kind::Real:
      return "REAL";
    case SweepColumns::Kind::Text:
      break;
  }
  return "TEXT";
}

}  // namespace

SweepDatabase::SweepDatabase(const std::string& path, const std::string& id, const load::Grid& grid,
                             const SweepColumns& columns)
    : grid_(grid), columns_(columns), file_(path) {
  if (file_.number("SELECT count(*) FROM sqlite_master") == 0) {
    std::string names = "cell INTEGER PRIMARY KEY";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_.name(c) != "cell")
        names += fmt::format(", {} {}", quoted_name(columns_.name(c)), type_of(columns_.kind(c)));
    }
    file_.run("BEGIN");
    file_.run("CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    file_.run(fmt::format("CREATE TABLE cells({})", names));
    Statement meta = file_.prepare("INSERT INTO meta VALUES(?,?)");
    meta("format", "1");
    meta("work", id);
    file_.run("COMMIT");
  } else if (file_.number("SELECT count(*) FROM sqlite_master WHERE name IN ('meta', 'cells')") != 2 ||
             file_.text("SELECT value FROM meta WHERE key = 'work'") != id) {
    throw LoadError(
        fmt::format("{} was begun with another grid or other options; choose another file, or --restart", path));
  }
  done_ = static_cast<std::uint64_t>(file_.number("SELECT max(cell) + 1 FROM cells").value_or(0));
  std::string marks = "?";
  for (std::size_t c = 0; c < columns_.size(); ++c) marks += columns_.name(c) == "cell" ? "" : ",?";
  insert_.emplace(file_.prepare(fmt::format("INSERT INTO cells VALUES({})", marks)));
}

void SweepDatabase::add(const std::vector<study::SweepRow>& rows) {
  file_.run("BEGIN");
  for (const study::SweepRow& row : rows) {
    const std::vector<std::size_t> at = grid_.coordinates(row.cell);
    Statement& insert = *insert_;
    int place = 0;
    std::vector<Cell> cells;  // texts must live until the statement has run
    cells.reserve(columns_.size());
    insert.put(++place, row.cell);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_.name(c) == "cell") continue;
      const Cell& cell = cells.emplace_back(columns_.value(c, row, at));
      ++place;
      if (const auto* text = std::get_if<std::string>(&cell)) {
        insert.put(place, *text);
      } else if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        insert.put(place, *number);
      } else if (const auto* real = std::get_if<double>(&cell)) {
        insert.put(place, *real);
      } else {
        insert.put(place, std::nullopt);
      }
    }
    insert.step();
    done_ = row.cell + 1;
  }
  file_.run("COMMIT");
}

}  // namespace salvo::report
