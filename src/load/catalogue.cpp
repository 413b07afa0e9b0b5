#include "load/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "base/index.h"
#include "base/stable_sort.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "data/profiles.h"
#include "load/card_file.h"
#include "load/derived_data.h"
#include "load/index_file.h"
#include "load/lookup_memo.h"
#include "load/name_index.h"
#include "load/profile.h"
#include "load/relevance_list.h"

namespace salvo {

namespace {

namespace fs = std::filesystem;
using data::Node;
using data::Value;

/// The board facts with their meaning, and those of them that profiles/rules/facts.toml lists by kind.
struct FactNames {
  std::map<std::string, std::string> meanings;
  std::set<std::string> counted, attackers_friends, defenders_friends, reached, reached_defender;
};

FactNames read_fact_names(const Node& root) {
  root.allow_only({"facts", "counted", "attackers-friends", "defenders-friends", "reached", "reached-defender"});
  const Node facts = root.need("facts", "list the board facts in a [facts] table");
  facts.need_table("a [facts] table");
  FactNames out;
  for (const Node& fact : facts.children()) {
    if (!data::is_id(fact.key())) fact.fail("not the name of a fact; use lower-case letters, digits and hyphens");
    out.meanings[fact.key()] = fact.text();
  }
  const auto read_list = [&](const std::string& key, std::set<std::string>& list) {
    std::vector<std::string> names;
    root.read(key, names);
    for (const std::string& name : names) {
      if (!out.meanings.contains(name)) root.need(key, "").fail(base::in_quotes(name) + " is not one of the facts");
    }
    list.insert(names.begin(), names.end());
  };
  read_list("counted", out.counted);
  read_list("attackers-friends", out.attackers_friends);
  read_list("defenders-friends", out.defenders_friends);
  read_list("reached", out.reached);
  read_list("reached-defender", out.reached_defender);
  return out;
}

/// Paths of the ships and indexes of a card set.
fs::path ship_folder(const fs::path& root, const load::CardSet& set) { return root / "ships" / set.ships; }
fs::path ship_index(const fs::path& root, const load::CardSet& set) { return ship_folder(root, set) / "ships.tsv"; }
fs::path pilot_index(const fs::path& root, const load::CardSet& set) { return ship_folder(root, set) / "pilots.tsv"; }
fs::path points_index(const fs::path& root, const load::CardSet& set) { return ship_folder(root, set) / "points.tsv"; }
fs::path upgrade_index(const fs::path& root, const load::CardSet& set) { return root / "cards" / set.known_upgrades; }

using IndexPlace = fs::path (*)(const fs::path& root, const load::CardSet& set);

}  // namespace

namespace load {

std::string read_id(const data::Node& root, const std::string& expected) {
  const data::Node node = root.need("id", fmt::format("write id = \"{}\"", expected));
  std::string id = node.text();
  if (id != expected)
    node.fail(fmt::format("{} is not the name of the file; write {}", base::in_quotes(id), base::in_quotes(expected)));
  return id;
}

}  // namespace load

/// The cached files of the profiles; null for files that do not exist. The mutex guards everything but the folder.
struct Catalogue::Files {
  explicit Files(data::Profiles from) : profiles(std::move(from)), root(profiles.root()) {}

  const data::Profiles profiles;
  const fs::path root;
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<const load::Edition>, std::less<>> editions;
  std::map<std::string, std::unique_ptr<const load::DeckSpec>> decks;  ///< by path
  std::map<std::string, std::unique_ptr<const load::ShipSpec>> ships;  ///< by path
  std::map<std::string, std::unique_ptr<const load::CardSpec>> cards;  ///< by path
  std::map<std::string, load::IndexFile> indexes;                      ///< by path
  std::map<std::string, load::IndexFile> whole_indexes;  ///< of derived sets, merged with the base; by path
  std::unique_ptr<const FactNames> facts;
  std::map<std::string, load::NameIndex> names;                   ///< by card set
  std::map<const load::CardSet*, const load::IndexFile*> pilots;  ///< by card set
  std::map<const load::CardSet*, DataSet> data_sets;              ///< by card set
  load::LookupMemo<load::CardSpec> found_cards;                   ///< this and the next two have their own mutex
  load::LookupMemo<load::ShipSpec> found_ships;
  load::LookupMemo<bool> relevances;

  const load::ShipSpec* find_ship(std::string_view id, std::string_view card_set);
  const load::CardSpec* find_card(std::string_view kind, std::string_view id, std::string_view card_set);

  const load::IndexFile& index(const fs::path& path) {
    const auto found = indexes.find(path.string());
    return found != indexes.end() ? found->second
                                  : indexes.emplace(path.string(), load::read_index(profiles, path)).first->second;
  }

  /// No rows if the profiles lack the file.
  const load::IndexFile& optional_index(const fs::path& path) {
    static const load::IndexFile kNone;
    return profiles.has(path) ? index(path) : kNone;
  }

  /// Whether the profiles contain the changes of a derived set. A user's own profiles may lack them; then the set
  /// equals its base.
  bool has_changes(const load::CardSet& set) { return set.derived && profiles.has_folder(ship_folder(root, set)); }

  /// The index of a card set, merged with its base if it is derived.
  const load::IndexFile& index(const load::CardSet& set, IndexPlace place) {
    const fs::path path = place(root, set);
    if (!set.derived) return index(path);
    if (!has_changes(set)) return index(*load::card_set(set.base), place);
    const auto found = whole_indexes.find(path.string());
    if (found != whole_indexes.end()) return found->second;
    load::IndexFile whole = load::apply_changes(index(*load::card_set(set.base), place), index(path));
    return whole_indexes.emplace(path.string(), std::move(whole)).first->second;
  }

  const load::ShipSpec* ship(const load::CardSet& set, const std::string& name) {
    const fs::path path = ship_folder(root, set) / (name + ".toml");
    const auto found = ships.find(path.string());
    if (found != ships.end()) return found->second.get();
    const load::ShipSpec* base = set.derived ? ship(*load::card_set(set.base), name) : nullptr;
    auto read = base != nullptr ? changed_ship(*base, set, path)
                                : read_profile<load::ShipSpec>(
                                      path, [&](const Node& node) { return load::read_ship_profile(node, name); });
    return ships.emplace(path.string(), std::move(read)).first->second.get();
  }

  /// A ship of the base with the changes of a derived set: its file, if any, its pilots and their points.
  std::unique_ptr<const load::ShipSpec> changed_ship(load::ShipSpec ship, const load::CardSet& set,
                                                     const fs::path& path) {
    if (!has_changes(set)) return std::make_unique<const load::ShipSpec>(std::move(ship));
    const fs::path points_file = points_index(root, set);
    const load::IndexFile &points = index(points_file), &moved = index(pilot_index(root, set));
    std::erase_if(ship.pilots, [&](const load::PilotSpec& pilot) {
      const auto now = moved.of(pilot.id);
      return !now.empty() && !base::contains(now, ship.id);
    });
    for (load::PilotSpec& pilot : ship.pilots) {
      for (const std::string_view row : points.of(pilot.id)) load::read_points(row, points_file.string(), pilot);
    }
    read_profile<load::ShipSpec>(path, [&](const Node& node) {
      load::read_ship_changes(node, ship.id, ship);
      return ship;
    });
    base::stable_sort(ship.pilots, [](const auto& a, const auto& b) { return a.id < b.id; });
    return std::make_unique<const load::ShipSpec>(std::move(ship));
  }

  /// Reads the file at `path` with `read(node)`; nullptr when there is no such file.
  template <typename Spec, typename Read>
  std::unique_ptr<const Spec> read_profile(const fs::path& path, Read read) const {
    if (!profiles.has(path)) return nullptr;
    return data::read_tree(profiles, path, [&](const Node& node) { return std::make_unique<const Spec>(read(node)); });
  }

  const FactNames& fact_names() {
    if (facts == nullptr) facts = read_profile<FactNames>(root / "rules" / "facts.toml", read_fact_names);
    if (facts == nullptr) facts = std::make_unique<const FactNames>();
    return *facts;
  }

  /// An upgrade without a card file whose charges are known (cards/charges.tsv), or nullptr.
  const load::CardSpec* charges_of(const std::string& id, std::string_view set) {
    const fs::path list = root / "cards" / "charges.tsv";
    const auto rows = optional_index(list).of(id);
    if (rows.empty()) return nullptr;
    const auto [charges, lasting] = base::cut(rows.front(), '\t');
    const bool recoverable = lasting != "-" && !base::contains(base::split(lasting, ','), set);
    const std::string key = (list / id / (recoverable ? "recoverable" : "lasting")).string();
    if (const auto known = cards.find(key); known != cards.end()) return known->second.get();
    load::CardSpec card{.id = id, .kind = "upgrade", .name = id, .recoverable = recoverable};
    for (const char digit : charges) card.charges = 10 * card.charges + (digit - '0');
    return cards.emplace(key, std::make_unique<const load::CardSpec>(std::move(card))).first->second.get();
  }

  /// Whether the card can change an attack, if the profiles state it.
  std::optional<bool> relevance(const std::string& set, std::string_view kind, std::string_view id) {
    const fs::path list = root / "cards" / "relevant.tsv";
    const load::CardSet* const of = load::card_set(set);
    if (of == nullptr || !profiles.has(list)) return std::nullopt;
    return load::relevance_of(index(list), same_cards(*of), set, kind, id);
  }

  const load::IndexFile& same_cards(const load::CardSet& set) {
    static const load::IndexFile kNone;
    return set.derived ? optional_index(root / "cards" / set.cards / "same.tsv") : kNone;
  }

  /// Kind and id ("pilot/fennrau") of the card of the base set with the same text; empty: none.
  std::string same_card(const load::CardSet& set, const std::string& card) {
    const auto rows = same_cards(set).of(card);
    return rows.empty() ? std::string() : std::string(rows.front());
  }

  const load::CardSpec* card(const fs::path& path, const std::string& kind, const std::string& id) {
    const auto found = cards.find(path.string());
    if (found != cards.end()) return found->second.get();
    auto read = read_profile<load::CardSpec>(
        path, [&](const Node& node) { return load::read_card(node, kind, id, fact_names().meanings); });
    return cards.emplace(path.string(), std::move(read)).first->second.get();
  }
};

/// User-defined cards and rules. Only add_...() changes it, so reading needs no lock. Copies of a catalogue share the
/// entries, so that pointers to them remain valid.
struct Catalogue::Own {
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const load::CardSpec>, std::less<>>
      cards;  ///< by kind, id
  std::map<std::string, std::shared_ptr<const load::Edition>, std::less<>> editions;
  load::DerivedData prepared;
};

Catalogue::Catalogue() : Catalogue(find_profiles()) {}

std::filesystem::path Catalogue::find_profiles() { return data::find_profiles(); }

Catalogue::Catalogue(fs::path profiles) : Catalogue(data::Profiles::with_pack(std::move(profiles))) {}

Catalogue::Catalogue(data::Profiles profiles)
    : files_(std::make_shared<Files>(std::move(profiles))), own_(std::make_unique<Own>()) {
  if (!files_->profiles.exists() || !files_->profiles.has_folder(root() / "rules")) {
    data::fail(root().string(), "", 0, "holds no folder rules; name the folder with rules, ships and cards");
  }
}

Catalogue Catalogue::of_pack(std::string bytes) { return Catalogue(data::Profiles::of_pack(std::move(bytes))); }

Catalogue::~Catalogue() = default;
Catalogue::Catalogue(Catalogue&&) noexcept = default;
Catalogue& Catalogue::operator=(Catalogue&&) noexcept = default;

Catalogue::Catalogue(const Catalogue& other) : files_(other.files_), own_(std::make_unique<Own>(*other.own_)) {}

Catalogue& Catalogue::operator=(const Catalogue& other) {
  if (this != &other) *this = Catalogue(other);
  return *this;
}

const fs::path& Catalogue::root() const { return files_->root; }

const data::Profiles& Catalogue::profiles() const { return files_->profiles; }

const load::IndexFile& Catalogue::index(const std::string& file) const {
  const std::lock_guard lock(files_->mutex);
  return files_->index(root() / file);
}

const load::IndexFile& Catalogue::optional_index(const std::string& file) const {
  const std::lock_guard lock(files_->mutex);
  return files_->optional_index(root() / file);
}

const load::IndexFile& Catalogue::same_cards(const load::CardSet& set) const {
  const std::lock_guard lock(files_->mutex);
  return files_->same_cards(set);
}

namespace {

/// Files of rules/ that are not editions.
constexpr std::array<std::string_view, 2> kNoEditions{"facts", "documents"};

bool may_be_edition(std::string_view id) { return data::is_id(id) && !base::contains(kNoEditions, id); }

}  // namespace

const load::Edition* Catalogue::edition(std::string_view id) const {
  {
    const std::lock_guard lock(files_->mutex);
    const auto found = files_->editions.find(id);
    if (found != files_->editions.end() && found->second != nullptr) return found->second.get();
  }
  if (!may_be_edition(id)) return nullptr;
  if (const auto own = own_->editions.find(id); own != own_->editions.end()) return own->second.get();
  const std::lock_guard lock(files_->mutex);
  const std::string name(id);
  const auto found = files_->editions.find(name);
  if (found != files_->editions.end()) return found->second.get();
  auto read = files_->read_profile<load::Edition>(root() / "rules" / (name + ".toml"),
                                                  [&name](const Node& node) { return load::read_edition(node, name); });
  return files_->editions.emplace(name, std::move(read)).first->second.get();
}

const load::DeckSpec* Catalogue::deck(std::string_view id, std::string_view edition) const {
  const load::Edition* rules = this->edition(edition);
  if (!data::is_id(id) || rules == nullptr) return nullptr;
  const fs::path folder = root() / "decks" / rules->id;
  const auto read = [&](const std::string& name) -> const load::DeckSpec* {
    const fs::path path = folder / (name + ".toml");
    const std::lock_guard lock(files_->mutex);
    const auto found = files_->decks.find(path.string());
    if (found != files_->decks.end()) return found->second.get();
    auto deck = files_->read_profile<load::DeckSpec>(
        path, [&](const Node& node) { return load::read_deck(node, *rules, name); });
    return files_->decks.emplace(path.string(), std::move(deck)).first->second.get();
  };
  if (const load::DeckSpec* deck = read(std::string(id))) return deck;
  for (const std::string& name : profiles().ids(folder)) {
    const load::DeckSpec* deck = read(name);
    if (deck != nullptr && base::contains(deck->also, id)) return deck;
  }
  return nullptr;
}

std::vector<std::string> Catalogue::deck_ids(std::string_view edition) const {
  std::vector<std::string> out;
  if (!data::is_id(edition)) return out;
  for (const std::string& id : profiles().ids(root() / "decks" / edition)) {
    out.push_back(id);
    if (const load::DeckSpec* deck = this->deck(id, edition))
      out.insert(out.end(), deck->also.begin(), deck->also.end());
  }
  return out;
}

const load::ShipSpec* Catalogue::ship(std::string_view id, std::string_view card_set) const {
  return files_->found_ships.get({card_set, id}, [&] { return files_->find_ship(id, card_set); });
}

const load::ShipSpec* Catalogue::Files::find_ship(std::string_view id, std::string_view card_set) {
  const load::CardSet* set = load::card_set(card_set);
  if (!data::is_id(id) || set == nullptr) return nullptr;
  const std::lock_guard lock(mutex);
  return ship(*set, std::string(id));
}

std::vector<std::string> Catalogue::ships_of_pilot(std::string_view id, std::string_view card_set) const {
  const load::CardSet* set = load::card_set(card_set);
  if (set == nullptr) return {};
  const std::lock_guard lock(files_->mutex);
  const load::IndexFile*& pilots = files_->pilots[set];
  if (pilots == nullptr) pilots = &files_->index(*set, pilot_index);
  const auto rows = pilots->of(id);
  return {rows.begin(), rows.end()};
}

const load::CardSpec* Catalogue::card(std::string_view kind, std::string_view id, std::string_view card_set) const {
  if (!own_->cards.empty() && load::card_set(card_set) != nullptr) {
    const auto own_card = own_->cards.find({std::string(kind), std::string(id)});
    if (own_card != own_->cards.end()) return own_card->second.get();
  }
  return files_->found_cards.get({card_set, kind, id}, [&] { return files_->find_card(kind, id, card_set); });
}

const load::CardSpec* Catalogue::Files::find_card(std::string_view kind, std::string_view id,
                                                  std::string_view card_set) {
  const bool known_kind = kind == "upgrade" || kind == "pilot" || kind == "ship" || kind == "condition" ||
                          kind == "aid" || kind == "charges";
  const load::CardSet* set = load::card_set(card_set);
  if (!known_kind || !data::is_id(id) || set == nullptr) return nullptr;
  std::string folder(kind), name(id);
  const std::lock_guard lock(mutex);
  if (kind == "charges") return charges_of(name, card_set);
  if (kind == "aid") return card(root / "cards" / folder / (name + ".toml"), folder, name);
  for (; set != nullptr;
       set = load::card_set(set->base)) {  // a set has its own file if the card differs from the base's
    const fs::path path = root / "cards" / set->cards / folder / (name + ".toml");
    if (const load::CardSpec* found = card(path, folder, name)) return found;
    if (const std::string same = same_card(*set, folder + "/" + name); !same.empty()) {
      const auto [same_kind, same_id] = base::cut(same, '/');
      folder = same_kind;
      name = same_id;
      if (!data::is_id(folder) || !data::is_id(name)) return nullptr;
    }
  }
  return nullptr;
}

void Catalogue::add_card(const std::string& path) { add_card_text(data::read_file(path), path); }

void Catalogue::add_card_text(std::string_view text, const std::string& source) {
  load::CardSpec card = load::parse_card(text, source, facts()).spec;
  if (own_->cards.contains({card.kind, card.id})) {
    data::fail(source, "", 0, fmt::format("the {} {} is given by an earlier file; leave one out", card.kind, card.id));
  }
  replace_card(std::move(card));
}

void Catalogue::replace_card(load::CardSpec card) {
  auto& own = own_->cards[{card.kind, card.id}];
  own = std::make_shared<const load::CardSpec>(std::move(card));
  own_->prepared = {};
}

const load::DerivedData& Catalogue::prepared() const { return own_->prepared; }

std::string Catalogue::add_rules(const std::string& path) { return add_rules_text(data::read_file(path), path); }

std::string Catalogue::add_rules_text(std::string_view text, const std::string& source) {
  data::check_text(text, source);
  const Value value = data::parse_toml(text, source);
  const Node root(value, source);
  root.need_table();
  const Node named = root.need("id", "name the edition, for example id = \"my-edition\"");
  const std::string id = named.text();
  if (!may_be_edition(id)) named.fail("not an id; use lower-case letters, digits and hyphens");
  if (edition(id) != nullptr) named.fail("there is an edition of this id; give yours another");
  own_->editions[id] = std::make_shared<const load::Edition>(load::read_edition(root, id));
  own_->prepared = {};
  return id;
}

DataSet Catalogue::data_set(std::string_view card_set) const {
  const load::CardSet* const asked = load::card_set(card_set);
  const std::lock_guard lock(files_->mutex);
  if (const auto known = files_->data_sets.find(asked); known != files_->data_sets.end()) return known->second;
  DataSet out;
  const load::IndexFile& sets = files_->optional_index(root() / "cards" / "data-sets.tsv");
  for (const load::CardSet* set = asked; set != nullptr; set = load::card_set(card_set)) {
    const auto rows = sets.of(card_set);
    if (!rows.empty()) {
      const auto [name, date] = base::cut(rows[0], '\t');
      out = {std::string(name), std::string(date)};
      break;
    }
    card_set = set->base;
  }
  return files_->data_sets.emplace(asked, std::move(out)).first->second;
}

bool Catalogue::upgrade_exists(std::string_view id, std::string_view card_set) const {
  const load::CardSet* set = load::card_set(card_set);
  if (!data::is_id(id) || set == nullptr) return false;
  if (own_->cards.contains({"upgrade", std::string(id)})) return true;
  {
    const std::lock_guard lock(files_->mutex);
    if (!files_->index(*set, upgrade_index).of(id).empty()) return true;
    if (set->derived && !files_->index(*load::card_set(set->base), upgrade_index).of(id).empty()) return false;
  }
  return card("upgrade", id, card_set) != nullptr;  // a user-defined card
}

std::optional<bool> Catalogue::relevant(std::string_view kind, std::string_view id, std::string_view card_set) const {
  static constexpr bool kYes = true, kNo = false;
  const bool* const out = files_->relevances.get({card_set, kind, id}, [&]() -> const bool* {
    const std::lock_guard lock(files_->mutex);
    for (std::string set(card_set); load::card_set(set) != nullptr; set = load::card_set(set)->base) {
      if (const auto known = files_->relevance(set, kind, id)) return *known ? &kYes : &kNo;
    }
    return nullptr;
  });
  return out != nullptr ? std::optional(*out) : std::nullopt;
}

std::optional<load::UpgradeCost> Catalogue::upgrade_cost(std::string_view id, std::string_view card_set) const {
  const load::CardSet* set = load::card_set(card_set);
  if (set == nullptr) return std::nullopt;
  const std::lock_guard lock(files_->mutex);
  const auto rows = files_->index(*set, upgrade_index).of(id);
  if (rows.empty()) return std::nullopt;
  return load::read_upgrade_cost(rows.front(), upgrade_index(root(), *set).string());
}

const load::NameIndex& Catalogue::names(std::string_view card_set) const {
  const load::CardSet* set = load::card_set(card_set);
  const std::lock_guard lock(files_->mutex);
  const auto found = files_->names.find(std::string(card_set));
  if (found != files_->names.end()) return found->second;
  load::NameIndex out;
  if (set != nullptr) {
    const auto table = [&](const char* file) -> const load::IndexFile& {
      return files_->optional_index(root() / file);
    };
    out = load::make_name_index({.ships = files_->index(*set, ship_index),
                                 .pilots = files_->index(*set, pilot_index),
                                 .upgrades = files_->index(*set, upgrade_index),
                                 .names = table("names.tsv"),
                                 .nicknames = table("nicknames.tsv"),
                                 .aliases = table("aliases.tsv")});
  }
  return files_->names.emplace(card_set, std::move(out)).first->second;
}

std::vector<std::string> Catalogue::aliases(std::string_view kind, std::string_view id) const {
  for (const auto& [row_kind, ids] : optional_index("aliases.tsv")) {
    if (row_kind != kind) continue;
    std::vector<std::string> group = load::columns(ids);
    const auto at = std::find(group.begin(), group.end(), id);
    if (at == group.end()) continue;
    group.erase(at);
    return group;
  }
  return {};
}

const std::map<std::string, std::string>& Catalogue::facts() const {
  const std::lock_guard lock(files_->mutex);
  return files_->fact_names().meanings;
}

const std::set<std::string>& Catalogue::counted_facts() const {
  const std::lock_guard lock(files_->mutex);
  return files_->fact_names().counted;
}

const std::set<std::string>& Catalogue::facts_of_attackers_friends() const {
  const std::lock_guard lock(files_->mutex);
  return files_->fact_names().attackers_friends;
}

const std::set<std::string>& Catalogue::facts_of_defenders_friends() const {
  const std::lock_guard lock(files_->mutex);
  return files_->fact_names().defenders_friends;
}

const std::set<std::string>& Catalogue::facts_of_reach() const {
  const std::lock_guard lock(files_->mutex);
  return files_->fact_names().reached;
}

const std::set<std::string>& Catalogue::facts_of_defenders_reach() const {
  const std::lock_guard lock(files_->mutex);
  return files_->fact_names().reached_defender;
}

std::vector<std::string> Catalogue::edition_ids() const {
  std::vector<std::string> ids = profiles().ids(root() / "rules");
  for (const std::string_view other : kNoEditions) std::erase(ids, other);
  for (const auto& [id, edition] : own_->editions) ids.push_back(id);
  return ids;
}

std::vector<std::string> Catalogue::ship_ids(std::string_view card_set) const {
  const load::CardSet* set = load::card_set(card_set);
  if (set == nullptr) return {};
  const std::lock_guard lock(files_->mutex);
  return load::unique_ids(files_->index(*set, ship_index));
}

std::vector<std::string> Catalogue::pilot_ids(std::string_view card_set) const {
  const load::CardSet* set = load::card_set(card_set);
  if (set == nullptr) return {};
  const std::lock_guard lock(files_->mutex);
  return load::unique_ids(files_->index(*set, pilot_index));
}

std::vector<std::string> Catalogue::upgrade_ids(std::string_view card_set) const {
  const load::CardSet* set = load::card_set(card_set);
  if (set == nullptr) return {};
  const std::lock_guard lock(files_->mutex);
  std::vector<std::string> ids = load::unique_ids(files_->index(*set, upgrade_index));
  for (const auto& [key, card] : own_->cards) {
    if (key.first == "upgrade") ids.push_back(key.second);
  }
  return ids;
}

std::vector<std::string> Catalogue::condition_ids(std::string_view card_set) const {
  std::vector<std::string> ids;
  for (const load::CardPlace& place : load::library_cards(profiles(), card_set)) {
    if (place.kind == "condition") ids.push_back(place.id);
  }
  const std::lock_guard lock(files_->mutex);
  for (const auto& [key, card] : own_->cards) {
    if (key.first == "condition") ids.push_back(key.second);
  }
  return ids;
}

}  // namespace salvo
