// Making values of the generic tree.
#include "load/value.h"

#include <utility>

namespace salvo::load {

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

}  // namespace salvo::load
