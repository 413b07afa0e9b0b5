#include "load/squads/squad_keys.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/index.h"
#include "base/text.h"

namespace salvo::load {
namespace {

using data::Value;

/// The key in lower case if it is one of XWS in other letters.
std::string usual_key(const std::string& key) {
  static constexpr std::array<std::string_view, 18> kKeys{
      "pilots", "ships",  "ship",    "id",      "xws",  "name", "pilot",      "upgrades", "faction",
      "points", "vendor", "version", "ruleset", "link", "url",  "multiplier", "count",    "squad"};
  std::string lower = base::lower_case(key);
  return lower != key && base::contains(kKeys, std::string_view(lower)) ? lower : key;
}

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

/// Whether a pilot needs give_id().
bool needs_id(const Value& pilot) {
  if (!is_table(pilot)) return pilot.kind == Value::Kind::Text;
  return other_id(pilot) != nullptr || std::any_of(kCards.begin(), kCards.end(), [&](const char* key) {
           const Value* const card = pilot.find(key);
           return card != nullptr && is_table(*card) && !card->items.empty();
         });
}

/// Whether a squad has "ships" in place of "pilots".
bool lists_ships(const Value& table) {
  const Value* const ships = table.find("pilots") == nullptr ? table.find("ships") : nullptr;
  return ships != nullptr && ships->kind == Value::Kind::Array && !ships->items.empty() &&
         std::all_of(ships->items.begin(), ships->items.end(), is_table);
}

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

}  // namespace

bool has_unusual_keys(const Value& value) {
  if (is_table(value)) {
    const auto is_other = [](const Value& item) { return usual_key(item.key) != item.key; };
    if (std::any_of(value.items.begin(), value.items.end(), is_other) || lists_ships(value)) return true;
    const Value* const pilots = value.find("pilots");
    if (pilots != nullptr &&
        (is_numbered(*pilots) || std::any_of(pilots->items.begin(), pilots->items.end(), needs_id)))
      return true;
  }
  return std::any_of(value.items.begin(), value.items.end(), has_unusual_keys);
}

void with_usual_keys(Value& value) {
  if (is_table(value)) {
    for (Value& item : value.items) {
      std::string usual = usual_key(item.key);
      if (value.find(usual) == nullptr) item.key = std::move(usual);
    }
    if (lists_ships(value)) value.find("ships")->key = "pilots";
    if (Value* const pilots = value.find("pilots"); pilots != nullptr) {
      if (is_numbered(*pilots)) {
        pilots->kind = Value::Kind::Array;
        for (Value& pilot : pilots->items) pilot.key.clear();
      }
    }
  }
  for (Value& item : value.items) with_usual_keys(item);
  if (Value* const pilots = is_table(value) ? value.find("pilots") : nullptr;
      pilots != nullptr && pilots->kind == Value::Kind::Array)
    std::for_each(pilots->items.begin(), pilots->items.end(), give_id);
}

}  // namespace salvo::load
