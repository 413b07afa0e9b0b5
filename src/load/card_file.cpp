#include "load/card_file.h"

#include <algorithm>

#include "data/file.h"
#include "data/message.h"
#include "load/profile.h"

namespace salvo::load {

namespace {

namespace fs = std::filesystem;

data::Value parse_tree(std::string_view text, const std::string& source) {
  data::check_text(text, source);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    data::fail(source, "", 0, "is empty; a card has id, kind and at least one [[effect]]");
  }
  return data::parse_toml(text, source);
}

CardSpec read_any_card(const data::Node& root, const std::map<std::string, std::string>& facts) {
  root.need_table();
  const std::string kind = root.need("kind", "write kind = \"upgrade\"").one_of(card_kinds());
  const data::Node id = root.need("id", "name the card, for example id = \"mycard\"");
  if (!data::is_id(id.text())) id.fail("not an id; use lower-case letters, digits and hyphens");
  return read_card(root, kind, id.text(), facts);
}

void add_folder(const data::Profiles& profiles, const fs::path& folder, const std::string& kind,
                std::vector<CardPlace>& out) {
  for (const std::string& id : profiles.ids(folder)) {
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const CardPlace& other) { return other.kind == kind && other.id == id; });
    if (!known) out.push_back({kind, id, folder / (id + ".toml")});
  }
}

}  // namespace

const std::vector<std::string>& card_kinds() {
  static const std::vector<std::string> kinds{"upgrade", "pilot", "ship", "condition"};
  return kinds;
}

CardFile parse_card(std::string_view text, const std::string& source, const std::map<std::string, std::string>& facts) {
  CardFile file{source, parse_tree(text, source), {}};
  file.spec = read_any_card(data::Node(file.tree, file.path), facts);
  return file;
}

CardFile read_card_file(const std::string& path, const std::map<std::string, std::string>& facts) {
  return parse_card(data::read_file(path), path, facts);
}

CardFile read_card_file(const data::Profiles& profiles, const fs::path& path,
                        const std::map<std::string, std::string>& facts) {
  CardFile file{path.string(), profiles.tree(path), {}};
  file.spec = read_any_card(file.root(), facts);
  return file;
}

void check_card_words(const CardFile& card, const Edition& edition) {
  const data::Node root = card.root();
  read_effects(root, &edition, card.spec.id);
  if (const auto weapon = root.get("weapon")) read_weapon(*weapon, &edition);
  if (const auto tokens = root.get("tokens")) read_tokens(*tokens, &edition);
}

std::vector<CardPlace> library_cards(const data::Profiles& profiles, std::string_view card_set) {
  std::vector<CardPlace> out;
  for (const std::string& kind : card_kinds()) {
    std::vector<CardPlace> places;
    for (const CardSet* set = load::card_set(card_set); set != nullptr; set = load::card_set(set->base))
      add_folder(profiles, profiles.root() / "cards" / set->cards / kind, kind, places);
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    std::move(places.begin(), places.end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace salvo::load
