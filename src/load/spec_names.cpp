#include "load/spec_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/namesakes.h"
#include "load/pilot_stats.h"
#include "load/profile.h"
#include "load/scenario_names.h"
#include "load/slot_rules.h"
#include "load/spec_words.h"
#include "load/squads/squad_ids.h"

namespace salvo::load {
namespace {

constexpr std::size_t kMaxWords = 6;  ///< of a name

}  // namespace

ReadName SpecNames::read(const Names& words, std::size_t at) {
  std::size_t most = 1;
  while (most < kMaxWords && at + most < words.size() && words[at + most].find('=') == std::string::npos) ++most;
  const std::size_t equals = words[at].find('=');
  const std::string key = words[at].substr(0, equals == std::string::npos ? 0 : equals);
  for (std::size_t n = most; n > 0; --n) {
    std::string text = words[at].substr(equals == std::string::npos ? 0 : equals + 1);
    for (std::size_t i = 1; i < n; ++i) text += " " + words[at + i];
    if (n > 1 && is_joining(words[at + n - 1])) continue;  // "Wedge +" is no name
    const bool plain =
        n == 1 && (equals != std::string::npos || is_number(text) || words_.knows(text) || is_joining(text));
    if (plain) continue;
    if (key.empty() ? read_bare_name(text, n == 1) : is_named_value(key, text))
      return {n, key.empty() ? "" : fmt::format("{}={}", key, text)};
  }
  return {};
}

bool SpecNames::begins_name(const Names& words, std::size_t at) const {
  std::string text;
  for (std::size_t i = at; i < std::min(words.size(), at + kMaxWords); ++i) {
    text += (i == at ? "" : " ") + words[i];
    for (const char* const kind : {"pilot", "ship"}) {
      const NameMatch match = named(kind, text);
      if (match.whole || (i == at && at > 0 && match.kind == NameMatchKind::Likely && !words_.knows(text))) return true;
    }
  }
  return false;
}

bool SpecNames::begins_plural(const Names& words, std::size_t at) const {
  std::string text;
  for (std::size_t i = at; i < std::min(words.size(), at + kMaxWords); ++i) {
    text += (i == at ? "" : " ") + words[i];
    for (const char* const kind : {"pilot", "ship"}) {
      const bool plural = text.ends_with('s') && !match_name(words_.catalogue.names(words_.cards), kind, text).whole;
      if (plural && named(kind, text).whole) return true;
    }
  }
  return false;
}

void SpecNames::find_flown(const std::string& text) {
  const NameMatch match = named("ship", text);
  draft_.flown = match.found.id.empty() ? text : match.found.id;
}

void SpecNames::find_ship_in_upgrades() {
  const Catalogue& cards = words_.catalogue;
  const std::string id = pilot_id();
  const auto is_of_dice = [](const std::string& key) {
    return key == "attack" || key == "agility" || key == "results";
  };
  const bool of_dice = std::any_of(draft_.seen.begin(), draft_.seen.end(), is_of_dice);
  if (!draft_.flown.empty() || (id.empty() && of_dice)) return;
  for (std::size_t i = 0; i < draft_.given_upgrades.size(); ++i) {
    const std::string& given = draft_.given_upgrades[i].text;
    const NameMatch match = named("ship", given);
    const ShipSpec* const ship = match.whole ? cards.ship(match.found.id, words_.cards) : nullptr;
    const PilotSpec* const pilot = ship == nullptr ? nullptr : find_pilot(*ship, id);
    if (ship == nullptr || (pilot == nullptr && !id.empty())) continue;
    if (pilot != nullptr && SlotRules(cards, words_.cards).unmet(draft_.upgrades.items[i].text, *ship, pilot).empty())
      continue;
    draft_.out.notes.push_back(reading_note(draft_.spec.name, match.found, given));
    draft_.out.ship.add("ship", data::Value::of(match.found.id));
    draft_.flown = match.found.id;
    draft_.seen.emplace_back("ship");
    draft_.upgrades.items.erase(draft_.upgrades.items.begin() + static_cast<std::ptrdiff_t>(i));
    draft_.given_upgrades.erase(draft_.given_upgrades.begin() + static_cast<std::ptrdiff_t>(i));
    return refuse_other_ships(*ship, pilot);
  }
}

void SpecNames::refuse_other_ships(const ShipSpec& ship, const PilotSpec* pilot) const {
  const SlotRules rules(words_.catalogue, words_.cards);
  for (std::size_t i = 0; i < draft_.given_upgrades.size(); ++i) {
    const std::string& given = draft_.given_upgrades[i].text;
    const NameMatch match = named("ship", given);
    if (!match.whole || match.found.id == ship.id) continue;
    if (!rules.unmet(draft_.upgrades.items[i].text, ship, pilot).empty()) fail_second("ship", given);
  }
}

void SpecNames::check_cards_of_ships() {
  const SlotRules rules(words_.catalogue, words_.cards);
  std::vector<const ShipSpec*> ships;
  for (const std::string& id :
       draft_.flown.empty() ? words_.catalogue.ships_of_pilot(pilot_id(), words_.cards) : Names{draft_.flown}) {
    if (const ShipSpec* const ship = words_.catalogue.ship(id, words_.cards); ship != nullptr) ships.push_back(ship);
  }
  for (std::size_t i = 0; i < draft_.given_upgrades.size() && !ships.empty(); ++i) {
    std::string& upgrade = draft_.upgrades.items[i].text;
    const std::string& given = draft_.given_upgrades[i].text;
    const auto may_have = [&](const ShipSpec* ship) { return rules.of_other_ship(upgrade, *ship).empty(); };
    if (std::any_of(ships.begin(), ships.end(), may_have)) continue;
    const NameEntry* const own = rules.card_of_ship(given, *ships[0]);
    if (own == nullptr)
      draft_.fail_word(given, rules.of_other_ship(upgrade, *ships[0]) + "; leave it out, or name its ship");
    upgrade = own->id;
    draft_.given_upgrades[i].guessed = true;
  }
}

void SpecNames::note_upgrades() {
  for (std::size_t i = 0; i < draft_.given_upgrades.size(); ++i) {
    if (!draft_.given_upgrades[i].guessed) continue;
    const std::string& id = draft_.upgrades.items[i].text;
    const Named upgrade{"upgrade", id, name_of(words_.catalogue, "upgrade", id, words_.cards)};
    draft_.out.notes.push_back(reading_note(draft_.spec.name, upgrade, draft_.given_upgrades[i].text));
  }
}

void SpecNames::finish() {
  find_ship_in_upgrades();
  check_equal_upgrades();
  for (std::size_t i = 0; i < draft_.given_upgrades.size(); ++i)
    find_ship_of(draft_.upgrades.items[i].text, draft_.given_upgrades[i].text);
  if (!draft_.given_upgrades.empty()) check_cards_of_ships();
  note_upgrades();
}

NameMatch SpecNames::named(std::string_view kind, const std::string& text, std::string_view ship) const {
  // The id of a pilot names it without the index of all names, which takes a tenth of a short run.
  if (kind == "pilot" && !words_.catalogue.ships_of_pilot(text, words_.cards).empty())
    return {.kind = NameMatchKind::Exact, .whole = true, .found = {"pilot", text, text}, .candidates = {}};
  return match_plural(words_.catalogue.names(words_.cards), kind, text, ship);
}

NameMatch SpecNames::pilot_named(const std::string& text) const {
  NameMatch match = named("pilot", text, draft_.flown);
  if (!match.whole || may_fly(match)) return match;
  const std::string id = find_pilot_card(words_.catalogue, match.found.id, words_.cards, {.ship = draft_.flown}).id;
  const NameEntry* const other = words_.catalogue.names(words_.cards).find("pilot", id);
  if (other == nullptr || !base::contains(other->ships, std::string_view(draft_.flown))) return match;
  match.kind = NameMatchKind::Likely;
  match.found = {"pilot", id, std::string(other->name)};
  return match;
}

bool SpecNames::is_named_value(const std::string& key, const std::string& text) {
  if (key != "ship" && key != "pilot" && key != "weapon") return false;
  const NameMatch match = named(key == "weapon" ? "upgrade" : key, text);
  if (!match.whole) return false;
  if (key == "ship") find_flown(text);
  return true;
}

bool SpecNames::read_bare_name(const std::string& text, bool one_word) {
  if (one_word && (base::name_key(text).empty() || !draft_.token_meant_by(text).empty() || draft_.is_other_token(text)))
    return false;
  if (std::count(text.begin(), text.end(), '(') != std::count(text.begin(), text.end(), ')')) return false;
  const std::size_t open = text.find(" (");  // "Han Solo (Rebel)" is the pilot, though it is like the id of an upgrade
  if (!draft_.pilot && open != std::string::npos && !faction_of(std::string_view(text).substr(open)).empty() &&
      named("pilot", text.substr(0, open)).whole)
    return false;
  const bool beside = draft_.pilot && text.starts_with('(') && text.ends_with(')');
  if (beside && !faction_of(text).empty()) return read_which(text);
  if (beside && draft_.flown.empty()) {  // "Sabine Wren (Gauntlet)"
    const NameMatch ship = named("ship", text);
    const NameMatch upgrade = named("upgrade", text);
    const bool title = upgrade.whole && base::name_key(ship.found.name).find(base::name_key(text)) == std::string::npos;
    if (!title && (ship.kind == NameMatchKind::Exact || ship.kind == NameMatchKind::Likely))
      return take(ship, text), true;
  }
  if (beside && read_which(text)) return true;
  Names kinds{"upgrade"};
  if (!draft_.pilot) kinds.insert(kinds.begin(), "pilot");
  if (draft_.flown.empty()) kinds.emplace_back("ship");
  std::vector<NameMatch> parts;
  const bool counts = one_word && !draft_.pilot && draft_.flown.empty() && !draft_.remedy_of_number(text).empty();
  std::string flies_other;  // a pilot with that name who flies other ships
  for (const std::string& kind : kinds) {
    const NameMatch match = kind == "pilot" ? pilot_named(text) : named(kind, text);
    if (match.kind == NameMatchKind::Unknown) continue;
    if (kind == "pilot" && !may_fly(match)) {
      if (match.whole) flies_other = match.found.id;
      continue;
    }
    if (!match.whole || counts) {
      parts.push_back(match);
      continue;
    }
    if (match.kind == NameMatchKind::Ambiguous) draft_.fail_word(text, describe(match, kind, text, words_.cards));
    if (kind == "upgrade") refuse_pilot(text, match.found);
    take(match, text);
    if (!flies_other.empty()) {
      draft_.out.notes.push_back(fmt::format("{}: {} is read as the {} {}, since no pilot of that name flies the {}",
                                             draft_.spec.name, base::in_quotes(text), match.found.kind, match.found.id,
                                             draft_.flown));
    }
    return true;
  }
  if (!flies_other.empty() && parts.empty()) {
    draft_.fail_word(text, fmt::format("does not fly the {}, but {}", draft_.flown,
                                       base::listed(words_.catalogue.ships_of_pilot(flies_other, words_.cards))));
  }
  for (const char* const kind : {"pilot", "ship"}) {
    const bool given = kind == std::string_view("pilot") ? draft_.pilot : !draft_.flown.empty();
    if (!given || !parts.empty() || !named(kind, text).whole) continue;
    fail_second(kind, text);
  }
  if (!one_word || parts.empty() || !base::did_you_mean(text, words_.reserved_words()).empty()) return false;
  if (parts.size() == 1 && parts[0].kind == NameMatchKind::Likely && !counts) {
    if (parts[0].found.kind == "upgrade") refuse_pilot(text, parts[0].found);
    take(parts[0], text);
    return true;
  }
  fail_parts(text, parts);
}

void SpecNames::fail_second(const char* kind, const std::string& text, const std::string& why) const {
  draft_.fail_word(
      text, fmt::format("is a second {}{}; give each ship a SPEC of its own{}", kind, why, draft_.hint_of_ships()));
}

void SpecNames::refuse_pilot(const std::string& text, const Named& upgrade) const {
  if (is_rather_pilot(text, upgrade))
    fail_second("pilot", text, fmt::format(", since {} cannot have the upgrade {}", pilot_id(), upgrade.id));
}

bool SpecNames::is_rather_pilot(const std::string& text, const Named& upgrade) const {
  const NameIndex& index = words_.catalogue.names(words_.cards);
  const NameEntry* const first = index.find("pilot", pilot_id());
  if (first == nullptr || !named("pilot", text).whole) return false;
  const SlotRules rules(words_.catalogue, words_.cards);
  const auto equips = [&](const NameEntry& card) {
    return std::any_of(index.pilots.begin(), index.pilots.end(), [&](const NameEntry& pilot) {
      return pilot.key == first->key && rules.can_equip(draft_.flown, std::string(pilot.id), std::string(card.id), "");
    });
  };
  return std::none_of(
      index.upgrades.begin(), index.upgrades.end(),
      [&, key = base::name_key(upgrade.name)](const NameEntry& card) { return card.key == key && equips(card); });
}

bool SpecNames::may_fly(const NameMatch& match) const {
  if (draft_.flown.empty() || match.kind == NameMatchKind::Ambiguous) return true;
  return base::contains(words_.catalogue.ships_of_pilot(match.found.id, words_.cards), draft_.flown);
}

std::string SpecNames::pilot_id() const {
  const data::Value* const pilot = draft_.out.ship.find("pilot");
  if (pilot == nullptr) return {};
  const std::string id = named("pilot", pilot->text).found.id;
  return id.empty() ? pilot->text : id;
}

bool SpecNames::read_which(const std::string& text) {
  const std::string pilot = pilot_id(), faction = faction_of(text);
  const std::string id = faction.empty() ? variant_of(words_.catalogue.names(words_.cards), pilot, text)
                                         : namesake_of_faction(words_.catalogue, words_.cards, pilot, faction);
  if (id.empty() && !faction.empty())
    draft_.fail_word(text, "fits no such pilot: " + no_namesake(words_.catalogue, words_.cards, pilot, faction));
  if (id.empty()) return false;
  if (!draft_.flown.empty() && !base::contains(words_.catalogue.ships_of_pilot(id, words_.cards), draft_.flown))
    draft_.fail_word(text, fmt::format("means the pilot {}, who does not fly the {}; leave one out", id, draft_.flown));
  which_ = true;
  const std::string key = base::name_key(pilot_text_);
  const bool by_id =
      key == base::name_key(pilot) && key != base::name_key(name_of(words_.catalogue, "pilot", pilot, words_.cards));
  if (by_id && id != pilot) {
    draft_.out.notes.push_back(fmt::format("{}: {} behind {} contradicts it; the pilot is read as {}", draft_.spec.name,
                                           base::in_quotes(text), pilot, id));
  }
  for (data::Value& item : draft_.out.ship.items) {
    if (item.key == "pilot") item.text = id;
  }
  return true;
}

void SpecNames::find_ship_of(const std::string& upgrade, const std::string& given) {
  const std::string id = pilot_id();
  if (id.empty() || !draft_.flown.empty()) return;
  const Names own = words_.catalogue.ships_of_pilot(id, words_.cards);
  const Names all = ships_of_namesakes(words_.catalogue.names(words_.cards), id);
  if (own.empty() || all.size() == own.size()) return;  // most pilots have one ship, and need no restrictions
  const SlotRules rules(words_.catalogue, words_.cards);
  const auto may_have = [&](const std::string& name) {
    const ShipSpec* const ship = words_.catalogue.ship(name, words_.cards);
    return ship != nullptr && rules.unmet(upgrade, *ship, nullptr).empty();
  };
  const auto at = std::find_if(all.begin(), all.end(), may_have);
  if (at == all.end() || std::any_of(own.begin(), own.end(), may_have)) return;
  draft_.flown = *at;
  draft_.out.ship.add("ship", data::Value::of(draft_.flown));
  draft_.out.notes.push_back(fmt::format(
      "{}: the upgrade {} needs another ship of the pilot, and the ship is read as {} ({})", draft_.spec.name,
      base::in_quotes(given), draft_.flown, name_of(words_.catalogue, "ship", draft_.flown, words_.cards)));
}

void SpecNames::take(const NameMatch& as_named, const std::string& text) {
  const bool beside = as_named.found.kind == "ship" && draft_.pilot;
  const NameMatch match =
      beside ? ship_beside(words_.catalogue.names(words_.cards), as_named, text, pilot_id(), which_) : as_named;
  const Named& named = match.found;
  const std::string key = named.kind == "upgrade" ? named.id : named.kind;
  if (named.kind != "upgrade" && base::contains(draft_.seen, key))
    draft_.fail_word(text, "is given twice; give each word once" + draft_.hint_of_ships());
  draft_.seen.push_back(key);
  const bool guessed = match.kind == NameMatchKind::Likely, upgrade = named.kind == "upgrade";
  if (guessed && !upgrade) draft_.out.notes.push_back(reading_note(draft_.spec.name, named, text));
  if (upgrade) {
    draft_.add_upgrade(named.id, text, guessed);
  } else {
    draft_.out.ship.add(named.kind, data::Value::of(named.id));
  }
  if (named.kind == "pilot") {
    draft_.pilot = true;
    pilot_text_ = text;
  }
  if (named.kind == "ship") draft_.flown = named.id;
}

void SpecNames::fail_parts(const std::string& text, const std::vector<NameMatch>& parts) const {
  const std::string other = draft_.remedy_of(text);
  Names all;
  for (const NameMatch& match : parts) {
    std::vector<Named> named = match.candidates;
    if (named.empty()) named.push_back(match.found);
    for (const Named& one : named) {
      const std::string key = one.kind == "upgrade" ? "" : one.kind + "=";
      all.push_back(fmt::format("{}{} ({})", key, one.id, one.name));
    }
  }
  constexpr std::size_t kMaxListed = 8;
  if (!other.empty())
    draft_.fail_word(text, fmt::format("is not a token, key, fact or upgrade;{}, or {} for the card", other,
                                       base::listed(all, kMaxListed)));
  draft_.fail_word(text, fmt::format("is not a token, key or fact, and a part of several names; write one of {}",
                                     base::listed(all, kMaxListed)));
}

void SpecNames::check_equal_upgrades() const {
  Names ids;
  for (const data::Value& one : draft_.upgrades.items) ids.push_back(one.text);
  for (const std::string& id : ids) {
    const auto times = std::count(ids.begin(), ids.end(), id);
    if (times < 2) continue;
    if (is_extra_copy(words_.cards, times))
      draft_.fail_word(id, "is given twice, and a ship of this edition has each upgrade once; leave one out");
    const data::Value* const pilot = draft_.out.ship.find("pilot");
    const auto cost = words_.catalogue.upgrade_cost(id, words_.cards);
    if (pilot == nullptr || !cost || cost->slots.empty()) continue;
    for (const std::string& flown : words_.catalogue.ships_of_pilot(pilot->text, words_.cards)) {
      const PilotSpec* const spec = find_pilot(*words_.catalogue.ship(flown, words_.cards), pilot->text);
      const auto slots = spec == nullptr ? times : std::count(spec->slots.begin(), spec->slots.end(), cost->slots[0]);
      if (slots > 0 && slots < times)  // none: a title gives them
        draft_.fail_word(
            id, fmt::format("is given {} times, and {} has {} of the slot {}; leave out those without a slot", times,
                            pilot->text, slots, cost->slots[0]));
    }
  }
}

}  // namespace salvo::load
