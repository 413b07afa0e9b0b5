// Reads XWS files. Builders deviate from the schema and from each other, so only the list of pilots is required.
// Everything that is not understood is listed with its path.
#include "salvo/squad.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "load/name_index.h"
#include "load/pilot_stats.h"
#include "load/profile.h"
#include "load/scenario_names.h"
#include "load/spec_ships.h"
#include "load/spec_vocabulary.h"
#include "load/specs.h"
#include "load/squads/squad_game.h"
#include "load/squads/squad_ids.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"
#include "load/squads/squad_tree.h"
#include "load/squads/wrapped_squad.h"

namespace salvo {
namespace {

using data::Node;
using data::Value;

/// Whether these are the upgrades of the pilot's standard loadout, in any order.
bool has_standard_loadout(const load::PilotSpec& pilot, const std::vector<SquadUpgrade>& upgrades) {
  const std::vector<std::string>& standard = pilot.standard_loadout;
  std::vector<std::string> ids;
  for (const SquadUpgrade& upgrade : upgrades) ids.push_back(upgrade.id);
  return !ids.empty() && std::is_permutation(standard.begin(), standard.end(), ids.begin(), ids.end());
}

class PilotReader {
 public:
  PilotReader(const Catalogue& catalogue, Squad& out)
      : catalogue_(catalogue),
        out_(out),
        slot_rules_(catalogue, out.cards),
        priced_(load::is_priced_by(out.ruleset, out.cards)) {}

  void pilot(const Node& node) {
    if (!node.is(Value::Kind::Table)) {
      unknown(node.path(), "pilot", load::loose_text(node), "is not an object with a pilot's id");
      return;
    }
    const std::string given = load::pilot_text(node), given_ship = load::loose_text(node.get("ship"));
    const std::string id_key = load::loose_text(node.get("id")).empty() ? ".name" : ".id";
    const load::CardMatch card =
        load::find_pilot_card(catalogue_, given, out_.cards, {.ship = given_ship, .faction = out_.faction});
    const bool other_ship = !given_ship.empty() && !load::find_ship_id(catalogue_, given_ship, out_.cards);
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
    const bool only_appended = given_ship.empty() && load::id_form(given) == fmt::format("{}-{}", card.id, card.ship);
    if (!only_appended) note_if_read_as("pilot", given, card.id, whose(given, pilot));
    if (!given_ship.empty()) note_if_read_as("ship", given_ship, pilot.ship);
    out_.pilots.push_back(std::move(pilot));
  }

  /// Ids that were only guessed, in the sense of CardMatch::sure.
  int guesses() const { return guesses_; }

 private:
  void count_guess(const load::CardMatch& card) { guesses_ += card.sure ? 0 : 1; }

  /// Why a pilot has no ship.
  std::string no_ship(const std::string& given, const std::string& pilot) {
    if (pilot.empty()) return reason("ship", given, {});
    const std::string ships = base::joined(catalogue_.ships_of_pilot(pilot, out_.cards), ", ");
    return given.empty()
               ? fmt::format("the pilot {} flies {}; name one of them", pilot, ships)
               : fmt::format("the pilot {} does not fly it, but {}; correct the ship or the pilot", pilot, ships);
  }

  /// Distinguishes the pilot from another one whose id is the given text.
  std::string whose(const std::string& given, const SquadPilot& pilot) const {
    const std::string id = load::id_form(given);
    if (id == pilot.id || catalogue_.ships_of_pilot(id, out_.cards).empty()) return {};
    const auto at = load::find_pilot(*catalogue_.ship(pilot.ship, out_.cards), pilot.id);
    return fmt::format(", who flies the {} of {}", pilot.ship, at->faction);
  }

  bool fill(SquadPilot& pilot, const Node& node, const std::string& id, const std::string& ship_id) {
    const load::ShipSpec& ship = *catalogue_.ship(ship_id, out_.cards);
    const load::PilotSpec* const at = load::find_pilot(ship, id);
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
    pilot.points = load::loose_number(node.get("points"));
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
        if (!upgrades->is(Value::Kind::Text) || !upgrades->value().text.empty()) read_slot(*upgrades, "", pilot);
      } else {
        for (const Node& slot : upgrades->children()) read_slot(slot, named ? slot.key() : "", pilot);
      }
    }
    if (pilot.upgrades.empty() && spec_ != nullptr && !pilot.id.empty() && !spec_->standard_loadout.empty()) {
      pilot.standard_loadout = true;
      for (const std::string& id : spec_->standard_loadout) {
        const load::CardMatch card = load::find_upgrade_card(catalogue_, id, out_.cards);
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
    const std::string id = load::upgrade_text(node);
    if (id.empty() && node.is(Value::Kind::Null)) return;  // an empty slot
    if (load::is_slot_card(id)) {
      out_.notes.push_back(fmt::format("{} names a slot and no card, and is left out", base::in_quotes(id)));
      return;
    }
    const load::CardClues clues{.slot = slot, .on = ship_, .by = spec_, .rules = &slot_rules_};
    const load::CardMatch card = load::find_upgrade_card(catalogue_, id, out_.cards, clues);
    if (card.id.empty()) return unknown(node.path(), "upgrade", id, reason("upgrade", id, card.several));
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
  std::string instead_of(const std::string& given, const std::string& upgrade, const load::CardClues& clues) const {
    const std::string id = load::id_form(given);
    if (id == upgrade || !catalogue_.upgrade_exists(id, out_.cards)) return {};
    const std::string unmet = clues.by == nullptr ? "" : slot_rules_.unmet(id, *clues.on, clues.by);
    return unmet.empty() ? fmt::format(", the card for the slot {}", clues.slot)
                         : fmt::format(", since {} does not meet {} of that card", clues.by->id, unmet);
  }

  void add_upgrade(const std::string& id, const std::string& given, const std::string& path, SquadPilot& pilot) {
    const auto cost = priced_ ? load::upgrade_cost_on(catalogue_, id, out_.cards, spec_, ship_) : std::nullopt;
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
    std::string near = base::did_you_mean(load::id_form(given), ids);
    if (near.empty()) near = load::did_you_mean_card(catalogue_, given, out_.cards, {kind.c_str()});
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
  const load::SlotRules slot_rules_;
  int guesses_ = 0;
  std::map<std::pair<std::string, std::string>, std::string> suggestions_;  ///< by kind and id
  bool priced_;                            ///< the squad was built with the costs of the card set
  const load::PilotSpec* spec_ = nullptr;  ///< the current pilot, once known
  const load::ShipSpec* ship_ = nullptr;
};

/// A squad as read with one card set.
struct SquadReading {
  Squad squad;
  std::size_t doubts = 0;  ///< unknown and guessed ids
};

SquadReading read_with(const Catalogue& catalogue, const Node& root, const std::vector<Node>& pilots, Squad head,
                       const std::string& cards) {
  head.cards = cards;
  const DataSet data = catalogue.data_set(cards);
  head.cards_from = data.name;
  head.cards_date = data.date;
  head.faction = load::loose_text(root.get("faction"));
  PilotReader reader(catalogue, head);
  for (const Node& pilot : pilots) reader.pilot(pilot);
  std::vector<std::string> notes;
  for (const std::string& note : head.notes) base::add_once(notes, note);  // copies of a ship repeat them
  head.notes = std::move(notes);
  head.name = load::loose_text(root.get("name"));
  head.points = load::loose_number(root.get("points"));
  const bool missing =
      std::any_of(head.pilots.begin(), head.pilots.end(), [](const SquadPilot& pilot) { return !pilot.points; });
  if (!load::is_priced_by(head.ruleset, cards)) {
    head.notes.push_back(fmt::format("the card set {} has no points for {}; costs are those that the squad states{}",
                                     cards, head.ruleset, missing ? ", and unknown where it states none" : ""));
  }
  const std::size_t doubts = head.unknown.size() + static_cast<std::size_t>(reader.guesses());
  return {std::move(head), doubts};
}

/// The edition of a card set. Throws LoadError.
std::string rules_of_cards(const Catalogue& catalogue, const std::string& cards) {
  const auto& sets = Catalogue::card_sets();
  if (!base::contains(sets, cards))
    throw LoadError(fmt::format("--cards: {} is not one of {}", base::in_quotes(cards), base::joined(sets, ", ")));
  for (const std::string& id : catalogue.edition_ids()) {
    const auto& own = catalogue.edition(id)->card_sets;
    if (base::contains(own, cards)) return id;
  }
  return load::kSecondEdition;
}

/// Candidate card sets, most likely first: that of the squad's ruleset, then the others of its edition.
std::vector<std::string> likely_sets(const Catalogue& catalogue, const Squad& squad) {
  if (squad.ruleset == load::kFirstEdition) return {catalogue.card_set("", squad.rules)};
  std::vector<std::string> sets = catalogue.edition(squad.rules)->card_sets;
  if (sets.empty()) sets = Catalogue::card_sets();
  const auto likely = std::find(sets.begin(), sets.end(), load::card_set_of_ruleset(squad.ruleset));
  if (likely != sets.end()) std::rotate(sets.begin(), likely, likely + 1);
  return sets;
}

/// Sets edition and ruleset of the squad: those given by the user, else inferred from the file.
void find_head(const Catalogue& catalogue, const Node& root, const std::vector<Node>& pilots,
               const std::optional<std::string>& cards, const std::optional<std::string>& rules, Squad& head) {
  if (rules && catalogue.edition(*rules) == nullptr) {
    throw LoadError(fmt::format("--rules: {} is not one of {}", base::in_quotes(*rules),
                                base::joined(catalogue.edition_ids(), ", ")));
  }
  load::SquadGame game;
  if (cards || rules) {
    const std::string of_cards = cards ? rules_of_cards(catalogue, *cards) : *rules;
    game.rules = rules.value_or(of_cards);
    const std::vector<std::string>& own = catalogue.edition(game.rules)->card_sets;
    if (cards && !own.empty() && !base::contains(own, *cards)) {
      throw LoadError(fmt::format("--cards: the rules {} have no card set {}; allowed are {}", game.rules, *cards,
                                  base::joined(own, ", ")));
    }
    const bool first = cards ? cards->starts_with(load::kFirstEdition)
                             : catalogue.card_set("", game.rules).starts_with(load::kFirstEdition);
    game.ruleset = first ? load::kFirstEdition : load::find_second_edition_game(catalogue, root, pilots).ruleset;
  } else {
    game = load::find_game(catalogue, root, pilots);
  }
  head.rules = game.rules;
  head.ruleset = game.ruleset;
  head.notes = game.notes;
}

constexpr std::size_t kMaxSquadShips = 40, kMaxShipUpgrades = 30;  ///< more than any game allows

std::size_t count_items(const Node& node) {
  if (!node.is(Value::Kind::Array)) return 1;
  std::size_t out = 0;
  for (const Node& item : node.children()) out += count_items(item);
  return out;
}

/// How many equal ships the pilot stands for: some exports write them once.
std::size_t copies_of(const Node& pilot) {
  if (!pilot.is(Value::Kind::Table)) return 1;
  for (const char* const key : {"multiplier", "count"}) {
    const auto stated = load::loose_number(pilot.get(key));
    if (!stated) continue;
    if (*stated < 1) pilot.get(key)->fail(fmt::format("is {}, and a number of ships at least 1", *stated));
    return static_cast<std::size_t>(*stated);
  }
  return 1;
}

/// The pilots of the list, each as often as it says.
std::vector<Node> each_pilot(const Node& list) {
  std::size_t ships = 0;
  for (const Node& pilot : list.children()) ships += copies_of(pilot);
  if (ships > kMaxSquadShips) {
    list.fail(fmt::format("has {} ships, and a squad at most {}; split it, or leave out what does not fight", ships,
                          kMaxSquadShips));
  }
  std::vector<Node> out;
  for (const Node& pilot : list.children()) out.insert(out.end(), copies_of(pilot), pilot);
  return out;
}

/// Refuses at once what would take long to answer.
void check_size(const std::vector<Node>& pilots) {
  for (const Node& pilot : pilots) {
    const auto upgrades = pilot.is(Value::Kind::Table) ? pilot.get("upgrades") : std::nullopt;
    if (!upgrades || (!upgrades->is(Value::Kind::Table) && !upgrades->is(Value::Kind::Array))) continue;
    std::size_t cards = 0;
    for (const Node& slot : upgrades->children()) cards += count_items(slot);
    if (cards > kMaxShipUpgrades) {
      upgrades->fail(fmt::format("holds {} cards, and a ship at most {}; write each card that it has once", cards,
                                 kMaxShipUpgrades));
    }
  }
}

/// The line of `whole` on which its part begins.
int line_of(std::string_view part, std::string_view whole) {
  return 1 + static_cast<int>(std::count(whole.data(), part.data(), '\n'));
}

/// The text inside a block of code, as forums and chats mark it: ```json ... ```.
std::string_view without_fence(std::string_view text) {
  constexpr std::string_view kFence = "```";
  if (!text.starts_with(kFence)) return text;
  text.remove_prefix(std::min(text.find_first_of("\n{[", kFence.size()), text.size()));
  if (text.ends_with(kFence)) text.remove_suffix(kFence.size());
  return base::trimmed(text);
}

}  // namespace

Squad parse_squad(const Catalogue& catalogue, std::string_view text, const std::string& source,
                  const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  text = data::check_text(text, source);
  const std::string_view body = without_fence(base::trimmed(text));
  // Forums write "[b]Han Solo[/b]".
  const bool markup =
      body.size() > 1 && body[0] == '[' && ((body[1] >= 'a' && body[1] <= 'z') || (body[1] >= 'A' && body[1] <= 'Z'));
  if (body.starts_with('{') || (body.starts_with('[') && !markup))
    return load::read_squad(catalogue, data::parse_json(body, source, line_of(body, text)), source, cards, rules);
  return load::is_only_link(body) ? load::parse_squad_link(catalogue, body, cards, rules)
                                  : load::parse_squad_text(catalogue, text, source, cards, rules);
}

Squad load::read_squad(const Catalogue& catalogue, const Value& value, const std::string& source,
                       const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  const Node whole(value, source);
  const std::optional<Node> wrapped = find_squad(whole);
  if (!wrapped) whole.need_table("a squad: an object with a list of pilots, as builders export it (XWS)");
  const Node& root = wrapped ? *wrapped : whole;
  if (root.is(Value::Kind::Text)) {
    return data::within(root.path(), [&, text = root.value().text] {
      return read_squad(catalogue, data::parse_json(text, source), source, cards, rules);
    });
  }
  const Node list = root.need("pilots", "export the squad as XWS");
  if (list.is(Value::Kind::Table) && list.value().items.empty()) list.fail("has no pilot; add one");
  list.need_array("a list of pilots");
  const std::vector<Node> pilots = each_pilot(list);
  if (pilots.empty()) list.fail("has no pilot; add one");
  check_size(pilots);
  Squad head;
  head.source = source == "-" ? "standard input" : source;
  find_head(catalogue, root, pilots, cards, rules, head);
  if (cards) return read_with(catalogue, root, pilots, head, *cards).squad;
  const std::vector<std::string> sets = likely_sets(catalogue, head);
  SquadReading best = read_with(catalogue, root, pilots, head, sets[0]);
  for (std::size_t i = 1; i < sets.size() && best.doubts > 0; ++i) {
    // Ids are better evidence than a version, which builders do not always update.
    SquadReading other = read_with(catalogue, root, pilots, head, sets[i]);
    if (other.doubts >= best.doubts) continue;
    other.squad.notes.push_back(fmt::format("more of its ids are of the card set {} than of {}", sets[i], sets[0]));
    best = std::move(other);
  }
  return best.squad;
}

namespace {

/// XWS text, read only once since it may be standard input. Empty for a link, which contains the squad itself.
std::string text_of(const std::string& path) { return load::is_link(path) ? std::string() : data::read_file(path); }

Squad parse_either(const Catalogue& catalogue, const std::string& text, const std::string& path,
                   const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  return load::is_link(path) ? load::parse_squad_link(catalogue, path, cards, rules)
                             : parse_squad(catalogue, text, path, cards, rules);
}

}  // namespace

Squad load_squad(const Catalogue& catalogue, const std::string& path, const std::optional<std::string>& cards,
                 const std::optional<std::string>& rules) {
  return parse_either(catalogue, text_of(path), path, cards, rules);
}

Squad load_opposing_squad(const Catalogue& catalogue, const std::string& path, const Squad& mine,
                          const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  const std::string text = text_of(path);
  return load::opposing_squad(
      [&](const auto& its_cards, const auto& its_rules) {
        return parse_either(catalogue, text, path, its_cards, its_rules);
      },
      mine, cards || rules);
}

Squad load::opposing_squad(const SquadReader& read, const Squad& mine, bool as_mine) {
  if (as_mine) return read(mine.cards, mine.rules);
  const Squad own = read(std::nullopt, std::nullopt);
  if (own.rules != mine.rules) {
    throw LoadError(fmt::format(
        "{} is of the {}, {} of the {}; squads of two editions cannot meet (--rules decides where one is misread)",
        own.source, own.rules, mine.source, mine.rules));
  }
  if (own.cards == mine.cards) return own;
  Squad out = read(mine.cards, mine.rules);
  out.notes.push_back(
      fmt::format("it is of the card set {} and read with {}, as {} is", own.cards, mine.cards, mine.source));
  return out;
}

namespace {

/// A squad without pilots in this card set and edition. Throws LoadError.
Squad empty_squad(const Catalogue& catalogue, const std::string& name, const std::optional<std::string>& cards,
                  const std::optional<std::string>& rules) {
  Squad out;
  out.source = out.name = name;
  out.rules = rules.value_or(cards ? rules_of_cards(catalogue, *cards) : load::kSecondEdition);
  out.cards = catalogue.card_set(cards.value_or(""), out.rules);
  out.ruleset = out.cards.starts_with(load::kFirstEdition) ? load::kFirstEdition
                : out.cards == "legacy"                    ? "2.0"
                : out.cards == "2025"                      ? "2.5"
                                                           : "XWA";
  return out;
}

/// Fills in names and costs of a ship from a SPEC, as far as the card set has them.
void add_names_and_costs(const Catalogue& catalogue, const std::string& cards, SquadPilot& out) {
  std::string ship_id = out.spec->ship.value_or("");
  if (ship_id.empty() && out.spec->pilot) {
    const std::vector<std::string> ships = catalogue.ships_of_pilot(*out.spec->pilot, cards);
    if (ships.size() == 1) ship_id = ships[0];
  }
  const load::ShipSpec* ship = catalogue.ship(ship_id, cards);
  const load::PilotSpec* pilot = nullptr;
  if (ship != nullptr) {
    out.ship = ship_id;
    out.ship_name = out.name = ship->name;
    pilot = load::find_pilot(*ship, out.spec->pilot.value_or(""));
  }
  if (pilot != nullptr) {
    out.id = pilot->id;
    out.name = pilot->name;
    out.cost = pilot->cost;
    out.loadout = pilot->loadout;
    out.standard_loadout = out.standard_loadout || has_standard_loadout(*pilot, out.upgrades);
  }
  for (SquadUpgrade& upgrade : out.upgrades)
    upgrade.cost = load::upgrade_cost_on(catalogue, upgrade.id, cards, pilot, ship);
}

/// Adds the ships of one SPEC. What it says of an attack is left to the rows of the report.
void add_ships(const Catalogue& catalogue, const std::string& cards, const load::GivenSpec& spec, Squad& out) {
  Scenario read = load::attacks_from_specs(catalogue, out.rules, cards, {spec.place, {spec}});
  try {
    load::names_to_ids(catalogue, read);
  } catch (const ScenarioError& error) {
    throw data::error_at(spec.place, error.what());
  }
  if (read.attacks[0].rolled || read.attacks[0].results)
    throw data::error_at(spec.place, "the roll of one attack is stated; leave it out, since a squad makes many");
  for (const std::string& note : read.notes) base::add_once(out.notes, note);
  SquadPilot pilot;
  pilot.given = pilot.name = spec.text;
  pilot.spec = read.ships.at("a1");
  if (pilot.spec->upgrades.size() > kMaxShipUpgrades) {
    throw data::error_at(spec.place, fmt::format("has {} upgrades, and a ship at most {}; leave out the others",
                                                 pilot.spec->upgrades.size(), kMaxShipUpgrades));
  }
  for (const std::string& id : pilot.spec->upgrades) pilot.upgrades.push_back({id, id, "", {}});
  pilot.spec->upgrades.clear();
  const auto in_rows = [](const Unknown& unknown) { return unknown.key == "focus" || unknown.key == "lock"; };
  const auto chances = std::erase_if(pilot.spec->unknowns, in_rows);
  const bool tokens = pilot.spec->tokens.erase("focus") > 0 || chances > 0 || !pilot.spec->locks.empty();
  pilot.spec->locks.clear();
  if (tokens) base::add_once(out.notes, "focus tokens and locks of the SPEC are left to the rows, which try them");
  const ScenarioAttack &attack = read.attacks[0], usual;
  const auto is_range = [](const Unknown& unknown) { return unknown.key == "range"; };
  const auto ranges = std::count_if(attack.unknowns.begin(), attack.unknowns.end(), is_range);
  if (attack.range != usual.range || ranges > 0 || attack.weapon != usual.weapon)
    base::add_once(out.notes, "range and weapon of the SPEC are left to the rows, which try them");
  if (attack.obstructed || !attack.reinforced || attack.initiative || !attack.facts.empty() ||
      std::cmp_greater(attack.unknowns.size(), ranges))
    base::add_once(out.notes, "obstruction, reinforced, initiative and facts of the SPEC are left out of the rows");
  add_names_and_costs(catalogue, out.cards, pilot);
  out.pilots.insert(out.pilots.end(), read.attacks.size(), pilot);
}

}  // namespace

Squad load::squad_from_spec(const Catalogue& catalogue, const GivenSpec& spec, const std::optional<std::string>& cards,
                            const std::optional<std::string>& rules) {
  Squad out = empty_squad(catalogue, spec.text, cards, rules);
  const SpecVocabulary words = make_vocabulary(catalogue, out.rules, out.cards);
  std::vector<std::string> parts = base::words_between(spec.text, "|");
  if (parts.empty()) parts.push_back(spec.text);
  for (const std::string& part : parts) {
    for (const GivenSpec& one : ships_of(words, {part, spec.place, spec.name}, out.notes))
      add_ships(catalogue, cards.value_or(""), one, out);
  }
  if (out.pilots.size() > kMaxSquadShips) {
    throw data::error_at(spec.place, fmt::format("has {} ships, and a squad at most {}; leave out the others",
                                                 out.pilots.size(), kMaxSquadShips));
  }
  return out;
}

Squad squad_from_spec(const Catalogue& catalogue, const std::string& spec, const std::optional<std::string>& cards,
                      const std::optional<std::string>& rules) {
  return load::squad_from_spec(catalogue, load::spec_of(fmt::format("SPEC {}", base::in_quotes(spec)), spec), cards,
                               rules);
}

Squad squad_from_ship(const Catalogue& catalogue, const std::string& ship, const std::string& pilot,
                      const std::optional<std::string>& cards, const std::optional<std::string>& rules) {
  Squad out = empty_squad(catalogue, pilot.empty() ? ship : pilot, cards, rules);
  const DataSet data = catalogue.data_set(out.cards);
  out.cards_from = data.name;
  out.cards_date = data.date;
  const load::ShipSpec* spec = catalogue.ship(ship, out.cards);
  if (spec == nullptr)
    throw LoadError(fmt::format("the card set {} has no ship {}; salvo ships lists them", out.cards, ship));
  SquadPilot& one = out.pilots.emplace_back();
  one.given = pilot;
  one.given_ship = ship;
  one.spec = ScenarioShip{.ship = ship};
  if (!pilot.empty()) {
    const load::PilotSpec* const at = load::find_pilot(*spec, pilot);
    if (at == nullptr)
      throw LoadError(fmt::format("the ship {} has no pilot {} in the card set {}", ship, pilot, out.cards));
    one.spec->pilot = pilot;
    one.standard_loadout = !at->standard_loadout.empty();
    for (const std::string& id : at->standard_loadout) {
      if (catalogue.upgrade_exists(id, out.cards)) {
        one.upgrades.push_back({id, "", "", {}});
      } else {
        out.unknown.push_back({"upgrades", "upgrade", id, fmt::format("not in the card set {}", out.cards)});
      }
    }
    out.faction = at->faction;
  }
  add_names_and_costs(catalogue, out.cards, one);
  out.name = one.name;
  return out;
}

ScenarioShip scenario_ship(const SquadPilot& pilot) {
  ScenarioShip out = pilot.spec ? *pilot.spec : ScenarioShip{.ship = pilot.ship, .pilot = pilot.id};
  for (const SquadUpgrade& upgrade : pilot.upgrades) out.upgrades.push_back(upgrade.id);
  return out;
}

int total_cost(const SquadPilot& pilot) {
  int cost = pilot.cost;
  if (cost == 0 || pilot.loadout || pilot.standard_loadout) return cost;
  for (const SquadUpgrade& upgrade : pilot.upgrades) cost += upgrade.cost.value_or(0);
  return cost;
}

std::optional<int> cost_in(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards) {
  SquadPilot pilot;
  pilot.spec = ship;
  for (const std::string& id : ship.upgrades) pilot.upgrades.push_back({id, id, "", {}});
  add_names_and_costs(catalogue, cards, pilot);
  const auto unpriced = [](const SquadUpgrade& upgrade) { return !upgrade.cost; };
  if (!pilot.loadout && std::any_of(pilot.upgrades.begin(), pilot.upgrades.end(), unpriced)) return std::nullopt;
  const int cost = total_cost(pilot);
  return cost > 0 ? std::optional(cost) : std::nullopt;
}

std::optional<int> cost_of(const SquadPilot& pilot) {
  const int cost = pilot.points.value_or(total_cost(pilot));
  return cost > 0 ? std::optional(cost) : std::nullopt;
}

std::vector<std::string> caveats_of(const Squad& squad) {
  std::vector<std::string> out;
  const std::string head = squad.name.empty() ? squad.source : squad.name;
  for (const std::string& note : squad.notes) out.push_back(fmt::format("{}: {}", head, note));
  for (const UnknownId& id : squad.unknown) {
    out.push_back(
        fmt::format("{}: {}: the {} {} is left out: {}", head, id.path, id.kind, base::in_quotes(id.id), id.reason));
  }
  return out;
}

}  // namespace salvo
