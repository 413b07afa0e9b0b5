// Card files: where the library keeps them, and one of them as tree and as card.
// In: a path. Out: CardFile, or LoadError with file, line, key and remedy.
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

/// A card with the tree it was read from, which also has the lines.
struct CardFile {
  std::string path;
  data::Value tree;
  CardSpec spec;
  /// The tree with the places of its keys, for whoever checks more than the reader does.
  data::Node root() const { return {tree, path}; }
};

/// All arcs of both editions; `turret` and `mobile` are the first edition's.
const std::vector<std::string>& arc_names();

/// The kinds of cards, which are also the folders of the library.
const std::vector<std::string>& card_kinds();

/// Reads a card from a file anywhere; kind and id are those it states. `facts`: the board facts that are known.
CardFile read_card_file(const std::string& path, const std::map<std::string, std::string>& facts);
/// A card of the library (library_cards).
CardFile read_card_file(const data::Profiles& profiles, const std::filesystem::path& path,
                        const std::map<std::string, std::string>& facts);

/// The same from text; `source` names it in messages and becomes the path.
CardFile parse_card(std::string_view text, const std::string& source, const std::map<std::string, std::string>& facts);

/// Checks what only an edition knows: faces and tokens must exist in it, and conditions must be well-formed. Unknown
/// words in conditions are left to compile. Throws LoadError.
void check_card_words(const CardFile& card, const Edition& edition);

/// A card of the library: its kind and id, and the file that describes it in this card set.
struct CardPlace {
  std::string kind, id;
  std::filesystem::path path;
};

/// All cards of the library in a card set, by kind and id. `profiles`: the folder that holds cards/.
std::vector<CardPlace> library_cards(const data::Profiles& profiles, std::string_view card_set);

}  // namespace salvo::load
