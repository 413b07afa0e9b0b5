#include "data/value.h"

#include <algorithm>
#include <utility>

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

std::optional<Value> Value::take(std::string_view name) {
  const auto at = std::find_if(items.begin(), items.end(), [&](const Value& item) { return item.key == name; });
  if (at == items.end()) return std::nullopt;
  Value out = std::move(*at);
  items.erase(at);
  return out;
}

}  // namespace salvo::data
