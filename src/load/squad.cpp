// Squads from XWS files. Builders differ from the schema and from each other, so nothing but the list of pilots is
// insisted on: what is not understood is listed with its path.
#include "salvo/squad.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "load/file.h"
#include "load/load.h"
#include "load/message.h"
#include "load/node.h"
#include "load/profile.h"
#include "load/squad_link.h"

namespace salvo {
namespace {

using load::Node;
using load::Value;

constexpr const char* kFirstEdition = "first-edition";

/// A text or number as text; empty for anything else.
std::string loose_text(const std::optional<Node>& node) {
  if (!node) return {};
  const Value& value = node->value();
  if (value.kind == Value::Kind::Text) return load::printable(value.text, 200);
  if (value.kind == Value::Kind::Integer) return value.huge ? value.text : std::to_string(value.integer);
  return value.kind == Value::Kind::Real ? value.text : std::string();
}

std::optional<int> loose_number(const std::optional<Node>& node) {
  const std::string text = loose_text(node);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Lower-case letters, digits and hyphens only: what an id may have, also where a name was written.
std::string id_form(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') out += c;
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string without_hyphens(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  return text;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// ---------------------------------------------------------------- which game

/// An id of a ship that only the first edition spells so, for files that say nothing else.
bool first_edition_ship(const Catalogue& catalogue, const std::string& id) {
  return catalogue.ship(id, kFirstEdition) != nullptr && catalogue.ship(id, "2025") == nullptr &&
         catalogue.ship(id, "legacy") == nullptr;
}

std::string vendor_words(const Node& root) {
  std::string out;
  const auto vendor = root.get("vendor");
  if (!vendor || !vendor->is(Value::Kind::Table)) return out;
  for (const Node& builder : vendor->children()) {
    if (!builder.is(Value::Kind::Table)) continue;
    for (const Node& word : builder.children()) out += loose_text(word) + " ";
  }
  return out;
}

/// "10/28/2022": the builders of 2.5 write the date of the points.
bool is_date(const std::string& version) {
  return std::count(version.begin(), version.end(), '/') == 2 &&
         version.find_first_not_of("0123456789/") == std::string::npos;
}

/// The points by which it was built, as far as the file tells.
std::string find_ruleset(const Catalogue& catalogue, const Node& root, const std::vector<Node>& pilots) {
  const std::string said = loose_text(root.get("ruleset")), version = loose_text(root.get("version"));
  const std::string words = vendor_words(root);
  if (contains(said, "XWA") || contains(said, "xwa")) return "XWA";
  if (contains(said, "AMG") || contains(said, "2.5")) return "2.5";
  if (contains(said, "2.0") || contains(said, "egacy")) return "2.0";
  std::size_t first = 0;
  for (const Node& pilot : pilots) {
    if (pilot.is(Value::Kind::Table) && first_edition_ship(catalogue, id_form(loose_text(pilot.get("ship"))))) ++first;
  }
  const bool early = version.starts_with("0.") || version.starts_with("1.");
  if ((early && first > 0) || 2 * first > pilots.size()) return kFirstEdition;
  if (version.starts_with("50P") || contains(words, "XWA")) return "XWA";
  if (is_date(version) || contains(words, "2.5")) return "2.5";
  int points = loose_number(root.get("points")).value_or(0);
  if (points == 0) {
    for (const Node& pilot : pilots)
      points += pilot.is(Value::Kind::Table) ? loose_number(pilot.get("points")).value_or(0) : 0;
  }
  constexpr int kMost25 = 25, kMostXwa = 60;  // squads of 20 and of 50 points, and a little over
  if (points == 0) return version.starts_with("2.0") ? "2.0" : "XWA";
  return points <= kMost25 ? "2.5" : points <= kMostXwa ? "XWA" : "2.0";
}

// ---------------------------------------------------------------- ids

/// Looks ids of one kind up: as they are, by alias, and without the hyphens that some builders add or drop.
template <typename Known, typename All>
std::optional<std::string> look_up(const Catalogue& catalogue, const char* kind, const std::string& given, Known known,
                                   All all) {
  const std::string id = id_form(given);
  if (id.empty()) return std::nullopt;
  if (known(id)) return id;
  for (const std::string& other : catalogue.aliases(kind, id)) {
    if (known(other)) return other;
  }
  const std::string plain = without_hyphens(id);
  if (plain != id && known(plain)) return plain;
  std::vector<std::string> ids = all();
  const auto at =
      std::find_if(ids.begin(), ids.end(), [&](const std::string& x) { return without_hyphens(x) == plain; });
  if (at != ids.end()) return *at;
  return std::nullopt;
}

class Reader {
 public:
  Reader(const Catalogue& catalogue, Squad& out) : catalogue_(catalogue), out_(out) {}

  void pilot(const Node& node) {
    if (!node.is(Value::Kind::Table)) {
      unknown(node.path(), "pilot", loose_text(node), "is not an object with a pilot's id");
      return;
    }
    const std::string given =
        loose_text(node.get("id")).empty() ? loose_text(node.get("name")) : loose_text(node.get("id"));
    const std::string given_ship = loose_text(node.get("ship"));
    const std::string id_key = loose_text(node.get("id")).empty() ? ".name" : ".id";
    const auto id = of_faction(find_pilot(given));
    const auto ship = find_ship(given_ship, id);
    if (!id) unknown(node.path() + id_key, "pilot", given, reason(given, catalogue_.pilot_ids(out_.cards)));
    if (!ship) unknown(node.path() + ".ship", "ship", given_ship, reason(given_ship, catalogue_.ship_ids(out_.cards)));
    SquadPilot pilot;
    const bool usable = id && ship && fill(pilot, node, *id, *ship);
    pilot.given = given;
    pilot.given_ship = given_ship;
    read_upgrades(node, pilot);
    if (!usable) return;
    note_if_read_as("pilot", given, *id);
    if (!given_ship.empty()) note_if_read_as("ship", given_ship, *ship);
    out_.pilots.push_back(std::move(pilot));
  }

 private:
  std::optional<std::string> find_pilot(const std::string& given) const {
    return look_up(
        catalogue_, "pilot", given,
        [&](const std::string& x) { return !catalogue_.ships_of_pilot(x, out_.cards).empty(); },
        [&] { return catalogue_.pilot_ids(out_.cards); });
  }

  /// Where two factions have a pilot of the same id on the same ship, the second's has its name behind it.
  std::optional<std::string> of_faction(std::optional<std::string> id) const {
    std::string faction = id_form(out_.faction);
    if (faction.ends_with('s')) faction.pop_back();  // "rebels" for "rebelalliance"
    if (!id || faction.empty()) return id;
    for (const std::string& other : catalogue_.pilot_ids(out_.cards)) {
      if (other.starts_with(fmt::format("{}-{}", *id, faction))) return other;
    }
    return id;
  }

  /// The ship as given, else the only one that the pilot flies.
  std::optional<std::string> find_ship(const std::string& given, const std::optional<std::string>& pilot) const {
    const auto found = look_up(
        catalogue_, "ship", given, [&](const std::string& x) { return catalogue_.ship(x, out_.cards) != nullptr; },
        [&] { return catalogue_.ship_ids(out_.cards); });
    const std::vector<std::string> ships =
        pilot ? catalogue_.ships_of_pilot(*pilot, out_.cards) : std::vector<std::string>();
    if (found && (!pilot || std::find(ships.begin(), ships.end(), *found) != ships.end())) return found;
    if (ships.size() == 1) return ships[0];
    return found;
  }

  bool fill(SquadPilot& pilot, const Node& node, const std::string& id, const std::string& ship_id) {
    const ShipSpec& ship = *catalogue_.ship(ship_id, out_.cards);
    const auto same = [&](const PilotSpec& x) { return x.id == id; };
    const auto at = std::find_if(ship.pilots.begin(), ship.pilots.end(), same);
    if (at == ship.pilots.end()) {
      unknown(node.path(), "pilot", id, fmt::format("does not fly the ship {}", ship_id));
      return false;
    }
    spec_ = &*at;
    ship_ = &ship;
    pilot.id = id;
    pilot.ship = ship_id;
    pilot.path = node.path();
    pilot.name = at->name;
    pilot.ship_name = ship.name;
    pilot.points = loose_number(node.get("points"));
    pilot.cost = at->cost;
    pilot.loadout = at->loadout;
    return true;
  }

  /// A table of slots with lists of ids, or, empty, a list; some builders write a text in place of a list of one.
  void read_upgrades(const Node& node, SquadPilot& pilot) {
    if (const auto upgrades = node.get("upgrades"); upgrades && !upgrades->value().items.empty()) {
      for (const Node& slot : upgrades->children()) read_slot(slot, pilot);
    }
    if (pilot.upgrades.empty() && spec_ != nullptr && !pilot.id.empty() && !spec_->standard_loadout.empty()) {
      pilot.standard_loadout = true;
      for (const std::string& id : spec_->standard_loadout) add_upgrade(id, node.path() + ".upgrades", true, pilot);
    }
    spec_ = nullptr;
    ship_ = nullptr;
  }

  void read_slot(const Node& slot, SquadPilot& pilot) {
    if (slot.is(Value::Kind::Array)) {
      for (const Node& item : slot.children()) read_slot(item, pilot);
      return;
    }
    std::string id = loose_text(slot);
    if (slot.is(Value::Kind::Table)) {
      for (const char* key : {"id", "xws", "name"}) {
        if (id.empty()) id = loose_text(slot.get(key));
      }
    }
    if (id.empty() && slot.is(Value::Kind::Null)) return;  // an empty slot
    add_upgrade(id, slot.path(), false, pilot);
  }

  void add_upgrade(const std::string& given, const std::string& path, bool standard, SquadPilot& pilot) {
    const auto id = look_up(
        catalogue_, "upgrade", given, [&](const std::string& x) { return catalogue_.upgrade_exists(x, out_.cards); },
        [&] { return catalogue_.upgrade_ids(out_.cards); });
    if (!id) {
      unknown(path, "upgrade", given, reason(given, catalogue_.upgrade_ids(out_.cards)));
      return;
    }
    if (!standard) note_if_read_as("upgrade", given, *id);
    pilot.upgrades.push_back({*id, standard ? "" : given, path, cost_of(*id)});
  }

  std::optional<int> cost_of(const std::string& id) const {
    const auto cost = catalogue_.upgrade_cost(id, out_.cards);
    if (!cost || cost->by.empty()) return cost ? cost->fixed : std::nullopt;
    if (spec_ == nullptr) return std::nullopt;
    const std::string key = cost->by == "size"      ? spec_->size.value_or(ship_->size)
                            : cost->by == "agility" ? std::to_string(spec_->agility.value_or(ship_->agility))
                                                    : std::to_string(spec_->initiative);
    const auto at = cost->table.find(key);
    return at == cost->table.end() ? std::nullopt : std::optional(at->second);
  }

  std::string reason(const std::string& given, const std::vector<std::string>& known) const {
    if (given.empty()) return "no id is given";
    return fmt::format("not in the card set {};{}", out_.cards, load::did_you_mean(id_form(given), known));
  }

  void unknown(const std::string& path, const char* kind, const std::string& id, std::string why) {
    if (why.ends_with(';')) why.pop_back();
    out_.unknown.push_back({path, kind, load::printable(id, 100), std::move(why)});
  }

  void note_if_read_as(const char* kind, const std::string& given, const std::string& id) {
    if (given != id) out_.notes.push_back(fmt::format("the {} {} is read as {}", kind, load::in_quotes(given), id));
  }

  const Catalogue& catalogue_;
  Squad& out_;
  const PilotSpec* spec_ = nullptr;  ///< of the pilot at hand, once known
  const ShipSpec* ship_ = nullptr;
};

Squad read_with(const Catalogue& catalogue, const Node& root, const std::vector<Node>& pilots, Squad head,
                const std::string& cards) {
  head.cards = cards;
  const DataSet data = catalogue.data_set(cards);
  head.cards_from = data.name;
  head.cards_date = data.date;
  head.faction = loose_text(root.get("faction"));
  Reader reader(catalogue, head);
  for (const Node& pilot : pilots) reader.pilot(pilot);
  head.name = loose_text(root.get("name"));
  head.points = loose_number(root.get("points"));
  return head;
}

/// The card sets that a squad may be of, most likely first: that of its ruleset, then the others of its rules.
std::vector<std::string> card_sets_of(const Catalogue& catalogue, const Squad& squad) {
  const Edition* edition = catalogue.edition(squad.rules);
  std::vector<std::string> sets = edition == nullptr ? Catalogue::card_sets() : edition->card_sets;
  if (sets.empty()) sets = Catalogue::card_sets();
  const auto likely = std::find(sets.begin(), sets.end(), load::card_set_of_ruleset(squad.ruleset));
  if (likely != sets.end()) std::rotate(sets.begin(), likely, likely + 1);
  return sets;
}

}  // namespace

Squad parse_squad(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const std::optional<std::string>& cards) {
  load::check_text(text, source);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  const Value value = load::parse_json(text, source);
  const Node root(value, source);
  root.need_table("a squad: an object with a list of pilots, as builders export it (XWS)");
  const Node list = root.need("pilots", "export the squad as XWS");
  if (list.is(Value::Kind::Table) && list.value().items.empty()) list.fail("has no pilot; add one");
  list.need_array("a list of pilots");
  const std::vector<Node> pilots = list.children();
  if (pilots.empty()) list.fail("has no pilot; add one");
  Squad head;
  head.source = source;
  head.ruleset = find_ruleset(catalogue, root, pilots);
  head.rules = head.ruleset == kFirstEdition ? kFirstEdition : "second-edition";
  if (cards) return read_with(catalogue, root, pilots, head, *cards);
  if (head.rules == kFirstEdition) return read_with(catalogue, root, pilots, head, kFirstEdition);
  const std::vector<std::string> sets = card_sets_of(catalogue, head);
  Squad out = read_with(catalogue, root, pilots, head, sets[0]);
  // The ids know better than a version that the builder did not keep up to date.
  for (std::size_t i = 1; i < sets.size() && !out.unknown.empty(); ++i) {
    Squad other = read_with(catalogue, root, pilots, head, sets[i]);
    if (other.unknown.size() >= out.unknown.size()) continue;
    other.notes.push_back(fmt::format("more of its ids are of the card set {} than of {}", sets[i], sets[0]));
    out = std::move(other);
  }
  return out;
}

Squad load_squad(const Catalogue& catalogue, const std::string& path, const std::optional<std::string>& cards) {
  if (load::is_link(path)) return load::parse_squad_link(catalogue, path, cards);
  return parse_squad(catalogue, load::read_file(path), path, cards);
}

ScenarioShip scenario_ship(const SquadPilot& pilot) {
  ScenarioShip out;
  out.ship = pilot.ship;
  out.pilot = pilot.id;
  for (const SquadUpgrade& upgrade : pilot.upgrades) out.upgrades.push_back(upgrade.id);
  return out;
}

int total_cost(const SquadPilot& pilot) {
  int cost = pilot.cost;
  if (pilot.loadout || pilot.standard_loadout) return cost;
  for (const SquadUpgrade& upgrade : pilot.upgrades) cost += upgrade.cost.value_or(0);
  return cost;
}

}  // namespace salvo
