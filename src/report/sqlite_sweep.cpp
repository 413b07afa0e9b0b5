#include "report/sqlite_sweep.h"

#include <fmt/format.h>

#include "report/sqlite.h"
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

struct SweepDatabase::Content {
  Content(const std::string& path, const load::Grid& of, const SweepColumns& which)
      : grid(of), columns(which), file(path) {}

  void begin(const std::string& path, const std::string& id);

  const load::Grid& grid;
  const SweepColumns& columns;
  Database file;
  std::optional<Statement> insert;
  std::uint64_t done = 0;
};

void SweepDatabase::Content::begin(const std::string& path, const std::string& id) {
  if (file.number("SELECT count(*) FROM sqlite_master") == 0) {
    std::string names = "cell INTEGER PRIMARY KEY";
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns.name(c) != "cell")
        names += fmt::format(", {} {}", quoted_name(columns.name(c)), type_of(columns.kind(c)));
    }
    file.run("BEGIN");
    file.run("CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    file.run(fmt::format("CREATE TABLE cells({})", names));
    Statement meta = file.prepare("INSERT INTO meta VALUES(?,?)");
    meta("format", "1");
    meta("work", id);
    file.run("COMMIT");
  } else if (file.number("SELECT count(*) FROM sqlite_master WHERE name IN ('meta', 'cells')") != 2 ||
             file.text("SELECT value FROM meta WHERE key = 'work'") != id) {
    throw LoadError(
        fmt::format("{} was begun with another grid or other options; choose another file, or --restart", path));
  }
  done = static_cast<std::uint64_t>(file.number("SELECT max(cell) + 1 FROM cells").value_or(0));
  std::string marks = "?";
  for (std::size_t c = 0; c < columns.size(); ++c) marks += columns.name(c) == "cell" ? "" : ",?";
  insert.emplace(file.prepare(fmt::format("INSERT INTO cells VALUES({})", marks)));
}

SweepDatabase::SweepDatabase(const std::string& path, const std::string& id, const load::Grid& grid,
                             const SweepColumns& columns)
    : content_(std::make_unique<Content>(path, grid, columns)) {
  content_->begin(path, id);
}
SweepDatabase::~SweepDatabase() = default;

std::uint64_t SweepDatabase::done() const { return content_->done; }

void SweepDatabase::add(const std::vector<study::SweepRow>& rows) {
  content_->file.run("BEGIN");
  for (const study::SweepRow& row : rows) {
    const std::vector<std::size_t> at = content_->grid.coordinates(row.cell);
    Statement& insert = *content_->insert;
    int place = 0;
    std::vector<Cell> cells;  // texts must live until the statement has run
    cells.reserve(content_->columns.size());
    insert.put(++place, row.cell);
    for (std::size_t c = 0; c < content_->columns.size(); ++c) {
      if (content_->columns.name(c) == "cell") continue;
      const Cell& cell = cells.emplace_back(content_->columns.value(c, row, at));
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
    content_->done = row.cell + 1;
  }
  content_->file.run("COMMIT");
}

}  // namespace salvo::report
