// Value: the generic tree that TOML, JSON and the flags are read into, so that each rule of form is written once.
// In: text. Out: a tree of at most kMaxDepth levels that remembers its lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::data {

inline constexpr int kMaxDepth = 64;  ///< levels of tables and lists inside each other

/// One value with all it contains.
struct Value {
  enum class Kind : std::uint8_t { Null, Boolean, Integer, Real, Text, Date, Array, Table };
  Kind kind = Kind::Null;
  bool boolean = false;
  bool huge = false;  ///< Integer that does not fit into `integer`; `text` has its digits
  int line = 0;       ///< of its key, else of the value itself; 0: unknown
  std::int64_t integer = 0;
  std::string key;           ///< its name where it is a member of a table
  std::string text;          ///< Text: the text; Real and Date: as written, or nearly so
  std::vector<Value> items;  ///< Array: the items; Table: the members in the order of the file

  static Value of(bool b);
  static Value of(std::int64_t n);
  static Value of(std::string t);
  static Value table() { return of(Kind::Table); }
  static Value array() { return of(Kind::Array); }
  static Value of(Kind k);

  /// Appends a member to a table and returns it.
  Value& add(std::string name, Value value);
  /// Takes the member `name` out of a table; nothing when it has none.
  std::optional<Value> take(std::string_view name);
};

/// The tree of a TOML text. Throws LoadError with `source`, line and reason.
Value parse_toml(std::string_view text, const std::string& source);
/// The tree of a JSON text; a key that is given twice in an object is an error. `first_line`: the number of its first
/// line, where it is a part of `source`. Throws LoadError.
Value parse_json(std::string_view text, const std::string& source, int first_line = 1);

/// Throws LoadError when TOML text nests deeper than kMaxDepth, or has more dotted keys than any file of ours needs.
/// toml++ limits brackets by itself but not dotted keys, and recurses into both.
void check_toml_depth(std::string_view text, const std::string& source);

}  // namespace salvo::data
