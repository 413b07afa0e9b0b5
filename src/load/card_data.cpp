// Card data of others: see card_data.h.
#include "load/card_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "load/index_file.h"
#include "load/profile.h"

namespace salvo::load {

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Files of a folder with this extension, in order of name.
std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension && entry.is_regular_file()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Collects the cards; the same id of a kind counts once, and has an ability when one of them has.
class Collector {
 public:
  /// Calls `each` with every object of the list in the file.
  template <typename Each>
  void read_list(const fs::path& path, Each each) {
    read(path, [&](const data::Node& root) {
      root.need_array("a list of cards");
      for (const data::Node& card : root.children()) each(card);
    });
  }

  template <typename Read>
  void read(const fs::path& path, Read take) {
    const std::string name = path.string(), text = data::read_file(name);
    data::check_text(text, name);
    const data::Value value = data::parse_json(text, name);
    take(data::Node(value, name));
  }

  void add(const std::string& kind, const data::Node& card, bool ability = true) {
    card.need_table("a card");
    const data::Node id = card.need("xws", "each card has its xws id");
    if (!data::is_id(id.text())) id.fail("not an xws id; lower-case letters, digits and hyphens are needed");
    add(kind, id.text(), ability);
  }

  void add(const std::string& kind, const std::string& id, bool ability) {
    bool& known = cards_[{kind, id}];
    known = known || ability;
  }

  std::vector<DataCard> take() const {
    std::vector<DataCard> out;
    for (const auto& [key, ability] : cards_) out.push_back({key.first, key.second, ability});
    return out;
  }

 private:
  std::map<std::pair<std::string, std::string>, bool> cards_;
};

/// A ship file: its pilots, with their abilities and those of the ship.
void add_pilots(Collector& out, const data::Node& ship) {
  ship.need_table("a ship");
  const data::Node pilots = ship.need("pilots", "a ship file lists its pilots");
  pilots.need_array("a list of pilots");
  for (const data::Node& pilot : pilots.children()) {
    out.add("pilot", pilot, pilot.get("ability").has_value());
    const auto ability = pilot.get("shipAbility");
    if (!ability) continue;
    ability->need_table("a ship ability");
    out.add("ship", ability_id(ability->need("name", "a ship ability has a name").text()), true);
  }
}

CardData second_edition(const fs::path& root) {
  Collector out;
  std::vector<fs::path> factions;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "pilots", error)) factions.push_back(entry.path());
  std::sort(factions.begin(), factions.end());
  for (const fs::path& faction : factions) {
    for (const fs::path& file : files_in(faction, ".json")) {
      out.read(file, [&](const data::Node& ship) { add_pilots(out, ship); });
    }
  }
  for (const auto& [folder, kind] : {std::pair("upgrades", "upgrade"), std::pair("conditions", "condition")}) {
    for (const fs::path& file : files_in(root / folder, ".json")) {
      out.read_list(file, [&, kind = kind](const data::Node& card) { out.add(kind, card); });
    }
  }
  return {false, out.take()};
}

CardData first_edition(const fs::path& root) {
  Collector out;
  for (const auto& [name, kind] : {std::pair("pilots.js", "pilot"), std::pair("upgrades.js", "upgrade"),
                                   std::pair("conditions.js", "condition")}) {
    if (!data::is_file((root / name).string())) continue;
    out.read_list(root / name, [&, kind = kind](const data::Node& card) {
      out.add(kind, card, std::string_view(kind) != "pilot" || card.get("text").has_value());
    });
  }
  return {true, out.take()};
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::pair<std::string, std::string> kind_and_id(const std::string& card) {
  const std::size_t slash = std::min(card.find('/'), card.size());
  return {card.substr(0, slash), card.substr(std::min(slash + 1, card.size()))};
}

}  // namespace

std::string ability_id(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += c;
    }
  }
  return out;
}

CardData read_card_data(const std::string& folder) {
  if (!is_folder(folder)) data::fail(folder, "", 0, "not a folder; name the checkout of a card data set");
  for (const fs::path& root : {fs::path(folder), fs::path(folder) / "data"}) {
    CardData data;
    if (is_folder(root / "pilots") || is_folder(root / "upgrades")) {
      data = second_edition(root);
    } else if (data::is_file((root / "pilots.js").string()) || data::is_file((root / "upgrades.js").string())) {
      data = first_edition(root);
    } else {
      continue;
    }
    if (data.cards.empty()) data::fail(folder, "", 0, "holds no cards; fetch a complete checkout of the data set");
    return data;
  }
  data::fail(
      folder, "", 0,
      "holds neither folders pilots and upgrades nor pilots.js and upgrades.js, here or in data; name the checkout of "
      "a card data set");
}

namespace {

/// The lines of a table with four columns that are no comments. `columns`: what they hold, for messages.
std::vector<std::vector<std::string>> read_table(const data::Profiles& profiles, const fs::path& path,
                                                 const char* columns) {
  const std::string name = path.string(), text = profiles.text(path);
  std::vector<std::vector<std::string>> out;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    out.push_back(split(line, '\t'));
    if (out.back().size() != 4) data::fail(name, "", number, fmt::format("four columns are needed: {}", columns));
  }
  return out;
}

bool lists(const std::string& sets, const std::string& card_set) {
  const std::vector<std::string> names = split(sets, ',');
  return std::find(names.begin(), names.end(), card_set) != names.end();
}

}  // namespace

Relevance read_relevance(const data::Profiles& profiles, const std::string& card_set) {
  const CardSet* of = load::card_set(card_set);
  const bool derived = of != nullptr && of->derived;
  Relevance out = derived ? read_relevance(profiles, std::string(of->base)) : Relevance();
  for (const auto& columns : read_table(profiles, profiles.root() / "cards" / "relevant.tsv",
                                        "id, kind, sets in which it matters, sets in which it does not")) {
    for (const bool relevant : {true, false}) {
      if (lists(columns[relevant ? 2 : 3], card_set)) out[{columns[1], columns[0]}] = relevant;
    }
  }
  if (!derived) return out;
  for (const auto& [card, like] : same_cards(profiles, *of)) {
    const auto known = out.find(kind_and_id(std::string(like)));
    if (known != out.end()) out[kind_and_id(std::string(card))] = known->second;
  }
  return out;
}

Marks read_marks(const data::Profiles& profiles, const std::string& card_set) {
  const CardSet* of = load::card_set(card_set);
  Marks out = of != nullptr && of->derived ? read_marks(profiles, std::string(of->base)) : Marks();
  const fs::path list = profiles.root() / "cards" / "marks.tsv";
  if (!profiles.has(list)) return out;  // a game of one's own
  for (const auto& columns : read_table(profiles, list, "id, kind, card sets, marks with commas between")) {
    if (!lists(columns[2], card_set)) continue;
    for (const std::string& mark : split(columns[3], ',')) out[{columns[1], columns[0]}].insert(mark);
  }
  return out;
}

}  // namespace salvo::load
