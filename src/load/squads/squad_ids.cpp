#include "load/squads/squad_ids.h"

#include <algorithm>
#include <vector>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"

namespace salvo::load {
namespace {

std::string without_hyphens(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  return text;
}

template <typename Known, typename All>
std::optional<std::string> resolve_id(const Catalogue& catalogue, const char* kind, const std::string& given,
                                      Known known, All all) {
  const std::string id = id_form(given);
  if (id.empty()) return std::nullopt;
  if (known(id)) return id;
  for (const std::string& other : catalogue.aliases(kind, id)) {
    if (known(other)) return other;
  }
  const std::string plain = without_hyphens(id);
  if (plain != id && known(plain)) return plain;
  const std::vector<std::string> ids = all();
  const auto at =
      std::find_if(ids.begin(), ids.end(), [&](const std::string& x) { return without_hyphens(x) == plain; });
  if (at != ids.end()) return *at;
  return std::nullopt;
}

}  // namespace

std::string loose_text(const std::optional<data::Node>& node) {
  if (!node) return {};
  const data::Value& value = node->value();
  if (value.kind == data::Value::Kind::Text) return base::printable(value.text, 200);
  if (value.kind == data::Value::Kind::Integer) return value.huge ? value.text : std::to_string(value.integer);
  return value.kind == data::Value::Kind::Real ? value.text : std::string();
}

std::optional<int> loose_number(const std::optional<data::Node>& node) { return base::whole_number(loose_text(node)); }

std::string pilot_text(const data::Node& pilot) {
  const std::string id = loose_text(pilot.get("id"));
  return id.empty() ? loose_text(pilot.get("name")) : id;
}

std::string upgrade_text(const data::Node& item) {
  std::string id = loose_text(item);
  if (!item.is(data::Value::Kind::Table)) return id;
  for (const char* key : {"id", "xws", "name"}) {
    if (id.empty()) id = loose_text(item.get(key));
  }
  return id;
}

std::string id_form(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') out += c;
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::optional<PilotId> find_pilot_id(const Catalogue& catalogue, const std::string& given, std::string_view cards) {
  const auto known = [&](const std::string& x) { return !catalogue.ships_of_pilot(x, cards).empty(); };
  const auto find = [&](const std::string& id) {
    return resolve_id(catalogue, "pilot", id, known, [&] { return catalogue.pilot_ids(cards); });
  };
  if (const auto id = find(given)) return PilotId{*id, ""};
  const std::string form = id_form(given);
  for (const std::string& ship : catalogue.ship_ids(cards)) {
    if (!form.ends_with("-" + ship)) continue;
    const auto id = find(form.substr(0, form.size() - ship.size() - 1));
    if (!id) continue;
    const std::vector<std::string> ships = catalogue.ships_of_pilot(*id, cards);
    if (base::contains(ships, ship)) return PilotId{*id, ship};
  }
  return std::nullopt;
}

std::optional<std::string> find_ship_id(const Catalogue& catalogue, const std::string& given, std::string_view cards) {
  return resolve_id(
      catalogue, "ship", given, [&](const std::string& x) { return catalogue.ship(x, cards) != nullptr; },
      [&] { return catalogue.ship_ids(cards); });
}

std::optional<std::string> find_upgrade_id(const Catalogue& catalogue, const std::string& given,
                                           std::string_view cards) {
  return resolve_id(
      catalogue, "upgrade", given, [&](const std::string& x) { return catalogue.upgrade_exists(x, cards); },
      [&] { return catalogue.upgrade_ids(cards); });
}

std::optional<int> upgrade_cost_on(const Catalogue& catalogue, const std::string& upgrade, std::string_view cards,
                                   const PilotSpec* pilot, const ShipSpec* ship) {
  const auto cost = catalogue.upgrade_cost(upgrade, cards);
  if (!cost || cost->by.empty()) return cost ? cost->fixed : std::nullopt;
  if (pilot == nullptr || ship == nullptr) return std::nullopt;
  const std::string key = cost->by == "size"      ? pilot->size.value_or(ship->size)
                          : cost->by == "agility" ? std::to_string(pilot->agility.value_or(ship->agility))
                                                  : std::to_string(pilot->initiative);
  const auto at = cost->table.find(key);
  return at == cost->table.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace salvo::load
