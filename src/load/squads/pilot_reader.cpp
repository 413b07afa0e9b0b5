#include "load/squads/pilot_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "load/catalogue.h"
#include "load/name_index.h"
#include "load/namesakes.h"
#include "load/pilot_stats.h"
#include "load/profile.h"
#include "load/squads/squad_game.h"
#include "load/squads/squad_ids.h"

namespace salvo::load {
namespace {

using data::Node;
using data::Value;

class PilotReader {
 public:
  PilotReader(const Catalogue& catalogue, Squad& out)
      : catalogue_(catalogue),
        out_(out),
        slot_rules_(catalogue, out.cards),
        priced_(is_priced_by(out.ruleset, out.cards)) {}

  void pilot(const Node& node) {
    if (!node.is(Value::Kind::Table)) {
      unknown(node.path(), "pilot", loose_text(node), "is not an object with a pilot's id");
      return;
    }
    const std::string given = pilot_text(node), given_ship = loose_text(node.get("ship"));
    const std::string id_key = loose_text(node.get("id")).empty() ? ".name" : ".id";
    CardMatch card = find_pilot_card(catalogue_, given, out_.cards, {.ship = given_ship, .faction = out_.faction});
    if (card.ship.empty() && given_ship.empty())
      card.ship = likely_ship(catalogue_, node, card.id, out_.faction, out_.cards);
    const bool other_ship = !given_ship.empty() && !find_ship_id(catalogue_, given_ship, out_.cards);
    if (card.id.empty()) unknown(node.path() + id_key, "pilot", given, reason("pilot", given, card.several));
    if (card.ship.empty() && (!card.id.empty() || other_ship))
      unknown(node.path() + ".ship", "ship", given_ship, no_ship(given_ship, card.id));
    SquadPilot pilot;
    const bool usable = !card.ship.empty() && fill(pilot, node, card.id, card.ship);
    pilot.given = given;
    pilot.given_ship = given_ship;
    read_upgrades(node, pilot);
    if (!usable) return;
    count_guess(card);
    if (!given_ship.empty() && is_of_other_set(given_ship, pilot.ship)) guesses_ += 2;
    const bool only_appended = given_ship.empty() && id_form(given) == fmt::format("{}-{}", card.id, card.ship);
    if (!only_appended) note_if_read_as("pilot", given, card.id, whose(given, pilot));
    if (!given_ship.empty()) note_if_read_as("ship", given_ship, pilot.ship);
    note_other_faction(pilot);
    out_.pilots.push_back(std::move(pilot));
  }

  /// Ids that were only guessed, in the sense of CardMatch::sure.
  std::size_t guesses() const { return guesses_; }

 private:
  void count_guess(const CardMatch& card) { guesses_ += card.sure ? 0 : 1; }

  /// Whether the ship was named by the id of another one, and a card set has both: that set fits better, even if it has
  /// the pilot under another id.
  bool is_of_other_set(const std::string& given, const std::string& ship) const {
    const std::string id = id_form(given);
    const auto& sets = Catalogue::card_sets();
    return id != ship && base::contains(catalogue_.aliases("ship", ship), id) &&
           std::any_of(sets.begin(), sets.end(), [&](const std::string& set) {
             return catalogue_.ship(id, set) != nullptr && catalogue_.ship(ship, set) != nullptr;
           });
  }

  /// Why a pilot has no ship.
  std::string no_ship(const std::string& given, const std::string& pilot) {
    if (pilot.empty()) return reason("ship", given, {});
    const std::string ships = base::joined(catalogue_.ships_of_pilot(pilot, out_.cards), ", ");
    return given.empty()
               ? fmt::format("the pilot {} flies {}; name one of them", pilot, ships)
               : fmt::format("the pilot {} does not fly it, but {}; correct the ship or the pilot", pilot, ships);
  }

  void note_other_faction(const SquadPilot& pilot) {
    const std::string stated = faction_of(out_.faction);
    const std::string& own = find_pilot(*catalogue_.ship(pilot.ship, out_.cards), pilot.id)->faction;
    if (!stated.empty() && own != stated && side_of(own, out_.cards) != stated)
      out_.notes.push_back(fmt::format("the faction of {} is {}, and that of the squad {}", pilot.name,
                                       faction_name(own), faction_name(stated)));
  }

  /// Distinguishes the pilot from another one whose id is the given text.
  std::string whose(const std::string& given, const SquadPilot& pilot) const {
    const std::string id = id_form(given);
    if (id == pilot.id || catalogue_.ships_of_pilot(id, out_.cards).empty()) return {};
    const auto at = find_pilot(*catalogue_.ship(pilot.ship, out_.cards), pilot.id);
    return fmt::format(", who flies the {} of {}", pilot.ship, at->faction);
  }

  bool fill(SquadPilot& pilot, const Node& node, const std::string& id, const std::string& ship_id) {
    const ShipSpec& ship = *catalogue_.ship(ship_id, out_.cards);
    const PilotSpec* const at = find_pilot(ship, id);
    if (at == nullptr) {
      unknown(node.path(), "pilot", id, fmt::format("does not fly the ship {}", ship_id));
      return false;
    }
    spec_ = at;
    ship_ = &ship;
    pilot.id = id;
    pilot.ship = ship_id;
    pilot.path = node.path();
    pilot.name = at->name;
    pilot.ship_name = ship.name;
    pilot.points = loose_number(node.get("points"));
    if (!priced_) return true;
    pilot.cost = at->cost;
    pilot.loadout = at->loadout;
    return true;
  }

  /// Upgrades are a table of slots with lists of ids; some builders write an empty list, or a text for a list of one.
  void read_upgrades(const Node& node, SquadPilot& pilot) {
    if (const auto upgrades = node.get("upgrades")) {
      const bool named = upgrades->is(Value::Kind::Table);
      if (!named && !upgrades->is(Value::Kind::Array)) {
        if (!upgrades->is(Value::Kind::Text)) read_slot(*upgrades, "", pilot);
        for (const std::string& id : base::words_between(upgrade_text(*upgrades), ",;+|\n"))
          read_upgrade(*upgrades, std::string(base::trimmed(id)), "", pilot);
      } else {
        for (const Node& slot : upgrades->children()) read_slot(slot, named ? slot.key() : "", pilot);
      }
    }
    if (pilot.upgrades.empty() && spec_ != nullptr && !pilot.id.empty() && !spec_->standard_loadout.empty()) {
      pilot.standard_loadout = true;
      for (const std::string& id : spec_->standard_loadout) {
        const CardMatch card = find_upgrade_card(catalogue_, id, out_.cards);
        if (!card.id.empty()) {
          add_upgrade(card.id, "", node.path() + ".upgrades", pilot);
        } else {
          unknown(node.path() + ".upgrades", "upgrade", id, reason("upgrade", id, {}));
        }
      }
    }
    if (spec_ != nullptr && has_standard_loadout(*spec_, pilot.upgrades)) pilot.standard_loadout = true;
    spec_ = nullptr;
    ship_ = nullptr;
  }

  void read_slot(const Node& node, const std::string& slot, SquadPilot& pilot) {
    if (node.is(Value::Kind::Array)) {
      for (const Node& item : node.children()) read_slot(item, slot, pilot);
      return;
    }
    const std::string id = upgrade_text(node);
    if (!id.empty() || !node.is(Value::Kind::Null)) read_upgrade(node, id, slot, pilot);  // null: an empty slot
  }

  void read_upgrade(const Node& node, const std::string& id, const std::string& slot, SquadPilot& pilot) {
    if (is_slot_card(id)) {
      out_.notes.push_back(fmt::format("{} names a slot and no card, and is left out", base::in_quotes(id)));
      return;
    }
    const CardClues clues{.slot = slot, .on = ship_, .by = spec_, .rules = &slot_rules_};
    const CardMatch card = find_upgrade_card(catalogue_, id, out_.cards, clues);
    if (card.id.empty()) return unknown(node.path(), "upgrade", id, reason("upgrade", id, card.several));
    const auto earlier = std::count_if(pilot.upgrades.begin(), pilot.upgrades.end(),
                                       [&](const SquadUpgrade& one) { return one.id == card.id; });
    if (is_extra_copy(out_.cards, earlier + 1)) {
      out_.notes.push_back(
          fmt::format("the upgrade {} is listed twice, and a ship of this edition has each upgrade "
                      "once; the second one is left out",
                      card.id));
      return;
    }
    count_guess(card);
    const bool standard = spec_ != nullptr && base::contains(spec_->standard_loadout, card.id);
    const std::string unmet = spec_ == nullptr || standard ? "" : slot_rules_.unmet(card.id, *ship_, spec_);
    note_if_read_as("upgrade", id, card.id, instead_of(id, card.id, clues));
    if (!unmet.empty()) {
      out_.notes.push_back(fmt::format("the upgrade {} is counted, though {} does not meet its restriction {}", card.id,
                                       spec_->id, unmet));
    }
    add_upgrade(card.id, id, node.path(), pilot);
  }

  /// Why the upgrade is not the one whose id is the given text; empty if there is none.
  std::string instead_of(const std::string& given, const std::string& upgrade, const CardClues& clues) const {
    const std::string id = id_form(given);
    if (id == upgrade || !catalogue_.upgrade_exists(id, out_.cards)) return {};
    const std::string unmet = clues.by == nullptr ? "" : slot_rules_.unmet(id, *clues.on, clues.by);
    return unmet.empty() ? fmt::format(", the card for the slot {}", clues.slot)
                         : fmt::format(", since {} does not meet {} of that card", clues.by->id, unmet);
  }

  void add_upgrade(const std::string& id, const std::string& given, const std::string& path, SquadPilot& pilot) {
    const auto cost = priced_ ? upgrade_cost_on(catalogue_, id, out_.cards, spec_, ship_) : std::nullopt;
    pilot.upgrades.push_back({id, given, path, cost});
  }

  /// Why an id is unknown. `several`: ids that it may mean.
  std::string reason(const char* kind, const std::string& given, const std::vector<std::string>& several) {
    if (given.empty()) return "no id is given";
    if (!several.empty()) return fmt::format("may be one of {}; write the id that is meant", base::listed(several));
    return fmt::format("not in the card set {};{}", out_.cards, suggestion(kind, given));
  }

  /// Searches for the first few ids only, since each search takes long.
  std::string suggestion(const std::string& kind, const std::string& given) {
    constexpr std::size_t kMostSearches = 20;
    const auto known = suggestions_.find({kind, given});
    if (known != suggestions_.end()) return known->second;
    if (suggestions_.size() == kMostSearches) return {};
    const auto ids = kind == "pilot"  ? catalogue_.pilot_ids(out_.cards)
                     : kind == "ship" ? catalogue_.ship_ids(out_.cards)
                                      : catalogue_.upgrade_ids(out_.cards);
    std::string near = base::did_you_mean(id_form(given), ids);
    if (near.empty()) near = did_you_mean_card(catalogue_, given, out_.cards, {kind.c_str()});
    return suggestions_[{kind, given}] = near;
  }

  void unknown(const std::string& path, const char* kind, const std::string& id, std::string why) {
    if (why.ends_with(';')) why.pop_back();
    out_.unknown.push_back({path, kind, base::printable(id, 100), std::move(why)});
  }

  void note_if_read_as(const char* kind, const std::string& given, const std::string& id, const std::string& why = {}) {
    if (given != id)
      out_.notes.push_back(fmt::format("the {} {} is read as {}{}", kind, base::in_quotes(given), id, why));
  }

  const Catalogue& catalogue_;
  Squad& out_;
  const SlotRules slot_rules_;
  std::size_t guesses_ = 0;
  std::map<std::pair<std::string, std::string>, std::string> suggestions_;  ///< by kind and id
  bool priced_;                      ///< the squad was built with the costs of the card set
  const PilotSpec* spec_ = nullptr;  ///< the current pilot, once known
  const ShipSpec* ship_ = nullptr;
};

}  // namespace

bool has_standard_loadout(const PilotSpec& pilot, const std::vector<SquadUpgrade>& upgrades) {
  const std::vector<std::string>& standard = pilot.standard_loadout;
  std::vector<std::string> ids;
  for (const SquadUpgrade& upgrade : upgrades) ids.push_back(upgrade.id);
  return !ids.empty() && std::is_permutation(standard.begin(), standard.end(), ids.begin(), ids.end());
}

std::size_t read_pilots(const Catalogue& catalogue, const std::vector<Node>& pilots, Squad& out) {
  PilotReader reader(catalogue, out);
  for (const Node& pilot : pilots) reader.pilot(pilot);
  return reader.guesses();
}

}  // namespace salvo::load
