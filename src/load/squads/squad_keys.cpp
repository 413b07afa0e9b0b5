#include "load/squads/squad_keys.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "load/squads/wrapped_squad.h"

namespace salvo::load {
namespace {

using data::Value;

constexpr std::array<std::string_view, 18> kKeys{"pilots",  "ships",    "ship",    "id",         "xws",    "name",
                                                 "pilot",   "upgrades", "faction", "points",     "vendor", "version",
                                                 "ruleset", "link",     "url",     "multiplier", "count",  "squad"};

bool is_table(const Value& value) { return value.kind == Value::Kind::Table; }

/// The key that a pilot has in place of "id"; nullptr: it needs none.
const char* other_id(const Value& pilot) {
  if (!is_table(pilot) || pilot.find("id") != nullptr || pilot.find("name") != nullptr) return nullptr;
  for (const char* const key : {"xws", "pilot"}) {
    const Value* const id = pilot.find(key);
    if (id != nullptr && id->kind == Value::Kind::Text) return key;
  }
  return nullptr;
}

bool is_numbered(const Value& list) {
  const auto is_number = [](const Value& item) {
    return !item.key.empty() && item.key.find_first_not_of("0123456789") == std::string::npos;
  };
  return is_table(list) && !list.items.empty() && std::all_of(list.items.begin(), list.items.end(), is_number);
}

/// The id in a card that is an object, such as {"xws": "t70xwing"}; nullptr: it is none.
Value* id_in(Value& card) {
  if (!is_table(card)) return nullptr;
  for (const char* const key : {"xws", "id", "name"}) {
    Value* const id = card.find(key);
    if (id != nullptr && id->kind == Value::Kind::Text) return id;
  }
  return nullptr;
}

constexpr std::array<const char*, 3> kCards{"id", "pilot", "ship"};  ///< of a pilot

void give_id(Value& pilot) {
  if (pilot.kind == Value::Kind::Text) {
    Value table = Value::table();
    table.line = pilot.line;
    table.add("id", std::move(pilot));
    pilot = std::move(table);
  }
  if (!is_table(pilot)) return;
  for (const char* const key : kCards) {
    Value* const card = pilot.find(key);
    Value* const id = card == nullptr ? nullptr : id_in(*card);
    if (id == nullptr) continue;
    Value text = std::move(*id);
    text.key = key;
    *card = std::move(text);
  }
  if (const char* const key = other_id(pilot)) pilot.find(key)->key = "id";
}

/// Writes the keys of XWS in lower case: of several spellings of one, the first.
void lower_keys(Value& table) {
  std::array<bool, kKeys.size()> used{};
  for (const bool usual : {true, false}) {
    for (Value& item : table.items) {
      const std::string key = usual ? item.key : base::lower_case(item.key);
      const auto at = static_cast<std::size_t>(std::find(kKeys.begin(), kKeys.end(), key) - kKeys.begin());
      if (at < kKeys.size() && !std::exchange(used[at], true)) item.key = key;
    }
  }
}

/// Renames "ships" to "pilots" if it is a list of them.
void rename_ships(Value& table) {
  Value* const ships = table.find("ships");
  if (ships != nullptr && ships->kind == Value::Kind::Array && !ships->items.empty() &&
      std::all_of(ships->items.begin(), ships->items.end(), is_table))
    ships->key = "pilots";
}

void list_pilots(Value& table) {
  Value* const pilots = table.find("pilots");
  if (pilots == nullptr) return;
  if (is_numbered(*pilots)) {
    pilots->kind = Value::Kind::Array;
    for (Value& pilot : pilots->items) pilot.key.clear();
  }
  if (pilots->kind == Value::Kind::Array) std::for_each(pilots->items.begin(), pilots->items.end(), give_id);
}

template <typename Change>
void for_each_table(Value& value, Change change) {
  if (is_table(value)) change(value);
  for (Value& item : value.items) for_each_table(item, change);
}

bool holds_squad(const Value& value) {
  return is_squad(value) || std::any_of(value.items.begin(), value.items.end(), holds_squad);
}

}  // namespace

void with_usual_keys(Value& value) {
  for_each_table(value, lower_keys);
  if (!holds_squad(value)) for_each_table(value, rename_ships);
  for_each_table(value, list_pilots);
}

}  // namespace salvo::load
