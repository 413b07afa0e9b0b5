// The generic tree that TOML, JSON and command-line flags are parsed into, so that each check is written once. It
// records line numbers and is at most kMaxDepth levels deep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::data {

inline constexpr int kMaxDepth = 64;  ///< nesting of tables and lists

/// A value and everything below it.
struct Value {
  enum class Kind : std::uint8_t { Null, Boolean, Integer, Real, Text, Date, Array, Table };
  Kind kind = Kind::Null;
  bool boolean = false;
  bool huge = false;  ///< an Integer that does not fit into `integer`; `text` has its digits
  int line = 0;       ///< line of its key, or of the value if it has no key; 0: unknown
  std::int64_t integer = 0;
  std::string key;           ///< its name in the table that contains it
  std::string text;          ///< Text: the text; Real and Date: roughly as written
  std::vector<Value> items;  ///< Array: the items; Table: the members, in file order

  static Value of(bool b);
  static Value of(std::int64_t n);
  static Value of(std::string t);
  static Value table() { return of(Kind::Table); }
  static Value array() { return of(Kind::Array); }
  static Value of(Kind k);

  /// Appends a member to a table. Returns the member.
  Value& add(std::string name, Value value);
  /// The member `name` of a table, or nullptr.
  Value* find(std::string_view name);
  const Value* find(std::string_view name) const;
  /// Removes the member `name` from a table and returns it, if it exists.
  std::optional<Value> take(std::string_view name);
};

/// Checks a text and parses it as TOML or JSON, whichever is_json() says. Throws LoadError.
Value parse_document(std::string_view text, const std::string& source);
/// Parses TOML. Throws LoadError with `source`, line and reason.
Value parse_toml(std::string_view text, const std::string& source);
/// Parses JSON; a duplicate key in an object is an error. `first_line`: number of the first line, if the text is a part
/// of `source`. Throws LoadError.
Value parse_json(std::string_view text, const std::string& source, int first_line = 1);

/// Throws LoadError if TOML text nests deeper than kMaxDepth, or has more dotted keys than any legitimate file. toml++
/// recurses into brackets and dotted keys, but limits only brackets.
void check_toml_depth(std::string_view text, const std::string& source);

}  // namespace salvo::data
