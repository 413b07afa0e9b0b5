// Card files: the places of those in the library, and the reader of a single one. Readers throw LoadError.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "data/profiles.h"
#include "data/value.h"
#include "load/catalogue.h"

namespace salvo::load {

/// A card and the tree it was read from, which has the line numbers.
struct CardFile {
  std::string path;
  data::Value tree;
  CardSpec spec;
  /// The tree with the places of its keys, for further checks.
  data::Node root() const { return {tree, path}; }
};

/// All arcs of both editions; `turret` and `mobile` are the first edition's.
const std::vector<std::string>& arc_names();

/// Slots of upgrades that the weapon of a bonus attack can be named by.
const std::vector<std::string>& weapon_slots();

/// The weapons that a bonus attack can be made with; none if its card does not say. An effect that names several
/// becomes one option for each.
std::vector<data::Node> bonus_weapons(const data::Node& operation);

/// The kinds of cards, which are also the folders of the library.
const std::vector<std::string>& card_kinds();

/// Reads any card file; the file states kind and id. `facts`: the known board facts.
CardFile read_card_file(const std::string& path, const std::map<std::string, std::string>& facts);
/// A card of the library (library_cards).
CardFile read_card_file(const data::Profiles& profiles, const std::filesystem::path& path,
                        const std::map<std::string, std::string>& facts);

/// As above, from text. `source` names it in messages and becomes the path.
CardFile parse_card(std::string_view text, const std::string& source, const std::map<std::string, std::string>& facts);

/// Checks that the edition has the faces and tokens that the card names. Words in conditions are checked by compile.
/// Throws LoadError.
void check_card_words(const CardFile& card, const Edition& edition);

/// A card of the library, and the file that describes it in a card set.
struct CardPlace {
  std::string kind, id;
  std::filesystem::path path;
};

/// All cards of the library in a card set, sorted by kind and id.
std::vector<CardPlace> library_cards(const data::Profiles& profiles, std::string_view card_set);

}  // namespace salvo::load
