#include "cards/card_keys.h"

#include "base/text.h"

namespace salvo::cards {

using data::Value;

std::string one_line(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Boolean:
      return value.boolean ? "true" : "false";
    case Value::Kind::Integer:
      return std::to_string(value.integer);
    case Value::Kind::Array:
    case Value::Kind::Table: {
      std::vector<std::string> parts;
      for (const Value& item : value.items) {
        parts.push_back(value.kind == Value::Kind::Table ? item.key + " = " + one_line(item) : one_line(item));
      }
      return base::joined(parts, ", ");
    }
    default:
      return value.text;
  }
}

std::vector<std::string> KeyReader::rest() const {
  std::vector<std::string> out;
  for (const Value& member : table_.items) {
    if (!seen_.contains(member.key)) out.push_back(member.key + " = " + one_line(member));
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, const char* last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  }
  return out;
}

std::vector<std::string> texts(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const Value& item : list->items) out.push_back(item.text);
  return out;
}

}  // namespace salvo::cards
