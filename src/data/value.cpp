#include "data/value.h"

#include <algorithm>
#include <utility>

#include "data/file.h"

namespace salvo::data {

Value Value::of(Kind k) {
  Value value;
  value.kind = k;
  return value;
}

Value Value::of(bool b) {
  Value value = of(Kind::Boolean);
  value.boolean = b;
  return value;
}

Value Value::of(std::int64_t n) {
  Value value = of(Kind::Integer);
  value.integer = n;
  return value;
}

Value Value::of(std::string t) {
  Value value = of(Kind::Text);
  value.text = std::move(t);
  return value;
}

Value& Value::add(std::string name, Value value) {
  items.push_back(std::move(value));
  items.back().key = std::move(name);
  return items.back();
}

const Value* Value::find(std::string_view name) const {
  const auto at = std::find_if(items.begin(), items.end(), [&](const Value& item) { return item.key == name; });
  return at == items.end() ? nullptr : &*at;
}

Value* Value::find(std::string_view name) { return const_cast<Value*>(std::as_const(*this).find(name)); }

std::optional<Value> Value::take(std::string_view name) {
  Value* const member = find(name);
  if (member == nullptr) return std::nullopt;
  Value out = std::move(*member);
  items.erase(items.begin() + (member - items.data()));
  return out;
}

Value parse_document(std::string_view text, const std::string& source) {
  text = check_text(text, source);
  return is_json(text, source) ? parse_json(text, source) : parse_toml(text, source);
}

}  // namespace salvo::data
