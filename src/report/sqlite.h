// A thin layer over SQLite; only sqlite.cpp includes the library.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace salvo::report {

class Statement;

/// A database file, created if missing. Not thread-safe. All members throw LoadError with a sentence that names the
/// file: this build has no SQLite, the file is no database, the disk is full.
class Database {
 public:
  explicit Database(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements that return no rows.
  void run(const std::string& sql);
  Statement prepare(const std::string& sql);
  /// The first column of the first row as a text or a number; empty if there is no row or the value is null.
  std::optional<std::string> text(const std::string& sql);
  std::optional<std::int64_t> number(const std::string& sql);
  /// The id of the row inserted last.
  std::int64_t last_row() const;

 private:
  friend class Statement;
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

/// A prepared statement, run repeatedly with other values. Its database must outlive it.
class Statement {
 public:
  ~Statement();
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) = delete;

  /// Runs it with these values for its placeholders, in order: numbers, texts, truth values (1 or 0), optionals, and
  /// std::nullopt for null. A number that is not finite becomes null.
  template <typename... Values>
  void operator()(const Values&... values) {
    int place = 0;
    (put(++place, values), ...);
    step();
  }

  /// Binds the placeholder at `index`, from 1; step() runs the statement. A text must live until then.
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
