#include "load/card_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/index.h"
#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "load/index_file.h"
#include "load/profile.h"
#include "load/relevance_list.h"

namespace salvo::load {

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Files of a folder with this extension, sorted by name.
std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension && entry.is_regular_file()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

using Texts = std::vector<std::string>;

/// The texts of the member `name`, which is a text or a list of texts; none without it.
Texts texts_of(const data::Node& of, std::string_view name) {
  const auto member = of.get(name);
  if (!member) return {};
  if (!member->is(data::Value::Kind::Array)) return {member->value().text};
  Texts out;
  for (const data::Node& item : member->children()) out.push_back(item.value().text);
  return out;
}

/// Collects cards. Cards with the same kind and id are merged; the result has an ability if one of them has.
class CardCollector {
 public:
  /// Calls `each` for every item of the list in the file.
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

  void add(const std::string& kind, const data::Node& card, bool ability, Texts texts, Texts suffixes = {}) {
    card.need_table("a card");
    const data::Node id = card.need("xws", "each card has its xws id");
    if (!data::is_id(id.text())) id.fail("not an xws id; lower-case letters, digits and hyphens are needed");
    add(kind, id.text(), ability, std::move(texts), std::move(suffixes));
  }

  /// `suffixes`: distinguish the card from others with its id but another text.
  void add(const std::string& kind, const std::string& id, bool ability, Texts texts, Texts suffixes = {}) {
    Known& known = cards_[{kind, id}];
    known.ability = known.ability || ability;
    const auto same = std::find_if(known.variants.begin(), known.variants.end(),
                                   [&](const Variant& variant) { return variant.texts == texts; });
    Variant& of = same != known.variants.end() ? *same : known.variants.emplace_back(Variant{std::move(texts), {}});
    for (const std::string& suffix : suffixes) of.narrower.push_back(id + "-" + suffix);
  }

  std::vector<DataCard> take() const {
    std::vector<DataCard> out;
    for (const auto& [key, known] : cards_) {
      const bool apart = known.variants.size() > 1 && !known.variants.front().narrower.empty();
      DataCard card{key.first, key.second, known.ability};
      for (const Variant& variant : known.variants) {
        card.texts.insert(card.texts.end(), variant.texts.begin(), variant.texts.end());
        if (!apart) continue;
        card.narrower = variant.narrower;
        out.push_back(card);
        card.texts.clear();
      }
      if (!apart) out.push_back(card);
    }
    return out;
  }

 private:
  struct Variant {
    Texts texts, narrower;
  };
  struct Known {
    bool ability = false;
    std::vector<Variant> variants;
  };
  std::map<std::pair<std::string, std::string>, Known> cards_;
};

/// Adds the pilots in the file of a ship, and its ship abilities.
void add_pilots(CardCollector& out, const data::Node& ship) {
  ship.need_table("a ship");
  const data::Node pilots = ship.need("pilots", "a ship file lists its pilots");
  pilots.need_array("a list of pilots");
  for (const data::Node& pilot : pilots.children()) {
    out.add("pilot", pilot, pilot.get("ability").has_value(), texts_of(pilot, "ability"));
    const auto ability = pilot.get("shipAbility");
    if (!ability) continue;
    ability->need_table("a ship ability");
    out.add("ship", ability_id(ability->need("name", "a ship ability has a name").text()), true,
            texts_of(*ability, "text"));
  }
}

/// The texts of all sides of a card; a condition has no sides.
Texts texts_of_sides(const data::Node& card) {
  const auto sides = card.get("sides");
  if (!sides) return texts_of(card, "ability");
  Texts out;
  for (const data::Node& side : sides->children()) {
    for (std::string& text : texts_of(side, "ability")) out.push_back(std::move(text));
  }
  return out;
}

CardData second_edition(const fs::path& root) {
  CardCollector out;
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
      out.read_list(file,
                    [&, kind = kind](const data::Node& card) { out.add(kind, card, true, texts_of_sides(card)); });
    }
  }
  return {false, out.take()};
}

CardData first_edition(const fs::path& root) {
  CardCollector out;
  for (const auto& [name, kind] : {std::pair("pilots.js", "pilot"), std::pair("upgrades.js", "upgrade"),
                                   std::pair("conditions.js", "condition")}) {
    if (!data::is_file((root / name).string())) continue;
    out.read_list(root / name, [&, kind = kind](const data::Node& card) {
      Texts suffixes;
      if (std::string_view(kind) == "pilot") {
        for (const char* of : {"ship", "faction"}) {
          for (const std::string& words : texts_of(card, of)) suffixes.push_back(ability_id(words));
        }
      }
      out.add(kind, card, std::string_view(kind) != "pilot" || card.get("text").has_value(), texts_of(card, "text"),
              std::move(suffixes));
    });
  }
  return {true, out.take()};
}

}  // namespace

std::string ability_id(std::string_view name) {
  std::string out = base::lower_case(name);
  std::erase_if(out, [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); });
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

Relevance read_relevance(const Catalogue& catalogue, const std::string& card_set) {
  const CardSet* of = load::card_set(card_set);
  const IndexFile kNone;
  const IndexFile &list = catalogue.index("cards/relevant.tsv"), &same = of ? catalogue.same_cards(*of) : kNone;
  Relevance out;
  const auto add = [&](std::string_view kind, std::string_view id) {
    if (const auto known = relevance_of(list, same, card_set, kind, id))
      out[{std::string(kind), std::string(id)}] = *known;
  };
  for (const auto [id, row] : list) add(base::cut(row, '\t').first, id);
  for (const auto [card, like] : same) {
    const auto [kind, id] = base::cut(card, '/');
    add(kind, id);
  }
  return out;
}

TextTags read_text_tags(const Catalogue& catalogue, const std::string& card_set) {
  const CardSet* of = load::card_set(card_set);
  TextTags out = of != nullptr && of->derived ? read_text_tags(catalogue, std::string(of->base)) : TextTags();
  const std::string list = "cards/marks.tsv";
  for (const auto [id, row] : catalogue.optional_index(list)) {
    const std::vector<std::string_view> columns = base::split(row, '\t');
    if (columns.size() != 3)
      data::fail(
          (catalogue.root() / list).string(), "", 0,
          fmt::format("{} needs four columns: id, kind, card sets, marks separated by commas", base::in_quotes(id)));
    if (!base::contains(base::split(columns[1], ','), card_set)) continue;
    for (const std::string_view mark : base::split(columns[2], ','))
      out[{std::string(columns[0]), std::string(id)}].emplace(mark);
  }
  return out;
}

}  // namespace salvo::load
