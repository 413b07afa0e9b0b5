// Reads the keys of a card's file and tracks which were read, so that no key is overlooked. In: a table of the file's
// tree. Out: its members as texts, and the keys that were not read.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/value.h"

namespace salvo::cards {

/// Members of a table; tracks which were read.
class KeyReader {
 public:
  explicit KeyReader(const data::Value& table) : table_(table) {}

  const data::Value* get(std::string_view key) {
    seen_.emplace(key);
    for (const data::Value& member : table_.items) {
      if (member.key == key) return &member;
    }
    return nullptr;
  }
  std::string text(std::string_view key, std::string otherwise = "") {
    const data::Value* value = get(key);
    return value == nullptr ? std::move(otherwise) : value->text;
  }
  bool flag(std::string_view key) {
    const data::Value* value = get(key);
    return value != nullptr && value->boolean;
  }
  /// The members that were not read, as "key = value".
  std::vector<std::string> rest() const;

 private:
  const data::Value& table_;
  std::set<std::string, std::less<>> seen_;
};

/// A value on one line, as in a file.
std::string one_line(const data::Value& value);

/// The items of a list of texts; empty without a list.
std::vector<std::string> texts(const data::Value* list);

/// "a, b and c" where `last` is " and ".
std::string joined(const std::vector<std::string>& words, const char* last);

}  // namespace salvo::cards
