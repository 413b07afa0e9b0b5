// Names: ships, pilots and upgrades by what is printed on the card, by a part of it, by nickname or by id.
// In: a text as people write it. Out: the id that a scenario takes, or those that it may mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"

namespace salvo {

/// A ship, pilot or upgrade of a card set.
struct Named {
  std::string kind;  ///< "ship", "pilot" or "upgrade"
  std::string id;    ///< as scenarios take it
  std::string name;  ///< as printed on the card; the id where that is not known
  bool operator==(const Named&) const = default;
};

/// How a text was understood.
enum class NameMatchKind {
  Unknown,    ///< nothing has such a name
  Ambiguous,  ///< several have it
  Exact,      ///< the id, another spelling of it, or the whole name, which nothing else has
  Likely      ///< a nickname, the part of one name only, or the usual card of several that share a name
};

/// What a text means.
struct NameMatch {
  NameMatchKind sense = NameMatchKind::Unknown;
  bool whole = false;  ///< the text is a whole name, nickname or id, not a part of one
  Named found;         ///< for Exact and Likely
  std::vector<Named>
      candidates;  ///< Ambiguous: all that it may mean; Unknown: what is spelled nearly so, nearest first
};

/// What `words` means in a card set. Case, accents, hyphens, blanks and quotes never matter. `kind`: "ship", "pilot" or
/// "upgrade". `ship`: for a pilot the id of his ship, where it is known, so that of several Hans the right one is
/// meant. Throws LoadError when a file of the profiles is broken.
NameMatch find_name(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                    std::string_view card_set, std::string_view ship = {});

/// All of a kind in a card set whose name, id or nickname has all of `words`, each the beginning of a word of it or a
/// part of the id; in alphabetical order. No words: all.
std::vector<Named> search_names(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                                std::string_view card_set);

/// The name printed on a card; the id where it is not known.
std::string name_of(const Catalogue& catalogue, std::string_view kind, std::string_view id, std::string_view card_set);

/// "unknown pilot 'lukeskywalkr'; did you mean 'lukeskywalker' (Luke Skywalker)?", or "'han' may be ...; write the id
/// of one of them". Of a match that is Unknown or Ambiguous.
std::string describe(const NameMatch& match, std::string_view kind, std::string_view words, std::string_view card_set);

}  // namespace salvo
