// Without the SQLite library every member throws.
#include "report/sqlite.h"

#include <fmt/format.h>

#include <cmath>

#include "salvo/errors.h"

std::optional<std::int64_t> salvo::report::Database::number(const std::string& sql) {
  const std::optional<std::string> found = text(sql);
  return found ? std::optional(std::stoll(*found)) : std::nullopt;
}

#ifdef SALVO_SQLITE
#include <sqlite3.h>

namespace salvo::report {

struct Database::Connection {
  explicit Connection(const std::string& name) : path(name) {}
  ~Connection() { sqlite3_close(handle); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    throw LoadError(fmt::format("{}: the database cannot be used ({}); choose another file", path,
                                handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code)));
  }

  std::string path;
  sqlite3* handle = nullptr;
};

struct Statement::Prepared {
  Prepared(Database::Connection& of, const std::string& sql) : connection(of) {
    of.check(sqlite3_prepare_v2(of.handle, sql.c_str(), -1, &handle, nullptr));
  }
  ~Prepared() { sqlite3_finalize(handle); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  Database::Connection& connection;
  sqlite3_stmt* handle = nullptr;
};

Database::Database(const std::string& path) : connection_(std::make_unique<Connection>(path)) {
  connection_->check(sqlite3_open(path.c_str(), &connection_->handle));
  constexpr int kMilliseconds = 20'000;  // another program may read the file meanwhile
  sqlite3_busy_timeout(connection_->handle, kMilliseconds);
}
Database::~Database() = default;

void Database::run(const std::string& sql) {
  connection_->check(sqlite3_exec(connection_->handle, sql.c_str(), nullptr, nullptr, nullptr));
}

Statement Database::prepare(const std::string& sql) {
  return Statement(std::make_unique<Statement::Prepared>(*connection_, sql));
}

std::optional<std::string> Database::text(const std::string& sql) {
  const Statement::Prepared statement(*connection_, sql);
  const int code = sqlite3_step(statement.handle);
  connection_->check(code);
  if (code != SQLITE_ROW || sqlite3_column_type(statement.handle, 0) == SQLITE_NULL) return std::nullopt;
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement.handle, 0));
  return std::string(static_cast<const char*>(sqlite3_column_blob(statement.handle, 0)), size);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_->handle); }

Statement::Statement(std::unique_ptr<Prepared> prepared) : prepared_(std::move(prepared)) {}
Statement::~Statement() = default;
Statement::Statement(Statement&&) noexcept = default;

void Statement::bind_null(int place) { prepared_->connection.check(sqlite3_bind_null(prepared_->handle, place)); }

void Statement::bind(int place, std::int64_t value) {
  prepared_->connection.check(sqlite3_bind_int64(prepared_->handle, place, value));
}

void Statement::bind(int place, double value) {
  prepared_->connection.check(std::isfinite(value) ? sqlite3_bind_double(prepared_->handle, place, value)
                                                   : sqlite3_bind_null(prepared_->handle, place));
}

void Statement::bind(int place, std::string_view value) {
  // The text need only live until the statement has run, so nothing is copied (SQLITE_STATIC, a null pointer).
  prepared_->connection.check(sqlite3_bind_text(prepared_->handle, place, value.data() != nullptr ? value.data() : "",
                                                static_cast<int>(value.size()), nullptr));
}

void Statement::step() {
  const int code = sqlite3_step(prepared_->handle);
  sqlite3_reset(prepared_->handle);
  prepared_->connection.check(code);
}

}  // namespace salvo::report

#else

namespace salvo::report {

namespace {
[[noreturn]] void fail(const std::string& path) {
  throw LoadError(fmt::format(
      "{}: this salvo was built without SQLite; install libsqlite3-dev and build it again, or choose another form",
      path));
}
}  // namespace

struct Database::Connection {};
struct Statement::Prepared {};

Database::Database(const std::string& path) { fail(path); }
Database::~Database() = default;
void Database::run(const std::string& sql) { fail(sql); }
Statement Database::prepare(const std::string& sql) { fail(sql); }
std::optional<std::string> Database::text(const std::string& sql) { fail(sql); }
std::int64_t Database::last_row() const { return 0; }
Statement::Statement(std::unique_ptr<Prepared> prepared) : prepared_(std::move(prepared)) {}
Statement::~Statement() = default;
Statement::Statement(Statement&&) noexcept = default;
void Statement::bind_null(int) {}
void Statement::bind(int, std::int64_t) {}
void Statement::bind(int, double) {}
void Statement::bind(int, std::string_view) {}
void Statement::step() {}

}  // namespace salvo::report

#endif
