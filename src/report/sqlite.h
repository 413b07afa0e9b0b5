// SQLite: a database file, as far as salvo writes one. Only sqlite.cpp knows the library.
// In: SQL and values. Out: rows in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace salvo::report {

/// Whether this build has SQLite (CMake finds libsqlite3-dev).
bool is_there();

class Statement;

/// A database in a file, which is made where it is missing. Not for several threads at once. All members throw
/// LoadError, in a sentence that names the file: no SQLite in this build, no database, a full disk.
class Database {
 public:
  explicit Database(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements that give no rows.
  void run(const std::string& sql);
  Statement prepare(const std::string& sql);
  /// The first column of the first row as a text or a number; empty: there is no row, or it is null.
  std::optional<std::string> text(const std::string& sql);
  std::optional<std::int64_t> number(const std::string& sql);
  /// The number of the row that was inserted last.
  std::int64_t last_row() const;

 private:
  friend class Statement;
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

/// A statement that is run again and again with other values. Its database must outlive it.
class Statement {
 public:
  ~Statement();
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) = delete;

  /// Runs it with these values for its question marks, in order: numbers, texts, truth values (1 or 0), optionals, and
  /// std::nullopt for null. A number that is not finite is null.
  template <typename... Values>
  void operator()(const Values&... values) {
    int place = 0;
    (put(++place, values), ...);
    step();
  }

  /// One value for the question mark at this place, from 1; then step() runs it. A text has to live until then.
  template <typename T>
  void put(int place, const T& value) {
    if constexpr (std::is_same_v<T, std::nullopt_t>) {
      bind_null(place);
    } else if constexpr (std::is_integral_v<T>) {
      bind(place, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      bind(place, static_cast<double>(value));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      bind(place, std::string_view(value));
    } else {
      value ? put(place, *value) : bind_null(place);
    }
  }
  void step();

 private:
  friend class Database;
  struct Prepared;
  explicit Statement(std::unique_ptr<Prepared> prepared);

  void bind_null(int place);
  void bind(int place, std::int64_t value);
  void bind(int place, double value);
  void bind(int place, std::string_view value);

  std::unique_ptr<Prepared> prepared_;
};

}  // namespace salvo::report
