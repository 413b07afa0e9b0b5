// Node: a value of the generic tree with its place, and the checks of form that every reader shares.
// In: Value. Out: numbers, texts and lists of the wanted form, or a LoadError that says what would be right.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/value.h"

namespace salvo::data {

class Node {
 public:
  /// The root of a tree. Both arguments must outlive the node and its children.
  Node(const Value& value, const std::string& source) : value_(&value), root_(&value), source_(&source) {}
  Node(const Value& value, const std::string&& source) = delete;

  const Value& value() const { return *value_; }
  const std::string& key() const { return value_->key; }
  /// Its names and numbers from the root: "ships.red.tokens", "attacks[0].by". Looked for in the tree each time.
  std::string path() const;
  const std::string& source() const { return *source_; }
  int line() const { return line_; }
  bool is(Value::Kind kind) const { return value_->kind == kind; }

  /// Throws LoadError at this place.
  [[noreturn]] void fail(const std::string& why) const;
  /// Throws LoadError: the value found, and what is needed instead.
  [[noreturn]] void fail_kind(std::string_view needed) const;
  /// Throws LoadError: the text is none of `allowed`; names the nearest. `what` says what it should have been.
  [[noreturn]] void fail_choice(const std::vector<std::string>& allowed, const std::string& what = "known here") const;

  /// Tables. `need_table` and `need_array` throw unless the value is one; `needed` completes "found ...; write ...".
  void need_table(std::string_view needed = "a table") const;
  void need_array(std::string_view needed = "a list") const;
  /// Throws for the first member whose name is not in `keys`, with the nearest one; `hint` may know better.
  void allow_only(const std::vector<std::string>& keys,
                  const std::function<std::string(const std::string&)>& hint = nullptr) const;
  /// The member `name`, if there is one.
  std::optional<Node> get(std::string_view name) const;
  /// The member `name`; throws when it is missing.
  Node need(std::string_view name, std::string_view remedy) const;
  /// Members of a table or items of a list, in the order of the file.
  std::vector<Node> children() const;

  /// Scalars and lists of texts.
  int integer(int least, int most) const;
  bool boolean() const;
  /// A text that is not empty and has no control characters.
  std::string text() const;
  std::string one_of(const std::vector<std::string>& allowed) const;
  std::vector<std::string> texts() const;
  /// The same, none of them twice; `remedy` ends the message.
  std::vector<std::string> texts_once(std::string_view remedy) const;

  /// Assigns the member `name` where it is given.
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
