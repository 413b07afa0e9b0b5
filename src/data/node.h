// A value of the generic tree together with its place. Converts it to numbers, texts and lists, or throws a LoadError
// that says what would be right.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/value.h"

namespace salvo::data {

/// The path of a value from the root of its tree: "ships.red.tokens", "attacks[0].by". Slow: searches the tree.
std::string path_of(const Value& root, const Value& value);

class Node {
 public:
  /// The root of a tree. Both arguments must outlive the node and its children.
  Node(const Value& value, const std::string& source) : value_(&value), root_(&value), source_(&source) {}
  Node(const Value& value, const std::string&& source) = delete;

  const Value& value() const { return *value_; }
  const std::string& key() const { return value_->key; }
  std::string path() const { return path_of(*root_, *value_); }
  const std::string& source() const { return *source_; }
  int line() const { return line_; }
  bool is(Value::Kind kind) const { return value_->kind == kind; }

  /// Throws LoadError at this place.
  [[noreturn]] void fail(const std::string& why) const;
  /// Throws LoadError: what was found, and what to write instead.
  [[noreturn]] void fail_kind(std::string_view needed) const;
  /// Throws LoadError because the value is not `range`, such as "a whole number from 1 to 9".
  [[noreturn]] void fail_number(const std::string& range) const;
  /// Throws LoadError because the text is not in `allowed`, and suggests the nearest. `what` completes "... is not".
  [[noreturn]] void fail_choice(const std::vector<std::string>& allowed, const std::string& what = "known here") const;

  /// Throw LoadError unless the value is a table or an array. `needed` completes "found ...; write ...".
  void need_table(std::string_view needed = "a table") const;
  void need_array(std::string_view needed = "a list") const;
  /// Throws LoadError for the first member whose name is not in `keys`. The remedy is that of `hint(name)`, or if that
  /// is empty the nearest key.
  void allow_only(const std::vector<std::string>& keys,
                  const std::function<std::string(const std::string&)>& hint = nullptr) const;
  /// The member `name`, if it exists.
  std::optional<Node> get(std::string_view name) const;
  /// The member `name`. Throws LoadError if it is missing.
  Node need(std::string_view name, std::string_view remedy) const;
  /// The members of a table or the items of a list, in file order.
  std::vector<Node> children() const;

  /// The value as a scalar or a list of texts. All throw LoadError if it is not one.
  int integer(int least, int most) const;
  bool boolean() const;
  /// A non-empty text without control characters.
  std::string text() const;
  std::string one_of(const std::vector<std::string>& allowed) const;
  std::vector<std::string> texts() const;
  /// texts() without duplicates. `remedy` ends the message.
  std::vector<std::string> texts_once(std::string_view remedy) const;

  /// Assigns the member `name` to `to` if it exists.
  void read(std::string_view name, int least, int most, int& to) const;
  void read(std::string_view name, int least, int most, std::optional<int>& to) const;
  void read(std::string_view name, bool& to) const;
  void read(std::string_view name, std::string& to) const;
  void read(std::string_view name, std::optional<std::string>& to) const;
  void read(std::string_view name, std::vector<std::string>& to) const;

 private:
  Node(const Node& parent, const Value& value);

  const Value* value_;
  const Value* root_;
  const std::string* source_;
  int line_ = 0;
};

}  // namespace salvo::data
